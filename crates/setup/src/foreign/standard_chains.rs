//! The chains of a rig as Unreal's IK Rig names them.

use super::Chain;
use super::rig::Rig;
use crate::links::torso;
use std::collections::BTreeSet;

/// Slot and chain name of each finger.
const FINGERS: [(&str, &str); 5] = [
    ("Thumb", "Thumb"),
    ("Index", "Index"),
    ("Middle", "Middle"),
    ("Ring", "Ring"),
    ("Little", "Pinky"),
];

/// Unreal's standard chains of a rig.
pub(super) struct StandardChains<'a> {
    rig: Rig<'a>,
    pub(super) chains: Vec<Chain>,
    /// The hips and the joints that lie on the chains.
    pub(super) joints: BTreeSet<usize>,
}

impl<'a> StandardChains<'a> {
    pub(super) fn of(rig: Rig<'a>) -> Self {
        let mut result = Self {
            rig,
            chains: Vec::new(),
            joints: rig.map.joint_named("hips").into_iter().collect(),
        };
        let spine = torso(rig.map);
        if let (Some(&start), Some(&end)) = (spine.first(), spine.last()) {
            result.add("Spine".to_owned(), start, end);
        }
        for (label, slot) in [("Neck", "neck"), ("Head", "head")] {
            result.add_slots(label.to_owned(), &[slot.to_owned()]);
        }
        for (side, title) in [("left", "Left"), ("right", "Right")] {
            result.add_side(side, title);
        }
        result
    }

    /// Adds shoulder, limbs and fingers of a side. `side` begins the names of slots, `title` those of chains.
    fn add_side(&mut self, side: &str, title: &str) {
        let slot = |part: &str| format!("{side}{part}");
        self.add_slots(format!("{title}Clavicle"), &[slot("Shoulder")]);
        let arm = ["Hand", "LowerArm"].map(slot);
        self.add_limb(format!("{title}Arm"), &slot("UpperArm"), &arm);
        let leg = ["Toes", "Foot", "LowerLeg"].map(slot);
        self.add_limb(format!("{title}Leg"), &slot("UpperLeg"), &leg);
        for (finger, label) in FINGERS {
            let parts = crate::profile::dialect::finger_parts(finger);
            let slots = parts.map(|part| slot(&format!("{finger}{part}")));
            self.add_slots(format!("{title}{label}"), &slots);
        }
    }

    /// Adds the chain from a limb's first slot to the first of `lasts` that lies below it: a foot may hang from a joint
    /// beside the body, and then the chain ends above it.
    fn add_limb(&mut self, label: String, first: &str, lasts: &[String]) {
        let map = self.rig.map;
        let Some(start) = map.joint_named(first) else {
            return;
        };
        let skeleton = &self.rig.character.skeleton;
        let mut ends = lasts.iter().filter_map(|slot| map.joint_named(slot));
        if let Some(end) = ends.find(|&end| skeleton.is_ancestor(start, end)) {
            self.add(label, start, end);
        }
    }

    /// Adds the chain from the first joint of some slots to the last.
    fn add_slots(&mut self, label: String, slots: &[String]) {
        let map = self.rig.map;
        let joints: Vec<usize> = slots
            .iter()
            .filter_map(|slot| map.slots.get(&map.profile.find(slot)?))
            .flat_map(|found| found.joints.iter().copied())
            .collect();
        if let (Some(&start), Some(&end)) = (joints.first(), joints.last()) {
            self.add(label, start, end);
        }
    }

    fn add(&mut self, label: String, start: usize, end: usize) {
        let skeleton = &self.rig.character.skeleton;
        if start != end && !skeleton.is_ancestor(start, end) {
            return;
        }
        self.joints.extend([start, end]);
        let between = skeleton.ancestors(end).take_while(|&above| above != start);
        self.joints.extend(between);
        self.chains.push(Chain {
            name: label,
            start: self.rig.name(start),
            end: self.rig.name(end),
        });
    }
}
