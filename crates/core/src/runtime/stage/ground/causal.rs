//! Bodies on the floor while a motion runs: what is known is the past.
//!
//! ```text
//! x'' = ω² (y − x) − 2 ω x'
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | y | what the pose asks for: the body, each foot, each hand |
//! | x | what it gets; exact over a frame in which y stays |
//! | ω | 1 / [`SECONDS`] |
//!
//! A spring without overshoot: however suddenly a body falls, it goes to its height on the floor without a jump, and about two of
//! these times late. The first frame, and one of which nobody says how long it takes, get what they ask for. What has come to rest
//! at nothing is nothing, so a body that stands keeps its bits.

use super::Lift;
use super::wants::THERE;
use rebone_model::elementary::Elementary as _;

/// 1 / ω.
const SECONDS: f32 = 0.06;

/// Numbers of a lift.
const PARTS: usize = 9;

/// What is remembered: of each part its x, then of each its x'.
pub(in crate::runtime::stage) const MEMORY: usize = 2 * PARTS;

/// True where nothing is on its way.
pub(super) fn is_still(memory: &[f32]) -> bool {
    // All of them at once are sooner read than one after another.
    let is_zero = memory.iter().map(|value| *value == 0.0);
    is_zero.fold(true, |all, is_zero| all & is_zero)
}

/// The next lift, so many seconds after the one before; `size` is the thickness of the body.
pub(super) fn follow(memory: &mut [f32], want: &Lift, elapsed: Option<f32>, size: f32) -> Lift {
    let mut parts = [0.0; PARTS];
    parts[0] = want.rise;
    parts[1..5].copy_from_slice(&want.feet);
    parts[5..].copy_from_slice(&want.hands);
    let (values, speeds) = memory.split_at_mut(PARTS.min(memory.len()));
    let still = THERE * size;
    for ((part, value), speed) in parts.iter_mut().zip(values).zip(speeds) {
        let Some(seconds) = elapsed else {
            (*value, *speed) = (*part, 0.0);
            continue;
        };
        let (off, rate) = (*value - *part, 1.0 / SECONDS);
        let growth = *speed + rate * off;
        let left = (-rate * seconds).exponential();
        let new = (off + growth * seconds) * left;
        *speed = (*speed - rate * growth * seconds) * left;
        *value = *part + new;
        if new.abs() < still && speed.abs() * SECONDS < still {
            (*value, *speed) = (*part, 0.0);
        }
        *part = *value;
    }
    let mut lift = Lift {
        rise: parts[0],
        ..Lift::default()
    };
    lift.feet.copy_from_slice(&parts[1..5]);
    lift.hands.copy_from_slice(&parts[5..]);
    lift
}
