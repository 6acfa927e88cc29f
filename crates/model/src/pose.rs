//! Poses, with their space in the type: a [`LocalPose`] cannot be mistaken for a [`ModelPose`].

use crate::transform::Transform;
use glam::{Affine3A, Quat, Vec3};

/// One transform a joint, each relative to the joint's parent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalPose {
    transforms: Vec<Transform>,
}

impl LocalPose {
    /// A pose from transforms in joint order.
    pub fn new(transforms: Vec<Transform>) -> Self {
        Self { transforms }
    }

    /// The transforms in joint order.
    pub fn transforms(&self) -> &[Transform] {
        &self.transforms
    }

    /// The transforms in joint order, to change.
    pub fn transforms_mut(&mut self) -> &mut [Transform] {
        &mut self.transforms
    }
}

/// One placement a joint in model space, the space of the skeleton's roots.
///
/// Positions come from full affine products. Rotations are products of the local rotations, never
/// taken out of a matrix, so that they stay right under non-uniform scale.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelPose {
    pub(crate) rotations: Vec<Quat>,
    pub(crate) affines: Vec<Affine3A>,
}

impl ModelPose {
    /// Model-space rotation of a joint.
    pub fn rotation(&self, joint: usize) -> Quat {
        self.rotations[joint]
    }

    /// Model-space position of a joint, metres.
    pub fn position(&self, joint: usize) -> Vec3 {
        self.affines[joint].translation.into()
    }

    /// Model space from joint space.
    pub fn model_from_joint(&self, joint: usize) -> Affine3A {
        self.affines[joint]
    }

    /// Model-space rotations of all joints.
    pub fn rotations(&self) -> &[Quat] {
        &self.rotations
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.affines.len()
    }

    /// True for a pose of no joint.
    pub fn is_empty(&self) -> bool {
        self.affines.is_empty()
    }
}
