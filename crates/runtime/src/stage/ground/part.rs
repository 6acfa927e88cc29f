//! Parts of a body that may touch the floor.

use crate::check::{Checked, ensure, within};
use crate::stage::View;
use crate::stage::kinematics::Placed;
use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

/// No part has points that more joints move.
pub const MOST_JOINTS: usize = 24;

/// A part of a body that may touch the floor: points of its skin that stand out, or points within a body of no known skin.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GroundPart {
    /// Its joint, a place among those looked at.
    pub joint: usize,
    /// The joints that move its points, likewise, at most [`MOST_JOINTS`].
    pub joints: Vec<usize>,
    /// At least one.
    pub points: Vec<SkinPoint>,
    /// How thick the body is around the points; 0 where they are of the skin.
    pub flesh: f32,
}

/// A point of the skin: it is where its joints say, each with its weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<(usize, f32, Vec3)>", into = "Vec<(usize, f32, Vec3)>")]
pub struct SkinPoint {
    /// A place in [`GroundPart::joints`], a weight, and where the point is from there in the joint's axes, times the weight. The first
    /// without a weight ends them.
    pub parts: [(usize, f32, Vec3); 4],
}

impl From<SkinPoint> for Vec<(usize, f32, Vec3)> {
    fn from(point: SkinPoint) -> Self {
        point.parts().copied().collect()
    }
}

impl TryFrom<Vec<(usize, f32, Vec3)>> for SkinPoint {
    type Error = &'static str;

    fn try_from(parts: Vec<(usize, f32, Vec3)>) -> Result<Self, Self::Error> {
        let mut point = Self::default();
        match point.parts.get_mut(..parts.len()) {
            Some(own) if !parts.is_empty() => own.copy_from_slice(&parts),
            _ => return Err("a point of the skin moves with no joint, or too many"),
        }
        Ok(point)
    }
}

impl SkinPoint {
    /// The parts that are used.
    pub fn parts(&self) -> impl Iterator<Item = &(usize, f32, Vec3)> {
        self.parts.iter().take_while(|part| part.1 > 0.0)
    }
}

impl GroundPart {
    /// `joints` is how many are looked at.
    pub(super) fn check(&self, joints: usize) -> Checked {
        within(self.joints.iter().copied().chain([self.joint]), joints)?;
        let parts = self.points.iter().flat_map(SkinPoint::parts);
        within(parts.map(|part| part.0), self.joints.len())?;
        ensure(
            !self.points.is_empty() && self.joints.len() <= MOST_JOINTS,
            "a part of a body touches the floor with no point, or too many joints",
        )
    }
}

impl GroundPart {
    /// A joint and no flesh around it.
    pub fn of_joint(joint: usize) -> Self {
        Self::of_points([(joint, Vec3::ZERO)])
    }

    /// Points, each in the axes of a joint; the first joint is that of the part.
    pub fn of_points(points: impl IntoIterator<Item = (usize, Vec3)>) -> Self {
        let mut part = Self::default();
        for (number, (joint, place)) in points.into_iter().take(MOST_JOINTS).enumerate() {
            part.joints.push(joint);
            let mut point = SkinPoint::default();
            point.parts[0] = (number, 1.0, place);
            part.points.push(point);
        }
        part.joint = part.joints.first().copied().unwrap_or_default();
        part
    }

    /// Height of the lowest of it, where joints are placed and turned like this.
    fn lowest(&self, up: Vec3, placed: impl Fn(usize) -> (Vec3, Quat)) -> f32 {
        // How high each joint is, and up in its axes.
        let mut of_joints = [(0.0, Vec3::ZERO); MOST_JOINTS];
        for (of_joint, &joint) in of_joints.iter_mut().zip(&self.joints) {
            let (position, rotation) = placed(joint);
            *of_joint = (position.dot(up), rotation.conjugate() * up);
        }
        let height = |point: &SkinPoint| {
            let parts = point.parts().map(|&(number, weight, place)| {
                let (height, up) = of_joints[number];
                weight * height + place.dot(up)
            });
            parts.sum::<f32>()
        };
        self.points.iter().map(height).fold(f32::INFINITY, f32::min) - self.flesh
    }

    /// Height of the lowest of a part of the source.
    pub(super) fn of_source(&self, up: Vec3, source: &View<'_>) -> f32 {
        self.lowest(up, |joint| (source.position(joint), source.rotation(joint)))
    }

    /// Height of the lowest of a part of the target.
    pub(super) fn of_target(&self, up: Vec3, target: &[Placed]) -> f32 {
        self.lowest(up, |joint| {
            (target[joint].position(), target[joint].rotation)
        })
    }
}
