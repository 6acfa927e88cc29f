//! Functions of four numbers at a time.

use glam::Vec4;
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};

/// 0 to 1, without a corner at either end.
#[inline(always)]
pub(crate) fn smooth(values: Vec4) -> Vec4 {
    let t = values.max(Vec4::ZERO).min(Vec4::ONE);
    t * t * (Vec4::splat(3.0) - t * 2.0)
}

/// A power series Σ xⁿ / dₙ, given by its divisors d.
#[inline(always)]
pub(crate) fn series(x: Vec4, divisors: &[f32]) -> Vec4 {
    let terms = divisors.iter().rev();
    terms.fold(Vec4::ZERO, |sum, divisor| {
        sum * x + Vec4::splat(divisor.recip())
    })
}

/// Square roots.
#[inline(always)]
pub(crate) fn root(values: Vec4) -> Vec4 {
    Vec4::from_array(values.to_array().map(f32::sqrt))
}

/// Sines and cosines of angles up to 3π/4, by their Taylor series at half the angle; 2e-7 off at most.
#[inline(always)]
pub(crate) fn sine_cosine(angles: Vec4) -> (Vec4, Vec4) {
    let half = angles * 0.5;
    let square = half * half;
    let series = |terms: [f32; 5]| {
        let last = Vec4::splat(terms[4]);
        let terms = terms[..4].iter().rev();
        terms.fold(last, |sum, term| sum * square + Vec4::splat(*term))
    };
    let sine = series([
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5_040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
    ]);
    let sine = half + half * square * sine;
    let cosine = series([
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40_320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
    ]);
    let cosine = Vec4::ONE - square * 0.5 + square * square * cosine;
    let twice = sine * 2.0;
    (twice * cosine, Vec4::ONE - twice * sine)
}

/// Angles of the points (`along`, `aside`) about the origin, for `along` of at least 0; 1e-7 off at most. 0 for the origin.
///
/// Source: `atanf` of the Cephes library (S. L. Moshier).
#[inline(always)]
pub(crate) fn arc_tangent(aside: Vec4, along: Vec4) -> Vec4 {
    let size = aside.abs();
    let (steep, middle) = (
        size.cmpgt(along * 2.414_213_6),
        size.cmpgt(along * 0.414_213_57),
    );
    let zero = Vec4::ZERO;
    let base = Vec4::select(
        steep,
        Vec4::splat(FRAC_PI_2),
        Vec4::select(middle, Vec4::splat(FRAC_PI_4), zero),
    );
    let above = Vec4::select(steep, -along, Vec4::select(middle, size - along, size));
    let below = Vec4::select(steep, size, Vec4::select(middle, size + along, along));
    let share = above / below.max(Vec4::splat(f32::MIN_POSITIVE));
    let square = share * share;
    let series = [-0.333_329_5, 0.199_777_1, -0.138_776_86, 0.080_537_446];
    let terms = series.iter().rev().copied();
    let series = terms.fold(zero, |sum, term| sum * square + Vec4::splat(term));
    let angle = base + (share + share * square * series);
    Vec4::select(aside.cmplt(zero), -angle, angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_library() {
        for step in -240..=240 {
            let angle = step as f32 * 0.01;
            let (sine, cosine) = sine_cosine(Vec4::splat(angle));
            assert!((sine.x - angle.sin()).abs() < 2e-7, "{angle}");
            assert!((cosine.x - angle.cos()).abs() < 2e-7, "{angle}");
            let point = Vec4::new(angle.sin(), -angle.sin(), 3.0 * angle.sin(), 0.0);
            let along = angle.cos().abs();
            let angles = arc_tangent(point, Vec4::new(along, along, 0.1 * along, along));
            let known = [
                angle.sin().atan2(along),
                -angle.sin().atan2(along),
                (3.0 * angle.sin()).atan2(0.1 * along),
                0.0,
            ];
            assert!(
                (angles - Vec4::from(known)).abs().max_element() < 2e-7,
                "{angle}"
            );
        }
        assert_eq!(arc_tangent(Vec4::ZERO, Vec4::ZERO), Vec4::ZERO);
    }
}
