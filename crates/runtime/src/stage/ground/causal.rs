//! Bodies on the floor while a motion runs: what is known is the past.
//!
//! ```text
//! x'' = ω² (y − x) − 2 ω x'
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | y | what the pose asks for: the trunk that tips, the body, the trunk that bends, each foot, each hand and elbow |
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
const PARTS: usize = 19;

/// Those before the elbows.
const ELBOWS: usize = 15;

/// What is remembered: of each part its x, then of each its x'.
pub(in crate::stage) const MEMORY: usize = 2 * PARTS;

/// True where nothing is on its way.
pub(super) fn is_still(memory: &[f32]) -> bool {
    // All of them at once are sooner read than one after another.
    let is_zero = memory.iter().map(|value| *value == 0.0);
    is_zero.fold(true, |all, is_zero| all & is_zero)
}

/// Moves body, trunk, feet and hands of the next lift towards what the pose asks for. `elapsed` is the seconds since the lift before,
/// `size` the thickness of the body.
pub(super) fn follow_body(memory: &mut [f32], lift: &mut Lift, elapsed: Option<f32>, size: f32) {
    let Lift {
        tip,
        rise,
        lean,
        feet,
        hands,
        ..
    } = lift;
    let [tip, lean]: [&mut [f32; 3]; 2] = [tip.as_mut(), lean.as_mut()];
    let turns = tip.iter_mut().chain(lean);
    let parts = turns.chain([rise]).chain(feet).chain(hands);
    follow(memory, 0, parts, elapsed, size);
}

/// Its elbows: they go by where the hands are.
pub(super) fn follow_elbows(memory: &mut [f32], lift: &mut Lift, elapsed: Option<f32>, size: f32) {
    follow(memory, ELBOWS, lift.elbows.iter_mut(), elapsed, size);
}

/// Moves parts of a lift, of which `first` is the number of the first one.
fn follow<'a>(
    memory: &mut [f32],
    first: usize,
    parts: impl Iterator<Item = &'a mut f32>,
    elapsed: Option<f32>,
    size: f32,
) {
    let (values, speeds) = memory.split_at_mut(PARTS.min(memory.len()));
    let states = values.iter_mut().zip(speeds).skip(first);
    let still = THERE * size;
    for (part, (value, speed)) in parts.zip(states) {
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
}
