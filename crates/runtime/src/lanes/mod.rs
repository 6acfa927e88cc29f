//! Arithmetic on N numbers at a time: of N frames, N characters or N limbs.
//!
//! One pose is N = 1, a batch N = 8. Both are this one code, which does the same operations in the same order in
//! every lane, without fused multiply-adds: so a character gets the same bits alone and in a batch, and every machine gives
//! the same.
//!
//! Comparisons have the names that glam's vectors give them.
//!
//! Lanes are plain arrays. Compilers make vector instructions of them where a function that uses them is inlined whole; that is
//! why everything here is, and why what is built on it should not hide large parts in closures. Short loops are
//! written out by [`unrolled`]: a compiler needs minutes to take them apart in functions that are as long as the solver's.

mod functions;
mod rotations;
mod vectors;
mod wide;

/// How many frames of a clip, characters of a batch or points of a skin go together: the widest registers hold eight numbers.
pub(crate) const WIDTH: usize = 8;

/// The lanes of a body: its limbs.
pub(crate) mod limbs {
    /// How many limbs go together: the four legs of an animal, or the two of a person.
    pub(crate) const LANES: usize = 4;

    pub(crate) type Numbers = super::Lanes<LANES>;
    pub(crate) type Mask = super::Mask<LANES>;
    pub(crate) type Vectors = super::Vectors<LANES>;
    pub(crate) type Rotations = super::Rotations<LANES>;
}

pub(crate) use functions::{arc_tangent, exp, series, sine_cosine, smooth};
pub(crate) use rotations::{Rotations, product, turned};
pub(crate) use vectors::{Vectors, matrix_times};
pub(crate) use wide::Kernel;

use glam::Vec4;
use std::ops::{Add, BitAnd, BitOr, Div, Index, Mul, Neg, Not, Sub};

/// Calls `work` with 0 to N - 1, without a loop.
#[inline(always)]
pub(crate) fn unrolled<const N: usize>(mut work: impl FnMut(usize)) {
    const { assert!(N <= WIDTH) };
    if N > 0 {
        work(0);
    }
    if N > 1 {
        work(1);
    }
    if N > 2 {
        work(2);
    }
    if N > 3 {
        work(3);
    }
    if N > 4 {
        work(4);
    }
    if N > 5 {
        work(5);
    }
    if N > 6 {
        work(6);
    }
    if N > 7 {
        work(7);
    }
}

/// N numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lanes<const N: usize>(pub(crate) [f32; N]);

/// Yes or no in each of N lanes: all bits or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mask<const N: usize>([u32; N]);

impl<const N: usize> Lanes<N> {
    pub(crate) const ZERO: Self = Self([0.0; N]);
    pub(crate) const ONE: Self = Self([1.0; N]);

    #[inline(always)]
    pub(crate) const fn splat(value: f32) -> Self {
        Self([value; N])
    }

    #[inline(always)]
    pub(crate) fn map(mut self, operation: impl Fn(f32) -> f32) -> Self {
        unrolled::<N>(|lane| self.0[lane] = operation(self.0[lane]));
        self
    }

    #[inline(always)]
    fn map2(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = [0.0; N];
        unrolled::<N>(|lane| result[lane] = operation(self.0[lane], other.0[lane]));
        Self(result)
    }

    /// The same of four lanes in a register that every processor has: compilers do not always find it by themselves.
    #[inline(always)]
    fn by_four(
        self,
        other: Self,
        four: impl Fn(Vec4, Vec4) -> Vec4,
        one: impl Fn(f32, f32) -> f32,
    ) -> Self {
        if N != 4 {
            return self.map2(other, one);
        }
        let four = four(Vec4::from_slice(&self.0), Vec4::from_slice(&other.0));
        let mut result = [0.0; N];
        result.copy_from_slice(&four.to_array());
        Self(result)
    }

    #[inline(always)]
    fn compared(self, other: Self, is: impl Fn(f32, f32) -> bool) -> Mask<N> {
        let mut result = [0; N];
        unrolled::<N>(|lane| {
            let is = is(self.0[lane], other.0[lane]);
            result[lane] = if is { u32::MAX } else { 0 };
        });
        Mask(result)
    }

    /// Where this is less.
    #[inline(always)]
    pub(crate) fn cmplt(self, other: Self) -> Mask<N> {
        self.compared(other, |a, b| a < b)
    }

    /// Where this is less or equal.
    #[inline(always)]
    pub(crate) fn cmple(self, other: Self) -> Mask<N> {
        self.compared(other, |a, b| a <= b)
    }

    /// Where this is more.
    #[inline(always)]
    pub(crate) fn cmpgt(self, other: Self) -> Mask<N> {
        self.compared(other, |a, b| a > b)
    }

    /// Where this is more or equal.
    #[inline(always)]
    pub(crate) fn cmpge(self, other: Self) -> Mask<N> {
        self.compared(other, |a, b| a >= b)
    }

    /// The larger ones; the other where one of the two is no number.
    #[inline(always)]
    pub(crate) fn max(self, other: Self) -> Self {
        self.map2(other, |a, b| if a > b { a } else { b })
    }

    /// The smaller ones; the other where one of the two is no number.
    #[inline(always)]
    pub(crate) fn min(self, other: Self) -> Self {
        self.map2(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    pub(crate) fn abs(self) -> Self {
        self.map(f32::abs)
    }

    #[inline(always)]
    pub(crate) fn root(self) -> Self {
        self.map(f32::sqrt)
    }

    #[inline(always)]
    pub(crate) fn recip(self) -> Self {
        Self::ONE / self
    }

    /// The nearest whole numbers.
    #[inline(always)]
    pub(crate) fn round(self) -> Self {
        self.map(f32::round)
    }

    /// Of all lanes, from the first to the last.
    #[inline(always)]
    pub(crate) fn sum(self) -> f32 {
        self.folded(0.0, |sum, value| sum + value)
    }

    /// The largest of all lanes.
    #[inline(always)]
    pub(crate) fn largest(self) -> f32 {
        self.folded(f32::NEG_INFINITY, f32::max)
    }

    /// The smallest of all lanes.
    #[inline(always)]
    pub(crate) fn smallest(self) -> f32 {
        self.folded(f32::INFINITY, f32::min)
    }

    #[inline(always)]
    pub(crate) fn folded(self, first: f32, operation: impl Fn(f32, f32) -> f32) -> f32 {
        let mut result = first;
        unrolled::<N>(|lane| result = operation(result, self.0[lane]));
        result
    }

    /// One or the other in each lane.
    #[inline(always)]
    pub(crate) fn select(mask: Mask<N>, if_true: Self, if_false: Self) -> Self {
        let mut result = [0.0; N];
        unrolled::<N>(|lane| {
            let (a, b) = (if_true.0[lane].to_bits(), if_false.0[lane].to_bits());
            result[lane] = f32::from_bits((a & mask.0[lane]) | (b & !mask.0[lane]));
        });
        Self(result)
    }
}

impl<const N: usize> Mask<N> {
    pub(crate) const FALSE: Self = Self([0; N]);
    pub(crate) const TRUE: Self = Self([u32::MAX; N]);

    #[inline(always)]
    pub(crate) fn new(lanes: [bool; N]) -> Self {
        let mut result = Self::FALSE;
        unrolled::<N>(|lane| result.0[lane] = if lanes[lane] { u32::MAX } else { 0 });
        result
    }

    /// True where some lane is.
    #[inline(always)]
    pub(crate) fn any(self) -> bool {
        let mut any = 0;
        unrolled::<N>(|lane| any |= self.0[lane]);
        any != 0
    }

    /// True where all lanes are.
    #[inline(always)]
    pub(crate) fn all(self) -> bool {
        !(!self).any()
    }

    #[inline(always)]
    pub(crate) fn test(self, lane: usize) -> bool {
        self.0[lane] != 0
    }
}

impl<const N: usize> Index<usize> for Lanes<N> {
    type Output = f32;
    #[inline(always)]
    fn index(&self, lane: usize) -> &f32 {
        &self.0[lane]
    }
}

impl<const N: usize> Sub<f32> for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: f32) -> Self {
        self - Self::splat(other)
    }
}

impl<const N: usize> BitOr for Mask<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        unrolled::<N>(|lane| self.0[lane] |= other.0[lane]);
        self
    }
}

impl<const N: usize> BitAnd for Mask<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        unrolled::<N>(|lane| self.0[lane] &= other.0[lane]);
        self
    }
}

impl<const N: usize> Not for Mask<N> {
    type Output = Self;
    #[inline(always)]
    fn not(mut self) -> Self {
        unrolled::<N>(|lane| self.0[lane] = !self.0[lane]);
        self
    }
}

impl<const N: usize> Add for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.by_four(other, |a, b| a + b, |a, b| a + b)
    }
}

impl<const N: usize> Sub for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.by_four(other, |a, b| a - b, |a, b| a - b)
    }
}

impl<const N: usize> Mul for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.by_four(other, |a, b| a * b, |a, b| a * b)
    }
}

impl<const N: usize> Div for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.by_four(other, |a, b| a / b, |a, b| a / b)
    }
}

impl<const N: usize> Mul<f32> for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: f32) -> Self {
        self * Self::splat(other)
    }
}

impl<const N: usize> Neg for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|a| -a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four lanes take another way through the registers than eight or one, with the same bits.
    #[test]
    fn any_number_of_lanes_has_the_same_bits() {
        fn all<const N: usize>(a: f32, b: f32) -> [u32; 8] {
            let (a, b) = (Lanes::<N>::splat(a), Lanes::splat(b));
            let is_less = a.cmplt(b);
            [
                a + b,
                a - b,
                a * b,
                a / b,
                a.max(b),
                a.min(b),
                Lanes::select(is_less, a, b),
                -a.abs().root(),
            ]
            .map(|made| made[N - 1].to_bits())
        }
        let numbers = [
            0.0,
            -0.0,
            1.0,
            -0.3,
            1e-40,
            3.4e38,
            f32::INFINITY,
            -7.1,
            1e-20,
        ];
        for a in numbers {
            for b in numbers {
                let (one, four, eight) = (all::<1>(a, b), all::<4>(a, b), all::<8>(a, b));
                // What is no number has no bits to agree on.
                for ((one, four), eight) in one.into_iter().zip(four).zip(eight) {
                    let is_none = f32::from_bits(one).is_nan();
                    assert!(is_none || (one == four && one == eight), "{a} {b}");
                }
            }
        }
    }
}
