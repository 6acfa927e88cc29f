//! What runs: a compiled plan, applied to clips or to single poses.
//!
//! A plan is a flat list of constant operations; it knows no slots, names or files. A game needs this crate and `rebone-model`
//! alone: it reads plans from the bytes of a `.retarget` file ([`asset`]), or gets them from `rebone-setup`, which makes them.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod affine_lanes;
mod apply_clip;
mod apply_pose;
mod apply_stages;
pub mod asset;
mod batch;
mod blend;
mod check;
pub mod compact;
pub mod contact;
mod contact_motion;
mod error;
mod foresight;
pub mod kernel;
#[cfg(target_arch = "x86_64")]
mod kernel_x86;
mod keys;
mod lanes;
pub mod layers;
mod mirror_clip;
mod mirror_curves;
mod needs;
mod notes;
mod op;
mod placed_lanes;
mod program;
pub mod rebind;
mod retargeter;
mod rig;
mod rig_frames;
mod root_path;
mod sliders;
pub mod solve;
mod sources;
pub mod stage;
mod transfer_clip;
mod transfer_frame;
mod turns;

pub use apply_clip::{ClipOptions, apply_clip, apply_clip_noted};
pub use apply_pose::{Workspace, apply_pose};
pub use batch::{Batch, apply_poses};
pub use blend::{BlendOp, BlendTerm};
pub use error::{Error, UNUSABLE_REMEDY};
pub use mirror_clip::mirror_clip;
pub use notes::{ClipContacts, ClipNotes, REACHED, ReachNotes, TurnedJoints};
pub use op::{
    AttachOp, AttachSource, LegsOp, LinearOp, Plan, RotationOp, ScaleOp, TravelOp, is_at_rest,
    size_of,
};
pub use rebone_model::bake::{BakeLimits, FRAMES_PER_KEY, TooManyFrames};
pub use retargeter::Retargeter;
pub use rig::Rig;
pub use root_path::{ROOT_PLACE_CURVE, ROOT_TURN_CURVE};
