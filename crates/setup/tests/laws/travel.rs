//! How far the hips go: the default scale and the laws one may choose instead.

use crate::{any_clip, any_rigged, full_body, say};
use glam::DVec3;
use rebone_model::Clip;
use rebone_setup::root::RootScale;
use rebone_testkit::check::{
    Choices, When, Worst, compare, compare_from_hips, compiled, retarget, seen_at, times,
};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

#[test]
fn a_doubled_character_moves_twice_as_far_and_is_else_the_same() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let source = any_rigged(generator, false);
        let target = Rigged::new(
            &source.body.clone().scaled(2.0),
            &random_convention(generator),
        );
        let clip = any_clip(generator, &source, Keys::Mixed);
        let choices = Choices::default();
        let scale = compiled(&source, &target, &clip, &choices).root_scale;
        assert!((scale - 2.0).abs() < 1e-5, "{scale}");
        let result = retarget(&source, &target, &clip, &choices);
        for time in times(&clip, When::Anytime) {
            let mut wanted = seen_at(&source, &clip, time);
            for joint in &mut wanted {
                joint.position *= 2.0;
            }
            let found = seen_at(&target, &result, time);
            compare(&source, &wanted, &target, &found, time, &mut worst);
        }
    }
    say("doubled", &worst);
    worst.assert_within(1e-6, 1e-4, "doubled");
}

/// Seen from the hips this is exact. The hips' place is so only as far as the lift goes along the same legs:
/// unlike proportions turn the line from thighs to ankles a little, 0.2 % of the height here.
#[test]
fn going_by_way_of_a_third_character_makes_no_difference() {
    let (mut shape, mut travel) = (Worst::default(), Worst::default());
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::random(generator, true);
        let [a, b, c] = std::array::from_fn(|_| {
            let body = random_body(generator, &options);
            Rigged::new(&body, &random_convention(generator))
        });
        let clip = any_clip(generator, &a, Keys::Mixed);
        let choices = Choices::default();
        let at_b = retarget(&a, &b, &clip, &choices);
        let by_b = retarget(&b, &c, &at_b, &choices);
        let straight = retarget(&a, &c, &clip, &choices);
        for time in times(&clip, When::Anytime) {
            let (one, two) = (seen_at(&c, &by_b, time), seen_at(&c, &straight, time));
            compare_from_hips(&c, &one, &c, &two, time, &mut shape, &mut travel);
        }
    }
    say("by way of a third", &shape);
    say("travel by way of a third", &travel);
    shape.assert_within(2e-6, 2e-4, "by way of a third");
    travel.assert_within(3e-3, 0.0, "travel by way of a third");
}

const LAWS: [RootScale; 8] = [
    RootScale::Auto,
    RootScale::LegsAndHips,
    RootScale::Legs,
    RootScale::Hips,
    RootScale::Stature,
    RootScale::LegsAndStature,
    RootScale::None,
    RootScale::Factor(0.7),
];

/// Target metres a source metre, from the bodies themselves.
fn expected(law: RootScale, source: &Rigged, target: &Rigged) -> f64 {
    let leg = |rigged: &Rigged| {
        let at = |slot| rigged.body.position(slot);
        (at("leftUpperLeg") - at("leftLowerLeg")).length()
            + (at("leftLowerLeg") - at("leftFoot")).length()
    };
    let height = |rigged: &Rigged, slot| rigged.body.position(slot).y;
    let legs = leg(target) / leg(source);
    let stature = height(target, "head") / height(source, "head");
    match law {
        RootScale::Auto => rebone_testkit::oracle::travel_ratio(source, target),
        RootScale::LegsAndHips => rebone_testkit::oracle::letter_ratio(source, target),
        RootScale::Legs => legs,
        RootScale::Hips => height(target, "hips") / height(source, "hips"),
        RootScale::Stature => stature,
        RootScale::LegsAndStature => (legs * stature).sqrt(),
        RootScale::None => 1.0,
        RootScale::Factor(factor) => factor,
        RootScale::Axes([x, y, z]) => (x + y + z) / 3.0,
    }
}

/// A motion in which no joint turns; the hips still travel.
fn unbent(generator: &mut Generator, rigged: &Rigged) -> Motion {
    rigged
        .body
        .joints
        .iter()
        .fold(Motion::random(generator, &rigged.body), |motion, joint| {
            motion.hold(&joint.key)
        })
}

#[test]
fn every_law_of_travel_is_what_its_name_says_in_any_units() {
    let mut worst = 0.0f64;
    for seed in rebone_corpus::seeds(0..60) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        // The lift goes along the legs, so the legs stand still here.
        let still = unbent(generator, &source);
        let clip = source.clip(&still, Keys::Linear);
        let hips = |rigged: &Rigged, clip: &Clip, time| {
            seen_at(rigged, clip, time)[rigged.body.slot("hips").unwrap()].position
        };
        for root_scale in LAWS {
            let choices = Choices {
                root_scale,
                ..Choices::default()
            };
            let wanted = expected(root_scale, &source, &target);
            let found = compiled(&source, &target, &clip, &choices).root_scale;
            assert!((found / wanted - 1.0).abs() < 1e-4, "{root_scale:?}");
            let result = retarget(&source, &target, &clip, &choices);
            let moved: DVec3 = hips(&source, &clip, 1.0) - hips(&source, &clip, 0.0);
            let found = hips(&target, &result, 1.0) - hips(&target, &result, 0.0);
            worst = worst.max((found - wanted * moved).length() / target.body.height());
        }
    }
    eprintln!("laws of travel: {worst:.2e} of the height");
    assert!(worst < 1e-5, "{worst}");
}

/// A source that stands still in its T-pose gives a target that stands with its feet on the floor,
/// whatever the law of travel.
#[test]
fn standing_height_is_kept_under_every_law() {
    let mut worst = 0.0f64;
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        let still = unbent(generator, &source);
        let mut clip = source.clip(&still, Keys::Linear);
        for joint in &mut clip.joints {
            joint.translation = None;
        }
        for root_scale in LAWS {
            let choices = Choices {
                root_scale,
                ..Choices::default()
            };
            let result = retarget(&source, &target, &clip, &choices);
            let seen = seen_at(&target, &result, 0.5);
            for slot in ["hips", "leftFoot", "rightFoot"] {
                let joint = target.body.slot(slot).unwrap();
                // The heading of the motion turns the body, so only heights are compared.
                let rise = seen[joint].position.y - target.body.joints[joint].position.y;
                worst = worst.max(rise.abs() / target.body.height());
            }
        }
    }
    eprintln!("standing height: {worst:.2e} of the height");
    assert!(worst < 1e-5, "{worst}");
}

/// Where the thigh joints are the same way from the hips joint, feet keep their floor in scaled travel.
#[test]
fn the_way_there_and_back_ends_where_it_began() {
    let generator = &mut Generator::new(77);
    let (a, b) = (full_body(generator), full_body(generator));
    let (a, b) = (
        Rigged::new(&a, &random_convention(generator)),
        Rigged::new(&b, &random_convention(generator)),
    );
    let clip = any_clip(generator, &a, Keys::Linear);
    let scale =
        |from: &Rigged, to: &Rigged| compiled(from, to, &clip, &Choices::default()).root_scale;
    // The clip belongs to `a` only; for the way back its own rest decides.
    let there = scale(&a, &b);
    let back = compiled(
        &b,
        &a,
        &Clip::new("none", b.character.skeleton.len()),
        &Choices::default(),
    )
    .root_scale;
    assert!((there * back - 1.0).abs() < 1e-6);
}
