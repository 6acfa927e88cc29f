//! Crouch, push off over the toes, fly, land on the balls, absorb, settle.
//!
//! In the air the hips follow `y = y₀ + v t - g t² / 2` and keep their speed forward. On the ground the hips
//! follow quintics that join it in place, speed and acceleration.

use super::SampleClip;
use super::curve::{Curve, Knot, hermite, quintic};
use super::foot::{Stand, Swing, speed};
use super::puppet::{ArmPose, FootGoal, Pose, Puppet, SIDES};
use glam::Vec3;

const SECONDS: f32 = 2.7;
const GRAVITY: f32 = 9.81;
const START: f32 = 0.25;
const BOTTOM: f32 = 0.80;
const HEEL_OFF: f32 = 0.90;
const TAKE_OFF: f32 = 1.08;
/// Speed of the hips at take-off: up and forward, metres a second.
const UP: f32 = 2.35;
const FORWARD: f32 = 0.95;
/// Heel down, and the deepest point, after the landing.
const HEEL_DOWN: f32 = 0.10;
const ABSORB: f32 = 0.20;
const SETTLED: f32 = 2.4;
/// Heights of the hips relative to standing with straight legs.
const STAND_DROP: f32 = 0.009;
const CROUCH_DROP: f32 = 0.30;
const TAKE_OFF_RISE: f32 = 0.018;
const LANDING_RISE: f32 = -0.060;
const ABSORB_DROP: f32 = 0.32;
/// Hips ahead of the ankles' first place at take-off.
const AHEAD: f32 = 0.15;
/// Pitch of the feet at take-off and landing, radians.
const LEAVING: f32 = 0.9;
/// How suddenly the heels come up: pitch grows as this power of time.
const BURST: f32 = 2.8;
const LANDING_PITCH: f32 = 0.42;
const DISTANCE: f32 = 0.62;

struct Jump<'a> {
    puppet: &'a Puppet,
    landing: f32,
}

impl Jump<'_> {
    /// Height and distance of the hips.
    fn hips(&self, time: f32) -> Vec3 {
        let rest = self.puppet.at("Hips").y;
        let flight = self.landing - TAKE_OFF;
        let still = |value: f32| [value, 0.0, 0.0];
        let up_knots: [(f32, Knot); 6] = [
            (START, still(rest - STAND_DROP)),
            (BOTTOM, [rest - CROUCH_DROP, 0.0, 9.0]),
            (TAKE_OFF, [rest + TAKE_OFF_RISE, UP, -GRAVITY]),
            (
                self.landing,
                [rest + LANDING_RISE, UP - GRAVITY * flight, -GRAVITY],
            ),
            (self.landing + ABSORB, [rest - ABSORB_DROP, 0.0, 9.0]),
            (SETTLED, still(rest - STAND_DROP)),
        ];
        let landed = AHEAD + FORWARD * flight;
        let ahead_knots: [(f32, Knot); 6] = [
            (START, still(0.0)),
            (BOTTOM, [-0.075, 0.0, 3.0]),
            (TAKE_OFF, [AHEAD, FORWARD, 0.0]),
            (self.landing, [landed, FORWARD, 0.0]),
            (self.landing + ABSORB, [DISTANCE - 0.030, 0.0, -1.0]),
            (SETTLED, still(DISTANCE)),
        ];
        Vec3::new(0.0, along(&up_knots, time), along(&ahead_knots, time))
    }

    fn stand(&self, side: usize, forward: f32) -> Stand {
        Stand {
            ankle: self.puppet.ankle(side, forward),
            ball_from_ankle: self.puppet.ball_from_ankle(),
            yaw: 0.08,
            sign: SIDES[side].1,
        }
    }

    fn leaving(&self, side: usize, time: f32) -> FootGoal {
        let unit = ((time - HEEL_OFF) / (TAKE_OFF - HEEL_OFF)).max(0.0);
        self.stand(side, 0.0).on_ball(LEAVING * unit.powf(BURST))
    }

    fn arriving(&self, side: usize, time: f32) -> FootGoal {
        let unit = ((time - self.landing) / HEEL_DOWN).min(1.0);
        self.stand(side, DISTANCE)
            .on_ball(LANDING_PITCH * (1.0 - unit) * (1.0 - unit))
    }

    /// Pitch of the feet in the air: pointed at once, then falling to that of the landing.
    fn pitch_in_flight(&self, time: f32) -> f32 {
        let leaving_speed = LEAVING * BURST / (TAKE_OFF - HEEL_OFF);
        let pointed = TAKE_OFF + 0.09;
        if time < pointed {
            let span = pointed - TAKE_OFF;
            let ends = [LEAVING, leaving_speed, LEAVING + 0.1, 0.0];
            return hermite(ends, span, (time - TAKE_OFF) / span);
        }
        let span = self.landing - pointed;
        let landing_speed = -2.0 * LANDING_PITCH / HEEL_DOWN;
        let ends = [LEAVING + 0.1, 0.0, LANDING_PITCH, landing_speed];
        hermite(ends, span, (time - pointed) / span)
    }

    fn foot(&self, side: usize, time: f32) -> FootGoal {
        if time <= TAKE_OFF {
            return self.leaving(side, time);
        }
        if time >= self.landing {
            return self.arriving(side, time);
        }
        // In the air the ankle is guided relative to the hips, so that the legs never overstretch.
        let from = |time: f32| self.leaving(side, time).ankle - self.hips(time);
        let to = |time: f32| self.arriving(side, time).ankle - self.hips(time);
        let swing = Swing {
            start: TAKE_OFF,
            end: self.landing,
            ends: [
                from(TAKE_OFF),
                speed(&from, TAKE_OFF, 1e-3),
                to(self.landing),
                speed(&to, self.landing, -1e-3),
            ],
            lift: Vec3::new(0.0, 0.31, -0.05),
        };
        let span = self.landing - TAKE_OFF;
        let unit = (time - TAKE_OFF) / span;
        let pitch = self.pitch_in_flight(time);
        let toe_pitch = 0.55 * pitch.max(0.0) * (16.0 * unit * unit * (1.0 - unit) * (1.0 - unit));
        FootGoal {
            ankle: self.hips(time) + swing.at(time),
            pitch,
            toe_pitch,
            yaw: 0.08,
            roll: 0.0,
        }
    }
}

/// The quintic through knots; constant before and after them.
fn along(knots: &[(f32, Knot)], time: f32) -> f32 {
    let after = knots.partition_point(|knot| knot.0 <= time);
    if after == 0 {
        return knots[0].1[0];
    }
    if after == knots.len() {
        return knots[after - 1].1[0];
    }
    let (from, to) = (knots[after - 1], knots[after]);
    let span = to.0 - from.0;
    quintic(from.1, to.1, span, (time - from.0) / span)
}

/// The jump.
pub(super) fn jump(puppet: &Puppet) -> SampleClip {
    let fall = TAKE_OFF_RISE - LANDING_RISE;
    let landing = TAKE_OFF + (UP + (UP * UP + 2.0 * GRAVITY * fall).sqrt()) / GRAVITY;
    let jump = Jump { puppet, landing };
    let apex = 0.5 * (TAKE_OFF + landing);
    let lean = Curve::new(&[
        (START, 0.03),
        (BOTTOM - 0.02, 0.70),
        (TAKE_OFF, 0.06),
        (apex, 0.12),
        (landing, 0.20),
        (landing + ABSORB + 0.04, 0.58),
        (SETTLED - 0.05, 0.00),
        (2.65, 0.03),
    ]);
    let swing = Curve::new(&[
        (START - 0.1, 0.05),
        (START + 0.12, 0.25),
        (BOTTOM - 0.06, -0.95),
        (TAKE_OFF + 0.02, 2.25),
        (apex, 2.35),
        (landing, 1.25),
        (landing + ABSORB, 0.15),
        (landing + ABSORB + 0.22, -0.20),
        (SETTLED, 0.08),
        (2.65, 0.05),
    ]);
    let elbow = Curve::new(&[
        (START, 0.26),
        (BOTTOM - 0.1, 0.20),
        (BOTTOM + 0.14, 0.75),
        (TAKE_OFF + 0.06, 0.35),
        (landing, 0.65),
        (landing + ABSORB, 0.55),
        (SETTLED, 0.26),
    ]);
    let spread = Curve::new(&[
        (BOTTOM, 0.0),
        (TAKE_OFF + 0.1, 0.25),
        (landing + 0.1, 0.42),
        (landing + ABSORB + 0.1, 0.30),
        (SETTLED, 0.0),
    ]);
    let look = Curve::new(&[
        (START, 0.02),
        (BOTTOM, 0.16),
        (TAKE_OFF, -0.12),
        (apex, 0.05),
        (landing, 0.28),
        (landing + ABSORB, 0.22),
        (SETTLED, 0.02),
    ]);
    let pose = |time: f32| {
        let bow = lean.soft(time, 0.14);
        let arm = |lag: f32| ArmPose {
            lower: 1.36 - spread.soft(time - lag, 0.16),
            swing: swing.soft(time - lag, 0.14),
            elbow: elbow.soft(time - lag, 0.16),
            roll: 0.08,
            shrug: 0.10 * swing.soft(time - lag, 0.14).max(0.0) / 2.35,
            ..ArmPose::default()
        };
        Pose {
            hips: jump.hips(time),
            pelvis: Vec3::new(0.60 * bow, 0.0, 0.0),
            chest: Vec3::new(bow, 0.0, 0.0),
            head: Vec3::new(look.soft(time, 0.16), 0.0, 0.0),
            arms: [arm(0.0), arm(0.012)],
            feet: [jump.foot(0, time), jump.foot(1, time)],
            curl: [1.1, 1.1],
            knees_apart: 0.14,
        }
    };
    let mut contacts = Vec::new();
    for (name, _) in SIDES {
        for (joint, from, to) in [
            ("Foot", 0.0, HEEL_OFF),
            ("ToeBase", 0.0, TAKE_OFF),
            ("ToeBase", landing, SECONDS),
            ("Foot", landing + HEEL_DOWN, SECONDS),
        ] {
            contacts.push(puppet.contact(&format!("{name}{joint}"), from, to));
        }
    }
    puppet.sample("jump", SECONDS, &pose, contacts)
}
