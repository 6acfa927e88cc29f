//! Creatures of an unknown kind whose joints have equal names.

use crate::common::{corpus, retarget, rig};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::setup::mapping::Kind;
use rebone::{Clip, Recipe, Rig, Role};

/// How far a joint is turned from its rest pose in model space, over a clip.
fn turned(rig: &Rig, clip: &Clip, joint: usize, time: f32) -> glam::Quat {
    let skeleton = &rig.character.skeleton;
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
    pose.rotation(joint) * rest.rotation(joint).conjugate()
}

/// Dinosaurs of one maker, and a bird's clips on the bird alone: every joint turns as the one of its name.
#[test]
fn joints_of_equal_names_move_each_other() {
    let Some(corpus) = corpus() else { return };
    let pack = "quaternius/public/glb/dinosaurs_pack";
    let birds = "mesh2motion/static";
    for (from, to) in [
        (
            format!("{pack}/Trex.glb"),
            format!("{pack}/Velociraptor.glb"),
        ),
        (
            format!("{pack}/Velociraptor.glb"),
            format!("{pack}/Trex.glb"),
        ),
        (
            format!("{birds}/animations/bird-animations.glb"),
            format!("{birds}/skeletons/skeleton-bird.glb"),
        ),
    ] {
        let source = rig(&corpus.join(&from), Role::Source);
        let target = rig(&corpus.join(&to), Role::Target);
        assert!(source.map.kind == Kind::Other && target.map.kind == Kind::Other);
        let result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
        let is_told = result
            .warnings
            .iter()
            .any(|one| one.code == "linked-by-name");
        assert!(is_told, "{from}");
        let mut compared = 0;
        for (clip, done) in source.character.clips.iter().zip(&result.clips) {
            let (start, end) = clip.time_span();
            for time in [start, (start + end) / 2.0, end] {
                for joint in 0..target.character.skeleton.len() {
                    let name = target.character.skeleton.unique_name(joint);
                    let Ok(own) = source.character.skeleton.find(name) else {
                        continue;
                    };
                    let wanted = turned(&source, clip, own, time);
                    let off = angle_between(wanted, turned(&target, &done.clip, joint, time));
                    assert!(off < 0.02, "{from} {} {name}: {off}", clip.name);
                    compared += 1;
                }
            }
        }
        assert!(compared > 100, "{from}: {compared}");
    }
}

/// A person and a creature have too few names in common, or one of them is known.
#[test]
fn known_bodies_are_not_linked_by_name() {
    let Some(corpus) = corpus() else { return };
    let bird = rig(
        &corpus.join("mesh2motion/static/animations/bird-animations.glb"),
        Role::Source,
    );
    let human = rig(
        &corpus.join("mesh2motion/static/skeletons/human-skeleton.glb"),
        Role::Target,
    );
    assert!(retarget(&bird, &human, &[], &Recipe::default()).is_err());
}

/// A robot on four legs has one rigid trunk, motors beside its legs, and names that say front left in two letters.
#[test]
fn a_robot_on_four_legs_is_a_quadruped() {
    let Some(corpus) = corpus() else { return };
    let file = "robots/unitree/robots/go2_description/urdf/go2_description.urdf";
    let robot = rig(&corpus.join(file), Role::Target);
    assert_eq!(robot.map.kind, Kind::Quadruped);
    for (corner, limb) in [
        ("FL", "leftFront"),
        ("FR", "rightFront"),
        ("RL", "leftHind"),
        ("RR", "rightHind"),
    ] {
        for (part, joint) in [("UpperLeg", "thigh"), ("LowerLeg", "calf"), ("Paw", "foot")] {
            let found = robot.map.joint_named(&format!("{limb}{part}")).unwrap();
            let name = &robot.character.skeleton.joints()[found].name;
            assert_eq!(*name, format!("{corner}_{joint}"));
        }
    }
}
