//! Sits down on a seat 0.45 m high (not shown), rests, stands up again. Both feet stay flat.

use super::SampleClip;
use super::curve::Curve;
use super::foot::Stand;
use super::puppet::{ArmPose, Pose, Puppet, SIDES};
use glam::Vec3;
use std::f32::consts::TAU;

const SECONDS: f32 = 5.2;
const SEAT: f32 = 0.45;
/// Height of the hips' joint above the seat, metres.
const HIPS_ABOVE_SEAT: f32 = 0.115;
/// How far the hips go back.
const BACK: f32 = 0.40;
const SOFT: f32 = 0.24;

/// The sit-stand.
pub(super) fn sit_stand(puppet: &Puppet) -> SampleClip {
    let standing = puppet.at("Hips").y - 0.009;
    let seated = SEAT + HIPS_ABOVE_SEAT;
    let height = Curve::new(&[
        (0.45, standing),
        (0.85, standing - 0.060),
        (1.35, seated + 0.13),
        (1.75, seated + 0.004),
        (1.90, seated),
        (3.45, seated),
        (3.75, seated + 0.10),
        (4.25, standing - 0.045),
        (4.65, standing),
    ]);
    let back = Curve::new(&[
        (0.30, 0.0),
        (0.80, 0.20),
        (1.30, 0.80),
        (1.75, 1.0),
        (3.35, 1.0),
        (3.65, 0.86),
        (4.20, 0.20),
        (4.60, 0.0),
    ]);
    let lean = Curve::new(&[
        (0.25, 0.03),
        (0.90, 0.50),
        (1.30, 0.72),
        (1.65, 0.48),
        (2.15, 0.00),
        (2.75, 0.02),
        (3.40, 0.74),
        (3.62, 0.76),
        (4.20, 0.26),
        (4.70, 0.02),
        (5.00, 0.03),
    ]);
    let rest = Curve::new(&[
        (1.30, 0.0),
        (2.05, 1.0),
        (2.85, 1.0),
        (3.40, 0.55),
        (4.20, 0.0),
    ]);
    let reach = Curve::new(&[
        (0.40, 0.0),
        (1.15, 1.0),
        (1.85, 0.0),
        (3.10, 0.0),
        (3.70, 1.0),
        (4.40, 0.0),
    ]);
    let sway = Curve::new(&[
        (0.10, 0.0),
        (0.50, 0.012),
        (1.10, -0.006),
        (1.70, 0.0),
        (3.10, 0.0),
        (3.70, -0.010),
        (4.35, 0.010),
        (4.95, 0.0),
    ]);
    let stands: Vec<Stand> = (0..2)
        .map(|side| Stand {
            ankle: puppet.ankle(side, 0.0) + Vec3::X * (SIDES[side].1 * 0.012),
            ball_from_ankle: puppet.ball_from_ankle(),
            yaw: 0.14,
            sign: SIDES[side].1,
        })
        .collect();
    let pose = |time: f32| {
        let bow = lean.soft(time, SOFT);
        let resting = rest.soft(time, SOFT);
        let balance = reach.soft(time, SOFT);
        let behind = back.soft(time, SOFT);
        let side = sway.soft(time, SOFT);
        let breath = (TAU * time / 2.6).sin();
        let arm = |lag: f32, out: f32| {
            let resting = rest.soft(time - lag, SOFT);
            ArmPose {
                lower: 1.36 + out + 0.07 * resting,
                swing: 0.05 + 0.42 * balance + 0.36 * resting + 0.42 * bow * (1.0 - resting),
                elbow: 0.28 + 0.30 * balance + 0.50 * resting,
                pronate: 1.1 * resting,
                roll: 0.05 - 0.36 * resting,
                wrist: -0.08 * resting,
                ..ArmPose::default()
            }
        };
        Pose {
            hips: Vec3::new(
                side,
                height.soft(time, SOFT) + 0.001 * breath * (1.0 - resting),
                -BACK * behind + 0.004,
            ),
            pelvis: Vec3::new(0.62 * bow - 0.13 * resting, 0.0, -0.8 * side),
            chest: Vec3::new(
                bow + 0.05 * resting + 0.012 * breath,
                0.02 * resting,
                1.2 * side,
            ),
            head: Vec3::new(
                0.42 * bow + 0.04 - 0.02 * resting,
                0.10 * resting * (TAU * (time - 1.9) / 3.0).sin().max(0.0),
                0.0,
            ),
            arms: [arm(0.0, 0.0), arm(0.06, 0.02)],
            feet: [stands[0].flat(), stands[1].flat()],
            curl: [1.0, 1.0],
            knees_apart: 0.10,
        }
    };
    let contacts = SIDES
        .into_iter()
        .flat_map(|(name, _)| ["Foot", "ToeBase"].map(|joint| format!("{name}{joint}")))
        .map(|joint| puppet.contact(&joint, 0.0, SECONDS))
        .collect();
    puppet.sample("sit_stand", SECONDS, &pose, contacts)
}
