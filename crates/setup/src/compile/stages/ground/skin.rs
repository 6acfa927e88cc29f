//! The skin that may touch the floor, part by part.

use crate::align::limbs;
use crate::align::{Alignment, LimbEnd, Placement, in_pose, retarget_placements};
use crate::compile::{Mapped, NO_CALIBRATIONS};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use glam::{DVec3, Vec3};
use rebone_model::{Character, HullPart, HullPoint, furthest};
use rebone_runtime::stage::{GroundPart, Kinematics, MOST_JOINTS, SkinPoint};
use std::collections::BTreeSet;

/// Slices of what a joint moves, of each of which a part of the body has the points that stand out.
const SLICES: usize = 2;

/// Shares of a bone's length beyond which what goes with it is a sleeve or a skirt.
const PAST_END: f64 = 1.4;

/// Long parts that twist joints belong to.
const LIMBS: [Part; 4] = [
    Part::UpperArm,
    Part::LowerArm,
    Part::UpperLeg,
    Part::LowerLeg,
];

/// A part of the body that may touch the floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    Hips,
    Chest,
    Head,
    Knee(Side),
    Foot(Side),
    Elbow(Side),
    Hand(Side),
}

impl Region {
    /// How thick a body of no known skin is around the joint of a part, shares of its thickness.
    fn flesh(self) -> f64 {
        match self {
            Self::Hips => 0.6,
            Self::Chest | Self::Head => 0.65,
            Self::Knee(_) => 0.25,
            Self::Foot(_) | Self::Elbow(_) => 0.15,
            Self::Hand(_) => 0.12,
        }
    }
}

/// Tells of points of the skin of which part of the body they are.
struct Regions<'a> {
    side: &'a Mapped<'a>,
    alignment: &'a Alignment,
    places: &'a [Placement],
    chest: Option<usize>,
    hips: Option<usize>,
    /// Heights below which a trunk and a head have cloth and hair.
    middle_of_thighs: Option<f64>,
    chest_height: Option<f64>,
    /// Which joints are of the body.
    of_body: Vec<bool>,
}

impl<'a> Regions<'a> {
    fn new(
        side: &'a Mapped<'a>,
        alignment: &'a Alignment,
        places: &'a [Placement],
        chest: Option<usize>,
    ) -> Self {
        let height = |joint: usize| places[joint].position.y;
        let [thigh, knee] = [Part::UpperLeg, Part::LowerLeg]
            .map(|part| Some(height(limbs::joint(side.map, part, Side::Left)?)));
        Self {
            side,
            alignment,
            places,
            chest,
            hips: limbs::joint(side.map, Part::Hips, Side::Center),
            middle_of_thighs: thigh.zip(knee).map(|(thigh, knee)| 0.5 * (thigh + knee)),
            chest_height: chest.map(height),
            of_body: body_joints(side),
        }
    }

    /// The part of the body that a point is of; `None` of cloth, hair and what a hand holds.
    fn of(&self, point: &HullPoint) -> Option<Region> {
        let joint = point.parts[0].joint;
        let slot = self.alignment.slot_of_joint[joint]?;
        let info = self.side.map.profile.info(slot);
        // Other joints in an arm or a leg are twist joints.
        if !self.of_body[joint] && !LIMBS.contains(&info.part) {
            return None;
        }
        let place = in_pose(point, self.places);
        let hangs = |from: Option<f64>| from.is_some_and(|from| place.y < from);
        let side = info.side;
        let near_far = |next: Part, near: Region, far: Region| {
            let first = self.side.map.slots.get(&slot);
            let first = first.and_then(|found| found.joints.first().copied());
            let next = match next {
                Part::Foot => self.ankle(side),
                _ => limbs::joint(self.side.map, next, side).map(|joint| self.at(joint)),
            };
            match along(place, first.map(|joint| self.at(joint)), next) {
                ..0.5 => Some(near),
                ..PAST_END => Some(far),
                _ => None,
            }
        };
        match info.part {
            Part::Hips | Part::Torso | Part::Shoulder if hangs(self.middle_of_thighs) => None,
            Part::Hips => Some(Region::Hips),
            Part::Torso if self.is_low(place) => Some(Region::Hips),
            Part::Torso | Part::Shoulder => Some(Region::Chest),
            Part::Neck | Part::Head if hangs(self.chest_height) => None,
            Part::Neck | Part::Head => Some(Region::Head),
            Part::UpperArm => near_far(Part::LowerArm, Region::Chest, Region::Elbow(side)),
            Part::LowerArm => near_far(Part::Hand, Region::Elbow(side), Region::Hand(side)),
            Part::Hand | Part::Finger | Part::Thumb => Some(Region::Hand(side)),
            Part::UpperLeg => near_far(Part::LowerLeg, Region::Hips, Region::Knee(side)),
            Part::LowerLeg => near_far(Part::Foot, Region::Knee(side), Region::Foot(side)),
            Part::Foot | Part::Toes => Some(Region::Foot(side)),
            _ => None,
        }
    }

    /// True nearer to the hips than to the chest.
    fn is_low(&self, place: DVec3) -> bool {
        let [hips, chest] = [self.hips, self.chest].map(|joint| joint.map(|joint| self.at(joint)));
        along(place, hips, chest) < 0.5
    }

    fn at(&self, joint: usize) -> DVec3 {
        self.places[joint].position
    }

    fn ankle(&self, side: Side) -> Option<DVec3> {
        let Mapped { character, map, .. } = *self.side;
        let ankle = LimbEnd::new(character, map, self.places, Part::Foot, side)?;
        Some(ankle.at(self.places))
    }
}

/// How far a place is on the way from one place to another.
fn along(place: DVec3, from: Option<DVec3>, to: Option<DVec3>) -> f64 {
    let (Some(from), Some(to)) = (from, to) else {
        return 0.0;
    };
    let way = to - from;
    (place - from).dot(way) / way.length_squared().max(f64::MIN_POSITIVE)
}

/// The points of a character's skin that stand out, without cloth, hair and what it holds: what must not be in the floor.
pub fn body_skin(character: &Character, map: &RigMap, alignment: &Alignment) -> Vec<HullPoint> {
    let side = Mapped {
        character,
        map,
        meters_per_unit: 1.0,
        alignment,
        calibrations: &NO_CALIBRATIONS,
    };
    let places = retarget_placements(character, map, alignment);
    let regions = Regions::new(&side, alignment, &places, super::chest(&side));
    let points = character.hull.iter().copied();
    points.filter(|point| regions.of(point).is_some()).collect()
}

/// The points of a character's skin that stand out, of what its hands hold.
pub(crate) fn held_points<'a>(side: &Mapped<'a>, alignment: &Alignment) -> Vec<&'a HullPoint> {
    let of_body = body_joints(side);
    let is_held = |point: &&HullPoint| {
        let joint = point.parts[0].joint;
        let slot = alignment.slot_of_joint[joint];
        let part = slot.map(|slot| side.map.profile.info(slot).part);
        !of_body[joint] && matches!(part, Some(Part::Hand | Part::Finger | Part::Thumb))
    };
    side.character.hull.iter().filter(is_held).collect()
}

/// What is known of a body's skin.
pub(super) struct Skin<'a> {
    /// The points that stand out, each with the part that it is of.
    points: Vec<(Region, &'a HullPoint)>,
    /// The joints of fingers.
    fingers: BTreeSet<usize>,
}

impl<'a> Skin<'a> {
    pub(super) fn new(
        side: &Mapped<'a>,
        alignment: &Alignment,
        places: &[Placement],
        chest: Option<usize>,
    ) -> Self {
        let regions = Regions::new(side, alignment, places, chest);
        let points = side.character.hull.iter();
        let points = points.filter_map(|point| Some((regions.of(point)?, point)));
        let fingers = side.map.slots.iter().filter(|(slot, _)| {
            let part = side.map.profile.info(**slot).part;
            matches!(part, Part::Finger | Part::Thumb)
        });
        Self {
            points: points.collect(),
            fingers: fingers
                .flat_map(|(_, found)| found.joints.iter().copied())
                .collect(),
        }
    }

    /// The joints that move it.
    pub(super) fn joints(&self) -> impl Iterator<Item = usize> {
        let points = self.points.iter();
        points.flat_map(|(_, point)| point.parts().map(|part| part.joint))
    }

    /// A part around a joint, to which the joint `further` also belongs if the part has no skin; `thickness` is that of the body.
    pub(super) fn part(
        &self,
        region: Region,
        joint: usize,
        further: Option<usize>,
        joints: &Kinematics,
        thickness: f64,
    ) -> Option<GroundPart> {
        let place = joints.find(joint)?;
        let mut part = GroundPart {
            joint: place,
            ..GroundPart::default()
        };
        let own = self.points.iter().filter(|(of, _)| *of == region);
        let own: Vec<HullPoint> = own.map(|(_, point)| **point).collect();
        let by_joint = own.chunk_by(|one, other| one.parts[0].joint == other.parts[0].joint);
        let standing_out = |points: &[HullPoint]| {
            let is_of_finger = self.fingers.contains(&points[0].parts[0].joint);
            match is_of_finger {
                true => furthest_along_axes(points),
                false => furthest(points, SLICES),
            }
        };
        for point in by_joint.flat_map(standing_out) {
            if part.joints.len() + point.parts.len() > MOST_JOINTS {
                break;
            }
            let mut own = SkinPoint::default();
            for (own, of_hull) in own.parts.iter_mut().zip(point.parts()) {
                let joint = joints.find(of_hull.joint)?;
                let known = part.joints.iter().position(|known| *known == joint);
                let number = known.unwrap_or(part.joints.len());
                if known.is_none() {
                    part.joints.push(joint);
                }
                *own = (number, of_hull.weight, of_hull.place * of_hull.weight);
            }
            part.points.push(own);
        }
        if part.points.is_empty() {
            let further = further.and_then(|joint| joints.find(joint));
            let all = std::iter::once(place).chain(further);
            part = GroundPart::of_points(all.map(|joint| (joint, Vec3::ZERO)));
            part.flesh = (region.flesh() * thickness) as f32;
        }
        Some(part)
    }
}

/// Of points that one joint moves those that are furthest along its axes, as if it moved them alone: enough of something small.
fn furthest_along_axes(points: &[HullPoint]) -> Vec<HullPoint> {
    let ways = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| [axis, -axis]);
    let mut found: Vec<HullPoint> = Vec::new();
    for way in ways.as_flattened() {
        let far = |point: &HullPoint| point.parts[0].place.dot(*way);
        let furthest = points
            .iter()
            .max_by(|one, other| far(one).total_cmp(&far(other)));
        if let Some(mut point) = furthest.copied() {
            let [main, others @ ..] = &mut point.parts;
            main.weight = 1.0;
            others.fill(HullPart::default());
            if !found.contains(&point) {
                found.push(point);
            }
        }
    }
    found
}

/// Which joints are of the body: those of slots, and those between them.
fn body_joints(side: &Mapped<'_>) -> Vec<bool> {
    let skeleton = &side.character.skeleton;
    let mut is_body = vec![false; skeleton.len()];
    for joint in side.map.slots.values().flat_map(|found| &found.joints) {
        is_body[*joint] = true;
        skeleton
            .ancestors(*joint)
            .for_each(|above| is_body[above] = true);
    }
    is_body
}
