//! When the ball of a foot takes over from the sole, where the whole clip is known.
//!
//! ```text
//! β = argmin ∫ |β − β₀|² + T⁶ |β‴|²        β = β₀ where the foot touches
//! g = g_h + β (g_b − g_h)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | g_h, g_b | where the ankle belongs by the sole below it, and by the ball |
//! | β₀ | how much the ball counts by its height above the floor, 1 where the foot touches |
//! | T | [`GENTLE`] |
//!
//! A foot that leaves the floor in a jump passes the heights between which β₀ goes from 1 to 0 within a frame or two, and the
//! foot would go from one place to the other in the same time.
//!
//! Degenerate cases: feet without toes have β = 0; a ball that never leaves its floor has β = 1, to the bit.
//! Source: docs/laws.md, "Goal of the ball".

use super::lock::HELD;
use super::{FeetStage, Free};
use crate::solve::calm::Calm;
use glam::Vec3;
use rebone_model::Clamp as _;

/// T, seconds.
const GENTLE: f64 = 0.06;

/// How much a foot touches, at least, for β to be kept: touches are found to a frame or two, and a foot that takes off must not
/// do so later.
const TOUCHES: f32 = 0.8;

impl FeetStage {
    /// Makes β of each foot gentle and moves its points accordingly; `touches` is how much each foot touches in each frame.
    pub(crate) fn roll(&self, times: &[f32], touches: &[Vec<f32>], free: &mut [Vec<Free>]) {
        for (touches, free) in touches.iter().zip(free) {
            let is_settled = |free: &Free| free.stands >= 1.0 || free.roll == Vec3::ZERO;
            if free.iter().all(is_settled) {
                continue;
            }
            let weight = |touches: &f32| if *touches >= TOUCHES { HELD } else { 1.0 };
            let weights: Vec<f64> = touches.iter().map(weight).collect();
            let wanted: Vec<f64> = free.iter().map(|free| f64::from(free.stands)).collect();
            let shares = Calm::new(times, &weights, GENTLE).calm(&wanted);
            for (free, share) in free.iter_mut().zip(shares) {
                let stands = share.clamped(0.0, 1.0) as f32;
                let way = free.roll * (stands - free.stands);
                free.stands = stands;
                free.ankle += way;
                free.heel += way;
                free.ball += way;
            }
        }
    }
}
