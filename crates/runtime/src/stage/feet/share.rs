//! How much a foot goes by its place in the world, where the whole clip is known.
//!
//! ```text
//! σ = argmin ∫ |σ − max(h, σ₀ near(|J − g| / f₁))|² + T⁶ |σ‴|²      σ = 1 where the foot is held
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | σ₀ | the same by the foot's height above the floor alone: 1 near it, 0 high above |
//! | near | 1 up to the first of [`FAR`], 0 from the second on |
//! | J, g, f₁ | the thigh's joint, the ankle's goal with the correction of the lock, how far the leg reaches |
//! | h | how much the foot must be reached |
//! | T | [`GENTLE`] |
//!
//! A foot in the air that a short leg cannot reach makes a straight leg, which snaps to and fro where reach begins and ends: there the
//! foot is left where the leg brings it.
//!
//! Degenerate cases: where all of it is 1, σ is 1, to the bit. Source: docs/laws.md, "Feet in the air".

use super::Free;
use super::lock::{Foot, HELD, Hold, Shares};
use super::smooth;
use crate::solve::calm::Calm;
use rebone_model::Clamp as _;

/// T, seconds.
const GENTLE: f64 = 0.06;

/// Distances from thigh to goal, as shares of the reach, between which a foot in the air is given up.
const FAR: [f32; 2] = [0.95, 1.1];

/// How much a foot that is held must be reached, at least.
const STANDS: f32 = 0.999;

impl Foot<'_> {
    /// σ, and how much the ball counts, into each frame.
    pub(super) fn share(&self, holds: &mut [Hold]) {
        let wanted_of = |(free, hold): (&Free, &Hold)| {
            let far = (free.ankle + hold.offset).distance(free.hip) / free.reach.max(1e-6);
            let near = smooth((FAR[1] - far) / (FAR[1] - FAR[0]));
            f64::from((free.share * near).max(hold.hold))
        };
        let wanted: Vec<f64> = self.free.iter().zip(&*holds).map(wanted_of).collect();
        let places = if wanted.iter().all(|wanted| *wanted >= 1.0) {
            wanted
        } else {
            let weight = |hold: &Hold| if hold.hold >= STANDS { HELD } else { 1.0 };
            let weights: Vec<f64> = holds.iter().map(weight).collect();
            Calm::new(self.times, &weights, GENTLE).calm(&wanted)
        };
        for (hold, (place, free)) in holds.iter_mut().zip(places.iter().zip(self.free)) {
            hold.shares = Some(Shares {
                ball: free.stands,
                place: place.clamped(0.0, 1.0) as f32,
            });
        }
    }
}
