//! A solid in a pose: which points are in it, and how deep.

use super::skin::{PointLanes, SkinLanes};
use super::solid::{FACES, SolidBlock};
use crate::lanes::{Kernel, Lanes, Mask, Vectors, WIDTH, matrix_times};
use glam::{Affine3A, Mat3, Vec3};
use rebone_model::hull::DIRECTIONS;

/// How often eight points go into the faces of a block.
const EIGHTS: usize = FACES.div_ceil(WIDTH);

/// [`DIRECTIONS`], eight at a time.
const WAYS: [Vectors<WIDTH>; EIGHTS] = {
    let mut all = [Vectors::ZERO; EIGHTS];
    let mut face = 0;
    while face < FACES {
        let Vectors([x, y, z]) = &mut all[face / WIDTH];
        let (lane, way) = (face % WIDTH, DIRECTIONS[face]);
        x.0[lane] = way.x;
        y.0[lane] = way.y;
        z.0[lane] = way.z;
        face += 1;
    }
    all
};

/// A [`Solid`](super::Solid), ready to be posed many times.
pub struct SolidLanes {
    blocks: Vec<BlockLanes>,
}

struct BlockLanes {
    joint: usize,
    /// A point of each face.
    points: SkinLanes,
    is_outer: [bool; FACES],
}

/// A [`Solid`](super::Solid) in a pose.
#[derive(Clone, Debug, Default)]
pub struct PosedSolid {
    blocks: Vec<PosedBlock>,
}

/// A block in a pose.
#[derive(Clone, Debug)]
struct PosedBlock {
    centre: Vec3,
    radius: f32,
    /// The joint's axes from model space.
    axes: Mat3,
    /// How far each face is from the centre.
    far: [f32; FACES],
    is_outer: [bool; FACES],
}

impl SolidLanes {
    /// Lanes of these blocks.
    pub fn new<'a>(blocks: impl IntoIterator<Item = &'a SolidBlock>) -> Self {
        let block = |block: &SolidBlock| {
            let any_outer = block.faces.iter().any(|face| face.is_outer);
            let is_outer = |face: usize| !any_outer || block.faces[face].is_outer;
            BlockLanes {
                joint: block.joint,
                points: SkinLanes::new(block.faces.iter().map(|face| &face.point)),
                is_outer: std::array::from_fn(is_outer),
            }
        };
        Self {
            blocks: blocks.into_iter().map(block).collect(),
        }
    }

    /// Where it is in a pose, all faces moved outwards by `room`; `at` says where a joint is and how it is turned.
    pub fn posed(&self, at: impl Fn(usize) -> Affine3A, room: f32) -> PosedSolid {
        self.posed_where(|_| true, at, room)
    }

    /// The same of some blocks, by their numbers.
    pub(super) fn posed_where(
        &self,
        is_wanted: impl Fn(usize) -> bool,
        at: impl Fn(usize) -> Affine3A,
        room: f32,
    ) -> PosedSolid {
        let blocks = self.blocks.iter().enumerate();
        let wanted = blocks.filter(|(number, _)| is_wanted(*number));
        Pose {
            blocks: &wanted.map(|(_, block)| block).collect::<Vec<_>>(),
            at,
            room,
        }
        .run_widest()
    }
}

struct Pose<'a, At> {
    blocks: &'a [&'a BlockLanes],
    at: At,
    room: f32,
}

impl<At: Fn(usize) -> Affine3A> Kernel for Pose<'_, At> {
    type Output = PosedSolid;

    #[inline(always)]
    fn run(self) -> PosedSolid {
        let mut blocks = Vec::with_capacity(self.blocks.len());
        let mut places = vec![Vectors::ZERO; EIGHTS];
        for block in self.blocks {
            blocks.push(block.posed(&self.at, self.room, &mut places));
        }
        PosedSolid { blocks }
    }
}

impl BlockLanes {
    #[inline(always)]
    fn posed(
        &self,
        at: &impl Fn(usize) -> Affine3A,
        room: f32,
        places: &mut [Vectors<WIDTH>],
    ) -> PosedBlock {
        places.fill(Vectors::ZERO);
        self.points.place_into(at, places);
        let mut sum = Vectors::ZERO;
        for (number, eight) in places.iter().enumerate() {
            let lanes = FACES - WIDTH * number;
            let counts = Lanes(std::array::from_fn(|lane| f32::from(lane < lanes)));
            sum = sum + *eight * counts;
        }
        let centre = sum.sum(Lanes::splat(1.0 / FACES as f32));
        let axes = Mat3::from(at(self.joint).matrix3).transpose();
        let (mut far, mut radius) = ([0.0; FACES], Lanes::ZERO);
        for (number, eight) in places.iter().enumerate() {
            let from_centre = *eight - Vectors::splat(centre);
            radius = radius.max(from_centre.dot(from_centre));
            let along = matrix_times(&axes, from_centre).dot(WAYS[number]);
            let faces = &mut far[WIDTH * number..];
            for (far, along) in faces.iter_mut().zip(along.0) {
                *far = along + room;
            }
        }
        PosedBlock {
            centre,
            // Corners between the faces are further out than any skin.
            radius: 1.1 * (radius.largest().sqrt() + room),
            axes,
            far,
            is_outer: self.is_outer,
        }
    }
}

impl PosedSolid {
    /// How deep a point is in the body, and the way out; `None` outside.
    pub fn depth(&self, point: Vec3) -> Option<(f32, Vec3)> {
        let mut found = None;
        self.depths(&PointLanes::one(point), |_, depth, way| {
            found = Some((depth, way));
        });
        found
    }

    /// How deep each of some points is, as [`Self::depth`] says: `tell` is called for those that are inside.
    pub fn depths(&self, points: &PointLanes, mut tell: impl FnMut(usize, f32, Vec3)) {
        let near: Vec<&PosedBlock> = self.around(points, 0.0).collect();
        if near.is_empty() {
            return;
        }
        for (first, eight) in points.eights().iter().enumerate() {
            let deepest = Deepest {
                blocks: &near,
                points: eight,
            }
            .run_widest();
            for lane in 0..WIDTH.min(points.count() - first * WIDTH) {
                let depth = deepest.depth[lane];
                if depth > f32::NEG_INFINITY {
                    let way = near[deepest.block[lane] as usize].way_out(eight.lane(lane));
                    tell(first * WIDTH + lane, depth, way);
                }
            }
        }
    }

    /// True where one of some points is in the body, or no further away than this from a block's faces.
    pub(crate) fn is_near(&self, points: &PointLanes, away: f32) -> bool {
        let mut near = self.around(points, away);
        near.any(|block| {
            IsNear {
                block,
                points,
                away,
            }
            .run_widest()
        })
    }

    /// A point behind the middle of a face of a block, by such a share of the block's size.
    pub(super) fn behind(&self, block: usize, face: usize, share: f32) -> Vec3 {
        let block = &self.blocks[block];
        block.centre + block.normal(face) * (block.far[face] + share * block.radius)
    }

    /// How far it is from a place to where a way from there, unit, leaves the last block; `None` where it meets none.
    pub fn exit(&self, from: Vec3, way: Vec3) -> Option<f32> {
        let blocks = self.blocks.iter();
        let exits = blocks.filter_map(|block| block.exit(from, way));
        exits.reduce(f32::max)
    }

    /// True where a point is in a block.
    pub(super) fn is_in(&self, block: usize, point: Vec3) -> bool {
        let (inside, _) = self.blocks[block].look(&Vectors::splat(point), 0.0);
        inside.any()
    }

    /// Blocks whose spheres, so much larger, reach into the box around some points.
    fn around(&self, points: &PointLanes, away: f32) -> impl Iterator<Item = &PosedBlock> {
        let [low, high] = points.bounds();
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
            let is_deeper = inside & depth.cmpgt(found.depth);
            found.depth = Lanes::select(is_deeper, depth, found.depth);
            found.block = Lanes::select(is_deeper, Lanes::splat(number as f32), found.block);
        }
        found
    }
}

/// Asks whether one of some points is in a block, all its faces moved outwards.
struct IsNear<'a> {
    block: &'a PosedBlock,
    points: &'a PointLanes,
    away: f32,
}

impl Kernel for IsNear<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        for eight in self.points.eights() {
            if self.block.look(eight, self.away).0.any() {
                return true;
            }
        }
        false
    }
}

impl PosedBlock {
    /// Which points are in the block, all its faces moved outwards by `away`, and how far behind the outer face that is nearest.
    #[inline(always)]
    fn look(&self, points: &Vectors<WIDTH>, away: f32) -> (Mask<WIDTH>, Lanes<WIDTH>) {
        let from_centre = *points - Vectors::splat(self.centre);
        let radius = self.radius + away;
        let mut inside = from_centre
            .dot(from_centre)
            .cmple(Lanes::splat(radius * radius));
        let mut depth = Lanes::splat(f32::INFINITY);
        let own = matrix_times(&self.axes, from_centre);
        // Opposite faces are as far from the first and from the last. Most points are outside one of the first pairs.
        for (face, way) in DIRECTIONS.iter().enumerate().take(FACES / 2) {
            if !inside.any() {
                break;
            }
            let along = own.dot(Vectors::splat(*way));
            let (one, other) = (face, FACES - 1 - face);
            let least = Lanes::splat(-away);
            let one_behind = Lanes::splat(self.far[one]) - along;
            let other_behind = Lanes::splat(self.far[other]) + along;
            inside = inside & one_behind.cmpge(least) & other_behind.cmpge(least);
            if self.is_outer[one] {
                depth = depth.min(one_behind);
            }
            if self.is_outer[other] {
                depth = depth.min(other_behind);
            }
        }
        (inside, depth)
    }

    /// How far it is to where a way, unit, leaves this block; `None` where it misses it.
    fn exit(&self, from: Vec3, way: Vec3) -> Option<f32> {
        let (from, way) = (self.axes * (from - self.centre), self.axes * way);
        let (mut enter, mut exit) = (0.0_f32, f32::INFINITY);
        for (face, normal) in DIRECTIONS.iter().enumerate() {
            let (behind, speed) = (self.far[face] - normal.dot(from), normal.dot(way));
            if speed > 0.0 {
                exit = exit.min(behind / speed);
            } else if speed < 0.0 {
                enter = enter.max(behind / speed);
            } else if behind < 0.0 {
                return None;
            }
        }
        (exit > enter).then_some(exit)
    }

    /// The normal of the outer face to which a point is nearest.
    fn way_out(&self, point: Vec3) -> Vec3 {
        let own = self.axes * (point - self.centre);
        let (mut least, mut nearest) = (f32::INFINITY, 0);
        for (face, way) in DIRECTIONS.iter().enumerate() {
            let behind = self.far[face] - way.dot(own);
            if self.is_outer[face] && behind < least {
                (least, nearest) = (behind, face);
            }
        }
        self.normal(nearest)
    }

    fn normal(&self, face: usize) -> Vec3 {
        self.axes.transpose() * DIRECTIONS[face]
    }
}
