//! Which parts of a body are near its arms.

use super::{BodyArm, BodyStage};
use crate::stage::kinematics::Placed;
use glam::Vec3;
use rebone_model::HullPoint;

/// Arms that are further than this from the body are not looked at, in heights.
pub(super) const AWAY: f32 = 0.08;

/// Spheres around what may touch: blocks of the body, and parts of the arms.
pub(crate) struct Spheres {
    blocks: Vec<Sphere>,
    /// How many of these are of trunk and head; behind them come those of the legs.
    trunk: usize,
    arms: Vec<Sphere>,
    away: f32,
}

/// Around points that one joint moves most, in its axes.
struct Sphere {
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
    /// True where an arm may be in trunk or head, or in the legs as well.
    pub(crate) fn touch(&self, look: &[Placed], with_legs: bool) -> bool {
        let near = self.near(look, self.away);
        let count = if with_legs {
            self.blocks.len()
        } else {
            self.trunk
        };
        (0..count).any(near)
    }

    /// True for a block of the legs.
    pub(super) fn is_leg(&self, block: usize) -> bool {
        block >= self.trunk
    }

    /// Whether an arm is no further than this from a block, by its number.
    pub(super) fn near(&self, look: &[Placed], away: f32) -> impl Fn(usize) -> bool {
        let arms = self.arms.iter();
        let arms: Vec<(Vec3, f32)> = arms.map(|arm| (arm.place(look), arm.radius)).collect();
        move |block| {
            let block = &self.blocks[block];
            let place = block.place(look);
            arms.iter().any(|(arm, radius)| {
                let most = radius + block.radius + away;
                place.distance_squared(*arm) < most * most
            })
        }
    }
}

impl BodyStage {
    /// What tells in which frames arms are near the body.
    pub(crate) fn spheres(&self) -> Spheres {
        let blocks = self.solid.blocks.iter().chain(&self.legs.blocks);
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
            trunk: self.solid.blocks.len(),
            arms: arms.collect(),
            away: AWAY * self.height,
        }
    }
}
