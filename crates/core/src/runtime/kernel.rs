//! The rotation kernels: a whole track at a time.
//!
//! | kernel | formula | where |
//! |---|---|---|
//! | [`transform_rotations`] | v = left · w · right, constant left and right | one-to-one tracks |
//! | [`multiply_rotations`] | W_j = W_p · w_j | model-space rotations |
//! | [`bake_rotations`] | v = V_p⁻¹ · V, normalised | back to local space |
//!
//! For constant `left` and `right` the first is linear in `w`, so it is one constant 4×4 matrix: 16
//! multiplications and 12 additions a key, at the speed of copying the track.
//!
//! Processors with AVX2 handle two or eight quaternions at a time. They do the same operations in the same
//! order as the portable code, without fused multiply-adds, so that every machine gives the same bits.

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

/// Products of two tracks, key by key: `target = above · local`.
///
/// # Panics
/// Where the slices differ in length.
pub fn multiply_rotations(above: &[Quat], local: &[Quat], target: &mut [Quat]) {
    assert!(above.len() == local.len() && local.len() == target.len());
    let done = accelerated(|x86| x86.multiply_rotations(above, local, target));
    portable::multiply_rotations(&above[done..], &local[done..], &mut target[done..]);
}

/// Local rotations from those of a joint and of the joint above it in model space:
/// `target = above⁻¹ · model`, normalised, each with the sign that is nearer to the one before it; the
/// first to `before`.
///
/// # Panics
/// Where the slices differ in length.
pub fn bake_rotations(above: &[Quat], model: &[Quat], before: Quat, target: &mut [Quat]) {
    assert!(above.len() == model.len() && model.len() == target.len());
    let mut signs = portable::Signs::after(before);
    let done = accelerated(|x86| x86.bake_rotations(above, model, &mut signs, target));
    portable::bake_rotations(
        &above[done..],
        &model[done..],
        &mut signs,
        &mut target[done..],
    );
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
    fn multiply_rotations(&self, _: &[Quat], _: &[Quat], _: &mut [Quat]) -> usize {
        0
    }
    fn bake_rotations(
        &self,
        _: &[Quat],
        _: &[Quat],
        _: &mut portable::Signs,
        _: &mut [Quat],
    ) -> usize {
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
    use rebone_model::rotation::{NEARLY_UNIT, normalized_or_identity};

    pub(super) fn transform_rotations(matrix: &Mat4, source: &[Quat], target: &mut [Quat]) {
        let [x, y, z, w] = matrix.to_cols_array_2d();
        for (from, to) in source.iter().zip(target) {
            let from = from.to_array();
            *to = Quat::from_array(std::array::from_fn(|row| {
                ((from[0] * x[row] + from[1] * y[row]) + from[2] * z[row]) + from[3] * w[row]
            }));
        }
    }

    pub(super) fn multiply_rotations(above: &[Quat], local: &[Quat], target: &mut [Quat]) {
        for ((a, b), to) in above.iter().zip(local).zip(target) {
            *to = product(*a, *b);
        }
    }

    /// Keeps a track's signs together: a value has the sign of the one before it, turned round where the
    /// two, as computed, are on opposite sides.
    pub(in super::super) struct Signs {
        /// The value before, as computed.
        pub(in super::super) before: Quat,
        /// True where it was turned round.
        pub(in super::super) turned: bool,
    }

    impl Signs {
        pub(super) fn after(before: Quat) -> Self {
            Self {
                before,
                turned: false,
            }
        }

        fn next(&mut self, value: Quat) -> Quat {
            self.turned ^= dot(value, self.before) < 0.0;
            self.before = value;
            if self.turned { -value } else { value }
        }
    }

    pub(in super::super) fn bake_rotations(
        above: &[Quat],
        model: &[Quat],
        signs: &mut Signs,
        target: &mut [Quat],
    ) {
        for ((a, b), to) in above.iter().zip(model).zip(target) {
            *to = signs.next(normalized(product(a.conjugate(), *b)));
        }
    }

    fn product(a: Quat, b: Quat) -> Quat {
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a.to_array(), b.to_array());
        Quat::from_xyzw(
            ((aw * bx + ax * bw) + ay * bz) - az * by,
            ((aw * by - ax * bz) + ay * bw) + az * bx,
            ((aw * bz + ax * by) - ay * bx) + az * bw,
            ((aw * bw - ax * bx) - ay * by) - az * bz,
        )
    }

    pub(in super::super) fn normalized(rotation: Quat) -> Quat {
        let square = dot(rotation, rotation);
        if (square - 1.0).abs() < NEARLY_UNIT {
            rotation * (1.5 - 0.5 * square)
        } else {
            normalized_or_identity(rotation)
        }
    }

    fn dot(a: Quat, b: Quat) -> f32 {
        let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a.to_array(), b.to_array());
        (ax * bx + ay * by) + (az * bz + aw * bw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::rotation::angle_between;

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

    #[test]
    fn products_equal_glam_and_the_portable_bits() {
        let (above, local) = (track(1.0), track(-0.3));
        let mut target = vec![Quat::IDENTITY; above.len()];
        multiply_rotations(&above, &local, &mut target);
        for ((a, b), c) in above.iter().zip(&local).zip(&target) {
            assert!((*a * *b).abs_diff_eq(*c, 1e-6));
        }
        let mut portable = vec![Quat::IDENTITY; above.len()];
        portable::multiply_rotations(&above, &local, &mut portable);
        assert_eq!(bits(&portable), bits(&target));
    }

    #[test]
    fn baking_undoes_the_products_whatever_the_lengths() {
        let (above, local) = (track(1.0), track(-0.3));
        let mut model = vec![Quat::IDENTITY; above.len()];
        multiply_rotations(&above, &local, &mut model);
        // Not unit, far from unit, and broken.
        model[3] *= 1.0001;
        model[4] *= 3.0;
        model[5] *= 0.0;
        model[6] = -model[6];
        let mut target = vec![Quat::IDENTITY; above.len()];
        bake_rotations(&above, &model, local[0], &mut target);
        for (key, (wanted, found)) in local.iter().zip(&target).enumerate() {
            assert!((found.length() - 1.0).abs() < 1e-6);
            if key == 5 {
                assert_eq!(found.w.abs(), 1.0);
            } else {
                assert!(angle_between(*wanted, *found) < 2e-6, "{key}");
            }
        }
        for pair in target.windows(2) {
            assert!(pair[0].dot(pair[1]) >= 0.0);
        }
        let mut portable = vec![Quat::IDENTITY; above.len()];
        let mut signs = portable::Signs::after(local[0]);
        portable::bake_rotations(&above, &model, &mut signs, &mut portable);
        assert_eq!(bits(&portable), bits(&target));
    }
}
