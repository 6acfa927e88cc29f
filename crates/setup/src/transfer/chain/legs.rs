//! Legs of which one side lacks the cannon bone.
//!
//! A target leg without cannon bone lets its lower leg take D between the source's lower leg and cannon, by
//! their lengths: it points about where both together point. A source without one moves the target's cannon
//! with its lower leg; a person moves it half with
//! the thigh. D between two joints: V = D_0 · exp(f · log(D_0⁻¹ · D_1)) · B.

use super::share::Pair;
use crate::align::RestKind;
use crate::align::limbs::{ARM, SIDES};
use crate::links::Link;
use crate::mapping::RigMap;
use crate::profile::{Part, Slot};
use rebone_runtime::RotationOp;

/// Lower legs of a target without the cannon bone that the source has.
pub(in crate::transfer) fn fold_cannons(
    pair: Pair<'_>,
    map: &RigMap,
    links: &[Link],
    operations: &mut [RotationOp],
) {
    let source = pair.source;
    let linked = |slot: Slot| links.iter().find(|link| link.slot == slot);
    for slot in map.profile.all() {
        if map.profile.info(slot).part != Part::Cannon || linked(slot).is_some() {
            continue;
        }
        let Some(lower) = map.profile.parent(slot).and_then(linked) else {
            continue;
        };
        let paw = map
            .profile
            .all()
            .find(|&below| map.profile.parent(below) == Some(slot))
            .and_then(linked);
        let cannon = source
            .slot_of_joint
            .iter()
            .position(|&own| own == Some(slot));
        let (Some(&from), Some(&to), Some(cannon), Some(paw)) = (
            lower.source.first(),
            lower.target.first(),
            cannon,
            paw.and_then(|link| link.source.first().copied()),
        ) else {
            continue;
        };
        let length = |a: usize, b: usize| {
            source.reference[a]
                .position
                .distance(source.reference[b].position)
        };
        let (upper, below) = (length(from, cannon), length(cannon, paw));
        let fraction = below / (upper + below).max(1e-9);
        operations[to] = pair.between([from, cannon], to, fraction);
    }
}

/// Cannon bones of forelegs that only a paw of the source can move (see [`forelegs`](crate::forelegs)): they take half of
/// the turn from the forearm to the paw, so that wrist and fetlock share it.
pub(in crate::transfer) fn halve_wrists(
    pair: Pair<'_>,
    map: &RigMap,
    links: &[Link],
    operations: &mut [RotationOp],
) {
    for side in SIDES {
        let sources = |part: Part| {
            let link = links.iter().find(|link| {
                let info = map.profile.info(link.slot);
                info.part == part && info.side == side
            })?;
            Some((*link.source.first()?, *link.target.first()?))
        };
        let [forearm, cannon, paw] = ARM.map(sources);
        if let (Some(forearm), Some(cannon), Some(paw)) = (forearm, cannon, paw)
            && cannon.0 == paw.0
        {
            operations[cannon.1] = pair.between([forearm.0, paw.0], cannon.1, 0.5);
        }
    }
}

/// Cannon bones of an animal that a person moves: in a hind leg stifle and hock fold together, which keeps the
/// cannon near the thigh's direction. It takes the middle between thigh and shin, so that the hoof comes up
/// under the croup instead of kicking out, and a foot that stands still about stands.
pub(in crate::transfer) fn follow_thighs(
    pair: Pair<'_>,
    map: &RigMap,
    links: &[Link],
    operations: &mut [RotationOp],
) {
    if pair.source.rest_kind == RestKind::FourLegged {
        return;
    }
    for (&slot, found) in &map.slots {
        let above = map.profile.parent(slot);
        let thigh = above.and_then(|lower| map.profile.parent(lower));
        let of_hind_leg = thigh.is_some_and(|slot| map.profile.info(slot).part == Part::UpperLeg);
        let has_source = links.iter().any(|link| link.slot == slot);
        if map.profile.info(slot).part != Part::Cannon || !of_hind_leg || has_source {
            continue;
        }
        let source_of = |slot: Option<Slot>| {
            let link = links.iter().find(|link| Some(link.slot) == slot)?;
            link.source.first().copied()
        };
        if let (Some(thigh), Some(shin), Some(&to)) =
            (source_of(thigh), source_of(above), found.joints.first())
        {
            operations[to] = pair.between([thigh, shin], to, 0.5);
        }
    }
}
