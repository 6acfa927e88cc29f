//! Jitter.
//!
//! ```text
//! jerk = mean over frames of   |Δ³p| / K + ½ mean over slots of 2 |Δ³q|,   divided by Δt³
//! Δ³x  = x(t) − 3 x(t − 1) + 3 x(t − 2) − x(t − 3)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | p, K | the place of the hips; leg and hip width |
//! | q | how the joint of a slot is turned in model space, a quaternion of one sign with the frame before |
//! | Δt | mean of the three steps in time |
//!
//! So it is the jerk of points half of K away from the joints that turn them, in K, all carried by the hips. The ratio is of target and
//! source, both at least [`STILL`]: the grains of single precision alone make some. What turns as the source does has a ratio of 1, however
//! long its limbs are. The usual figure takes the places of all joints. By that figure a body with long arms and short legs jitters more
//! than its source, even if it turns alike. Source: docs/laws.md, "Report figures".

use super::body::Body;
use super::{Pair, Sides};
use glam::Quat;
use rebone_setup::profile::{Part, Side};

/// Jerks smaller than this, K a second³, are none.
pub(super) const STILL: f64 = 2.5;

/// How far from the joint the points are whose jerk counts, K.
const AWAY: f64 = 0.5;

/// `None` with fewer than four frames, or without slots.
pub(super) fn measure(pair: &Pair<'_>) -> Option<Sides> {
    let joints = |side: usize| {
        let shared = pair.shared.iter();
        shared.map(move |shared| [shared.joints.0, shared.joints.1][side])
    };
    Some(Sides {
        source: jerk(pair, &pair.source, joints(0))?,
        target: jerk(pair, &pair.target, joints(1))?,
    })
}

fn jerk(pair: &Pair<'_>, body: &Body<'_>, joints: impl Iterator<Item = usize>) -> Option<f64> {
    let map = body.performance.map;
    let hips = map.joint_of(Part::Hips, Side::Center);
    let places = hips.map_or(&[][..], |hips| &body.sampled.positions[hips]);
    let of_hips = mean(pair, places, |four| {
        // First the steps: differences of large numbers that are close lose nothing.
        let steps = [four[1] - four[0], four[2] - four[1], four[3] - four[2]];
        f64::from(((steps[2] - steps[1]) - (steps[1] - steps[0])).length())
    });
    let turns = joints.filter_map(|joint| {
        let turns = &body.sampled.rotations[joint];
        mean(pair, turns, |four| 2.0 * turn_difference(four))
    });
    let turns: Vec<f64> = turns.collect();
    let of_turns = turns.iter().sum::<f64>() / turns.len() as f64;
    (!turns.is_empty()).then(|| of_hips.unwrap_or(0.0) / body.size() + AWAY * of_turns)
}

/// Mean over the frames of a third difference, divided by the time. `None` with fewer than four frames.
fn mean<T>(pair: &Pair<'_>, values: &[T], difference: impl Fn(&[T]) -> f64) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0usize);
    for run in pair
        .frames
        .runs
        .iter()
        .filter(|run| run.end <= values.len())
    {
        for (start, four) in run.clone().zip(values[run.clone()].windows(4)) {
            let step = pair.frames.seconds(start, start + 3) / 3.0;
            count += 1;
            if step > 1e-9 {
                sum += difference(four) / step.powi(3);
            }
        }
    }
    (count > 0).then(|| sum / count as f64)
}

/// Length of the third difference of four quaternions.
fn turn_difference(four: &[Quat]) -> f64 {
    let mut last = four[0];
    let steps = [four[1], four[2], four[3]].map(|turn| {
        let turn = if turn.dot(last) < 0.0 { -turn } else { turn };
        let step = turn - last;
        last = turn;
        step
    });
    f64::from(((steps[2] - steps[1]) - (steps[1] - steps[0])).length())
}
