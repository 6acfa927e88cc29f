//! Where the middle H of the target's thigh joints goes.
//!
//! | law | formula |
//! |---|---|
//! | along the legs | Ĥ = k · H_A + c · unit(H_A − F_A) |
//! | pulled | H = Ĥ − a · Σ p_s · unit(v_s), v_s = J_s − g_s, p_s = max(0, \|v_s\| − f_s), or without max |
//!
//! | symbol | meaning |
//! |---|---|
//! | H_A, F_A | middle of the source's thigh joints, of its ankles |
//! | J_s, g_s, f_s | thigh joint below Ĥ, goal of the ankle, reach of the copied leg |
//!
//! Degenerate cases: where |H_A − F_A| < 0.05 K_A, c counts along the pelvis' up axis; a leg of no length does not pull.
//! Source: docs/laws.md, "Hips along the legs" and "Hips pulled by short legs".

use super::{Constants, Laws};
use glam::{DQuat, DVec3};

/// Ĥ: the hips along the source's legs.
pub(super) fn raw(law: &Constants, thighs: DVec3, ankles: DVec3, hips_turn: DQuat) -> DVec3 {
    let legs = thighs - ankles;
    let along = if legs.length() < 0.05 * (law.source.leg + law.source.width) {
        hips_turn * DVec3::Y
    } else {
        legs / legs.length()
    };
    law.ratio * thighs + law.lift * along
}

/// One leg of the target below Ĥ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hanging {
    /// J.
    pub(super) thigh: DVec3,
    /// g.
    pub(super) goal: DVec3,
    /// f.
    pub(super) reach: f64,
}

/// Over-stretch p of a leg.
pub(super) fn over_stretch(laws: &Laws, leg: &Hanging) -> f64 {
    let over = (leg.thigh - leg.goal).length() - leg.reach;
    if laws.signed_pull {
        over
    } else {
        over.max(0.0)
    }
}

/// How far H is pulled.
pub(super) fn pull(laws: &Laws, legs: &[Hanging; 2]) -> DVec3 {
    let of = |leg: &Hanging| {
        let along = leg.thigh - leg.goal;
        if along.length() < 1e-300 {
            return DVec3::ZERO;
        }
        over_stretch(laws, leg) * along / along.length()
    };
    -laws.pull * (of(&legs[0]) + of(&legs[1]))
}
