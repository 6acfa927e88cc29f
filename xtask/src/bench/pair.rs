//! The input of the bench: a source in T-pose with Y along its limbs, a target in A-pose with X along
//! them, 65 joints each, and a clip in which everything turns and the hips travel.

use anyhow::Result;
use rebone_io::gltf::{Container, write_character};
use rebone_model::rotation::shortest_arc;
use rebone_model::{
    Affine3A, Character, Clip, Interpolation, Mesh, NewJoint, Quat, Skeleton, SkeletonBuilder,
    Skin, Track, Transform, Vec3,
};
use std::fmt::Write as _;
use std::sync::Arc;

/// Joints of each rig.
pub(super) const JOINTS: usize = 65;
/// Frames of the clip, at 60 a second.
pub(super) const FRAMES: usize = 600;
/// How far the arms of the A-pose hang.
const ARMS_DOWN_DEGREES: f32 = 40.0;

/// One joint: both names, the joint above by index, and where it lies in T-pose.
struct Part {
    source: String,
    target: String,
    parent: Option<usize>,
    position: Vec3,
    /// +1 for joints of the left arm, -1 for those of the right.
    arm: f32,
}

/// Both characters.
pub(super) struct Pair {
    pub(super) source: Character,
    pub(super) target: Character,
    /// Model-space rotations of the target's joints when it stands in T-pose as the source does.
    target_t_pose: Vec<Quat>,
}

impl Pair {
    pub(super) fn new() -> Self {
        let parts = parts();
        let source = character(&parts, |part| &part.source, Vec3::Y, 1.0, 0.0).0;
        let (target, target_t_pose) =
            character(&parts, |part| &part.target, Vec3::X, 1.1, ARMS_DOWN_DEGREES);
        let mut pair = Self {
            source,
            target,
            target_t_pose,
        };
        pair.source.clips = vec![clip(&pair.source.skeleton)];
        pair
    }

    pub(super) fn source_glb(&self) -> Result<Vec<u8>> {
        Ok(write_character(&self.source, Container::Glb)?.bytes)
    }

    pub(super) fn target_glb(&self) -> Result<Vec<u8>> {
        Ok(write_character(&self.target, Container::Glb)?.bytes)
    }

    /// What three.js has to be told: which joint follows which, and by what constant turn.
    pub(super) fn settings_json(&self) -> String {
        let rest = rebone_model::kinematics::model_pose(
            &self.source.skeleton,
            &self.source.skeleton.rest_pose(),
        );
        let mut text = String::from("{\"hip\":\"mixamorig:Hips\",\"joints\":[");
        let joints = self
            .source
            .skeleton
            .joints()
            .iter()
            .zip(self.target.skeleton.joints());
        for (joint, (from, to)) in joints.enumerate() {
            let turn = rest.rotation(joint).conjugate() * self.target_t_pose[joint];
            let separator = if joint == 0 { "" } else { "," };
            // Writing into a String cannot fail.
            let _ = write!(
                text,
                "{separator}{{\"source\":{:?},\"target\":{:?},\"offset\":{:?}}}",
                from.name,
                to.name,
                turn.to_array()
            );
        }
        text + "]}"
    }
}

/// A joint: its names in the source and the target, the source's name of the joint above, and its position in T-pose.
/// In the tables of limbs, names have no side, and positions are those of the left limb.
type TableRow = (&'static str, &'static str, &'static str, [f32; 3]);

const TRUNK: [TableRow; 7] = [
    ("Hips", "pelvis", "", [0.0, 0.95, 0.0]),
    ("Spine", "spine_01", "Hips", [0.0, 1.05, 0.0]),
    ("Spine1", "spine_02", "Spine", [0.0, 1.17, 0.0]),
    ("Spine2", "spine_03", "Spine1", [0.0, 1.30, 0.0]),
    ("Neck", "neck_01", "Spine2", [0.0, 1.48, 0.0]),
    ("Head", "head", "Neck", [0.0, 1.58, 0.0]),
    ("HeadTop_End", "head_end", "Head", [0.0, 1.78, 0.0]),
];
const SHOULDER: [TableRow; 1] = [("Shoulder", "clavicle", "Spine2", [0.06, 1.43, 0.0])];
const ARM: [TableRow; 3] = [
    ("Arm", "upperarm", "Shoulder", [0.18, 1.43, 0.0]),
    ("ForeArm", "lowerarm", "Arm", [0.45, 1.43, 0.0]),
    ("Hand", "hand", "ForeArm", [0.70, 1.43, 0.0]),
];
const FINGERS: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Pinky"];
const LEG: [TableRow; 5] = [
    ("UpLeg", "thigh", "Hips", [0.1, 0.90, 0.0]),
    ("Leg", "calf", "UpLeg", [0.1, 0.50, 0.0]),
    ("Foot", "foot", "Leg", [0.1, 0.08, 0.0]),
    ("ToeBase", "ball", "Foot", [0.1, 0.02, 0.13]),
    ("Toe_End", "ball_end", "ToeBase", [0.1, 0.02, 0.20]),
];

/// One side of the body.
#[derive(Clone, Copy)]
struct Side {
    /// Its word in names of the source.
    name: &'static str,
    /// Its letter in names of the target.
    letter: &'static str,
    /// +1 for the left, -1 for the right.
    sign: f32,
}

const SIDES: [Side; 2] = [
    Side {
        name: "Left",
        letter: "l",
        sign: 1.0,
    },
    Side {
        name: "Right",
        letter: "r",
        sign: -1.0,
    },
];

/// The parts that were added so far.
#[derive(Default)]
struct Parts(Vec<Part>);

impl Parts {
    /// Adds a part below the one that the source calls `above`.
    fn add(&mut self, part: Part, above: &str) {
        let parent = self.0.iter().position(|other| other.source == above);
        self.0.push(Part { parent, ..part });
    }

    fn add_trunk(&mut self) {
        for (source, target, above, position) in TRUNK {
            let part = Part {
                source: source.to_owned(),
                target: target.to_owned(),
                parent: None,
                position: position.into(),
                arm: 0.0,
            };
            self.add(part, above);
        }
    }

    /// Adds the joints of a limb; `arm` is that of each [`Part`].
    fn add_limb(&mut self, side: Side, rows: &[TableRow], arm: f32) {
        for &(source, target, parent, [out, height, forward]) in rows {
            let is_trunk = TRUNK.iter().any(|(name, ..)| *name == parent);
            let above = if is_trunk {
                parent.to_owned()
            } else {
                format!("{}{parent}", side.name)
            };
            let part = Part {
                source: format!("{}{source}", side.name),
                target: format!("{target}_{}", side.letter),
                parent: None,
                position: Vec3::new(side.sign * out, height, forward),
                arm,
            };
            self.add(part, &above);
        }
    }

    fn add_fingers(&mut self, side: Side) {
        let hand = format!("{}Hand", side.name);
        for (number, finger) in FINGERS.into_iter().enumerate() {
            let forward = 0.04 - 0.02 * number as f32;
            let mut above = hand.clone();
            for link in 1..=4 {
                let source = format!("{hand}{finger}{link}");
                let out = 0.75 + 0.03 * link as f32;
                let part = Part {
                    source: source.clone(),
                    target: format!("{}_{link:02}_{}", finger.to_lowercase(), side.letter),
                    parent: None,
                    position: Vec3::new(side.sign * out, 1.43, forward),
                    arm: side.sign,
                };
                self.add(part, &above);
                above = source;
            }
        }
    }
}

fn parts() -> Vec<Part> {
    let mut parts = Parts::default();
    parts.add_trunk();
    for side in SIDES {
        parts.add_limb(side, &SHOULDER, 0.0);
        parts.add_limb(side, &ARM, side.sign);
        parts.add_fingers(side);
        parts.add_limb(side, &LEG, 0.0);
    }
    for part in &mut parts.0 {
        part.source = format!("mixamorig:{}", part.source);
    }
    parts.0
}

/// A character with `along` pointing down each limb, and its model-space rotations in T-pose.
fn character(
    parts: &[Part],
    name: impl Fn(&Part) -> &String,
    along: Vec3,
    size: f32,
    arms_down_degrees: f32,
) -> (Character, Vec<Quat>) {
    let shoulder = |part: &Part| Vec3::new(part.arm * 0.18, 1.43, 0.0);
    let drop = |part: &Part| Quat::from_rotation_z(-part.arm * arms_down_degrees.to_radians());
    let t_pose: Vec<Quat> = (0..parts.len())
        .map(|joint| {
            let below = parts.iter().find(|part| part.parent == Some(joint));
            let direction = match (below, parts[joint].parent) {
                (Some(below), _) => below.position - parts[joint].position,
                (None, Some(above)) => parts[joint].position - parts[above].position,
                (None, None) => Vec3::Y,
            };
            shortest_arc(along, direction, Vec3::Z)
        })
        .collect();
    let placed: Vec<(Quat, Vec3)> = parts
        .iter()
        .zip(&t_pose)
        .map(|(part, &turn)| {
            let pivot = shoulder(part);
            let position = pivot + drop(part) * (part.position - pivot);
            (drop(part) * turn, position * size)
        })
        .collect();
    let mut builder = SkeletonBuilder::new();
    for (part, &(rotation, position)) in parts.iter().zip(&placed) {
        let (above, origin) = part
            .parent
            .map_or((Quat::IDENTITY, Vec3::ZERO), |above| placed[above]);
        let rest = Transform {
            translation: above.conjugate() * (position - origin),
            rotation: above.conjugate() * rotation,
            scale: Vec3::ONE,
        };
        builder.add(NewJoint::new(name(part).clone(), part.parent, rest));
    }
    let (skeleton, _) = builder.build().unwrap_or_default();
    let mut character = Character {
        name: name(&parts[0]).clone(),
        skeleton,
        ..Character::default()
    };
    character.skins = vec![Skin {
        name: "skin".to_owned(),
        joints: (0..parts.len()).collect(),
        inverse_bind: placed
            .iter()
            .map(|&(rotation, position)| {
                Affine3A::from_rotation_translation(rotation, position).inverse()
            })
            .collect(),
    }];
    character.meshes = vec![mesh(&placed)];
    (character, t_pose)
}

/// A small triangle at each joint, so that the skin moves something.
fn mesh(placed: &[(Quat, Vec3)]) -> Mesh {
    let mut mesh = Mesh {
        name: "mesh".to_owned(),
        skin: Some(0),
        ..Mesh::default()
    };
    for (joint, (_, position)) in placed.iter().enumerate() {
        for corner in [Vec3::ZERO, Vec3::X, Vec3::Y] {
            mesh.indices.push(mesh.positions.len() as u32);
            mesh.positions.push(*position + corner * 0.02);
            mesh.normals.push(Vec3::Z);
            mesh.joint_slots.push([joint as u16, 0, 0, 0]);
            mesh.joint_weights.push([1.0, 0.0, 0.0, 0.0]);
        }
    }
    mesh
}

/// Every joint swings about its own axis at its own pace, and the hips walk ahead.
fn clip(skeleton: &Skeleton) -> Clip {
    let times: Arc<[f32]> = (0..FRAMES).map(|frame| frame as f32 / 60.0).collect();
    let mut clip = Clip::new("swing", skeleton.len());
    for (joint, tracks) in clip.joints.iter_mut().enumerate() {
        let rest = skeleton.joints()[joint].rest;
        let axis =
            Vec3::new((joint as f32).sin(), (2.0 * joint as f32).cos(), 0.5).normalize_or_zero();
        let turns = times
            .iter()
            .map(|time| {
                let phase = time * (1.0 + 0.1 * (joint % 7) as f32) + joint as f32;
                rest.rotation * Quat::from_axis_angle(axis, 0.3 * phase.sin())
            })
            .collect();
        tracks.rotation = Track::new(Interpolation::Linear, Arc::clone(&times), turns).ok();
        if joint == 0 {
            let places = times
                .iter()
                .map(|time| {
                    rest.translation + Vec3::new(0.0, 0.03 * (6.0 * time).sin(), 0.8 * time)
                })
                .collect();
            tracks.translation = Track::new(Interpolation::Linear, Arc::clone(&times), places).ok();
        }
    }
    clip
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pair_is_as_the_table_says() {
        let pair = Pair::new();
        assert_eq!(pair.source.skeleton.len(), JOINTS);
        assert_eq!(pair.target.skeleton.len(), JOINTS);
        assert_eq!(pair.source.clips[0].frame_count(), FRAMES);
        assert_eq!(pair.source.clips[0].animated_joint_count(), JOINTS);
        assert!(pair.source_glb().unwrap().len() > FRAMES * JOINTS * 16);
        let settings: serde_json::Value = serde_json::from_str(&pair.settings_json()).unwrap();
        assert_eq!(settings["joints"].as_array().unwrap().len(), JOINTS);
    }
}
