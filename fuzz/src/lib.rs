//! What the fuzz targets do with their inputs. A find is a panic, a fault in memory, a hang, or an output that breaks
//! a promise; errors are results like any other.

#![allow(clippy::panic)]

#[cfg(all(fuzzing, target_arch = "x86_64"))]
mod gcc_coverage;

mod body;
mod described;
pub mod pipeline;
pub mod plans;
mod promises;
mod puppet;
mod raw_glb;
pub mod readers;
pub mod texts;
