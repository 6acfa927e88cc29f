//! Functions of N numbers at a time.

use super::{Lanes, Rotations, Vectors, unrolled};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

/// 0 up to 0, 1 from 1, smooth between.
#[inline(always)]
pub(crate) fn smooth<const N: usize>(shares: Lanes<N>) -> Lanes<N> {
    let t = shares.max(Lanes::ZERO).min(Lanes::ONE);
    t * t * (Lanes::splat(3.0) - t * 2.0)
}

/// Sines and cosines of angles up to 3π/4, by their Taylor series at half the angle; 2e-7 off at most.
#[inline(always)]
pub(crate) fn sine_cosine<const N: usize>(angles: Lanes<N>) -> [Lanes<N>; 2] {
    let half = angles * 0.5;
    let square = half * half;
    let sine = [-6.0, 120.0, -5_040.0, 362_880.0, -39_916_800.0];
    let sine = half + half * square * series(square, sine);
    let cosine = [24.0, -720.0, 40_320.0, -3_628_800.0, 479_001_600.0];
    let cosine = Lanes::ONE - square * 0.5 + square * square * series(square, cosine);
    let twice = sine * 2.0;
    [twice * cosine, Lanes::ONE - twice * sine]
}

/// A power series Σ xⁿ / dₙ, given by its divisors d.
#[inline(always)]
pub(crate) fn series<const N: usize, const T: usize>(x: Lanes<N>, divisors: [f32; T]) -> Lanes<N> {
    let mut sum = Lanes::ZERO;
    unrolled::<T>(|term| sum = sum * x + Lanes::splat(divisors[T - 1 - term].recip()));
    sum
}

/// Rotations by rotation vectors of up to half a turn.
#[inline(always)]
pub(crate) fn exp<const N: usize>(turns: Vectors<N>) -> Rotations<N> {
    let quarter = turns.dot(turns) * 0.25;
    let sine = [1.0, -6.0, 120.0, -5_040.0, 362_880.0, -39_916_800.0];
    let cosine = [1.0, -2.0, 24.0, -720.0, 40_320.0, -3_628_800.0];
    let Vectors([x, y, z]) = turns * (series(quarter, sine) * 0.5);
    Rotations([x, y, z, series(quarter, cosine)])
}

/// Angles of the points (`along`, `aside`) about the origin, for `along` of at least 0; 1e-7 off at most. 0 for the origin.
///
/// Source: `atanf` of the Cephes library (S. L. Moshier).
#[inline(always)]
pub(crate) fn arc_tangent<const N: usize>(aside: Lanes<N>, along: Lanes<N>) -> Lanes<N> {
    let size = aside.abs();
    let steep = size.cmpgt(along * 2.414_213_6);
    let middle = size.cmpgt(along * 0.414_213_57);
    let base = Lanes::select(middle, Lanes::splat(FRAC_PI_4), Lanes::ZERO);
    let base = Lanes::select(steep, Lanes::splat(FRAC_PI_2), base);
    let above = Lanes::select(steep, -along, Lanes::select(middle, size - along, size));
    let below = Lanes::select(steep, size, Lanes::select(middle, size + along, along));
    let share = above / below.max(Lanes::splat(f32::MIN_POSITIVE));
    let square = share * share;
    let terms = [0.080_537_446, -0.138_776_86, 0.199_777_1, -0.333_329_5];
    let mut series = Lanes::ZERO;
    unrolled::<4>(|term| series = series * square + Lanes::splat(terms[term]));
    let angle = base + (share + share * square * series);
    Lanes::select(aside.cmplt(Lanes::ZERO), -angle, angle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    #[test]
    fn angles_are_those_of_the_library() {
        for step in -240..=240 {
            let angle = step as f32 * 0.01;
            let [sine, cosine] = sine_cosine(Lanes::<1>::splat(angle));
            assert!((sine[0] - angle.sin()).abs() < 2e-7, "{angle}");
            assert!((cosine[0] - angle.cos()).abs() < 2e-7, "{angle}");
            let along = angle.cos().abs();
            let aside = Lanes([angle.sin(), -angle.sin(), 3.0 * angle.sin(), 0.0]);
            let angles = arc_tangent(aside, Lanes([along, along, 0.1 * along, along]));
            let known = [
                angle.sin().atan2(along),
                -angle.sin().atan2(along),
                (3.0 * angle.sin()).atan2(0.1 * along),
                0.0,
            ];
            for (angle, known) in angles.0.into_iter().zip(known) {
                assert!((angle - known).abs() < 2e-7, "{angle} {known}");
            }
        }
        assert_eq!(arc_tangent(Lanes::<1>::ZERO, Lanes::ZERO), Lanes::<1>::ZERO);
    }

    #[test]
    fn rotation_vectors_are_rotations() {
        for step in -31..=31 {
            let angle = step as f32 * 0.1;
            let axis = Vec3::new(0.36, -0.48, 0.8);
            let turn = exp(Vectors::<1>::splat(axis * angle)).lane(0);
            let known = Quat::from_axis_angle(axis, angle);
            assert!(turn.abs_diff_eq(known, 1e-6), "{angle}: {turn} {known}");
        }
    }
}
