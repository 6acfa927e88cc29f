//! What must be known before a motion can run: map, align, compile.
//!
//! This crate knows no file format. It works on the data of `rebone-model`, and what it compiles runs in `rebone-runtime`.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]
pub mod align;
pub mod by_hand;
pub mod chains;
pub mod compile;
pub mod curve_names;
#[cfg(doctest)]
mod doctests;
pub mod error;
pub mod feet;
pub mod foreign;
mod forelegs;
pub mod hands;
mod limit_table;
pub mod limits;
pub mod links;
pub mod mapping;
pub mod mirror;
pub mod names;
pub mod pins;
pub mod preset;
pub mod procedural;
pub mod profile;
pub mod rebind;
pub mod recipe;
pub mod root;
pub mod root_motion;
pub mod transfer;
pub mod translations;
mod values;

pub use error::Error;
