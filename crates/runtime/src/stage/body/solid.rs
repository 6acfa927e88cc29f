//! Trunk and head, or legs, as a solid: how deep a point is in the body.
//!
//! ```text
//! block  = { x : nᵢ · x ≤ hᵢ },   hᵢ = nᵢ · pᵢ                     around the points of the skin that stand out
//! depth  = max over blocks around x of min over outer faces of  hᵢ − nᵢ · x
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | nᵢ | one of 26 directions in the axes of the joint that moves the block |
//! | pᵢ | the point of the block's skin that is furthest in that direction at rest; it moves as its skin does |
//!
//! What a joint moves is cut into slices, and each block is two neighbouring slices, so that blocks overlap where no vertex is between. A face
//! behind which another block lies is an inner one: it bounds its block, but nothing leaves the body through it.
//!
//! Degenerate cases: joints without skin have no block; a body without skin has no solid.
use super::posed::SolidLanes;
use crate::check::{Checked, within};
use glam::{Affine3A, Vec3};
use rebone_model::HullPoint;
use rebone_model::hull::DIRECTIONS;
use rebone_model::hull::slices;
use serde::{Deserialize, Serialize};

/// How far behind a face another block must begin, as a share of the block's size.
const BEHIND: f32 = 0.05;

/// Trunk and head of a body, or its legs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SharedSolid", into = "SharedSolid")]
pub struct Solid {
    /// What it is made of.
    pub blocks: Vec<SolidBlock>,
}

/// A solid as it is written: neighbouring blocks share their points.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SharedSolid {
    points: Vec<HullPoint>,
    /// The joint of each block, and of each face the place of its point and whether it is outer.
    blocks: Vec<(usize, [(usize, bool); FACES])>,
}

impl From<Solid> for SharedSolid {
    fn from(solid: Solid) -> Self {
        let mut points: Vec<HullPoint> = Vec::new();
        let mut place = |face: SolidFace| {
            let known = points.iter().position(|point| *point == face.point);
            let place = known.unwrap_or_else(|| {
                points.push(face.point);
                points.len() - 1
            });
            (place, face.is_outer)
        };
        let blocks = solid.blocks.into_iter();
        let blocks = blocks
            .map(|block| (block.joint, block.faces.map(&mut place)))
            .collect();
        Self { points, blocks }
    }
}

impl TryFrom<SharedSolid> for Solid {
    type Error = &'static str;

    fn try_from(shared: SharedSolid) -> Result<Self, Self::Error> {
        let SharedSolid { points, blocks } = shared;
        let places = blocks.iter().flat_map(|(_, faces)| faces);
        within(places.map(|(place, _)| *place), points.len())?;
        let face = |(place, is_outer): (usize, bool)| SolidFace {
            point: points[place],
            is_outer,
        };
        let blocks = blocks.into_iter();
        let block = |(joint, faces): (usize, [(usize, bool); FACES])| SolidBlock {
            joint,
            faces: faces.map(face),
        };
        Ok(Self {
            blocks: blocks.map(block).collect(),
        })
    }
}

impl Solid {
    /// `joints` is how many are looked at.
    pub(super) fn check(&self, joints: usize) -> Checked {
        for block in &self.blocks {
            let parts = block.faces.iter().flat_map(|face| face.point.parts);
            within(parts.map(|part| part.joint).chain([block.joint]), joints)?;
        }
        Ok(())
    }
}

/// A convex part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidBlock {
    /// The joint with which its faces turn.
    pub joint: usize,
    /// Its faces, one for each of [`DIRECTIONS`].
    pub faces: [SolidFace; FACES],
}

/// A face of a block.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolidFace {
    /// The point of the skin that it goes through.
    pub point: HullPoint,
    /// False where another block lies behind.
    pub is_outer: bool,
}

/// Faces of a block.
pub(super) const FACES: usize = DIRECTIONS.len();
impl Solid {
    /// Around points of the skin, joint by joint; `rest` says where a joint is in a pose in which nothing is where it should not be, and how
    /// it is turned. `None` where there are no points.
    pub fn new(skin: &[Vec<HullPoint>], rest: impl Fn(usize) -> Affine3A + Copy) -> Option<Self> {
        let mut blocks = Vec::new();
        for points in skin {
            let slices = slices(points);
            let neighbours = if slices.len() > 1 { 2 } else { 1 };
            let pairs = slices.windows(neighbours);
            blocks.extend(pairs.filter_map(|pair| SolidBlock::new(&pair.concat())));
        }
        let mut solid = Self { blocks };
        let posed = SolidLanes::new(&solid.blocks).posed(rest, 0.0);
        let count = solid.blocks.len();
        for (number, block) in solid.blocks.iter_mut().enumerate() {
            for (side, face) in block.faces.iter_mut().enumerate() {
                let behind = posed.behind(number, side, BEHIND);
                let mut others = (0..count).filter(|other| *other != number);
                face.is_outer = !others.any(|other| posed.is_in(other, behind));
            }
        }
        (!solid.blocks.is_empty()).then_some(solid)
    }

    /// The same, moved by other joints; `None` where one has no other.
    pub fn moved_by(mut self, other: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        for block in &mut self.blocks {
            block.joint = other(block.joint)?;
            for face in &mut block.faces {
                face.point = face.point.moved_by(&other)?;
            }
        }
        Some(self)
    }

    /// The joints that move it.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        let faces = self.blocks.iter().flat_map(|block| &block.faces);
        let of_points = faces.flat_map(|face| face.point.parts().map(|part| part.joint));
        of_points.chain(self.blocks.iter().map(|block| block.joint))
    }
}
impl SolidBlock {
    fn new(points: &[HullPoint]) -> Option<Self> {
        let joint = points.first()?.parts[0].joint;
        let face = |normal: Vec3| {
            let far = |point: &HullPoint| point.parts[0].place.dot(normal);
            let further = |one, other| if far(&other) >= far(&one) { other } else { one };
            SolidFace {
                point: points.iter().copied().fold(points[0], further),
                is_outer: true,
            }
        };
        Some(Self {
            joint,
            faces: DIRECTIONS.map(face),
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use glam::Quat;
    use rebone_model::HullPart;
    use rebone_model::elementary::Turn as _;

    /// Points of a joint at these places.
    pub(in super::super) fn points(
        joint: usize,
        places: impl IntoIterator<Item = Vec3>,
    ) -> Vec<HullPoint> {
        let point = |place| {
            let mut point = HullPoint {
                parts: [HullPart::default(); 4],
            };
            point.parts[0] = HullPart {
                joint,
                weight: 1.0,
                place,
            };
            point
        };
        places.into_iter().map(point).collect()
    }

    /// The corners of a box that is 2 wide and deep, and stands on the joint.
    fn corners(height: f32) -> impl Iterator<Item = Vec3> {
        (0..8).map(move |at| {
            let sign = |bit: i32| 1.0 - 2.0 * (at >> bit & 1) as f32;
            Vec3::new(sign(0), height * (at >> 2 & 1) as f32, sign(1))
        })
    }

    /// Two boxes that overlap, one on the other: nothing leaves the lower one upwards, and the upper one turns with its joint.
    #[test]
    fn boxes_are_one_body() {
        let skin = [points(0, corners(3.0)), points(1, corners(3.0))];
        let at = |turn: Quat| {
            move |joint: usize| match joint {
                0 => Affine3A::IDENTITY,
                _ => Affine3A::from_rotation_translation(turn, Vec3::Y * 2.0),
            }
        };
        let solid = Solid::new(&skin, at(Quat::IDENTITY)).unwrap();
        let lanes = SolidLanes::new(&solid.blocks);
        let posed = lanes.posed(at(Quat::IDENTITY), 0.0);
        let near = |place: Vec3, depth: f32, way: Vec3| {
            let found = posed.depth(place).unwrap();
            assert!((found.0 - depth).abs() < 1e-5, "{place}: {found:?}");
            assert!(found.1.distance(way) < 1e-5, "{place}: {found:?}");
        };
        near(Vec3::new(0.8, 1.0, 0.0), 0.2, Vec3::X);
        near(Vec3::new(0.0, 1.99, -0.6), 0.4, Vec3::NEG_Z);
        near(Vec3::new(0.0, 2.6, 0.5), 0.5, Vec3::Z);
        near(Vec3::new(0.0, 4.9, 0.0), 0.1, Vec3::Y);
        near(Vec3::new(0.0, 0.1, 0.0), 0.1, Vec3::NEG_Y);
        for outside in [Vec3::X * 1.1, Vec3::Y * 5.1, Vec3::new(0.0, -0.1, 0.0)] {
            assert_eq!(posed.depth(outside), None, "{outside}");
        }
        let wider = lanes.posed(at(Quat::IDENTITY), 0.2);
        assert!(wider.depth(Vec3::new(1.1, 1.0, 0.0)).is_some());
        let turned = lanes.posed(at(Quat::about_z(-1.0)), 0.0);
        assert_eq!(turned.depth(Vec3::new(-0.5, 4.5, 0.0)), None);
        assert!(turned.depth(Vec3::new(2.0, 3.2, 0.0)).is_some());
    }

    #[test]
    fn no_skin_is_no_body() {
        assert_eq!(Solid::new(&[], |_| Affine3A::IDENTITY), None);
        let one = Solid::new(&[points(0, [Vec3::X])], |_| Affine3A::IDENTITY);
        let one = SolidLanes::new(&one.unwrap().blocks).posed(|_| Affine3A::IDENTITY, 0.0);
        assert_eq!(one.depth(Vec3::Y), None);
    }
}
