//! Feet that come out of the floor, where the whole clip is known.
//!
//! ```text
//! ρ(t) = argmin ∫ |ρ|² + T⁶ |ρ‴|²,   ρ ≥ max(0, φ − P_h·u, φ + τ − P_b·u)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | ρ | how much a foot is raised on top of the lock's correction |
//! | P_h, P_b | sole below the ankle and ball, with that correction |
//! | φ, τ | the floor; how high the ball's joint is when it stands |
//! | T | [`GENTLE`] |
//!
//! Taken frame by frame, ρ has a corner where a foot enters the floor and another where it leaves it. A foot that stands rises
//! no further than it must: else one that comes from below the floor would land above it.
//! Source: docs/laws.md, "Floor under the feet".

use super::carry::UNSEEN;
use super::lock::{Foot, Free, HELD, Hold};
use super::stance::Stance;
use crate::solve::calm::Calm;
use glam::Vec3;

/// T, seconds.
const GENTLE: f64 = 0.07;

/// Leg lengths by which the source's foot in the air may be in a floor that is higher than the main one.
const ABOVE: f32 = 0.03;

/// How much a foot that stands must be reached, at least.
const STANDS: f32 = 0.999;

/// Shares of [`UNSEEN`] by which a foot in the floor is not in it.
const NOTHING: f64 = 0.1;

/// How often what is wanted and what is allowed are brought together.
const ROUNDS: usize = 20;

impl Foot<'_> {
    /// Raises feet that would be in the floor.
    pub(super) fn rise(&self, holds: &mut [Hold]) {
        let needed = |(hold, free): (&Hold, &Free)| {
            let height = |place: Vec3| (place + hold.offset).dot(self.up) - self.floor + hold.below;
            let ball = self.ball_height - height(free.ball);
            f64::from((-height(free.heel)).max(ball).max(0.0))
        };
        let least: Vec<f64> = holds.iter().zip(self.free).map(needed).collect();
        let unseen = f64::from(UNSEEN * self.leg);
        if least.iter().all(|rise| *rise <= NOTHING * unseen) {
            return;
        }
        let stands = |hold: &Hold| hold.hold >= STANDS;
        let weight = |hold: &Hold| if stands(hold) { HELD } else { 1.0 };
        let weights: Vec<f64> = holds.iter().map(weight).collect();
        let calm = Calm::firm(self.times, &weights, GENTLE);
        let own = |(least, hold): (&f64, &Hold)| {
            if stands(hold) { *least } else { 0.0 }
        };
        let wanted: Vec<f64> = least.iter().zip(holds.iter()).map(own).collect();
        let rises = calm.within(&wanted, ROUNDS, unseen, |frame, rise: f64| {
            rise.max(least[frame])
        });
        for (hold, rise) in holds.iter_mut().zip(rises) {
            hold.offset += self.up * rise as f32;
        }
    }

    /// Finds the floor of each frame. Where the foot stands, it is what it stands on. In the air it is the lower of the floors on
    /// which it stands before and after; a floor above the main one only counts if the source's foot stays above it. Where the source's
    /// foot sinks in deeply, the floor gives way from where it enters to where it leaves.
    pub(super) fn sink(&self, stances: &[Stance], holds: &mut [Hold]) {
        let mut begin = 0;
        for next in 0..=stances.len() {
            let before = next.checked_sub(1).and_then(|before| stances.get(before));
            let after = stances.get(next);
            let end = after.map_or(holds.len(), |stance| *stance.frames.start());
            let around = before.into_iter().chain(after).map(|stance| stance.height);
            let lower = around.reduce(f32::min).unwrap_or(0.0);
            let level = lower - ABOVE * self.leg;
            let stays = |free: &Free| free.source_height > level;
            let is_floor = lower <= 0.0 || self.free[begin..end].iter().all(stays);
            for hold in &mut holds[begin..end] {
                hold.below = if is_floor { -lower } else { 0.0 };
            }
            if let Some(stance) = after {
                for hold in &mut holds[stance.frames.clone()] {
                    hold.below = -stance.height;
                }
                begin = stance.frames.end() + 1;
            }
        }
        let frames = holds.iter_mut().zip(self.free);
        let mut frames: Vec<(&mut Hold, &Free)> = frames.collect();
        let is_one = |a: &(&mut Hold, &Free), b: &(&mut Hold, &Free)| {
            let is_within =
                |own: &(&mut Hold, &Free)| own.1.source_height < 0.0 && own.0.hold < STANDS;
            is_within(a) && is_within(b)
        };
        for way in frames.chunk_by_mut(is_one) {
            let share = way.iter().map(|own| own.1.gives_way).fold(0.0, f32::max);
            for (hold, free) in way.iter_mut().filter(|_| share > 0.0) {
                hold.below = hold.below.max(-free.source_height * share);
            }
        }
    }
}
