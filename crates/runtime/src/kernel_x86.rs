//! The kernels for processors with AVX2.
//!
//! Same operations and same order as `kernel::portable`, so that both give the same bits.

#![allow(unsafe_code)]

use glam::{Mat4, Quat};
use std::arch::x86_64::{
    _mm_loadu_ps, _mm256_add_ps, _mm256_broadcast_ps, _mm256_loadu_ps, _mm256_mul_ps,
    _mm256_permute_ps, _mm256_storeu_ps,
};

/// Proof that the processor has AVX2. Each kernel returns how many keys it did; a few last ones are left.
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// Both slices must be equally long.
    pub(super) fn transform_rotations(
        &self,
        matrix: &Mat4,
        source: &[Quat],
        target: &mut [Quat],
    ) -> usize {
        let pairs = source.len().min(target.len()) / 2;
        // SAFETY: `self` shows that the processor has AVX2; there are at least `2 * pairs` quaternions.
        unsafe { transform(matrix, source, target, pairs) }
        2 * pairs
    }
}

/// # Safety
/// The processor must have AVX2; both slices must hold `2 * pairs` quaternions.
#[target_feature(enable = "avx2")]
unsafe fn transform(matrix: &Mat4, source: &[Quat], target: &mut [Quat], pairs: usize) {
    let columns = matrix.to_cols_array();
    // SAFETY: `Quat` is four consecutive f32; every load and store of eight floats at pair p stays below
    // 8 * pairs floats; `columns` holds 16.
    unsafe {
        let column = |index: usize| {
            let four = _mm_loadu_ps(columns.as_ptr().add(4 * index));
            _mm256_broadcast_ps(&four)
        };
        let (x, y, z, w) = (column(0), column(1), column(2), column(3));
        let (from, to) = (
            source.as_ptr().cast::<f32>(),
            target.as_mut_ptr().cast::<f32>(),
        );
        for pair in 0..pairs {
            let value = _mm256_loadu_ps(from.add(8 * pair));
            let mut sum = _mm256_mul_ps(_mm256_permute_ps::<0b00_00_00_00>(value), x);
            sum = _mm256_add_ps(
                sum,
                _mm256_mul_ps(_mm256_permute_ps::<0b01_01_01_01>(value), y),
            );
            sum = _mm256_add_ps(
                sum,
                _mm256_mul_ps(_mm256_permute_ps::<0b10_10_10_10>(value), z),
            );
            sum = _mm256_add_ps(
                sum,
                _mm256_mul_ps(_mm256_permute_ps::<0b11_11_11_11>(value), w),
            );
            _mm256_storeu_ps(to.add(8 * pair), sum);
        }
    }
}
