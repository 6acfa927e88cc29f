//! Joint limits (S3.4): what is inside stays, what is outside comes in, smoothly, whatever the joints' axes.

use glam::{DQuat, DVec3, Quat, Vec3};
use rebone_model::Clip;
use rebone_model::rotation::angle_between;
use rebone_runtime::stage::{LimitedJoint, StageOp};
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::align::AlignOptions;
use rebone_setup::compile::{CompileOptions, Compiled, compile};
use rebone_setup::limits::{JointLimit, Limits, LimitsChoice, human, learn, limits};
use rebone_testkit::check::{Worst, aligned, compare, mapped, seen_at, transfer_alone};
use rebone_testkit::oracle::Seen;
use rebone_testkit::random::{
    BodyOptions, Convention, Generator, Keys, Motion, Rigged, random_body, random_convention,
};
use std::collections::BTreeMap;

pub(crate) fn compiled_with(
    source: &Rigged,
    target: &Rigged,
    clip: &Clip,
    options: &CompileOptions,
) -> Compiled {
    let choices = AlignOptions::default();
    let (from, to) = (
        aligned(source, &[clip], &choices),
        aligned(target, &[], &choices),
    );
    let (source, target) = (mapped(source, &from), mapped(target, &to));
    compile(&source, &target, &[clip], options).unwrap()
}

fn human_limits(rigged: &Rigged) -> Limits {
    limits(&rigged.map, LimitsChoice::Human, &BTreeMap::new())
        .unwrap()
        .0
}

fn limited(source: &Rigged, target: &Rigged, clip: &Clip, limits: Limits) -> Clip {
    let options = CompileOptions {
        limits,
        ..transfer_alone()
    };
    let plan = compiled_with(source, target, clip, &options).plan;
    apply_clip(&plan, clip, &ClipOptions::default()).unwrap()
}

/// A T-pose in any axes.
pub(crate) fn t_pose(generator: &mut Generator) -> Convention {
    Convention {
        joint_axes: Some(generator.bits()),
        file_from_canonical: random_convention(generator).file_from_canonical,
        ..Convention::default()
    }
}

/// A rig, and a wild motion of it.
pub(crate) fn any_pair(seed: u64) -> (Rigged, Rigged, Clip) {
    let generator = &mut Generator::new(seed);
    let options = BodyOptions::random(generator, true);
    let body = random_body(generator, &options);
    let source = Rigged::new(&body, &t_pose(generator));
    let target = Rigged::new(&body, &t_pose(generator));
    let clip = source.clip(&Motion::random(generator, &body), Keys::Linear);
    (source, target, clip)
}

fn turn_of(rigged: &Rigged, seen: &[Seen], slot: &str) -> DQuat {
    seen[rigged.body.slot(slot).unwrap()].turn
}

/// Must show 5: after the table of people, no shin points in front of its thigh and no forearm behind its upper arm by more than the
/// elbow's 5 degrees, whatever the motion.
#[test]
fn knees_and_elbows_never_bend_backwards() {
    let (mut before, mut after) = (0usize, 0usize);
    for seed in rebone_corpus::seeds(0..20) {
        let (source, target, clip) = any_pair(seed);
        let made = limited(&source, &target, &clip, human_limits(&target));
        for time in clip.key_times() {
            let (plain, seen) = (seen_at(&source, &clip, time), seen_at(&target, &made, time));
            for (upper, lower, along, forwards, slack) in [
                ("UpperLeg", "LowerLeg", DVec3::NEG_Y, DVec3::Z, 0.0f64),
                ("UpperArm", "LowerArm", DVec3::X, DVec3::NEG_Z, 5.0),
            ] {
                for side in ["left", "right"] {
                    let sign = if side == "left" { 1.0 } else { -1.0 };
                    let along = DVec3::new(sign * along.x, along.y, along.z);
                    let bend = |rigged, seen| {
                        let above = turn_of(rigged, seen, &format!("{side}{upper}"));
                        let own = turn_of(rigged, seen, &format!("{side}{lower}"));
                        (above.conjugate() * own * along).dot(forwards)
                    };
                    let most = slack.to_radians().sin() + 1e-4;
                    before += usize::from(bend(&source, &plain) > most);
                    let now = bend(&target, &seen);
                    assert!(now <= most, "seed {seed}, {side}{lower} at {time}: {now}");
                    after += 1;
                }
            }
        }
    }
    assert!(
        before > after / 20,
        "the motions try it: {before} of {after}"
    );
}

/// Every limited joint of a plan.
fn limited_joints(compiled: &Compiled) -> Vec<LimitedJoint> {
    let stages = compiled.plan.stages.iter();
    stages
        .filter_map(|stage| match &stage.op {
            StageOp::Limits(stage) => Some(stage.joints.clone()),
            _ => None,
        })
        .flatten()
        .collect()
}

fn human_joints(seed: u64) -> Vec<LimitedJoint> {
    let (source, target, clip) = any_pair(seed);
    let options = CompileOptions {
        limits: human_limits(&target),
        ..transfer_alone()
    };
    limited_joints(&compiled_with(&source, &target, &clip, &options))
}

fn any_turn(generator: &mut Generator) -> Quat {
    generator.rotation().as_quat()
}

/// Must show 5: no limit is exceeded by more than its soft zone; what is inside is left alone.
#[test]
fn nothing_is_beyond_its_soft_zone() {
    let generator = &mut Generator::new(5);
    let (mut inside, mut outside) = (0, 0);
    for joint in human_joints(5) {
        for _ in 0..500 {
            let turn = any_turn(generator);
            let excess = joint.excess(joint.angles(turn));
            let Some(kept) = joint.limited(turn) else {
                assert!(excess.iter().all(|&e| e < 1e-5), "{excess:?}");
                inside += 1;
                continue;
            };
            outside += 1;
            let left = joint.excess(joint.angles(kept));
            assert!(
                left.iter().all(|&e| e <= joint.soft + 1e-4),
                "{joint:?}: {left:?}"
            );
            assert!(kept.is_normalized());
        }
    }
    assert!(inside > 100 && outside > 1000, "{inside} {outside}");
}

#[test]
fn what_a_hard_stop_made_it_leaves() {
    let generator = &mut Generator::new(6);
    for joint in human_joints(6) {
        let joint = LimitedJoint { soft: 0.0, ..joint };
        for _ in 0..300 {
            if let Some(kept) = joint.limited(any_turn(generator)) {
                let again = joint.limited(kept).unwrap_or(kept);
                let off = angle_between(kept, again).to_degrees();
                assert!(off < 1e-3, "{joint:?}: {off} degrees");
            }
        }
    }
}

/// No pops: a step of the motion makes no larger step than its 30-fold, on the far side of the sphere as well.
#[test]
fn a_small_step_is_a_small_step() {
    let generator = &mut Generator::new(7);
    let mut worst: f32 = 0.0;
    for joint in human_joints(7) {
        for round in 0..600 {
            let turn = match round % 3 {
                0 => any_turn(generator),
                // Around the half turns, where swing and twist are undefined.
                1 => {
                    let axis = generator.direction().as_vec3();
                    let across = axis.reject_from(Vec3::X).normalize_or(Vec3::Y);
                    Quat::from_axis_angle(across, std::f32::consts::PI) * any_small(generator)
                }
                _ => Quat::from_rotation_x(std::f32::consts::PI) * any_small(generator),
            };
            let step = generator.vector(2e-3).as_vec3();
            let near = turn * Quat::from_scaled_axis(step);
            let kept = |turn: Quat| joint.limited(turn).unwrap_or(turn);
            let moved = angle_between(kept(turn), kept(near));
            let factor = moved / angle_between(turn, near).max(1e-4);
            assert!(factor < 30.0, "{joint:?} at {turn}: {factor}");
            worst = worst.max(factor);
        }
    }
    eprintln!("limits: a step grows at most {worst:.1} times");
}

fn any_small(generator: &mut Generator) -> Quat {
    Quat::from_scaled_axis(generator.vector(0.02).as_vec3())
}

#[test]
fn axes_of_joints_do_not_matter() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..12) {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::random(generator, true);
        let body = random_body(generator, &options);
        let source = Rigged::new(&body, &Convention::default());
        let clip = source.clip(&Motion::random(generator, &body), Keys::Linear);
        let one = Rigged::new(&body, &t_pose(generator));
        let other = Rigged::new(&body, &t_pose(generator));
        let [first, second] =
            [&one, &other].map(|target| limited(&source, target, &clip, human_limits(target)));
        for time in clip.key_times() {
            let (a, b) = (seen_at(&one, &first, time), seen_at(&other, &second, time));
            compare(&one, &a, &other, &b, time, &mut worst);
        }
    }
    crate::say("limits in any axes", &worst);
    worst.assert_within(1e-5, 1e-3, "limits in any axes");
}

/// The right side is the mirror image of the left.
#[test]
fn both_sides_are_mirror_images() {
    let generator = &mut Generator::new(9);
    let body = random_body(generator, &BodyOptions::default());
    // Joint axes are those of the body.
    let rigged = Rigged::new(&body, &Convention::default());
    let clip = rigged.clip(&Motion::random(generator, &body), Keys::Linear);
    let options = CompileOptions {
        limits: human_limits(&rigged),
        ..transfer_alone()
    };
    let compiled = compiled_with(&rigged, &rigged, &clip, &options);
    let joints = limited_joints(&compiled);
    let of = |slot: &str| {
        let slot = rigged.map.profile.find(slot).unwrap();
        let joint = rigged.map.joint(slot).unwrap();
        *joints
            .iter()
            .find(|limited| limited.joint == joint)
            .unwrap()
    };
    let kept = |joint: &LimitedJoint, turn: Quat| {
        let inner = joint.before * turn * joint.after;
        let kept = joint.limited(inner).unwrap_or(inner);
        joint.before.conjugate() * kept * joint.after.conjugate()
    };
    let mirrored = |q: Quat| Quat::from_xyzw(q.x, -q.y, -q.z, q.w);
    let mut outside = 0;
    for part in [
        "Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot",
    ] {
        let (left, right) = (of(&format!("left{part}")), of(&format!("right{part}")));
        for _ in 0..100 {
            let turn = any_turn(generator);
            let one = mirrored(kept(&left, turn));
            let other = kept(&right, mirrored(turn));
            let off = angle_between(one, other).to_degrees();
            assert!(off < 0.02, "{part}: {off} degrees");
            outside += usize::from(angle_between(one, mirrored(turn)) > 0.01);
        }
    }
    assert!(outside > 300);
}

/// Off is bit-equal; so is a table that the motion never reaches: one that was learnt from it.
#[test]
fn inside_its_limits_a_clip_keeps_every_bit() {
    for seed in rebone_corpus::seeds(0..12) {
        let (source, target, clip) = any_pair(seed);
        let plain = limited(&source, &target, &clip, Limits::new());
        let options = transfer_alone();
        let alignment = compiled_with(&source, &target, &clip, &options).target;
        let learnt = learn(&target.character, &target.map, &alignment, &[&plain]);
        assert!(learnt.warnings.is_empty());
        let own: Limits = learnt
            .table
            .iter()
            .map(|(name, limit)| (target.map.profile.find(name).unwrap(), *limit))
            .collect();
        assert!(own.len() > 5, "seed {seed}: {}", own.len());
        let made = limited(&source, &target, &clip, own.clone());
        assert_eq!(made, plain, "seed {seed}");
        // The same ranges made a good deal narrower are felt.
        let narrow: Limits = own
            .iter()
            .map(|(slot, limit)| {
                let half = |range: [f64; 2]| range.map(|angle| 0.5 * angle);
                let (bend, side) = (half(limit.bend), half(limit.side));
                (
                    *slot,
                    JointLimit {
                        bend,
                        side,
                        ..*limit
                    },
                )
            })
            .collect();
        assert_ne!(limited(&source, &target, &clip, narrow), plain);
    }
}

#[test]
fn the_table_of_people_names_slots_of_people() {
    let table = human().unwrap();
    for name in table.keys() {
        assert!(
            rebone_setup::profile::HUMANOID.find(name).is_some(),
            "{name}"
        );
    }
    let all = rebone_setup::profile::HUMANOID.all();
    let without: Vec<_> = all
        .map(|slot| rebone_setup::profile::HUMANOID.info(slot).name)
        .filter(|name| !table.contains_key(*name))
        .collect();
    assert_eq!(without, ["hips"]);
}
