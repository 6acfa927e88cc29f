//! Where the steps of straight limbs begin.
//!
//! The end of a straight limb does not come nearer to its root by any small turn of its bones. Without help, rounding would decide to which
//! side the first step bends it, and how far. So limbs that must become shorter begin a little bent about their own hinges.

use super::{SteadyLimb, Turns, step};
use crate::lanes::{Lanes, Vectors, arc_tangent, exp};

/// Angles that are missing by less than this stay, radians: rounding must not bend a limb whose end is where it should be.
const BEYOND: f32 = 2e-3;

impl<const N: usize> SteadyLimb<N> {
    /// How limbs turn that bend towards the angle at which their ends are as far from the roots as the goals are. Straight limbs bend by
    /// at most so many radians, and those that are bent by twice that not at all; no limb is stretched.
    #[inline(always)]
    pub(super) fn bent(&self, turns: Turns<N>, shift: Vectors<N>, most: f32) -> Turns<N> {
        let Turns([a, b]) = turns;
        let hinge = exp(a).turned(self.hinge);
        let bones = [exp(a).turned(self.bones[0]), exp(b).turned(self.bones[1])];
        let own = step::angle(bones, hinge).max(Lanes::ZERO);
        let wanted = self.angle_of((self.goal - shift).length());
        let straight = (Lanes::ONE - own * (0.5 / most)).max(Lanes::ZERO);
        let missing = (wanted.min(self.limits[1]) - own - Lanes::splat(BEYOND)).max(Lanes::ZERO);
        let bend = (missing * straight).min(Lanes::splat(most));
        // The line from root to end stays where it was.
        let [upper, lower] = self.bones.map(Vectors::length);
        let whole = (upper + lower).max(Lanes::splat(f32::MIN_POSITIVE));
        let about = hinge * (bend / whole);
        Turns([a - about * lower, b + about * upper])
    }

    /// The angle of the middle joint of limbs whose ends are that far from their roots, or as near to it as they can be.
    #[inline(always)]
    fn angle_of(&self, way: Lanes<N>) -> Lanes<N> {
        let [upper, lower] = self.bones.map(Vectors::length);
        let way = way.max((upper - lower).abs()).min(upper + lower);
        let sizes = (upper * lower * 2.0).max(Lanes::splat(f32::MIN_POSITIVE));
        let cosine = (way * way - upper * upper - lower * lower) / sizes;
        // Tangent of half the angle.
        let aside = (Lanes::ONE - cosine).max(Lanes::ZERO).root();
        let along = (Lanes::ONE + cosine).max(Lanes::splat(1e-6)).root();
        arc_tangent(aside, along) * 2.0
    }
}
