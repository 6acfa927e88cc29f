//! N rotations at a time.

use super::{Lanes, Mask, Vectors, sine_cosine, unrolled};
use glam::{Mat4, Quat, Vec3A, Vec4, Vec4Swizzles as _};
use rebone_model::rotation::{NEARLY_UNIT, normalized_or_identity, shortest_arc_of_units};
use std::ops::Mul;

/// N rotations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rotations<const N: usize>(pub(crate) [Lanes<N>; 4]);

impl<const N: usize> Rotations<N> {
    #[inline(always)]
    pub(crate) fn splat(value: Quat) -> Self {
        let [x, y, z, w] = value.to_array();
        Self([
            Lanes::splat(x),
            Lanes::splat(y),
            Lanes::splat(z),
            Lanes::splat(w),
        ])
    }

    #[inline(always)]
    pub(crate) fn lane(&self, lane: usize) -> Quat {
        if N == 1 {
            // One load instead of four.
            return Quat::from_array(self.0.map(|part| part.0[lane]));
        }
        let [x, y, z, w] = &self.0;
        Quat::from_xyzw(x.0[lane], y.0[lane], z.0[lane], w.0[lane])
    }

    #[inline(always)]
    pub(crate) fn set_lane(&mut self, lane: usize, value: Quat) {
        let [x, y, z, w] = &mut self.0;
        [x.0[lane], y.0[lane], z.0[lane], w.0[lane]] = value.to_array();
    }

    #[inline(always)]
    pub(crate) fn conjugate(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([-x, -y, -z, w])
    }

    /// Vectors turned by these rotations.
    #[inline(always)]
    pub(crate) fn turned(self, vectors: Vectors<N>) -> Vectors<N> {
        if N == 1 {
            return Vectors::splat(turned(self.lane(0), vectors.lane(0).into()).into());
        }
        let [x, y, z, w] = self.0;
        let axis = Vectors([x, y, z]);
        let aside = axis.cross(vectors) * 2.0;
        vectors + aside * w + axis.cross(aside)
    }

    /// Unit length, as the kernels of whole tracks do it.
    #[inline(always)]
    pub(crate) fn normalized(self) -> Self {
        let [x, y, z, w] = self.0;
        let square = (x * x + y * y) + (z * z + w * w);
        let off = (square - Lanes::ONE).abs();
        if off.cmplt(Lanes::splat(NEARLY_UNIT)).all() {
            let factor = Lanes::splat(1.5) - square * 0.5;
            return Self([x * factor, y * factor, z * factor, w * factor]);
        }
        let mut result = self;
        unrolled::<N>(|lane| result.set_lane(lane, normalized(self.lane(lane))));
        result
    }

    /// Times the matrix of [`sandwich_matrix`](crate::kernel::sandwich_matrix).
    #[inline(always)]
    pub(crate) fn sandwiched(self, matrix: &Mat4) -> Self {
        let [x, y, z, w] = matrix.to_cols_array_2d();
        let [a, b, c, d] = self.0;
        Self([
            ((a * x[0] + b * y[0]) + c * z[0]) + d * w[0],
            ((a * x[1] + b * y[1]) + c * z[1]) + d * w[1],
            ((a * x[2] + b * y[2]) + c * z[2]) + d * w[2],
            ((a * x[3] + b * y[3]) + c * z[3]) + d * w[3],
        ])
    }
}

impl<const N: usize> Rotations<N> {
    /// One rotation a lane.
    #[inline(always)]
    pub(crate) fn gather(rotations: [Quat; N]) -> Self {
        let mut result = Self::splat(Quat::IDENTITY);
        let (fours, rest) = rotations.as_chunks::<4>();
        for (index, four) in fours.iter().enumerate() {
            let four = transposed(four.map(Vec4::from));
            for (lanes, made) in result.0.iter_mut().zip(four) {
                lanes.0[4 * index..4 * index + 4].copy_from_slice(&made.to_array());
            }
        }
        for (index, one) in rest.iter().enumerate() {
            result.set_lane(4 * fours.len() + index, *one);
        }
        result
    }

    /// The rotation of each lane.
    #[inline(always)]
    pub(crate) fn scattered(self) -> [Quat; N] {
        let mut result = [Quat::IDENTITY; N];
        let (fours, rest) = result.as_chunks_mut::<4>();
        let first_of_rest = 4 * fours.len();
        for (index, made) in fours.iter_mut().enumerate() {
            let [x, y, z, w] = &self.0;
            let four = |lanes: &Lanes<N>| Vec4::from_slice(&lanes.0[4 * index..]);
            let four = transposed([four(x), four(y), four(z), four(w)]);
            *made = four.map(Quat::from_vec4);
        }
        for (index, made) in rest.iter_mut().enumerate() {
            *made = self.lane(first_of_rest + index);
        }
        result
    }
}

/// Cosine below which directions are opposite; that of [`shortest_arc_of_units`].
const OPPOSITE: f32 = -0.999_999;

impl<const N: usize> Rotations<N> {
    pub(crate) const IDENTITY: Self = Self([Lanes::ZERO, Lanes::ZERO, Lanes::ZERO, Lanes::ONE]);

    #[inline(always)]
    fn new(axis: Vectors<N>, w: Lanes<N>) -> Self {
        let [x, y, z] = axis.0;
        Self([x, y, z, w])
    }

    /// About unit axes, by angles up to three quarters of a turn, radians.
    #[inline(always)]
    pub(crate) fn about(axes: Vectors<N>, angles: Lanes<N>) -> Self {
        let [sine, cosine] = sine_cosine(angles * 0.5);
        Self::new(axes * sine, cosine)
    }

    /// The shortest turns from unit vectors to unit vectors; opposite ones turn about `fallback`, made perpendicular.
    #[inline(always)]
    pub(crate) fn arc(from: Vectors<N>, to: Vectors<N>, fallback: Vectors<N>) -> Self {
        let cosine = from.dot(to);
        let axis = from.cross(to);
        let w = cosine + Lanes::ONE;
        let factor = (axis.dot(axis) + w * w).root().recip();
        let mut arc = Self::new(axis * factor, w * factor);
        let is_opposite = cosine.cmple(Lanes::splat(OPPOSITE));
        if is_opposite.any() {
            arc.turn_over(is_opposite, [from, to, fallback]);
        }
        arc
    }

    #[cold]
    fn turn_over(&mut self, which: Mask<N>, vectors: [Vectors<N>; 3]) {
        for lane in (0..N).filter(|&lane| which.test(lane)) {
            let [from, to, fallback] = vectors.map(|vectors| vectors.lane(lane));
            self.set_lane(lane, shortest_arc_of_units(from, to, fallback));
        }
    }

    /// How much of each turns about a unit axis: along · axis, and w.
    #[inline(always)]
    pub(crate) fn twist(self, axes: Vectors<N>) -> [Lanes<N>; 2] {
        let [x, y, z, w] = self.0;
        [Vectors([x, y, z]).dot(axes), w]
    }

    /// The part of each that is about a unit axis; none where that is undefined.
    #[inline(always)]
    pub(crate) fn about_axis(self, axes: Vectors<N>) -> Self {
        let [along, w] = self.twist(axes);
        let square = along * along + w * w;
        let is_none = square.cmplt(Lanes::splat(1e-12));
        let factor = square.root().recip();
        let along = Lanes::select(is_none, Lanes::ZERO, along * factor);
        Self::new(axes * along, Lanes::select(is_none, Lanes::ONE, w * factor))
    }

    #[inline(always)]
    pub(crate) fn select(mask: Mask<N>, if_true: Self, if_false: Self) -> Self {
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (if_true.0, if_false.0);
        Self([
            Lanes::select(mask, ax, bx),
            Lanes::select(mask, ay, by),
            Lanes::select(mask, az, bz),
            Lanes::select(mask, aw, bw),
        ])
    }
}

#[inline(always)]
fn transposed(four: [Vec4; 4]) -> [Vec4; 4] {
    let [a, b, c, d] = four;
    let matrix = Mat4::from_cols(a, b, c, d).transpose();
    [matrix.x_axis, matrix.y_axis, matrix.z_axis, matrix.w_axis]
}

impl<const N: usize> Mul for Rotations<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        if N == 1 {
            return Self::splat(product(self.lane(0), other.lane(0)));
        }
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (self.0, other.0);
        Self([
            ((aw * bx + ax * bw) + ay * bz) - az * by,
            ((aw * by - ax * bz) + ay * bw) + az * bx,
            ((aw * bz + ax * by) - ay * bx) + az * bw,
            ((aw * bw - ax * bx) - ay * by) - az * bz,
        ])
    }
}

/// One quaternion of unit length.
fn normalized(rotation: Quat) -> Quat {
    let [x, y, z, w] = rotation.to_array();
    let square = (x * x + y * y) + (z * z + w * w);
    if (square - 1.0).abs() < NEARLY_UNIT {
        rotation * (1.5 - 0.5 * square)
    } else {
        normalized_or_identity(rotation)
    }
}

/// A way, turned by a unit quaternion, in one register, by the operations of many: two cross products are half of the work
/// of glam's own product.
#[inline(always)]
pub(crate) fn turned(rotation: Quat, way: Vec3A) -> Vec3A {
    let axis = Vec3A::from_vec4(rotation.into());
    let aside = axis.cross(way) * 2.0;
    way + aside * rotation.w + axis.cross(aside)
}

/// The product of two quaternions, in one register, by the operations of many.
#[inline(always)]
pub(crate) fn product(a: Quat, b: Quat) -> Quat {
    let (a, b) = (Vec4::from(a), Vec4::from(b));
    let sum = b * a.w
        + b.wzyx() * Vec4::new(1.0, -1.0, 1.0, -1.0) * a.x
        + b.zwxy() * Vec4::new(1.0, 1.0, -1.0, -1.0) * a.y
        + b.yxwz() * Vec4::new(-1.0, 1.0, 1.0, -1.0) * a.z;
    Quat::from_vec4(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// One pose takes another way through the registers than eight, with the same bits.
    #[test]
    fn one_pose_has_the_bits_of_eight() {
        for step in 0..2000 {
            let angle = |n: f32| n * (1.0 + step as f32) * 0.37;
            let turn = |n| Quat::from_euler(glam::EulerRot::XYZ, angle(n), angle(2.0), angle(0.3));
            let (a, b) = (turn(1.0), turn(1.7));
            let way = Vec3::new(angle(3.0).sin(), angle(0.7).cos(), angle(1.1).sin());
            let product = Rotations::<8>::splat(a) * Rotations::splat(b);
            let alone = Rotations::<1>::splat(a) * Rotations::splat(b);
            assert_eq!(alone.lane(0), product.lane(5));
            let turned = Rotations::<8>::splat(a).turned(Vectors::splat(way));
            let alone = Rotations::<1>::splat(a).turned(Vectors::splat(way));
            assert_eq!(alone.lane(0), turned.lane(5));
        }
    }
}
