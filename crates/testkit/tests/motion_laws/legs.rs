//! Feet, hips and knees.

use crate::{Actor, PRESETS, moved};
use glam::{DQuat, DVec3};
use rebone_testkit::laws::{Constants, Laws, Posed, delta, legs, model};
use rebone_testkit::oracle::{self, degrees_between};
use rebone_testkit::random::{BodyOptions, Generator, Motion};

/// The goal of the sole is a group law: feet by way of a third character end where they end straight.
#[test]
fn feet_by_way_of_a_third_character_end_where_they_end_straight() {
    let (mut worst, mut seen, mut all) = (0.0f64, 0, 0);
    for seed in 0..40 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::random(generator, false);
        let [a, b, c] = std::array::from_fn(|_| Actor::random(generator, &options));
        for frame in a.frames(generator) {
            all += 2;
            let at_b = moved(&a, &b, &Laws::HUMANIK, &frame);
            let by_b = moved(&b, &c, &Laws::HUMANIK, &at_b.locals);
            let straight = moved(&a, &c, &Laws::HUMANIK, &frame);
            for (index, leg) in legs(&c.side()).unwrap().iter().enumerate() {
                if !at_b.legs[index].reaches {
                    continue;
                }
                seen += 1;
                let apart = by_b.legs[index].goal - straight.legs[index].goal;
                worst = worst.max(apart.length() / c.height());
                if by_b.legs[index].reaches && straight.legs[index].reaches {
                    let apart = c.place(&by_b, leg.foot) - c.place(&straight, leg.foot);
                    worst = worst.max(apart.length() / c.height());
                }
            }
        }
    }
    eprintln!("feet by way of a third: {worst:.1e} of the height, {seen} of {all} feet");
    assert!(worst < 1e-6 && 2 * seen > all, "{worst}, {seen} of {all}");
}

/// Scale and sole: the fixed point is that of the sole straight below the ankle, in the foot's own frame; beside it feet are
/// as far apart as the thighs. Measured on the bodies themselves.
#[test]
fn a_foot_goes_where_the_equation_says() {
    for seed in 0..20 {
        let generator = &mut Generator::new(seed);
        let (source, target) = (
            Actor::random(generator, &BodyOptions::default()),
            Actor::random(generator, &BodyOptions::default()),
        );
        // K, η and w in file units.
        let measures = |actor: &Actor| {
            let at = |slot: &str| actor.rigged.body.position(slot);
            let [hip, knee, foot] = ["leftUpperLeg", "leftLowerLeg", "leftFoot"].map(at);
            let width = 2.0 * hip.x;
            let size = hip.distance(knee) + knee.distance(foot) + width;
            DVec3::new(size, foot.y, width) * actor.rigged.convention.units
        };
        let (a, b) = (measures(&source), measures(&target));
        let k = b.x / a.x;
        for frame in source.frames(generator) {
            let pose = model(&source.side(), &frame);
            let posed = moved(&source, &target, &Laws::HUMANIK, &frame);
            for (leg, outcome) in legs(&source.side()).unwrap().iter().zip(posed.legs) {
                let turn = delta(&source.side(), &pose, leg.foot);
                let sole = pose[leg.foot].affine.translation - turn * DVec3::Y * a.y;
                let wanted = k * sole + turn * DVec3::Y * b.y;
                let mut aside = turn * DVec3::X * (0.5 * leg.sign * (b.z - k * a.z));
                aside.y = 0.0;
                let apart = outcome.goal.distance(wanted + aside);
                assert!(apart < 1e-5 * target.height(), "{apart}");
            }
        }
    }
}

/// The plane of the bent leg is that of the copied leg, turned by the shortest arc between their lines.
#[test]
fn knees_bend_in_the_plane_of_the_copied_leg() {
    let mut bent = 0;
    for seed in 0..20 {
        let generator = &mut Generator::new(seed);
        let (source, target) = (
            Actor::random(generator, &BodyOptions::default()),
            Actor::random(generator, &BodyOptions::default()),
        );
        let copied = Laws {
            legs: false,
            ..Laws::HUMANIK
        };
        let motion = Motion::random(generator, &source.rigged.body);
        for frame in source.frames_of(&motion) {
            let free = moved(&source, &target, &copied, &frame);
            let posed = moved(&source, &target, &Laws::HUMANIK, &frame);
            for leg in legs(&target.side()).unwrap() {
                let bones = |posed: &Posed| {
                    let at = |joint| target.place(posed, joint);
                    [at(leg.shin) - at(leg.thigh), at(leg.foot) - at(leg.shin)]
                };
                let ([thigh, shin], [own_thigh, own_shin]) = (bones(&free), bones(&posed));
                assert!((thigh.length() - own_thigh.length()).abs() < 1e-9 * target.height());
                assert!((shin.length() - own_shin.length()).abs() < 1e-9 * target.height());
                let axis = thigh.cross(shin);
                if axis.length() < 0.05 * thigh.length() * shin.length()
                    || own_thigh.cross(own_shin).length() < 1e-3 * axis.length()
                {
                    continue;
                }
                bent += 1;
                let (line, own) = (thigh + shin, own_thigh + own_shin);
                let arc = DQuat::from_rotation_arc(line / line.length(), own / own.length());
                let angle = (arc * axis).angle_between(own_thigh.cross(own_shin));
                assert!(angle < 1e-5, "{angle}");
            }
        }
    }
    assert!(bent > 300, "{bent}");
}

/// Legs that are too short pull the hips towards their feet, never away, and by 0.4 of what lacks.
#[test]
fn the_pull_goes_towards_the_feet() {
    let mut pulled = 0;
    for seed in 0..30 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::default();
        let (source, target) = (
            Actor::random(generator, &options),
            Actor::random(generator, &options),
        );
        for frame in source.frames(generator) {
            let posed = moved(&source, &target, &Laws::HUMANIK, &frame);
            let without = Laws {
                pull: 0.0,
                ..Laws::HUMANIK
            };
            let free = moved(&source, &target, &without, &frame);
            let hips = target.joint("hips");
            let way = target.place(&posed, hips) - target.place(&free, hips);
            assert!(way.distance(posed.pulled) < 1e-9 * target.height());
            let over: f64 = posed.legs.iter().map(|leg| leg.over_stretch).sum();
            assert!(posed.legs.iter().all(|leg| leg.over_stretch >= 0.0));
            assert!(way.length() <= 0.4 * over + 1e-9 * target.height());
            if over > 0.0 {
                pulled += 1;
                let thighs = legs(&target.side()).unwrap();
                // Towards the feet on the whole: the way is a sum of the ways to each.
                let towards: f64 = (0..2)
                    .map(|index| {
                        let leg = &posed.legs[index];
                        let to_goal = leg.goal - target.place(&free, thighs[index].thigh);
                        leg.over_stretch * way.dot(to_goal) / to_goal.length()
                    })
                    .sum();
                assert!(towards > 0.0);
            }
        }
    }
    assert!(pulled > 50, "{pulled}");
}

/// Feet are turned as the source's and reach their goals where legs are long enough; neither ankle nor
/// toe base is below its rest height where the source's is not.
#[test]
fn feet_reach_their_goals_and_stay_above_the_floor() {
    for laws in PRESETS {
        let (mut reached, mut all, mut raised) = (0, 0, 0);
        for seed in 0..30 {
            let generator = &mut Generator::new(seed);
            let options = BodyOptions::default();
            let (source, target) = (
                Actor::random(generator, &options),
                Actor::random(generator, &options),
            );
            let constants = Constants::new(&source.side(), &target.side(), &laws).unwrap();
            for frame in source.frames(generator) {
                let pose = model(&source.side(), &frame);
                let posed = moved(&source, &target, &laws, &frame);
                let free = moved(
                    &source,
                    &target,
                    &Laws {
                        floor: false,
                        ..laws
                    },
                    &frame,
                );
                for (index, leg) in legs(&target.side()).unwrap().iter().enumerate() {
                    all += 1;
                    let ankle = target.place(&posed, leg.foot);
                    let outcome = posed.legs[index];
                    if outcome.reaches {
                        reached += 1;
                        let apart = ankle.distance(outcome.goal);
                        assert!(apart < 1e-5 * target.height(), "{apart}");
                    }
                    let own = legs(&source.side()).unwrap()[index];
                    let turned = delta(
                        &target.side(),
                        &model(&target.side(), &posed.locals),
                        leg.foot,
                    );
                    assert!(degrees_between(turned, delta(&source.side(), &pose, own.foot)) < 1e-6);
                    if !laws.floor {
                        assert_eq!(outcome.goal, free.legs[index].goal);
                        continue;
                    }
                    raised += usize::from(outcome.goal.y > free.legs[index].goal.y);
                    let depth = pose[own.foot].affine.translation.y - constants.source.ankle;
                    let limit = constants.target.ankle + constants.ratio * depth.min(0.0);
                    assert!(outcome.goal.y >= limit - 1e-9 * target.height());
                    let (toes, own_toes) = (leg.toes.unwrap(), own.toes.unwrap());
                    let heights = |of: [Option<f64>; 2]| of[index].unwrap();
                    let depth =
                        pose[own_toes].affine.translation.y - heights(constants.source.toe_heights);
                    let limit =
                        heights(constants.target.toe_heights) + constants.ratio * depth.min(0.0);
                    let low = target.place(&posed, toes).y - limit;
                    assert!(!outcome.reaches || low > -1e-6 * target.height(), "{low}");
                }
            }
        }
        eprintln!("{reached} of {all} feet at their goals, {raised} raised");
        assert!(2 * reached > all && (raised > 0) == laws.floor);
    }
}

/// With the foot flat on the floor the ball's goal is the sole's.
#[test]
fn a_flat_foot_is_anchored_alike_by_sole_and_by_toes() {
    let toes = Laws {
        toes: true,
        ..Laws::HUMANIK
    };
    for seed in 0..10 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::default();
        let (source, target) = (
            Actor::random(generator, &options),
            Actor::random(generator, &options),
        );
        // Turned about the vertical, as a whole.
        let turn = DQuat::from_rotation_y(generator.between(-3.0, 3.0));
        let rest = source.brought(turn, |hips| turn * hips);
        let sole = moved(&source, &target, &Laws::HUMANIK, &rest);
        let toe = moved(&source, &target, &toes, &rest);
        for index in 0..2 {
            let apart = sole.legs[index].goal.distance(toe.legs[index].goal);
            assert!(apart < 1e-6 * target.height(), "{apart}");
        }
    }
}

/// With the heel up, toes within 0.02 K of their rest height are the anchor, those above 0.06 K are not, half way
/// both count alike.
#[test]
fn a_low_toe_is_the_anchor_and_a_high_one_is_not() {
    let toes = Laws {
        toes: true,
        ..Laws::HUMANIK
    };
    for seed in 0..10 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::default();
        let (source, target) = (
            Actor::random(generator, &options),
            Actor::random(generator, &options),
        );
        let law = Constants::new(&source.side(), &target.side(), &toes).unwrap();
        let [own, other] = [&source, &target].map(|actor| legs(&actor.side()).unwrap()[0]);
        let rest = source.alignment.reference[own.toes.unwrap()].position;
        let turn = DQuat::from_rotation_x(0.8);
        let size = law.source.leg + law.source.width;
        for (above, share) in [
            (0.0, 1.0),
            (0.02, 1.0),
            (0.04, 0.5),
            (0.06, 0.0),
            (0.1, 0.0),
        ] {
            let up = DVec3::Y * (above * size);
            let frame = source.brought(turn, |hips| rest + turn * (hips - rest) + up);
            let sole = moved(&source, &target, &Laws::HUMANIK, &frame).legs[0].goal;
            let found = moved(&source, &target, &toes, &frame).legs[0].goal;
            // The toe base as high above its rest height as the source's, and as far in front of the rest ankle.
            let offset = law.target.toe_offsets[0].unwrap();
            let ahead = offset - law.ratio * law.source.toe_offsets[0].unwrap();
            let aside = law.spread;
            let toe = DVec3::new(
                law.ratio * rest.x + ahead.x + aside,
                law.target.toe_heights[0].unwrap() + law.ratio * up.y,
                law.ratio * rest.z + ahead.z,
            );
            let wanted = sole + (toe - turn * offset - sole) * share;
            assert!(
                found.distance(wanted) < 1e-6 * target.height(),
                "{above}: {found} {wanted} of foot {}",
                other.foot
            );
        }
    }
}

/// A leg that is all but straight bends forwards, whichever way its knee is a little off.
#[test]
fn a_straight_leg_bends_forwards() {
    let mut bent = 0;
    for seed in 0..20 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::default();
        let (source, target) = (
            Actor::random(generator, &options),
            Actor::random(generator, &options),
        );
        let mut frame = oracle::rest(&source.rigged.character.skeleton);
        let pose = model(&source.side(), &frame);
        for leg in legs(&source.side()).unwrap() {
            // The shin leans to the left by half a degree.
            let axis = pose[leg.shin].rotation.conjugate() * DVec3::Z;
            frame[leg.shin].rotation *= DQuat::from_axis_angle(axis, 0.5_f64.to_radians());
            // Longer shins, so that legs of other proportions come out too long or too short.
            frame[leg.foot].translation *= 1.3;
        }
        let posed = moved(&source, &target, &Laws::HUMANIK, &frame);
        for leg in legs(&target.side()).unwrap() {
            let [thigh, shin, foot] =
                [leg.thigh, leg.shin, leg.foot].map(|joint| target.place(&posed, joint));
            let line = (foot - thigh) / foot.distance(thigh);
            let out = (shin - thigh) - line * (shin - thigh).dot(line);
            if out.length() > 0.02 * shin.distance(thigh) {
                bent += 1;
                assert!(out.z > 0.98 * out.length(), "{out}");
            }
        }
    }
    assert!(bent > 5, "{bent}");
}
