//! Which joint of a character is which slot.
//!
//! [`map_character`] asks, in this order: the file's own labels (VRM), the known naming conventions
//! (dialects), a vocabulary of words for parts of the body, and shape and motion alone. The first that
//! gives a whole body wins.

mod body;
mod by_label;
mod by_name;
mod by_profile;
mod by_vocabulary;
mod draft;
mod fingers;
mod map_character;
mod overrides;
mod quadruped;
mod quadruped_legs;
mod quadruped_trunk;
mod quadruped_words;
mod rig;
mod shape;
mod topology;
mod trunk;
pub mod twist;
mod words;

pub use by_profile::{ProfileChoice, map_character_as, profile_text};
pub(crate) use draft::share_torso;
pub(crate) use map_character::finish;
pub use map_character::{MapOptions, map_character, map_character_with};
pub(crate) use overrides::unknown_slot;
pub use overrides::{RigOverrides, apply_overrides};

use crate::profile::{Part, Profile, Side, Slot};
use rebone_model::Warning;
use std::collections::BTreeMap;

/// The joints of one slot.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotMatch {
    /// The chain of the slot from parent to child; the first joint carries the slot's rotation.
    pub joints: Vec<usize>,
    /// 0 (a guess) to 1 (stated by the file or the user).
    pub confidence: f32,
    /// What it rests on: `VRMC_vrm`, `name`, `words`, `recipe`, `shape`, `shape, motion`.
    pub evidence: String,
    /// The joint that would be taken if this one were not there, where there is one.
    pub runner_up: Option<RunnerUp>,
}

/// The second choice for a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunnerUp {
    /// The joint.
    pub joint: usize,
    /// How far it is behind, 0 (just as good) to 1.
    pub margin: f32,
}

/// What kind of creature a rig is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Two legs, two arms, a head.
    Humanoid,
    /// Four legs and a head.
    Quadruped,
    /// Anything else, or not recognised.
    Other,
}

impl Kind {
    /// `humanoid`, `quadruped` or `other`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Humanoid => "humanoid",
            Self::Quadruped => "quadruped",
            Self::Other => "other",
        }
    }
}

/// The slots of one character.
#[derive(Clone, Debug, PartialEq)]
pub struct RigMap {
    /// The vocabulary of the slots.
    pub profile: &'static Profile,
    /// How the rig was recognised: a dialect (`mixamo`), a label system (`vrm-1`), `recipe`, `none`.
    pub dialect: String,
    /// What the rig is.
    pub kind: Kind,
    /// The least of the required slots' confidences.
    pub confidence: f32,
    /// The slots that were found.
    pub slots: BTreeMap<Slot, SlotMatch>,
    /// Joints in no slot, in joint order (ancestors left out).
    pub unmapped: Vec<usize>,
    /// Doubts.
    pub warnings: Vec<Warning>,
}

impl RigMap {
    /// The joint that carries a slot's rotation.
    pub fn joint(&self, slot: Slot) -> Option<usize> {
        self.slots.get(&slot)?.joints.first().copied()
    }

    /// The joint of the slot with this name.
    pub fn joint_named(&self, slot: &str) -> Option<usize> {
        self.joint(self.profile.find(slot)?)
    }

    /// The joint of the first slot of this part and side that the rig has.
    pub fn joint_of(&self, part: Part, side: Side) -> Option<usize> {
        let wanted = |slot: &Slot| {
            let info = self.profile.info(*slot);
            info.part == part && info.side == side
        };
        let slot = self.slots.keys().copied().find(wanted)?;
        self.joint(slot)
    }

    /// The nearest slot above that this rig has.
    pub fn present_parent(&self, slot: Slot) -> Option<Slot> {
        let mut at = self.profile.parent(slot);
        while let Some(above) = at {
            if self.slots.contains_key(&above) {
                return Some(above);
            }
            at = self.profile.parent(above);
        }
        None
    }

    /// Names of the required slots that are missing.
    pub fn missing_required(&self) -> Vec<&'static str> {
        self.profile
            .all()
            .filter(|slot| self.profile.info(*slot).required && !self.slots.contains_key(slot))
            .map(|slot| self.profile.info(slot).name)
            .collect()
    }
}
