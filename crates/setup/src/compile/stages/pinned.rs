//! The joints that a pin names.

use crate::align::limbs::{self, ARM, LEG, SIDES};
use crate::compile::{Both, CompileOptions};
use crate::error::Error;
use crate::mirror::MirrorChoice;
use crate::pins::{Pin, PinTo};
use crate::profile::{Part, Side, Slot, Stance};

/// What is moved, in joints of the target.
pub(super) enum End {
    Limb([usize; 3]),
    Hips(usize, Vec<[usize; 3]>),
    Joint(usize),
}

impl End {
    /// The joint that is pinned.
    pub(super) fn joint(&self) -> usize {
        match self {
            Self::Limb([_, _, joint]) | Self::Hips(joint, _) | Self::Joint(joint) => *joint,
        }
    }

    /// The limbs that follow it.
    pub(super) fn limbs(&self) -> &[[usize; 3]] {
        match self {
            Self::Limb(limb) => std::slice::from_ref(limb),
            Self::Hips(_, legs) => legs,
            Self::Joint(_) => &[],
        }
    }
}

/// A pin with the joints that it names.
pub(super) struct Pinned<'a> {
    pub(super) pin: &'a Pin,
    pub(super) end: End,
    /// The slot of the end.
    pub(super) slot: Option<Slot>,
    /// The joint of the source whose path the end follows.
    pub(super) from: Option<usize>,
    /// The joint of the target that the end is pinned to.
    pub(super) to: Option<usize>,
}

/// Finds the joints of one pin.
pub(super) struct Naming<'a> {
    pub(super) both: &'a Both<'a>,
    pub(super) options: &'a CompileOptions,
    /// The hips of the target.
    pub(super) hips: Option<usize>,
    /// Which of the recipe's pins it is.
    pub(super) number: usize,
}

impl Naming<'_> {
    fn refused(&self, key: &str, what: String, remedy: &str) -> Error {
        Error::Recipe {
            what,
            place: format!("pins[{}].{key}", self.number),
            remedy: remedy.into(),
        }
    }

    /// Fails where the pin names what the rigs do not have, or what cannot be pinned.
    pub(super) fn pinned<'p>(&self, pin: &'p Pin) -> Result<Pinned<'p>, Error> {
        let (end, slot) = self.end(&pin.end)?;
        let from = match pin.to {
            PinTo::Source => Some(self.source_joint(pin, slot, end.joint())?),
            _ => None,
        };
        let to = pin.joint.as_ref();
        let to = to.map(|name| self.goal_joint(name, &end));
        Ok(Pinned {
            pin,
            slot,
            from,
            to: to.transpose()?,
            end,
        })
    }

    /// What moves where this is pinned.
    fn end(&self, name: &str) -> Result<(End, Option<Slot>), Error> {
        let (map, skeleton) = (self.both.target.map, &self.both.target.character.skeleton);
        const REMEDY: &str =
            "pin a hand, a foot, the head or the hips by its slot, or a joint that is in no slot";
        let slot = map.profile.find(name);
        let joint = match slot {
            Some(slot) => map
                .joint(slot)
                .ok_or_else(|| self.refused("end", format!("the target has no {name}"), REMEDY))?,
            None => skeleton
                .find(name)
                .map_err(|error| self.refused("end", format!("in the target, {error}"), REMEDY))?,
        };
        let own_slot = map
            .slots
            .iter()
            .find(|(_, found)| found.joints.contains(&joint))
            .map(|(slot, _)| *slot);
        let Some(slot) = slot.or(own_slot) else {
            return Ok((End::Joint(joint), None));
        };
        let info = map.profile.info(slot);
        let limb = |parts: [Part; 3], side: Side| {
            let [upper, lower, end] = parts.map(|part| limbs::joint(map, part, side));
            let limb = [upper?, lower?, end?];
            let is_whole =
                skeleton.is_ancestor(limb[0], limb[1]) && skeleton.is_ancestor(limb[1], limb[2]);
            is_whole.then_some(limb)
        };
        let whole = |limb: Option<[usize; 3]>| {
            limb.map(End::Limb).ok_or_else(|| {
                let what = format!(
                    "the limb of {name} is not whole: its joints do not hang from each other"
                );
                self.refused("end", what, REMEDY)
            })
        };
        let end = match info.part {
            Part::Hand => whole(limb(ARM, info.side))?,
            Part::Foot => whole(limb(LEG, info.side))?,
            Part::Head => whole(self.trunk(joint))?,
            Part::Hips => {
                let mut legs: Vec<_> = SIDES
                    .into_iter()
                    .filter_map(|side| limb(LEG, side))
                    .collect();
                if map.profile.stance == Stance::FourLegged {
                    legs.extend(SIDES.into_iter().filter_map(|side| limb(ARM, side)));
                }
                End::Hips(joint, legs)
            }
            _ => {
                let what = format!("{name} cannot be pinned");
                return Err(self.refused("end", what, REMEDY));
            }
        };
        Ok((end, Some(slot)))
    }

    /// The trunk as two bones: from its lowest joint to the neck, and on to the head.
    fn trunk(&self, head: usize) -> Option<[usize; 3]> {
        let (map, skeleton) = (self.both.target.map, &self.both.target.character.skeleton);
        let part_of = |joint: usize| {
            let mut slots = map.slots.iter();
            let found = slots.find(|(_, found)| found.joints.contains(&joint))?;
            Some(map.profile.info(*found.0).part)
        };
        let path: Vec<usize> = skeleton
            .ancestors(head)
            .take_while(|&joint| Some(joint) != self.hips)
            .filter(|&joint| matches!(part_of(joint), Some(Part::Torso | Part::Neck)))
            .collect();
        let lowest = *path.last()?;
        let middle = *path.first().filter(|&&joint| joint != lowest)?;
        Some([lowest, middle, head])
    }

    fn source_joint(&self, pin: &Pin, slot: Option<Slot>, joint: usize) -> Result<usize, Error> {
        if self.options.recipe.mirror != MirrorChoice::Off {
            return Err(self.refused(
                "to",
                "the source's path is not mirrored, so nothing can be pinned to it in the mirror"
                    .to_owned(),
                "pin to own, or leave the mirror out",
            ));
        }
        let by_slot = slot.and_then(|slot| self.both.source.map.joint(slot));
        let by_hand = || self.options.by_hand.source_of(joint);
        let by_name = || {
            let pairs = crate::links::named_pairs(
                (self.both.source.character, self.both.source.map),
                (self.both.target.character, self.both.target.map),
            );
            pairs
                .into_iter()
                .find(|pair| pair.1 == joint)
                .map(|pair| pair.0)
        };
        by_slot.or_else(by_hand).or_else(by_name).ok_or_else(|| {
            self.refused(
                "to",
                format!("the source has nothing that goes with {}", pin.end),
                "link it below [links], or pin it to a point, a joint, or its own path",
            )
        })
    }

    /// The joint that is pinned to.
    fn goal_joint(&self, name: &str, end: &End) -> Result<usize, Error> {
        let (map, skeleton) = (self.both.target.map, &self.both.target.character.skeleton);
        let slot = map.profile.find(name);
        let by_slot = slot.and_then(|slot| map.joint(slot));
        let joint = match by_slot {
            Some(joint) => joint,
            None => skeleton.find(name).map_err(|error| {
                self.refused(
                    "joint",
                    format!("in the target, {error}"),
                    "name a slot or a joint of the target",
                )
            })?,
        };
        let top = match end {
            End::Limb([upper, ..]) => *upper,
            End::Hips(hips, _) => *hips,
            End::Joint(joint) => *joint,
        };
        if joint == top || skeleton.is_ancestor(top, joint) {
            return Err(self.refused(
                "joint",
                format!("{name} moves with what shall be pinned to it"),
                "pin to a joint that does not hang from the same limb",
            ));
        }
        Ok(joint)
    }
}
