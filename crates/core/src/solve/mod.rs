//! Small solvers for one frame: numbers in, numbers out.
//!
//! They know no joints, slots or plans, and take no memory.

pub mod two_bone;
