//! The methods against each other: model-delta, rest-delta, channels, parent-delta and the corrected parent-delta.

use crate::{any_clip, full_body, say};
use glam::DQuat;
use rebone_setup::align::Correction;
use rebone_setup::transfer::{Method, rest_delta};
use rebone_testkit::check::{Choices, When, Worst, compare, compiled, retarget, seen_at, times};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{Convention, Generator, Keys, Motion, Rigged, random_convention};

/// Two characters of equal structure whose files have the same axes: the seed formulas compare the poses
/// as they stand in the files, and do not know of up and forward.
fn pair(generator: &mut Generator) -> (Rigged, Rigged) {
    let (a, b) = (full_body(generator), full_body(generator));
    let source = Rigged::new(&a, &random_convention(generator));
    let convention = Convention {
        file_from_canonical: source.convention.file_from_canonical,
        ..random_convention(generator)
    };
    let target = Rigged::new(&b, &convention);
    (source, target)
}

fn with(method: Method) -> Choices {
    Choices {
        method,
        correction: Correction::None,
        ..Choices::default()
    }
}

/// In double precision, on chains of random rotations: rest-delta, the corrected parent-delta and model-delta are one
/// formula where the joints correspond one to one.
#[test]
fn the_formulas_agree_in_double_precision() {
    let mut worst = 0.0f64;
    for seed in rebone_corpus::seeds(0..500) {
        let generator = &mut Generator::new(seed);
        let (mut source, mut target) = (DQuat::IDENTITY, DQuat::IDENTITY);
        let (mut a_above, mut b_above) = (DQuat::IDENTITY, DQuat::IDENTITY);
        for _ in 0..8 {
            let (a, b, w) = (
                generator.rotation(),
                generator.rotation(),
                generator.rotation(),
            );
            let (a_local, b_local) = (a_above.conjugate() * a, b_above.conjugate() * b);
            let by_rest = b_above.conjugate() * a_above * w * a.conjugate() * b;
            let difference = a_above.conjugate() * b_above;
            let by_parent =
                difference.conjugate() * (w * a_local.conjugate()) * difference * b_local;
            source *= w;
            let by_model = target.conjugate() * (source * a.conjugate() * b);
            target *= by_model;
            worst = worst
                .max(degrees_between(by_rest, by_model))
                .max(degrees_between(by_parent, by_rest));
            (a_above, b_above) = (a, b);
        }
    }
    eprintln!("three formulas in double precision: {worst:.2e} degrees");
    assert!(worst < 1e-10, "{worst}");
}

/// The constants of the code, in single precision, are those of the corrected parent-delta too.
#[test]
fn rest_delta_is_the_corrected_seed_two() {
    let mut worst = 0.0f64;
    for seed in rebone_corpus::seeds(0..500) {
        let generator = &mut Generator::new(seed);
        let [a_above, b_above, a, b, w] = std::array::from_fn(|_| generator.rotation());
        let [p, i, q, j] = [a_above, a, b_above, b].map(DQuat::as_quat);
        let (left, right) = rest_delta::constants(p, i, q, j);
        let found = left.as_dquat() * w * right.as_dquat();
        let (a_local, b_local) = (a_above.conjugate() * a, b_above.conjugate() * b);
        let difference = a_above.conjugate() * b_above;
        let by_parent = difference.conjugate() * (w * a_local.conjugate()) * difference * b_local;
        worst = worst.max(degrees_between(found, by_parent));
    }
    eprintln!("constants of rest-delta against corrected parent-delta: {worst:.2e} degrees");
    assert!(worst < 5e-5, "{worst}");
}

/// In single precision a rotation has a grain of 1.4e-5 degrees, and a chain adds up a few of them.
#[test]
fn rest_delta_equals_model_delta_where_joints_correspond() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..60) {
        let generator = &mut Generator::new(seed);
        let (source, target) = pair(generator);
        let clip = any_clip(generator, &source, Keys::Mixed);
        let one = retarget(&source, &target, &clip, &with(Method::ModelDelta));
        for method in [Method::RestDelta, Method::Channels] {
            let other = retarget(&source, &target, &clip, &with(method));
            for time in times(&clip, When::Anytime) {
                let found = seen_at(&target, &one, time);
                let wanted = seen_at(&target, &other, time);
                let mut here = Worst::default();
                compare(&target, &wanted, &target, &found, time, &mut here);
                if method == Method::Channels {
                    // Its translations follow another law: proportions are not looked at.
                    here.position = 0.0;
                }
                worst.merge(&here);
            }
        }
    }
    say("rest-delta and channels against model-delta", &worst);
    worst.assert_within(1e-6, 1e-4, "rest-delta against model-delta");
}

/// A source joint without partner: rest-delta loses its turn, model-delta does not.
#[test]
fn rest_delta_loses_the_rotation_of_a_skipped_joint() {
    let generator = &mut Generator::new(7);
    let body = full_body(generator);
    let more = body.clone().with_joint_above("extra", "leftLowerArm", 0.5);
    let source = Rigged::new(&more, &random_convention(generator));
    let convention = Convention {
        file_from_canonical: source.convention.file_from_canonical,
        ..random_convention(generator)
    };
    let target = Rigged::new(&body, &convention);
    let clip = source.clip(&Motion::random(generator, &more), Keys::Linear);
    let error = |method| {
        let choices = Choices {
            method,
            ..Choices::default()
        };
        let mut worst = Worst::default();
        let result = retarget(&source, &target, &clip, &choices);
        for time in times(&clip, When::Keys) {
            let wanted = seen_at(&source, &clip, time);
            let found = seen_at(&target, &result, time);
            let hand = "leftHand";
            let (from, to) = (body_joint(&source, hand), body_joint(&target, hand));
            worst.add(
                0.0,
                degrees_between(wanted[from].turn, found[to].turn),
                || hand.to_owned(),
            );
        }
        worst.degrees
    };
    assert!(error(Method::RestDelta) > 5.0);
    assert!(error(Method::ModelDelta) < 1e-4);
}

fn body_joint(rigged: &Rigged, key: &str) -> usize {
    rigged.body.find(key).unwrap()
}

#[test]
fn parent_delta_does_not_depend_on_the_target() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let (source, target) = pair(generator);
        let body = full_body(generator);
        let other = Rigged::new(&body, &random_convention(generator));
        let clip = any_clip(generator, &source, Keys::Linear);
        let [one, two] = [&target, &other].map(|target| {
            let result = retarget(&source, target, &clip, &with(Method::ParentDelta));
            let keys = target.body.joints.iter().zip(&target.joint_of);
            let mut rotations: Vec<_> = keys
                .map(|(joint, &of)| {
                    let track = result.joints[of].rotation.clone().unwrap();
                    (joint.key.clone(), track)
                })
                .collect();
            rotations.sort_by(|a, b| a.0.cmp(&b.0));
            rotations
        });
        for ((key, one), (_, two)) in one.iter().zip(&two) {
            for (a, b) in one.values().iter().zip(two.values()) {
                assert!(degrees_between(a.as_dquat(), b.as_dquat()) < 1e-4, "{key}");
            }
        }
    }
}

#[test]
fn every_method_gives_unit_rotations() {
    for seed in rebone_corpus::seeds(0..10) {
        let generator = &mut Generator::new(seed);
        let (source, target) = pair(generator);
        let clip = any_clip(generator, &source, Keys::Linear);
        for method in Method::ALL {
            let plan = compiled(&source, &target, &clip, &with(method)).plan;
            assert_eq!(plan.rotations.len(), target.character.skeleton.len());
            let result = retarget(&source, &target, &clip, &with(method));
            let tracks = result
                .joints
                .iter()
                .filter_map(|joint| joint.rotation.as_ref());
            for value in tracks.flat_map(rebone_model::Track::values) {
                assert!((value.length() - 1.0).abs() < 2e-6, "{}", value.length());
            }
        }
    }
}
