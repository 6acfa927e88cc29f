//! Joints of the source that are merged into one of the target by a recipe (S0.15).
use crate::common::retarget;
use rebone::io::FileSpace;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::{angle_between, slerp};
use rebone::model::sampling::sample_clip;
use rebone::model::{
    Character, Clip, Interpolation, NewJoint, Quat, SkeletonBuilder, Track, Transform, Vec3,
};
use rebone::{Format, Motion, Recipe, Rig};
use std::sync::Arc;

/// A tree of joints whose own axes are turned, and a clip in which all of them turn.
fn rig(joints: &[(&str, Option<usize>)], axes: f32) -> Rig {
    let mut builder = SkeletonBuilder::new();
    for (index, (name, parent)) in joints.iter().enumerate() {
        let angle = axes * (1.0 + index as f32);
        builder.add(NewJoint::new(
            *name,
            *parent,
            Transform {
                translation: Vec3::new(1.0, 0.2 * index as f32, 0.0),
                rotation: Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), angle),
                scale: Vec3::ONE,
            },
        ));
    }
    let (skeleton, _) = builder.build().unwrap();
    let mut clip = Clip::new("bend", joints.len());
    let times: Arc<[f32]> = (0..8).map(|key| key as f32 / 10.0).collect();
    for (joint, tracks) in clip.joints.iter_mut().enumerate() {
        let rest = skeleton.joints()[joint].rest.rotation;
        let values = times.iter().map(|&time| {
            let angle = 0.6 * (time * 3.0 + joint as f32).sin();
            rest * Quat::from_rotation_x(angle) * Quat::from_rotation_z(0.7 * angle)
        });
        let track = Track::new(Interpolation::Linear, times.clone(), values.collect());
        tracks.rotation = Some(track.unwrap());
    }
    let character = Character {
        name: joints[0].0.to_owned(),
        skeleton,
        clips: vec![clip],
        ..Character::default()
    };
    let stated = FileSpace {
        meters_per_unit: Some(1.0),
        up: Some(rebone::model::axes::Axis::PositiveY),
        ..FileSpace::default()
    };
    Rig::from_character(character, Format::Glb, stated, Vec::new())
}

/// What a joint has turned away from rest, in model space.
fn delta(rig: &Rig, clip: &Clip, name: &str, time: f32) -> Quat {
    let skeleton = &rig.character.skeleton;
    let joint = skeleton.find(name).unwrap();
    let rotation = |pose| model_pose(skeleton, pose).rotation(joint);
    rotation(&sample_clip(skeleton, clip, time)) * rotation(&skeleton.rest_pose()).inverse()
}

fn merged<'a>(source: &'a Rig, target: &'a Rig, text: &str) -> Motion<'a> {
    let recipe = Recipe::parse(&format!("rate_hz = 20\n[links]\n{text}")).unwrap();
    retarget(source, target, &[], &recipe).unwrap()
}

fn source() -> Rig {
    rig(
        &[
            ("root", None),
            ("a", Some(0)),
            ("b", Some(1)),
            ("c", Some(2)),
            ("left", Some(3)),
            ("right", Some(3)),
        ],
        0.4,
    )
}

/// A run of three joints merged into one, which has all their turns; the next joint turns as in the source, so
/// that none is counted twice. The result is resampled.
#[test]
fn a_run_turns_by_all_its_turns() {
    let source = source();
    let target = rig(
        &[("base", None), ("trunk", Some(0)), ("tip", Some(1))],
        -1.1,
    );
    let text = "base = \"root\"\ntrunk = [\"a\", \"b\", \"c\"]\ntip = \"left\"\n";
    let done = merged(&source, &target, text);
    let (own, made) = (&source.character.clips[0], &done.clips[0].clip);
    let times = made.key_times();
    assert_eq!(times.len(), 15, "20 frames a second over 0.7 s");
    for time in own.key_times() {
        let skeleton = &source.character.skeleton;
        let pose = sample_clip(skeleton, own, time);
        let product = ["root", "a", "b", "c"]
            .iter()
            .fold(Quat::IDENTITY, |product, name| {
                product * pose.transforms()[skeleton.find(name).unwrap()].rotation
            });
        let rest = model_pose(skeleton, &skeleton.rest_pose());
        let wanted = product * rest.rotation(skeleton.find("c").unwrap()).inverse();
        let off = angle_between(wanted, delta(&target, made, "trunk", time)).to_degrees();
        assert!(off < 1e-2, "trunk at {time}: {off}");
        let tip = delta(&source, own, "left", time);
        let off = angle_between(tip, delta(&target, made, "tip", time)).to_degrees();
        assert!(off < 1e-2, "tip at {time}: {off}");
    }
}

/// Two joints side by side merged into one, which turns half-way between them.
#[test]
fn joints_side_by_side_turn_one_to_their_middle() {
    let source = source();
    let target = rig(&[("base", None), ("eyes", Some(0))], 2.0);
    let done = merged(
        &source,
        &target,
        "base = \"root\"\neyes = [\"left\", \"right\"]\n",
    );
    let (own, made) = (&source.character.clips[0], &done.clips[0].clip);
    let mut most = 0.0f32;
    for time in own.key_times() {
        let (left, right) = (
            delta(&source, own, "left", time),
            delta(&source, own, "right", time),
        );
        most = most.max(angle_between(left, right));
        let off = angle_between(slerp(left, right, 0.5), delta(&target, made, "eyes", time));
        assert!(off.to_degrees() < 1e-2, "{time}: {}", off.to_degrees());
    }
    assert!(most > 0.2, "they turn alike");
}
