//! Turns that bring one direction to another.

use crate::align::canonical::rotation_arc;
use crate::align::plausibility::ramp;
use glam::{DQuat, DVec3};
use rebone_model::elementary::Angle as _;
use rebone_model::elementary::Elementary as _;
use rebone_model::elementary::Turn as _;

/// `parent`, followed by the shortest arc that brings `direction` to `wanted`.
pub(super) fn swing(parent: DQuat, direction: DVec3, wanted: DVec3) -> DQuat {
    rotation_arc(parent * direction, wanted) * parent
}

/// Like [`swing`], but only as far as needed to come within `cone_degrees` of `wanted`.
pub(super) fn swing_into_cone(
    parent: DQuat,
    direction: DVec3,
    wanted: DVec3,
    cone_degrees: f64,
) -> DQuat {
    let now = parent * direction;
    let angle = now.angle_apart(wanted);
    let cone = cone_degrees.to_radians();
    if angle <= cone {
        return parent;
    }
    let full = rotation_arc(now, wanted);
    DQuat::IDENTITY.arc_to(full, 1.0 - cone / angle) * parent
}

/// The angle about `axis` that turns `from` to `to`, -π to π; 0 where either is along the axis.
pub(super) fn signed_angle(from: DVec3, to: DVec3, axis: DVec3) -> f64 {
    let from = from.reject_from(axis);
    let to = to.reject_from(axis);
    if from.length() < 1e-9 || to.length() < 1e-9 {
        return 0.0;
    }
    axis.dot(from.cross(to)).arc_tangent(from.dot(to))
}

/// The angle about a unit `axis` by which a rotation turns, -π to π.
pub(super) fn twist_angle(rotation: DQuat, axis: DVec3) -> f64 {
    let angle = 2.0 * rotation.xyz().dot(axis).arc_tangent(rotation.w);
    (angle + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI
}

/// An angle without what is a matter of taste: 0 up to `from_degrees`, all of it from `full_degrees` on.
pub(super) fn beyond(angle: f64, from_degrees: f64, full_degrees: f64) -> f64 {
    angle * ramp(angle.abs().to_degrees(), from_degrees, full_degrees)
}
