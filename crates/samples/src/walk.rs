//! A walk of four steps that loops.
//!
//! Phase 0 of a foot is its heel strike. It rolls over the heel until [`FLAT`], stands flat until
//! [`HEEL_OFF`], rolls over the ball until [`TOE_OFF`] and swings until 1.

use super::SampleClip;
use super::curve::{Curve, hermite};
use super::foot::{Stand, Swing, speed};
use super::puppet::{ArmPose, FootGoal, Pose, Puppet, SIDES};
use glam::Vec3;
use rebone_model::Clamp as _;
use std::f32::consts::TAU;

/// Seconds of two steps.
const CYCLE: f32 = 1.1;
/// Metres of two steps.
const STRIDE: f32 = 1.32;
const CYCLES: f32 = 2.0;
const FLAT: f32 = 0.08;
const HEEL_OFF: f32 = 0.36;
const TOE_OFF: f32 = 0.62;
/// The ankle lies this far ahead of the hips at heel strike.
const REACH: f32 = 0.300;
/// The feet walk on lines this much nearer to the middle than they stand.
const NARROW: f32 = 0.028;

struct Gait<'a> {
    puppet: &'a Puppet,
    pitch: Curve,
}

impl Gait<'_> {
    /// Where the foot stands in the cycle of the given number.
    fn stand(&self, side: usize, cycle: f32) -> Stand {
        let sign = SIDES[side].1;
        let start = cycle - 0.5 * side as f32;
        let mut ankle = self.puppet.ankle(side, 0.0);
        ankle.x -= sign * NARROW;
        ankle.z = start * STRIDE + REACH;
        Stand {
            ankle,
            ball_from_ankle: self.puppet.ball_from_ankle(),
            yaw: 0.10,
            sign,
        }
    }

    fn pitch_at(&self, phase: f32) -> f32 {
        self.pitch.at(phase).to_radians()
    }

    /// The foot on the floor; `phase` from 0 to [`TOE_OFF`].
    fn grounded(&self, side: usize, cycle: f32, phase: f32) -> FootGoal {
        let stand = self.stand(side, cycle);
        let pitch = self.pitch_at(phase);
        if phase < FLAT {
            stand.on_heel(pitch)
        } else if phase < HEEL_OFF {
            stand.flat()
        } else {
            stand.on_ball(pitch)
        }
    }

    fn foot(&self, side: usize, time: f32) -> FootGoal {
        let total = time / CYCLE + 0.5 * side as f32;
        let (cycle, phase) = (total.floor(), total - total.floor());
        if phase < TOE_OFF {
            return self.grounded(side, cycle, phase);
        }
        let leaving = |phase: f32| self.grounded(side, cycle, phase).ankle;
        let landing = |phase: f32| self.grounded(side, cycle + 1.0, phase - 1.0).ankle;
        let swing = Swing {
            start: TOE_OFF,
            end: 1.0,
            ends: [
                leaving(TOE_OFF - 1e-5),
                speed(&leaving, TOE_OFF - 1e-4, 1e-3),
                landing(1.0),
                speed(&landing, 1.0, -1e-3) * 0.4,
            ],
            lift: Vec3::Y * 0.022,
        };
        let pitch = self.pitch_at(phase);
        // The toes straighten within the first part of the swing.
        let span = 0.16;
        let unit = ((phase - TOE_OFF) / span).min(1.0);
        let at_toe_off = self.pitch_at(TOE_OFF);
        let bend = hermite([at_toe_off, 0.5, 0.0, 0.0], span, unit);
        FootGoal {
            ankle: swing.at(phase),
            pitch,
            toe_pitch: pitch - bend,
            yaw: 0.10,
            roll: 0.0,
        }
    }

    fn pose(&self, time: f32, drop: f32) -> Pose {
        let phase = time / CYCLE;
        let wave = |cycles: f32, shift: f32| (TAU * (cycles * phase - shift)).cos();
        let hips = self.puppet.at("Hips")
            + Vec3::new(
                0.032 * wave(1.0, 0.30),
                -drop - 0.019 * wave(2.0, 0.12),
                STRIDE * phase + 0.010 * wave(2.0, 0.42),
            );
        let arm = |side: usize| {
            let shift = 0.5 * side as f32;
            ArmPose {
                lower: 1.36 - 0.02 * wave(2.0, 0.0),
                swing: 0.02 - 0.40 * wave(1.0, shift + 0.035),
                elbow: 0.40 - 0.20 * wave(1.0, shift + 0.10),
                roll: -0.12,
                wrist: -0.04 + 0.05 * wave(1.0, shift + 0.18),
                ..ArmPose::default()
            }
        };
        Pose {
            hips,
            pelvis: Vec3::new(
                0.055 + 0.012 * wave(2.0, 0.10),
                -0.105 * wave(1.0, 0.02),
                0.060 * wave(1.0, 0.20),
            ),
            chest: Vec3::new(
                0.045 + 0.015 * wave(2.0, 0.05),
                0.095 * wave(1.0, 0.03),
                -0.022 * wave(1.0, 0.24),
            ),
            head: Vec3::new(
                0.015 + 0.014 * wave(2.0, 0.02),
                0.015 * wave(1.0, 0.06),
                0.0,
            ),
            arms: [arm(0), arm(1)],
            feet: [self.foot(0, time), self.foot(1, time)],
            curl: [1.1, 1.1],
            knees_apart: 0.05,
        }
    }
}

/// The walk; it loops after its whole length, [`STRIDE`] times two further ahead.
pub(super) fn walk(puppet: &Puppet) -> SampleClip {
    let gait = Gait {
        puppet,
        pitch: Curve::new(&[
            (-0.09, -16.0),
            (0.0, -18.0),
            (FLAT, 0.0),
            (HEEL_OFF, 0.0),
            (0.50, 20.0),
            (TOE_OFF, 56.0),
            (0.68, 62.0),
            (0.83, 12.0),
            (0.94, -17.0),
            (1.0, -18.0),
            (1.0 + FLAT, 0.0),
        ]),
    };
    let seconds = CYCLES * CYCLE;
    // The hips sink until no leg is stretched quite straight.
    let mut drop = 0.0;
    while puppet
        .record("walk", seconds, &|time| gait.pose(time, drop), None)
        .1
        > 0.994
    {
        drop += 0.002;
    }
    let mut contacts = Vec::new();
    for (side, (name, _)) in SIDES.into_iter().enumerate() {
        for cycle in -1..=2 {
            let at = |phase: f32| {
                ((cycle as f32 - 0.5 * side as f32 + phase) * CYCLE).clamped(0.0, seconds)
            };
            for (joint, from, to) in [("Foot", FLAT, HEEL_OFF), ("ToeBase", FLAT, TOE_OFF)] {
                let contact = puppet.contact(&format!("{name}{joint}"), at(from), at(to));
                if contact.end > contact.start {
                    contacts.push(contact);
                }
            }
        }
    }
    puppet.sample("walk", seconds, &|time| gait.pose(time, drop), contacts)
}
