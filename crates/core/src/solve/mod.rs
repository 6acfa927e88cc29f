//! Small solvers: numbers in, numbers out.
//!
//! They know no joints, slots or plans. [`two_bone`] is of one frame and takes no memory.

pub mod bend;
pub mod calm;
pub(crate) mod four;
pub mod reach;
pub(crate) mod steady;
pub mod two_bone;
