//! Lengths of a body, from which travel is scaled, and what its rest pose is.

use super::limbs::{ARM, LEG, SIDES, both, joint};
use super::placement::{Placement, lowest};
use super::reference::Reference;
use super::soles::{self, ByJoints, Found};
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use glam::DVec3;
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;
use rebone_model::{Character, Clip, JointKind};

/// Lengths in file units; poses do not matter for `leg` and `hip_width`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// ℓ: thigh + shin, mean of both legs. Of an animal the distance from hip to hind paw when standing:
    /// its legs are never straight, so the joints along the way are longer than any step tells.
    pub leg: f64,
    /// w: distance between the thigh joints.
    pub hip_width: f64,
    /// η: height of the ankle above the floor, the larger foot.
    pub ankle_height: f64,
    /// How that was found.
    pub ankle_found: Found,
    /// Height of the hips joint above the floor when standing.
    pub hips_height: f64,
    /// Height of the head joint above the floor when standing.
    pub head_height: f64,
    /// Height of the floor in the reference pose.
    pub floor: f64,
    /// Distance between the shoulder joints; 0 without any.
    pub shoulder_width: f64,
    /// Distance from shoulder to front paw when standing; 0 of bodies that do not stand on them.
    pub front_leg: f64,
    /// Vector from the hips joint to the middle of the thigh joints, canonical.
    pub thighs_from_hips: DVec3,
    /// From the lowest to the highest joint.
    pub height: f64,
}

/// Leg lengths of hip width that make strides longer, at most.
const WIDEST: f64 = 0.5;

impl Measures {
    /// ℓ + min(w, ℓ / 2): what strides go by. Hips wider than half a leg make no legs swing further.
    pub fn stride(&self) -> f64 {
        self.leg + self.hip_width.min(WIDEST * self.leg)
    }

    /// The same body in units of which `factor` are one.
    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self {
            leg: factor * self.leg,
            hip_width: factor * self.hip_width,
            ankle_height: factor * self.ankle_height,
            ankle_found: self.ankle_found,
            hips_height: factor * self.hips_height,
            head_height: factor * self.head_height,
            floor: factor * self.floor,
            shoulder_width: factor * self.shoulder_width,
            front_leg: factor * self.front_leg,
            thighs_from_hips: factor * self.thighs_from_hips,
            height: factor * self.height,
        }
    }
}

/// Legs further from vertical than this do not stand.
const STANDING_DEGREES: f64 = 10.0;

/// Which standing pose the reference pose is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestKind {
    /// Arms within 25 degrees of horizontal.
    TPose,
    /// Arms 25 to 65 degrees below horizontal.
    APose,
    /// Arms lower than that.
    ArmsDown,
    /// On four legs.
    FourLegged,
    /// Not a standing pose, or no arms.
    Unknown,
}

impl RestKind {
    /// `T`, `A`, `arms-down`, `four-legged`, `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TPose => "T",
            Self::APose => "A",
            Self::ArmsDown => "arms-down",
            Self::FourLegged => "four-legged",
            Self::Unknown => "unknown",
        }
    }
}

/// Measures a body in its reference pose.
pub(crate) fn measure(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    reference: &Reference,
) -> Measures {
    let body = Body {
        character,
        map,
        clips,
        reference,
    };
    let hips = body.at(Part::Hips, Side::Center).unwrap_or(DVec3::ZERO);
    let [lowest, highest] = body.lowest_and_highest();
    let height = (highest - lowest).max(1e-9);
    let by_joints = ByJoints {
        floor: floor_of_joints(lowest, height),
        lowest,
        leg: body.mean_length(LEG).unwrap_or(0.0),
    };
    let found = soles::floor(character, map, clips, reference, &by_joints);
    let floor = found.height;
    let ankle_height = body.ankle_height(floor);
    let leg = body.mean_length(LEG).unwrap_or_else(|| {
        if map.profile.stance == Stance::Free {
            // Without legs the size of the body is what tells how far it goes.
            extent(map, &reference.placements)
        } else {
            (hips.y - floor).max(0.0)
        }
    });
    let (hip_width, middle) = match body.both(Part::UpperLeg) {
        Some([left, right]) => (left.distance(right), (left + right) * 0.5),
        None => (0.0, hips),
    };
    let thighs_from_hips = middle - hips;
    let reach = if body.is_moment() {
        Some(leg)
    } else {
        reach_of_splayed(map, &reference.placements)
    };
    Measures {
        leg,
        hip_width,
        ankle_height,
        ankle_found: found.found,
        hips_height: reach.map_or(hips.y - floor, |reach| {
            reach + ankle_height - thighs_from_hips.y
        }),
        head_height: body
            .at(Part::Head, Side::Center)
            .map_or(height, |head| head.y - floor),
        floor,
        shoulder_width: body
            .both(Part::UpperArm)
            .map_or(0.0, |[left, right]| left.distance(right)),
        front_leg: body
            .mean_length(ARM)
            .filter(|_| body.is_level())
            .unwrap_or(0.0),
        thighs_from_hips,
        height,
    }
}

/// Height of the floor, going by the lowest joint and the height of the body. Joints lie inside the foot, and a rig without
/// toes ends at the ankle: a character whose lowest joint is about on the origin, or an ankle's height above it, stands on
/// the origin.
fn floor_of_joints(lowest: f64, height: f64) -> f64 {
    if (-0.05..0.14).contains(&(lowest / height)) {
        0.0
    } else {
        lowest
    }
}

/// A body in its reference pose.
struct Body<'a> {
    character: &'a Character,
    map: &'a RigMap,
    clips: &'a [&'a Clip],
    reference: &'a Reference,
}

impl Body<'_> {
    fn is_level(&self) -> bool {
        self.map.profile.stance == Stance::FourLegged
    }

    /// True if the body need not stand straight in the pose.
    fn is_moment(&self) -> bool {
        self.reference.moves || self.reference.correct_torso
    }

    fn at(&self, part: Part, side: Side) -> Option<DVec3> {
        joint(self.map, part, side).map(|joint| self.reference.placements[joint].position)
    }

    /// Places of both joints of a part, left and right.
    fn both(&self, part: Part) -> Option<[DVec3; 2]> {
        let joints = both(self.map, part)?;
        Some(joints.map(|joint| self.reference.placements[joint].position))
    }

    fn end_of_shin(&self, side: Side) -> Option<DVec3> {
        soles::end_of_shin(self.character, self.map, &self.reference.placements, side)
    }

    /// Length of a limb along its joints; of an animal, straight from its first joint to its last.
    fn length(&self, limb: [Part; 3], side: Side) -> Option<f64> {
        let [top, middle, end] = limb.map(|part| self.at(part, side));
        let end = end.or_else(|| {
            let is_leg = limb == LEG && !self.is_level();
            is_leg.then(|| self.end_of_shin(side))?
        });
        let (top, middle, end) = (top?, middle?, end?);
        Some(if self.is_level() {
            top.distance(end)
        } else {
            top.distance(middle) + middle.distance(end)
        })
    }

    /// Mean length of both limbs, or of the one that the rig has.
    fn mean_length(&self, limb: [Part; 3]) -> Option<f64> {
        let both: Vec<f64> = SIDES
            .into_iter()
            .filter_map(|side| self.length(limb, side))
            .collect();
        (!both.is_empty()).then(|| both.iter().sum::<f64>() / both.len() as f64)
    }

    /// Heights of the lowest and the highest point of the body: joints, their ends, and the ends of shins without feet.
    fn lowest_and_highest(&self) -> [f64; 2] {
        let mut lowest = f64::INFINITY;
        let mut highest = f64::NEG_INFINITY;
        for (index, joint) in self.character.skeleton.joints().iter().enumerate() {
            if joint.kind == JointKind::Ancestor || !below_body(self.character, self.map, index) {
                continue;
            }
            let placement = &self.reference.placements[index];
            let end = joint
                .end
                .map(|end| placement.position + placement.rotation * end.as_dvec3());
            for point in [Some(placement.position), end].into_iter().flatten() {
                lowest = lowest.min(point.y);
                highest = highest.max(point.y);
            }
        }
        if !self.is_level() {
            let ends = SIDES.into_iter().filter_map(|side| self.end_of_shin(side));
            lowest = ends.map(|end| end.y).fold(lowest, f64::min);
        }
        if lowest.is_finite() {
            [lowest, highest]
        } else {
            [0.0; 2]
        }
    }

    /// Height of the ankle above the floor, the larger foot.
    fn ankle_height(&self, floor: f64) -> f64 {
        let (character, reference) = (self.character, self.reference);
        if self.is_moment()
            && let Some(height) = soles::standing_ankle(character, self.map, self.clips, reference)
        {
            return height;
        }
        let heights = SIDES.into_iter().filter_map(|side| {
            let foot = self.map.joint_of(Part::Foot, side)?;
            Some(self.height_of_ankle(foot, floor))
        });
        heights.fold(0.0, f64::max)
    }

    fn height_of_ankle(&self, foot: usize, floor: f64) -> f64 {
        let (character, reference) = (self.character, self.reference);
        let ankle = reference.placements[foot].position.y;
        // In a motion a foot may be in the air; then it tells its height itself.
        let sole = reference
            .moves
            .then(|| lowest_of(character, &reference.placements, foot));
        ankle - sole.filter(|sole| *sole < ankle).unwrap_or(floor)
    }
}

/// Mean distance from thigh joint to ankle of an upright body whose legs stand apart or to the front and back in the
/// reference pose, further than [`STANDING_DEGREES`] from vertical: so high it stands when it stands. `None` where the
/// pose itself shows that.
fn reach_of_splayed(map: &RigMap, placements: &[Placement]) -> Option<f64> {
    if map.profile.stance != Stance::Upright {
        return None;
    }
    let [_, _, foot] = LEG;
    let mut legs = Vec::new();
    for side in SIDES {
        let [thigh, foot] = [LEG[0], foot].map(|part| joint(map, part, side));
        let way = placements[foot?].position - placements[thigh?].position;
        let length = way.length();
        (length > 0.0).then_some(())?;
        legs.push((
            length,
            (-way.y / length)
                .clamped(-1.0, 1.0)
                .arc_cosine()
                .to_degrees(),
        ));
    }
    let is_splayed = legs.iter().any(|(_, degrees)| *degrees > STANDING_DEGREES);
    is_splayed.then(|| legs.iter().map(|(length, _)| length).sum::<f64>() / legs.len() as f64)
}

/// Diagonal of the box around all mapped joints.
fn extent(map: &RigMap, placements: &[Placement]) -> f64 {
    let joints = || map.slots.values().flat_map(|found| &found.joints);
    let places = || joints().map(|&joint| placements[joint].position);
    let low = places().fold(DVec3::INFINITY, DVec3::min);
    let high = places().fold(DVec3::NEG_INFINITY, DVec3::max);
    if low.x > high.x {
        0.0
    } else {
        low.distance(high)
    }
}

/// Height of the lowest of a joint and those below it.
fn lowest_of(character: &Character, placements: &[Placement], joint: usize) -> f64 {
    let is_below = |other| other == joint || character.skeleton.is_ancestor(joint, other);
    lowest(character, placements, is_below).unwrap_or(f64::INFINITY)
}

/// True for the hips and everything that hangs from them, or from where the mapped legs hang: helper
/// joints beside the body do not tell its height. Without any slot every joint counts.
fn below_body(character: &Character, map: &RigMap, joint: usize) -> bool {
    let own = |candidate: usize| {
        map.slots
            .values()
            .any(|found| found.joints.contains(&candidate))
    };
    map.slots.is_empty() || own(joint) || character.skeleton.ancestors(joint).any(own)
}

pub(crate) fn rest_kind(map: &RigMap, placements: &[Placement]) -> RestKind {
    match map.profile.stance {
        Stance::Upright => {}
        Stance::FourLegged => return RestKind::FourLegged,
        Stance::Free => return RestKind::Unknown,
    }
    let mut angles = Vec::new();
    for side in SIDES {
        let [shoulder, elbow, hand] =
            ARM.map(|part| joint(map, part, side).map(|joint| placements[joint].position));
        let (Some(shoulder), Some(elbow)) = (shoulder, elbow) else {
            return RestKind::Unknown;
        };
        let Some(direction) = (hand.unwrap_or(elbow) - shoulder).try_normalize() else {
            return RestKind::Unknown;
        };
        angles.push((-direction.y).arc_sine().to_degrees());
    }
    let below = angles.iter().sum::<f64>() / angles.len() as f64;
    match below {
        below if below < -30.0 => RestKind::Unknown,
        below if below < 25.0 => RestKind::TPose,
        below if below < 65.0 => RestKind::APose,
        _ => RestKind::ArmsDown,
    }
}
