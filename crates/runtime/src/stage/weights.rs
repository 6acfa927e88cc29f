//! Joints that move less or more than the motion says (S3.14).
//!
//! v(λ) = b · slerp(1, b⁻¹ · v, λ), with b the base pose: λ = 0 holds the joint in it, 1 leaves the motion as
//! it is, more exaggerates. Translations and scales go along lines. Source: docs/laws.md, "Motion layers".

use super::{Frame, Operation, blended};
use crate::check::{Checked, Sizes, within};
use rebone_model::Transform;
use serde::{Deserialize, Serialize};

/// The weights of some joints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WeightStage {
    /// Each joint once.
    pub joints: Vec<JointWeight>,
}

/// The weight of one joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointWeight {
    /// Target joint.
    pub joint: usize,
    /// Its local transform in the base pose, usually the rest pose.
    pub base: Transform,
    /// 0 for the base pose, 1 for the motion; may be more.
    pub weight: f32,
}

impl Operation for WeightStage {
    fn joints(&self) -> Vec<usize> {
        self.joints.iter().map(|joint| joint.joint).collect()
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        for joint in &self.joints {
            let pose = &mut frame.pose[joint.joint];
            *pose = blended(joint.base, *pose, joint.weight);
        }
    }

    fn check(&self, sizes: Sizes) -> Checked {
        within(self.joints.iter().map(|joint| joint.joint), sizes.target)
    }

    fn seen(&self) -> Option<Vec<usize>> {
        Some(Vec::new())
    }
}
