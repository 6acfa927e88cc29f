//! Small solvers: numbers in, numbers out.
//!
//! They know no joints, slots or plans. [`two_bone`] is of one frame and takes no memory.

pub mod bend;
pub mod calm;
pub(crate) mod four;
pub mod reach;
pub(crate) mod steady;
pub mod two_bone;

use rebone_model::Clamp as _;

/// 0 up to 0, 1 from 1, smooth between.
pub(crate) fn smooth(share: f32) -> f32 {
    let share = share.clamped(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}
