//! What runs: a compiled plan, applied to clips or to single poses.
//!
//! A plan is a flat list of constant operations; it knows no slots, names or files.

mod apply_clip;
mod apply_places;
mod apply_pose;
mod apply_stages;
mod blend;
pub mod kernel;
#[cfg(target_arch = "x86_64")]
mod kernel_x86;
mod last_uses;
mod motion;
mod op;
mod stage;

pub use apply_clip::{ClipOptions, apply_clip};
pub use apply_pose::{Workspace, apply_pose};
pub use blend::{BlendOp, BlendTerm};
#[cfg(feature = "author")]
pub(crate) use motion::size_of;
pub use op::{AttachOp, AttachSource, LegsOp, LinearOp, Plan, Rig, RotationOp, ScaleOp, TravelOp};
pub use stage::{
    Frame, JointWeight, Stage, StageOp, TwistJoint, TwistOf, TwistSegment, TwistStage, WeightStage,
};
