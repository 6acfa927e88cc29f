//! N vectors at a time.

use super::{Lanes, Mask, Rotations, unrolled};
use glam::{Mat3, Vec3, Vec3A};
use std::ops::{Add, Mul, Neg, Sub};

/// N vectors: x, y and z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vectors<const N: usize>(pub(crate) [Lanes<N>; 3]);

impl<const N: usize> Vectors<N> {
    pub(crate) const ZERO: Self = Self([Lanes::ZERO; 3]);
    /// x, y and z.
    pub(crate) const AXES: [Self; 3] = {
        let (no, one) = (Lanes::ZERO, Lanes::ONE);
        [
            Self([one, no, no]),
            Self([no, one, no]),
            Self([no, no, one]),
        ]
    };

    /// The same in all lanes.
    #[inline(always)]
    pub(crate) fn splat(value: Vec3) -> Self {
        Self([
            Lanes::splat(value.x),
            Lanes::splat(value.y),
            Lanes::splat(value.z),
        ])
    }

    /// One vector a lane.
    #[inline(always)]
    pub(crate) fn gather<V: Copy + Into<Vec3>>(vectors: [V; N]) -> Self {
        let mut result = Self::ZERO;
        unrolled::<N>(|lane| result.set_lane(lane, vectors[lane].into()));
        result
    }

    /// The vector of each lane.
    #[inline(always)]
    pub(crate) fn scattered<V: From<Vec3A>>(self) -> [V; N] {
        let [x, y, z] = self.0;
        let wide = Rotations([x, y, z, Lanes::ZERO]).scattered();
        wide.map(|vector| Vec3A::from_vec4(vector.into()).into())
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Vec3 {
        let [x, y, z] = &self.0;
        Vec3::new(x.0[lane], y.0[lane], z.0[lane])
    }

    #[inline(always)]
    pub(crate) fn set_lane(&mut self, lane: usize, value: Vec3) {
        let [x, y, z] = &mut self.0;
        (x.0[lane], y.0[lane], z.0[lane]) = value.into();
    }

    #[inline(always)]
    pub(crate) fn dot(self, other: Self) -> Lanes<N> {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        ax * bx + ay * by + az * bz
    }

    #[inline(always)]
    pub(crate) fn cross(self, other: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        Self([ay * bz - by * az, az * bx - bz * ax, ax * by - bx * ay])
    }

    #[inline(always)]
    pub(crate) fn length(self) -> Lanes<N> {
        self.dot(self).root()
    }

    /// Unit vectors, and where there is no such thing.
    #[inline(always)]
    pub(crate) fn normalized(self) -> (Self, Mask<N>) {
        let factor = self.length().recip();
        let is_unit = factor.cmplt(Lanes::splat(f32::INFINITY)) & factor.cmpgt(Lanes::ZERO);
        (self * factor, !is_unit)
    }

    /// Without the part along unit vectors.
    #[inline(always)]
    pub(crate) fn across(self, along: Self) -> Self {
        self - along * self.dot(along)
    }

    /// Of all lanes, each times its weight.
    #[inline(always)]
    pub(crate) fn sum(self, weights: Lanes<N>) -> Vec3 {
        let [x, y, z] = self.0;
        Vec3::new(
            (x * weights).sum(),
            (y * weights).sum(),
            (z * weights).sum(),
        )
    }

    #[inline(always)]
    pub(crate) fn select(mask: Mask<N>, if_true: Self, if_false: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (if_true.0, if_false.0);
        Self([
            Lanes::select(mask, ax, bx),
            Lanes::select(mask, ay, by),
            Lanes::select(mask, az, bz),
        ])
    }
}

/// Times a constant matrix.
#[inline(always)]
pub(crate) fn matrix_times<const N: usize>(matrix: &Mat3, vectors: Vectors<N>) -> Vectors<N> {
    let [x, y, z] = matrix.to_cols_array_2d();
    let [a, b, c] = vectors.0;
    Vectors([
        (a * x[0] + b * y[0]) + c * z[0],
        (a * x[1] + b * y[1]) + c * z[1],
        (a * x[2] + b * y[2]) + c * z[2],
    ])
}

impl<const N: usize> From<[Lanes<N>; 3]> for Vectors<N> {
    #[inline(always)]
    fn from(axes: [Lanes<N>; 3]) -> Self {
        Self(axes)
    }
}

impl<const N: usize> Add for Vectors<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        Self([ax + bx, ay + by, az + bz])
    }
}

impl<const N: usize> Sub for Vectors<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        Self([ax - bx, ay - by, az - bz])
    }
}

impl<const N: usize> Mul<Lanes<N>> for Vectors<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, sizes: Lanes<N>) -> Self {
        let [x, y, z] = self.0;
        Self([x * sizes, y * sizes, z * sizes])
    }
}

impl<const N: usize> Mul<f32> for Vectors<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, size: f32) -> Self {
        self * Lanes::splat(size)
    }
}

impl<const N: usize> Neg for Vectors<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [x, y, z] = self.0;
        Self([-x, -y, -z])
    }
}
