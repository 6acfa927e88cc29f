//! The points of a body that can touch something.

use crate::check::{Checked, Sizes, ensure, within};
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// What touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Touch {
    /// The sole below the ankle; of an animal the paw.
    Heel,
    /// The sole below the joint of the toes: the ball of the foot, or an animal's toes.
    Toes,
    /// The wrist of an upright body.
    Hand,
    /// The knee.
    Knee,
    /// The hips.
    Seat,
    /// The tip of the toes: never touches, but is looked at for depth.
    ToeTip,
}

/// One point, fixed to a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactPoint {
    /// What touches.
    pub touch: Touch,
    /// +1 left, -1 right, 0 in the middle.
    pub side: i8,
    /// True for the front legs of a four-legged body.
    pub front: bool,
    /// The joint.
    pub joint: usize,
    /// Where the point is in the joint's axes, file units: on the floor when the body stands, for heels and toes; the
    /// joint itself for the others.
    pub offset: Vec3,
}

/// The points of one character, and what their heights are measured against.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactPoints {
    /// Each point once: feet before hands before knees before the seat, left before right.
    pub points: Vec<ContactPoint>,
    /// The hips, which show whether the body flies. `None` without.
    pub hips: Option<usize>,
    /// Turns the file's space to canonical space.
    pub canonical_from_file: Quat,
    /// Length of a leg, file units.
    pub leg: f32,
    /// Height of the floor in the motions as far as known beforehand, canonical, file units.
    pub floor: f32,
    /// How far from there the main floor of a clip may be, file units; infinite where nothing shows the floor.
    #[serde(with = "finite_or_none")]
    pub floor_within: f32,
}

impl ContactPoints {
    /// The joints that carry a point, and the hips.
    pub fn joints(&self) -> impl Iterator<Item = usize> + '_ {
        let ends = self.points.iter().map(|point| point.joint);
        ends.chain(self.hips)
    }

    /// The number of a point.
    pub fn find(&self, touch: Touch, side: i8, front: bool) -> Option<usize> {
        let mut points = self.points.iter();
        points.position(|point| (point.touch, point.side, point.front) == (touch, side, front))
    }
}

impl ContactPoints {
    pub(crate) fn check(&self, sizes: Sizes) -> Checked {
        let joints = self.points.iter().map(|point| point.joint);
        within(joints.chain(self.hips), sizes.source)?;
        let is_side = |point: &ContactPoint| (-1..=1).contains(&point.side);
        ensure(
            self.points.iter().all(is_side),
            "a point that touches is on no side",
        )
    }
}

/// A number that may be infinite, as `None` where it is.
mod finite_or_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &f32, writer: S) -> Result<S::Ok, S::Error> {
        let number = Some(number).filter(|number| number.is_finite());
        number.serialize(writer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(reader: D) -> Result<f32, D::Error> {
        let number = Option::<f32>::deserialize(reader)?;
        Ok(number.unwrap_or(f32::INFINITY))
    }
}
