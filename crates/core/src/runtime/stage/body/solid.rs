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

use crate::lanes::{Kernel, Lanes, Mask, Vectors, WIDTH, run};
use glam::{Affine3A, Vec3};
use rebone_model::HullPoint;
use rebone_model::hull::DIRECTIONS;
#[cfg(feature = "author")]
use rebone_model::hull::slices;

/// How far behind a face another block must begin, as a share of the block's size.
#[cfg(feature = "author")]
const BEHIND: f32 = 0.05;

/// Trunk and head of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solid {
    /// What it is made of.
    pub blocks: Vec<SolidBlock>,
}

/// A convex part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolidBlock {
    /// The joint with which its faces turn.
    pub joint: usize,
    /// Its faces, one for each of [`DIRECTIONS`].
    pub faces: Vec<SolidFace>,
}

/// A face of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidFace {
    /// The point of the skin that it goes through.
    pub point: HullPoint,
    /// False where another block lies behind.
    pub is_outer: bool,
}

/// A [`Solid`] in a pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct PosedSolid {
    pub(super) blocks: Vec<PosedBlock>,
}

#[derive(Clone, Debug)]
pub(super) struct PosedBlock {
    centre: Vec3,
    radius: f32,
    normals: [Vec3; FACES],
    /// How far the faces are from the origin.
    far: [f32; FACES],
    /// The same of the outer ones, or of all where none is; the others are infinitely far.
    outer_far: [f32; FACES],
}

/// Faces of a block.
const FACES: usize = DIRECTIONS.len();

#[cfg(feature = "author")]
impl Solid {
    /// Where it is in a pose, all faces moved outwards by `room`; `at` says where a joint is and how it is turned.
    pub(crate) fn posed(&self, at: impl Fn(usize) -> Affine3A + Copy, room: f32) -> PosedSolid {
        let blocks = self.blocks.iter();
        PosedSolid {
            blocks: blocks.map(|block| block.posed(at, room)).collect(),
        }
    }

    /// Around points of the skin, joint by joint; `rest` says where a joint is in a pose in which nothing is where it should not be, and how
    /// it is turned. `None` where there are no points.
    pub(crate) fn new(
        skin: &[Vec<HullPoint>],
        rest: impl Fn(usize) -> Affine3A + Copy,
    ) -> Option<Self> {
        let mut blocks = Vec::new();
        for points in skin {
            let slices = slices(points);
            let neighbours = if slices.len() > 1 { 2 } else { 1 };
            let pairs = slices.windows(neighbours);
            blocks.extend(pairs.filter_map(|pair| SolidBlock::new(&pair.concat())));
        }
        let mut solid = Self { blocks };
        let posed = solid.posed(rest, 0.0);
        for (number, block) in solid.blocks.iter_mut().enumerate() {
            let own = &posed.blocks[number];
            let (centre, radius) = (own.centre, own.radius);
            for (lane, face) in block.faces.iter_mut().enumerate() {
                let (normal, far) = (own.normals[lane], own.far[lane]);
                let behind = centre + normal * (far - normal.dot(centre) + BEHIND * radius);
                let others = posed.blocks.iter().enumerate();
                let mut others = others.filter(|(other, _)| *other != number);
                face.is_outer = !others.any(|(_, other)| other.is_near(&[behind], 0.0));
            }
        }
        (!solid.blocks.is_empty()).then_some(solid)
    }

    /// The same, moved by other joints; `None` where one has no other.
    pub(crate) fn moved_by(mut self, other: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        for block in &mut self.blocks {
            block.joint = other(block.joint)?;
            for face in &mut block.faces {
                face.point = face.point.moved_by(&other)?;
            }
        }
        Some(self)
    }

    /// The joints that move it.
    pub(crate) fn joints(&self) -> impl Iterator<Item = usize> {
        let faces = self.blocks.iter().flat_map(|block| &block.faces);
        let of_points = faces.flat_map(|face| face.point.parts().map(|part| part.joint));
        of_points.chain(self.blocks.iter().map(|block| block.joint))
    }
}

impl SolidBlock {
    pub(super) fn posed(&self, at: impl Fn(usize) -> Affine3A + Copy, room: f32) -> PosedBlock {
        let joint = at(self.joint);
        let points = self.faces.iter().map(|face| face.point.place(at));
        let points: Vec<Vec3> = points.collect();
        let centre = points.iter().sum::<Vec3>() / points.len().max(1) as f32;
        let radius = points.iter().map(|point| point.distance_squared(centre));
        let radius = radius.fold(0.0, f32::max).sqrt();
        let normals = DIRECTIONS.map(|normal| joint.transform_vector3(normal));
        let far = |face: usize| {
            let point = points.get(face);
            point.map_or(f32::INFINITY, |point| normals[face].dot(*point) + room)
        };
        let is_any_outer = self.faces.iter().any(|face| face.is_outer);
        let is_outer = |face: usize| {
            let face = self.faces.get(face);
            !is_any_outer || face.is_some_and(|face| face.is_outer)
        };
        PosedBlock {
            centre,
            // Corners between the faces are further out than any skin.
            radius: 1.1 * (radius + room),
            normals,
            far: std::array::from_fn(far),
            outer_far: std::array::from_fn(|face| {
                if is_outer(face) {
                    far(face)
                } else {
                    f32::INFINITY
                }
            }),
        }
    }
}

#[cfg(feature = "author")]
impl SolidBlock {
    fn new(points: &[HullPoint]) -> Option<Self> {
        let joint = points.first()?.parts[0].joint;
        let face = |normal: Vec3| {
            let far = |point: &&HullPoint| point.parts[0].place.dot(normal);
            let point = points.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?;
            Some(SolidFace {
                point: *point,
                is_outer: true,
            })
        };
        Some(Self {
            joint,
            faces: DIRECTIONS.into_iter().filter_map(face).collect(),
        })
    }
}

impl PosedSolid {
    /// How deep a point is in the body, and the way out; `None` outside.
    #[cfg(feature = "author")]
    pub(crate) fn depth(&self, point: Vec3) -> Option<(f32, Vec3)> {
        let mut found = None;
        self.depths(&[point], |_, depth, way| found = Some((depth, way)));
        found
    }

    /// How deep each of some points is, as [`Self::depth`] says: `tell` is called for those that are inside.
    pub(crate) fn depths(&self, points: &[Vec3], mut tell: impl FnMut(usize, f32, Vec3)) {
        let near: Vec<&PosedBlock> = self.around(points, 0.0).collect();
        for (first, points) in points.chunks(WIDTH).enumerate() {
            let deepest = run(Deepest {
                blocks: &near,
                points: &gathered(points),
            });
            for (lane, point) in points.iter().enumerate() {
                let depth = deepest.depth[lane];
                if depth > f32::NEG_INFINITY {
                    let way = near[deepest.block[lane] as usize].way_out(*point);
                    tell(first * WIDTH + lane, depth, way);
                }
            }
        }
    }

    /// True where one of some points is in the body, or no further away than this from a block's faces.
    pub(crate) fn is_near(&self, points: &[Vec3], away: f32) -> bool {
        let mut near = self.around(points, away);
        near.any(|block| block.is_near(points, away))
    }

    /// Blocks whose spheres, so much larger, reach into the box around some points.
    fn around(&self, points: &[Vec3], away: f32) -> impl Iterator<Item = &PosedBlock> {
        let all = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let [low, high] = points.iter().fold(all, |[low, high], point| {
            [low.min(*point), high.max(*point)]
        });
        self.blocks.iter().filter(move |block| {
            let nearest = block.centre.max(low).min(high);
            let radius = block.radius + away;
            nearest.distance_squared(block.centre) <= radius * radius
        })
    }
}

/// Looks for the block in which each of some points is deepest.
struct Deepest<'a> {
    blocks: &'a [&'a PosedBlock],
    points: &'a Vectors<WIDTH>,
}

/// What [`Deepest`] finds.
struct Depths {
    /// How deep each point is; negative infinity outside of all blocks.
    depth: Lanes<WIDTH>,
    /// The number of its block.
    block: Lanes<WIDTH>,
}

impl Kernel for Deepest<'_> {
    type Output = Depths;

    #[inline(always)]
    fn run(self) -> Depths {
        let mut found = Depths {
            depth: Lanes::splat(f32::NEG_INFINITY),
            block: Lanes::ZERO,
        };
        for number in 0..self.blocks.len() {
            let (inside, depth) = self.blocks[number].look(self.points, 0.0);
            let is_finite = depth.cmplt(Lanes::splat(f32::INFINITY));
            let is_deeper = inside & is_finite & depth.cmpgt(found.depth);
            found.depth = Lanes::select(is_deeper, depth, found.depth);
            found.block = Lanes::select(is_deeper, Lanes::splat(number as f32), found.block);
        }
        found
    }
}

/// Asks whether one of some points is in a block, all its faces moved outwards.
struct IsNear<'a> {
    block: &'a PosedBlock,
    points: &'a Vectors<WIDTH>,
    away: f32,
}

impl Kernel for IsNear<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.block.look(self.points, self.away).0.any()
    }
}

/// At most [`WIDTH`] points; what is missing is the last one again. In a kernel, compilers would take the coordinates of a point for lanes,
/// and the search would take longer than point by point.
#[inline(never)]
fn gathered(points: &[Vec3]) -> Vectors<WIDTH> {
    Vectors::gather(std::array::from_fn::<_, WIDTH, _>(|lane| {
        points[lane.min(points.len() - 1)]
    }))
}

impl PosedBlock {
    /// True where one of some points is inside, all faces moved outwards by `away`.
    fn is_near(&self, points: &[Vec3], away: f32) -> bool {
        points.chunks(WIDTH).any(|points| {
            run(IsNear {
                block: self,
                points: &gathered(points),
                away,
            })
        })
    }

    /// Which points are in the block, all its faces moved outwards by `away`, and how far behind the outer face that is nearest.
    #[inline(always)]
    fn look(&self, points: &Vectors<WIDTH>, away: f32) -> (Mask<WIDTH>, Lanes<WIDTH>) {
        let from_centre = *points - Vectors::splat(self.centre);
        let radius = self.radius + away;
        let mut inside = from_centre
            .dot(from_centre)
            .cmple(Lanes::splat(radius * radius));
        let mut depth = Lanes::splat(f32::INFINITY);
        // Opposite faces are as far from the first and from the last. Most points are outside one of the first pairs.
        for face in 0..FACES / 2 {
            if !inside.any() {
                break;
            }
            let along = points.dot(Vectors::splat(self.normals[face]));
            let (one, other) = (face, FACES - 1 - face);
            let one_behind = Lanes::splat(self.far[one]) - along;
            let other_behind = Lanes::splat(self.far[other]) + along;
            let least = Lanes::splat(-away);
            inside = inside & one_behind.cmpge(least) & other_behind.cmpge(least);
            depth = depth
                .min(Lanes::splat(self.outer_far[one]) - along)
                .min(Lanes::splat(self.outer_far[other]) + along);
        }
        (inside, depth)
    }

    /// The normal of the outer face to which a point is nearest.
    fn way_out(&self, point: Vec3) -> Vec3 {
        let (mut least, mut nearest) = (f32::INFINITY, 0);
        for face in 0..FACES {
            let behind = self.outer_far[face] - self.normals[face].dot(point);
            if behind < least {
                (least, nearest) = (behind, face);
            }
        }
        self.normals[nearest]
    }
}

#[cfg(all(test, feature = "author"))]
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
        let posed = solid.posed(at(Quat::IDENTITY), 0.0);
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
        let wider = solid.posed(at(Quat::IDENTITY), 0.2);
        assert!(wider.depth(Vec3::new(1.1, 1.0, 0.0)).is_some());
        let turned = solid.posed(at(Quat::about_z(-1.0)), 0.0);
        assert_eq!(turned.depth(Vec3::new(-0.5, 4.5, 0.0)), None);
        assert!(turned.depth(Vec3::new(2.0, 3.2, 0.0)).is_some());
    }

    #[test]
    fn no_skin_is_no_body() {
        assert_eq!(Solid::new(&[], |_| Affine3A::IDENTITY), None);
        let one = Solid::new(&[points(0, [Vec3::X])], |_| Affine3A::IDENTITY);
        assert_eq!(
            one.unwrap()
                .posed(|_| Affine3A::IDENTITY, 0.0)
                .depth(Vec3::Y),
            None
        );
    }
}
