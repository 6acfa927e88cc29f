//! A skin that another skeleton's own keys drive: nothing is transferred at run time.
//!
//! Instead of changing keys, the inverse bind matrices of the target's skin are changed once, so that the
//! source's skeleton, with its own rotations, moves the target's mesh as a retarget would:
//!
//! ```text
//! vertex' = O_i(t) · K_i⁻¹ · R_j · M_j⁻¹ · vertex
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | i, j | a node of the re-based skeleton, and the target's joint that it stands for |
//! | O_i(t) | model space from node i, now: the source's local rotations along nodes whose offsets are the target's |
//! | K_i | the same in the retarget pose: the source's rotations A_i at the target's places, the *retargeted bind pose* |
//! | R_j | the target's joint in the retarget pose, as this crate's own transfer puts it there |
//! | M_j | the target's joint in the bind pose of its skin |
//!
//! Since O_i = T(p(t)) · W_i and K_i = T(p) · A_i, the turn that a vertex makes is W_i · A_i⁻¹ · rot(R_j · M_j⁻¹):
//! the law V = W · A⁻¹ · B of the transfer, folded into the skin.
//!
//! The nodes are the source's joints, names and parents included, below one container that holds the turn between
//! the files' axes, the motion scale and an offset. A joint that both sides have lies where the target has it. A
//! joint that only the source has lies *at the place of the next joint below it*, so that its turn reaches what
//! hangs from it and moves nothing. Where it carries several (a chest that the target lacks, with neck and
//! shoulders on it) it exists once for each of them, all copies with the same keys. A joint that only the target
//! has is rigid with the nearest one above that is driven: A_j = A_p · B_p⁻¹ · B_j, the "virtual source joint".
//!
//! Degenerate cases: sheared scales have no place in such nodes; a source joint with unequal scales gets their
//! geometric mean and ignores keys of scale. Source: seed 0 (SpireMiniEngine, Y. He), with the hierarchy
//! composed along the source instead of the model; docs/laws.md, "Re-based skin".
use crate::check::{Checked, Sizes, ensure, within};
use glam::Affine3A;
use rebone_model::{LocalPose, Transform};
use serde::{Deserialize, Serialize};

/// A node of the re-based skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RebindNode {
    /// Its parent, smaller than its own index.
    pub parent: Option<usize>,
    /// The source's joint whose keys it takes; `None` for the container above all.
    pub source: Option<usize>,
    /// Local rest transform: the source's rest rotation at the re-based place.
    pub rest: Transform,
    /// It also takes the source's translation: the hips and what is above them.
    pub takes_translation: bool,
    /// It also takes the source's scale.
    pub takes_scale: bool,
}

/// A joint of the target in the re-based skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundJoint {
    /// The node that it moves with; the container, 0, for one that stands still.
    pub node: usize,
    /// K⁻¹ · R: node space from joint space, in the retarget pose.
    pub node_from_joint: Affine3A,
    /// True where the node stands for this joint, false for one that is rigid with it.
    pub is_driven: bool,
}

/// The source's skeleton at the target's places, and how the target's skin hangs from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rebind {
    /// The skeleton, parents first.
    pub nodes: Vec<RebindNode>,
    /// One entry a joint of the target.
    pub joints: Vec<BoundJoint>,
}

impl Rebind {
    /// The new inverse bind matrix K⁻¹ · R · M⁻¹ of a joint of the target, of its own M⁻¹. A vertex is moved by
    /// the matrix of [`BoundJoint::node`] times this.
    pub fn inverse_bind(&self, joint: usize, inverse_bind: Affine3A) -> Affine3A {
        self.joints[joint].node_from_joint * inverse_bind
    }

    /// The rest pose of the nodes.
    pub fn rest_pose(&self) -> LocalPose {
        LocalPose::new(self.nodes.iter().map(|node| node.rest).collect())
    }

    /// Puts a pose of the source, as it is, onto the nodes. Takes no memory.
    ///
    /// # Panics
    /// Where a pose has fewer entries than there are joints of the source, or nodes.
    pub fn pose(&self, source: &LocalPose, nodes: &mut LocalPose) {
        for (node, local) in self.nodes.iter().zip(nodes.transforms_mut()) {
            *local = node.rest;
            let Some(joint) = node.source else { continue };
            let own = source.transforms()[joint];
            local.rotation = own.rotation;
            if node.takes_translation {
                local.translation = own.translation;
            }
            if node.takes_scale {
                local.scale = own.scale;
            }
        }
    }
}

impl Rebind {
    pub(crate) fn check(&self, sizes: Sizes) -> Checked {
        let mut nodes = self.nodes.iter().enumerate();
        let is_container = |node: &RebindNode| node.parent.is_none() && node.source.is_none();
        let is_first = nodes.next().is_some_and(|(_, node)| is_container(node));
        let is_behind = |(index, node): (usize, &RebindNode)| {
            let has_source = node.source.is_some_and(|source| source < sizes.source);
            has_source && node.parent.is_some_and(|parent| parent < index)
        };
        ensure(
            is_first && nodes.all(is_behind),
            "a node comes before its parent",
        )?;
        ensure(
            self.joints.len() == sizes.target,
            "a skin hangs from other joints than the target's",
        )?;
        within(self.joints.iter().map(|joint| joint.node), self.nodes.len())?;
        ensure(
            !self
                .joints
                .iter()
                .any(|joint| joint.is_driven && joint.node == 0),
            "a joint follows what does not move",
        )
    }
}
