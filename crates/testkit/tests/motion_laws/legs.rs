//! Feet, hips and knees.

use crate::{Actor, PRESETS, moved};
use glam::{DQuat, DVec3};
use rebone_testkit::laws::{Constants, Laws, delta, legs, model};
use rebone_testkit::oracle::{self, degrees_between};
use rebone_testkit::random::{BodyOptions, Convention, Generator, Rigged, random_body};

/// F2 is a group law: feet by way of a third character end where they end straight.
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

/// F2: k, the height of the soles and the distance of the legs, by numbers.
#[test]
fn a_foot_goes_where_the_equation_says() {
    let convention = Convention::default();
    let body = random_body(&mut Generator::new(3), &BodyOptions::default());
    let source = Actor::new(Rigged::new(&body, &convention));
    let other = random_body(&mut Generator::new(4), &BodyOptions::default());
    let target = Actor::new(Rigged::new(&other, &convention));
    let rest = oracle::rest(&source.rigged.character.skeleton);
    let posed = moved(&source, &target, &Laws::HUMANIK, &rest);
    let at = |body: &rebone_testkit::random::Body, slot: &str| body.position(slot);
    let size = |body| {
        let [hip, knee, foot] =
            ["leftUpperLeg", "leftLowerLeg", "leftFoot"].map(|slot| at(body, slot));
        hip.distance(knee) + knee.distance(foot) + 2.0 * hip.x
    };
    let k = size(&other) / size(&body);
    // Standing feet are below the thighs of their own body, at their own height, and as far in front as k says.
    let wanted = DVec3::new(
        at(&other, "leftUpperLeg").x + k * (at(&body, "leftFoot").x - at(&body, "leftUpperLeg").x),
        at(&other, "leftFoot").y,
        k * at(&body, "leftFoot").z,
    );
    assert!(posed.legs[0].goal.distance(wanted) < 1e-6, "{wanted}");
}

/// F4: legs that are too short pull the hips towards their feet, never away, and by 0.4 of what lacks.
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

/// F5 and F2: feet are turned as the source's and reach their goals where legs are long enough; F9: neither ankle nor
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
                }
            }
        }
        eprintln!("{reached} of {all} feet at their goals, {raised} raised");
        assert!(2 * reached > all && (raised > 0) == laws.floor);
    }
}

/// F10 with the foot flat on the floor is F2.
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
        let mut rest = oracle::rest(&source.rigged.character.skeleton);
        // Turned about the vertical, as a whole.
        let hips = source.joint("hips");
        let side = source.side();
        let pose = model(&side, &rest);
        let turn = DQuat::from_rotation_y(generator.between(-3.0, 3.0));
        let above = source.rigged.character.skeleton.parent(hips);
        let above = above.map_or(side.canonical_from_file, |above| pose[above].rotation);
        rest[hips].rotation = above.conjugate() * turn * pose[hips].rotation;
        let sole = moved(&source, &target, &Laws::HUMANIK, &rest);
        let toe = moved(&source, &target, &toes, &rest);
        for index in 0..2 {
            let apart = sole.legs[index].goal.distance(toe.legs[index].goal);
            assert!(apart < 1e-6 * target.height(), "{apart}");
        }
    }
}
