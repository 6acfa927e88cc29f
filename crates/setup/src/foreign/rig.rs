//! A character with its slots, as the maps of tools see it: by the names of its joints.

use crate::mapping::RigMap;
use rebone_model::Character;
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
pub(super) struct Rig<'a> {
    pub(super) character: &'a Character,
    pub(super) map: &'a RigMap,
}

impl<'a> Rig<'a> {
    pub(super) fn new(character: &'a Character, map: &'a RigMap) -> Self {
        Self { character, map }
    }

    /// Name of a joint, as the file has it.
    pub(super) fn name(self, joint: usize) -> String {
        self.character.skeleton.joints()[joint].name.clone()
    }

    /// Name of the joint that carries the body.
    pub(super) fn hips(self) -> Option<String> {
        self.map.joint_named("hips").map(|joint| self.name(joint))
    }

    /// The joints of all slots.
    pub(super) fn joints(self) -> impl Iterator<Item = usize> + use<'a> {
        let slots = self.map.slots.values();
        slots.flat_map(|found| found.joints.iter().copied())
    }

    /// Joint names by slot name.
    pub(super) fn names_by_slot(self) -> BTreeMap<String, Vec<String>> {
        let slots = self.map.slots.iter().map(|(slot, found)| {
            let joints = found.joints.iter().map(|&joint| self.name(joint));
            (
                self.map.profile.info(*slot).name.to_owned(),
                joints.collect(),
            )
        });
        slots.collect()
    }

    /// Joints of slots that share their name with others: tools tell joints apart by name alone.
    pub(super) fn of_equal_names(self) -> impl Iterator<Item = String> + use<'a> {
        self.joints()
            .filter(move |&joint| self.character.skeleton.unique_name(joint) != self.name(joint))
            .map(move |joint| format!("{} (one of several of this name)", self.name(joint)))
    }
}
