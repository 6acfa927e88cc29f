//! Everything that is retargeting: map, align, compile, apply.
//!
//! This crate knows no file format; it works on the data of `rebone-model`.

#[cfg(feature = "author")]
pub mod align;
pub mod asset;
#[cfg(feature = "author")]
pub mod by_hand;
#[cfg(feature = "author")]
pub mod chains;
pub mod compact;
#[cfg(feature = "author")]
pub mod compile;
pub mod contact;
#[cfg(feature = "author")]
pub mod curve_names;
#[cfg(all(doctest, feature = "author"))]
mod doctests;
pub mod error;
#[cfg(feature = "author")]
pub mod feet;
#[cfg(feature = "author")]
pub mod foreign;
#[cfg(feature = "author")]
mod forelegs;
#[cfg(feature = "author")]
pub mod ground;
#[cfg(feature = "author")]
pub mod hands;
mod lanes;
pub mod layers;
#[cfg(feature = "author")]
mod limit_table;
#[cfg(feature = "author")]
pub mod limits;
#[cfg(feature = "author")]
pub mod links;
#[cfg(feature = "author")]
pub mod mapping;
#[cfg(feature = "author")]
pub mod merging;
#[cfg(feature = "author")]
pub mod mirror;
#[cfg(feature = "author")]
pub mod names;
#[cfg(feature = "author")]
mod numbers;
#[cfg(feature = "author")]
pub mod pins;
#[cfg(feature = "author")]
pub mod preset;
#[cfg(feature = "author")]
pub mod procedural;
pub mod profile;
pub mod rebind;
#[cfg(feature = "author")]
pub mod recipe;
#[cfg(feature = "author")]
pub mod report;
#[cfg(feature = "author")]
pub mod root;
#[cfg(feature = "author")]
pub mod root_motion;
pub mod runtime;
pub mod solve;
#[cfg(feature = "author")]
pub mod transfer;

pub use error::Error;
