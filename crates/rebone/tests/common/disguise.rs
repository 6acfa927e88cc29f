//! Files in which nothing but the motion shows the rest pose.

use rebone::model::sampling::sample_clip;
use rebone::model::{
    Character, Clip, Interpolation, LocalPose, NewJoint, Quat, SkeletonBuilder, Track, Transform,
    Vec3,
};
use rebone_testkit::random::Generator;
use std::f64::consts::FRAC_PI_2;

/// How a rest pose is hidden.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Disguise {
    /// Every joint is turned anyhow.
    AnyRest,
    /// The rest pose is a moment of the motion.
    MidMotion,
    /// The same, and the file is turned so that +Z is up.
    MidMotionZUp,
    /// The bones lie along one axis, and joints have other axes than in the file.
    OneAxis,
    /// The same, and the body lies: it is turned so that +Z would be up.
    OneAxisLying,
}

/// The character with one clip that shows what it showed, in a file that hides its rest pose.
pub fn disguised(
    character: &Character,
    disguise: Disguise,
    generator: &mut Generator,
) -> Character {
    let own = &character.skeleton;
    let clip = &character.clips[0];
    let times = clip.key_times();
    let poses: Vec<LocalPose> = times
        .iter()
        .map(|&time| sample_clip(own, clip, time))
        .collect();
    let axis = Vec3::AXES[generator.below(3)];
    let turns: Vec<Quat> = (0..own.len())
        .map(|joint| match disguise {
            Disguise::OneAxis | Disguise::OneAxisLying => {
                Quat::from_rotation_arc(axis, bone_of(character, joint))
            }
            _ => Quat::IDENTITY,
        })
        .collect();
    let upright = match disguise {
        Disguise::MidMotionZUp | Disguise::OneAxisLying => Quat::from_rotation_x(FRAC_PI_2 as f32),
        _ => Quat::IDENTITY,
    };
    let local = |pose: &LocalPose, joint: usize| {
        let transform = pose.transforms()[joint];
        let above = own
            .parent(joint)
            .map_or(upright, |above| turns[above].conjugate());
        let rotation = above * transform.rotation * turns[joint];
        (rotation, above * transform.translation)
    };
    let moment = match disguise {
        Disguise::MidMotion | Disguise::MidMotionZUp => generator.below(poses.len()),
        _ => 0,
    };
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in own.joints().iter().enumerate() {
        let (rotation, translation) = local(&poses[moment], index);
        let rotation = match disguise {
            Disguise::AnyRest => generator.rotation().as_quat(),
            Disguise::OneAxis | Disguise::OneAxisLying => Quat::IDENTITY,
            _ => rotation,
        };
        let rest = Transform {
            translation,
            rotation,
            scale: joint.rest.scale,
        };
        builder.add(NewJoint {
            kind: joint.kind,
            end: joint.end.map(|end| turns[index].conjugate() * end),
            ..NewJoint::new(joint.name.clone(), joint.parent, rest)
        });
    }
    let (skeleton, _) = builder.build().unwrap();
    let mut made = Clip::new(clip.name.clone(), own.len());
    made.rate_hz = clip.rate_hz;
    for (joint, tracks) in made.joints.iter_mut().enumerate() {
        let (rotations, places) = poses.iter().map(|pose| local(pose, joint)).unzip();
        let track = Interpolation::Linear;
        tracks.rotation = Track::computed(track, times.clone().into(), rotations);
        tracks.translation = Track::computed(track, times.clone().into(), places);
        tracks.scale = clip.joints[joint].scale.clone();
    }
    Character {
        name: character.name.clone(),
        skeleton,
        clips: vec![made],
        ..Character::default()
    }
}

/// The direction from a joint to its farthest child, in the joint's axes; +Y for a joint without children.
fn bone_of(character: &Character, joint: usize) -> Vec3 {
    let joints = character.skeleton.joints();
    let below = joints.iter().filter(|other| other.parent == Some(joint));
    let bones = below.map(|other| other.rest.translation);
    let longest = bones.max_by(|a, b| a.length().total_cmp(&b.length()));
    longest.and_then(Vec3::try_normalize).unwrap_or(Vec3::Y)
}
