//! Twist joints: the skin is not wrung, and nothing else moves.

use crate::{any_clip, full_body, say};
use glam::{DQuat, DVec3};
use rebone_model::{Clip, Interpolation, Track};
use rebone_runtime::stage::StageOp;
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::align::Correction;
use rebone_setup::compile::CompileOptions;
use rebone_testkit::check::{
    Choices, When, Worst, asking, compare, compiled_as, pose_at, same_motion, seen_at, times,
};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{Body, Convention, Generator, Keys, Rigged, random_convention};

const LEAVES: [(&str, f64); 3] = [
    ("left_lowerarm_twist_01", 0.25),
    ("left_lowerarm_twist_02", 0.5),
    ("left_lowerarm_twist_03", 0.75),
];

fn with_leaves(body: Body) -> Body {
    let way = body.position("leftHand") - body.position("leftLowerArm");
    LEAVES.iter().fold(body, |body, (name, share)| {
        body.with_leaf(name, "leftLowerArm", way * *share)
    })
}

fn with_joint_in_line(body: Body) -> Body {
    body.with_joint_above("left_lowerarm_split", "leftHand", 0.5)
}

/// A joint rolls about an axis, canonical, evenly from none to so many degrees.
fn roll(rigged: &Rigged, key: &str, axis: DVec3, degrees: f64) -> Clip {
    let mut clip = Clip::new("roll", rigged.character.skeleton.len());
    let joint = rigged.body.find(key).unwrap();
    let above = rigged.frames[rigged.body.joints[joint].parent.unwrap()];
    let times: std::sync::Arc<[f32]> = (0..=40).map(|key| key as f32 / 40.0).collect();
    let value = |time: &f32| {
        let turn = DQuat::from_axis_angle(axis, (degrees * f64::from(*time)).to_radians());
        (above.conjugate() * turn * rigged.frames[joint]).as_quat()
    };
    let values = times.iter().map(value).collect();
    clip.joints[rigged.joint_of[joint]].rotation =
        Track::new(Interpolation::Linear, times, values).ok();
    clip
}

fn options(weight: f64) -> CompileOptions {
    asking(|recipe| recipe.twist = weight)
}

fn retargeted(source: &Rigged, target: &Rigged, clip: &Clip, options: &CompileOptions) -> Clip {
    let compiled = compiled_as(source, target, clip, Correction::Full, options);
    apply_clip(&compiled.plan, clip, &ClipOptions::default()).unwrap()
}

/// The radius of the thinnest ring of a skin around a forearm, of its radius at rest: linear blend skinning, each ring
/// between the two joints that it lies between.
fn thinnest(target: &Rigged, clip: &Clip, joints: &[(&str, f64)]) -> f64 {
    let rest = pose_at(target, &Clip::new("rest", clip.joints.len()), 0.0);
    let at = |key: &str| target.joint_of[target.body.find(key).unwrap()];
    let (start, end) = (rest[at("leftLowerArm")].affine, rest[at("leftHand")].affine);
    let way = end.translation - start.translation;
    let along = way.normalize_or_zero();
    let (side, radius) = (along.any_orthonormal_vector(), 0.1 * way.length());
    let mut thinnest = f64::INFINITY;
    for time in times(clip, When::Keys) {
        let pose = pose_at(target, clip, time);
        for ring in 0..=80 {
            let share = f64::from(ring) / 80.0;
            let after = joints.iter().position(|joint| joint.1 >= share).unwrap();
            let (low, high) = (joints[after.saturating_sub(1)], joints[after]);
            let weight = if high.1 > low.1 {
                (share - low.1) / (high.1 - low.1)
            } else {
                1.0
            };
            let skinned = |point: DVec3| {
                let by = |key: &str| {
                    let joint = at(key);
                    (pose[joint].affine * rest[joint].affine.inverse()).transform_point3(point)
                };
                by(low.0) * (1.0 - weight) + by(high.0) * weight
            };
            let axis = skinned(start.translation + way * share);
            for corner in 0..12 {
                let angle = f64::from(corner) / 12.0 * std::f64::consts::TAU;
                let out = DQuat::from_axis_angle(along, angle) * side * radius;
                let found = skinned(start.translation + way * share + out);
                thinnest = thinnest.min(found.distance(axis) / radius);
            }
        }
    }
    thinnest
}

/// A wrist that rolls by 170 degrees: with twist joints the forearm keeps its thickness, without them it collapses.
#[test]
fn a_roll_of_the_wrist_does_not_wring_the_forearm() {
    for seed in rebone_corpus::seeds(0..6) {
        let generator = &mut Generator::new(seed);
        let plain = full_body(generator);
        let source = Rigged::new(&plain, &random_convention(generator));
        let convention = Convention {
            names: None,
            ..random_convention(generator)
        };
        let clip = roll(&source, "leftHand", DVec3::X, 170.0);
        let leaves = Rigged::new(&with_leaves(plain.clone()), &convention);
        let ends = [("leftLowerArm", 0.0), ("leftHand", 1.0)];
        let row = [&ends[..1], &LEAVES[..], &ends[1..]].concat();
        let of = |weight: f64, target: &Rigged, joints: &[(&str, f64)]| {
            thinnest(
                target,
                &retargeted(&source, target, &clip, &options(weight)),
                joints,
            )
        };
        let (on, off) = (of(1.0, &leaves, &row), of(0.0, &leaves, &row));
        // cos of half of what two neighbours are apart: 42.5 degrees, and 170.
        assert!((on - 0.932).abs() < 5e-3, "seed {seed}: {on}");
        assert!(off < 0.1, "seed {seed}: {off}");
        // In line, whatever it is called.
        let split = Rigged::new(&with_joint_in_line(plain), &random_convention(generator));
        let row = [ends[0], ("left_lowerarm_split", 0.5), ends[1]];
        let (on, off) = (of(1.0, &split, &row), of(0.0, &split, &row));
        assert!((on - 0.737).abs() < 5e-3, "seed {seed}: {on}");
        assert!(off < 0.1, "seed {seed}: {off}");
    }
}

/// A roll that goes on beyond half a turn does not jump (candy-wrapper guard).
#[test]
fn a_roll_beyond_half_a_turn_is_followed() {
    let generator = &mut Generator::new(4);
    let plain = full_body(generator);
    let source = Rigged::new(&plain, &Convention::default());
    let target = Rigged::new(&with_leaves(plain), &Convention::default());
    let clip = roll(&source, "leftHand", DVec3::X, 250.0);
    let made = retargeted(&source, &target, &clip, &options(1.0));
    let joint = target.body.find("left_lowerarm_twist_02").unwrap();
    for time in times(&clip, When::Keys) {
        let turn = seen_at(&target, &made, time)[joint].turn;
        let wanted = DQuat::from_axis_angle(DVec3::X, (125.0 * f64::from(time)).to_radians());
        assert!(degrees_between(turn, wanted) < 0.05, "{time}");
    }
}

/// Near the shoulder there is none of the upper arm's roll, near the elbow all of it. Of one that is cut, each part has what belongs to its
/// end: the elbow is a hinge.
#[test]
fn upper_arms_give_their_roll_back_towards_the_shoulder() {
    let generator = &mut Generator::new(5);
    let plain = full_body(generator);
    let way = plain.position("leftLowerArm") - plain.position("leftUpperArm");
    let leaf = plain
        .clone()
        .with_leaf("LeftUpArmTwist", "leftUpperArm", way * 0.25);
    let split = plain.clone().with_joint_above("split", "leftLowerArm", 0.5);
    let source = Rigged::new(&plain, &random_convention(generator));
    let clip = roll(&source, "leftUpperArm", DVec3::X, 100.0);
    let shares = |body: &Body, expected: &[(&str, f64)]| {
        let target = Rigged::new(body, &Convention::default());
        let made = retargeted(&source, &target, &clip, &options(1.0));
        for time in times(&clip, When::Keys) {
            let seen = seen_at(&target, &made, time);
            for (key, share) in expected {
                let turn = seen[target.body.find(key).unwrap()].turn;
                let degrees = 100.0 * share * f64::from(time);
                let wanted = DQuat::from_axis_angle(DVec3::X, degrees.to_radians());
                let off = degrees_between(turn, wanted);
                assert!(off < 0.05, "{key} at {time}: {off}");
            }
        }
    };
    shares(
        &leaf,
        &[
            ("leftUpperArm", 1.0),
            ("LeftUpArmTwist", 0.25),
            ("leftLowerArm", 1.0),
        ],
    );
    shares(
        &split,
        &[("leftUpperArm", 0.5), ("split", 1.0), ("leftLowerArm", 1.0)],
    );
}

/// All other joints are where they are without twist joints' turns; only a split upper arm or thigh gives up some of its roll.
#[test]
fn nothing_else_moves() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..8) {
        let generator = &mut Generator::new(seed);
        let plain = full_body(generator);
        let body = with_joint_in_line(with_leaves(plain.clone()))
            .with_joint_above("split_arm", "leftLowerArm", 0.4)
            .with_joint_above("split_leg", "rightLowerLeg", 0.5)
            .with_joint_above("split_shin", "rightFoot", 0.3);
        let source = Rigged::new(&plain, &random_convention(generator));
        let target = Rigged::new(&body, &random_convention(generator));
        let clip = any_clip(generator, &source, Keys::Linear);
        let made = [1.0, 0.0].map(|weight| retargeted(&source, &target, &clip, &options(weight)));
        for time in times(&clip, When::Keys) {
            let mut seen = made.each_ref().map(|made| seen_at(&target, made, time));
            for (index, joint) in target.body.joints.iter().enumerate() {
                let is_twist = joint.key.starts_with("left_") || joint.key.starts_with("split");
                if is_twist || ["leftUpperArm", "rightUpperLeg"].contains(&joint.key.as_str()) {
                    // Their places count, their turns do not.
                    seen[0][index].turn = seen[1][index].turn;
                }
            }
            compare(&target, &seen[0], &target, &seen[1], time, &mut worst);
        }
    }
    say("beside twist joints", &worst);
    worst.assert_within(5e-6, 5e-4, "beside twist joints");
}

/// Rest stays rest, whatever the rest pose is.
#[test]
fn rest_stays_rest() {
    for seed in rebone_corpus::seeds(0..8) {
        let generator = &mut Generator::new(seed);
        let body = with_joint_in_line(with_leaves(full_body(generator))).with_joint_above(
            "split_arm",
            "leftLowerArm",
            0.4,
        );
        let convention = random_convention(generator);
        let source = Rigged::new(&body, &convention);
        let other = Convention {
            names: Some(seed + 77),
            ..convention
        };
        let target = Rigged::new(&body, &other);
        let clip = Clip::new("rest", source.character.skeleton.len());
        let compiled = compiled_as(&source, &target, &clip, Correction::Full, &options(1.0));
        let has_twist =
            |stage: &rebone_runtime::stage::Stage| matches!(stage.op, StageOp::Twist(_));
        assert!(compiled.plan.stages.iter().any(has_twist));
        let made = apply_clip(&compiled.plan, &clip, &ClipOptions::default()).unwrap();
        let rest = Clip::new("rest", target.character.skeleton.len());
        let (was, is) = (seen_at(&target, &rest, 0.0), seen_at(&target, &made, 0.0));
        let mut worst = Worst::default();
        compare(&target, &was, &target, &is, 0.0, &mut worst);
        worst.assert_within(2e-6, 2e-4, "rest");
    }
}

/// A rig onto itself keeps the motion of its own twist joints: one to one wins.
#[test]
fn a_source_with_the_same_twist_joints_drives_them() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..6) {
        let generator = &mut Generator::new(seed);
        let body = with_joint_in_line(with_leaves(full_body(generator)));
        let convention = Convention {
            names: None,
            ..random_convention(generator)
        };
        let source = Rigged::new(&body, &convention);
        let clip = any_clip(generator, &source, Keys::Linear);
        let compiled = compiled_as(&source, &source, &clip, Correction::Full, &options(1.0));
        assert_eq!(compiled.plan.stages, []);
        let choices = Choices::default();
        worst.merge(&same_motion(
            &source,
            &source,
            &clip,
            &choices,
            When::Anytime,
        ));
    }
    worst.assert_within(2e-6, 1e-4, "twist joints one to one");
}

/// A person's own shares, also of joints whose names say nothing.
#[test]
fn shares_can_be_given() {
    let generator = &mut Generator::new(6);
    let plain = full_body(generator);
    let way = plain.position("leftHand") - plain.position("leftLowerArm");
    let body = plain.clone().with_leaf("muscle", "leftLowerArm", way * 0.5);
    let source = Rigged::new(&plain, &Convention::default());
    let target = Rigged::new(&body, &Convention::default());
    let clip = roll(&source, "leftHand", DVec3::X, 90.0);
    let joint = target.body.find("muscle").unwrap();
    let end = |options: &CompileOptions| {
        let made = retargeted(&source, &target, &clip, options);
        let (axis, angle) = seen_at(&target, &made, 1.0)[joint].turn.to_axis_angle();
        (angle * axis.x).to_degrees()
    };
    assert!(end(&options(1.0)).abs() < 1e-3);
    let mut own = options(1.0);
    own.recipe.twist_shares = [("muscle".to_owned(), 0.8)].into();
    assert!((end(&own) - 72.0).abs() < 0.05);
    own.recipe.twist_shares = [("muscel".to_owned(), 0.8)].into();
    let alignment = rebone_testkit::check::aligned(&target, &[], &Default::default());
    let mapped = rebone_testkit::check::mapped(&target, &alignment);
    let error = rebone_setup::compile::compile(&mapped, &mapped, &[], &own).unwrap_err();
    assert!(error.to_string().contains("twist_shares.muscel"), "{error}");
    own.recipe.twist_shares = [("head".to_owned(), 0.8)].into();
    let made = rebone_setup::compile::compile(&mapped, &mapped, &[], &own).unwrap();
    let codes: Vec<&str> = made.warnings.iter().map(|warning| warning.code).collect();
    assert!(codes.contains(&"twist-share-unused"), "{codes:?}");
}
