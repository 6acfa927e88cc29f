//! Local transforms and affine maps of N frames or characters at a time.

use crate::lanes::{Lanes, Rotations, Vectors};
use glam::{Affine3A, Mat3, Vec3A};
use rebone_model::Transform;

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
    pub(super) fn lane(&self, lane: usize) -> Transform {
        Transform {
            translation: self.translation.lane(lane),
            rotation: self.rotation.lane(lane),
            scale: self.scale.lane(lane),
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
