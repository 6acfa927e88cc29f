//! The joints of any skeleton as the hierarchy of a new BVH.

use super::channels::ChannelAxis;
use super::text::{push_number, safe_name};
use super::write::too_large;
use crate::error::Error;
use crate::euler::unit;
use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use rebone_model::usable::is_usable_vector;
use rebone_model::{JointKind, Skeleton};
use std::collections::BTreeMap;

/// The order of the rotation channels: the one most tools write.
pub(super) const ORDER: [ChannelAxis; 3] = [ChannelAxis::Z, ChannelAxis::X, ChannelAxis::Y];
const POSITIONS: &str = "Xposition Yposition Zposition ";
const ROTATIONS: &str = "Zrotation Xrotation Yrotation";

/// A joint as it is written.
pub(super) struct Node {
    /// Index in the skeleton.
    pub(super) joint: usize,
    /// Index among the nodes.
    pub(super) parent: Option<usize>,
    children: Vec<usize>,
    name: String,
    pub(super) offset: DVec3,
    end: DVec3,
    /// Q₀⁻¹
    pub(super) rest_inverse: DQuat,
}

/// The joints without the nodes above and between them.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    roots: Vec<usize>,
    /// Nodes in the order in which the file lists them: each with all that is below it.
    pub(super) order: Vec<usize>,
    /// Largest distance between a joint and its parent.
    pub(super) size: f64,
}

impl Tree {
    /// The joints of a skeleton in its rest pose, lengths times `scale`.
    pub(super) fn new(skeleton: &Skeleton, scale: f64) -> Result<Self, Error> {
        let joints = skeleton.joints();
        let mut model = Placements::default();
        model.update(skeleton, |joint| {
            let rest = joints[joint].rest;
            (rest.translation, rest.rotation, rest.scale)
        });
        let mut tree = Self::default();
        // For each joint the node that it is, or the nearest one above it.
        let mut node_of: Vec<Option<usize>> = Vec::with_capacity(joints.len());
        let mut names = BTreeMap::new();
        for (index, joint) in joints.iter().enumerate() {
            let parent = joint.parent.and_then(|parent| node_of[parent]);
            if joint.kind == JointKind::Ancestor {
                node_of.push(parent);
                continue;
            }
            let placed = model.affines[index];
            let from = parent.map_or(DVec3::ZERO, |parent| {
                model.affines[tree.nodes[parent].joint].translation
            });
            let end = joint.end.unwrap_or(Vec3::ZERO).as_dvec3();
            let node = tree.add(Node {
                joint: index,
                parent,
                children: Vec::new(),
                name: free_name(&joint.name, index, &mut names),
                offset: (placed.translation - from) * scale,
                end: placed.transform_vector3(end) * scale,
                rest_inverse: model.rotations[index].conjugate(),
            })?;
            node_of.push(Some(node));
        }
        if tree.nodes.is_empty() {
            return Err(Error::caller(
                "the character has no joints",
                "skeleton",
                "choose a character with a skeleton",
            ));
        }
        tree.order = tree.depth_first();
        Ok(tree)
    }

    /// Adds a node below its parent and returns its index. Fails where it would lie too far away.
    fn add(&mut self, node: Node) -> Result<usize, Error> {
        let places = [node.offset, node.end].map(DVec3::as_vec3);
        if !places.into_iter().all(is_usable_vector) {
            return Err(too_large("HIERARCHY"));
        }
        let index = self.nodes.len();
        match node.parent {
            Some(parent) => {
                self.size = self.size.max(node.offset.length());
                self.nodes[parent].children.push(index);
            }
            None => self.roots.push(index),
        }
        self.size = self.size.max(node.end.length());
        self.nodes.push(node);
        Ok(index)
    }

    /// All nodes, each with all that is below it.
    fn depth_first(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut waiting: Vec<usize> = self.roots.iter().rev().copied().collect();
        while let Some(node) = waiting.pop() {
            order.push(node);
            waiting.extend(self.nodes[node].children.iter().rev());
        }
        order
    }

    /// Appends the text of the hierarchy; `moves` says which nodes have position channels.
    pub(super) fn push_hierarchy(&self, text: &mut Vec<u8>, moves: &[bool]) {
        text.extend_from_slice(b"HIERARCHY\n");
        let mut open: Vec<Option<usize>> = Vec::new();
        if self.is_joined() {
            let taken: Vec<&str> = self.nodes.iter().map(|node| node.name.as_str()).collect();
            let mut name = "Root".to_owned();
            while taken.contains(&name.as_str()) {
                name.push('_');
            }
            push_joint(text, 0, "ROOT", &name, DVec3::ZERO, true);
            open.push(None);
        }
        for &index in &self.order {
            let node = &self.nodes[index];
            // Whatever is open and not the parent has no more children.
            while open.last().is_some_and(|above| *above != node.parent) {
                open.pop();
                push_line(text, open.len(), "}");
            }
            let word = if open.is_empty() { "ROOT" } else { "JOINT" };
            push_joint(
                text,
                open.len(),
                word,
                &node.name,
                node.offset,
                moves[index],
            );
            open.push(Some(index));
            if node.children.is_empty() {
                let depth = open.len();
                push_line(text, depth, "End Site");
                push_line(text, depth, "{");
                push_offset(text, depth + 1, node.end);
                push_line(text, depth, "}");
            }
        }
        while open.pop().is_some() {
            push_line(text, open.len(), "}");
        }
    }

    /// True where several roots need an artificial one.
    pub(super) fn is_joined(&self) -> bool {
        self.roots.len() > 1
    }
}

/// A name that no joint has yet, and takes it. `taken` holds for each name the number to try next.
fn free_name(name: &str, index: usize, taken: &mut BTreeMap<String, usize>) -> String {
    let mut base = safe_name(name);
    if base.is_empty() {
        base = format!("node_{index}");
    }
    let mut number = taken.get(&base).copied().unwrap_or(1);
    let mut free = base.clone();
    while taken.contains_key(&free) {
        number += 1;
        free = format!("{base}_{number}");
    }
    taken.insert(base, number);
    taken.entry(free.clone()).or_insert(1);
    free
}

/// Positions and rotations in model space, in double precision.
#[derive(Default)]
pub(super) struct Placements {
    pub(super) affines: Vec<DAffine3>,
    pub(super) rotations: Vec<DQuat>,
}

impl Placements {
    /// Places all joints by their local translation, rotation and scale.
    pub(super) fn update(
        &mut self,
        skeleton: &Skeleton,
        local: impl Fn(usize) -> (Vec3, Quat, Vec3),
    ) {
        self.affines.clear();
        self.rotations.clear();
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let (translation, rotation, scale) = local(index);
            let mut rotation = unit(rotation.as_dquat());
            let mut affine = DAffine3::from_scale_rotation_translation(
                scale.as_dvec3(),
                rotation,
                translation.as_dvec3(),
            );
            if let Some(parent) = joint.parent {
                affine = self.affines[parent] * affine;
                rotation = unit(self.rotations[parent] * rotation);
            }
            self.affines.push(affine);
            self.rotations.push(rotation);
        }
    }
}

fn push_joint(
    text: &mut Vec<u8>,
    depth: usize,
    word: &str,
    name: &str,
    offset: DVec3,
    moves: bool,
) {
    push_line(text, depth, &format!("{word} {name}"));
    push_line(text, depth, "{");
    push_offset(text, depth + 1, offset);
    let (count, positions) = if moves { (6, POSITIONS) } else { (3, "") };
    push_line(
        text,
        depth + 1,
        &format!("CHANNELS {count} {positions}{ROTATIONS}"),
    );
}

fn push_offset(text: &mut Vec<u8>, depth: usize, offset: DVec3) {
    push_indent(text, depth);
    text.extend_from_slice(b"OFFSET");
    for part in offset.to_array() {
        text.push(b' ');
        push_number(text, part, 9);
    }
    text.push(b'\n');
}

fn push_line(text: &mut Vec<u8>, depth: usize, line: &str) {
    push_indent(text, depth);
    text.extend_from_slice(line.as_bytes());
    text.push(b'\n');
}

fn push_indent(text: &mut Vec<u8>, depth: usize) {
    text.resize(text.len() + depth, b'\t');
}
