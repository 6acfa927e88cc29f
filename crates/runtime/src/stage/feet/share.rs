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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// σ of a foot that is so far from its thigh (of a reach of 1), and so far by its height (σ₀), in each frame of a second.
    fn places(far: impl Fn(f32) -> f32, by_height: impl Fn(f32) -> f32, hold: f32) -> Vec<f32> {
        let times: Vec<f32> = (0..61).map(|frame| frame as f32 / 60.0).collect();
        let free = |time: &f32| Free {
            hip: Vec3::Y * far(*time),
            reach: 1.0,
            share: by_height(*time),
            ..Free::default()
        };
        let free: Vec<Free> = times.iter().map(free).collect();
        let foot = Foot {
            times: &times,
            free: &free,
            heel: &[],
            ball: &[],
            up: Vec3::Y,
            floor: 0.0,
            ball_height: 0.0,
            leg: 1.0,
            drift: Vec3::ZERO,
        };
        let own = Hold {
            hold,
            ..Hold::default()
        };
        let mut holds = vec![own; times.len()];
        foot.share(&mut holds);
        let place = |hold: &Hold| hold.shares.unwrap().place;
        holds.iter().map(place).collect()
    }

    #[test]
    fn a_foot_in_the_air_is_left_where_the_leg_brings_it() {
        // Near the floor and within reach its place counts whole, to the bit.
        assert!(
            places(|_| 0.9, |_| 1.0, 0.0)
                .iter()
                .all(|place| *place == 1.0)
        );
        // High above the floor, or out of reach, it does not count; nor where only one of the two is so.
        for (far, by_height) in [(0.9, 0.0), (1.2, 1.0), (1.2, 0.0)] {
            let places = places(|_| far, |_| by_height, 0.0);
            assert!(
                places.iter().all(|place| place.abs() < 1e-6),
                "{far} {by_height}"
            );
        }
        // A foot that is held is reached, wherever it is.
        assert!(
            places(|_| 1.2, |_| 0.0, 1.0)
                .iter()
                .all(|place| *place == 1.0)
        );
    }

    /// Where reach ends from one frame to the next, the foot goes over without a step.
    #[test]
    fn a_foot_goes_over_gently() {
        let places = places(|time| if time < 0.5 { 0.9 } else { 1.2 }, |_| 1.0, 0.0);
        assert!(places[0] > 0.99 && places[60] < 0.01, "{places:?}");
        let steps = places.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        let most = steps.fold(0.0, f32::max);
        assert!((0.05..0.25).contains(&most), "{most}");
    }
}
