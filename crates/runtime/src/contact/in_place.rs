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

/// How far a velocity may be from another that is like it.
fn reach(velocity: Vec3) -> f32 {
    0.1 + 0.25 * velocity.length()
}

/// Velocity of the floor, leg lengths a second; zero where it rests.
pub(super) fn drift(paths: &Paths, points: &ContactPoints, feet: &[usize]) -> Vec3 {
    let samples = Samples::low(paths, points, feet);
    let still = samples.seconds(|sample| sample.velocity.length() < 0.15);
    // Where so many stand the floor rests, whatever the others do.
    if still >= STANDING * samples.seconds(|_| true) {
        return Vec3::ZERO;
    }
    let Some(most_common) = samples.most_common() else {
        return Vec3::ZERO;
    };
    let near = samples.near(most_common, reach(most_common));
    if near.seconds <= 0.0 {
        return Vec3::ZERO;
    }
    let u = samples.core(near);
    let on_both_sides = [1, -1].into_iter().all(|side| {
        let own = |sample: &Sample| sample.side == side;
        let total = samples.seconds(own);
        let like_u = samples.seconds(|sample| own(sample) && sample.is_like(u));
        like_u > 0.4 * total && total > 0.0
    });
    let is_moving = u.length() > SLOWEST && still < STANDING * near.seconds;
    if is_moving && on_both_sides && hips_stay(paths, u) {
        u
    } else {
        Vec3::ZERO
    }
}

/// True where the hips do not go the way of the floor, which moves with u.
fn hips_stay(paths: &Paths, u: Vec3) -> bool {
    let (Some(first), Some(last)) = (paths.hips.first(), paths.hips.last()) else {
        return false;
    };
    let seconds = paths.times[paths.len() - 1] - paths.times[0];
    level(*last - *first).length() < 0.2 * u.length() * seconds
}

fn level(vector: Vec3) -> Vec3 {
    Vec3::new(vector.x, 0.0, vector.z)
}

impl Sample {
    fn is_like(&self, velocity: Vec3) -> bool {
        self.velocity.distance(velocity) <= reach(velocity)
    }
}

/// The frames in which feet are low.
struct Samples(Vec<Sample>);

/// Some samples together.
#[derive(Clone, Copy)]
struct Sum {
    seconds: f32,
    way: Vec3,
}

impl Samples {
    fn low(paths: &Paths, points: &ContactPoints, feet: &[usize]) -> Self {
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
        Self(samples)
    }

    /// How long those last that count.
    fn seconds(&self, counts: impl Fn(&Sample) -> bool) -> f32 {
        let counting = self.0.iter().filter(|sample| counts(sample));
        counting.map(|sample| sample.seconds).sum()
    }

    /// The velocity that most others are like; `None` without samples.
    fn most_common(&self) -> Option<Vec3> {
        let step = self.0.len().div_ceil(TRIED).max(1);
        let tried = self.0.iter().step_by(step).map(|sample| sample.velocity);
        let common = tried.map(|u| (self.seconds(|sample| sample.is_like(u)), u));
        let most = common.max_by(|one, other| one.0.total_cmp(&other.0));
        most.map(|(_, u)| u)
    }

    /// Those whose velocities are within a distance of this one.
    fn near(&self, velocity: Vec3, distance: f32) -> Sum {
        let mut sum = Sum {
            seconds: 0.0,
            way: Vec3::ZERO,
        };
        for sample in &self.0 {
            if sample.velocity.distance(velocity) <= distance {
                sum.seconds += sample.seconds;
                sum.way += sample.velocity * sample.seconds;
            }
        }
        sum
    }

    /// The mean velocity of these, over ever nearer ones: where most feet keep one speed, those that roll are left out.
    fn core(&self, all: Sum) -> Vec3 {
        let mut u = all.way / all.seconds;
        for share in [0.1, 0.04, 0.015] {
            let core = self.near(u, share * (0.1 + u.length()));
            if core.seconds < 0.5 * all.seconds {
                break;
            }
            u = core.way / core.seconds;
        }
        u
    }
}
