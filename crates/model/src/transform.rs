//! Translation, rotation and scale of one joint.

use crate::rotation::normalized_or_identity;
use crate::usable::{is_usable, is_usable_vector};
use glam::{Affine3A, Mat3, Mat4, Quat, Vec3};

/// A translation, a rotation and a scale, applied to a point as `translation + rotation * (scale * point)`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transform {
    /// Metres.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Factor along each local axis; may be negative.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Transform {
    /// Changes nothing.
    pub const IDENTITY: Self = Self {
        translation: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        scale: Vec3::ONE,
    };

    /// Moves only.
    pub fn from_translation(translation: Vec3) -> Self {
        Self {
            translation,
            ..Self::IDENTITY
        }
    }

    /// Turns only.
    pub fn from_rotation(rotation: Quat) -> Self {
        Self {
            rotation,
            ..Self::IDENTITY
        }
    }

    /// The matrix that does the same.
    pub fn to_affine(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Takes a matrix apart. A mirrored matrix gets one negative scale (X).
    ///
    /// NOTE: a sheared matrix has no such parts. Its nearest ones are returned, and the second value
    /// is how far they are off: the largest difference of an entry, relative to the largest scale.
    pub fn from_matrix(matrix: Mat4) -> (Self, f32) {
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(glam::Vec4::truncate);
        let mirror = if x.cross(y).dot(z) < 0.0 { -1.0 } else { 1.0 };
        let scale = Vec3::new(mirror * x.length(), y.length(), z.length());
        let axis = |column: Vec3, length: f32, otherwise: Vec3| {
            if length.abs() > f32::MIN_POSITIVE {
                column / length
            } else {
                otherwise
            }
        };
        let columns = Mat3::from_cols(
            axis(x, scale.x, Vec3::X),
            axis(y, scale.y, Vec3::Y),
            axis(z, scale.z, Vec3::Z),
        );
        let transform = Self {
            translation: matrix.w_axis.truncate(),
            rotation: normalized_or_identity(Quat::from_mat3(&columns)),
            scale,
        };
        let largest = scale.abs().max_element().max(f32::MIN_POSITIVE);
        let difference = Mat4::from(transform.to_affine()) - matrix;
        let shear = difference
            .to_cols_array()
            .iter()
            .fold(0.0f32, |worst, entry| worst.max(entry.abs()));
        (transform, shear / largest)
    }

    /// True where no part is NaN, infinite or beyond [`LARGEST`](crate::usable::LARGEST), and the rotation is not zero.
    pub fn is_usable(&self) -> bool {
        is_usable_vector(self.translation)
            && is_usable_vector(self.scale)
            && self.rotation.to_array().into_iter().all(is_usable)
            && self.rotation.length_squared() > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrix_and_back() {
        let transform = Transform {
            translation: Vec3::new(1.0, -2.0, 3.0),
            rotation: Quat::from_rotation_y(1.1) * Quat::from_rotation_x(-0.4),
            scale: Vec3::new(0.5, 2.0, 100.0),
        };
        let (again, shear) = Transform::from_matrix(Mat4::from(transform.to_affine()));
        assert!(again.translation.abs_diff_eq(transform.translation, 1e-6));
        assert!(again.rotation.abs_diff_eq(transform.rotation, 1e-6));
        assert!(again.scale.abs_diff_eq(transform.scale, 1e-4));
        assert!(shear < 1e-6);
    }

    #[test]
    fn mirrored_matrix_has_one_negative_scale() {
        let (transform, shear) =
            Transform::from_matrix(Mat4::from_scale(Vec3::new(1.0, 1.0, -2.0)));
        assert!(transform.scale.x < 0.0 && shear < 1e-6);
    }

    #[test]
    fn shear_is_reported() {
        let mut matrix = Mat4::IDENTITY;
        matrix.y_axis.x = 0.5;
        assert!(Transform::from_matrix(matrix).1 > 0.1);
    }
}
