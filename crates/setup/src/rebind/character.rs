//! A character of the re-based skeleton and the target's skin.

use super::build::RetargetedBind;
use super::tree::affine;
use glam::{DAffine3, Mat4};
use rebone_model::{
    Character, JointKind, Mesh, NewJoint, Skeleton, SkeletonBuilder, SkeletonError, Skin, Transform,
};
use std::collections::BTreeSet;

/// Name of the node above all.
const CONTAINER: &str = "Rebound";

/// The target's skin on the source's skeleton.
#[derive(Clone, Debug)]
pub struct Rebound {
    /// Skeleton, skins, meshes and materials; no clips yet.
    pub character: Character,
    /// The joint of each node.
    pub joint_of_node: Vec<usize>,
    /// The joint of each joint of the target; `None` for those that stand still and carry nothing.
    pub joint_of_target: Vec<Option<usize>>,
}

/// Hangs the target's skins and meshes from the re-based skeleton. The joints have the source's names; copies of
/// a joint get a number behind it. Joints that only the target has become rigid children, under their own
/// names, with `_target` behind one that the source has too.
///
/// Fails where a scale of the files has no finite inverse.
pub fn rebound_character(
    source: &Skeleton,
    target: &Character,
    bind: &RetargetedBind,
) -> Result<Rebound, SkeletonError> {
    let mut plot = Plot::new(source, bind);
    let riders = plot.add_riders(target, bind);
    let mut joint_of_target: Vec<Option<usize>> = Vec::with_capacity(riders.len());
    for (joint, rider) in riders.iter().enumerate() {
        let bound = &bind.rebind.joints[joint];
        let own = bound.is_driven.then_some(bound.node);
        joint_of_target.push(own.or(rider.as_ref().map(|rider| rider.index)));
    }
    let (skeleton, index_of) = plot.builder.build()?;
    let skins = target.skins.iter().map(|skin| {
        let slots = skin.joints.iter().zip(&skin.inverse_bind);
        let (joints, inverse_bind) = slots
            .map(|(&joint, inverse)| {
                let bound = &bind.rebind.joints[joint];
                let frame = match (&riders[joint], bound.is_driven) {
                    (Some(rider), false) => rider.node_from_rider.inverse(),
                    _ => DAffine3::IDENTITY,
                };
                let node = joint_of_target[joint].map_or(0, |added| index_of[added]);
                let inverse = frame * node_from_joint(bind, joint) * inverse.as_daffine3();
                (node, inverse.as_affine3a())
            })
            .unzip();
        Skin {
            name: skin.name.clone(),
            joints,
            inverse_bind,
        }
    });
    let skins = skins.collect();
    let meshes = target.meshes.iter().map(|mesh| Mesh {
        joint: mesh
            .joint
            .and_then(|joint| riders[joint].as_ref())
            .map(|rider| index_of[rider.index]),
        ..mesh.clone()
    });
    Ok(Rebound {
        character: Character {
            name: target.name.clone(),
            meshes: meshes.collect(),
            skeleton,
            skins,
            materials: target.materials.clone(),
            images: target.images.clone(),
            left_out: target.left_out.clone(),
            ..Character::default()
        },
        joint_of_node: (0..bind.rebind.nodes.len())
            .map(|node| index_of[node])
            .collect(),
        joint_of_target: (joint_of_target.into_iter())
            .map(|added| added.map(|added| index_of[added]))
            .collect(),
    })
}

/// K⁻¹ · R of a joint in double precision.
fn node_from_joint(bind: &RetargetedBind, joint: usize) -> DAffine3 {
    let node = bind.rebind.joints[joint].node;
    bind.world[node].inverse() * bind.pose_retarget[joint]
}

/// A joint of the target that is rigid with a node.
struct Rider {
    /// Its place in the builder.
    index: usize,
    /// Where the new joint really is: as a file can say it, without shear.
    node_from_rider: DAffine3,
}

/// The new skeleton as it grows. Nodes come first and keep their numbers.
struct Plot {
    builder: SkeletonBuilder,
    names: BTreeSet<String>,
}

impl Plot {
    fn new(source: &Skeleton, bind: &RetargetedBind) -> Self {
        let mut plot = Self {
            builder: SkeletonBuilder::new(),
            names: BTreeSet::new(),
        };
        let mut is_taken = vec![false; source.len()];
        // The first node of a joint has the joint's own name, whatever the names of copies are.
        plot.names
            .extend(source.joints().iter().map(|joint| joint.name.clone()));
        for node in &bind.rebind.nodes {
            let (name, kind, end) = match node.source {
                None => (plot.free_name(CONTAINER), JointKind::Ancestor, None),
                Some(joint) => {
                    let own = &source.joints()[joint];
                    let is_copy = std::mem::replace(&mut is_taken[joint], true);
                    let name = if is_copy {
                        plot.free_name(&own.name)
                    } else {
                        own.name.clone()
                    };
                    (name, own.kind, own.end)
                }
            };
            plot.builder.add(NewJoint {
                kind,
                end,
                ..NewJoint::new(name, node.parent, node.rest)
            });
        }
        plot
    }

    /// A name that no joint has yet: the wanted one, or one with a number.
    fn free_name(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }

    /// Joints for what of the target is no node: what is rigid with a node, and what carries rigid meshes.
    fn add_riders(&mut self, target: &Character, bind: &RetargetedBind) -> Vec<Option<Rider>> {
        let skeleton = &target.skeleton;
        let joints = &bind.rebind.joints;
        let mut is_needed: Vec<bool> = joints
            .iter()
            .map(|bound| bound.node != 0 && !bound.is_driven)
            .collect();
        for skin in &target.skins {
            for &joint in &skin.joints {
                is_needed[joint] |= joints[joint].node == 0;
            }
        }
        for mesh in &target.meshes {
            if let Some(joint) = mesh.joint.filter(|_| mesh.skin.is_none()) {
                is_needed[joint] = true;
            }
        }
        let mut riders: Vec<Option<Rider>> = (0..skeleton.len()).map(|_| None).collect();
        for joint in 0..skeleton.len() {
            if !is_needed[joint] {
                continue;
            }
            let node = joints[joint].node;
            let wanted = node_from_joint(bind, joint);
            let above = skeleton.parent(joint).and_then(|parent| {
                let rider = riders[parent].as_ref()?;
                let is_free = !joints[parent].is_driven && !joints[joint].is_driven;
                (is_free && joints[parent].node == node).then_some(rider)
            });
            let (parent, frame) = match above {
                Some(rider) => (rider.index, rider.node_from_rider),
                None => (node, DAffine3::IDENTITY),
            };
            let local = (frame.inverse() * wanted).as_affine3a();
            let (rest, _) = Transform::from_matrix(Mat4::from(local));
            let own = &skeleton.joints()[joint];
            let name = if self.names.contains(&own.name) {
                self.free_name(&format!("{}_target", own.name))
            } else {
                self.free_name(&own.name)
            };
            let index = self.builder.add(NewJoint {
                kind: own.kind,
                end: own.end,
                ..NewJoint::new(name, Some(parent), rest)
            });
            riders[joint] = Some(Rider {
                index,
                node_from_rider: frame * affine(&rest),
            });
        }
        riders
    }
}
