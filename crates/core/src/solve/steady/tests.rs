use super::*;
use crate::solve::two_bone::{Bend, Limb, Reach, solve};
use rebone_model::Clamp as _;

/// A leg hanging down, bent by `bend` (the way of the knee forwards over half of its length), whose foot shall be at `goal`.
fn leg(bend: f32, goal: Vec3, weight: f32) -> SteadyLimbs {
    let down = (0.25 - bend * bend).max(0.0).sqrt();
    let bones = [Vec3::new(0.0, -down, bend), Vec3::new(0.0, -down, -bend)];
    of_bones(bones, goal, (weight, 0.0))
}

fn of_bones(bones: [Vec3; 2], goal: Vec3, weights: (f32, f32)) -> SteadyLimbs {
    let [upper, lower] = bones.map(Vectors::splat);
    SteadyLimbs::new(
        [upper, lower],
        Vectors::splat(Vec3::Z),
        Vectors::splat(goal),
        (Vec4::splat(weights.0), weights.1),
    )
}

fn bones_of(limbs: &SteadyLimbs, moves: &Moves) -> [Vec3; 2] {
    [0, 1].map(|bone| {
        let turn = Rotations::of_vectors(moves.turns.0[bone]).lane(0);
        turn * limbs.bones[bone].lane(0)
    })
}

fn foot(limbs: &SteadyLimbs, moves: &Moves) -> Vec3 {
    let [upper, lower] = bones_of(limbs, moves);
    upper + lower + moves.shift
}

/// Degrees between the two bones, towards the knee's own side.
fn knee(limbs: &SteadyLimbs, moves: &Moves) -> f32 {
    let bones = bones_of(limbs, moves).map(Vectors::splat);
    let hinge = Rotations::of_vectors(moves.turns.0[0]).turned(limbs.hinge);
    limbs.angle(bones, hinge).x.to_degrees()
}

fn at_rate(rate: f32, seconds: f32) -> Vec<f32> {
    let frames = (rate * seconds) as usize;
    (0..=frames).map(|frame| frame as f32 / rate).collect()
}

#[test]
fn a_limb_that_is_where_it_should_be_keeps_its_bits() {
    for bend in [0.0, 0.1, 0.4] {
        let own = leg(bend, Vec3::ZERO, 1e4);
        let limbs = SteadyLimbs {
            goal: own.bones[0] + own.bones[1],
            ..own
        };
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
        let rest = Vectors::splat(Vec3::new(0.1, -0.5, 0.2));
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
        for (now, rest) in bones_of(&limbs, &moves).iter().zip(limbs.bones) {
            assert!((now.length() - rest.lane(0).length()).abs() < 1e-5);
        }
    }
}

/// Who scales the limb and the goal, turns the world or mirrors it gets the same, scaled, turned and mirrored.
#[test]
fn no_size_or_direction_is_special() {
    let bones = [Vec3::new(0.02, -0.48, 0.1), Vec3::new(0.01, -0.45, -0.15)];
    let goal = Vec3::new(0.2, -0.7, 0.15);
    let weights = (3e4, 100.0);
    let own = of_bones(bones, goal, weights);
    let (moves, foot_of) = (own.alone(), |limbs: &SteadyLimbs, moves: &Moves| {
        foot(limbs, moves)
    });
    let there = foot_of(&own, &moves);
    let large = of_bones(bones.map(|bone| bone * 100.0), goal * 100.0, weights);
    let scaled = large.alone();
    assert!(foot_of(&large, &scaled).distance(there) < 1e-5);
    assert!((large.shift(&scaled) - own.shift(&moves) * 100.0).length() < 1e-2);
    let yaw = glam::Quat::from_rotation_y(1.1);
    let [upper, lower] = bones.map(|bone| Vectors::splat(yaw * bone));
    let turned = SteadyLimbs::new(
        [upper, lower],
        Vectors::splat(yaw * Vec3::Z),
        Vectors::splat(yaw * goal),
        (Vec4::splat(weights.0), weights.1),
    );
    assert!((foot_of(&turned, &turned.alone())).distance(yaw * there) < 1e-5);
    let other = |vector: Vec3| Vec3::new(-vector.x, vector.y, vector.z);
    let mirrored = of_bones(bones.map(other), other(goal), weights);
    let off = foot_of(&mirrored, &mirrored.alone()).distance(other(there));
    assert!(off < 1e-5, "{off}");
}

/// Limbs in other lanes, and lanes without a limb, change nothing where the roots stay.
#[test]
fn limbs_do_not_know_of_each_other() {
    let one = leg(0.1, Vec3::new(0.1, -0.8, 0.2), 3e4);
    let none = Vectors::ZERO;
    let mut bones = one.bones;
    let mut goal = one.goal;
    for (lane, value) in [(1, Vec3::ZERO), (2, Vec3::X), (3, Vec3::NEG_Y)] {
        for bone in &mut bones {
            bone.set_lane(lane, value * 0.5);
        }
        goal.set_lane(lane, Vec3::new(0.3, 0.2, 0.1) * value);
    }
    let together = SteadyLimbs { bones, goal, ..one };
    let (alone, together) = (one.alone(), together.alone());
    for bone in 0..2 {
        assert_eq!(alone.turns.0[bone].lane(0), together.turns.0[bone].lane(0));
        assert_ne!(none.lane(0), together.turns.0[bone].lane(0));
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
            let limbs = |time: &f32| SteadyLimbs {
                stiffness: 600.0,
                ..leg(0.1, goal(time), 1e4)
            };
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
                let [upper, lower] = frames[0].bones.map(|bone| bone.lane(0));
                let limb = Limb {
                    upper,
                    lower,
                    forward: Vec3::Z,
                };
                let solved = solve(&limb, goal(time), &Reach::SOFT, Bend::Blend);
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
            let off = moves.turns.0[bone].lane(0) - other.turns.0[bone].lane(0);
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
        .map(|pair| {
            pair[0].turns.0[0]
                .lane(0)
                .distance(pair[1].turns.0[0].lane(0))
        })
        .fold(0.0, f32::max);
    let whole = moves[times.len() - 1].turns.0[0]
        .lane(0)
        .distance(moves[0].turns.0[0].lane(0));
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
        let limbs = leg(0.2, goal, 300.0).above(Vec3::Y, Vec4::splat(-0.7));
        let there = foot(&limbs, &limbs.alone());
        assert!(there.y > -0.7 - 2e-3, "{there}");
    }
}

/// Roots come along where limbs are too short, less where that counts more.
#[test]
fn roots_come_nearer() {
    let goal = Vec3::NEG_Y * 1.2;
    let bones = leg(0.2, goal, 1.0).bones.map(|bone| bone.lane(0));
    let mut before = f32::MAX;
    for stiffness in [30.0, 300.0, 3000.0] {
        let limbs = of_bones(bones, goal, (3e4, stiffness));
        let shift = limbs.shift(&limbs.alone());
        assert!(shift.y < -0.05 && shift.y.abs() < before, "{shift}");
        before = shift.y.abs();
    }
}
