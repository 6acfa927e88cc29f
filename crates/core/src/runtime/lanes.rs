//! Arithmetic on N frames or characters at a time.
//!
//! One pose is N = 1, a batch N = 8. Both are this one code, which does the same operations in the same order in
//! every lane, without fused multiply-adds: so a character gets the same bits alone and in a batch.

use super::kernel::portable;
use glam::{Affine3A, Mat3, Mat4, Quat, Vec3, Vec3A, Vec4};
use rebone_model::Transform;
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
    fn times(self, sizes: Lanes<N>) -> Self {
        self.0.map(|axis| axis * sizes).into()
    }

    #[inline(always)]
    fn dot(self, other: Self) -> Lanes<N> {
        let ([ax, ay, az], [bx, by, bz]) = (self.0, other.0);
        (ax * bx + ay * by) + az * bz
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

impl Vectors<8> {
    /// One vector a lane.
    #[inline(always)]
    pub(super) fn gather(vectors: [Vec3; 8]) -> Self {
        let mut result = Self::splat(Vec3::ZERO);
        for (lane, vector) in vectors.into_iter().enumerate() {
            result.set_lane(lane, vector);
        }
        result
    }

    /// The vector of each lane.
    #[inline(always)]
    pub(super) fn scattered(self) -> [Vec3A; 8] {
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
        let [x, y, z, w] = self.0;
        let axis = Vectors([x, y, z]);
        let square = axis.dot(axis);
        let two = Lanes::splat(2.0);
        vectors.times(w * w - square)
            + axis.times(vectors.dot(axis) * two)
            + axis.cross(vectors).times(w * two)
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

impl Rotations<8> {
    /// One rotation a lane.
    #[inline(always)]
    pub(super) fn gather(rotations: [Quat; 8]) -> Self {
        let mut result = Self::splat(Quat::IDENTITY);
        for (half, four) in rotations.chunks_exact(4).enumerate() {
            let four = transposed([
                four[0].into(),
                four[1].into(),
                four[2].into(),
                four[3].into(),
            ]);
            for (lanes, made) in result.0.iter_mut().zip(four) {
                lanes.0[4 * half..4 * half + 4].copy_from_slice(&made.to_array());
            }
        }
        result
    }

    /// The rotation of each lane.
    #[inline(always)]
    pub(super) fn scattered(self) -> [Quat; 8] {
        let mut result = [Quat::IDENTITY; 8];
        for (half, made) in result.chunks_exact_mut(4).enumerate() {
            let [x, y, z, w] = &self.0;
            let four = |lanes: &Lanes<8>| Vec4::from_slice(&lanes.0[4 * half..]);
            let four = transposed([four(x), four(y), four(z), four(w)]);
            for (to, from) in made.iter_mut().zip(four) {
                *to = Quat::from_vec4(from);
            }
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
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (self.0, other.0);
        Self([
            ((aw * bx + ax * bw) + ay * bz) - az * by,
            ((aw * by - ax * bz) + ay * bw) + az * bx,
            ((aw * bz + ax * by) - ay * bx) + az * bw,
            ((aw * bw - ax * bx) - ay * by) - az * bz,
        ])
    }
}

/// N local transforms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transforms<const N: usize> {
    pub(super) translation: Vectors<N>,
    pub(super) rotation: Rotations<N>,
    pub(super) scale: Vectors<N>,
}

impl<const N: usize> Transforms<N> {
    pub(super) fn splat(value: &Transform) -> Self {
        Self {
            translation: Vectors::splat(value.translation),
            rotation: Rotations::splat(value.rotation),
            scale: Vectors::splat(value.scale),
        }
    }

    #[inline(always)]
    pub(super) fn affine(&self) -> Affines<N> {
        let [x, y, z, w] = self.rotation.0;
        let (x2, y2, z2) = (x + x, y + y, z + z);
        let (xx, xy, xz) = (x * x2, x * y2, x * z2);
        let (yy, yz, zz) = (y * y2, y * z2, z * z2);
        let (wx, wy, wz) = (w * x2, w * y2, w * z2);
        let one = Lanes::splat(1.0);
        let [sx, sy, sz] = self.scale.0;
        Affines {
            columns: [
                Vectors([(one - (yy + zz)) * sx, (xy + wz) * sx, (xz - wy) * sx]),
                Vectors([(xy - wz) * sy, (one - (xx + zz)) * sy, (yz + wx) * sy]),
                Vectors([(xz + wy) * sz, (yz - wx) * sz, (one - (xx + yy)) * sz]),
            ],
            translation: self.translation,
        }
    }
}

/// N affine maps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Affines<const N: usize> {
    columns: [Vectors<N>; 3],
    pub(super) translation: Vectors<N>,
}

impl<const N: usize> Affines<N> {
    pub(super) fn splat(value: &Affine3A) -> Self {
        let column = |axis: Vec3A| Vectors::splat(axis.into());
        let matrix = value.matrix3;
        Self {
            columns: [
                column(matrix.x_axis),
                column(matrix.y_axis),
                column(matrix.z_axis),
            ],
            translation: column(value.translation),
        }
    }

    #[inline(always)]
    fn turned(&self, vector: Vectors<N>) -> Vectors<N> {
        let [x, y, z] = &self.columns;
        let [a, b, c] = vector.0;
        let ([xx, xy, xz], [yx, yy, yz], [zx, zy, zz]) = (x.0, y.0, z.0);
        Vectors([
            (xx * a + yx * b) + zx * c,
            (xy * a + yy * b) + zy * c,
            (xz * a + yz * b) + zz * c,
        ])
    }

    #[inline(always)]
    pub(super) fn point(&self, point: Vectors<N>) -> Vectors<N> {
        self.turned(point) + self.translation
    }

    #[inline(always)]
    pub(super) fn times(&self, other: &Self) -> Self {
        let [x, y, z] = other.columns;
        Self {
            columns: [self.turned(x), self.turned(y), self.turned(z)],
            translation: self.point(other.translation),
        }
    }

    pub(super) fn lane(&self, lane: usize) -> Affine3A {
        let [x, y, z] = self.columns.map(|column| column.lane(lane));
        let matrix = Mat3::from_cols(x, y, z);
        Affine3A::from_mat3_translation(matrix, self.translation.lane(lane))
    }
}
