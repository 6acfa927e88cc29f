mod laws;

use super::step::Bone;
use super::*;
use crate::solve::two_bone::{Limb, Reach, solve};
use rebone_model::Clamp as _;

/// The bones of a leg that hangs down, bent by `bend` (the way of the knee forwards over half of its length).
fn bones(bend: f32) -> [Vec3; 2] {
    let down = (0.25 - bend * bend).max(0.0).sqrt();
    [Vec3::new(0.0, -down, bend), Vec3::new(0.0, -down, -bend)]
}

fn wanted(bones: [Vec3; 2], goal: Vec3, weight: f32) -> Wanted {
    of_limbs(&[(bones, goal, weight)])
}

/// Limbs side by side, of bones, goals and weights.
fn of_limbs(limbs: &[([Vec3; 2], Vec3, f32)]) -> Wanted {
    let mut wanted = Wanted {
        bones: [Vectors::ZERO; 2],
        forward: Vectors::splat(Vec3::Z),
        one_way: false,
        goals: Vectors::ZERO,
        weights: Lanes::ONE,
        up: Vec3::Y,
        lowest: Lanes::splat(f32::MIN),
        stiffness: 0.0,
    };
    for (lane, (bones, goal, weight)) in limbs.iter().enumerate() {
        wanted.bones[0].set_lane(lane, bones[0]);
        wanted.bones[1].set_lane(lane, bones[1]);
        wanted.goals.set_lane(lane, *goal);
        wanted.weights.0[lane] = *weight;
    }
    wanted
}

fn one(wanted: Wanted, stiffness: f32) -> SteadyLimbs {
    SteadyLimbs::new(&Wanted {
        stiffness,
        ..wanted
    })
}

/// Such a leg, whose foot shall be at `goal`.
fn leg(bend: f32, goal: Vec3, weight: f32) -> SteadyLimbs {
    one(wanted(bones(bend), goal, weight), 0.0)
}

fn of_bones(bones: [Vec3; 2], goal: Vec3, weight: f32, stiffness: f32) -> SteadyLimbs {
    one(wanted(bones, goal, weight), stiffness)
}

fn turn(moves: &Moves, bone: usize) -> Vec3 {
    moves.turns(0)[bone]
}

fn bones_of(limbs: &SteadyLimbs, moves: &Moves) -> [Vec3; 2] {
    let bones = limbs.body.limbs[0].bones.map(|bone| bone.lane(0));
    [0, 1].map(|bone| moves.rotations_of(0)[bone] * bones[bone] * limbs.size)
}

fn foot(limbs: &SteadyLimbs, moves: &Moves) -> Vec3 {
    let [upper, lower] = bones_of(limbs, moves);
    upper + lower + limbs.shift(moves)
}

/// Degrees between the two bones, towards the knee's own side.
fn knee(limbs: &SteadyLimbs, moves: &Moves) -> f32 {
    let bones = bones_of(limbs, moves).map(Vectors::<1>::splat);
    let hinge = moves.rotations_of(0)[0] * limbs.body.limbs[0].hinge.lane(0);
    let hinge = Vectors::splat(hinge);
    step::angle(bones, hinge).0[0].to_degrees()
}

fn at_rate(rate: f32, seconds: f32) -> Vec<f32> {
    let frames = (rate * seconds) as usize;
    (0..=frames).map(|frame| frame as f32 / rate).collect()
}

#[test]
fn a_limb_that_is_where_it_should_be_keeps_its_bits() {
    for bend in [0.0, 0.1, 0.4] {
        let [upper, lower] = bones(bend);
        let limbs = leg(bend, upper + lower, 1e4);
        assert_eq!(limbs.alone(), Moves::NONE);
        let times = at_rate(60.0, 0.5);
        let all = settle(&times, &vec![limbs; times.len()]);
        assert!(all.iter().all(|moves| *moves == Moves::NONE));
    }
}

/// Where the foot goes by a small turn is what the step takes it to be.
#[test]
fn ends_answer_as_the_step_believes() {
    let step = 1e-2f32;
    for turn in [
        Vec3::ZERO,
        Vec3::new(0.3, -0.2, 0.5),
        Vec3::new(-1.4, 0.9, 1.2),
    ] {
        let rest = Vectors::<1>::splat(Vec3::new(0.1, -0.5, 0.2));
        let bone = Bone::new(rest, Vectors::splat(turn));
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let moved = |by: f32| {
                let bone = Bone::new(rest, Vectors::splat(turn + axis * by));
                bone.now.lane(0)
            };
            let slope = (moved(step) - moved(-step)) / (2.0 * step);
            for (row, along) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                let believed = bone.answered(bone.now.cross(Vectors::splat(along)));
                let off = believed.lane(0).dot(axis) - slope[row];
                assert!(off.abs() < 1e-4, "{turn} {axis} {along}: {off}");
            }
        }
    }
}

#[test]
fn a_foot_that_stands_is_reached() {
    for (bend, goal) in [
        (0.05, Vec3::new(0.1, -0.9, 0.1)),
        (0.1, Vec3::new(0.0, -0.6, 0.4)),
        (0.3, Vec3::new(-0.3, -0.5, -0.2)),
        (0.2, Vec3::new(0.0, -0.98, 0.0)),
    ] {
        let limbs = leg(bend, goal, 3e6);
        let moves = limbs.alone();
        let off = foot(&limbs, &moves).distance(goal);
        assert!(off < 1e-3, "{goal}: {off}");
        for (now, rest) in bones_of(&limbs, &moves).iter().zip(bones(bend)) {
            assert!((now.length() - rest.length()).abs() < 1e-5);
        }
    }
}

/// Who scales the limb and the goal, turns the world or mirrors it gets the same, scaled, turned and mirrored.
#[test]
fn no_size_or_direction_is_special() {
    let bones = [Vec3::new(0.02, -0.48, 0.1), Vec3::new(0.01, -0.45, -0.15)];
    let goal = Vec3::new(0.2, -0.7, 0.15);
    let (weight, stiffness) = (3e4, 100.0);
    let own = of_bones(bones, goal, weight, stiffness);
    let (moves, foot_of) = (own.alone(), |limbs: &SteadyLimbs, moves: &Moves| {
        foot(limbs, moves)
    });
    let there = foot_of(&own, &moves);
    let large = of_bones(
        bones.map(|bone| bone * 100.0),
        goal * 100.0,
        weight,
        stiffness,
    );
    let scaled = large.alone();
    assert!(foot_of(&large, &scaled).distance(there * 100.0) < 1e-3);
    assert!((large.shift(&scaled) - own.shift(&moves) * 100.0).length() < 1e-2);
    let yaw = Quat::from_rotation_y(1.1);
    let turned = Wanted {
        forward: Vectors::splat(yaw * Vec3::Z),
        ..wanted(bones.map(|bone| yaw * bone), yaw * goal, weight)
    };
    let turned = one(turned, stiffness);
    assert!((foot_of(&turned, &turned.alone())).distance(yaw * there) < 1e-5);
    let other = |vector: Vec3| Vec3::new(-vector.x, vector.y, vector.z);
    let mirrored = of_bones(bones.map(other), other(goal), weight, stiffness);
    let off = foot_of(&mirrored, &mirrored.alone()).distance(other(there));
    assert!(off < 1e-5, "{off}");
}

/// Other limbs, and places without a limb, change nothing where the roots stay.
#[test]
fn limbs_do_not_know_of_each_other() {
    let own = (bones(0.1), Vec3::new(0.1, -0.8, 0.2), 3e4);
    let other = |way: Vec3| {
        let goal = way * 0.3 + Vec3::new(0.3, 0.2, 0.1);
        ([way * 0.5; 2], goal, 3e4)
    };
    let none = ([Vec3::ZERO; 2], Vec3::X, 3e4);
    let together = of_limbs(&[own, none, other(Vec3::X), other(Vec3::NEG_Y)]);
    let (alone, together) = (
        one(of_limbs(&[own]), 0.0).alone(),
        one(together, 0.0).alone(),
    );
    assert_eq!(alone.turns(0), together.turns(0));
    assert!(!together.is_turned(1));
    assert!(together.is_turned(2));
}

/// To which side a straight leg bends is not a matter of rounding, and how far neither.
#[test]
fn a_straight_leg_bends_about_its_hinge() {
    for goal in [
        Vec3::new(0.0, -0.93, 0.0),
        Vec3::new(0.2, -0.9, 0.1),
        Vec3::new(-0.1, -0.7, -0.2),
    ] {
        let knee_of = |aside: Vec3| {
            let bones = [Vec3::new(0.0, -0.5, 0.0), Vec3::new(0.0, -0.5, 0.0) + aside];
            let limbs = of_bones(bones, goal, 3e6, 300.0);
            bones_of(&limbs, &limbs.alone())[0]
        };
        let knee = knee_of(Vec3::ZERO);
        assert!(knee.cross(goal).x > 0.01, "{goal}: {knee}");
        for aside in [Vec3::X, -Vec3::X, Vec3::Z, -Vec3::Z] {
            let off = knee_of(aside * 1e-6).distance(knee);
            assert!(off < 1e-4, "{goal} {aside}: {off}");
        }
    }
}

/// Frames side by side have the bits of each alone, whatever is beside them.
#[test]
fn frames_side_by_side_have_the_bits_of_one() {
    let frames: Vec<SteadyLimbs> = (0..8)
        .map(|frame| {
            let bend = 0.05 * frame as f32;
            let goal = Vec3::new(0.1, -0.3 - 0.1 * frame as f32, 0.2 - 0.06 * frame as f32);
            let legs = [(bones(bend), goal, 3e4), (bones(0.3), goal * 0.7, 300.0)];
            let legs = Wanted {
                lowest: Lanes([-0.8, f32::MIN, f32::MIN, f32::MIN]),
                ..of_limbs(&legs)
            };
            one(legs, 300.0)
        })
        .collect();
    let wide = over_time::together(&frames);
    for (frame, (limbs, wide)) in frames.iter().zip(wide).enumerate() {
        let moves = limbs.alone();
        assert_eq!(moves, wide, "frame {frame}");
        assert_ne!(moves.shift, Vectors::ZERO);
    }
}

/// Goals that pass the root so closely that no leg folds as far: an exact hinge turns the leg over within a frame or two.
#[test]
fn a_goal_that_passes_the_root_flips_nothing() {
    let turned = |pair: [Vec3; 2]| {
        let [from, to] = pair.map(Vec3::normalize_or_zero);
        from.angle_between(to).to_degrees()
    };
    let largest = |thighs: &[Vec3]| {
        let steps = thighs.windows(2).map(|pair| turned([pair[0], pair[1]]));
        steps.fold(0.0, f32::max)
    };
    let mut of_hinge = 0.0f32;
    for rate in [24.0, 30.0, 60.0, 120.0, 240.0] {
        let times = at_rate(rate, 2.0);
        for aside in [0.0, 0.001, 0.02] {
            let goal = |time: &f32| Vec3::new(aside, 0.01 * rate * (time - 1.0), 0.0);
            let limbs = |time: &f32| of_bones(bones(0.1), goal(time), 1e4, 150.0);
            let frames: Vec<SteadyLimbs> = times.iter().map(limbs).collect();
            let thighs = |moves: &[Moves]| -> Vec<Vec3> {
                let pairs = frames.iter().zip(moves);
                pairs
                    .map(|(limbs, moves)| bones_of(limbs, moves)[0])
                    .collect()
            };
            let mut history = History::default();
            let sweep: Vec<Moves> = frames
                .iter()
                .map(|limbs| history.next(limbs, 1.0 / rate))
                .collect();
            let (run_time, clip) = (thighs(&sweep), thighs(&settle(&times, &frames)));
            let [run_time, clip] = [run_time, clip].map(|thighs| largest(&thighs));
            println!("at {rate}, {aside} aside: {run_time:.1} and {clip:.1} degrees a frame");
            assert!(
                run_time < 30.0 && clip < 15.0,
                "{rate} {aside}: {run_time}, {clip}"
            );
            let hinge = |time: &f32| {
                let [upper, lower] = bones(0.1);
                let limb = Limb {
                    upper,
                    lower,
                    forward: Vec3::Z,
                };
                let solved = solve(&limb, goal(time), &Reach::SOFT);
                solved.map_or(upper, |solved| solved.upper * upper)
            };
            of_hinge = of_hinge.max(largest(&times.iter().map(hinge).collect::<Vec<_>>()));
        }
    }
    assert!(of_hinge > 90.0, "{of_hinge}");
}

/// A leg that becomes straight, is asked for more than it has, and bends again never bends backwards.
#[test]
fn a_leg_that_passes_through_straight_bends_its_own_way() {
    for rate in [24.0, 60.0, 240.0] {
        let times = at_rate(rate, 2.0);
        let frames: Vec<SteadyLimbs> = times
            .iter()
            .map(|time| {
                let bend = 0.25 * (time - 1.0).abs();
                leg(bend, Vec3::NEG_Y * (1.05 - 0.4 * (time - 1.0).abs()), 3e5)
            })
            .collect();
        for (limbs, moves) in frames.iter().zip(settle(&times, &frames)) {
            let angle = knee(limbs, &moves);
            assert!(angle > -1.5, "{rate}: {angle}");
        }
    }
}

/// A leg of an animal that the source bends backwards, through straight to its own side, keeps its own side all the while.
#[test]
fn a_leg_that_bends_one_way_comes_over_without_a_jump() {
    let times = at_rate(60.0, 2.0);
    let limbs = |one_way: bool| -> Vec<SteadyLimbs> {
        let limbs = |time: &f32| {
            let leg = wanted(bones(0.2 * (time - 1.0)), Vec3::new(0.0, -0.93, 0.1), 1e4);
            one(Wanted { one_way, ..leg }, 300.0)
        };
        times.iter().map(limbs).collect()
    };
    let frames = limbs(true);
    let mut history = History::default();
    let sweep = frames.iter().map(|limbs| history.next(limbs, 1.0 / 60.0));
    for moves in [sweep.collect(), settle(&times, &frames)] {
        let mut last: Option<[Vec3; 2]> = None;
        for (limbs, moves) in frames.iter().zip(&moves) {
            let (own, knee) = (bones_of(limbs, moves), knee(limbs, moves));
            assert!(knee > 5.0, "{knee}");
            let step = last.map_or(0.0, |last: [Vec3; 2]| {
                let turns = [0, 1].map(|bone| own[bone].angle_between(last[bone]).to_degrees());
                turns[0].max(turns[1])
            });
            assert!(step < 2.0, "{step}");
            last = Some(own);
        }
    }
    let free = limbs(false);
    let knees = free.iter().zip(settle(&times, &free));
    let least = knees.map(|(limbs, moves)| knee(limbs, &moves));
    assert!(least.fold(f32::MAX, f32::min) < -5.0);
}

/// The same motion at other frame rates is solved alike.
#[test]
fn the_frame_rate_hardly_matters() {
    let at = |rate: f32| -> Vec<Moves> {
        let times = at_rate(rate, 2.0);
        let frames: Vec<SteadyLimbs> = times
            .iter()
            .map(|time| {
                let goal = Vec3::new(0.1 * time.sin(), -0.8, 0.3 * (2.0 * time).sin());
                leg(0.15, goal, 1e4)
            })
            .collect();
        settle(&times, &frames)
    };
    let (slow, quick) = (at(30.0), at(120.0));
    for (frame, moves) in slow.iter().enumerate().skip(3) {
        let other = &quick[4 * frame];
        for bone in 0..2 {
            let off = turn(moves, bone) - turn(other, bone);
            let off = off.length().to_degrees();
            assert!(off < 2.0, "frame {frame}: {off} degrees");
        }
    }
}

/// What is expected of a foot is worth more than a foot that shoots about: a goal that jumps is followed over some frames.
#[test]
fn a_goal_that_jumps_is_followed_gently() {
    let rate = 60.0;
    let times = at_rate(rate, 1.0);
    let frames: Vec<SteadyLimbs> = times
        .iter()
        .map(|time| {
            leg(
                0.1,
                Vec3::new(0.0, -0.8, if *time < 0.5 { 0.0 } else { 0.2 }),
                300.0,
            )
        })
        .collect();
    let moves = settle(&times, &frames);
    let largest = moves
        .windows(2)
        .map(|pair| turn(&pair[0], 0).distance(turn(&pair[1], 0)))
        .fold(0.0, f32::max);
    let whole = turn(&moves[times.len() - 1], 0).distance(turn(&moves[0], 0));
    println!("{largest} of {whole}");
    assert!(
        largest < 0.5 * whole.clamped(0.1, 1.0),
        "{largest} of {whole}"
    );
}

/// A foot on the floor stays out of it, whatever it is asked for.
#[test]
fn nothing_gets_below_the_floor() {
    for goal in [Vec3::new(0.0, -0.95, 0.2), Vec3::new(0.3, -1.5, 0.0)] {
        let limbs = Wanted {
            lowest: Lanes::splat(-0.7),
            ..wanted(bones(0.2), goal, 300.0)
        };
        let limbs = one(limbs, 0.0);
        let there = foot(&limbs, &limbs.alone());
        assert!(there.y > -0.7 - 2e-3, "{there}");
    }
}

/// Roots come along where limbs are too short, less where that counts more.
#[test]
fn roots_come_nearer() {
    let goal = Vec3::NEG_Y * 1.2;
    let mut before = f32::MAX;
    for stiffness in [30.0, 300.0, 3000.0] {
        let limbs = of_bones(bones(0.2), goal, 3e4, stiffness);
        let shift = limbs.shift(&limbs.alone());
        assert!(shift.y < -0.05 && shift.y.abs() < before, "{shift}");
        before = shift.y.abs();
    }
}
