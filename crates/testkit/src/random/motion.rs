//! Smooth motions of a body, as functions of time.

use super::body::Body;
use super::generator::Generator;
use glam::{DQuat, DVec3};
use std::collections::BTreeMap;

/// How a motion is written as keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keys {
    /// 30 linear keys a second.
    Linear,
    /// 6 keys a second with tangents.
    Cubic,
    /// 10 keys a second, held.
    Step,
    /// Each joint another of the above, some not at all.
    Mixed,
}

#[derive(Clone, Copy, Debug)]
struct Wave {
    amount: DVec3,
    speed: f64,
    phase: f64,
}

impl Wave {
    fn at(&self, time: f64) -> DVec3 {
        self.amount * (self.speed * time + self.phase).sin()
    }
}

/// Turns of all joints over time, and the way of the hips. A joint is known by its key, so that a motion
/// fits every body that shares the joints.
#[derive(Clone, Debug)]
pub struct Motion {
    turns: BTreeMap<String, Vec<Wave>>,
    travel: Vec<Wave>,
    heading: f64,
    lies: bool,
    /// Seconds.
    pub seconds: f64,
}

impl Motion {
    /// All joints of the body turn, its hips walk about and turn round. Turns reach 40 degrees.
    pub fn random(generator: &mut Generator, body: &Body) -> Self {
        let wave = |generator: &mut Generator, size: f64| Wave {
            amount: generator.vector(size),
            speed: generator.between(1.0, 6.0),
            phase: generator.between(0.0, 6.0),
        };
        let turns = body
            .joints
            .iter()
            .map(|joint| {
                let size = if joint.key == "hips" { 0.15 } else { 0.3 };
                let waves = vec![wave(generator, size), wave(generator, 0.5 * size)];
                (joint.key.clone(), waves)
            })
            .collect();
        let size = body.height();
        let travel = vec![
            wave(generator, 0.05 * size),
            Wave {
                amount: DVec3::new(0.4 * size, 0.02 * size, size),
                speed: generator.between(0.5, 1.5),
                phase: generator.between(0.0, 6.0),
            },
        ];
        Self {
            turns,
            travel,
            heading: generator.between(-1.0, 1.0),
            lies: false,
            seconds: 1.0,
        }
    }

    /// Leaves a joint at rest.
    pub fn hold(mut self, key: &str) -> Self {
        self.turns.remove(key);
        self
    }

    /// The body lies on its back, its hips about so high over the floor on which it stands in the T-pose, and stays there.
    pub fn lying(mut self, body: &Body, height: f64) -> Self {
        self.lies = true;
        self.travel = vec![Wave {
            amount: DVec3::Y * (height - body.position("hips").y),
            speed: 0.0,
            phase: std::f64::consts::FRAC_PI_2,
        }];
        self
    }

    /// Elbows and knees bend one way, as in life: from 5 to 90 degrees.
    pub fn with_hinges(mut self) -> Self {
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            let axes = [("LowerArm", DVec3::NEG_Y * sign), ("LowerLeg", DVec3::X)];
            for (part, axis) in axes {
                let wave = |amount: f64, speed: f64| Wave {
                    amount: axis * amount,
                    speed,
                    phase: std::f64::consts::FRAC_PI_2,
                };
                let turns = vec![wave(0.83, 0.0), wave(0.74, 7.0)];
                self.turns.insert(format!("{side}{part}"), turns);
            }
        }
        self
    }

    /// Turn of a joint against the joint above, in canonical axes.
    pub fn turn(&self, key: &str, time: f64) -> DQuat {
        let waves = self.turns.get(key).map_or(&[][..], Vec::as_slice);
        let vector: DVec3 = waves.iter().map(|wave| wave.at(time)).sum();
        let turn = DQuat::from_scaled_axis(vector);
        if key == "hips" {
            let lie = if self.lies {
                -std::f64::consts::FRAC_PI_2
            } else {
                0.0
            };
            DQuat::from_rotation_y(self.heading * time) * DQuat::from_rotation_x(lie) * turn
        } else {
            turn
        }
    }

    /// How far the hips are from their place in the T-pose, canonical metres.
    pub fn travel(&self, time: f64) -> DVec3 {
        self.travel.iter().map(|wave| wave.at(time)).sum()
    }
}
