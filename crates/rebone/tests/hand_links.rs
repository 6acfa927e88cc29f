//! Joints linked by hand: of bodies, beside bodies, and where there is no body at all (S0.1, S1.8).

use crate::common::{corpus, retarget, rig};
use glam::{EulerRot, Quat, Vec3};
use rebone::io::FileSpace;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::track::{Interpolation, Track};
use rebone::model::{NewJoint, SkeletonBuilder, Transform};
use rebone::{Character, Clip, Format, Motion, Recipe, Rig, Role};
use std::path::Path;

/// A chain of joints a length apart along an axis, moved so that every joint turns.
fn chain(names: &[&str], step: Vec3) -> Character {
    let mut builder = SkeletonBuilder::new();
    for (index, name) in names.iter().enumerate() {
        let offset = if index == 0 { Vec3::ZERO } else { step };
        builder.add(NewJoint::new(
            *name,
            index.checked_sub(1),
            Transform::from_translation(offset),
        ));
    }
    let (skeleton, _) = builder.build().unwrap();
    let mut clip = Clip::new("bend", names.len());
    let times: std::sync::Arc<[f32]> = (0..8).map(|key| key as f32 / 10.0).collect();
    for (joint, tracks) in clip.joints.iter_mut().enumerate() {
        let values = times.iter().map(|&time| {
            let angle = (time * 3.0 + joint as f32).sin();
            Quat::from_euler(EulerRot::XYZ, 0.3 * angle, 0.7 * angle, -0.5 * angle)
        });
        let track = Track::new(Interpolation::Linear, times.clone(), values.collect());
        tracks.rotation = Some(track.unwrap());
    }
    let places = times.iter().map(|&time| Vec3::new(time, 2.0 * time, 0.0));
    let places = Track::new(Interpolation::Linear, times.clone(), places.collect());
    clip.joints[0].translation = Some(places.unwrap());
    Character {
        name: names[0].to_owned(),
        skeleton,
        clips: vec![clip],
        ..Character::default()
    }
}

fn rig_of(character: Character) -> Rig {
    let stated = FileSpace {
        meters_per_unit: Some(1.0),
        up: Some(rebone::model::axes::Axis::PositiveY),
        ..FileSpace::default()
    };
    Rig::from_character(character, Format::Glb, stated, Vec::new())
}

fn linked<'a>(source: &'a Rig, target: &'a Rig, links: &[(&str, &str)]) -> Motion<'a> {
    let mut recipe = Recipe::default();
    for (to, from) in links {
        recipe.links.insert((*to).to_owned(), (*from).into());
    }
    retarget(source, target, &[], &recipe).unwrap()
}

/// The largest difference between what two joints turn away from their rest in model space, in degrees.
fn apart(source: &Rig, target: &Rig, done: &Motion, from: &str, to: &str) -> f32 {
    let turned = |rig: &Rig, clip: &Clip, name: &str, time: f32| {
        let skeleton = &rig.character.skeleton;
        let joint = skeleton.find(name).unwrap();
        let rotation = |pose| model_pose(skeleton, pose).rotation(joint);
        rotation(&sample_clip(skeleton, clip, time)) * rotation(&skeleton.rest_pose()).inverse()
    };
    let clip = &source.character.clips[0];
    let apart = clip.key_times().into_iter().map(|time| {
        let wanted = turned(source, clip, from, time);
        angle_between(wanted, turned(target, &done.clips[0].clip, to, time))
    });
    apart.fold(0.0, f32::max).to_degrees()
}

#[test]
fn a_chain_linked_to_itself_comes_back() {
    let rig = rig_of(chain(&["base", "boom", "stick", "bucket"], Vec3::X));
    let names = ["base", "boom", "stick", "bucket"];
    let done = linked(&rig, &rig, &names.map(|name| (name, name)));
    let clip = &rig.character.clips[0];
    for time in clip.key_times() {
        let skeleton = &rig.character.skeleton;
        let before = sample_clip(skeleton, clip, time);
        let after = sample_clip(skeleton, &done.clips[0].clip, time);
        for (a, b) in before.transforms().iter().zip(after.transforms()) {
            assert!(angle_between(a.rotation, b.rotation) < 1e-4);
            assert!(a.translation.distance(b.translation) < 1e-5);
        }
    }
}

#[test]
fn chains_of_other_lengths_and_axes_turn_alike_and_travel_by_their_size() {
    let source = rig_of(chain(&["a", "b", "c", "d"], Vec3::X));
    let target = rig_of(chain(&["p", "q", "r", "s"], Vec3::Y * 3.0));
    let links = [("p", "a"), ("q", "b"), ("s", "d")];
    let done = linked(&source, &target, &links);
    for (to, from) in links {
        assert!(apart(&source, &target, &done, from, to) < 1e-2, "{to}");
    }
    // "r" follows nothing: it keeps its rest against its parent.
    let joint = target.character.skeleton.find("r").unwrap();
    assert!(
        done.clips[0].clip.joints[joint]
            .rotation
            .as_ref()
            .is_none_or(Track::is_constant)
    );
    // b is 1 from a and d 2 from b; p and q, q and s lie three times as far apart.
    let pose = sample_clip(&target.character.skeleton, &done.clips[0].clip, 0.5);
    let place = pose.transforms()[0].translation;
    assert!(place.distance(Vec3::new(1.5, 3.0, 0.0)) < 1e-4, "{place}");
    assert!((done.compiled.root_scale - 3.0).abs() < 1e-6);
}

#[test]
fn links_win_over_slots_and_an_empty_name_takes_a_joint_out() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let source = rig(&data.join("wave.glb"), Role::Source);
    let target = rig(&data.join("brute.glb"), Role::Target);
    let name = |rig: &Rig, slot: &str| {
        let joint = rig.map.joint_named(slot).unwrap();
        rig.character.skeleton.unique_name(joint).to_owned()
    };
    let plain = linked(&source, &target, &[]);
    let (left, right) = ("leftLowerArm", "rightLowerArm");
    let (hand, head) = (name(&target, "leftHand"), name(&target, "head"));
    let crossed = name(&target, right);
    let from = name(&source, left);
    let done = linked(
        &source,
        &target,
        &[(crossed.as_str(), from.as_str()), (hand.as_str(), "")],
    );
    let pose = |rig: &Rig, clip: &Clip, joint: &str, time: f32| {
        let skeleton = &rig.character.skeleton;
        let joint = skeleton.find(joint).unwrap();
        model_pose(skeleton, &sample_clip(skeleton, clip, time)).rotation(joint)
    };
    // The law is about turns from one moment to another: the retarget pose drops out of them.
    let clip = &source.character.clips[0];
    let times = clip.key_times();
    let (start, middle) = (times[0], times[times.len() / 2]);
    let turn = |rig: &Rig, clip: &Clip, joint: &str| {
        pose(rig, clip, joint, middle) * pose(rig, clip, joint, start).inverse()
    };
    let wanted = turn(&source, clip, &from);
    assert!(
        wanted.to_axis_angle().1 > 0.05,
        "the clip has to move the arm"
    );
    assert!(angle_between(wanted, turn(&target, &done.clips[0].clip, &crossed)) < 1e-3);
    assert!(angle_between(wanted, turn(&target, &plain.clips[0].clip, &crossed)) > 0.05);
    // Nothing else is touched.
    let untouched = angle_between(
        pose(&target, &plain.clips[0].clip, &head, middle),
        pose(&target, &done.clips[0].clip, &head, middle),
    );
    assert!(untouched < 1e-5);
    let joint = target.character.skeleton.find(&hand).unwrap();
    let kept = &done.clips[0].clip.joints[joint].rotation;
    assert!(kept.as_ref().is_none_or(Track::is_constant));
}

#[test]
fn a_chain_moves_the_tail_of_a_body_without_tearing_it_off() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let source = rig_of(chain(&["a", "b", "c"], Vec3::X));
    let target = rig(&data.join("brute.glb"), Role::Target);
    let skeleton = &target.character.skeleton;
    let arm = target.map.joint_named("leftUpperArm").unwrap();
    let name = skeleton.unique_name(arm).to_owned();
    let done = linked(&source, &target, &[(name.as_str(), "a")]);
    let clip = &done.clips[0].clip;
    // The arm has a retarget pose of its own, so turns from moment to moment are compared.
    let turn = |rig: &Rig, clip: &Clip, joint: &str| {
        let skeleton = &rig.character.skeleton;
        let joint = skeleton.find(joint).unwrap();
        let at = |time| model_pose(skeleton, &sample_clip(skeleton, clip, time)).rotation(joint);
        at(0.7) * at(0.0).inverse()
    };
    let wanted = turn(&source, &source.character.clips[0], "a");
    assert!(angle_between(wanted, turn(&target, clip, &name)) < 1e-3);
    assert!(clip.joints[arm].translation.is_none());
}

#[test]
fn chains_of_the_corpus_move_each_other() {
    let Some(corpus) = corpus() else { return };
    let open = |name: &str, role| rig(&corpus.join(name), role);
    let bones = "assimp/test/models/FBX/animation_with_skeleton.fbx";
    for (source, target, links) in [
        (
            "ufbx/data/maya_game_sausage_7500_binary_wiggle.fbx",
            "ufbx/data/maya_constraint_zoo_7500_binary.fbx",
            [
                ("joint1", "joint1"),
                ("joint2", "joint2"),
                ("joint3", "joint3"),
            ],
        ),
        (
            bones,
            "ufbx/data/maya_constraint_zoo_7500_binary.fbx",
            [
                ("joint1", "Bone"),
                ("joint2", "Bone.005"),
                ("joint4", "Bone.006"),
            ],
        ),
        (
            bones,
            "ufbx/data/motionbuilder_sausage_rrss_7700_binary.fbx",
            [
                ("Bottom", "Bone.004"),
                ("Middle", "Bone.005"),
                ("Top", "Bone.006"),
            ],
        ),
    ] {
        let (from, to) = (open(source, Role::Source), open(target, Role::Target));
        let done = linked(&from, &to, &links);
        let clip = &from.character.clips[0];
        let times = clip.key_times();
        let turns = links.iter().any(|(_, joint)| {
            let skeleton = &from.character.skeleton;
            let joint = skeleton.find(joint).unwrap();
            let at =
                |time| model_pose(skeleton, &sample_clip(skeleton, clip, time)).rotation(joint);
            let first = at(times[0]);
            times
                .iter()
                .any(|&time| angle_between(first, at(time)) > 0.1)
        });
        assert!(turns, "{source}: none of the linked joints moves");
        for (joint, other) in links {
            let off = apart(&from, &to, &done, other, joint);
            assert!(
                off < 0.05,
                "{source} onto {target}: {joint} is {off} degrees off"
            );
        }
    }
}
