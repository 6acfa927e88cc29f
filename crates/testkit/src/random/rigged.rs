//! A body in a convention: a character, its true map, and its motions as clips.

use super::body::{Body, Place};
use super::convention::{Convention, Stance};
use super::generator::Generator;
use super::motion::{Keys, Motion};
use glam::{DAffine3, DQuat, DVec3};
use rebone_model::{
    Character, Clip, Interpolation, JointKind, NewJoint, SkeletonBuilder, Track, Transform,
};
use rebone_setup::mapping::{Kind, RigMap, SlotMatch};
use rebone_setup::profile::HUMANOID;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A character of which everything is known.
#[derive(Clone, Debug)]
pub struct Rigged {
    /// The body.
    pub body: Body,
    /// How it is written down.
    pub convention: Convention,
    /// What a reader would give.
    pub character: Character,
    /// The true map.
    pub map: RigMap,
    /// Skeleton joint of each joint of the body.
    pub joint_of: Vec<usize>,
    /// Skeleton joint of each container.
    pub container_of: Vec<usize>,
    /// Rotation of each joint of the body in the T-pose, canonical.
    pub frames: Vec<DQuat>,
}

impl Rigged {
    /// Writes a body down.
    pub fn new(body: &Body, convention: &Convention) -> Self {
        let frames: Vec<DQuat> = match convention.joint_axes {
            None => vec![convention.file_from_canonical.conjugate(); body.joints.len()],
            Some(seed) => body
                .joints
                .iter()
                .map(|joint| {
                    // The same joint has the same axes whatever else the body has.
                    let own = joint.key.bytes().fold(seed, |sum, byte| {
                        sum.wrapping_mul(31).wrapping_add(u64::from(byte))
                    });
                    Generator::new(own).rotation()
                })
                .collect(),
        };
        let mut rigged = Self {
            body: body.clone(),
            convention: convention.clone(),
            character: Character::default(),
            map: RigMap {
                profile: &HUMANOID,
                dialect: "truth".to_owned(),
                kind: Kind::Humanoid,
                confidence: 1.0,
                slots: BTreeMap::new(),
                unmapped: Vec::new(),
                warnings: Vec::new(),
            },
            joint_of: Vec::new(),
            container_of: Vec::new(),
            frames,
        };
        rigged.build();
        rigged
    }

    fn build(&mut self) {
        let containers = self.convention.containers.len();
        let count = containers + self.body.joints.len();
        let (order, names) = match self.convention.names {
            None => ((0..count).collect::<Vec<_>>(), None),
            Some(seed) => {
                let mut generator = Generator::new(seed);
                (generator.order(count), Some(generator.bits()))
            }
        };
        let mut place_of = vec![0; count];
        for (place, &index) in order.iter().enumerate() {
            place_of[index] = place;
        }
        let stance = self.convention.stance;
        let mut builder = SkeletonBuilder::new();
        for &index in &order {
            let (key, above, rest, kind) = if index < containers {
                let container = self.convention.containers[index];
                let rest = Transform {
                    translation: container.translation.as_vec3(),
                    rotation: container.rotation.as_quat(),
                    scale: glam::Vec3::splat(container.scale as f32),
                };
                let name = format!("container{index}");
                (name, index.checked_sub(1), rest, JointKind::Ancestor)
            } else {
                let joint = index - containers;
                let own = &self.body.joints[joint];
                let above = match own.parent {
                    Some(parent) => Some(parent + containers),
                    None => containers.checked_sub(1),
                };
                let turn = stance_turn(&stance, &own.key);
                let (translation, rotation) = self.local(joint, turn, DVec3::ZERO);
                let rest = Transform {
                    translation: translation.as_vec3(),
                    rotation: rotation.as_quat(),
                    scale: glam::Vec3::ONE,
                };
                (own.key.clone(), above, rest, JointKind::Joint)
            };
            let name = match names {
                None => key,
                Some(seed) => format!("j{:x}", seed.wrapping_mul(2 * index as u64 + 1) >> 20),
            };
            builder.add(NewJoint {
                kind,
                ..NewJoint::new(name, above.map(|above| place_of[above]), rest)
            });
        }
        let (skeleton, index_of) = builder.build().expect("the joints make a skeleton");
        let at = |index: usize| index_of[place_of[index]];
        self.container_of = (0..containers).map(at).collect();
        self.joint_of = (containers..count).map(at).collect();
        for (joint, own) in self.body.joints.iter().enumerate() {
            let Place::Slot(slot, place) = own.place else {
                self.map.unmapped.push(self.joint_of[joint]);
                continue;
            };
            let slot = HUMANOID.find(slot).expect("the profile has this slot");
            let entry = self.map.slots.entry(slot).or_insert_with(|| SlotMatch {
                joints: Vec::new(),
                confidence: 1.0,
                evidence: "truth".to_owned(),
                runner_up: None,
            });
            assert_eq!(entry.joints.len(), place, "chains are listed in order");
            entry.joints.push(self.joint_of[joint]);
        }
        self.map.unmapped.sort_unstable();
        self.character = Character {
            name: "random".to_owned(),
            skeleton,
            ..Character::default()
        };
    }

    /// File space from the space below the containers.
    pub fn containers(&self) -> (DAffine3, DQuat) {
        let mut product = (DAffine3::IDENTITY, DQuat::IDENTITY);
        for container in &self.convention.containers {
            product.0 *= DAffine3::from_scale_rotation_translation(
                DVec3::splat(container.scale),
                container.rotation,
                container.translation,
            );
            product.1 *= container.rotation;
        }
        product
    }

    /// Local translation and rotation of a joint of the body that has turned by `turn` against the joint
    /// above and moved by `moved`, both canonical.
    fn local(&self, joint: usize, turn: DQuat, moved: DVec3) -> (DVec3, DQuat) {
        let own = &self.body.joints[joint];
        let convention = &self.convention;
        let (file_from_container, rotation) = self.containers();
        let scale = file_from_container.matrix3.determinant().cbrt();
        match own.parent {
            None => {
                let place = convention.file_from_canonical * (own.position + moved);
                (
                    file_from_container
                        .inverse()
                        .transform_point3(place * convention.units),
                    rotation.conjugate()
                        * convention.file_from_canonical
                        * turn
                        * self.frames[joint],
                )
            }
            Some(parent) => {
                let offset = own.position - self.body.joints[parent].position + moved;
                let back = self.frames[parent].conjugate();
                (
                    back * offset * (convention.units / scale),
                    back * turn * self.frames[joint],
                )
            }
        }
    }

    /// A motion as a clip: all joints of the body turn, the hips travel.
    pub fn clip(&self, motion: &Motion, keys: Keys) -> Clip {
        let mut clip = Clip::new("motion", self.character.skeleton.len());
        for (joint, own) in self.body.joints.iter().enumerate() {
            let tracks = &mut clip.joints[self.joint_of[joint]];
            let rotation = |time: f64| {
                let (_, rotation) = self.local(joint, motion.turn(&own.key, time), DVec3::ZERO);
                rotation.to_array().map(|part| part as f32)
            };
            let kind = kind_of(keys, joint);
            if let Some(kind) = kind {
                tracks.rotation = rotation_track(kind, motion.seconds, rotation);
            }
            if own.key == "hips" {
                let kind = kind.unwrap_or(Interpolation::Linear);
                let place = |time: f64| self.local(joint, DQuat::IDENTITY, motion.travel(time)).0;
                tracks.translation = place_track(kind, motion.seconds, place);
            }
        }
        clip
    }

    /// Height of the body in file units.
    pub fn file_height(&self) -> f64 {
        self.body.height() * self.convention.units
    }
}

/// Turn of a joint in the rest pose against the joint above.
fn stance_turn(stance: &Stance, key: &str) -> DQuat {
    let (sign, part) = match (key.strip_prefix("left"), key.strip_prefix("right")) {
        (Some(part), _) => (1.0, part),
        (_, Some(part)) => (-1.0, part),
        _ => return DQuat::IDENTITY,
    };
    let about_x = |degrees: f64| DQuat::from_rotation_x(degrees.to_radians());
    let about_y = |degrees: f64| DQuat::from_rotation_y(sign * degrees.to_radians());
    let pronation = about_x(0.5 * stance.pronation_degrees);
    match part {
        "UpperArm" => {
            DQuat::from_rotation_z(-sign * stance.arms_down_degrees.to_radians())
                * about_x(stance.arm_roll_degrees)
        }
        "LowerArm" => about_y(-stance.elbow_degrees) * pronation,
        "Hand" => about_x(stance.palm_degrees) * pronation,
        "UpperLeg" => about_y(stance.leg_roll_degrees),
        "LowerLeg" => about_x(stance.knee_degrees),
        "Foot" => about_x(-stance.knee_degrees) * about_y(-stance.leg_roll_degrees),
        _ => DQuat::IDENTITY,
    }
}

fn kind_of(keys: Keys, joint: usize) -> Option<Interpolation> {
    match keys {
        Keys::Linear => Some(Interpolation::Linear),
        Keys::Cubic => Some(Interpolation::CubicSpline),
        Keys::Step => Some(Interpolation::Step),
        Keys::Mixed => [
            Some(Interpolation::Linear),
            Some(Interpolation::CubicSpline),
            Some(Interpolation::Step),
            None,
        ][(joint * 7 + 1) % 4],
    }
}

fn times(kind: Interpolation, seconds: f64) -> Arc<[f32]> {
    let rate = match kind {
        Interpolation::Linear => 30.0,
        Interpolation::CubicSpline => 6.0,
        Interpolation::Step => 10.0,
    };
    (0..=(seconds * rate) as usize)
        .map(|key| (key as f64 / rate) as f32)
        .collect()
}

const STEP: f64 = 1e-4;

fn rotation_track(
    kind: Interpolation,
    seconds: f64,
    value: impl Fn(f64) -> [f32; 4],
) -> Option<Track<glam::Quat>> {
    let times = times(kind, seconds);
    let mut values: Vec<glam::Quat> = Vec::new();
    let mut before = glam::Quat::from_array(value(0.0));
    for &time in times.iter() {
        let at = |time: f64| {
            let own = glam::Quat::from_array(value(time));
            if own.dot(before) < 0.0 { -own } else { own }
        };
        let now = at(f64::from(time));
        if kind == Interpolation::CubicSpline {
            let step = STEP * 50.0;
            let tangent =
                (at(f64::from(time) + step) - at(f64::from(time) - step)) * (0.5 / step) as f32;
            values.extend([tangent, now, tangent]);
        } else {
            values.push(now);
        }
        before = now;
    }
    Track::new(kind, times, values).ok()
}

fn place_track(
    kind: Interpolation,
    seconds: f64,
    value: impl Fn(f64) -> DVec3,
) -> Option<Track<glam::Vec3>> {
    let times = times(kind, seconds);
    let mut values = Vec::new();
    for time in times.iter().map(|&time| f64::from(time)) {
        let now = value(time).as_vec3();
        if kind == Interpolation::CubicSpline {
            let tangent = ((value(time + STEP) - value(time - STEP)) / (2.0 * STEP)).as_vec3();
            values.extend([tangent, now, tangent]);
        } else {
            values.push(now);
        }
    }
    Track::new(kind, times, values).ok()
}
