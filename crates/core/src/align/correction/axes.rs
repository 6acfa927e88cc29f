//! What the axes of joints tell about the T-pose.
//!
//! Tools lay a joint's axes along the body's, or one of them along the way to the next joint, while the body
//! stands in a T-pose. Where only a motion shows the body, a joint whose axis lies along its segment and
//! whose axes are near those of the body is therefore turned so that they are exactly those of the body.

use crate::align::canonical::quarter_turns;
use glam::{DQuat, DVec3};
use rebone_model::axes::Axis;

/// How far a segment may be from an axis that is meant to lie along it.
const ALONG_DEGREES: f64 = 8.0;

/// The axis of a joint that lies along its segment. `segment` is in the axes of the joint.
pub(super) fn axis_along(segment: DVec3, tolerance: f64) -> Option<DVec3> {
    let axis = Axis::nearest(segment.as_vec3()).direction().as_dvec3();
    let is_near = segment.length() > 1e-9 && segment.angle_between(axis) <= tolerance;
    is_near.then_some(axis)
}

/// [`axis_along`] with the usual tolerance.
pub(super) fn lies_along(segment: DVec3) -> Option<DVec3> {
    axis_along(segment, ALONG_DEGREES.to_radians())
}

/// The nearest rotation whose axes are those of the body, and how far it is.
pub(super) fn nearest_quarter(rotation: DQuat) -> (DQuat, f64) {
    let mut best = (DQuat::IDENTITY, f64::INFINITY);
    for turn in quarter_turns() {
        let angle = turn.angle_between(rotation);
        if angle < best.1 {
            best = (turn, angle);
        }
    }
    best
}
