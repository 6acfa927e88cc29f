//! An animal as a character, in whatever axes, units and rest pose.

use super::Pose;
use super::body::Animal;
use super::leg::{PawGoal, place};
use crate::random::Generator;
use glam::{DQuat, DVec3};
use rebone_model::{Character, Clip, Interpolation, NewJoint, SkeletonBuilder, Track, Transform};
use std::sync::Arc;

/// How a file writes an animal down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Writing {
    /// Turns canonical space to the file's.
    pub file_from_canonical: DQuat,
    /// File units a metre.
    pub units: f64,
    /// Seed of the joints' own axes; `None` for the file's.
    pub axes: Option<u64>,
    /// How much lower than standing the body is in the rest pose, heights of the hip joints; the paws stay flat on the floor.
    pub crouch: f64,
}

impl Default for Writing {
    fn default() -> Self {
        Self {
            file_from_canonical: DQuat::IDENTITY,
            units: 1.0,
            axes: None,
            crouch: 0.0,
        }
    }
}

impl Writing {
    fn frames(&self, animal: &Animal) -> Vec<DQuat> {
        let own = |name: &str, seed: u64| {
            let sum = name.bytes().fold(seed, |sum, byte| {
                sum.wrapping_mul(31).wrapping_add(u64::from(byte))
            });
            Generator::new(sum).rotation()
        };
        let joints = animal.joints.iter();
        joints
            .map(|joint| match self.axes {
                Some(seed) => own(&joint.name, seed),
                None => self.file_from_canonical.conjugate(),
            })
            .collect()
    }

    fn rest(&self, animal: &Animal) -> Pose {
        let mut pose = Pose {
            turns: vec![DQuat::IDENTITY; animal.joints.len()],
            places: animal.joints.iter().map(|joint| joint.place).collect(),
        };
        let down = DVec3::Y * (self.crouch * animal.build.hind);
        for place in &mut pose.places {
            *place -= down;
        }
        if self.crouch != 0.0 {
            for limb in &animal.limbs {
                let goal = PawGoal {
                    place: animal.place(limb.paw()),
                    pitch: 0.0,
                    toes_pitch: 0.0,
                };
                let root = pose.places[limb.joints[0]];
                place(animal, limb, root, goal, &mut pose);
            }
        }
        pose
    }

    fn locals(&self, animal: &Animal, frames: &[DQuat], pose: &Pose) -> Vec<Transform> {
        let turned = |joint: usize| self.file_from_canonical * pose.turns[joint] * frames[joint];
        let at = |joint: usize| self.file_from_canonical * pose.places[joint] * self.units;
        let joints = animal.joints.iter().enumerate();
        joints
            .map(|(index, joint)| {
                let (above, from) = match joint.parent {
                    Some(parent) => (turned(parent).conjugate(), at(parent)),
                    None => (DQuat::IDENTITY, DVec3::ZERO),
                };
                Transform {
                    translation: (above * (at(index) - from)).as_vec3(),
                    rotation: (above * turned(index)).as_quat(),
                    scale: glam::Vec3::ONE,
                }
            })
            .collect()
    }

    /// The character; its joints have the numbers of the animal's.
    pub fn character(&self, animal: &Animal) -> Character {
        let frames = self.frames(animal);
        let locals = self.locals(animal, &frames, &self.rest(animal));
        let mut builder = SkeletonBuilder::new();
        for (joint, rest) in animal.joints.iter().zip(locals) {
            builder.add(NewJoint::new(joint.name.clone(), joint.parent, rest));
        }
        let (skeleton, order) = builder.build().expect("the joints make a skeleton");
        assert!(
            order.iter().enumerate().all(|(old, &new)| old == new),
            "joints keep their numbers"
        );
        Character {
            name: "animal".to_owned(),
            skeleton,
            ..Character::default()
        }
    }

    pub(super) fn clip(&self, animal: &Animal, name: &str, rate_hz: f64, poses: &[Pose]) -> Clip {
        let frames = self.frames(animal);
        let times: Arc<[f32]> = (0..poses.len())
            .map(|key| (key as f64 / rate_hz) as f32)
            .collect();
        let all: Vec<Vec<Transform>> = poses
            .iter()
            .map(|pose| self.locals(animal, &frames, pose))
            .collect();
        let mut clip = Clip::new(name, animal.joints.len());
        clip.rate_hz = Some(rate_hz);
        for (joint, tracks) in clip.joints.iter_mut().enumerate() {
            let mut values: Vec<glam::Quat> =
                all.iter().map(|locals| locals[joint].rotation).collect();
            for key in 1..values.len() {
                values[key] = rebone_model::rotation::same_hemisphere(values[key], values[key - 1]);
            }
            tracks.rotation = Track::new(Interpolation::Linear, times.clone(), values).ok();
            if animal.joints[joint].parent.is_none() {
                let values = all.iter().map(|locals| locals[joint].translation).collect();
                tracks.translation = Track::new(Interpolation::Linear, times.clone(), values).ok();
            }
        }
        clip
    }
}
