//! What runs: a compiled plan, applied to clips or to single poses.
//!
//! A plan is a flat list of constant operations; it knows no slots, names or files.

mod apply_clip;
mod apply_places;
mod apply_pose;
mod apply_stages;
pub mod kernel;
#[cfg(target_arch = "x86_64")]
mod kernel_x86;
mod last_uses;
mod motion;
mod op;
mod root_path;
mod stage;

pub use apply_clip::{ClipOptions, apply_clip};
pub use apply_pose::{Workspace, apply_pose};
#[cfg(feature = "author")]
pub(crate) use motion::size_of;
pub use op::{AttachOp, AttachSource, LegsOp, LinearOp, Plan, Rig, RotationOp, ScaleOp, TravelOp};
pub use root_path::{ROOT_PLACE_CURVE, ROOT_TURN_CURVE};
pub(crate) use stage::blended;
pub use stage::{Frame, JointWeight, RootMotionStage, RootPlace, Stage, StageOp, WeightStage};
