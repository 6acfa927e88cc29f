//! Skeletons whose rest pose spreads the legs. With the feet at right angles to the legs, soles are level where the legs hang down; with
//! level feet they are so as they are. Both give the motion of the clean file.

use crate::common::legs::metres;
use crate::common::retarget;
use glam::Quat;
use rebone::io::Format;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{Character, Clip, NewJoint, SkeletonBuilder};
use rebone::setup::profile::{Part, Side};
use rebone::{Recipe, Rig};
use rebone_samples::{characters, clips};

/// How far the legs are spread, degrees.
const SPREAD: f32 = 20.0;

fn rig(character: Character) -> Rig {
    Rig::from_character(character, Format::Bvh, metres(), Vec::new())
}

/// The skeleton of a character with spread legs at rest, without a skin, and with this clip, whose joints are where they were.
fn spread(character: &Character, clip: &Clip, feet_follow: bool) -> Character {
    let plain = rig(character.clone());
    let joint = |part: Part, side: Side| plain.map.joint_of(part, side).unwrap();
    let model = model_pose(&character.skeleton, &character.skeleton.rest_pose());
    let mut builder = SkeletonBuilder::new();
    for (index, own) in character.skeleton.joints().iter().enumerate() {
        let mut rest = own.rest;
        for side in [Side::Left, Side::Right] {
            let above = own
                .parent
                .map_or(Quat::IDENTITY, |parent| model.rotation(parent));
            let turn = Quat::from_rotation_z((SPREAD * side.sign()).to_radians());
            let in_parent = |turn: Quat| above.conjugate() * turn * above;
            if index == joint(Part::UpperLeg, side) {
                rest.rotation = in_parent(turn) * rest.rotation;
            }
            if index == joint(Part::Foot, side) && !feet_follow {
                rest.rotation = in_parent(turn.conjugate()) * rest.rotation;
            }
        }
        let mut new = NewJoint::new(own.name.clone(), own.parent, rest);
        new.kind = own.kind;
        builder.add(new);
    }
    let (skeleton, _) = builder.build().unwrap();
    Character {
        skeleton,
        skins: Vec::new(),
        meshes: Vec::new(),
        hull: Vec::new(),
        clips: vec![clip.clone()],
        ..character.clone()
    }
}

/// The largest angle between the feet of two results, degrees.
fn feet_apart(target: &Rig, [one, other]: [&Clip; 2]) -> f32 {
    let skeleton = &target.character.skeleton;
    let mut most: f32 = 0.0;
    for time in one.key_times() {
        let poses =
            [one, other].map(|clip| model_pose(skeleton, &sample_clip(skeleton, clip, time)));
        for side in [Side::Left, Side::Right] {
            let foot = target.map.joint_of(Part::Foot, side).unwrap();
            let [a, b] = poses.each_ref().map(|pose| pose.rotation(foot));
            most = most.max(angle_between(a, b).to_degrees());
        }
    }
    most
}

#[test]
fn soles_are_level_whatever_the_legs_do_at_rest() {
    let all = characters();
    let sample = clips()
        .into_iter()
        .find(|sample| sample.clip.name == "walk");
    let clip = sample.unwrap().clip;
    let target = rig(all[1].clone());
    let made = |source: Character| {
        let source = rig(source);
        let mut done = retarget(&source, &target, &[], &Recipe::default()).unwrap();
        done.clips.swap_remove(0).clip
    };
    let clean = made(Character {
        clips: vec![clip.clone()],
        ..all[0].clone()
    });
    for feet_follow in [true, false] {
        let result = made(spread(&all[0], &clip, feet_follow));
        let apart = feet_apart(&target, [&clean, &result]);
        println!("feet that follow the legs at rest: {feet_follow}; {apart:.2} degrees apart");
        // Without a decision it would be 20. Legs that are straightened from elsewhere are rolled by some degrees.
        assert!(apart < 8.0, "{feet_follow}: {apart}");
    }
}
