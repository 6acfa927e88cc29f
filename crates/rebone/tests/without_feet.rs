//! Bodies whose legs end at their shins, as those of box figures do.

use crate::common::legs::metres;
use crate::common::retarget;
use glam::Vec3;
use rebone::io::Format;
use rebone::model::kinematics::model_pose;
use rebone::model::pose::ModelPose;
use rebone::model::sampling::{sample_clip, sample_clip_into};
use rebone::model::{Character, Clip, NewJoint, SkeletonBuilder};
use rebone::runtime::Retargeter;
use rebone::setup::profile::Part;
use rebone::{Recipe, Rig};
use rebone_samples::{characters, clips};

const LEGS: [[&str; 2]; 2] = [["leftLowerLeg", "leftFoot"], ["rightLowerLeg", "rightFoot"]];

fn rig(character: &Character, clips: &[Clip]) -> Rig {
    let character = Character {
        clips: clips.to_vec(),
        ..character.clone()
    };
    Rig::from_character(character, Format::Glb, metres(), Vec::new())
}

/// The character, of which no foot is known.
fn without_feet(character: &Character, clips: &[Clip]) -> Rig {
    let Rig {
        character, mut map, ..
    } = rig(character, clips);
    let profile = map.profile;
    map.slots
        .retain(|slot, _| !matches!(profile.info(*slot).part, Part::Foot | Part::Toes));
    Rig::from_map(character, map, Format::Glb, metres(), Vec::new())
}

/// The character with its feet beside the body: no joint is above them.
fn with_feet_beside(character: &Character) -> Rig {
    let plain = rig(character, &[]);
    let feet = LEGS.map(|[_, foot]| plain.map.joint_named(foot).unwrap());
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
    let made = Character {
        skeleton,
        skins: Vec::new(),
        ..character.clone()
    };
    let made = rig(&made, &[]);
    assert_eq!(
        LEGS.map(|[_, foot]| made.map.joint_named(foot).unwrap()),
        feet
    );
    made
}

/// Legs without feet stand where the source's feet do, and feet stand where a source's legs end.
#[test]
fn legs_without_feet_stand_still() {
    let all = characters();
    for sample in clips() {
        let clip = std::slice::from_ref(&sample.clip);
        for (source, target) in [
            (without_feet(&all[0], clip), rig(&all[1], &[])),
            (without_feet(&all[0], clip), rig(&all[2], &[])),
            (rig(&all[0], clip), without_feet(&all[1], &[])),
            (rig(&all[0], clip), without_feet(&all[2], &[])),
            (without_feet(&all[0], clip), without_feet(&all[1], &[])),
        ] {
            let result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
            let report = &result.clips[0].report;
            let feet = report.feet.as_ref().unwrap();
            let slide = feet.slide_percent_per_second;
            let deep = report.floor.as_ref().unwrap().penetration_max_percent;
            let name = &sample.clip.name;
            println!(
                "{name}: slide {slide:?}, F1 {:.3}, depth {deep:?}",
                feet.contact_f1
            );
            assert!(slide.target <= slide.source.max(1.0), "{name}: {slide:?}");
            assert!(feet.contact_f1 > 0.95, "{name}: {}", feet.contact_f1);
            assert!(deep.target < deep.source + 0.1, "{name}: {deep:?}");
        }
    }
}

/// Feet of which the source says nothing hang from their legs; their ankles bend towards a level sole.
#[test]
fn feet_of_which_the_source_says_nothing_are_level() {
    let all = characters();
    let targets = [rig(&all[1], &[]), with_feet_beside(&all[1])];
    let (mut steepest, mut most) = (0.0f32, 0.0f32);
    for sample in clips() {
        let source = without_feet(&all[0], std::slice::from_ref(&sample.clip));
        for target in &targets {
            let mut result = retarget(&source, target, &[], &Recipe::default()).unwrap();
            let clip = result.clips.swap_remove(0).clip;
            let skeleton = &target.character.skeleton;
            let rest = model_pose(skeleton, &skeleton.rest_pose());
            for time in clip.key_times() {
                let pose = model_pose(skeleton, &sample_clip(skeleton, &clip, time));
                for leg in LEGS {
                    let [shin, foot] = leg.map(|slot| target.map.joint_named(slot).unwrap());
                    // Where a foot is, in the axes of its shin.
                    let seen = |pose: &ModelPose| -> Vec3 {
                        let way = pose.position(foot) - pose.position(shin);
                        pose.rotation(shin).conjugate() * way
                    };
                    let (way, now) = (seen(&rest), seen(&pose));
                    let name = &sample.clip.name;
                    assert!((now - way).length() < 1e-3 * way.length(), "{name} {time}");
                    let tilt = |joint: usize| {
                        let turn = pose.rotation(joint) * rest.rotation(joint).conjugate();
                        (turn * Vec3::Y).angle_between(Vec3::Y)
                    };
                    let [of_shin, of_foot] = [tilt(shin), tilt(foot)];
                    assert!(
                        of_foot < of_shin + 0.05,
                        "{name} {time}: {of_foot} of {of_shin}"
                    );
                    most = most.max(of_shin - of_foot);
                    if of_shin < 0.5 {
                        steepest = steepest.max(of_foot);
                    }
                }
            }
        }
    }
    println!(
        "ankles bend by {most:.2}; soles below steep shins are level to {steepest:.2} radians"
    );
    assert!(
        most > 0.3 && most < 0.7 && steepest < 0.25,
        "{most} {steepest}"
    );
}

/// A character of a batch moves as one by itself, to the bit.
#[test]
fn batches_without_feet_have_the_bits_of_single_characters() {
    const CHARACTERS: usize = 9;
    let all = characters();
    let clip = &clips()[0].clip;
    let own = std::slice::from_ref(clip);
    for (source, target) in [
        (without_feet(&all[0], own), rig(&all[1], &[])),
        (rig(&all[0], own), without_feet(&all[1], &[])),
    ] {
        let result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
        let retargeter = Retargeter::new(result.compiled.plan);
        let mut alone = vec![retargeter.workspace(); CHARACTERS];
        let mut batch = retargeter.batch(CHARACTERS);
        let [from, to] = [&retargeter.plan().source, &retargeter.plan().target];
        let mut sources = vec![from.rest_pose(); CHARACTERS];
        let mut targets = vec![to.rest_pose(); CHARACTERS];
        let mut single = to.rest_pose();
        for step in 0..20 {
            for (character, pose) in sources.iter_mut().enumerate() {
                sample_clip_into(clip, 0.031 * (3 * character + step) as f32, pose);
            }
            retargeter.apply_poses(&sources, &mut targets, &mut batch);
            for ((source, target), workspace) in sources.iter().zip(&targets).zip(&mut alone) {
                retargeter.apply_pose(source, &mut single, workspace);
                assert_eq!(target.transforms(), single.transforms(), "{step}");
            }
        }
    }
}
