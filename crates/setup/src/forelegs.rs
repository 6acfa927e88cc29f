//! Forelegs by what their joints do: an elbow moves an elbow, a wrist a wrist.
//!
//! Rigs of four-legged animals cut the foreleg in two ways. In one, as in most dogs, the leg's middle joint is the
//! elbow, which folds the lower part forwards. In the other, as in most horses, it is the wrist (carpus), which folds
//! the lower part backwards; the elbow is the joint where the leg leaves the body. Slots of equal names would fold
//! such legs the wrong way.
//!
//! | target's middle joint | slot of the target | follows of the source |
//! |---|---|---|
//! | wrist | upper leg (forearm) | lower leg (forearm) |
//! | wrist | lower leg (cannon) | cannon; without one, halfway between forearm and paw |
//! | elbow | upper leg | shoulder blade; without one, upper leg |
//! | elbow | lower leg (forearm) | upper leg (forearm) |
//! | elbow | cannon, where there is one | lower leg (cannon) |
//!
//! All other slots follow those of their own names.

use crate::align::limbs::{ARM, SIDES};
use crate::align::{Aligned, Placement, clip_placements, sampled, unit};
use crate::mapping::RigMap;
use crate::profile::{Part, QUADRUPED, Side, Slot, Stance};
use glam::{DQuat, DVec3};
use rebone_model::Clip;
use rebone_model::elementary::Elementary as _;

/// The joint in the middle of a foreleg.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MiddleJoint {
    /// Folds the lower part forwards.
    Elbow,
    /// Folds the lower part backwards.
    Wrist,
}

/// Mean fold, degrees, below which a leg that is as good as straight shows nothing.
const FOLDED_DEGREES: f64 = 2.0;

/// Source and target slots that go together by what they do; `None` if both bodies cut their forelegs alike, if one is
/// not four-legged, or if nothing shows which way the legs fold.
pub(crate) fn pairs(
    source: (&Aligned<'_>, &[&Clip]),
    target: (&Aligned<'_>, &[&Clip]),
) -> Option<Vec<(Slot, Slot)>> {
    let (from, to) = (source.0.map, target.0.map);
    let is_animal = |map: &RigMap| std::ptr::eq(map.profile, &QUADRUPED);
    if !is_animal(from) || !is_animal(to) {
        return None;
    }
    let kinds = (
        middle_joint(source.0, source.1)?,
        middle_joint(target.0, target.1)?,
    );
    if kinds.0 == kinds.1 {
        return None;
    }
    let has = |map: &RigMap, slot: Slot| map.slots.contains_key(&slot);
    let mut pairs = Vec::new();
    for slot in to.profile.all() {
        let info = to.profile.info(slot);
        let of_side = |part: Part| {
            from.profile.all().find(|&other| {
                let own = from.profile.info(other);
                own.part == part && own.side == info.side && is_of_foreleg(from, other)
            })
        };
        let first = |parts: [Part; 2]| {
            let mut found = parts.into_iter().filter_map(of_side);
            found.find(|&other| has(from, other))
        };
        let other = match (kinds.1, info.part) {
            (MiddleJoint::Wrist, Part::UpperArm) => of_side(Part::LowerArm),
            (MiddleJoint::Wrist, Part::LowerArm) => first([Part::Cannon, Part::Hand]),
            (MiddleJoint::Elbow, Part::UpperArm) => first([Part::Shoulder, Part::UpperArm]),
            (MiddleJoint::Elbow, Part::LowerArm) => of_side(Part::UpperArm),
            (_, Part::Cannon) if is_of_foreleg(to, slot) => {
                of_side(Part::LowerArm).filter(|_| has(to, slot))
            }
            _ => Some(slot),
        };
        pairs.extend(
            other
                .filter(|&other| has(from, other))
                .map(|other| (other, slot)),
        );
    }
    Some(pairs)
}

/// Cannons of the foreleg and of the hind leg are one part; the slots that they hang from tell them apart.
fn is_of_foreleg(map: &RigMap, slot: Slot) -> bool {
    if map.profile.info(slot).part != Part::Cannon {
        return true;
    }
    let above = map.profile.parent(slot);
    above.is_some_and(|above| map.profile.info(above).part == Part::LowerArm)
}

/// Which joint the middle one of both forelegs is, by how it is folded at rest and over the clips.
pub(crate) fn middle_joint(body: &Aligned<'_>, clips: &[&Clip]) -> Option<MiddleJoint> {
    if body.map.profile.stance != Stance::FourLegged {
        return None;
    }
    let cannon = |slot: &Slot| {
        body.map.profile.info(*slot).part == Part::Cannon && is_of_foreleg(body.map, *slot)
    };
    if body.map.slots.keys().any(cannon) {
        return Some(MiddleJoint::Elbow);
    }
    let alignment = body.alignment;
    let hips = body.map.joint_of(Part::Hips, Side::Center)?;
    let upright = alignment.retarget_rotation(hips).conjugate();
    let canonical = alignment.canonical_from_file;
    let mut folds = Vec::new();
    let mut add = |pose: &[Placement], space: DQuat| {
        let left = unit(space * pose[hips].rotation * upright) * DVec3::X;
        for side in SIDES {
            folds.extend(fold_degrees(body.map, side, pose, space, left));
        }
    };
    add(&alignment.reference, DQuat::IDENTITY);
    for (clip, time) in sampled(clips) {
        add(&clip_placements(body.character, clip, time), canonical);
    }
    let mean = folds.iter().sum::<f64>() / folds.len().max(1) as f64;
    if mean.abs() < FOLDED_DEGREES {
        return None;
    }
    Some(if mean > 0.0 {
        MiddleJoint::Elbow
    } else {
        MiddleJoint::Wrist
    })
}

/// How far the middle joint of a foreleg folds the lower part forwards from the line of the upper one, degrees.
fn fold_degrees(
    map: &RigMap,
    side: Side,
    pose: &[Placement],
    space: DQuat,
    left: DVec3,
) -> Option<f64> {
    let [upper, lower, paw] = ARM.map(|part| map.joint_of(part, side).map(|joint| pose[joint]));
    let (upper, lower, paw) = (upper?.position, lower?.position, paw?.position);
    let bones = [lower - upper, paw - lower].map(|bone| (space * bone).reject_from(left));
    let [u, v] = bones;
    let across = v.cross(u).dot(left);
    (u.length() > 0.0 && v.length() > 0.0).then(|| across.arc_tangent(u.dot(v)).to_degrees())
}
