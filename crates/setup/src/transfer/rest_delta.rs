//! Method `rest-delta` (seed 1, retargeting-threejs).
//!
//! v = B_p⁻¹ · A_p · w · A_i⁻¹ · B_j
//!
//! | symbol | meaning |
//! |---|---|
//! | w | source joint i, local rotation at time t |
//! | A_i, A_p | common-pose rotation of source joint i and of its parent |
//! | B_j, B_p | the same of target joint j |
//!
//! The common pose is whatever pose each side stands in: its rest or bind pose or a frame of its clip.
//! With *embedding* the rotations of the containers above the skeleton count: A := E_A · A.
//!
//! Degenerate cases: the rotation of a source joint that has no partner is lost, and so is that of an
//! animated container. Both poses are compared as they stand in their files: files of unlike up or forward
//! axes need `model-delta`. Equal to `model-delta` where joints correspond one to one and the poses look alike.
//! Source: docs/laws.md, "Other methods of transfer".

use crate::align::Alignment;
use crate::links::Link;
use glam::{DQuat, Quat};
use rebone_model::{Character, JointKind};
use rebone_runtime::RotationOp;

/// Which containers count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Embedding {
    /// Rotations of the nodes above the source's skeleton. Default true.
    pub source: bool,
    /// Rotations of the nodes above the target's skeleton. Default true.
    pub target: bool,
}

impl Default for Embedding {
    fn default() -> Self {
        Self {
            source: true,
            target: true,
        }
    }
}

/// The two constants of one pair of joints: v = left · w · right.
///
/// All rotations are model-space rotations in the common pose; a missing parent is the identity.
pub fn constants(
    source_parent: Quat,
    source: Quat,
    target_parent: Quat,
    target: Quat,
) -> (Quat, Quat) {
    (
        target_parent.conjugate() * source_parent,
        source.conjugate() * target,
    )
}

/// One operation a target joint.
pub fn rotations(
    source: (&Character, &Alignment),
    target: (&Character, &Alignment),
    links: &[Link],
    embedding: Embedding,
) -> Vec<RotationOp> {
    let mut operations = vec![RotationOp::Rest; target.1.reference.len()];
    for link in links {
        for (&from, &to) in link.source.iter().zip(&link.target) {
            let (a, a_parent) = pose(source.0, source.1, from, embedding.source);
            let (b, b_parent) = pose(target.0, target.1, to, embedding.target);
            let (left, right) = constants(a_parent, a, b_parent, b);
            operations[to] = RotationOp::Local {
                source: from,
                left,
                right,
            };
        }
    }
    operations
}

/// Model-space rotation of a joint and of its parent in the common pose.
pub(crate) fn pose(
    character: &Character,
    alignment: &Alignment,
    joint: usize,
    embedded: bool,
) -> (Quat, Quat) {
    let container = if embedded {
        DQuat::IDENTITY
    } else {
        character
            .skeleton
            .ancestors(joint)
            .find(|&above| character.skeleton.joints()[above].kind == JointKind::Ancestor)
            .map_or(DQuat::IDENTITY, |above| alignment.pose_rotation(above))
    };
    let rotation = |index: usize| {
        crate::align::unit(container.conjugate() * alignment.pose_rotation(index)).as_quat()
    };
    let parent = character.skeleton.parent(joint);
    let parent_rotation = match parent {
        Some(parent) => rotation(parent),
        None => Quat::IDENTITY,
    };
    (rotation(joint), parent_rotation)
}
