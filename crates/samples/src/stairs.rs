//! A climb: up or down stairs, or on a slope, one step a foot, feet flat on what they stand on.
//!
//! Foot n stands on step n from its landing until [`STAND`] of its cycle, then swings to step n + 2. The hips go evenly, as
//! much below standing as the legs need.

use super::SampleClip;
use super::foot::Swing;
use super::puppet::{ArmPose, FootGoal, Pose, Puppet, SIDES};
use glam::{Quat, Vec3};
use rebone_model::Clamp as _;

/// What is climbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Climb {
    /// Metres from step to step, upwards; negative for downwards.
    pub rise: f32,
    /// Metres from step to step, forwards.
    pub depth: f32,
    /// True for a slope through the steps: feet lie along it.
    pub slope: bool,
}

/// The stand of a foot on a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepContact {
    /// Number of the step.
    pub step: usize,
    /// Height of what is below the ankle, metres.
    pub height: f32,
}

/// Steps.
const STEPS: usize = 8;
/// Seconds a step.
const BEAT: f32 = 0.65;
/// Share of two beats in which a foot stands.
const STAND: f32 = 0.62;
/// Seconds of standing before the first step and behind the last.
const REST: f32 = 0.8;

struct Climber<'a> {
    puppet: &'a Puppet,
    climb: Climb,
}

impl Climber<'_> {
    /// The foot on a step: step 0 is where both begin.
    fn on_step(&self, side: usize, step: usize) -> FootGoal {
        let n = step as f32;
        let flat = self.puppet.ankle(side, 0.0);
        let pitch = if self.climb.slope {
            -self.climb.rise.atan2(self.climb.depth)
        } else {
            0.0
        };
        let sole = Vec3::new(flat.x, n * self.climb.rise, flat.z + n * self.climb.depth);
        let up = Quat::from_rotation_x(pitch) * Vec3::Y;
        FootGoal {
            ankle: sole + up * flat.y,
            pitch,
            toe_pitch: pitch,
            yaw: 0.0,
            roll: 0.0,
        }
    }

    /// When a foot leaves the step before, and lands on this one.
    fn swing_to(step: usize) -> (f32, f32) {
        let land = REST + step as f32 * BEAT;
        (land - 2.0 * BEAT * (1.0 - STAND), land)
    }

    /// The steps on which a side stands: 0, its own, and the last with the other foot.
    fn steps(side: usize) -> impl Iterator<Item = usize> {
        // The right foot goes first.
        (0..=STEPS + 1).filter(move |step| *step == 0 || step % 2 == side)
    }

    fn foot(&self, side: usize, time: f32) -> FootGoal {
        let mut before = 0;
        for step in Self::steps(side).skip(1) {
            let (from, to) = Self::swing_to(step);
            let place = |step: usize| self.on_step(side, step.min(STEPS));
            if time < from {
                return place(before);
            }
            if time < to {
                let (a, b) = (place(before), place(step));
                let swing = Swing {
                    start: from,
                    end: to,
                    ends: [a.ankle, Vec3::ZERO, b.ankle, Vec3::ZERO],
                    lift: Vec3::Y * (0.10 + 0.3 * self.climb.rise.abs()),
                };
                return FootGoal {
                    ankle: swing.at(time),
                    ..a
                };
            }
            before = step.min(STEPS);
        }
        self.on_step(side, STEPS)
    }

    fn pose(&self, time: f32, drop: f32) -> Pose {
        // Half of the stand of each foot lies ahead of the hips, half behind.
        let end = REST + (STEPS + 1) as f32 * BEAT;
        let steps = |time: f32| ((time - REST) / BEAT - 0.55).clamped(0.0, STEPS as f32);
        // Evenly but for a soft start and end.
        let mean = (-8..=8)
            .map(|shift| steps(time + 0.05 * shift as f32))
            .sum::<f32>()
            / 17.0;
        let at = Vec3::new(0.0, mean * self.climb.rise - drop, mean * self.climb.depth);
        let beat = std::f32::consts::TAU * (time.min(end) - REST) / (2.0 * BEAT);
        let arm = |sign: f32| ArmPose {
            lower: 1.36,
            swing: 0.25 * sign * beat.sin(),
            elbow: 0.35,
            roll: -0.12,
            ..ArmPose::default()
        };
        Pose {
            hips: self.puppet.at("Hips") + at,
            pelvis: Vec3::new(0.06, 0.0, 0.0),
            chest: Vec3::new(0.10, 0.0, 0.0),
            head: Vec3::ZERO,
            arms: [arm(1.0), arm(-1.0)],
            feet: [self.foot(0, time), self.foot(1, time)],
            curl: [1.1, 1.1],
            knees_apart: 0.08,
        }
    }
}

/// A climb of the adult at 60 keys a second; of each contact of the clip the step.
pub fn stairs(climb: Climb) -> (SampleClip, Vec<StepContact>) {
    let puppet = Puppet::new(60.0);
    let climber = Climber {
        puppet: &puppet,
        climb,
    };
    let seconds = REST + (STEPS + 1) as f32 * BEAT + REST;
    // The least by which the hips go down so that no leg has to be longer than it is.
    let drops: Vec<f32> = std::iter::successors(Some(0.01), |drop| Some(drop + 0.005))
        .take_while(|drop| *drop < 0.405)
        .collect();
    let is_too_high = |drop: &f32| {
        let (_, reach) = puppet.record("stairs", seconds, &|time| climber.pose(time, *drop), None);
        reach > 0.99
    };
    let low_enough = drops.partition_point(is_too_high);
    let drop = drops[low_enough.min(drops.len() - 1)];
    let (mut contacts, mut steps) = (Vec::new(), Vec::new());
    for (side, (name, _)) in SIDES.into_iter().enumerate() {
        let own: Vec<usize> = Climber::steps(side).collect();
        for (index, &step) in own.iter().enumerate() {
            // The swing to the step behind the last goes to the last: both feet end there.
            if step > STEPS + 1 {
                continue;
            }
            let start = if step == 0 {
                0.0
            } else {
                Climber::swing_to(step).1
            };
            let end = own
                .get(index + 1)
                .map_or(seconds, |next| Climber::swing_to(*next).0);
            for joint in ["Foot", "ToeBase"] {
                contacts.push(puppet.contact(&format!("{name}{joint}"), start, end));
                steps.push(StepContact {
                    step: step.min(STEPS),
                    height: step.min(STEPS) as f32 * climb.rise,
                });
            }
        }
    }
    let sample = puppet.sample(
        "stairs",
        seconds,
        &|time| climber.pose(time, drop),
        contacts,
    );
    (sample, steps)
}
