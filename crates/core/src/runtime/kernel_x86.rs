//! The kernels for processors with AVX2: two quaternions an instruction.
//!
//! Same operations and same order as `kernel::portable`. The product of two quaternions, written for whole
//! registers: a · b = ((a_w b + a_x s₁) + a_y s₂) + a_z s₃ with b's parts reordered and signed,
//! s₁ = (w, −z, y, −x), s₂ = (z, w, −x, −y), s₃ = (−y, x, w, −z).

#![allow(unsafe_code)]

use super::kernel::portable;
use glam::{Mat4, Quat};
use std::arch::x86_64::{
    __m256, _CMP_LT_OQ, _CMP_NLT_UQ, _mm_loadu_ps, _mm256_add_ps, _mm256_andnot_ps,
    _mm256_broadcast_ps, _mm256_cmp_ps, _mm256_loadu_ps, _mm256_movemask_ps, _mm256_mul_ps,
    _mm256_permute_ps, _mm256_permute2f128_ps, _mm256_set1_ps, _mm256_setr_ps, _mm256_setzero_ps,
    _mm256_storeu_ps, _mm256_sub_ps, _mm256_xor_ps,
};

/// Proof that the processor has AVX2. Each kernel returns how many keys it did: all but an odd last one.
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

    pub(super) fn multiply_rotations(
        &self,
        above: &[Quat],
        local: &[Quat],
        target: &mut [Quat],
    ) -> usize {
        let pairs = above.len().min(local.len()).min(target.len()) / 2;
        // SAFETY: `self` shows that the processor has AVX2; there are at least `2 * pairs` quaternions.
        unsafe { multiply(above, local, target, pairs) }
        2 * pairs
    }

    pub(super) fn bake_rotations(
        &self,
        above: &[Quat],
        model: &[Quat],
        signs: &mut portable::Signs,
        target: &mut [Quat],
    ) -> usize {
        let pairs = above.len().min(model.len()).min(target.len()) / 2;
        // SAFETY: `self` shows that the processor has AVX2; there are at least `2 * pairs` quaternions.
        unsafe { bake(above, model, signs, target, pairs) }
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

/// # Safety
/// The processor must have AVX2; all slices must hold `2 * pairs` quaternions.
#[target_feature(enable = "avx2")]
unsafe fn multiply(above: &[Quat], local: &[Quat], target: &mut [Quat], pairs: usize) {
    // SAFETY: `Quat` is four consecutive f32; every load and store of eight floats at pair p stays below
    // 8 * pairs floats.
    unsafe {
        let (a, b) = (above.as_ptr().cast::<f32>(), local.as_ptr().cast::<f32>());
        let to = target.as_mut_ptr().cast::<f32>();
        for pair in 0..pairs {
            let sum = product(
                _mm256_loadu_ps(a.add(8 * pair)),
                _mm256_loadu_ps(b.add(8 * pair)),
            );
            _mm256_storeu_ps(to.add(8 * pair), sum);
        }
    }
}

/// Sign bits that turn round none, the first, the second, or both of a pair.
static TURNS: [[f32; 8]; 4] = [
    [0.0; 8],
    [-0.0, -0.0, -0.0, -0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0],
    [-0.0; 8],
];

/// # Safety
/// The processor must have AVX2; all slices must hold `2 * pairs` quaternions.
#[target_feature(enable = "avx2")]
unsafe fn bake(
    above: &[Quat],
    model: &[Quat],
    signs: &mut portable::Signs,
    target: &mut [Quat],
    pairs: usize,
) {
    let conjugate = _mm256_setr_ps(-0.0, -0.0, -0.0, 0.0, -0.0, -0.0, -0.0, 0.0);
    let (one, half) = (_mm256_set1_ps(1.0), _mm256_set1_ps(0.5));
    let (three_halves, near) = (_mm256_set1_ps(1.5), _mm256_set1_ps(portable::NEAR));
    let (sign, zero) = (_mm256_set1_ps(-0.0), _mm256_setzero_ps());
    let mut turned = i32::from(signs.turned);
    // SAFETY: `Quat` is four consecutive f32; every load and store of eight floats at pair p stays below
    // 8 * pairs floats; `signs.before` is four floats, each row of `TURNS` eight.
    unsafe {
        let (a, b) = (above.as_ptr().cast::<f32>(), model.as_ptr().cast::<f32>());
        let to = target.as_mut_ptr().cast::<f32>();
        let mut before =
            _mm256_broadcast_ps(&_mm_loadu_ps((&raw const signs.before).cast::<f32>()));
        for pair in 0..pairs {
            let inverse = _mm256_xor_ps(_mm256_loadu_ps(a.add(8 * pair)), conjugate);
            let mut value = product(inverse, _mm256_loadu_ps(b.add(8 * pair)));
            let square = sum_of_four(_mm256_mul_ps(value, value));
            let off = _mm256_andnot_ps(sign, _mm256_sub_ps(square, one));
            if _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_NLT_UQ>(off, near)) == 0 {
                let factor = _mm256_sub_ps(three_halves, _mm256_mul_ps(half, square));
                value = _mm256_mul_ps(value, factor);
            } else {
                let mut both = [Quat::IDENTITY; 2];
                _mm256_storeu_ps(both.as_mut_ptr().cast::<f32>(), value);
                both = both.map(portable::normalized);
                value = _mm256_loadu_ps(both.as_ptr().cast::<f32>());
            }
            // The last of the pair before, then the first of this one.
            let earlier = _mm256_permute2f128_ps::<0x21>(before, value);
            let cosines = sum_of_four(_mm256_mul_ps(value, earlier));
            let opposite = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(cosines, zero));
            let first = turned ^ (opposite & 1);
            turned = first ^ (opposite >> 4 & 1);
            let turn = _mm256_loadu_ps(TURNS[(first + 2 * turned) as usize & 3].as_ptr());
            _mm256_storeu_ps(to.add(8 * pair), _mm256_xor_ps(value, turn));
            before = value;
        }
        let mut last = [Quat::IDENTITY; 2];
        _mm256_storeu_ps(last.as_mut_ptr().cast::<f32>(), before);
        *signs = portable::Signs {
            before: last[1],
            turned: turned != 0,
        };
    }
}

/// The sum of each quaternion's parts in all its places: (x + y) + (z + w).
#[target_feature(enable = "avx2")]
fn sum_of_four(parts: __m256) -> __m256 {
    let sums = _mm256_add_ps(parts, _mm256_permute_ps::<0b10_11_00_01>(parts));
    _mm256_add_ps(sums, _mm256_permute_ps::<0b01_00_11_10>(sums))
}

#[target_feature(enable = "avx2")]
fn product(a: __m256, b: __m256) -> __m256 {
    let signed = |value: __m256, mask: __m256| _mm256_xor_ps(value, mask);
    let s1 = signed(
        _mm256_permute_ps::<0b00_01_10_11>(b),
        _mm256_setr_ps(0.0, -0.0, 0.0, -0.0, 0.0, -0.0, 0.0, -0.0),
    );
    let s2 = signed(
        _mm256_permute_ps::<0b01_00_11_10>(b),
        _mm256_setr_ps(0.0, 0.0, -0.0, -0.0, 0.0, 0.0, -0.0, -0.0),
    );
    let s3 = signed(
        _mm256_permute_ps::<0b10_11_00_01>(b),
        _mm256_setr_ps(-0.0, 0.0, 0.0, -0.0, -0.0, 0.0, 0.0, -0.0),
    );
    let mut sum = _mm256_mul_ps(_mm256_permute_ps::<0b11_11_11_11>(a), b);
    sum = _mm256_add_ps(
        sum,
        _mm256_mul_ps(_mm256_permute_ps::<0b00_00_00_00>(a), s1),
    );
    sum = _mm256_add_ps(
        sum,
        _mm256_mul_ps(_mm256_permute_ps::<0b01_01_01_01>(a), s2),
    );
    _mm256_add_ps(
        sum,
        _mm256_mul_ps(_mm256_permute_ps::<0b10_10_10_10>(a), s3),
    )
}
