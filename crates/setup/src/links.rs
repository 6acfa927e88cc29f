//! Which joints of the source drive which joints of the target.

use crate::mapping::RigMap;
use crate::profile::{Part, Side, Slot};
use rebone_model::{Character, Skeleton};
use std::collections::BTreeMap;

/// The joints of one slot on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The slot.
    pub slot: Slot,
    /// Source joints, parent to child.
    pub source: Vec<usize>,
    /// Target joints, parent to child.
    pub target: Vec<usize>,
}

/// One link for every slot that both rigs have, in profile order.
///
/// The torso (spine, chest, upper chest) is one chain: its joints are listed under the first of its
/// slots, because rigs cut it into different numbers of joints. Rigs of different profiles have no slot in
/// common; [`Chains`](crate::chains::Chains) puts one into the words of the other.
pub fn links(source: &RigMap, target: &RigMap) -> Vec<Link> {
    if !std::ptr::eq(source.profile, target.profile) {
        return Vec::new();
    }
    let torso_source = torso(source);
    let torso_target = torso(target);
    let mut torso_done = false;
    let mut result = Vec::new();
    for slot in source.profile.all() {
        if source.profile.info(slot).part == Part::Torso {
            if !torso_done && !torso_source.is_empty() && !torso_target.is_empty() {
                result.push(Link {
                    slot,
                    source: torso_source.clone(),
                    target: torso_target.clone(),
                });
            }
            torso_done = true;
            continue;
        }
        if let (Some(from), Some(to)) = (source.slots.get(&slot), target.slots.get(&slot)) {
            result.push(Link {
                slot,
                source: from.joints.clone(),
                target: to.joints.clone(),
            });
        }
    }
    result
}

/// All joints between hips and neck, parent to child.
pub fn torso(map: &RigMap) -> Vec<usize> {
    map.slots
        .iter()
        .filter(|(slot, _)| map.profile.info(**slot).part == Part::Torso)
        .flat_map(|(_, found)| found.joints.iter().copied())
        .collect()
}

/// Joints in no slot that both rigs have under the same name, below the same slot: hair, tails, twist
/// joints and props of rigs of one family. Parents come before children.
pub fn named_pairs(
    source: (&Character, &RigMap),
    target: (&Character, &RigMap),
) -> Vec<(usize, usize)> {
    let slot_above = |(character, map): (&Character, &RigMap), joint: usize| {
        character.skeleton.ancestors(joint).find_map(|above| {
            map.slots
                .iter()
                .find(|(_, found)| found.joints.contains(&above))
                .map(|(slot, _)| *slot)
        })
    };
    let mut by_name: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    for &joint in &source.1.unmapped {
        let name = source.0.skeleton.joints()[joint].name.as_str();
        // A name that stands twice says nothing.
        by_name
            .entry(name)
            .and_modify(|entry| *entry = None)
            .or_insert(Some(joint));
    }
    let mut pairs = Vec::new();
    let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
    for &joint in &target.1.unmapped {
        let name = target.0.skeleton.joints()[joint].name.as_str();
        *taken.entry(name).or_default() += 1;
        let Some(Some(from)) = by_name.get(name).copied() else {
            continue;
        };
        let (above, target_above) = (slot_above(source, from), slot_above(target, joint));
        let beside = |skeleton: &Skeleton, map: &RigMap, joint: usize| {
            // Not above the body: the root's motion is the business of the travel.
            map.joint_of(Part::Hips, Side::Center)
                .is_some_and(|hips| !skeleton.is_ancestor(joint, hips))
        };
        if above == target_above
            && (above.is_some()
                || beside(&source.0.skeleton, source.1, from)
                    && beside(&target.0.skeleton, target.1, joint))
        {
            pairs.push((from, joint));
        }
    }
    pairs.retain(|(_, joint)| taken[target.0.skeleton.joints()[*joint].name.as_str()] == 1);
    pairs
}
