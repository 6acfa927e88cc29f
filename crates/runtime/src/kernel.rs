//! A whole track of rotations at a time: v = left · w · right, with constant left and right.
//!
//! That is linear in `w`, so it is one constant 4×4 matrix: 16 multiplications and 12 additions a key, at the speed of
//! copying the track.
//!
//! Processors with AVX2 handle two quaternions at a time. They do the same operations in the same order as the
//! portable code, without fused multiply-adds, so that every machine gives the same bits.

use glam::{Mat4, Quat, Vec4};

/// What is smaller in such a matrix is rounding, and nothing beside 1. It is dropped: products of such numbers leave the range
/// in which processors are fast.
const NOTHING: f32 = 1e-9;

/// The matrix M with M · w = left · w · right, quaternions as (x, y, z, w).
pub fn sandwich_matrix(left: Quat, right: Quat) -> Mat4 {
    let column = |basis: Quat| {
        let column = Vec4::from(left * basis * right);
        Vec4::select(column.abs().cmpgt(Vec4::splat(NOTHING)), column, Vec4::ZERO)
    };
    Mat4::from_cols(
        column(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)),
        column(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)),
        column(Quat::from_xyzw(0.0, 0.0, 1.0, 0.0)),
        column(Quat::from_xyzw(0.0, 0.0, 0.0, 1.0)),
    )
}

/// Applies [`sandwich_matrix`] to every quaternion.
///
/// # Panics
/// Where the slices differ in length.
pub fn transform_rotations(matrix: &Mat4, source: &[Quat], target: &mut [Quat]) {
    assert_eq!(source.len(), target.len());
    let done = accelerated(|x86| x86.transform_rotations(matrix, source, target));
    portable::transform_rotations(matrix, &source[done..], &mut target[done..]);
}

/// Runs a kernel of the processor, if it has one; how many keys that did.
#[cfg(target_arch = "x86_64")]
fn accelerated(kernel: impl FnOnce(&super::kernel_x86::Avx2) -> usize) -> usize {
    super::kernel_x86::Avx2::detect().map_or(0, |x86| kernel(&x86))
}

/// Stands in where there are no special instructions.
#[cfg(not(target_arch = "x86_64"))]
struct Never;

#[cfg(not(target_arch = "x86_64"))]
impl Never {
    fn transform_rotations(&self, _: &Mat4, _: &[Quat], _: &mut [Quat]) -> usize {
        0
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn accelerated(_: impl FnOnce(&Never) -> usize) -> usize {
    0
}

/// The same without special instructions. The order of the operations is part of the result.
pub(super) mod portable {
    use glam::{Mat4, Quat};

    pub(super) fn transform_rotations(matrix: &Mat4, source: &[Quat], target: &mut [Quat]) {
        let [x, y, z, w] = matrix.to_cols_array_2d();
        for (from, to) in source.iter().zip(target) {
            let from = from.to_array();
            *to = Quat::from_array(std::array::from_fn(|row| {
                ((from[0] * x[row] + from[1] * y[row]) + from[2] * z[row]) + from[3] * w[row]
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(seed: f32) -> Vec<Quat> {
        (0..43)
            .map(|i| {
                let i = i as f32;
                Quat::from_euler(glam::EulerRot::XYZ, seed * i, 0.1 * i, -0.7 * i)
            })
            .collect()
    }

    fn bits(track: &[Quat]) -> Vec<[u32; 4]> {
        let bits = |value: &Quat| value.to_array().map(f32::to_bits);
        track.iter().map(bits).collect()
    }

    #[test]
    fn transform_equals_the_products_and_the_portable_bits() {
        let left = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0);
        let right = Quat::from_euler(glam::EulerRot::XYZ, -2.3, 0.2, 1.0);
        let source = track(1.0);
        let matrix = sandwich_matrix(left, right);
        let mut target = vec![Quat::IDENTITY; source.len()];
        transform_rotations(&matrix, &source, &mut target);
        for (from, to) in source.iter().zip(&target) {
            assert!((left * *from * right).abs_diff_eq(*to, 1e-6));
        }
        let mut portable = vec![Quat::IDENTITY; source.len()];
        portable::transform_rotations(&matrix, &source, &mut portable);
        assert_eq!(bits(&portable), bits(&target));
    }

    #[test]
    fn identity_keeps_every_bit() {
        let source = vec![
            Quat::from_xyzw(0.1, 0.2, 0.3, 0.927_362),
            Quat::IDENTITY,
            Quat::IDENTITY,
        ];
        let mut target = vec![Quat::IDENTITY; 3];
        transform_rotations(&Mat4::IDENTITY, &source, &mut target);
        assert_eq!(source, target);
    }
}
