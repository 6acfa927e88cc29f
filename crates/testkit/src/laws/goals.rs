//! Where the ankles of the target go.
//!
//! | law | formula |
//! |---|---|
//! | sole | g = k · a + D_foot · e_y · (η_B − k η_A) + σ · ½ (w_B − k w_A) · P_xz(D_foot · e_x) |
//! | ball | t_B = k · t_A + yaw · ρ + the same sideways, t_B,y = τ_B + k (t_A,y − τ_A); ankle t_B − o |
//! | share of the ball | smoothstep of (t_A,y − τ_A)/K_A from 0.06 (0) to 0.02 (1) |
//! | floor | g_y raised until ankle ≥ min(η_B, η_B + k (a_y − η_A)) and toe base ≥ min(τ_B, τ_B + k (t_A,y − τ_A)) |
//!
//! | symbol | meaning |
//! |---|---|
//! | a, t_A | ankle and toe base of the source, heights above its floor |
//! | o_A, o_B, τ | from ankle to toe base at rest, height of the toe base at rest |
//! | o | from ankle to toe base in the copied pose: D_foot · o_B, and what the toes slide |
//! | ρ | flattened o_B − k · o_A |
//! | P_xz | without the vertical part, as long as that leaves it |
//!
//! Degenerate cases: a foot that lies on its back has no yaw. Without a toe base on one side the ball's goal is the sole's. Without one in
//! the target the floor looks at the ankle alone. Source: docs/laws.md, "Goal of the sole", "Goal of the ball" and "Floor under the feet".

use super::Constants;
use crate::oracle::unit;
use glam::{DQuat, DVec3};
use rebone_model::Clamp as _;

/// One foot of the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// σ.
    pub(super) sign: f64,
    /// 0 left, 1 right.
    pub(super) index: usize,
    /// a.
    pub(super) ankle: DVec3,
    /// t_A.
    pub(super) toes: Option<DVec3>,
    /// D_foot.
    pub(super) turn: DQuat,
}

/// Goal of the ankle by the sole.
pub(super) fn sole(law: &Constants, foot: &Foot) -> DVec3 {
    law.ratio * foot.ankle + foot.turn * DVec3::Y * law.ankle + sideways(law, foot)
}

fn sideways(law: &Constants, foot: &Foot) -> DVec3 {
    let across = foot.turn * DVec3::X;
    foot.sign * law.spread * DVec3::new(across.x, 0.0, across.z)
}

/// Goal of the ankle by the ball. `offset` is where the target's toe base is from its ankle in the copied pose.
pub(super) fn sole_or_toes(law: &Constants, foot: &Foot, offset: Option<DVec3>) -> DVec3 {
    let sole = sole(law, foot);
    let of = |measures: &super::Measures| {
        let offset = measures.toe_offsets[foot.index]?;
        Some((offset, measures.toe_heights[foot.index]?))
    };
    let (Some(toes), Some(offset), Some((own, own_height)), Some((other, other_height))) =
        (foot.toes, offset, of(&law.source), of(&law.target))
    else {
        return sole;
    };
    let twist = DQuat::from_xyzw(0.0, foot.turn.y, 0.0, foot.turn.w);
    let yaw = if twist.length() < 1e-9 {
        DQuat::IDENTITY
    } else {
        unit(twist)
    };
    let difference = other - law.ratio * own;
    let flat = DVec3::new(difference.x, 0.0, difference.z);
    let mut goal = law.ratio * toes + yaw * flat + sideways(law, foot);
    let above = toes.y - own_height;
    goal.y = other_height + law.ratio * above;
    let ankle = goal - offset;
    let size = law.source.leg + law.source.width;
    let low = ((0.06 - above / size) / 0.04).clamped(0.0, 1.0);
    let weight = low * low * (3.0 - 2.0 * low);
    sole + (ankle - sole) * weight
}

/// The goal raised out of the floor. `toes` is where the target's toe base is from its ankle in the copied pose.
pub(super) fn above_floor(law: &Constants, foot: &Foot, goal: DVec3, toes: Option<DVec3>) -> DVec3 {
    let limit = |rest: f64, depth: f64| rest.min(rest + law.ratio * depth);
    let ankle = limit(law.target.ankle, foot.ankle.y - law.source.ankle);
    let mut raise = (ankle - goal.y).max(0.0);
    if let (Some(toes), Some(rest)) = (toes, law.target.toe_heights[foot.index]) {
        let own = foot.toes.zip(law.source.toe_heights[foot.index]);
        let depth = own.map_or(0.0, |(now, rest)| now.y - rest);
        raise = raise.max(limit(rest, depth) - (goal + toes).y);
    }
    goal + DVec3::Y * raise
}
