//! How alike both bodies are held, whatever their proportions.
//!
//! ```text
//! D_ij      = |p_i − p_j| / h                    for the joints of all shared slots
//! η         : each row divided by its sum
//! distances = mean over frames of Σ_ij (η(D_A) − η(D_B))_ij²
//! ```
//!
//! A hand at a hip is near it on both bodies, so this figure needs no true result to compare with. At most [`FRAMES`] frames are
//! looked at. Source: docs/laws.md, "Report figures"; it is R2ET's normalised distance matrix.

use super::Pair;
use super::body::Body;
use glam::Vec3;

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
    let mut tables = [vec![0.0; count * count], vec![0.0; count * count]];
    let mut places = Vec::with_capacity(count);
    for &frame in &frames {
        let [from, to] = &mut tables;
        rows(&pair.source, &sources, frame, &mut places, from);
        rows(&pair.target, &targets, frame, &mut places, to);
        let squares = from.iter().zip(to).map(|(a, b)| (*a - *b) * (*a - *b));
        sum += f64::from(squares.sum::<f32>());
    }
    Some(sum / frames.len() as f64)
}

/// The distances from each joint to all, divided by their sum; rows of joints that are all in one place are 0.
fn rows(
    body: &Body<'_>,
    joints: &[usize],
    frame: usize,
    places: &mut Vec<Vec3>,
    table: &mut [f32],
) {
    let count = joints.len();
    places.clear();
    places.extend(joints.iter().map(|&joint| body.sampled.at(joint, frame)));
    let least = 1e-12 * body.height as f32;
    for (row, &own) in table.chunks_mut(count).zip(places.iter()) {
        let mut sum = 0.0;
        for (apart, &other) in row.iter_mut().zip(places.iter()) {
            *apart = own.distance(other);
            sum += *apart;
        }
        let share = if sum > least { 1.0 / sum } else { 0.0 };
        row.iter_mut().for_each(|apart| *apart *= share);
    }
}
