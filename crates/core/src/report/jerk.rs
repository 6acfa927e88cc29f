//! Jitter.
//!
//! ```text
//! jerk = mean over frames and slots of |p(t) − 3 p(t − 1) + 3 p(t − 2) − p(t − 3)| / Δt³ / K
//! ```
//!
//! with p the place of the slot's joint and Δt the mean of the three steps. The ratio is of target and source, both at least
//! [`STILL`]: the grains of single precision alone make some. Source: Q11 of the project's algorithm notes; K takes the place of k, so
//! that both sides are figures of their own.

use super::{Pair, Sides};
use glam::Vec3;

/// Jerks smaller than this, K a second³, are none.
pub(super) const STILL: f64 = 1.0;

pub(super) fn measure(pair: &Pair<'_>) -> Option<Sides> {
    let mut sums = [0.0f64; 2];
    let mut count = 0usize;
    for shared in &pair.shared {
        let sides = [
            (&pair.source, shared.joints.0),
            (&pair.target, shared.joints.1),
        ];
        for (sum, (body, joint)) in sums.iter_mut().zip(sides) {
            let places = &body.sampled.positions[joint];
            for run in &pair.frames.runs {
                for (index, four) in places[run.clone()].windows(4).enumerate() {
                    let start = run.start + index;
                    let step = pair.frames.seconds(start, start + 3) / 3.0;
                    if step > 1e-9 {
                        *sum += f64::from(third_difference(four).length()) / step.powi(3);
                    }
                }
            }
        }
        count += pair
            .frames
            .runs
            .iter()
            .map(|run| run.len().saturating_sub(3))
            .sum::<usize>();
    }
    (count > 0).then(|| Sides {
        source: sums[0] / count as f64 / pair.source.size(),
        target: sums[1] / count as f64 / pair.target.size(),
    })
}

/// First the steps: differences of large numbers that are close lose nothing.
fn third_difference(four: &[Vec3]) -> Vec3 {
    let steps = [four[1] - four[0], four[2] - four[1], four[3] - four[2]];
    (steps[2] - steps[1]) - (steps[1] - steps[0])
}
