//! Motions whose hands hold one rigid thing near the own body. They are for tests only and are not among the files.

use super::arm_ik::HandGoal;
use super::curve::Curve;
use super::hard::{SOFT, Stage, there_and_back};
use super::puppet::{Puppet, SIDES};
use glam::{Quat, Vec3};
use rebone_model::Clip;

/// Seconds that each motion takes.
const SECONDS: f32 = 3.0;

/// How a hand holds a thing, in the thing's axes: where its knuckles are, and where fingers and palm point to.
type Hold = [Vec3; 3];

/// A staff across the belly, a rifle at the cheek, a sword over the head: motions of the adult's skeleton, 60 keys a second.
pub fn gripping_clips() -> Vec<Clip> {
    let stage = Stage::new(Puppet::new(60.0));
    vec![staff(&stage), rifle(&stage), sword(&stage)]
}

/// Hands that hold a thing where `thing` says its middle is, and how it is turned.
fn recorded(
    stage: &Stage,
    name: &str,
    holds: [Hold; 2],
    thing: &dyn Fn(f32) -> (Vec3, Quat),
) -> Clip {
    let goals = |time: f32| {
        let (middle, turn) = thing(time);
        [0, 1].map(|side| {
            let [knuckles, fingers, palm] = holds[side].map(|way| turn * way);
            HandGoal {
                knuckles: middle + knuckles,
                fingers,
                palm,
                elbow: Vec3::new(SIDES[side].1 * 0.8, -1.0, -0.2),
                weight: 1.0,
            }
        })
    };
    stage.clip_with_hands(name, SECONDS, &|_, _| {}, &goals)
}

/// Across the belly and close to it, to one side and the other, tilted.
fn staff(stage: &Stage) -> Clip {
    let (aside, tilt) = (
        Curve::new(&[(0.2, 0.0), (0.9, 1.0), (1.9, -1.0), (2.8, 0.0)]),
        there_and_back([0.5, 1.2, 2.0, 2.7]),
    );
    let hold = |side: f32| [Vec3::X * (0.2 * side), Vec3::Z, Vec3::NEG_Y];
    recorded(stage, "staff", [hold(1.0), hold(-1.0)], &|time| {
        let (aside, tilt) = (aside.soft(time, SOFT), tilt.soft(time, SOFT));
        let middle = stage.at("Hips") + Vec3::new(0.1 * aside, 0.16 + 0.1 * tilt, 0.2);
        (
            middle,
            Quat::from_rotation_z(0.6 * tilt) * Quat::from_rotation_y(0.2 * aside),
        )
    })
}

/// From the hip to the cheek, and down again; the right hand at the grip, the left under the barrel.
fn rifle(stage: &Stage) -> Clip {
    let aim = there_and_back([0.3, 1.1, 1.9, 2.7]);
    let holds = [
        [
            Vec3::new(0.0, -0.02, 0.3),
            Vec3::new(-1.0, 0.2, 0.4),
            Vec3::Y,
        ],
        [
            Vec3::new(-0.02, -0.04, 0.0),
            Vec3::new(0.0, -0.3, 1.0),
            Vec3::X,
        ],
    ];
    recorded(stage, "two-handed rifle", holds, &|time| {
        let aim = aim.soft(time, SOFT);
        let low = stage.at("Hips") + Vec3::new(-0.1, 0.12, 0.2);
        let high = stage.at("Head") + Vec3::new(-0.08, -0.01, 0.22);
        let turn = Quat::from_rotation_y(0.5 - 0.4 * aim) * Quat::from_rotation_x(0.4 - 0.4 * aim);
        (low.lerp(high, aim), turn)
    })
}

/// From before the belly over the head, and down to the left hip.
fn sword(stage: &Stage) -> Clip {
    let (up, across) = (
        Curve::new(&[(0.2, 0.0), (0.9, 1.0), (1.3, 1.0), (1.8, 0.0)]),
        there_and_back([1.4, 1.9, 2.2, 2.8]),
    );
    let hold = |side: f32, along: f32| {
        [
            Vec3::new(0.02 * side, along, 0.0),
            Vec3::Z,
            Vec3::NEG_X * side,
        ]
    };
    recorded(
        stage,
        "sword",
        [hold(1.0, -0.12), hold(-1.0, 0.0)],
        &|time| {
            let (up, across) = (up.soft(time, SOFT), across.soft(time, SOFT));
            let low = stage.at("Hips") + Vec3::new(0.14 * across, 0.14, 0.3 - 0.06 * across);
            let high = stage.at("Head") + Vec3::new(0.0, 0.2, 0.14);
            let turn = Quat::from_rotation_z(-0.7 * across)
                * Quat::from_rotation_x(0.5 - 1.3 * up + 0.6 * across);
            (low.lerp(high, up), turn)
        },
    )
}
