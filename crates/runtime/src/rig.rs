//! One side of a plan: its joints, and where they are in a pose.

use crate::check::{Checked, ensure};
use glam::{Affine3A, Quat, Vec3};
use rebone_model::{LocalPose, Skeleton, Transform};
use serde::{Deserialize, Serialize};

/// A joint that makes lengths so much smaller is a point, and has no axes to say a place in.
pub(crate) const POINT: f32 = 1e-7;

/// A place in model space, in the axes of a joint; its origin where the joint is shrunk to a point.
pub(crate) fn local_place(joint: &Affine3A, place: Vec3) -> Vec3 {
    if joint.matrix3.determinant().abs() > POINT.powi(3) {
        joint.inverse().transform_point3(place)
    } else {
        Vec3::ZERO
    }
}

/// A skeleton reduced to what kinematics needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rig {
    /// Parent of each joint, smaller than the joint's own index.
    pub parents: Vec<Option<usize>>,
    /// Rest transform of each joint, local.
    pub rest: Vec<Transform>,
}

impl Rig {
    /// The rig of a skeleton.
    pub fn new(skeleton: &Skeleton) -> Self {
        Self {
            parents: skeleton.joints().iter().map(|joint| joint.parent).collect(),
            rest: skeleton.joints().iter().map(|joint| joint.rest).collect(),
        }
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// True for no joints.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The rest pose.
    pub fn rest_pose(&self) -> LocalPose {
        LocalPose::new(self.rest.clone())
    }

    /// A joint and all above it, the joint first; nothing for none.
    pub fn up_from(&self, joint: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(joint, |&joint| self.parents[joint])
    }

    /// Model space from the axes of a joint in a pose; the identity for none.
    pub(crate) fn model_affine(&self, pose: &[Transform], joint: Option<usize>) -> Affine3A {
        let up = self.up_from(joint);
        up.fold(Affine3A::IDENTITY, |below, joint| {
            pose[joint].to_affine() * below
        })
    }

    /// The rotation of a joint of a pose in model space; the identity for none.
    pub(crate) fn model_rotation(&self, pose: &[Transform], joint: Option<usize>) -> Quat {
        let up = self.up_from(joint);
        up.fold(Quat::IDENTITY, |below, joint| pose[joint].rotation * below)
    }

    /// A point in the axes of a joint of a pose, in model space.
    pub(crate) fn model_point(&self, pose: &[Transform], joint: usize, point: Vec3) -> Vec3 {
        let up = self.up_from(Some(joint));
        up.fold(point, |point, joint| {
            let local: Affine3A = pose[joint].to_affine();
            local.transform_point3(point)
        })
    }
}

impl Rig {
    pub(crate) fn check(&self) -> Checked {
        ensure(
            self.parents.len() == self.rest.len(),
            "a rig has other joints than rest transforms",
        )?;
        let mut parents = self.parents.iter().enumerate();
        ensure(
            parents.all(|(joint, parent)| parent.is_none_or(|parent| parent < joint)),
            "a joint comes before its parent",
        )
    }
}
