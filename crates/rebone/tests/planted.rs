//! Feet that stand exactly in the source stand on every character, however long its legs are (F2 to F5, E38).
//!
//! Prints the worst slide of each pair, in per cent of the leg.

#![allow(clippy::unwrap_used)]

use glam::Vec3;
use rebone::core::profile::{Part, Side};
use rebone::core::recipe::Recipe;
use rebone::io::{FileSpace, Format};
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::model::{Character, SkeletonBuilder};
use rebone::{Rig, retarget};
use rebone_testkit::sample::{characters, clips};

/// A character whose thighs and shins are this many times as long, standing on its floor.
fn with_legs(character: &Character, times: f32) -> Character {
    let plain = Rig::from_character(character.clone(), Format::Glb, metres(), Vec::new());
    let of =
        |part: Part| [Side::Left, Side::Right].map(|side| plain.map.joint_of(part, side).unwrap());
    let (shins, feet) = (of(Part::LowerLeg), of(Part::Foot));
    let hips = plain.map.joint_of(Part::Hips, Side::Center).unwrap();
    let skeleton = &character.skeleton;
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let leg = rest.position(of(Part::UpperLeg)[0]).y - rest.position(feet[0]).y;
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let mut rest = joint.rest;
        if shins.contains(&index) || feet.contains(&index) {
            rest.translation *= times;
        }
        if index == hips {
            rest.translation += Vec3::Y * leg * (times - 1.0);
        }
        let mut new = rebone::model::NewJoint::new(joint.name.clone(), joint.parent, rest);
        new.kind = joint.kind;
        builder.add(new);
    }
    let (skeleton, order) = builder.build().unwrap();
    assert!(order.iter().enumerate().all(|(old, &new)| old == new));
    Character {
        skeleton,
        skins: Vec::new(),
        clips: Vec::new(),
        ..character.clone()
    }
}

#[test]
fn planted_feet_stay() {
    let rig =
        |character: Character| Rig::from_character(character, Format::Glb, metres(), Vec::new());
    let all = characters();
    let adult = &all[0];
    let mut worst = 0.0f32;
    for sample in clips() {
        let mut mover = adult.clone();
        mover.clips = vec![sample.clip.clone()];
        let source = rig(mover);
        for character in &all {
            for times in [0.5, 1.0, 2.0] {
                let target = rig(with_legs(character, times));
                let result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
                let clip = &result.clips[0].clip;
                let leg = target.alignment.measures.leg as f32;
                let mut most = (0.0f32, String::new());
                for contact in &sample.contacts {
                    let slot = source
                        .map
                        .slots
                        .iter()
                        .find(|(_, found)| found.joints.first() == Some(&contact.joint));
                    let (&slot, _) = slot.unwrap();
                    let Some(joint) = target.map.joint(slot) else {
                        continue;
                    };
                    let frames = ((contact.end - contact.start) * 60.0) as usize;
                    let places: Vec<Vec3> = (0..=frames)
                        .map(|frame| contact.start + frame as f32 / 60.0)
                        .map(|time| sample_clip(&target.character.skeleton, clip, time))
                        .map(|pose| model_pose(&target.character.skeleton, &pose).position(joint))
                        .collect();
                    let mean = places.iter().sum::<Vec3>() / places.len() as f32;
                    for (frame, place) in places.iter().enumerate() {
                        let off = 100.0 * place.distance(mean) / leg;
                        if off > most.0 {
                            let name = &target.character.skeleton.joints()[joint].name;
                            most = (
                                off,
                                format!(
                                    "{name} at frame {frame} of {frames} from {:.2}",
                                    contact.start
                                ),
                            );
                        }
                    }
                }
                println!(
                    "{:10} {:6} legs x {times}: {:.3} % {}",
                    sample.clip.name, character.name, most.0, most.1
                );
                worst = worst.max(most.0);
            }
        }
    }
    assert!(worst < 0.1, "{worst} % of the leg");
}

/// +Y up, in metres.
fn metres() -> FileSpace {
    FileSpace {
        meters_per_unit: Some(1.0),
        up: Some(rebone::model::axes::Axis::PositiveY),
        ..FileSpace::default()
    }
}
