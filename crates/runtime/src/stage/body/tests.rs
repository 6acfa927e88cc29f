//! Arms that swing into a ball.

use super::super::kinematics::Placed;
use super::solid::tests::points;
use super::*;
use crate::stage::kinematics::Shape;
use glam::{Affine3A, Quat};
use rebone_model::elementary::Elementary as _;
use rebone_model::elementary::Turn as _;
use rebone_model::hull::DIRECTIONS;

/// A ball of radius 1 about joint 0, and an arm beside it of bones as long as that: shoulder, elbow, wrist are joints 1, 2, 3. The hand is
/// a point at the wrist, and another before it. All of it so many times larger.
fn stage(size: f32) -> Option<BodyStage> {
    let ball = points(0, DIRECTIONS.map(|way| way * size));
    let at = |_| Affine3A::IDENTITY;
    let hand = points(3, [Vec3::ZERO, Vec3::X * 0.2 * size]);
    let steps = [(0, None), (1, Some(0)), (2, Some(1)), (3, Some(2))];
    Some(BodyStage {
        solid: Solid::new(&[ball], at)?,
        legs: Solid::default(),
        arms: vec![BodyArm {
            joints: [1, 2, 3],
            points: hand
                .into_iter()
                .map(|point| BodyPoint { point, share: 1.0 })
                .collect(),
        }],
        height: 4.0 * size,
        hands: Vec::new(),
        source_height: 1.0,
        attached: Vec::new(),
        source: Kinematics::default(),
        target: Vec::from(steps).try_into().ok()?,
    })
}

/// The arm hangs from (1.2, 1, 0); upper arm and forearm are turned about x, so that the hand swings before the ball, or through it.
fn look([upper, lower]: [f32; 2], inwards: f32, size: f32) -> Vec<Placed> {
    let turn = |angle: f32| Quat::about_z(-inwards) * Quat::about_x(-angle);
    let shoulder = Vec3::new(1.2, 1.0, 0.0) * size;
    let elbow = shoulder + turn(upper) * Vec3::NEG_Y * size;
    let wrist = elbow + turn(lower) * Vec3::NEG_Y * size;
    let placed = |place: Vec3, turn| Placed::new(turn, place.into(), Shape::Even(1.0));
    vec![
        placed(Vec3::ZERO, Quat::IDENTITY),
        placed(shoulder, turn(upper)),
        placed(elbow, turn(lower)),
        placed(wrist, turn(lower)),
    ]
}

/// How deep the hand is in the ball when the arm has turned.
fn depth(stage: &BodyStage, look: &[Placed], turn: Vec3) -> f32 {
    let at = |place: usize| look[place].unscaled();
    let solid = SolidLanes::new(&stage.solid.blocks).posed(at, 0.0);
    let shoulder = look[1].position();
    let depths = stage.arms[0].points.iter().filter_map(|point| {
        let own = point.point.place(at) - shoulder;
        solid.depth(shoulder + exp(turn) * own)
    });
    depths.fold(0.0, |most, (depth, _)| depth.max(most))
}

/// A hand that swings into a ball and out again does not go in; an arm that swings beside it keeps its bits. Sizes do not matter.
#[test]
fn hands_go_around_balls() {
    let times: Vec<f32> = (0..180).map(|frame| frame as f32 / 60.0).collect();
    let swing = |inwards: f32, size: f32| {
        let look = |time: &f32| {
            let angle = 0.4 - 1.2 * (2.0 * time).cosine();
            look([angle, angle + 0.8], inwards, size)
        };
        times.iter().map(look).collect::<Vec<_>>()
    };
    let found: Vec<Vec<Option<ArmTurns>>> = [1.0, 100.0]
        .map(|size| {
            let (stage, looks) = (stage(size).unwrap(), swing(0.7, size));
            let asked: Vec<_> = looks.iter().cloned().map(Some).collect();
            let turns = stage.outside(&times, &asked, &stage.spheres(), None, &Touches::default());
            let turn = |frame: usize| turns[frame].map_or(Vec3::ZERO, |turns| turns[0]);
            let all = || looks.iter().enumerate();
            let before = all().map(|(_, look)| depth(&stage, look, Vec3::ZERO));
            let after = all().map(|(frame, look)| depth(&stage, look, turn(frame)));
            let [before, after] =
                [before.fold(0.0, f32::max), after.fold(0.0, f32::max)].map(|is| is / size);
            assert!(before > 0.3 && after < 0.045, "{before} to {after}");
            for frame in 1..times.len() {
                let step = turn(frame).distance(turn(frame - 1));
                assert!(step < 0.05, "{step} at {frame}");
            }
            turns
        })
        .into();
    for (one, other) in found[0].iter().zip(&found[1]) {
        let [one, other] = [one, other].map(|turns| turns.map_or(Vec3::ZERO, |all| all[0]));
        assert!(one.distance(other) < 1e-3, "{one} {other}");
    }
    let beside: Vec<_> = swing(-0.3, 1.0).into_iter().map(Some).collect();
    let stage = stage(1.0).unwrap();
    let turns = stage.outside(&times, &beside, &stage.spheres(), None, &Touches::default());
    assert!(turns.iter().all(Option::is_none));
    // While the hand touches something, the arm stays; it turns no faster than elsewhere before and after.
    let through: Vec<_> = swing(0.7, 1.0).into_iter().map(Some).collect();
    let mut stay = vec![[0.0; 2]; 180];
    stay[60..120].fill([1.0; 2]);
    let hands = HeldHands {
        held: vec![0.0; 180],
        gripped: vec![0.0; 180],
        stay,
        palms: [(3, Vec3::ZERO), (4, Vec3::ZERO)],
    };
    let turns = stage.outside(
        &times,
        &through,
        &stage.spheres(),
        Some(hands),
        &Touches::default(),
    );
    let turn = |frame: usize| turns[frame].map_or(Vec3::ZERO, |turns| turns[0]);
    assert!((60..120).all(|frame| turn(frame) == Vec3::ZERO));
    assert!((0..60).any(|frame| turn(frame) != Vec3::ZERO));
    for frame in 1..times.len() {
        let step = turn(frame).distance(turn(frame - 1));
        assert!(step < 0.05, "{step} at {frame}");
    }
}

/// Where an arm may turn half as far, a hand far in a ball does not get out with the shoulder alone: a bent elbow turns, too. A straight
/// one does not, and none gets straight.
#[test]
fn bent_elbows_help() {
    let times: Vec<f32> = (0..60).map(|frame| frame as f32 / 30.0).collect();
    let stage = stage(1.0).unwrap();
    let hands = || HeldHands {
        held: vec![0.0; 60],
        gripped: vec![0.0; 60],
        stay: vec![[0.5; 2]; 60],
        palms: [(3, Vec3::ZERO), (4, Vec3::ZERO)],
    };
    let made = |bend: f32| {
        let look = look([-0.4, bend - 0.4], 0.9, 1.0);
        let asked = vec![Some(look.clone()); 60];
        let turns = stage.outside(
            &times,
            &asked,
            &stage.spheres(),
            Some(hands()),
            &Touches::default(),
        );
        let [shoulder, elbow, ..] = turns[30].unwrap();
        let [_, upper, lower, _] = look.as_slice() else {
            panic!("{look:?}");
        };
        let [upper, lower] = [upper, lower].map(|bone| bone.rotation * Vec3::NEG_Y);
        // The forearm turns in the axes of the upper arm.
        let axes = look[1].rotation;
        let lower = axes * (exp(elbow) * (axes.conjugate() * lower));
        (shoulder, elbow, upper.angle_between(lower))
    };
    for bend in [0.0, 0.2, 0.5, 0.8, 1.2] {
        let (shoulder, elbow, left) = made(bend);
        println!("{bend}: {shoulder} {elbow} {left}");
        assert_eq!(elbow.length() > 0.01, bend > 0.4, "{bend}: {elbow}");
        assert!(left > bend.min(0.34) - 0.001, "{bend}: {left}");
    }
    // An elbow that straightens while the hand is inside has turned back by then.
    let bend = |frame: usize| 1.2 - 1.2 * frame as f32 / 59.0;
    let looks = (0..60).map(|frame| Some(look([-0.4, bend(frame) - 0.4], 0.9, 1.0)));
    let asked: Vec<_> = looks.collect();
    let turns = stage.outside(
        &times,
        &asked,
        &stage.spheres(),
        Some(hands()),
        &Touches::default(),
    );
    let elbow = |frame: usize| turns[frame].map_or(0.0, |turns| turns[1].length());
    assert!((0..60).any(|frame| elbow(frame) > 0.05));
    for frame in (0..60).filter(|frame| bend(*frame) < 0.2) {
        assert!(elbow(frame) < 0.05, "{} at {frame}", elbow(frame));
    }
}

/// Hands that meet in a wide disc between two arms cannot leave it together, but each to its own side: they let go of each other.
#[test]
fn hands_that_cannot_meet_outside_let_go() {
    let times: Vec<f32> = (0..60).map(|frame| frame as f32 / 30.0).collect();
    let disc = points(0, DIRECTIONS.map(|way| way * Vec3::new(0.3, 1.4, 1.4)));
    let hand = |joint: usize| BodyArm {
        joints: [joint - 2, joint - 1, joint],
        points: points(joint, [Vec3::ZERO])
            .into_iter()
            .map(|point| BodyPoint { point, share: 1.0 })
            .collect(),
    };
    let steps = [0, 1, 2, 3, 4, 5, 6].map(|joint: usize| {
        let above = match joint {
            0 => None,
            1 | 4 => Some(0),
            _ => Some(joint - 1),
        };
        (joint, above)
    });
    let stage = BodyStage {
        solid: Solid::new(&[disc], |_| Affine3A::IDENTITY).unwrap(),
        legs: Solid::default(),
        arms: vec![hand(3), hand(6)],
        height: 4.0,
        hands: Vec::new(),
        source_height: 1.0,
        attached: Vec::new(),
        source: Kinematics::default(),
        target: Vec::from(steps).try_into().unwrap(),
    };
    let placed = |place: Vec3| Placed::new(Quat::IDENTITY, place.into(), Shape::Even(1.0));
    let mut look = vec![placed(Vec3::ZERO)];
    for side in [1.0, -1.0] {
        let shoulder = Vec3::new(1.2 * side, 1.0, 0.0);
        look.extend([1.0, 0.5, 0.01].map(|share| placed(shoulder * share)));
    }
    let looks = vec![Some(look.clone()); 60];
    let made = |held: f32| {
        let hands = HeldHands {
            held: vec![held; 60],
            gripped: vec![0.0; 60],
            stay: vec![[0.0; 2]; 60],
            palms: [(3, Vec3::ZERO), (6, Vec3::ZERO)],
        };
        stage.outside(
            &times,
            &looks,
            &stage.spheres(),
            Some(hands),
            &Touches::default(),
        )
    };
    let [alone, held] = [made(0.0), made(1.0)].map(|turns| turns[30].unwrap());
    for (number, arm) in stage.arms.iter().enumerate() {
        let at = |place: usize| look[place].unscaled();
        let shoulder = look[arm.joints[0]].position();
        let own = look[arm.joints[2]].position() - shoulder;
        let end = shoulder + exp(held[JOINTS * number]) * own;
        let depth = SolidLanes::new(&stage.solid.blocks)
            .posed(at, 0.0)
            .depth(end);
        assert!(
            depth.is_none_or(|(depth, _)| depth < 0.02),
            "{end} {depth:?}"
        );
        let apart = alone[JOINTS * number].distance(held[JOINTS * number]);
        assert!(apart < 0.05, "{apart}");
    }
}
