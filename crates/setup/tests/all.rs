//! The tests of the engine in one program, which links a tenth as often as one program per file.

#![allow(
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    unreachable_pub
)]

mod asset;
mod compact;
mod creatures;
mod dialects;
mod fingers;
mod foreign;
mod foreign_corpus;
mod generated;
mod limbs;
mod mapping_large;
mod mapping_random;
mod mapping_truth;
mod old_versions;
mod quadruped_truth;
mod recipes;
mod stages;
mod truth;
