//! Is the output right? Limbs of the result must point where those of the source point.

use super::pair::Pair;
use anyhow::{Context, Result, bail};
use rebone_io::{ReadOptions, read};
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{Character, Clip, Vec3};
use std::path::Path;

/// Upper and lower limbs, by the joints at both ends.
const LIMBS: [(&str, &str); 8] = [
    ("LeftArm", "LeftForeArm"),
    ("LeftForeArm", "LeftHand"),
    ("RightArm", "RightForeArm"),
    ("RightForeArm", "RightHand"),
    ("LeftUpLeg", "LeftLeg"),
    ("LeftLeg", "LeftFoot"),
    ("RightUpLeg", "RightLeg"),
    ("RightLeg", "RightFoot"),
];
/// More than this is not the same motion.
const TOLERANCE_DEGREES: f32 = 5.0;

/// The worst angle between a limb of the source and that of the result, over the clip.
pub(super) fn worst_degrees(input: &Pair, output: &Path) -> Result<f32> {
    let bytes = std::fs::read(output)?;
    let nothing = |uri: &str| Err(format!("{uri} is not there"));
    let document = read(&bytes, &ReadOptions::default(), &nothing)?;
    let result = document
        .characters
        .first()
        .context("the output holds no character")?;
    let clip = result.clips.first().context("the output holds no clip")?;
    let mut worst = 0.0f32;
    for time in [0.0, 1.3, 2.9, 4.1, 5.7, 7.3, 9.1] {
        for (from, to) in LIMBS {
            let wanted = direction(
                &input.source,
                &input.source.clips[0],
                time,
                [from, to],
                |name| format!("mixamorig:{name}"),
            )?;
            let found = direction(result, clip, time, [from, to], |name| {
                target_name(input, name)
            })?;
            worst = worst.max(wanted.angle_between(found).to_degrees());
        }
    }
    if worst > TOLERANCE_DEGREES {
        bail!(
            "{}: a limb is {worst:.1} degrees off; no time counts",
            output.display()
        );
    }
    Ok(worst)
}

fn target_name(input: &Pair, name: &str) -> String {
    let joints = input.source.skeleton.joints().iter();
    let wanted = format!("mixamorig:{name}");
    joints
        .zip(input.target.skeleton.joints())
        .find(|(from, _)| from.name == wanted)
        .map_or_else(String::new, |(_, to)| to.name.clone())
}

fn direction(
    character: &Character,
    clip: &Clip,
    time: f32,
    ends: [&str; 2],
    name: impl Fn(&str) -> String,
) -> Result<Vec3> {
    let skeleton = &character.skeleton;
    let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
    let place = |end: &str| {
        let wanted = name(end);
        let joint = skeleton
            .joints()
            .iter()
            .position(|joint| joint.name == wanted);
        joint
            .map(|joint| pose.position(joint))
            .with_context(|| format!("there is no joint {wanted}"))
    };
    Ok(place(ends[1])? - place(ends[0])?)
}
