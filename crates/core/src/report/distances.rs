//! How alike both bodies are held, whatever their proportions.
//!
//! ```text
//! D_ij = |p_i − p_j| / h                    for the joints of all shared slots
//! η    : each row divided by its sum
//! Q19  = mean over frames of Σ_ij (η(D_A) − η(D_B))_ij²
//! ```
//!
//! A hand at a hip is near it on both bodies, so this figure needs no true result to compare with. At most [`FRAMES`] frames are
//! looked at. Source: Q19 of the project's algorithm notes (R2ET's normalised distance matrix).

use super::Pair;
use super::body::Body;

/// Frames that are looked at.
const FRAMES: usize = 60;

pub(super) fn measure(pair: &Pair<'_>) -> Option<f64> {
    let count = pair.shared.len();
    let frames = pair.frames.spread(FRAMES);
    if count < 3 || frames.is_empty() {
        return None;
    }
    let sources: Vec<usize> = pair.shared.iter().map(|shared| shared.joints.0).collect();
    let targets: Vec<usize> = pair.shared.iter().map(|shared| shared.joints.1).collect();
    let mut sum = 0.0;
    for &frame in &frames {
        let from = rows(&pair.source, &sources, frame);
        let to = rows(&pair.target, &targets, frame);
        sum += from
            .iter()
            .zip(&to)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<f64>();
    }
    Some(sum / frames.len() as f64)
}

/// The distances from each joint to all, divided by their sum; rows of joints that are all in one place are 0.
fn rows(body: &Body<'_>, joints: &[usize], frame: usize) -> Vec<f64> {
    let count = joints.len();
    let places: Vec<_> = joints
        .iter()
        .map(|&joint| body.sampled.at(joint, frame))
        .collect();
    let mut all = vec![0.0; count * count];
    for one in 0..count {
        for other in 0..one {
            let apart = f64::from(places[one].distance(places[other]));
            all[one * count + other] = apart;
            all[other * count + one] = apart;
        }
    }
    for row in all.chunks_mut(count) {
        let sum: f64 = row.iter().sum();
        if sum > 1e-12 * body.height {
            row.iter_mut().for_each(|apart| *apart /= sum);
        }
    }
    all
}
