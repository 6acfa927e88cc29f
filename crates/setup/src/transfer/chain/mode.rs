//! How a chain of n joints moves one of m joints, as a person chooses it.

use crate::error::Error;
use crate::links::Link;
use crate::mapping::RigMap;
use crate::profile::parts::{PARTS, part_named};
use crate::profile::{Part, Slot};
use rebone_model::Remedy;
use rebone_model::skeleton::edit_distance;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How the turns of a source's chain are shared out over a target's chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ChainMode {
    /// What suits the part of the body: see `docs/methods/chains.md`.
    #[default]
    Auto,
    /// The mean of the source's deltas over the stretch that the target's bone covers.
    Overlap,
    /// The source's delta at the middle of the target's bone, between the middles of its bones.
    MidSlerp,
    /// The delta at the end of the target's bone, between the ends of the source's; the last is exact.
    EndExact,
    /// Equal shares of the whole turn by the length up to the bone's end; the last is exact.
    SpreadByLength,
    /// Shares 1, 3, 5 … of the whole turn by number; the last is exact.
    Spread,
    /// First with first, second with second.
    OneToOne,
    /// Last with last, last but one with last but one.
    OneToOneReversed,
    /// The target's bones lie along the curve of the source's.
    MatchChain,
    /// First with first, each turning against its own parent as its partner does.
    CopyLocal,
    /// The target's joints rest.
    None,
}

impl ChainMode {
    /// All modes.
    pub const ALL: [Self; 11] = [
        Self::Auto,
        Self::Overlap,
        Self::MidSlerp,
        Self::EndExact,
        Self::SpreadByLength,
        Self::Spread,
        Self::OneToOne,
        Self::OneToOneReversed,
        Self::MatchChain,
        Self::CopyLocal,
        Self::None,
    ];

    /// As a person writes it: `auto`, `overlap`, `mid-slerp` and so on.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Overlap => "overlap",
            Self::MidSlerp => "mid-slerp",
            Self::EndExact => "end-exact",
            Self::SpreadByLength => "spread-by-length",
            Self::Spread => "spread",
            Self::OneToOne => "one-to-one",
            Self::OneToOneReversed => "one-to-one-reversed",
            Self::MatchChain => "match-chain",
            Self::CopyLocal => "copy-local",
            Self::None => "none",
        }
    }

    /// The mode of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// Modes by slot (`leftUpperArm`; any slot of the torso stands for the whole of it, the first of a finger for the
/// finger) or part (`torso`, `finger`).
pub type ChainModes = BTreeMap<String, ChainMode>;

/// Modes of a map's own slots.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SlotModes {
    by_slot: BTreeMap<Slot, ChainMode>,
    by_part: Vec<(Part, ChainMode)>,
}

impl SlotModes {
    /// Fails with [`Error::Recipe`] where a name is neither a slot of the map's profile nor a part.
    pub(crate) fn new(map: &RigMap, modes: &ChainModes) -> Result<Self, Error> {
        let mut result = Self::default();
        for (name, &mode) in modes {
            match (map.profile.find(name), part_named(name)) {
                // A part may be called as a slot is (neck, tail): both mean the same chain.
                (Some(slot), _) => {
                    result.by_slot.insert(slot, mode);
                }
                (None, Some(part)) => result.by_part.push((part, mode)),
                (None, None) => return Err(unknown(map, name)),
            }
        }
        Ok(result)
    }

    /// Names of the choices that meet no chain which both rigs have.
    pub(crate) fn unused(map: &RigMap, modes: &ChainModes, links: &[Link]) -> Vec<String> {
        let part_of = |slot: Slot| map.profile.info(slot).part;
        let meets = |name: &String| match (map.profile.find(name), part_named(name)) {
            (Some(slot), _) => links.iter().any(|link| {
                let is_one_chain =
                    matches!(part_of(slot), Part::Torso | Part::Finger | Part::Thumb);
                link.slot == slot || is_one_chain && part_of(link.slot) == part_of(slot)
            }),
            (None, Some(part)) => links.iter().any(|link| part_of(link.slot) == part),
            (None, None) => false,
        };
        modes.keys().filter(|name| !meets(name)).cloned().collect()
    }

    /// The mode of a chain of these slots, the slots' own before that of their part.
    pub(super) fn of(&self, map: &RigMap, slots: &[Slot]) -> ChainMode {
        let own = slots.iter().find_map(|slot| self.by_slot.get(slot));
        let part = slots.first().map(|&slot| map.profile.info(slot).part);
        let of_part = || {
            let found = self.by_part.iter().find(|(known, _)| Some(*known) == part);
            found.map(|(_, mode)| mode)
        };
        own.or_else(of_part).copied().unwrap_or_default()
    }
}

fn unknown(map: &RigMap, name: &str) -> Error {
    let slots = map.profile.slots.iter().map(|slot| slot.name);
    let known = slots.chain(PARTS.iter().map(|(part, _)| *part));
    let nearest =
        known.min_by_key(|known| edit_distance(&name.to_lowercase(), &known.to_lowercase()));
    Error::Recipe {
        what: format!(
            "the {} has neither a slot nor a part \"{name}\"",
            map.profile.name
        ),
        place: "chain_modes".to_owned(),
        remedy: nearest.map_or_else(Remedy::default, |known| {
            format!("did you mean \"{known}\"?").into()
        }),
    }
}
