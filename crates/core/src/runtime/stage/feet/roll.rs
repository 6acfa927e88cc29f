//! When the ball of a foot takes over from the sole, where the whole clip is known (F10).
//!
//! ```text
//! β = argmin ∫ |β − β₀|² + T⁶ |β‴|²        β = β₀ where the foot touches
//! g = g_h + β (g_b − g_h)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | g_h, g_b | where the ankle belongs by the sole below it, and by the ball (F2, F10) |
//! | β₀ | how much the ball counts by its height above the floor, 1 where the foot touches |
//! | T | [`GENTLE`] |
//!
//! A foot that leaves the floor in a jump passes the heights between which β₀ goes from 1 to 0 within a frame or two, and the
//! foot would go from one place to the other in the same time.
//!
//! Degenerate cases: feet without toes have β = 0; a ball that never leaves its floor has β = 1, to the bit.

use super::lock::HELD;
use super::{FeetStage, Free, MOST_LEGS};
use crate::solve::calm::Calm;
use glam::{DVec3, Vec3};

/// T, seconds.
const GENTLE: f64 = 0.06;

/// How much a foot touches, at least, for β to be kept: touches are found to a frame or two, and a foot that takes off must not
/// do so later.
const TOUCHES: f32 = 0.8;

impl FeetStage {
    /// Makes β of each foot gentle and moves its points accordingly; `touches` is how much each foot touches in each frame.
    pub(crate) fn roll(
        &self,
        times: &[f32],
        touches: &[[f32; MOST_LEGS]],
        free: &mut [[Free; MOST_LEGS]],
    ) {
        for leg in 0..self.legs.len() {
            let is_settled = |free: &[Free; MOST_LEGS]| {
                let own = &free[leg];
                own.stands >= 1.0 || own.roll == Vec3::ZERO
            };
            if free.iter().all(is_settled) {
                continue;
            }
            let weight = |touches: &[f32; MOST_LEGS]| {
                if touches[leg] >= TOUCHES { HELD } else { 1.0 }
            };
            let weights: Vec<f64> = touches.iter().map(weight).collect();
            let wanted: Vec<DVec3> = free
                .iter()
                .map(|free| DVec3::X * f64::from(free[leg].stands))
                .collect();
            let shares = Calm::new(times, &weights, GENTLE).calm(&wanted);
            for (free, share) in free.iter_mut().zip(shares) {
                let own = &mut free[leg];
                let stands = share.x.clamp(0.0, 1.0) as f32;
                let way = own.roll * (stands - own.stands);
                own.stands = stands;
                own.ankle += way;
                own.heel += way;
                own.ball += way;
            }
        }
    }
}
