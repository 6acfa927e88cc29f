//! Holds a box between both hands: lifts it, turns with it to the left, tilts it and turns back. Palms and box move as one.

use super::SampleClip;
use super::arm_ik::HandGoal;
use super::curve::Curve;
use super::foot::Stand;
use super::puppet::{ArmPose, Pose, Puppet, SIDES};
use glam::{Quat, Vec3};
use std::f32::consts::TAU;

const SECONDS: f32 = 3.2;
/// Seconds over which starts and stops are softened.
const SOFT: f32 = 0.26;
/// Distance of the knuckles of both hands, metres: the box is a little narrower.
pub(super) const WIDTH: f32 = 0.30;

/// The carry.
pub(super) fn carry(puppet: &Puppet) -> SampleClip {
    let lift = Curve::new(&[(0.2, 0.0), (0.9, 1.0), (2.3, 1.0), (3.0, 0.0)]);
    let turn = Curve::new(&[(0.5, 0.0), (1.3, 1.0), (1.7, 1.0), (2.6, 0.0)]);
    let tilt = Curve::new(&[(1.0, 0.0), (1.5, 1.0), (2.0, -0.6), (2.5, 0.0)]);
    let stands: Vec<Stand> = (0..2)
        .map(|side| Stand {
            ankle: puppet.ankle(side, if side == 0 { 0.03 } else { -0.03 })
                + Vec3::X * (0.02 * SIDES[side].1),
            ball_from_ankle: puppet.ball_from_ankle(),
            yaw: 0.16,
            sign: SIDES[side].1,
        })
        .collect();
    let hips = |time: f32| {
        let turned = turn.soft(time, SOFT);
        puppet.at("Hips")
            + Vec3::new(
                0.020 * turned,
                -0.030 + 0.016 * lift.soft(time, SOFT),
                0.004,
            )
    };
    let yaw = |time: f32| 0.62 * turn.soft(time, SOFT);
    let pose = |time: f32| {
        let (up, turned) = (lift.soft(time, SOFT), yaw(time));
        let breath = (TAU * time / SECONDS).sin();
        let arm = ArmPose {
            lower: 1.25,
            swing: 0.3,
            elbow: 1.0,
            roll: 0.10,
            shrug: 0.04 * up,
            ..ArmPose::default()
        };
        Pose {
            hips: hips(time),
            pelvis: Vec3::new(0.03, 0.30 * turned, 0.0),
            chest: Vec3::new(0.06 - 0.09 * up + 0.008 * breath, turned, 0.0),
            head: Vec3::new(0.20 - 0.10 * up, 1.1 * turned, 0.0),
            arms: [arm, arm],
            feet: [stands[0].flat(), stands[1].flat()],
            curl: [0.45, 0.45],
            knees_apart: 0.08,
        }
    };
    let hands = |time: f32| {
        let up = lift.soft(time, SOFT);
        let turned = Quat::from_rotation_y(yaw(time));
        let box_turn = turned * Quat::from_rotation_z(0.22 * tilt.soft(time, SOFT));
        let center = hips(time) + turned * Vec3::new(0.0, 0.07 + 0.20 * up, 0.36 + 0.03 * up);
        SIDES.map(|(_, sign)| HandGoal {
            knuckles: center + box_turn * Vec3::X * (sign * 0.5 * WIDTH),
            fingers: box_turn * Vec3::new(0.0, 0.18, 1.0),
            palm: box_turn * Vec3::X * -sign,
            elbow: turned * Vec3::new(0.5 * sign, -0.9, -0.55),
            weight: 1.0,
        })
    };
    let contacts = SIDES
        .into_iter()
        .flat_map(|(name, _)| ["Foot", "ToeBase"].map(|joint| format!("{name}{joint}")))
        .map(|joint| puppet.contact(&joint, 0.0, SECONDS))
        .collect();
    puppet.sample_reaching("carry", SECONDS, &pose, &hands, contacts)
}
