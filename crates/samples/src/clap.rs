//! Standing, the hands come up, clap three times in front of the chest, and come down again.

use super::SampleClip;
use super::arm_ik::HandGoal;
use super::curve::Curve;
use super::foot::Stand;
use super::puppet::{ArmPose, Pose, Puppet, SIDES};
use glam::Vec3;
use rebone_model::Clamp as _;
use std::f32::consts::TAU;

const SECONDS: f32 = 3.2;
/// Seconds over which starts and stops are softened.
const SOFT: f32 = 0.22;
/// Claps a second.
const BEAT_HZ: f32 = 2.2;
/// When the palms first meet, seconds.
const FIRST: f32 = 1.0;
/// Distance of the knuckles of both hands when the palms touch, metres.
pub(super) const CLOSED: f32 = 0.034;
/// The same when they are furthest apart.
const OPEN: f32 = 0.30;

/// When the palms meet, seconds.
#[cfg(test)]
pub(super) fn meetings() -> [f32; 3] {
    std::array::from_fn(|beat| FIRST + beat as f32 / BEAT_HZ)
}

/// The clap.
pub(super) fn clap(puppet: &Puppet) -> SampleClip {
    let last = FIRST + 2.0 / BEAT_HZ;
    let raise = Curve::new(&[
        (0.15, 0.0),
        (0.8, 1.0),
        (last + 0.1, 1.0),
        (last + 0.9, 0.0),
    ]);
    let stands: Vec<Stand> = (0..2)
        .map(|side| Stand {
            ankle: puppet.ankle(side, if side == 0 { 0.01 } else { -0.01 }),
            ball_from_ankle: puppet.ball_from_ankle(),
            yaw: 0.16,
            sign: SIDES[side].1,
        })
        .collect();
    // 0 where the palms touch, 1 where they are furthest apart.
    let open = move |time: f32| {
        let phase = (time - FIRST).clamped(-0.5 / BEAT_HZ, 2.5 / BEAT_HZ);
        (0.5 - 0.5 * (TAU * BEAT_HZ * phase).cos()).powf(0.85)
    };
    let up = move |time: f32| raise.soft(time, SOFT);
    let pose = |time: f32| {
        let up = up(time);
        let breath = (TAU * time / SECONDS).sin();
        let beat = up * (1.0 - open(time));
        let idle = ArmPose {
            lower: 1.38 - 0.02 * breath,
            swing: 0.05,
            elbow: 0.28,
            roll: 0.10,
            shrug: 0.03 * up,
            ..ArmPose::default()
        };
        Pose {
            hips: puppet.at("Hips") + Vec3::new(0.0, -0.010 - 0.004 * beat, 0.004),
            pelvis: Vec3::new(0.02, 0.0, 0.0),
            chest: Vec3::new(0.012 * breath + 0.015 * beat, 0.0, 0.0),
            head: Vec3::new(0.03 + 0.05 * up + 0.03 * beat, 0.06 * up, 0.02 * up),
            arms: [idle, idle],
            feet: [stands[0].flat(), stands[1].flat()],
            curl: [1.0 - 0.75 * up; 2],
            knees_apart: 0.08,
        }
    };
    let hands = |time: f32| {
        let gap = CLOSED + (OPEN - CLOSED) * open(time);
        let center = Vec3::new(0.0, 1.235, 0.31);
        SIDES.map(|(_, sign)| HandGoal {
            knuckles: center + Vec3::X * (sign * 0.5 * gap),
            fingers: Vec3::new(-0.10 * sign, 0.62, 0.75),
            palm: Vec3::new(-sign, 0.06, 0.0),
            elbow: Vec3::new(0.75 * sign, -0.8, -0.35),
            weight: up(time),
        })
    };
    let contacts = SIDES
        .into_iter()
        .flat_map(|(name, _)| ["Foot", "ToeBase"].map(|joint| format!("{name}{joint}")))
        .map(|joint| puppet.contact(&joint, 0.0, SECONDS))
        .collect();
    puppet.sample_reaching("clap", SECONDS, &pose, &hands, contacts)
}
