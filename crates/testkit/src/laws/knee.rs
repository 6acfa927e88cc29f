//! How a leg of the target reaches its goal.
//!
//! The copied leg turns as one piece by the shortest arc from its line hip → ankle to that from J to g. Then it bends in
//! its plane: with r = |g − J| and bones l₁, l₂ the knee lies x = (l₁² + r² − l₂²)/2r along the line and √(l₁² − x²)
//! towards the pole.
//!
//! | symbol | meaning |
//! |---|---|
//! | pole | the part of the thigh that is across the line hip → ankle |
//! | r | at least \|l₁ − l₂\|, at most 0.9999 (l₁ + l₂) |
//!
//! Degenerate cases: a pole below 2 % of the thigh says nothing; then it is the thigh's forward axis. A leg that ends at
//! its goal already is not bent. A leg of no length, or with its goal in the hip joint, is not turned before it bends.
//! Source: docs/laws.md, "Two-bone limb".

use super::arc;
use glam::{DQuat, DVec3};

/// A leg under copied rotations, and where it should end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Copied {
    /// From thigh to shin joint.
    pub(super) thigh: DVec3,
    /// From shin to foot joint.
    pub(super) shin: DVec3,
    /// The thigh's forward axis.
    pub(super) forward: DVec3,
    /// From J to g.
    pub(super) goal: DVec3,
}

/// What thigh and shin turn by, in model space, and whether the ankle is at the goal then.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bent {
    pub(super) thigh: DQuat,
    pub(super) shin: DQuat,
    pub(super) reaches: bool,
}

/// The leg at its goal.
pub(super) fn bend(leg: &Copied) -> Bent {
    let (upper, lower) = (leg.thigh.length(), leg.shin.length());
    let longest = upper + lower;
    let line = leg.thigh + leg.shin;
    let whole = arc(line, leg.goal);
    let reach = leg.goal.length();
    if (reach - line.length()).abs() <= 1e-6 * longest {
        return Bent {
            thigh: whole,
            shin: whole,
            reaches: true,
        };
    }
    let limited = reach.min(0.9999 * longest).max((upper - lower).abs());
    let length = limited.max(1e-9 * longest);
    let along = whole * line / line.length().max(1e-300);
    let (thigh, shin) = (whole * leg.thigh, whole * leg.shin);
    let across = |of: DVec3| of - along * of.dot(along);
    let mut pole = across(thigh);
    if pole.length() < 0.02 * upper {
        pole = across(whole * leg.forward);
    }
    let pole = pole / pole.length().max(1e-300);
    let x = (upper * upper + length * length - lower * lower) / (2.0 * length);
    let out = (upper * upper - x * x).max(0.0).sqrt();
    let knee = along * x + pole * out;
    Bent {
        thigh: arc(thigh, knee) * whole,
        shin: arc(shin, along * length - knee) * whole,
        reaches: (length - reach).abs() <= 1e-9 * longest,
    }
}
