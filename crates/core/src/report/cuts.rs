//! Frames in which the source jumps as a whole: behind a T-pose in the first frame, or where motions were put end to end.
//!
//! ```text
//! m(t) = mean of the turns of the source's slots from frame t − 1 to t, degrees
//! jump   m(t) ≥ JUMP  and  m(t) ≥ FASTER · max(m(t − 1), m(t + 1))
//! ```
//!
//! What the result does in such a frame is no fault of it, and a figure of the jump would hide all others. So a new stretch of
//! frames begins there.

use super::Pair;
use super::pops::turn;

/// Degrees a frame.
const JUMP: f32 = 10.0;

/// How much faster a jump is than the frames around.
const FASTER: f32 = 5.0;

/// The first frame behind each jump.
pub(super) fn cuts(pair: &Pair<'_>) -> Vec<usize> {
    let mut cuts = Vec::new();
    for run in pair.frames.runs.iter().filter(|run| run.len() > 2) {
        let frames = run.start + 1..run.end;
        let turns: Vec<f32> = frames.map(|frame| mean_turn_degrees(pair, frame)).collect();
        let at = |step: Option<usize>| step.and_then(|step| turns.get(step)).copied();
        for (step, &own) in turns.iter().enumerate() {
            let around = [step.checked_sub(1), Some(step + 1)].map(|step| at(step).unwrap_or(0.0));
            if own >= JUMP && own >= FASTER * around[0].max(around[1]) {
                cuts.push(run.start + 1 + step);
            }
        }
    }
    cuts
}

/// m(t).
fn mean_turn_degrees(pair: &Pair<'_>, frame: usize) -> f32 {
    let rotations = &pair.source.sampled.rotations;
    let turns = pair.shared.iter().map(|shared| {
        let own = &rotations[shared.joints.0];
        turn(own[frame - 1], own[frame]).to_degrees()
    });
    turns.sum::<f32>() / pair.shared.len().max(1) as f32
}
