//! What the points of a body are called: in recipes, in JSON, in reports.

use super::points::{ContactPoint, Touch};
use serde::{Deserialize, Serialize};

/// What a point of a body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PointKind {
    /// What touches.
    pub touch: Touch,
    /// True for the front legs of a four-legged body.
    pub front: bool,
    /// +1 left, -1 right, 0 in the middle.
    pub side: i8,
}

const fn kind(touch: Touch, side: i8, front: bool) -> PointKind {
    PointKind { touch, front, side }
}

/// Every point that a body can have. The tips of toes are the last four: they never touch, and are looked at for depth alone.
pub const POINTS: [(&str, PointKind); 17] = [
    ("leftHeel", kind(Touch::Heel, 1, false)),
    ("rightHeel", kind(Touch::Heel, -1, false)),
    ("leftToes", kind(Touch::Toes, 1, false)),
    ("rightToes", kind(Touch::Toes, -1, false)),
    ("frontLeftHeel", kind(Touch::Heel, 1, true)),
    ("frontRightHeel", kind(Touch::Heel, -1, true)),
    ("frontLeftToes", kind(Touch::Toes, 1, true)),
    ("frontRightToes", kind(Touch::Toes, -1, true)),
    ("leftHand", kind(Touch::Hand, 1, false)),
    ("rightHand", kind(Touch::Hand, -1, false)),
    ("leftKnee", kind(Touch::Knee, 1, false)),
    ("rightKnee", kind(Touch::Knee, -1, false)),
    ("seat", kind(Touch::Seat, 0, false)),
    ("leftToeTip", kind(Touch::ToeTip, 1, false)),
    ("rightToeTip", kind(Touch::ToeTip, -1, false)),
    ("frontLeftToeTip", kind(Touch::ToeTip, 1, true)),
    ("frontRightToeTip", kind(Touch::ToeTip, -1, true)),
];

/// How many of [`POINTS`] can touch.
pub const TOUCHING: usize = 13;

impl PointKind {
    /// `leftHeel`, `frontRightToes`, `seat`; empty for what no body has (a left seat).
    pub fn name(self) -> &'static str {
        let found = POINTS.iter().find(|(_, kind)| *kind == self);
        found.map_or("", |(name, _)| name)
    }

    /// The point of this name, of those that can touch.
    pub fn parse(name: &str) -> Option<Self> {
        let found = POINTS[..TOUCHING].iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| *kind)
    }
}

impl ContactPoint {
    /// What it is.
    pub fn kind(&self) -> PointKind {
        kind(self.touch, self.side, self.front)
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_a_name_of_its_own() {
        for (index, (name, kind)) in POINTS.iter().enumerate() {
            assert_eq!(kind.name(), *name);
            let touches = kind.touch != Touch::ToeTip;
            assert_eq!(touches, index < TOUCHING);
            assert_eq!(PointKind::parse(name), touches.then_some(*kind));
        }
        assert_eq!(PointKind::parse("leftSeat"), None);
    }
}
