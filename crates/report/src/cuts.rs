//! Frames in which the source jumps as a whole.
//!
//! What the result does in such a frame is no fault of it, and a figure of the jump would hide all others. So a new stretch of
//! frames begins there.

use super::Pair;
use super::pops::turn;
use rebone_runtime::solve::jumps;

/// The first frame behind each jump.
pub(super) fn cuts(pair: &Pair<'_>) -> Vec<usize> {
    let mut cuts = Vec::new();
    for run in &pair.frames.runs {
        let frames = run.start + 1..run.end;
        let turns: Vec<f32> = frames.map(|frame| mean_turn_degrees(pair, frame)).collect();
        cuts.extend(jumps(&turns).into_iter().map(|frame| run.start + frame));
    }
    cuts
}

/// By how much the source's slots turn from the frame before to this one.
fn mean_turn_degrees(pair: &Pair<'_>, frame: usize) -> f32 {
    let rotations = &pair.source.sampled.rotations;
    let turns = pair.shared.iter().map(|shared| {
        let own = &rotations[shared.joints.0];
        turn(own[frame - 1], own[frame]).to_degrees()
    });
    turns.sum::<f32>() / pair.shared.len().max(1) as f32
}
