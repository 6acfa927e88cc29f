//! Quaternion helpers that glam lacks or that are safe where glam's are not.

use crate::elementary::{Elementary as _, Turn as _};
use glam::{Quat, Vec3, Vec4};

/// The unit quaternion of the same rotation; a zero or broken quaternion becomes the identity.
pub fn normalized_or_identity(rotation: Quat) -> Quat {
    let length = rotation.length();
    if EXACT_LENGTHS.contains(&length) {
        return rotation * (1.0 / length);
    }
    let largest = Vec4::from(rotation).abs().max_element();
    if largest.is_normal() {
        let scaled = rotation / largest;
        scaled * (1.0 / scaled.length())
    } else {
        Quat::IDENTITY
    }
}

/// Lengths of quaternions outside of these cannot be measured as they are: squares of their components leave the range of
/// normal numbers.
const EXACT_LENGTHS: std::ops::Range<f32> = 1e-15..1e15;

/// Squared lengths nearer to 1 than this need one step of Newton's method only, whose error is below the grain of single
/// precision.
pub const NEARLY_UNIT: f32 = 2e-4;

/// [`normalized_or_identity`] for products of unit quaternions, which are nearly unit: without a root.
pub fn renormalized(rotation: Quat) -> Quat {
    let square = rotation.length_squared();
    if (square - 1.0).abs() < NEARLY_UNIT {
        rotation * (1.5 - 0.5 * square)
    } else {
        normalized_or_identity(rotation)
    }
}

/// The smallest angle between two rotations, in radians, 0 to π. Exact also near zero.
pub fn angle_between(a: Quat, b: Quat) -> f32 {
    let relative = a.conjugate() * b;
    2.0 * relative.xyz().length().arc_tangent(relative.w.abs())
}

/// The shortest rotation that turns `from` into `to` (need not be unit).
///
/// Opposite vectors turn about `fallback_axis` made perpendicular to `from`; zero vectors do not turn.
pub fn shortest_arc(from: Vec3, to: Vec3, fallback_axis: Vec3) -> Quat {
    let (from, to) = (from.normalize_or_zero(), to.normalize_or_zero());
    if from == Vec3::ZERO || to == Vec3::ZERO {
        return Quat::IDENTITY;
    }
    shortest_arc_of_units(from, to, fallback_axis)
}

/// [`shortest_arc`] of vectors that are known to be unit.
pub fn shortest_arc_of_units(from: Vec3, to: Vec3, fallback_axis: Vec3) -> Quat {
    let cosine = from.dot(to);
    if cosine > -0.999_999 {
        let axis = from.cross(to);
        return normalized_or_identity(Quat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + cosine));
    }
    let axis = fallback_axis.reject_from_normalized(from);
    let axis = axis
        .try_normalize()
        .unwrap_or_else(|| from.any_orthonormal_vector());
    Quat::about(axis, std::f32::consts::PI)
}

/// Splits a rotation into `swing * twist`, where `twist` turns about the unit vector `axis`.
///
/// Source: docs/laws.md, "Swing and twist".
///
/// Where the swing is a half turn the twist is undefined; it is then the identity.
pub fn swing_twist(rotation: Quat, axis: Vec3) -> (Quat, Quat) {
    let along = rotation.xyz().dot(axis);
    let twist = Quat::from_xyzw(axis.x * along, axis.y * along, axis.z * along, rotation.w);
    if twist.length_squared() < 1e-12 {
        return (rotation, Quat::IDENTITY);
    }
    let twist = normalized_or_identity(twist);
    (rotation * twist.conjugate(), twist)
}

/// The same rotation, with the sign that is nearer to `reference`.
///
/// Source: docs/laws.md, "Sign of a quaternion".
pub fn same_hemisphere(rotation: Quat, reference: Quat) -> Quat {
    if rotation.dot(reference) < 0.0 {
        -rotation
    } else {
        rotation
    }
}

/// The rotation vector (axis times angle, radians) of a unit quaternion, angle 0 to π.
pub fn log(rotation: Quat) -> Vec3 {
    let rotation = same_hemisphere(rotation, Quat::IDENTITY);
    let sine = rotation.xyz().length();
    if sine < 1e-9 {
        return rotation.xyz() * 2.0;
    }
    rotation.xyz() * (2.0 * sine.arc_tangent(rotation.w) / sine)
}

/// The unit quaternion of a rotation vector (axis times angle, radians).
pub fn exp(rotation_vector: Vec3) -> Quat {
    Quat::about_scaled(rotation_vector)
}

/// From `first` to `last` by the shorter arc: first · exp(fraction · log(first⁻¹ · last)); the fraction may lie
/// outside 0 to 1.
pub fn slerp(first: Quat, last: Quat, fraction: f32) -> Quat {
    first * exp(log(first.conjugate() * last) * fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swing_and_twist_multiply_to_the_rotation() {
        let rotation = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0);
        let axis = Vec3::new(1.0, 2.0, -0.5).normalize_or_zero();
        let (swing, twist) = swing_twist(rotation, axis);
        assert!(angle_between(swing * twist, rotation) < 1e-6);
        assert!(twist.xyz().cross(axis).length() < 1e-6);
        assert!((swing * axis - rotation * axis).length() < 1e-5);
    }

    #[test]
    fn shortest_arc_of_opposite_vectors_is_a_half_turn() {
        let turn = shortest_arc(Vec3::Y, Vec3::NEG_Y, Vec3::X);
        assert!((turn * Vec3::Y + Vec3::Y).length() < 1e-6);
        assert!((turn * Vec3::X - Vec3::X).length() < 1e-6);
    }

    #[test]
    fn nearly_unit_quaternions_become_unit() {
        let rotation = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0);
        for size in [1.0, 1.00009, 0.99991, 1.0002, 0.3, 40.0] {
            let apart = renormalized(rotation * size) - rotation;
            assert!(apart.length() < 2e-7, "{size}");
        }
        for size in [3e-37, 1e-23, 1e-16, 1e16, 1e38] {
            let apart = normalized_or_identity(rotation * size) - rotation;
            assert!(apart.length() < 2e-7, "{size}");
        }
        for size in [0.0, 1e-40, f32::INFINITY, f32::NAN] {
            let broken = Quat::from_xyzw(0.0, 0.0, 0.0, size);
            assert_eq!(renormalized(broken), Quat::IDENTITY);
        }
        assert_eq!(renormalized(rotation * f32::NAN), Quat::IDENTITY);
    }

    #[test]
    fn log_and_exp_are_inverse() {
        let rotation = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0);
        assert!(angle_between(exp(log(rotation)), rotation) < 1e-6);
        assert_eq!(log(Quat::IDENTITY), Vec3::ZERO);
    }
}
