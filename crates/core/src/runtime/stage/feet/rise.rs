//! Feet that come out of the floor, where the whole clip is known (F9).
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

use super::carry::UNSEEN;
use super::lock::{Foot, HELD, Hold};
use super::stance::Stance;
use crate::solve::calm::Calm;
use glam::Vec3;

/// T, seconds.
const GENTLE: f64 = 0.07;

/// How much a foot that stands must be reached, at least.
const STANDS: f32 = 0.999;

/// Shares of [`UNSEEN`] by which a foot in the floor is not in it.
const NOTHING: f64 = 0.1;

/// How often what is wanted and what is allowed are brought together.
const ROUNDS: usize = 20;

impl Foot<'_> {
    /// Raises feet that would be in the floor.
    pub(super) fn rise(&self, holds: &mut [Hold]) {
        let needed = |(hold, free): (&Hold, &super::Free)| {
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
        let rises = calm.within(&wanted, (ROUNDS, unseen), |frame, rise: f64| {
            rise.max(least[frame])
        });
        for (hold, rise) in holds.iter_mut().zip(rises) {
            hold.offset += self.up * rise as f32;
        }
    }

    /// On the way to and from a floor below the main one, the floor is that one; and it gives way where the source's foot sinks in.
    pub(super) fn sink(&self, stances: &[Stance], holds: &mut [Hold]) {
        let below =
            |stance: Option<&Stance>| stance.map_or(0.0, |stance| (-stance.height).max(0.0));
        let mut next = 0;
        for (frame, hold) in holds.iter_mut().enumerate() {
            while stances
                .get(next)
                .is_some_and(|stance| *stance.frames.end() < frame)
            {
                next += 1;
            }
            let here = stances.get(next);
            hold.below = if here.is_some_and(|stance| stance.frames.contains(&frame)) {
                below(here)
            } else {
                let before = next.checked_sub(1).and_then(|before| stances.get(before));
                below(here).max(below(before))
            };
            hold.below = hold.below.max(self.free[frame].sunk);
        }
    }
}
