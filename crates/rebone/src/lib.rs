//! Moves skeletal animation from any character to any other.
//!
//! Five verbs: **read** a file, **map** joints to slots, **align** both characters to one retarget pose,
//! **compile** a plan, **apply** it to clips. [`Rig`] holds a character with its map, [`retarget`] does
//! align, compile and apply, [`write()`] puts the result into a file.
//!
//! This crate opens no files: bytes come in and go out.
//!
//! # Development builds
//!
//! Cargo does not optimise dependencies in development builds, and numeric code suffers most: a frame takes about a
//! hundred times longer than in a release build. Let your `Cargo.toml` optimise dependencies only; your own crates build
//! as fast as before:
//!
//! ```toml
//! [profile.dev.package."*"]
//! opt-level = 3
//! ```

mod alignments;
pub mod asset;
pub mod audit;
pub mod choices;
mod contact_edits;
pub mod doubts;
pub mod error;
pub mod found_contacts;
#[cfg(feature = "json")]
pub mod json;
pub mod layering;
pub mod measuring;
pub mod mirroring;
pub mod opening;
pub mod output;
pub mod overrides;
pub mod pairing;
mod pin_place;
#[cfg(feature = "json")]
pub mod pose_json;
pub mod readings;
pub mod rebinding;
#[cfg(feature = "json")]
pub mod report_json;
#[cfg(feature = "view")]
pub mod report_page;
mod result_doubts;
pub mod retarget_pose;
mod retargeted_clip;
pub mod retargeting;
pub mod rig;
pub mod saving;
pub mod space;
pub mod stillness;
pub mod takes;

pub use asset::{apply_asset, compile_asset, compile_rebound_asset};
pub use error::Error;
pub use mirroring::{Mirrored, mirror, mirror_compat};
pub use output::{write, write_motion};
pub use pin_place::pin_place;
pub use rebinding::{Deviation, RebindPlaces, RebindResult, rebind};
pub use rebone_io as io;
pub use rebone_io::{Document, Format, ReadOptions, Resources, read};
pub use rebone_model as model;
pub use rebone_model::{Action, Character, Clip, Remedy, Warning};
pub use rebone_report as report;
pub use rebone_runtime as runtime;
pub use rebone_setup as setup;
pub use rebone_setup::mapping::RigMap;
pub use rebone_setup::preset::Preset;
pub use rebone_setup::recipe::Recipe;
pub use rebone_setup::root::RootScale;
pub use rebone_setup::transfer::Method;
#[cfg(feature = "view")]
pub use rebone_view as view;
pub use retarget_pose::{retarget_pose_clip, retarget_poses};
pub use retargeted_clip::RetargetedClip;
pub use retargeting::{Retarget, retarget};
pub use rig::{Rig, Role};
pub use space::Space;
