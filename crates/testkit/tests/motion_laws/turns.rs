//! Spines, arms and all other joints that only turn.

use crate::{Actor, moved};
use rebone_setup::profile::{HUMANOID, Part};
use rebone_testkit::laws::{Laws, arm_turn, delta, model};
use rebone_testkit::oracle::{self, degrees_between};
use rebone_testkit::random::{BodyOptions, Convention, Generator, Rigged, Stance, random_body};

/// Shares 1/3, 1 for two joints and 1/5, 3/5, 1 for three, of a turn of the source's last joint.
#[test]
fn a_spine_of_unlike_counts_takes_the_named_shares() {
    let spine = |count| BodyOptions {
        spine: count,
        ..BodyOptions::default()
    };
    for (from, to, shares) in [
        (3, 2, &[1.0 / 3.0, 1.0][..]),
        (2, 3, &[0.2, 0.6, 1.0]),
        (5, 3, &[0.2, 0.6, 1.0]),
        (4, 1, &[1.0]),
    ] {
        for seed in 0..10 {
            let generator = &mut Generator::new(seed);
            let source = Actor::random(generator, &spine(from));
            let target = Actor::random(generator, &spine(to));
            let (a, b) = (source.side(), target.side());
            for frame in source.frames(generator) {
                let pose = model(&a, &frame);
                let posed = moved(&source, &target, &Laws::HUMANIK, &frame);
                let found = model(&b, &posed.locals);
                let hips = delta(&a, &pose, source.joint("hips"));
                let torso = |actor: &Actor| -> Vec<usize> {
                    let slots = actor.rigged.map.slots.iter();
                    let torso = slots.filter(|(slot, _)| HUMANOID.info(**slot).part == Part::Torso);
                    torso.flat_map(|(_, found)| found.joints.clone()).collect()
                };
                let last = delta(&a, &pose, *torso(&source).last().unwrap());
                let whole = degrees_between(hips, last);
                for (&joint, share) in torso(&target).iter().zip(shares) {
                    let own = degrees_between(hips, delta(&b, &found, joint));
                    assert!((own - share * whole).abs() < 1e-6, "{own} {share} {whole}");
                }
            }
        }
    }
}

/// Torsos of equal counts and all other joints: turned in the world as the source's.
#[test]
fn other_joints_turn_as_the_sources() {
    for seed in 0..10 {
        let generator = &mut Generator::new(seed);
        let (source, target) = (
            Actor::random(generator, &BodyOptions::default()),
            Actor::random(generator, &BodyOptions::default()),
        );
        for frame in source.frames(generator) {
            let pose = model(&source.side(), &frame);
            let posed = moved(&source, &target, &Laws::HUMANIK, &frame);
            let found = model(&target.side(), &posed.locals);
            for (slot, own) in &target.rigged.map.slots {
                if matches!(HUMANOID.info(*slot).part, Part::UpperLeg | Part::LowerLeg) {
                    continue;
                }
                let from = &source.rigged.map.slots[slot];
                for (&from, &to) in from.joints.iter().zip(&own.joints) {
                    let one = delta(&source.side(), &pose, from);
                    let two = delta(&target.side(), &found, to);
                    assert!(degrees_between(one, two) < 1e-6);
                }
            }
        }
    }
}

/// Upper arms and forearms lie as the source's, whatever both stances are.
#[test]
fn arms_of_any_stance_lie_as_the_sources() {
    let mut least = f64::INFINITY;
    for seed in 0..20 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::random(generator, false);
        let (source, target) = (
            Actor::random(generator, &options),
            Actor::random(generator, &options),
        );
        let mut differs = 0.0f64;
        for frame in source.frames(generator) {
            let pose = model(&source.side(), &frame);
            let posed = moved(&source, &target, &Laws::MIXAMO, &frame);
            let found = model(&target.side(), &posed.locals);
            for (slot, end) in [
                ("leftUpperArm", "leftLowerArm"),
                ("leftLowerArm", "leftHand"),
                ("rightUpperArm", "rightLowerArm"),
                ("rightLowerArm", "rightHand"),
            ] {
                let bone = |actor: &Actor, pose: &[oracle::Placed]| {
                    let at = |slot| pose[actor.joint(slot)].affine.translation;
                    at(end) - at(slot)
                };
                let (one, two) = (bone(&source, &pose), bone(&target, &found));
                assert!(one.angle_between(two) < 1e-6);
                // D_B = D_A · X_A⁻¹ · X_B: the difference of the deltas is constant.
                let index = HUMANOID.find(slot).unwrap();
                let constant = degrees_between(
                    arm_turn(&source.side(), index),
                    arm_turn(&target.side(), index),
                );
                let deltas = degrees_between(
                    delta(&source.side(), &pose, source.joint(slot)),
                    delta(&target.side(), &found, target.joint(slot)),
                );
                assert!((constant - deltas).abs() < 1e-6, "{constant} {deltas}");
                differs = differs.max(constant);
            }
        }
        least = least.min(differs);
    }
    eprintln!("arm constants differ by at least {least:.2} degrees in a pair");
}

/// Arms that are 2.24 and 5.63 degrees off ±X at rest are turned by so much against an exact T-pose.
#[test]
fn the_arm_constant_is_the_angle_of_the_rest() {
    let body = random_body(&mut Generator::new(1), &BodyOptions::default());
    let source = Actor::new(Rigged::new(&body, &Convention::default()));
    for degrees in [0.0, 2.24, 5.63] {
        let stance = Stance {
            arms_down_degrees: degrees,
            ..Stance::default()
        };
        let target = Actor::new(Rigged::new(
            &body,
            &Convention {
                stance,
                ..Convention::default()
            },
        ));
        for frame in source.frames(&mut Generator::new(2)) {
            let pose = model(&source.side(), &frame);
            let posed = moved(&source, &target, &Laws::MIXAMO, &frame);
            let found = model(&target.side(), &posed.locals);
            for slot in ["leftUpperArm", "leftLowerArm", "rightUpperArm"] {
                let one = delta(&source.side(), &pose, source.joint(slot));
                let two = delta(&target.side(), &found, target.joint(slot));
                assert!((degrees_between(one, two) - degrees).abs() < 1e-4);
            }
        }
    }
}
