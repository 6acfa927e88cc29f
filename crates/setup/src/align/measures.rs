//! Lengths of a body, from which travel is scaled, and what its rest pose is.

use super::limbs::{ARM, LEG, SIDES, joint};
use super::placement::{Placement, lowest};
use super::reference::Reference;
use super::soles::{self, Found};
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

pub(crate) fn measure(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    reference: &Reference,
) -> Measures {
    let placements = &reference.placements;
    let at =
        |part: Part, side: Side| joint(map, part, side).map(|joint| placements[joint].position);
    let is_level = map.profile.stance == Stance::FourLegged;
    let length = |limb: [Part; 3], side: Side| {
        let [top, middle, end] = limb.map(|part| at(part, side));
        let end = end.or_else(|| {
            let is_leg = limb == LEG && !is_level;
            is_leg.then(|| soles::end_of_shin(character, map, placements, side))?
        });
        let (top, middle, end) = (top?, middle?, end?);
        Some(if is_level {
            top.distance(end)
        } else {
            top.distance(middle) + middle.distance(end)
        })
    };
    let mean = |limb: [Part; 3]| {
        let both: Vec<f64> = SIDES
            .into_iter()
            .filter_map(|side| length(limb, side))
            .collect();
        (!both.is_empty()).then(|| both.iter().sum::<f64>() / both.len() as f64)
    };
    let thighs = SIDES.map(|side| at(Part::UpperLeg, side));
    let shoulders = SIDES.map(|side| at(Part::UpperArm, side));
    let hips = at(Part::Hips, Side::Center).unwrap_or(DVec3::ZERO);

    let mut lowest = f64::INFINITY;
    let mut highest = f64::NEG_INFINITY;
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        if joint.kind == JointKind::Ancestor || !below_body(character, map, index) {
            continue;
        }
        let placement = &placements[index];
        let end = joint
            .end
            .map(|end| placement.position + placement.rotation * end.as_dvec3());
        for point in [Some(placement.position), end].into_iter().flatten() {
            lowest = lowest.min(point.y);
            highest = highest.max(point.y);
        }
    }
    if !is_level {
        let ends = SIDES.map(|side| soles::end_of_shin(character, map, placements, side));
        lowest = ends
            .iter()
            .flatten()
            .map(|end| end.y)
            .fold(lowest, f64::min);
    }
    if !lowest.is_finite() {
        (lowest, highest) = (0.0, 0.0);
    }
    let height = (highest - lowest).max(1e-9);
    // Joints lie inside the foot, and a rig without toes ends at the ankle: a character whose lowest joint
    // is about on the origin, or an ankle's height above it, stands on the origin.
    let floor = if (-0.05..0.14).contains(&(lowest / height)) {
        0.0
    } else {
        lowest
    };
    let leg = mean(LEG).unwrap_or(0.0);
    let found = soles::floor(character, map, clips, reference, (floor, lowest, leg));
    let floor = found.height;
    let is_moment = reference.moves || reference.correct_torso;
    let ankle_height = SIDES
        .into_iter()
        .filter_map(|side| Some((side, map.joint_of(Part::Foot, side)?)))
        .map(|(side, foot)| {
            let ankle = placements[foot].position.y;
            if is_moment
                && let Some(height) = soles::standing_ankle(character, map, clips, reference, side)
            {
                return height;
            }
            // In a motion a foot may be in the air; then it tells its height itself.
            let sole = reference
                .moves
                .then(|| lowest_of(character, placements, foot));
            ankle - sole.filter(|sole| *sole < ankle).unwrap_or(floor)
        })
        .fold(0.0, f64::max);
    let leg = mean(LEG).unwrap_or_else(|| {
        if map.profile.stance == Stance::Free {
            // Without legs the size of the body is what tells how far it goes.
            extent(map, placements)
        } else {
            (hips.y - floor).max(0.0)
        }
    });
    let (hip_width, middle) = match thighs {
        [Some(left), Some(right)] => (left.distance(right), (left + right) * 0.5),
        _ => (0.0, hips),
    };
    let standing_hips = if is_moment {
        leg + ankle_height - (middle - hips).y
    } else if let Some(reach) = reach_of_splayed(map, placements) {
        reach + ankle_height - (middle - hips).y
    } else {
        hips.y - floor
    };
    Measures {
        leg,
        hip_width,
        ankle_height,
        ankle_found: found.found,
        hips_height: standing_hips,
        head_height: at(Part::Head, Side::Center).map_or(height, |head| head.y - floor),
        floor,
        shoulder_width: match shoulders {
            [Some(left), Some(right)] => left.distance(right),
            _ => 0.0,
        },
        front_leg: if is_level {
            mean(ARM).unwrap_or(0.0)
        } else {
            0.0
        },
        thighs_from_hips: middle - hips,
        height,
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
