//! What the axes of joints tell about the T-pose.
//!
//! Tools lay a joint's axes along the body's, or one of them along the way to the next joint, while the body
//! stands in a T-pose. Where only a motion shows the body, a joint whose axis lies along its segment and
//! whose axes are near those of the body is therefore turned so that they are exactly those of the body.

use super::turns::twist_angle;
use super::{Body, Evidence};
use crate::align::canonical::quarter_turns;
use crate::align::palm::Knuckles;
use crate::align::placement::unit;
use crate::profile::{Part, Slot};
use glam::{DQuat, DVec3};
use rebone_model::axes::Axis;
use rebone_model::elementary::Angle as _;
use rebone_model::elementary::Turn as _;

/// How far a joint's axes may be from those of the body to be meant as these.
const NEAR_AXES_DEGREES: f64 = 30.0;

/// How far a segment may be from an axis that is meant to lie along it.
const ALONG_DEGREES: f64 = 8.0;

/// The axis of a joint that lies along its segment. `segment` is in the axes of the joint.
fn axis_along(segment: DVec3, tolerance: f64) -> Option<DVec3> {
    let axis = Axis::nearest(segment.as_vec3()).direction().as_dvec3();
    let is_near = segment.length() > 1e-9 && segment.angle_apart(axis) <= tolerance;
    is_near.then_some(axis)
}

/// [`axis_along`] with the usual tolerance.
pub(super) fn lies_along(segment: DVec3) -> Option<DVec3> {
    axis_along(segment, ALONG_DEGREES.to_radians())
}

/// The nearest rotation whose axes are those of the body, and how far it is.
fn nearest_quarter(rotation: DQuat) -> (DQuat, f64) {
    let mut best = (DQuat::IDENTITY, f64::INFINITY);
    for turn in quarter_turns() {
        let angle = turn.angle_apart(rotation);
        if angle < best.1 {
            best = (turn, angle);
        }
    }
    best
}

impl Body<'_> {
    /// A joint of which an axis lies along its segment, and whose axes are near the body's, gets these.
    /// Limbs keep their direction.
    pub(super) fn by_axes(&self, slot: Slot, turn: DQuat, evidence: Evidence) -> (DQuat, Evidence) {
        let part = self.map.profile.info(slot).part;
        let Some(joint) = self.map.joint(slot) else {
            return (turn, evidence);
        };
        let own = self.placements[joint];
        let is_lawful =
            |direction: DVec3| lies_along(own.rotation.conjugate() * direction).is_some();
        let lawful = match part {
            Part::Head => self.map.present_parent(slot).is_some_and(|above| {
                self.map.joint(above).is_some_and(|above| {
                    let above = self.placements[above];
                    let way = above.rotation.conjugate() * (own.position - above.position);
                    lies_along(way).is_some()
                })
            }),
            Part::Hand => self.knuckles(slot).is_some_and(|Knuckles { center, .. }| {
                let way = own.rotation.conjugate() * (center - own.position);
                axis_along(way, 15f64.to_radians()).is_some()
            }),
            Part::Hips | Part::Torso | Part::Neck => self.direction_of(slot).is_some_and(is_lawful),
            Part::UpperArm | Part::LowerArm | Part::UpperLeg | Part::LowerLeg => {
                self.direction_of(slot).is_some_and(is_lawful)
            }
            _ => false,
        };
        let (quarter, off) = nearest_quarter(unit(turn * own.rotation));
        if !lawful || !self.lawful_axes || off > NEAR_AXES_DEGREES.to_radians() {
            return (turn, evidence);
        }
        let exact = unit(quarter * own.rotation.conjugate());
        if matches!(
            part,
            Part::UpperArm | Part::LowerArm | Part::UpperLeg | Part::LowerLeg
        ) && let Some(direction) = self.direction_of(slot)
        {
            let along = (turn * direction).normalize_or_zero();
            let roll = twist_angle(unit(exact * turn.conjugate()), along);
            return (DQuat::about(along, roll) * turn, Evidence::Axes);
        }
        (exact, Evidence::Axes)
    }
}
