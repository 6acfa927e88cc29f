//! A character standing in its retarget pose: where its joints are.
//!
//! Rotations come from the corrections, places by forward kinematics with the offsets of the reference
//! pose. At the end the body is put on the floor: the lowest joint of its feet is as far above the floor as in
//! the reference pose. Feet keep their pitch, so the soles stand as they did there (docs/laws.md, "Pitch of the feet").

use super::Alignment;
use super::placement::{Placement, lowest, unit};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use glam::DVec3;
use rebone_model::{Character, Skeleton};

/// Placement of every joint in the retarget pose: canonical, file units, the floor at height 0.
pub fn retarget_placements(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
) -> Vec<Placement> {
    let skeleton = &character.skeleton;
    let reference = &alignment.reference;
    let above = carriers(skeleton, map);
    let mut result: Vec<Option<Placement>> = vec![None; skeleton.len()];
    let mut path = Vec::new();
    for joint in 0..skeleton.len() {
        // A carrier may stand behind what it carries, so everything above is placed first.
        let mut at = Some(joint);
        while let Some(open) = at.filter(|&open| result[open].is_none()) {
            path.push(open);
            at = above[open];
        }
        while let Some(open) = path.pop() {
            let rotation = unit(alignment.retarget_rotation(open));
            let position = match above[open].and_then(|up| Some((up, result[up]?))) {
                None => reference[open].position,
                Some((up, placed)) => {
                    let turn = placed.rotation * reference[up].rotation.conjugate();
                    placed.position + turn * (reference[open].position - reference[up].position)
                }
            };
            result[open] = Some(Placement { rotation, position });
        }
    }
    let mut placed: Vec<Placement> = result
        .into_iter()
        .zip(reference)
        .map(|(placed, reference)| placed.unwrap_or(*reference))
        .collect();
    put_on_floor(character, map, alignment, &mut placed);
    placed
}

/// For every joint the one that it moves along with: its parent, or the joint of the slot above where a
/// slot's joint hangs from elsewhere (a foot from an IK joint beside the leg).
fn carriers(skeleton: &Skeleton, map: &RigMap) -> Vec<Option<usize>> {
    let mut above: Vec<Option<usize>> = (0..skeleton.len())
        .map(|joint| skeleton.parent(joint))
        .collect();
    for (&slot, found) in &map.slots {
        let Some(&joint) = found.joints.first() else {
            continue;
        };
        let carrier = map
            .present_parent(slot)
            .and_then(|parent| map.slots.get(&parent)?.joints.last().copied());
        if let Some(carrier) = carrier
            && carrier != joint
            && !skeleton.is_ancestor(carrier, joint)
            && !leads_to(&above, carrier, joint)
        {
            above[joint] = Some(carrier);
        }
    }
    above
}

/// True where `joint` moves along with `wanted`.
fn leads_to(above: &[Option<usize>], joint: usize, wanted: usize) -> bool {
    let mut at = Some(joint);
    while let Some(here) = at {
        if here == wanted {
            return true;
        }
        at = above[here];
    }
    false
}

/// Lifts the body until its feet are as far above the floor as those of the reference pose.
fn put_on_floor(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
    placed: &mut [Placement],
) {
    let skeleton = &character.skeleton;
    let feet: Vec<usize> = [Side::Left, Side::Right]
        .into_iter()
        .filter_map(|side| map.joint_of(Part::Foot, side))
        .collect();
    let is_of_foot = |joint: usize| {
        feet.iter()
            .any(|&foot| foot == joint || skeleton.is_ancestor(foot, joint))
    };
    // The ankles alone where a rig has no more of its feet; everything where it has no feet.
    let lowest = |placements: &[Placement]| {
        lowest(character, placements, |joint| {
            feet.is_empty() || is_of_foot(joint)
        })
    };
    let (Some(before), Some(after)) = (lowest(&alignment.reference), lowest(placed)) else {
        return;
    };
    let lift = (before - alignment.measures.floor).max(0.0) - after;
    for place in placed {
        place.position += DVec3::Y * lift;
    }
}
