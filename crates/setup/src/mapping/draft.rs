//! A mapping in the making, and the parts of a body that the mappers work along.

use super::rig::Rig;
use super::{Kind, RigMap, RunnerUp, SlotMatch, finish};
use crate::profile::dialect::sided_name;
use crate::profile::{Part, Profile, Slot};
use rebone_model::{Character, Warning};
use std::collections::BTreeMap;

/// Both sides, as slot names begin.
pub(super) const SIDES: [&str; 2] = ["left", "right"];

/// The slots of an arm, from the body outwards.
pub(super) const ARM: [&str; 4] = ["Shoulder", "UpperArm", "LowerArm", "Hand"];

/// The slots of a leg, from the body outwards.
pub(super) const LEG: [&str; 4] = ["UpperLeg", "LowerLeg", "Foot", "Toes"];

/// The fingers, as slot names have them.
pub(super) const FINGERS: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Little"];

/// What one way of mapping has found.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) profile: &'static Profile,
    pub(super) dialect: String,
    pub(super) evidence: &'static str,
    pub(super) slots: BTreeMap<Slot, SlotMatch>,
    pub(super) warnings: Vec<Warning>,
}

impl Draft {
    pub(super) fn new(profile: &'static Profile, dialect: &str, evidence: &'static str) -> Self {
        Self {
            profile,
            dialect: dialect.to_owned(),
            evidence,
            slots: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// Fills a slot by name. Does nothing for an unknown name or an empty chain.
    pub(super) fn put(&mut self, slot: &str, joints: Vec<usize>, confidence: f32) {
        if let Some(slot) = self.profile.find(slot)
            && !joints.is_empty()
        {
            let evidence = self.evidence.to_owned();
            let found = SlotMatch {
                joints,
                confidence,
                evidence,
                runner_up: None,
            };
            self.slots.insert(slot, found);
        }
    }

    /// States what a slot rests on, where that is not what the whole draft rests on.
    pub(super) fn rests_on(&mut self, slot: &str, evidence: &str) {
        let found = self
            .profile
            .find(slot)
            .and_then(|slot| self.slots.get_mut(&slot));
        if let Some(found) = found {
            evidence.clone_into(&mut found.evidence);
        }
    }

    /// Notes the second choice of a slot that is filled.
    pub(super) fn rival(&mut self, slot: &str, rival: Option<RunnerUp>) {
        let found = self
            .profile
            .find(slot)
            .and_then(|slot| self.slots.get_mut(&slot));
        if let Some(found) = found {
            found.runner_up = rival;
        }
    }

    /// Moves the hips down to the joint that carries legs and trunk, where the joint that was found carries nothing but that one: what is
    /// animated may be the lower of the two.
    pub(super) fn lower_hips(&mut self, rig: &Rig) {
        let parts = ["spine", "leftUpperLeg", "rightUpperLeg"].map(|slot| self.first(slot));
        let ([Some(spine), Some(left), Some(right)], Some(hips)) = (parts, self.first("hips"))
        else {
            return;
        };
        let Some(carrier) = rig.common_ancestor(&[spine, left, right]) else {
            return;
        };
        let between = rig.between(hips, carrier).unwrap_or_default();
        let is_below = rig.skeleton.is_ancestor(hips, carrier);
        let is_free = |joint: &usize| !self.uses(*joint);
        if is_below
            && between.iter().chain([&carrier]).all(is_free)
            && let Some(hips) = self.profile.find("hips")
            && let Some(found) = self.slots.get_mut(&hips)
        {
            found.joints = vec![carrier];
        }
    }

    /// The map that this is, of a rig of some kind.
    pub(super) fn finished(self, character: &Character, kind: Kind) -> RigMap {
        let mut map = RigMap {
            profile: self.profile,
            dialect: self.dialect,
            kind,
            confidence: 0.0,
            slots: self.slots,
            unmapped: Vec::new(),
            warnings: self.warnings,
        };
        finish(&mut map, character);
        map
    }

    /// The joint that carries a slot.
    pub(super) fn first(&self, slot: &str) -> Option<usize> {
        let slot = self.profile.find(slot)?;
        self.slots.get(&slot)?.joints.first().copied()
    }

    /// The joint that carries a slot of one side.
    pub(super) fn sided(&self, side: &str, slot: &str) -> Option<usize> {
        self.first(&sided_name(side, slot))
    }

    /// True where some slot has the joint.
    pub(super) fn uses(&self, joint: usize) -> bool {
        self.slots
            .values()
            .any(|found| found.joints.contains(&joint))
    }

    /// Number of required slots that are filled.
    pub(super) fn required(&self) -> usize {
        let required = |slot: &&Slot| self.profile.info(**slot).required;
        self.slots.keys().filter(required).count()
    }
}

/// Parts whose slots may hold more than one joint.
pub(super) fn may_be_chain(part: Part) -> bool {
    matches!(
        part,
        Part::Torso
            | Part::Neck
            | Part::Shoulder
            | Part::UpperArm
            | Part::LowerArm
            | Part::Hand
            | Part::UpperLeg
            | Part::LowerLeg
    )
}

/// Shares the joints between pelvis and neck, from below, out to spine, chest and upper chest.
///
/// One joint is the spine, two are spine and chest; of more, the upper chest gets a third, the spine
/// half of what is left (rounded down), and the chest the rest.
pub(crate) fn share_torso(joints: &[usize]) -> [(&'static str, &[usize]); 3] {
    let count = joints.len();
    let upper = if count < 3 { 0 } else { count / 3 };
    let spine = if count < 2 {
        count
    } else {
        (count - upper) / 2
    };
    [
        ("spine", &joints[..spine]),
        ("chest", &joints[spine..count - upper]),
        ("upperChest", &joints[count - upper..]),
    ]
}

/// Lengthens chains by the joints in line between two slots: the second half of a split limb bone,
/// an in-line twist joint, a further neck or spine joint.
pub(super) fn fill_chains(rig: &Rig, draft: &mut Draft) {
    let mut additions: Vec<(Slot, Vec<usize>)> = Vec::new();
    for (&slot, found) in &draft.slots {
        let info = draft.profile.info(slot);
        if matches!(info.part, Part::Hand) || !may_be_chain(info.part) {
            continue;
        }
        let Some(&last) = found.joints.last() else {
            continue;
        };
        let next = draft.slots.iter().filter(|(other, _)| {
            draft.profile.info(**other).side == info.side
                && nearest_present(draft, **other) == Some(slot)
        });
        let between = next
            .filter_map(|(_, below)| rig.between(last, *below.joints.first()?))
            .min_by_key(Vec::len);
        let free: Vec<usize> = between
            .unwrap_or_default()
            .into_iter()
            .filter(|&joint| !draft.uses(joint))
            .collect();
        if !free.is_empty() {
            additions.push((slot, free));
        }
    }
    for (slot, joints) in additions {
        if let Some(found) = draft.slots.get_mut(&slot) {
            found.joints.extend(joints);
        }
    }
}

/// The nearest slot above that the draft has.
fn nearest_present(draft: &Draft, slot: Slot) -> Option<Slot> {
    let mut at = draft.profile.parent(slot);
    while let Some(above) = at {
        if draft.slots.contains_key(&above) {
            return Some(above);
        }
        at = draft.profile.parent(above);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torso_joints_are_shared_out() {
        let sizes = |count: usize| {
            let joints: Vec<usize> = (0..count).collect();
            share_torso(&joints).map(|(_, part)| part.len())
        };
        assert_eq!(sizes(0), [0, 0, 0]);
        assert_eq!(sizes(1), [1, 0, 0]);
        assert_eq!(sizes(2), [1, 1, 0]);
        assert_eq!(sizes(3), [1, 1, 1]);
        assert_eq!(sizes(4), [1, 2, 1]);
        assert_eq!(sizes(5), [2, 2, 1]);
        assert_eq!(sizes(7), [2, 3, 2]);
    }
}
