//! The kernels for processors with AVX2: two or eight quaternions an instruction.
//!
//! Same operations and same order as `kernel::portable`, so that both give the same bits.

#![allow(unsafe_code)]

use super::batch::{self, WIDTH};
use super::kernel::portable;
use super::lanes::{Rotations, Vectors};
use super::op::Plan;
use super::program::Program;
use super::stage::{self, Kinematics, Sight};
use super::transfer_frame::Work;
use glam::{Mat4, Quat};
use rebone_model::LocalPose;
use rebone_model::joint_frames::JointFrames;
use rebone_model::rotation::NEARLY_UNIT;
use std::arch::x86_64::{
    __m256, _CMP_LT_OQ, _CMP_NLT_UQ, _mm_loadu_ps, _mm256_add_ps, _mm256_andnot_ps,
    _mm256_broadcast_ps, _mm256_cmp_ps, _mm256_hadd_ps, _mm256_loadu_ps, _mm256_movemask_ps,
    _mm256_mul_ps, _mm256_permute_ps, _mm256_permute2f128_ps, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_shuffle_ps, _mm256_storeu_ps, _mm256_sub_ps, _mm256_unpackhi_ps, _mm256_unpacklo_ps,
    _mm256_xor_ps,
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

    /// Up to eight characters at a time.
    pub(super) fn eight(
        &self,
        plan: &Plan,
        program: &Program,
        work: (&mut Work<WIDTH>, &mut Sight),
        poses: (&[LocalPose], &mut [LocalPose]),
    ) {
        // SAFETY: `self` shows that the processor has AVX2.
        unsafe { eight(plan, program, work, poses) }
    }

    /// Joints in eight frames of a clip.
    pub(super) fn place_eight(
        &self,
        kinematics: &Kinematics,
        joints: &[JointFrames<'_>],
        sizes: &[f32],
        first: usize,
        eights: &mut [(Rotations<WIDTH>, Vectors<WIDTH>)],
    ) {
        // SAFETY: `self` shows that the processor has AVX2.
        unsafe { place_eight(kinematics, joints, sizes, first, eights) }
    }

    pub(super) fn multiply_rotations(
        &self,
        above: &[Quat],
        local: &[Quat],
        target: &mut [Quat],
    ) -> usize {
        let blocks = above.len().min(local.len()).min(target.len()) / 8;
        // SAFETY: `self` shows that the processor has AVX2; there are at least `8 * blocks` quaternions.
        unsafe { multiply(above, local, target, blocks) }
        8 * blocks
    }

    pub(super) fn bake_rotations(
        &self,
        above: &[Quat],
        model: &[Quat],
        signs: &mut portable::Signs,
        target: &mut [Quat],
    ) -> usize {
        let blocks = above.len().min(model.len()).min(target.len()) / 8;
        // SAFETY: `self` shows that the processor has AVX2; there are at least `8 * blocks` quaternions.
        unsafe { bake(above, model, signs, target, blocks) }
        8 * blocks
    }
}

/// The portable code, made for wider registers.
#[target_feature(enable = "avx2")]
fn eight(
    plan: &Plan,
    program: &Program,
    work: (&mut Work<WIDTH>, &mut Sight),
    poses: (&[LocalPose], &mut [LocalPose]),
) {
    batch::eight(plan, program, work, poses);
}

/// The portable code, made for wider registers.
#[target_feature(enable = "avx2")]
fn place_eight(
    kinematics: &Kinematics,
    joints: &[JointFrames<'_>],
    sizes: &[f32],
    first: usize,
    eights: &mut [(Rotations<WIDTH>, Vectors<WIDTH>)],
) {
    stage::place_eight(kinematics, joints, sizes, first, eights);
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
/// The processor must have AVX2; all slices must hold `8 * blocks` quaternions.
#[target_feature(enable = "avx2")]
unsafe fn multiply(above: &[Quat], local: &[Quat], target: &mut [Quat], blocks: usize) {
    // SAFETY: every block lies within the slices.
    unsafe {
        for block in 0..blocks {
            let a = transposed(load(above, block));
            let b = transposed(load(local, block));
            store(target, block, transposed(product(a, b)));
        }
    }
}

/// # Safety
/// The processor must have AVX2; all slices must hold `8 * blocks` quaternions.
#[target_feature(enable = "avx2")]
unsafe fn bake(
    above: &[Quat],
    model: &[Quat],
    signs: &mut portable::Signs,
    target: &mut [Quat],
    blocks: usize,
) {
    let (one, half) = (_mm256_set1_ps(1.0), _mm256_set1_ps(0.5));
    let (three_halves, near) = (_mm256_set1_ps(1.5), _mm256_set1_ps(NEARLY_UNIT));
    let (sign, zero) = (_mm256_set1_ps(-0.0), _mm256_setzero_ps());
    let negated = |value: __m256| _mm256_xor_ps(value, sign);
    // SAFETY: every block lies within the slices; `signs.before` is four floats.
    unsafe {
        for block in 0..blocks {
            let [x, y, z, w] = transposed(load(above, block));
            let b = transposed(load(model, block));
            let value = product([negated(x), negated(y), negated(z), w], b);
            let squares = value.map(|part| _mm256_mul_ps(part, part));
            let square = _mm256_add_ps(
                _mm256_add_ps(squares[0], squares[1]),
                _mm256_add_ps(squares[2], squares[3]),
            );
            let off = _mm256_andnot_ps(sign, _mm256_sub_ps(square, one));
            let far = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_NLT_UQ>(off, near));
            let factor = _mm256_sub_ps(three_halves, _mm256_mul_ps(half, square));
            let rows = transposed(value.map(|part| _mm256_mul_ps(part, factor)));
            // Each with the one before it: the last of the row before, then the first of the row.
            let before = _mm256_broadcast_ps(&_mm_loadu_ps((&raw const signs.before).cast()));
            let [p, q, r, s] =
                [(before, 0), (rows[0], 1), (rows[1], 2), (rows[2], 3)].map(|(earlier, row)| {
                    _mm256_mul_ps(
                        rows[row],
                        _mm256_permute2f128_ps::<0x21>(earlier, rows[row]),
                    )
                });
            let cosines = _mm256_hadd_ps(_mm256_hadd_ps(p, q), _mm256_hadd_ps(r, s));
            let opposite = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(cosines, zero));
            if far | opposite == 0 {
                let turn = if signs.turned { sign } else { zero };
                store(target, block, rows.map(|row| _mm256_xor_ps(row, turn)));
                let mut last = [Quat::IDENTITY; 2];
                _mm256_storeu_ps(last.as_mut_ptr().cast(), rows[3]);
                signs.before = last[1];
            } else {
                let keys = 8 * block..8 * block + 8;
                portable::bake_rotations(
                    &above[keys.clone()],
                    &model[keys.clone()],
                    signs,
                    &mut target[keys],
                );
            }
        }
    }
}

/// Eight quaternions, two a register.
///
/// # Safety
/// The slice must hold `8 * (block + 1)` quaternions.
#[target_feature(enable = "avx2")]
unsafe fn load(track: &[Quat], block: usize) -> [__m256; 4] {
    // SAFETY: `Quat` is four consecutive f32, so that row r of a block starts at float 32 * block + 8 * r.
    unsafe {
        let from = track.as_ptr().cast::<f32>().add(32 * block);
        [
            _mm256_loadu_ps(from),
            _mm256_loadu_ps(from.add(8)),
            _mm256_loadu_ps(from.add(16)),
            _mm256_loadu_ps(from.add(24)),
        ]
    }
}

/// # Safety
/// The slice must hold `8 * (block + 1)` quaternions.
#[target_feature(enable = "avx2")]
unsafe fn store(track: &mut [Quat], block: usize, rows: [__m256; 4]) {
    // SAFETY: as in `load`.
    unsafe {
        let to = track.as_mut_ptr().cast::<f32>().add(32 * block);
        for (row, value) in rows.into_iter().enumerate() {
            _mm256_storeu_ps(to.add(8 * row), value);
        }
    }
}

/// From two quaternions a register to one part a register (in the order 0 2 4 6, 1 3 5 7), and back.
#[target_feature(enable = "avx2")]
fn transposed([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    let (low, high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
    let (low_next, high_next) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
    [
        _mm256_shuffle_ps::<0b01_00_01_00>(low, low_next),
        _mm256_shuffle_ps::<0b11_10_11_10>(low, low_next),
        _mm256_shuffle_ps::<0b01_00_01_00>(high, high_next),
        _mm256_shuffle_ps::<0b11_10_11_10>(high, high_next),
    ]
}

/// Products of eight pairs of quaternions, one part a register.
#[target_feature(enable = "avx2")]
fn product([ax, ay, az, aw]: [__m256; 4], [bx, by, bz, bw]: [__m256; 4]) -> [__m256; 4] {
    let times = |a, b| _mm256_mul_ps(a, b);
    let plus = |sum, a, b| _mm256_add_ps(sum, times(a, b));
    let minus = |sum, a, b| _mm256_sub_ps(sum, times(a, b));
    [
        minus(plus(plus(times(aw, bx), ax, bw), ay, bz), az, by),
        plus(plus(minus(times(aw, by), ax, bz), ay, bw), az, bx),
        plus(minus(plus(times(aw, bz), ax, by), ay, bx), az, bw),
        minus(minus(minus(times(aw, bw), ax, bx), ay, by), az, bz),
    ]
}
