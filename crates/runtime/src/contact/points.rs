//! The points of a body that can touch something.

use glam::{Quat, Vec3};

/// What touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Clone, Copy, Debug, PartialEq)]
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
#[derive(Clone, Debug, Default, PartialEq)]
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
