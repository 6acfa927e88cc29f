//! Points of a skin that stand out: what of a body touches a floor first.

use glam::{Affine3A, Vec3, Vec3A};

/// A point of the skin. Where it is in a pose: the sum of what its parts say, each `weight` times the place of the joint and `place`
/// turned as the joint is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullPoint {
    /// What moves it, the strongest first; unused ones have no weight.
    pub parts: [HullPart; 4],
}

/// What a joint does with a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HullPart {
    /// The joint.
    pub joint: usize,
    /// How much, 0 to 1.
    pub weight: f32,
    /// Where the point is from the joint: in its axes in the bind pose, metres; the joint's scale is in it.
    pub place: Vec3,
}

#[cfg(feature = "serde")]
impl serde::Serialize for HullPoint {
    fn serialize<S: serde::Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        let used: Vec<&HullPart> = self.parts().collect();
        used.serialize(writer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for HullPoint {
    fn deserialize<D: serde::Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        let used = Vec::<HullPart>::deserialize(reader)?;
        let mut parts = [HullPart::default(); 4];
        match parts.get_mut(..used.len()) {
            Some(own) if !used.is_empty() => own.copy_from_slice(&used),
            _ => {
                return Err(serde::de::Error::custom(
                    "a point of the skin moves with no joint, or too many",
                ));
            }
        }
        Ok(Self { parts })
    }
}

impl HullPoint {
    /// The parts that are used.
    pub fn parts(&self) -> impl Iterator<Item = &HullPart> {
        self.parts.iter().filter(|part| part.weight > 0.0)
    }

    /// The same point, moved by other joints; `None` where one has no other.
    pub fn moved_by(&self, other: impl Fn(usize) -> Option<usize>) -> Option<Self> {
        let mut point = *self;
        for part in point.parts.iter_mut().filter(|part| part.weight > 0.0) {
            part.joint = other(part.joint)?;
        }
        Some(point)
    }

    /// Where it is in a pose: `at` says where a joint is and how it is turned, without its scale.
    pub fn place(&self, at: impl Fn(usize) -> Affine3A) -> Vec3 {
        let part = |part: &HullPart| {
            let place = at(part.joint).transform_point3a(part.place.into());
            place * part.weight
        };
        self.parts().map(part).sum::<Vec3A>().into()
    }
}

/// The directions in which points stand out: faces, edges and corners of a cube.
pub const DIRECTIONS: [Vec3; 26] = cube();

const fn cube() -> [Vec3; 26] {
    /// One over the length of a way along one, two or three axes.
    const SHARES: [f32; 3] = [1.0, std::f32::consts::FRAC_1_SQRT_2, 0.577_350_26];
    let mut all = [Vec3::ZERO; 26];
    let (mut at, mut number) = (0, 0);
    while number < 27 {
        let steps = [number / 9 - 1, number / 3 % 3 - 1, number % 3 - 1];
        let axes = steps[0] * steps[0] + steps[1] * steps[1] + steps[2] * steps[2];
        if axes > 0 {
            let share = SHARES[axes as usize - 1];
            let [x, y, z] = steps;
            all[at] = Vec3::new(x as f32 * share, y as f32 * share, z as f32 * share);
            at += 1;
        }
        number += 1;
    }
    all
}

/// Slices of what a joint moves.
pub(crate) const SLICES: usize = 4;

/// Of points that one joint moves most those that are furthest in one of 26 directions, in each of so many slices across the longest side.
pub fn furthest(points: &[HullPoint], slices: usize) -> Vec<HullPoint> {
    furthest_by(points, slices, |point| point.parts[0].place)
}

/// Points that one joint moves most, in quarters across the longest side; quarters without a point are left out.
pub fn slices(points: &[HullPoint]) -> Vec<Vec<HullPoint>> {
    let mut all = vec![Vec::new(); SLICES];
    let place = |point: &HullPoint| point.parts[0].place;
    let slice_of = slicing(points.iter().map(place), SLICES);
    for point in points {
        all[slice_of(place(point))].push(*point);
    }
    all.retain(|slice| !slice.is_empty());
    all
}

/// In which of so many slices across the longest side of all points one is.
fn slicing(points: impl Iterator<Item = Vec3>, slices: usize) -> impl Fn(Vec3) -> usize {
    let all = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    let [low, high] = points.fold(all, |[low, high], point| [low.min(point), high.max(point)]);
    let size = high - low;
    let axis = size.max_position();
    move |point| {
        let share = (point - low)[axis] / size[axis].max(f32::MIN_POSITIVE);
        ((share * slices as f32) as usize).min(slices - 1)
    }
}

pub(crate) fn furthest_by<T: Copy>(
    points: &[T],
    slices: usize,
    place: impl Fn(&T) -> Vec3,
) -> Vec<T> {
    let places = || points.iter().map(&place);
    let slice_of = slicing(places(), slices);
    let mut best: Vec<Option<(f32, usize)>> = vec![None; slices * DIRECTIONS.len()];
    for (index, place) in places().enumerate() {
        let own = best[slice_of(place) * DIRECTIONS.len()..].iter_mut();
        for (best, way) in own.zip(&DIRECTIONS) {
            let far = place.dot(*way);
            if best.is_none_or(|(most, _)| far > most) {
                *best = Some((far, index));
            }
        }
    }
    let mut found: Vec<usize> = best.into_iter().flatten().map(|(_, index)| index).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|index| points[index]).collect()
}
