//! Small solvers: numbers in, numbers out.
//!
//! They know no joints, slots or plans. [`two_bone`] is of one frame and takes no memory.

pub mod calm;
pub mod reach;
pub(crate) mod steady;
pub mod two_bone;

use rebone_model::Clamp as _;

/// Degrees a frame by which all of a body turns, on average, where it jumps.
const JUMP: f32 = 10.0;

/// How much faster a jump is than the frames around.
const FASTER: f32 = 5.0;

/// The frames in which a motion jumps as a whole: behind a T-pose in the first frame, where clips were put end to end. From m, the
/// degrees by which the body turns from each frame to the next, on average; each number found is that of the frame behind.
///
/// ```text
/// m(t) ≥ JUMP  and  m(t) ≥ FASTER · max(m(t − 1), m(t + 1))
/// ```
pub fn jumps(turns_degrees: &[f32]) -> Vec<usize> {
    let at = |step: Option<usize>| step.and_then(|step| turns_degrees.get(step)).copied();
    let jumps = |step: &usize| {
        let around = [step.checked_sub(1), Some(step + 1)].map(|step| at(step).unwrap_or(0.0));
        let own = turns_degrees[*step];
        own >= JUMP && own >= FASTER * around[0].max(around[1])
    };
    if turns_degrees.len() < 2 {
        // Nothing shows that the only step is a jump.
        return Vec::new();
    }
    let found = (0..turns_degrees.len()).filter(jumps);
    found.map(|step| step + 1).collect()
}

/// 0 up to 0, 1 from 1, smooth between.
pub(crate) fn smooth(share: f32) -> f32 {
    let share = share.clamped(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}
