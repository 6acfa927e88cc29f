//! The one-to-one rotation kernel: v = left · w · right for every key of a track.
//!
//! For constant `left` and `right` the product is linear in `w`, so it is one constant 4×4 matrix:
//! 16 multiplications and 12 additions a key, at the speed of copying the track.

use glam::{Mat4, Quat, Vec4};

/// The matrix M with M · w = left · w · right, quaternions as (x, y, z, w).
pub fn sandwich_matrix(left: Quat, right: Quat) -> Mat4 {
    let column = |basis: Quat| Vec4::from(left * basis * right);
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
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
        // SAFETY: the processor has AVX2 and FMA, as just checked; lengths are equal.
        #[allow(unsafe_code)]
        unsafe {
            x86::transform_rotations_avx2(matrix, source, target);
        }
        return;
    }
    transform_rotations_portable(matrix, source, target);
}

/// The same without special instructions.
fn transform_rotations_portable(matrix: &Mat4, source: &[Quat], target: &mut [Quat]) {
    for (from, to) in source.iter().zip(target) {
        *to = Quat::from_vec4(*matrix * Vec4::from(*from));
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use glam::{Mat4, Quat};
    use std::arch::x86_64::{
        _mm_loadu_ps, _mm256_broadcast_ps, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_mul_ps,
        _mm256_permute_ps, _mm256_storeu_ps,
    };

    /// Two quaternions an instruction.
    ///
    /// # Safety
    /// The processor must have AVX2 and FMA; both slices must be equally long.
    #[allow(unsafe_code)]
    #[target_feature(enable = "avx2,fma")]
    pub(super) unsafe fn transform_rotations_avx2(
        matrix: &Mat4,
        source: &[Quat],
        target: &mut [Quat],
    ) {
        let columns = matrix.to_cols_array();
        let pairs = source.len() / 2;
        // SAFETY: `Quat` is four consecutive f32; every load and store of eight floats at pair p stays
        // below 8 * pairs <= 4 * len; `columns` holds 16 floats.
        unsafe {
            let column = |index: usize| {
                let four = _mm_loadu_ps(columns.as_ptr().add(4 * index));
                _mm256_broadcast_ps(&four)
            };
            let (x, y, z, w) = (column(0), column(1), column(2), column(3));
            let from = source.as_ptr().cast::<f32>();
            let to = target.as_mut_ptr().cast::<f32>();
            for pair in 0..pairs {
                let value = _mm256_loadu_ps(from.add(8 * pair));
                let mut sum = _mm256_mul_ps(_mm256_permute_ps::<0b00_00_00_00>(value), x);
                sum = _mm256_fmadd_ps(_mm256_permute_ps::<0b01_01_01_01>(value), y, sum);
                sum = _mm256_fmadd_ps(_mm256_permute_ps::<0b10_10_10_10>(value), z, sum);
                sum = _mm256_fmadd_ps(_mm256_permute_ps::<0b11_11_11_11>(value), w, sum);
                _mm256_storeu_ps(to.add(8 * pair), sum);
            }
        }
        let rest = 2 * pairs;
        super::transform_rotations_portable(matrix, &source[rest..], &mut target[rest..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_the_products() {
        let left = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0);
        let right = Quat::from_euler(glam::EulerRot::XYZ, -2.3, 0.2, 1.0);
        let source: Vec<Quat> = (0..17)
            .map(|i| {
                Quat::from_euler(
                    glam::EulerRot::XYZ,
                    i as f32,
                    0.1 * i as f32,
                    -0.7 * i as f32,
                )
            })
            .collect();
        let mut target = vec![Quat::IDENTITY; source.len()];
        transform_rotations(&sandwich_matrix(left, right), &source, &mut target);
        for (from, to) in source.iter().zip(&target) {
            assert!((left * *from * right).abs_diff_eq(*to, 1e-6));
        }
        let mut portable = vec![Quat::IDENTITY; source.len()];
        transform_rotations_portable(&sandwich_matrix(left, right), &source, &mut portable);
        for (a, b) in portable.iter().zip(&target) {
            assert!(a.abs_diff_eq(*b, 1e-6));
        }
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
