//! Points of a skin, eight at a time.

use crate::lanes::{Kernel, Lanes, Vectors, WIDTH, matrix_times};
use glam::{Affine3A, Mat3, Vec3};
use rebone_model::HullPoint;

/// Points of a skin, ready to be placed in many poses.
pub struct SkinLanes {
    parts: Vec<Part>,
    count: usize,
}

/// What a joint does with eight points, as [`HullPart`](rebone_model::HullPart) says.
struct Part {
    /// The number of the eight.
    eight: usize,
    joint: usize,
    weights: Lanes<WIDTH>,
    /// Times the weights.
    places: Vectors<WIDTH>,
}

/// Points, eight at a time; where there are fewer, the last one again.
#[derive(Clone, Debug, Default)]
pub struct PointLanes {
    eights: Vec<Vectors<WIDTH>>,
    count: usize,
}

impl SkinLanes {
    /// These points, in their order.
    pub fn new<'a>(points: impl IntoIterator<Item = &'a HullPoint>) -> Self {
        let points: Vec<&HullPoint> = points.into_iter().collect();
        let mut parts = Vec::new();
        for (number, eight) in points.chunks(WIDTH).enumerate() {
            add_parts(number, eight, &mut parts);
        }
        Self {
            parts,
            count: points.len(),
        }
    }

    /// Where they are in a pose: `at` says where a joint is and how it is turned, without its scale.
    pub fn placed(&self, at: impl Fn(usize) -> Affine3A) -> PointLanes {
        Place { points: self, at }.run_widest()
    }

    /// The same in a kernel, into zeros. Sums are in memory: in registers compilers would take coordinates for lanes.
    #[inline(always)]
    pub(super) fn place_into(
        &self,
        at: &impl Fn(usize) -> Affine3A,
        eights: &mut [Vectors<WIDTH>],
    ) {
        for part in &self.parts {
            let joint = at(part.joint);
            let turned = matrix_times(&joint.matrix3.into(), part.places);
            let moved = Vectors::splat(joint.translation.into()) * part.weights;
            let sum = &mut eights[part.eight];
            *sum = *sum + (turned + moved);
        }
    }
}

/// Adds what moves up to eight points.
fn add_parts(number: usize, points: &[&HullPoint], parts: &mut Vec<Part>) {
    let first = parts.len();
    for lane in 0..WIDTH {
        for own in points[lane.min(points.len() - 1)].parts() {
            let mut known = parts[first..].iter();
            let found = known.position(|part| part.joint == own.joint);
            let at = found.map_or(parts.len(), |found| first + found);
            if found.is_none() {
                parts.push(Part {
                    eight: number,
                    joint: own.joint,
                    weights: Lanes::ZERO,
                    places: Vectors::ZERO,
                });
            }
            let Part {
                weights, places, ..
            } = &mut parts[at];
            weights.0[lane] += own.weight;
            places.set_lane(lane, places.lane(lane) + own.place * own.weight);
        }
    }
}

struct Place<'a, At> {
    points: &'a SkinLanes,
    at: At,
}

impl<At: Fn(usize) -> Affine3A> Kernel for Place<'_, At> {
    type Output = PointLanes;

    #[inline(always)]
    fn run(self) -> PointLanes {
        let count = self.points.count;
        let mut eights = vec![Vectors::ZERO; count.div_ceil(WIDTH)];
        self.points.place_into(&self.at, &mut eights);
        PointLanes { eights, count }
    }
}

impl PointLanes {
    /// A single one.
    pub(super) fn one(point: Vec3) -> Self {
        Self {
            eights: vec![Vectors::splat(point)],
            count: 1,
        }
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    pub(super) fn eights(&self) -> &[Vectors<WIDTH>] {
        &self.eights
    }

    /// A point by its number.
    pub(super) fn point(&self, number: usize) -> Vec3 {
        self.eights[number / WIDTH].lane(number % WIDTH)
    }

    /// The same turned about `from`, which comes to `to`.
    pub(super) fn moved(&self, from: Vec3, turn: Mat3, to: Vec3) -> Self {
        Move {
            points: self,
            from,
            turn,
            to,
        }
        .run_widest()
    }

    /// Other points in their place, found one by one.
    pub(super) fn map(&self, other: impl Fn(usize, Vec3) -> Vec3) -> Self {
        let mut all = self.clone();
        // Lanes beyond the last point are that point again.
        for number in 0..all.eights.len() * WIDTH {
            let own = number.min(self.count - 1);
            let place = other(own, self.point(own));
            all.eights[number / WIDTH].set_lane(number % WIDTH, place);
        }
        all
    }

    /// The box around them: its least and its largest corner; infinite without points.
    #[inline(always)]
    pub fn bounds(&self) -> [Vec3; 2] {
        let none = [f32::INFINITY, f32::NEG_INFINITY];
        let mut bounds = none.map(|none| Vectors([Lanes::splat(none); 3]));
        for eight in &self.eights {
            for axis in 0..3 {
                bounds[0].0[axis] = bounds[0].0[axis].min(eight.0[axis]);
                bounds[1].0[axis] = bounds[1].0[axis].max(eight.0[axis]);
            }
        }
        let [low, high] = bounds;
        [
            Vec3::from(low.0.map(Lanes::smallest)),
            Vec3::from(high.0.map(Lanes::largest)),
        ]
    }
}

struct Move<'a> {
    points: &'a PointLanes,
    from: Vec3,
    turn: Mat3,
    to: Vec3,
}

impl Kernel for Move<'_> {
    type Output = PointLanes;

    #[inline(always)]
    fn run(self) -> PointLanes {
        let (from, to) = (Vectors::splat(self.from), Vectors::splat(self.to));
        let mut eights = Vec::with_capacity(self.points.eights.len());
        for eight in &self.points.eights {
            eights.push(matrix_times(&self.turn, *eight - from) + to);
        }
        PointLanes {
            eights,
            count: self.points.count,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use rebone_model::HullPart;

    /// Any number of points, moved by any of several joints, are where [`HullPoint::place`] has them, one by one.
    #[test]
    fn points_together_are_where_each_is_alone() {
        let at = |joint: usize| {
            let turn = Quat::from_rotation_x(0.7 * joint as f32) * Quat::from_rotation_z(0.3);
            Affine3A::from_rotation_translation(turn, Vec3::new(0.2, joint as f32, -0.4))
        };
        let point = |number: usize| {
            let mut parts = [HullPart::default(); 4];
            let (count, share) = (1 + number % 3, 1.0 + number as f32);
            for (part, own) in parts.iter_mut().take(count).enumerate() {
                *own = HullPart {
                    joint: (number + 2 * part) % 5,
                    weight: 1.0 / count as f32,
                    place: Vec3::new(0.1 * share, -0.3, 0.05 * part as f32),
                };
            }
            HullPoint { parts }
        };
        for count in [0, 1, 7, 8, 9, 21] {
            let points: Vec<HullPoint> = (0..count).map(point).collect();
            let placed = SkinLanes::new(&points).placed(at);
            assert_eq!(placed.count(), count);
            let (from, to) = (Vec3::X, Vec3::new(0.0, 2.0, 1.0));
            let turn = Mat3::from_rotation_y(0.9);
            let moved = placed.moved(from, turn, to);
            let [low, high] = placed.bounds();
            for (number, point) in points.iter().enumerate() {
                let alone = point.place(at);
                let together = placed.point(number);
                assert!(together.distance(alone) < 1e-5, "{count} {number}");
                let alone = turn * (alone - from) + to;
                assert!(moved.point(number).distance(alone) < 1e-5);
                assert!(low.cmple(together).all() && high.cmpge(together).all());
            }
        }
    }
}
