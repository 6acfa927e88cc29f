//! Lengths of a body, from which travel is scaled, and what its rest pose is.

use super::placement::Placement;
use super::reference::Reference;
use crate::mapping::RigMap;
use glam::DVec3;
use rebone_model::{Character, JointKind};

/// Lengths in file units; poses do not matter for `leg` and `hip_width`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// ℓ: thigh + shin, mean of both legs.
    pub leg: f64,
    /// w: distance between the thigh joints.
    pub hip_width: f64,
    /// η: height of the ankle above the floor, the larger foot.
    pub ankle_height: f64,
    /// Height of the hips joint above the floor when standing.
    pub hips_height: f64,
    /// Height of the head joint above the floor when standing.
    pub head_height: f64,
    /// Height of the floor in the reference pose.
    pub floor: f64,
    /// Vector from the hips joint to the middle of the thigh joints, canonical.
    pub thighs_from_hips: DVec3,
    /// From the lowest to the highest joint.
    pub height: f64,
}

/// Which standing pose the reference pose is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestKind {
    /// Arms within 25 degrees of horizontal.
    TPose,
    /// Arms 25 to 65 degrees below horizontal.
    APose,
    /// Arms lower than that.
    ArmsDown,
    /// Not a standing pose, or no arms.
    Unknown,
}

impl RestKind {
    /// `T`, `A`, `arms-down`, `unknown`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TPose => "T",
            Self::APose => "A",
            Self::ArmsDown => "arms-down",
            Self::Unknown => "unknown",
        }
    }
}

pub(crate) fn measure(character: &Character, map: &RigMap, reference: &Reference) -> Measures {
    let placements = &reference.placements;
    let position = |slot: &str| {
        map.joint_named(slot)
            .map(|joint| placements[joint].position)
    };
    let leg = |side: &str| {
        let at = |part: &str| position(&format!("{side}{part}"));
        let (hip, knee, ankle) = (at("UpperLeg")?, at("LowerLeg")?, at("Foot")?);
        Some(hip.distance(knee) + knee.distance(ankle))
    };
    let legs: Vec<f64> = [leg("left"), leg("right")].into_iter().flatten().collect();
    let thighs = [position("leftUpperLeg"), position("rightUpperLeg")];
    let hips = position("hips").unwrap_or(DVec3::ZERO);

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
    let ankle_height = ["leftFoot", "rightFoot"]
        .into_iter()
        .filter_map(|foot| map.joint_named(foot))
        .map(|foot| {
            let ankle = placements[foot].position.y;
            // In a motion a foot may be in the air; then it tells its height itself.
            let sole = reference
                .moves
                .then(|| lowest_of(character, placements, foot));
            ankle - sole.filter(|sole| *sole < ankle).unwrap_or(floor)
        })
        .fold(0.0, f64::max);
    let leg = if legs.is_empty() {
        (hips.y - floor).max(0.0)
    } else {
        legs.iter().sum::<f64>() / legs.len() as f64
    };
    let (hip_width, middle) = match thighs {
        [Some(left), Some(right)] => (left.distance(right), (left + right) * 0.5),
        _ => (0.0, hips),
    };
    let standing_hips = if reference.correct_torso || reference.moves {
        leg + ankle_height - (middle - hips).y
    } else {
        hips.y - floor
    };
    Measures {
        leg,
        hip_width,
        ankle_height,
        hips_height: standing_hips,
        head_height: position("head").map_or(height, |head| head.y - floor),
        floor,
        thighs_from_hips: middle - hips,
        height,
    }
}

/// Height of the lowest of a joint and those below it.
fn lowest_of(character: &Character, placements: &[Placement], joint: usize) -> f64 {
    let joints = character.skeleton.joints().iter().enumerate();
    joints
        .filter(|&(other, _)| other == joint || character.skeleton.is_ancestor(joint, other))
        .flat_map(|(other, own)| {
            let place = placements[other];
            let end = own
                .end
                .map(|end| place.position + place.rotation * end.as_dvec3());
            [Some(place.position), end]
        })
        .flatten()
        .map(|point| point.y)
        .fold(f64::INFINITY, f64::min)
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
    let position = |slot: String| {
        map.joint_named(&slot)
            .map(|joint| placements[joint].position)
    };
    let mut angles = Vec::new();
    for side in ["left", "right"] {
        let (Some(shoulder), Some(elbow)) = (
            position(format!("{side}UpperArm")),
            position(format!("{side}LowerArm")),
        ) else {
            return RestKind::Unknown;
        };
        let arm = position(format!("{side}Hand")).unwrap_or(elbow) - shoulder;
        let Some(direction) = arm.try_normalize() else {
            return RestKind::Unknown;
        };
        angles.push((-direction.y).asin().to_degrees());
    }
    let below = angles.iter().sum::<f64>() / angles.len() as f64;
    match below {
        below if below < -30.0 => RestKind::Unknown,
        below if below < 25.0 => RestKind::TPose,
        below if below < 65.0 => RestKind::APose,
        _ => RestKind::ArmsDown,
    }
}
