//! From a table and a recipe to the limits of one rig's slots.

use super::{JointLimit, LimitTable, Limits, LimitsChoice, SlotLimit, human};
use crate::error::Error;
use crate::mapping::{RigMap, unknown_slot};
use crate::profile::custom::custom_profile;
use crate::profile::{HUMANOID, Part, Slot};
use rebone_model::{Action, Remedy, Warning};
use std::collections::BTreeMap;

/// The limits of a rig, with a warning for each slot of the recipe that the rig lacks.
///
/// Slots that the rig lacks are moved by those below them, which get their ranges on top: a head without neck, an arm without
/// collar bone. The torso is one chain: all its slots share the sum of their ranges.
///
/// Fails with [`Error::Recipe`] where there is no such slot, or no such table for this kind of body.
pub fn limits(
    map: &RigMap,
    choice: LimitsChoice,
    slots: &BTreeMap<String, SlotLimit>,
) -> Result<(Limits, Vec<Warning>), Error> {
    let table = table(map, choice)?;
    let mut by_slot: Limits = Limits::new();
    for (name, limit) in &table {
        if let Some(slot) = map.profile.find(name) {
            by_slot.insert(slot, *limit);
        }
    }
    let mut warnings = Vec::new();
    for (name, own) in slots {
        let slot = map
            .profile
            .find(name)
            .ok_or_else(|| unknown_slot(map, name))?;
        if !reaches(map, slot) {
            warnings.push(Warning::new(
                "limits-unused",
                format!("the recipe limits {name}, but the rig has no joint for it"),
                "give the slot a joint in the recipe, or delete the line",
            ));
        }
        match own.on(by_slot.get(&slot)) {
            Some(limit) => by_slot.insert(slot, limit),
            None => by_slot.remove(&slot),
        };
    }
    Ok((present(map, &by_slot), warnings))
}

fn table(map: &RigMap, choice: LimitsChoice) -> Result<LimitTable, Error> {
    let custom = custom_profile(map.profile);
    let is_human = std::ptr::eq(map.profile, &HUMANOID);
    match choice {
        LimitsChoice::None | LimitsChoice::Learnt => Ok(LimitTable::new()),
        LimitsChoice::Human | LimitsChoice::Profile if is_human => human(),
        LimitsChoice::Profile if custom.is_some_and(|custom| !custom.limits.is_empty()) => {
            Ok(custom
                .map(|custom| custom.limits.clone())
                .unwrap_or_default())
        }
        _ => Err(Error::Recipe {
            what: format!(
                "there is no table \"{}\" of limits for a body of the kind {}",
                choice.name(),
                map.profile.name
            ),
            place: "limits".to_owned(),
            remedy: Remedy::new(
                "learn limits from clips, or write them into the recipe or the profile",
                &[Action::LearnLimits],
            ),
        }),
    }
}

/// True where a slot has a joint, or passes its limits on to one that has.
fn reaches(map: &RigMap, slot: Slot) -> bool {
    let mut below = map.slots.keys().copied();
    map.joint(slot).is_some()
        || map.profile.info(slot).part == Part::Torso
        || below.any(|below| {
            let mut at = map.profile.parent(below);
            while let Some(above) = at.filter(|&above| map.joint(above).is_none()) {
                if above == slot {
                    return true;
                }
                at = map.profile.parent(above);
            }
            false
        })
}

/// The limits of the slots that the rig has, with those of the slots that it lacks on top.
fn present(map: &RigMap, all: &Limits) -> Limits {
    let is_torso = |slot: Slot| map.profile.info(slot).part == Part::Torso;
    let mut result = Limits::new();
    for &slot in map.slots.keys().filter(|&&slot| !is_torso(slot)) {
        let Some(mut limit) = all.get(&slot).copied() else {
            continue;
        };
        let mut at = map.profile.parent(slot);
        while let Some(above) = at.filter(|&above| map.joint(above).is_none() && !is_torso(above)) {
            if let Some(other) = all.get(&above) {
                limit = limit.with(other);
            }
            at = map.profile.parent(above);
        }
        result.insert(slot, limit);
    }
    let torso = map.profile.all().filter(|&slot| is_torso(slot));
    let torso: Vec<JointLimit> = torso.filter_map(|slot| all.get(&slot).copied()).collect();
    let whole = torso
        .split_first()
        .map(|(first, others)| others.iter().fold(*first, |sum, other| sum.with(other)));
    if let Some(whole) = whole {
        let own = map.slots.keys().copied().filter(|&slot| is_torso(slot));
        result.extend(own.map(|slot| (slot, whole)));
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::{Kind, SlotMatch};
    use crate::profile::Profile;
    use crate::profile::custom::read_profile;

    fn map(profile: &'static Profile, slots: &[&str]) -> RigMap {
        let found = slots.iter().enumerate().map(|(joint, name)| {
            let found = SlotMatch {
                joints: vec![joint],
                confidence: 1.0,
                evidence: "recipe".to_owned(),
                runner_up: None,
            };
            (profile.find(name).unwrap(), found)
        });
        RigMap {
            profile,
            dialect: String::new(),
            kind: Kind::Humanoid,
            confidence: 1.0,
            slots: found.collect(),
            unmapped: Vec::new(),
            warnings: Vec::new(),
        }
    }

    #[test]
    fn missing_slots_pass_their_ranges_on() {
        let of = |slots: &[&str], name: &str| {
            let map = map(&HUMANOID, slots);
            let (found, _) = limits(&map, LimitsChoice::Human, &BTreeMap::new()).unwrap();
            found[&HUMANOID.find(name).unwrap()]
        };
        let table = human().unwrap();
        let with_neck = of(&["hips", "spine", "neck", "head"], "head");
        assert_eq!(with_neck, table["head"]);
        let without = of(&["hips", "spine", "head"], "head");
        assert_eq!(
            without.bend[1],
            table["head"].bend[1] + table["neck"].bend[1]
        );
        let torso = of(&["hips", "spine", "head"], "spine");
        let sum = ["spine", "chest", "upperChest"].map(|slot| table[slot].bend[1]);
        assert_eq!(torso.bend[1], sum.iter().sum::<f64>());
    }

    #[test]
    fn profiles_have_their_own_tables() {
        let text = "name = \"x\"\n[[slots]]\nname = \"a\"\npart = \"hips\"\n[[slots]]\nname = \"b\"\n\
                    parent = \"a\"\nlimits = { bend = [-1, 2] }\n";
        let custom = &read_profile(text).unwrap().profile;
        let own = map(custom, &["a", "b"]);
        let found = |choice| limits(&own, choice, &BTreeMap::new());
        let (profile, _) = found(LimitsChoice::Profile).unwrap();
        assert_eq!(profile[&Slot(1)].bend, [-1.0, 2.0]);
        assert!(found(LimitsChoice::None).unwrap().0.is_empty());
        let error = found(LimitsChoice::Human).unwrap_err().to_string();
        assert!(error.contains("no table \"human\""), "{error}");
        let free = SlotLimit {
            free: true,
            ..SlotLimit::default()
        };
        let slots = [("b".to_owned(), free)].into();
        assert!(
            limits(&own, LimitsChoice::Profile, &slots)
                .unwrap()
                .0
                .is_empty()
        );
        let slots = [("c".to_owned(), free)].into();
        assert!(limits(&own, LimitsChoice::None, &slots).is_err());
    }
}
