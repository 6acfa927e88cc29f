//! Feet that hang beside their legs, as those of control rigs do.

use crate::common::legs::metres;
use crate::common::retarget;
use glam::Vec3;
use rebone::io::Format;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::model::{Character, NewJoint, SkeletonBuilder};
use rebone::{Recipe, Rig};
use rebone_testkit::sample::{characters, clips};

const FEET: [&str; 2] = ["leftFoot", "rightFoot"];

/// The character with its feet beside the body: no joint is above them.
fn with_feet_beside(character: &Character) -> Rig {
    let rig = |character| Rig::from_character(character, Format::Glb, metres(), Vec::new());
    let plain = rig(character.clone());
    let feet = FEET.map(|slot| plain.map.joint_named(slot).unwrap());
    let skeleton = &character.skeleton;
    let standing = model_pose(skeleton, &skeleton.rest_pose());
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let is_foot = feet.contains(&index);
        let mut rest = joint.rest;
        if is_foot {
            rest.translation = standing.position(index);
            rest.rotation = standing.rotation(index);
        }
        let parent = joint.parent.filter(|_| !is_foot);
        let mut new = NewJoint::new(joint.name.clone(), parent, rest);
        new.kind = joint.kind;
        builder.add(new);
    }
    let (skeleton, order) = builder.build().unwrap();
    assert!(order.iter().enumerate().all(|(old, &new)| old == new));
    let made = rig(Character {
        skeleton,
        skins: Vec::new(),
        clips: Vec::new(),
        ..character.clone()
    });
    assert_eq!(FEET.map(|slot| made.map.joint_named(slot).unwrap()), feet);
    made
}

/// A source of which only shins are known (a box figure without feet) takes such feet along on its legs, as if they hung from them.
#[test]
fn legs_carry_feet_of_which_the_source_says_nothing() {
    let all = characters();
    let target = with_feet_beside(&all[1]);
    for sample in clips() {
        let mut source = Rig::from_character(
            Character {
                clips: vec![sample.clip.clone()],
                ..all[0].clone()
            },
            Format::Glb,
            metres(),
            Vec::new(),
        );
        let profile = source.map.profile;
        source.map.slots.retain(|slot, _| {
            let name = profile.info(*slot).name;
            !name.ends_with("Foot") && !name.ends_with("Toes")
        });
        let mut result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
        let clip = result.clips.swap_remove(0).clip;
        let skeleton = &target.character.skeleton;
        // Where a foot is, in the axes of its shin.
        let seen = |shin: &str, foot: &str, pose| {
            let pose = model_pose(skeleton, &pose);
            let [shin, foot] = [shin, foot].map(|slot| target.map.joint_named(slot).unwrap());
            let way: Vec3 = pose.position(foot) - pose.position(shin);
            let turn = pose.rotation(shin).conjugate();
            (turn * way, turn * pose.rotation(foot))
        };
        for (shin, foot) in [("leftLowerLeg", FEET[0]), ("rightLowerLeg", FEET[1])] {
            let (way, turn) = seen(shin, foot, sample_clip(skeleton, &clip, 0.0));
            for time in clip.key_times() {
                let (now, turned) = seen(shin, foot, sample_clip(skeleton, &clip, time));
                let name = &sample.clip.name;
                assert!((now - way).length() < 1e-3 * way.length(), "{name} {time}");
                assert!(turned.dot(turn).abs() > 1.0 - 1e-5, "{name} {time}");
            }
        }
    }
}
