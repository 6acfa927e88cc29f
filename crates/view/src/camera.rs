//! Where a picture is seen from.
//!
//! The camera is a long lens: far away compared with the body, so that cells look alike and lengths
//! can be compared, and near enough for depth to be felt. It looks down a little, so that the floor
//! is seen. It stands at a fixed offset from a *pivot* on the floor under the body; the picture is a
//! window cut out of its image plane, not centred on its axis.

use crate::options::Camera;
use glam::{Vec2, Vec3, Vec3A};
use rebone_model::elementary::Elementary as _;

/// Downward tilt of a camera beside the body, degrees.
const PITCH_DEGREES: f32 = 13.0;

impl Camera {
    /// Degrees from the front, positive to the actor's left.
    pub(crate) fn angle_degrees(self) -> f32 {
        match self {
            Self::ThreeQuarter => -35.0,
            Self::Front | Self::Top => 0.0,
            Self::Side => -90.0,
            Self::Back => 180.0,
            Self::Left => 90.0,
            Self::Angle(degrees) if degrees.is_finite() => degrees % 360.0,
            Self::Angle(_) => 0.0,
        }
    }

    /// Downward tilt, degrees.
    pub(crate) fn pitch_degrees(self) -> f32 {
        if self == Self::Top {
            90.0
        } else {
            PITCH_DEGREES
        }
    }
}

/// A camera and where its image lies in a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eye {
    /// World space, metres.
    pub(crate) position: Vec3A,
    /// Unit vector to the right of the picture.
    pub(crate) right: Vec3A,
    /// Unit vector to the top of the picture.
    pub(crate) up: Vec3A,
    /// Unit vector into the picture.
    pub(crate) forward: Vec3A,
    /// Pixels per tangent of the angle from the axis.
    pub(crate) focal: f32,
    /// Pixel of the cell that the axis meets; may lie outside.
    pub(crate) center: Vec2,
    /// What is nearer than this is not drawn, metres.
    pub(crate) near: f32,
}

impl Eye {
    /// A camera `distance` metres from `target`, with focal length 1 and the axis at (0, 0). The direction is the angle
    /// from the front and the downward tilt, in degrees.
    pub(crate) fn new(angle_degrees: f32, pitch_degrees: f32, target: Vec3, distance: f32) -> Self {
        let (sin, cos) = angle_degrees.to_radians().sine_cosine();
        let (rise, run) = pitch_degrees.to_radians().sine_cosine();
        let forward = Vec3A::new(-sin * run, -rise, -cos * run);
        let right = Vec3A::new(cos, 0.0, -sin);
        Self {
            position: Vec3A::from(target) - forward * distance,
            right,
            up: right.cross(forward),
            forward,
            focal: 1.0,
            center: Vec2::ZERO,
            near: distance * 0.05,
        }
    }

    /// Pixel (x right, y down) and the reciprocal of the depth; `None` for what cannot be seen.
    #[inline]
    pub(crate) fn project(&self, point: Vec3A) -> Option<Vec3> {
        let offset = point - self.position;
        let depth = offset.dot(self.forward);
        if !(depth > self.near && depth.is_finite()) {
            return None;
        }
        let inverse = 1.0 / depth;
        let scale = self.focal * inverse;
        let pixel = Vec3::new(
            self.center.x + offset.dot(self.right) * scale,
            self.center.y - offset.dot(self.up) * scale,
            inverse,
        );
        pixel.is_finite().then_some(pixel)
    }

    /// Direction from the scene to the key light: over the camera's left shoulder.
    pub(crate) fn light(&self) -> Vec3A {
        let level = Vec3A::new(self.forward.x, 0.0, self.forward.z).normalize_or_zero();
        (self.right * -0.42 + Vec3A::Y * 1.15 - level * 0.55).normalize_or(Vec3A::Y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eye(view: Camera) -> Eye {
        Eye::new(view.angle_degrees(), view.pitch_degrees(), Vec3::Y, 10.0)
    }

    #[test]
    fn axes_are_a_right_handed_frame() {
        for view in [
            Camera::ThreeQuarter,
            Camera::Front,
            Camera::Side,
            Camera::Back,
            Camera::Left,
            Camera::Top,
            Camera::Angle(140.0),
        ] {
            let eye = eye(view);
            assert!(eye.right.cross(eye.up).abs_diff_eq(-eye.forward, 1e-5));
            assert!(eye.up.y > 0.9 || view == Camera::Top);
            let target = eye.project(Vec3A::Y).unwrap();
            assert!(target.truncate().length() < 1e-5);
        }
    }

    #[test]
    fn forward_is_right_in_side_and_three_quarter_views() {
        for view in [Camera::Side, Camera::ThreeQuarter] {
            let nose = eye(view).project(Vec3A::new(0.0, 1.0, 0.3)).unwrap();
            assert!(nose.x > 0.0);
        }
        let left_hand = eye(Camera::Front)
            .project(Vec3A::new(0.5, 1.0, 0.0))
            .unwrap();
        assert!(left_hand.x > 0.0, "seen from the front, left is right");
    }

    #[test]
    fn named_views_stand_where_their_names_say() {
        // Pixels of the nose and of the left hand, y down: which way each lies from the middle.
        for (view, nose, left_hand) in [
            (Camera::Back, Vec2::ZERO, Vec2::NEG_X),
            (Camera::Left, Vec2::NEG_X, Vec2::ZERO),
            (Camera::Top, Vec2::Y, Vec2::X),
        ] {
            let place = |x: f32, z: f32| eye(view).project(Vec3A::new(x, 1.0, z)).unwrap();
            for (pixel, wanted) in [(place(0.0, 0.3), nose), (place(0.3, 0.0), left_hand)] {
                let along = if wanted == Vec2::ZERO {
                    Vec2::X
                } else {
                    wanted
                };
                let expected = if wanted == Vec2::ZERO { 0.0 } else { 0.03 };
                let found = pixel.truncate().dot(along);
                assert!((found - expected).abs() < 2e-3, "{view:?} {pixel}");
            }
        }
    }

    #[test]
    fn points_behind_and_broken_points_are_not_seen() {
        let eye = eye(Camera::Front);
        assert_eq!(eye.project(Vec3A::new(0.0, 0.0, 50.0)), None);
        assert_eq!(eye.project(Vec3A::NAN), None);
        assert_eq!(eye.project(Vec3A::splat(f32::INFINITY)), None);
    }
}
