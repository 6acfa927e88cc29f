//! Trunk and head as a solid: how deep a point is in the body.
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

use crate::mapping::RigMap;
use crate::profile::Part;
use glam::{Quat, Vec3};
use rebone_model::hull::{directions, slices};
use rebone_model::kinematics::model_pose;
use rebone_model::{Character, HullPoint};

/// How far behind a face another block must begin, as a share of the block's size.
const BEHIND: f32 = 0.05;

/// Trunk and head of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Solid {
    blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq)]
struct Block {
    joint: usize,
    faces: Vec<Face>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Face {
    /// In the axes of the block's joint, unit.
    normal: Vec3,
    point: HullPoint,
    is_outer: bool,
}

/// A [`Solid`] in a pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct PosedSolid {
    blocks: Vec<PosedBlock>,
}

#[derive(Clone, Debug)]
struct PosedBlock {
    centre: Vec3,
    radius: f32,
    /// Normals, distances from the origin, and which are outer ones.
    faces: Vec<(Vec3, f32, bool)>,
}

/// Points of a character's skin that joints of slots of these parts move most, joint by joint.
pub(crate) fn skin_of(character: &Character, map: &RigMap, parts: &[Part]) -> Vec<Vec<HullPoint>> {
    let slots = map.slots.iter();
    let of_parts = slots.filter(|(slot, _)| parts.contains(&map.profile.info(**slot).part));
    let joints = of_parts.flat_map(|(_, found)| found.joints.iter().copied());
    let points = |joint| {
        character
            .hull
            .iter()
            .filter(move |point| point.parts[0].joint == joint)
    };
    joints
        .map(|joint| points(joint).copied().collect())
        .collect()
}

impl Solid {
    /// Trunk and head of a character; `None` where they have no skin.
    pub(crate) fn new(character: &Character, map: &RigMap) -> Option<Self> {
        let parts = [Part::Hips, Part::Torso, Part::Neck, Part::Head];
        let mut blocks = Vec::new();
        for points in skin_of(character, map, &parts) {
            let slices = slices(&points);
            let neighbours = if slices.len() > 1 { 2 } else { 1 };
            let pairs = slices.windows(neighbours);
            blocks.extend(pairs.filter_map(|pair| Block::new(&pair.concat())));
        }
        let mut solid = Self { blocks };
        let skeleton = &character.skeleton;
        let rest = model_pose(skeleton, &skeleton.rest_pose());
        let posed = solid.posed(|joint| (rest.position(joint), rest.rotation(joint)));
        for (number, block) in solid.blocks.iter_mut().enumerate() {
            for (face, (normal, far, _)) in block.faces.iter_mut().zip(&posed.blocks[number].faces)
            {
                let PosedBlock { centre, radius, .. } = posed.blocks[number];
                let way = far - normal.dot(centre) + BEHIND * radius;
                let behind = centre + *normal * way;
                let others = posed.blocks.iter().enumerate();
                let mut others = others.filter(|(other, _)| *other != number);
                face.is_outer = !others.any(|(_, other)| other.depth(behind).is_some());
            }
        }
        (!solid.blocks.is_empty()).then_some(solid)
    }

    /// The joints that move it.
    pub(crate) fn joints(&self) -> impl Iterator<Item = usize> {
        let faces = self.blocks.iter().flat_map(|block| &block.faces);
        let of_points = faces.flat_map(|face| face.point.parts().map(|part| part.joint));
        of_points.chain(self.blocks.iter().map(|block| block.joint))
    }

    /// Where it is in a pose; `at` says where a joint is and how it is turned.
    pub(crate) fn posed(&self, at: impl Fn(usize) -> (Vec3, Quat)) -> PosedSolid {
        let block = |block: &Block| {
            let turn = at(block.joint).1;
            let points = block.faces.iter().map(|face| face.point.place(&at));
            let points: Vec<Vec3> = points.collect();
            let centre = points.iter().sum::<Vec3>() / points.len() as f32;
            let radius = points.iter().map(|point| point.distance(centre));
            let faces = block.faces.iter().zip(&points).map(|(face, point)| {
                let normal = turn * face.normal;
                (normal, normal.dot(*point), face.is_outer)
            });
            PosedBlock {
                centre,
                // Corners between the faces are further out than the points.
                radius: 1.5 * radius.fold(0.0, f32::max),
                faces: faces.collect(),
            }
        };
        PosedSolid {
            blocks: self.blocks.iter().map(block).collect(),
        }
    }
}

impl Block {
    fn new(points: &[HullPoint]) -> Option<Self> {
        let joint = points.first()?.parts[0].joint;
        let face = |normal: Vec3| {
            let far = |point: &&HullPoint| point.parts[0].place.dot(normal);
            let point = points.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?;
            Some(Face {
                normal,
                point: *point,
                is_outer: true,
            })
        };
        Some(Self {
            joint,
            faces: directions().filter_map(face).collect(),
        })
    }
}

impl PosedSolid {
    /// How deep a point is in the body; `None` outside.
    pub(crate) fn depth(&self, point: Vec3) -> Option<f32> {
        let depths = self.blocks.iter().filter_map(|block| block.depth(point));
        depths.reduce(f32::max)
    }
}

impl PosedBlock {
    fn depth(&self, point: Vec3) -> Option<f32> {
        if point.distance_squared(self.centre) > self.radius * self.radius {
            return None;
        }
        let mut least = [f32::INFINITY; 2];
        for (normal, far, is_outer) in &self.faces {
            let depth = far - normal.dot(point);
            if depth < 0.0 {
                return None;
            }
            let kind = usize::from(!is_outer);
            least[kind] = least[kind].min(depth);
        }
        let [outer, inner] = least;
        Some(if outer.is_finite() { outer } else { inner })
    }
}
