//! Arithmetic on N frames or characters at a time.
//!
//! One pose is N = 1, a batch N = 8. Both are this one code, which does the same operations in the same order in
//! every lane, without fused multiply-adds: so a character gets the same bits alone and in a batch.

use super::kernel::portable;
use glam::{Mat3, Mat4, Quat, Vec3, Vec3A, Vec4, Vec4Swizzles as _};
use rebone_model::rotation::NEARLY_UNIT;
use std::ops::{Add, Mul, Neg, Sub};

/// N numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lanes<const N: usize>(pub(super) [f32; N]);

impl<const N: usize> Lanes<N> {
    #[inline(always)]
    pub(super) fn splat(value: f32) -> Self {
        Self([value; N])
    }

    #[inline(always)]
    fn map2(self, other: Self, operation: impl Fn(f32, f32) -> f32) -> Self {
        let mut result = [0.0; N];
        for ((to, a), b) in result.iter_mut().zip(self.0).zip(other.0) {
            *to = operation(a, b);
        }
        Self(result)
    }
}

impl<const N: usize> Add for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map2(other, |a, b| a + b)
    }
}

impl<const N: usize> Sub for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map2(other, |a, b| a - b)
    }
}

impl<const N: usize> Mul for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.map2(other, |a, b| a * b)
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
        self.map2(self, |a, _| -a)
    }
}

/// N vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vectors<const N: usize>(pub(super) [Lanes<N>; 3]);

impl<const N: usize> Vectors<N> {
    #[inline(always)]
    pub(super) fn splat(value: Vec3) -> Self {
        Self([
            Lanes::splat(value.x),
            Lanes::splat(value.y),
            Lanes::splat(value.z),
        ])
    }

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Vec3 {
        let [x, y, z] = &self.0;
        Vec3::new(x.0[lane], y.0[lane], z.0[lane])
    }

    #[inline(always)]
    pub(super) fn set_lane(&mut self, lane: usize, value: Vec3) {
        for (axis, value) in self.0.iter_mut().zip(value.to_array()) {
            axis.0[lane] = value;
        }
    }
}

impl<const N: usize> Vectors<N> {
    #[inline(always)]
    pub(super) fn scaled(self, size: f32) -> Self {
        self.0.map(|axis| axis * size).into()
    }

    #[inline(always)]
    pub(super) fn times(self, sizes: Lanes<N>) -> Self {
        self.0.map(|axis| axis * sizes).into()
    }

    #[inline(always)]
    fn cross(self, other: Self) -> Self {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        Self([ay * bz - by * az, az * bx - bz * ax, ax * by - bx * ay])
    }
}

impl<const N: usize> From<[Lanes<N>; 3]> for Vectors<N> {
    #[inline(always)]
    fn from(axes: [Lanes<N>; 3]) -> Self {
        Self(axes)
    }
}

impl<const N: usize> Vectors<N> {
    /// One vector a lane.
    #[inline(always)]
    pub(super) fn gather(vectors: [Vec3; N]) -> Self {
        let mut result = Self::splat(Vec3::ZERO);
        for (lane, vector) in vectors.into_iter().enumerate() {
            result.set_lane(lane, vector);
        }
        result
    }

    /// The vector of each lane.
    #[inline(always)]
    pub(super) fn scattered(self) -> [Vec3A; N] {
        let [x, y, z] = self.0;
        let wide = Rotations([x, y, z, Lanes::splat(0.0)]).scattered();
        wide.map(|vector| Vec3A::from_vec4(vector.into()))
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

/// Times a constant matrix.
#[inline(always)]
pub(super) fn matrix_times<const N: usize>(matrix: &Mat3, vectors: Vectors<N>) -> Vectors<N> {
    let [x, y, z] = matrix.to_cols_array_2d();
    let [a, b, c] = vectors.0;
    Vectors([
        (a * x[0] + b * y[0]) + c * z[0],
        (a * x[1] + b * y[1]) + c * z[1],
        (a * x[2] + b * y[2]) + c * z[2],
    ])
}

/// N rotations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotations<const N: usize>(pub(super) [Lanes<N>; 4]);

impl<const N: usize> Rotations<N> {
    #[inline(always)]
    pub(super) fn splat(value: Quat) -> Self {
        let [x, y, z, w] = value.to_array();
        Self([
            Lanes::splat(x),
            Lanes::splat(y),
            Lanes::splat(z),
            Lanes::splat(w),
        ])
    }

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Quat {
        if N == 1 {
            // One load instead of four.
            return Quat::from_array(self.0.map(|part| part.0[lane]));
        }
        let [x, y, z, w] = &self.0;
        Quat::from_xyzw(x.0[lane], y.0[lane], z.0[lane], w.0[lane])
    }

    #[inline(always)]
    pub(super) fn set_lane(&mut self, lane: usize, value: Quat) {
        for (axis, value) in self.0.iter_mut().zip(value.to_array()) {
            axis.0[lane] = value;
        }
    }

    #[inline(always)]
    pub(super) fn conjugate(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([-x, -y, -z, w])
    }

    /// Vectors turned by these rotations.
    #[inline(always)]
    pub(super) fn turned(self, vectors: Vectors<N>) -> Vectors<N> {
        if N == 1 {
            return Vectors::splat(turned(self.lane(0), vectors.lane(0).into()).into());
        }
        let [x, y, z, w] = self.0;
        let axis = Vectors([x, y, z]);
        let aside = axis.cross(vectors).scaled(2.0);
        vectors + aside.times(w) + axis.cross(aside)
    }

    /// Unit length, as the kernels of whole tracks do it.
    #[inline(always)]
    pub(super) fn normalized(self) -> Self {
        let [x, y, z, w] = self.0;
        let square = (x * x + y * y) + (z * z + w * w);
        let mut is_near = true;
        for lane in square.0 {
            is_near &= (lane - 1.0).abs() < NEARLY_UNIT;
        }
        if is_near {
            let factor = Lanes::splat(1.5) - square * 0.5;
            return Self([x * factor, y * factor, z * factor, w * factor]);
        }
        let mut result = self;
        for lane in 0..N {
            result.set_lane(lane, portable::normalized(self.lane(lane)));
        }
        result
    }

    /// Times the matrix of [`sandwich_matrix`](super::kernel::sandwich_matrix).
    #[inline(always)]
    pub(super) fn sandwiched(self, matrix: &Mat4) -> Self {
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
    pub(super) fn gather(rotations: [Quat; N]) -> Self {
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
    pub(super) fn scattered(self) -> [Quat; N] {
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

/// A way, turned by a unit quaternion, in one register, by the operations of many: two cross products are half of the work
/// of glam's own product.
#[inline(always)]
pub(super) fn turned(rotation: Quat, way: Vec3A) -> Vec3A {
    let axis = Vec3A::from_vec4(rotation.into());
    let aside = axis.cross(way) * 2.0;
    way + aside * rotation.w + axis.cross(aside)
}

/// The product of two quaternions, in one register, by the operations of many.
#[inline(always)]
pub(super) fn product(a: Quat, b: Quat) -> Quat {
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
