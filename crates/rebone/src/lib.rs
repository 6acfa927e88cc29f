//! Moves skeletal animation from any character to any other.
//!
//! ```
//! use rebone::{Format, Retarget, Rig};
//!
//! # fn main() -> rebone::Result<()> {
//! # // The published package has no samples.
//! # let [Ok(walk), Ok(hero)] = ["walk.bvh", "brute.glb"].map(|name| std::fs::read(format!("../../data/{name}"))) else {
//! #     return Ok(());
//! # };
//! let walk = Rig::from_bytes("walk.bvh", walk)?; // or Rig::open("walk.bvh")?
//! let hero = Rig::from_bytes("hero.glb", hero)?;
//! let motion = Retarget::new(&walk, &hero).run()?;
//! println!("{}", motion.report());
//! let written = motion.write(Format::Glb)?; // or motion.save("hero_walk.glb")?
//! # assert!(written.bytes.starts_with(b"glTF"));
//! # Ok(())
//! # }
//! ```
//!
//! Five verbs: **read** a file, **map** joints to parts of the body, **align** both characters to one pose, **compile** a plan, **apply** it. A
//! [`Rig`] is a character that was read, mapped and aligned. [`Retarget`] says what is wanted, a [`Recipe`] whatever can be wanted;
//! [`Retarget::run`] compiles and applies. The [`Motion`] that it gives is judged ([`Motion::report`]), written ([`Motion::write`]) and saved.
//!
//! A game compiles a pair beforehand ([`Retarget::compile`]), keeps it as a `.retarget` file ([`runtime::asset`]) and runs it on poses with a
//! [`runtime::Retargeter`]; for that it needs the crates `rebone-model` and `rebone-runtime` alone.
//!
//! Without the feature `fs` nothing here opens a file: bytes come in and go out. Twelve
//! programs of at most 25 lines are in the folder `crates/rebone/examples` of the repository.
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

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod alignments;
pub mod asset;
pub mod audit;
pub mod choices;
mod contact_edits;
#[cfg(feature = "fs")]
pub mod disk;
pub mod doubts;
pub mod error;
pub mod found_contacts;
pub mod input_file;
#[cfg(feature = "json")]
pub mod json;
pub mod layering;
pub mod measuring;
pub mod mirroring;
pub mod motion;
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

pub use asset::apply_asset;
pub use error::{Error, Result};
pub use input_file::InputFile;
pub use mirroring::{Mirrored, mirror, mirror_compat};
pub use motion::{Motion, MotionReport};
pub use output::write_motion;
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
pub use retargeting::Retarget;
pub use rig::{Rig, Role};
pub use saving::write;
pub use space::Space;

/// The code of the package's page compiles.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
