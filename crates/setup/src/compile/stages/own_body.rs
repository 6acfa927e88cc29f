//! From the target's skin to the stage that keeps arms out of trunk and head.

use super::touches;
use crate::align::limbs::{self, ARM, SIDES};
use crate::align::retarget_placements;
use crate::compile::attach::{beside, with_carriers};
use crate::compile::{Both, Mapped};
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use glam::{Affine3A, Vec3};
use rebone_model::{Character, HullPoint, Warning, furthest};
use rebone_runtime::stage::{
    BodyArm, BodyPoint, BodyStage, Kinematics, Solid, SolidLanes, Stage, StageOp, TouchingHand,
};
use rebone_runtime::{Plan, RotationOp};

/// The least share of a point that counts. A thick forearm is in the trunk with its elbow when it hangs, as the upper arm is, and what is so
/// near the elbow would turn the arm too far.
const LEAST_SHARE: f32 = 0.3;

/// What arms are kept out of.
const TRUNK: [Part; 4] = [Part::Hips, Part::Torso, Part::Neck, Part::Head];

/// Points of a character's skin that joints of slots of these parts, on one side or in the middle, move most, joint by joint.
pub(crate) fn skin_of(
    character: &Character,
    map: &RigMap,
    side: Side,
    parts: &[Part],
) -> Vec<Vec<HullPoint>> {
    let slots = map.slots.iter().filter(|(slot, _)| {
        let info = map.profile.info(**slot);
        info.side == side && parts.contains(&info.part)
    });
    let joints = slots.flat_map(|(_, found)| found.joints.iter().copied());
    let points = |joint| {
        let hull = character.hull.iter();
        hull.filter(move |point| point.parts[0].joint == joint)
    };
    let all = joints.map(|joint| points(joint).copied().collect());
    all.collect()
}

/// Tells of meshes that do not show where trunk and arms are. `None` of a body without meshes, and of one that does not stand upright.
pub(super) fn unbound(target: &Mapped<'_>) -> Option<Warning> {
    let character = target.character;
    let has_meshes = character.is_unbound || !character.hull.is_empty();
    if !has_meshes || target.map.profile.stance != Stance::Upright {
        return None;
    }
    let is_bare = |sides: &[Side], parts: &[Part]| {
        let skin = |&side: &Side| skin_of(character, target.map, side, parts);
        let mut joints = sides.iter().flat_map(skin);
        joints.all(|points| points.is_empty())
    };
    let trunk = is_bare(&[Side::Center], &TRUNK);
    let arms = is_bare(&SIDES, &[Part::LowerArm, Part::Hand]);
    let parts = match (trunk, arms) {
        (true, true) => "trunk, head or arms",
        (true, false) => "trunk or head",
        (false, true) => "the lower arms",
        (false, false) => return None,
    };
    Some(Warning::new(
        "skin-unbound",
        format!(
            "the target has meshes, but no vertex could be read that moves with {parts}; arms are not kept out of the body"
        ),
        "look at the moments in which hands come near the body; bind the mesh to the skeleton, store it uncompressed, or correct the map",
    ))
}

/// Trunk and head of a character as it rests in a pose; `None` where they have no skin.
pub fn solid(
    character: &Character,
    map: &RigMap,
    rest: impl Fn(usize) -> Affine3A + Copy,
) -> Option<Solid> {
    Solid::new(&skin_of(character, map, Side::Center, &TRUNK), rest)
}

/// The legs below them; nothing where they have no skin.
fn legs(both: &Both<'_>, trunk: &Solid, rest: impl Fn(usize) -> Affine3A + Copy) -> Solid {
    let skin = |side, parts: &[Part]| skin_of(both.target.character, both.target.map, side, parts);
    let mut all = skin(Side::Center, &TRUNK);
    for side in SIDES {
        all.extend(skin(side, &[Part::UpperLeg, Part::LowerLeg]));
    }
    let mut whole = Solid::new(&all, rest).unwrap_or_default();
    whole.blocks.drain(..trunk.blocks.len());
    whole
}

/// The points of a forearm and its hand that are outside of the solid in a pose, and how much each counts: of the forearm the share of the
/// way from elbow to wrist, of the hand 1. Those near the elbow are left out. An arm of two joints ends where its skin does.
pub fn arm_points(
    character: &Character,
    map: &RigMap,
    side: Side,
    solid: &Solid,
    rest: impl Fn(usize) -> Affine3A + Copy,
) -> Vec<BodyPoint> {
    let [_, Some(lower), end] = ARM.map(|part| limbs::joint(map, part, side)) else {
        return Vec::new();
    };
    let posed = SolidLanes::new(&solid.blocks).posed(rest, 0.0);
    let all = skin_of(character, map, side, &[Part::LowerArm, Part::Hand]);
    let points = all.iter().flat_map(|points| furthest(points, 1));
    let points = points.filter(|point| posed.depth(point.place(rest)).is_none());
    let points: Vec<HullPoint> = points.collect();
    let elbow = Vec3::from(rest(lower).translation);
    let ways = points.iter().map(|point| point.place(rest) - elbow);
    let forearm = match end {
        Some(wrist) => Some(Vec3::from(rest(wrist).translation) - elbow),
        None => ways.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared())),
    };
    let forearm = forearm.unwrap_or(Vec3::ZERO);
    let share = |point: &HullPoint| {
        let along = (point.place(rest) - elbow).dot(forearm) / forearm.length_squared();
        let is_of_forearm = point.parts[0].joint == lower;
        if is_of_forearm { along.min(0.999) } else { 1.0 }
    };
    let counted = points.iter().map(|&point| BodyPoint {
        point,
        share: share(&point),
    });
    counted.filter(|point| point.share >= LEAST_SHARE).collect()
}

/// The stage. `None` where its weight is 0, or the target does not stand upright, has no skin or has no arm that moves.
pub(super) fn stage(both: &Both<'_>, weight: f64, plan: &Plan) -> Option<Stage> {
    let target = both.target;
    if weight <= 0.0 || target.map.profile.stance != Stance::Upright {
        return None;
    }
    let placed = retarget_placements(target.character, target.map, both.to);
    let rest = |joint: usize| {
        Affine3A::from_rotation_translation(
            placed[joint].rotation.as_quat(),
            placed[joint].position.as_vec3(),
        )
    };
    let solid = solid(target.character, target.map, rest)?;
    let legs = legs(both, &solid, rest);
    let arms = arms(target, plan, &solid, rest);
    if arms.is_empty() {
        return None;
    }
    let limbs: Vec<[usize; 3]> = arms.iter().map(|arm| arm.joints).collect();
    let (hands, source_height) = touches::hands(both, &limbs);
    let attached = beside(plan);
    let of_points = arms.iter().flat_map(|arm| &arm.points);
    let of_points = of_points.flat_map(|point| point.point.parts().map(|part| part.joint));
    let looked_at = of_points
        .chain(solid.joints())
        .chain(legs.joints())
        .chain(limbs.into_iter().flatten())
        .chain(hands.iter().flat_map(TouchingHand::targets))
        .chain(with_carriers(&attached));
    let kinematics = Kinematics::new(&plan.target, looked_at);
    let seen = |joint: usize| kinematics.find(joint);
    let source = hands.iter().flat_map(TouchingHand::sources);
    let source = Kinematics::new(&plan.source, source);
    let hands = hands.into_iter();
    let hands = hands.filter_map(|hand| hand.moved_by(|joint| source.find(joint), seen));
    let arms = arms.iter();
    Some(Stage {
        weight: weight.min(1.0) as f32,
        op: StageOp::Body(BodyStage {
            arms: arms.filter_map(|arm| moved_by(arm, seen)).collect(),
            solid: solid.moved_by(seen)?,
            legs: legs.moved_by(seen)?,
            height: both.to.measures.height as f32,
            hands: hands.collect(),
            source_height: source_height as f32,
            attached,
            source,
            target: kinematics,
        }),
    })
}

/// The arms that move and have a skin, by joints of the target.
fn arms(
    target: &Mapped<'_>,
    plan: &Plan,
    solid: &Solid,
    rest: impl Fn(usize) -> Affine3A + Copy,
) -> Vec<BodyArm> {
    let mut arms = Vec::new();
    for side in SIDES {
        let limb = ARM.map(|part| limbs::joint(target.map, part, side));
        let [Some(upper), Some(lower), end] = limb else {
            continue;
        };
        let is_driven = |joint: &usize| !matches!(plan.rotations[*joint], RotationOp::Rest);
        let points = arm_points(target.character, target.map, side, solid, rest);
        // A hand goes with its forearm, whether the source has one or not.
        if ![upper, lower].iter().all(is_driven) || points.is_empty() {
            continue;
        }
        arms.push(BodyArm {
            // The hand of an arm of two joints is part of its forearm.
            joints: [upper, lower, end.unwrap_or(lower)],
            points,
        });
    }
    arms
}

/// An arm by the places of its joints among those that the stage looks at.
fn moved_by(arm: &BodyArm, seen: impl Fn(usize) -> Option<usize> + Copy) -> Option<BodyArm> {
    let [upper, lower, end] = arm.joints;
    let points = arm.points.iter().filter_map(|counted| {
        Some(BodyPoint {
            point: counted.point.moved_by(seen)?,
            ..*counted
        })
    });
    Some(BodyArm {
        joints: [seen(upper)?, seen(lower)?, seen(end)?],
        points: points.collect(),
    })
}
