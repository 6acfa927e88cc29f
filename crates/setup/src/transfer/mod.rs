//! The methods: ways to fill a plan's rotation operations. One file a method.
//!
//! All but `parent-delta` are the same formula where the rigs correspond one to one; they differ in what
//! they call the common pose and in whether they look at the parents' actual rotation.

pub mod chain;
pub mod channels;
pub mod model_delta;
pub mod parent_delta;
pub mod rest_delta;

use rebone_runtime::{BlendOp, RotationOp};
use serde::{Deserialize, Serialize};

/// What the joints of a target follow.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turns {
    /// One operation a target joint.
    pub rotations: Vec<RotationOp>,
    /// What [`RotationOp::Blend`] speaks of.
    pub blends: Vec<BlendOp>,
}

impl From<Vec<RotationOp>> for Turns {
    fn from(rotations: Vec<RotationOp>) -> Self {
        Self {
            rotations,
            blends: Vec::new(),
        }
    }
}

/// How rotations are transferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Method {
    /// Model-space delta from the retarget pose, with the target's actual parents.
    #[default]
    ModelDelta,
    /// Local constants from both rest poses.
    RestDelta,
    /// Translation, rotation and scale each by matrices.
    Channels,
    /// The parents' bind difference only, kept for its worked numbers.
    ParentDelta,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 4] = [
        Self::ModelDelta,
        Self::RestDelta,
        Self::Channels,
        Self::ParentDelta,
    ];

    /// `model-delta`, `rest-delta`, `channels`, `parent-delta`.
    pub fn name(self) -> &'static str {
        match self {
            Self::ModelDelta => "model-delta",
            Self::RestDelta => "rest-delta",
            Self::Channels => "channels",
            Self::ParentDelta => "parent-delta",
        }
    }
}
