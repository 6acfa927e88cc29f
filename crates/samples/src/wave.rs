//! Standing, the weight goes to the left leg, the right arm waves, the weight comes back.

use super::SampleClip;
use super::curve::Curve;
use super::foot::Stand;
use super::puppet::{ArmPose, Pose, Puppet, SIDES};
use glam::Vec3;
use std::f32::consts::TAU;

const SECONDS: f32 = 4.4;
/// Seconds over which starts and stops are softened.
const SOFT: f32 = 0.22;
/// When the weight begins to go to the left leg, and when it is back on both, seconds.
const SHIFTS: (f32, f32) = (0.15, 4.1);
/// Waves a second.
const BEAT_HZ: f32 = 1.75;

/// The wave.
pub(super) fn wave(puppet: &Puppet) -> SampleClip {
    let shift = Curve::new(&[(SHIFTS.0, 0.0), (0.85, 1.0), (3.35, 1.0), (SHIFTS.1, 0.0)]);
    let raise = Curve::new(&[
        (0.45, 0.0),
        (0.60, 0.06),
        (1.20, 1.0),
        (3.05, 1.0),
        (3.85, 0.0),
    ]);
    let beat = Curve::new(&[(1.05, 0.0), (1.35, 1.0), (2.75, 1.0), (3.15, 0.0)]);
    let nod = Curve::new(&[(0.7, 0.0), (1.2, 1.0), (1.55, 0.5), (2.9, 0.6), (3.5, 0.0)]);
    let stands: Vec<Stand> = (0..2)
        .map(|side| Stand {
            ankle: puppet.ankle(side, if side == 0 { 0.0 } else { 0.02 }),
            ball_from_ankle: puppet.ball_from_ankle(),
            yaw: if side == 0 { 0.12 } else { 0.22 },
            sign: SIDES[side].1,
        })
        .collect();
    let pose = |time: f32| {
        let weight = shift.soft(time, SOFT);
        let up = raise.soft(time, SOFT);
        let late = raise.soft(time - 0.07, SOFT);
        let swinging = beat.soft(time, SOFT);
        let phase = TAU * BEAT_HZ * (time - 1.05);
        let breath = (TAU * time / SECONDS).sin();
        let tilt = nod.soft(time, SOFT);
        let idle = ArmPose {
            lower: 1.38 - 0.02 * breath,
            swing: 0.05,
            elbow: 0.26,
            roll: 0.10,
            ..ArmPose::default()
        };
        let mix = |from: f32, to: f32, share: f32| from + (to - from) * share;
        let waving = ArmPose {
            lower: mix(idle.lower, 0.16, up) + 0.05 * swinging * (phase - 0.5).cos(),
            forward: mix(0.0, 0.42, up),
            swing: mix(idle.swing, 0.0, up),
            roll: mix(idle.roll, 1.42, up),
            elbow: mix(idle.elbow, 1.55, late) + 0.36 * swinging * phase.sin(),
            wrist: mix(0.0, -0.05, late) + 0.24 * swinging * (phase - 0.9).sin(),
            shrug: 0.14 * up,
            pronate: 0.0,
        };
        Pose {
            hips: puppet.at("Hips")
                + Vec3::new(
                    0.058 * weight,
                    -0.010 - 0.004 * weight + 0.003 * breath,
                    0.004 - 0.008 * weight,
                ),
            pelvis: Vec3::new(0.02, 0.05 * weight, 0.065 * weight),
            chest: Vec3::new(
                0.01 - 0.02 * up + 0.008 * breath,
                0.02 * weight + 0.012 * swinging * phase.sin(),
                -0.045 * weight - 0.02 * up + 0.010 * swinging * (phase - 0.4).sin(),
            ),
            head: Vec3::new(
                0.03 + 0.07 * tilt,
                -0.05 * tilt,
                -0.13 * tilt + 0.012 * swinging * (phase - 0.8).sin(),
            ),
            arms: [idle, waving],
            feet: [stands[0].flat(), stands[1].on_ball(0.30 * weight)],
            curl: [1.0, 1.0 - 0.85 * up],
            knees_apart: 0.08,
        }
    };
    let contacts = vec![
        puppet.contact("LeftFoot", 0.0, SECONDS),
        puppet.contact("LeftToeBase", 0.0, SECONDS),
        puppet.contact("RightToeBase", 0.0, SECONDS),
        // The right heel is up while the weight is on the left leg.
        puppet.contact("RightFoot", 0.0, SHIFTS.0 - 0.5 * SOFT),
        puppet.contact("RightFoot", SHIFTS.1 + 0.5 * SOFT, SECONDS),
    ];
    puppet.sample("wave", SECONDS, &pose, contacts)
}
