//! Clips that run in place: the floor moves below the body (the treadmill).
//!
//! | symbol | meaning |
//! |---|---|
//! | w | level velocity of a foot's point in a frame in which it is low |
//! | u | the w that most others are like: within 0.1 + \|u\| / 4, weighted by time; then their mean, over ever nearer ones while half of them remain |
//!
//! The floor moves with u where the hips stay, and u is what most low frames of the left and of the right side have,
//! while hardly any of them stand still.
//!
//! Degenerate: without two feet, or without low frames, the floor rests.

use super::paths::{Paths, quantile};
use super::points::ContactPoints;
use glam::Vec3;

/// A foot is low up to this height above the lowest, leg lengths.
const LOW: f32 = 0.05;
/// The slowest floor, leg lengths a second.
const SLOWEST: f32 = 0.3;
/// The floor moves where standing feet have less than this share of the time.
const STANDING: f32 = 0.3;
/// Samples tried as u at most.
const TRIED: usize = 200;

struct Sample {
    velocity: Vec3,
    seconds: f32,
    side: i8,
}

/// Velocity of the floor, leg lengths a second; zero where it rests.
pub(super) fn drift(paths: &Paths, points: &ContactPoints, feet: &[usize]) -> Vec3 {
    let samples = low_samples(paths, points, feet);
    let seconds = |samples: &mut dyn Iterator<Item = &Sample>| -> f32 {
        samples.map(|sample| sample.seconds).sum()
    };
    let still = seconds(
        &mut samples
            .iter()
            .filter(|sample| sample.velocity.length() < 0.15),
    );
    // Where so many stand the floor rests, whatever the others do.
    if still >= STANDING * seconds(&mut samples.iter()) {
        return Vec3::ZERO;
    }
    let step = samples.len().div_ceil(TRIED).max(1);
    let like = |u: Vec3, side: Option<i8>| -> f32 {
        let reach = 0.1 + 0.25 * u.length();
        let near = samples.iter().filter(|sample| {
            side.is_none_or(|side| sample.side == side) && sample.velocity.distance(u) <= reach
        });
        near.map(|sample| sample.seconds).sum()
    };
    let tried = samples.iter().step_by(step).map(|sample| sample.velocity);
    let best = tried
        .map(|u| (like(u, None), u))
        .max_by(|one, other| one.0.total_cmp(&other.0));
    let Some((_, best)) = best else {
        return Vec3::ZERO;
    };
    let mean = |about: Vec3, reach: f32| -> (f32, Vec3) {
        let near = samples.iter();
        let near = near.filter(|sample| sample.velocity.distance(about) <= reach);
        near.fold((0.0, Vec3::ZERO), |(seconds, way), sample| {
            let more = sample.velocity * sample.seconds;
            (seconds + sample.seconds, way + more)
        })
    };
    let (weight, way) = mean(best, 0.1 + 0.25 * best.length());
    if weight <= 0.0 {
        return Vec3::ZERO;
    }
    let mut u = way / weight;
    // Where most feet keep one speed, those that roll are left out of the mean.
    for share in [0.1, 0.04, 0.015] {
        let (core, way) = mean(u, share * (0.1 + u.length()));
        if core < 0.5 * weight {
            break;
        }
        u = way / core;
    }
    let total = |side: i8| -> f32 {
        let own = samples.iter().filter(|sample| sample.side == side);
        own.map(|sample| sample.seconds).sum()
    };
    let on_both_sides = [1, -1]
        .into_iter()
        .all(|side| like(u, Some(side)) > 0.4 * total(side) && total(side) > 0.0);
    let stays = match (paths.hips.first(), paths.hips.last()) {
        (Some(first), Some(last)) => {
            let seconds = paths.times[paths.len() - 1] - paths.times[0];
            level(*last - *first).length() < 0.2 * u.length() * seconds
        }
        _ => false,
    };
    if u.length() > SLOWEST && on_both_sides && stays && still < STANDING * weight {
        u
    } else {
        Vec3::ZERO
    }
}

fn level(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, 0.0, vector.z)
}

fn low_samples(paths: &Paths, points: &ContactPoints, feet: &[usize]) -> Vec<Sample> {
    let mut samples = Vec::new();
    for &point in feet {
        let path = &paths.points[point];
        let mut heights: Vec<f32> = path.iter().map(|place| place.y).collect();
        let lowest = quantile(&mut heights, 0.05);
        for frame in 0..path.len() {
            let (before, after) = (frame.saturating_sub(1), (frame + 1).min(path.len() - 1));
            let seconds = paths.times[after] - paths.times[before];
            let velocity = level(path[after] - path[before]) / seconds;
            if path[frame].y < lowest + LOW && velocity.is_finite() {
                samples.push(Sample {
                    velocity,
                    seconds: paths.seconds[frame],
                    side: points.points[point].side,
                });
            }
        }
    }
    samples
}
