//! Which parts of a body are near its arms.

use super::{BodyArm, BodyStage};
use crate::runtime::stage::kinematics::Placed;
use glam::Vec3;
use rebone_model::HullPoint;

/// Arms that are further than this from the body are not looked at, in heights.
pub(super) const AWAY: f32 = 0.08;

/// Spheres around what may touch: blocks of the body, and parts of the arms.
pub(in crate::runtime) struct Spheres {
    pub(super) blocks: Vec<Sphere>,
    arms: Vec<Sphere>,
    away: f32,
}

/// Around points that one joint moves most, in its axes.
pub(super) struct Sphere {
    joint: usize,
    centre: Vec3,
    radius: f32,
}

impl Sphere {
    fn around<'a>(joint: usize, points: impl Iterator<Item = &'a HullPoint> + Clone) -> Self {
        let places = points.map(|point| point.parts[0].place);
        let (sum, count) = places
            .clone()
            .fold((Vec3::ZERO, 0.0), |(sum, count), place| {
                (sum + place, count + 1.0)
            });
        let centre = sum / f32::max(count, 1.0);
        let radius = places.map(|place| place.distance(centre));
        Self {
            joint,
            centre,
            radius: radius.fold(0.0, f32::max),
        }
    }

    fn place(&self, look: &[Placed]) -> Vec3 {
        look[self.joint].position() + look[self.joint].rotation * self.centre
    }
}

impl Spheres {
    /// True where an arm may touch the body.
    pub(in crate::runtime) fn touch(&self, look: &[Placed]) -> bool {
        let mut blocks = self.blocks.iter();
        blocks.any(|block| self.is_near(block, look, self.away))
    }

    /// True where an arm is no further than this from a block.
    pub(super) fn is_near(&self, block: &Sphere, look: &[Placed], away: f32) -> bool {
        let place = block.place(look);
        self.arms.iter().any(|arm| {
            let most = arm.radius + block.radius + away;
            place.distance_squared(arm.place(look)) < most * most
        })
    }
}

impl BodyStage {
    /// What tells in which frames arms are near the body.
    pub(in crate::runtime) fn spheres(&self) -> Spheres {
        let blocks = self.solid.blocks.iter();
        let blocks = blocks.map(|block| {
            let points = block.faces.iter().map(|face| &face.point);
            Sphere::around(block.joint, points)
        });
        let joints = |arm: &BodyArm| {
            let joints = arm.points.iter().map(|point| point.point.parts[0].joint);
            let mut joints: Vec<usize> = joints.collect();
            joints.dedup();
            joints
        };
        let of_arm = |arm| joints(arm).into_iter().map(move |joint| (arm, joint));
        let arms = self.arms.iter().flat_map(of_arm);
        let arms = arms.map(|(arm, joint)| {
            let points = arm.points.iter().map(|point| &point.point);
            let points = points.filter(|point| point.parts[0].joint == joint);
            Sphere::around(joint, points)
        });
        Spheres {
            blocks: blocks.collect(),
            arms: arms.collect(),
            away: AWAY * self.height,
        }
    }
}
