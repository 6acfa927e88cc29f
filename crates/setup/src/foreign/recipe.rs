//! From a tool's map to a recipe.

use super::chains::{by_chain, torso};
use super::doubts::{missing_joints, told, unknown_parts};
use super::lookup::Lookup;
use super::rig::Rig;
use super::{Content, ForeignMap};
use crate::links::links;
use crate::mapping::{RigMap, RigOverrides, apply_overrides};
use crate::profile::Part;
use crate::recipe::Recipe;
use rebone_model::{Character, Warning};
use std::collections::{BTreeMap, BTreeSet};

impl ForeignMap {
    /// The slots that the map gives one rig, to be put on top of what was found by itself. Joints that cannot
    /// be used are told: `foreign-names-differ`, `foreign-joint-missing`, `foreign-part-unknown`.
    pub fn slots(&self, character: &Character, map: &RigMap) -> (RigOverrides, Vec<Warning>) {
        let mut lookup = Lookup::new(&character.skeleton);
        let mut unknown = Vec::new();
        let found = match &self.content {
            Content::Slots {
                slots,
                unknown: own,
            } => {
                unknown.extend(own.iter().map(|(word, joint)| format!("{word} ({joint})")));
                by_name(slots, &mut lookup)
            }
            Content::Chains { root, chains } => {
                by_chain(root.as_deref(), chains, map, &mut lookup, &mut unknown)
            }
            Content::Names {
                parts,
                unknown: own,
                ..
            } => {
                unknown.extend(own.iter().map(|(word, joint)| format!("{word} ({joint})")));
                by_any_name(parts, &lookup)
            }
            Content::Pairs(_) => BTreeMap::new(),
        };
        let overrides = valid(found, &lookup, map, &mut unknown);
        let mut warnings = told(self, &lookup, "");
        warnings.extend(unknown_parts(self, &unknown));
        (overrides, warnings)
    }

    /// A recipe that does what the map says. A map of one rig goes to the side whose joints it names, to both
    /// where they name the same.
    ///
    /// Pairs become slots where one side's slot is known and the other's is not, and links by hand where the
    /// slots would link otherwise. Doubts as in [`ForeignMap::slots`], and `foreign-map-reversed`.
    pub fn recipe(
        &self,
        source: (&Character, &RigMap),
        target: (&Character, &RigMap),
    ) -> (Recipe, Vec<Warning>) {
        let [source, target] = [source, target].map(|(character, map)| Rig::new(character, map));
        match &self.content {
            Content::Slots { .. } | Content::Chains { .. } => {
                let names = self.names();
                let known = |rig: Rig<'_>| Lookup::new(&rig.character.skeleton).count(&names);
                let (in_source, in_target) = (known(source), known(target));
                let mut recipe = Recipe::default();
                let mut warnings = Vec::new();
                if in_target >= in_source {
                    (recipe.target.slots, warnings) = self.slots(target.character, target.map);
                }
                if in_source >= in_target {
                    let own;
                    (recipe.source.slots, own) = self.slots(source.character, source.map);
                    warnings.extend(
                        own.into_iter().filter(|own| {
                            in_source > in_target || own.code != "foreign-part-unknown"
                        }),
                    );
                }
                told_once(&mut warnings);
                (recipe, warnings)
            }
            Content::Pairs(pairs) => self.of_pairs(pairs, source, target),
            Content::Names { parts, pairs, .. } => {
                let (mut recipe, mut warnings) = self.of_pairs(pairs, source, target);
                let names: BTreeSet<&String> = parts.values().flatten().collect();
                for (side, rig) in [(&mut recipe.source, source), (&mut recipe.target, target)] {
                    let (slots, own) = self.slots(rig.character, rig.map);
                    side.slots.extend(slots);
                    warnings.extend(own);
                }
                // Each name belongs to one of the rigs at least.
                let [from, to] = [source, target].map(|rig| Lookup::new(&rig.character.skeleton));
                let missing: Vec<String> = names
                    .into_iter()
                    .filter(|name| from.peek(name).is_none() && to.peek(name).is_none())
                    .cloned()
                    .collect();
                warnings.extend(missing_joints(self, &missing, ""));
                told_once(&mut warnings);
                (recipe, warnings)
            }
        }
    }

    /// All names of joints of a map of one rig.
    fn names(&self) -> BTreeSet<String> {
        match &self.content {
            Content::Slots { slots, .. } => slots.values().flatten().cloned().collect(),
            Content::Chains { root, chains } => chains
                .iter()
                .flat_map(|chain| [&chain.start, &chain.end])
                .chain(root)
                .cloned()
                .collect(),
            _ => BTreeSet::new(),
        }
    }

    fn of_pairs(
        &self,
        pairs: &[(String, String)],
        source: Rig<'_>,
        target: Rig<'_>,
    ) -> (Recipe, Vec<Warning>) {
        let [mut from, mut to] = [source, target].map(|rig| Lookup::new(&rig.character.skeleton));
        let fit = |first: &Lookup<'_>, second: &Lookup<'_>| {
            first.count(pairs.iter().map(|pair| &pair.0))
                + second.count(pairs.iter().map(|pair| &pair.1))
        };
        let reversed = fit(&to, &from) > fit(&from, &to);
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (first, second) in pairs {
            let (first, second) = if reversed {
                (second, first)
            } else {
                (first, second)
            };
            // Both are asked, so that both are told.
            let (joint, other) = (from.find(first), to.find(second));
            if let (Some(joint), Some(other)) = (joint, other)
                && found.iter().all(|pair| pair.1 != other)
            {
                found.push((joint, other));
            }
        }
        let mut recipe = Recipe::default();
        recipe.target.slots = carried(&found, source.map, target);
        let swapped: Vec<(usize, usize)> = found.iter().map(|pair| (pair.1, pair.0)).collect();
        recipe.source.slots = carried(&swapped, target.map, source);
        let with = |rig: Rig<'_>, slots: &RigOverrides| {
            let mut map = rig.map.clone();
            // Slots of one joint each, each joint once: these cannot be refused.
            let _ = apply_overrides(&mut map, rig.character, slots);
            map
        };
        let by_slots = exact(
            &with(source, &recipe.source.slots),
            &with(target, &recipe.target.slots),
        );
        for (joint, other) in found {
            if !by_slots.contains(&(joint, other)) {
                recipe.links.insert(
                    to.skeleton.unique_name(other).to_owned(),
                    from.skeleton.unique_name(joint).into(),
                );
            }
        }
        let mut warnings = told(self, &from, "source's ");
        warnings.extend(told(self, &to, "target's "));
        if reversed {
            warnings.push(Warning::new(
                "foreign-map-reversed",
                format!(
                    "the map of {} goes from the target's joints to the source's, and was read the other way round",
                    self.tool.title()
                ),
                "nothing has to be done if source and target are given in the order you want",
            ));
        }
        (recipe, warnings)
    }
}

/// Two rigs may lack the same joints.
fn told_once(warnings: &mut Vec<Warning>) {
    let mut seen = BTreeSet::new();
    warnings.retain(|warning| seen.insert((warning.code, warning.message.clone())));
}

/// Slots of one rig, from the other rig's slots and pairs of (other, own) joints: those that it lacks.
fn carried(pairs: &[(usize, usize)], known: &RigMap, own: Rig<'_>) -> RigOverrides {
    let mut result = RigOverrides::new();
    let in_slot = |joint: usize| {
        own.map
            .slots
            .values()
            .any(|found| found.joints.contains(&joint))
    };
    let mut taken = BTreeSet::new();
    for &(joint, other) in pairs {
        let slot = known
            .slots
            .iter()
            .find(|(_, found)| found.joints.first() == Some(&joint))
            .map(|(slot, _)| known.profile.info(*slot).name);
        if let Some(name) = slot
            && let Some(slot) = own.map.profile.find(name)
            && !own.map.slots.contains_key(&slot)
            && !in_slot(other)
            && taken.insert(other)
        {
            let joint = own.character.skeleton.unique_name(other).to_owned();
            result.entry(name.to_owned()).or_insert_with(|| vec![joint]);
        }
    }
    result
}

/// The joints that slots alone link one to one.
fn exact(source: &RigMap, target: &RigMap) -> BTreeSet<(usize, usize)> {
    let mut result = BTreeSet::new();
    for link in links(source, target) {
        let equal = link.source.len() == link.target.len();
        let torso = source.profile.info(link.slot).part == Part::Torso;
        let count = match (equal, torso) {
            (true, _) => link.target.len(),
            (false, true) => 0,
            (false, false) => 1,
        };
        result.extend(link.source.into_iter().zip(link.target).take(count));
    }
    result
}

fn by_name(
    slots: &BTreeMap<String, Vec<String>>,
    lookup: &mut Lookup<'_>,
) -> BTreeMap<String, Vec<usize>> {
    slots
        .iter()
        .map(|(slot, names)| {
            let joints = names.iter().filter_map(|name| lookup.find(name));
            (slot.clone(), joints.collect())
        })
        .collect()
}

fn by_any_name(
    parts: &BTreeMap<String, Vec<String>>,
    lookup: &Lookup<'_>,
) -> BTreeMap<String, Vec<usize>> {
    let mut result = BTreeMap::new();
    for (part, names) in parts {
        // The list has the names of both rigs: those that fit as they stand come first, as the other rig's may
        // fit without its namespace.
        let found = |find: &dyn Fn(&str) -> Option<usize>| -> Vec<usize> {
            names.iter().filter_map(|name| find(name)).collect()
        };
        let mut joints = found(&|name| lookup.peek_whole(name));
        if joints.is_empty() {
            joints = found(&|name| lookup.peek(name));
        }
        if part == "torso" {
            joints.sort_unstable();
            joints.dedup();
            result.extend(torso(&joints));
        } else {
            joints.truncate(1);
            result.insert(part.clone(), joints);
        }
    }
    result
}

/// What of the slots can be put on top of a map: slots that its profile has, each joint once, chains from
/// parent to child.
fn valid(
    found: BTreeMap<String, Vec<usize>>,
    lookup: &Lookup<'_>,
    map: &RigMap,
    unknown: &mut Vec<String>,
) -> RigOverrides {
    let mut result = RigOverrides::new();
    let mut taken: BTreeMap<usize, String> = BTreeMap::new();
    // In the order of the profile: of two slots with one joint the one nearer to the hips keeps it.
    let order = |name: &String| map.profile.find(name);
    let mut found: Vec<(String, Vec<usize>)> = found.into_iter().collect();
    found.sort_by_key(|(name, _)| order(name));
    for (name, joints) in found {
        if order(&name).is_none() {
            unknown.push(name);
            continue;
        }
        let mut chain: Vec<usize> = Vec::new();
        for joint in joints {
            let own = lookup.skeleton.unique_name(joint);
            if let Some(other) = taken.get(&joint) {
                unknown.push(format!("{name} ({own}, which is {other} already)"));
                continue;
            }
            let below = chain
                .last()
                .is_none_or(|&above| lookup.skeleton.is_ancestor(above, joint));
            if below {
                taken.insert(joint, name.clone());
                chain.push(joint);
            } else {
                unknown.push(format!("{name} ({own}, which lies beside its chain)"));
            }
        }
        if !chain.is_empty() {
            let names = chain
                .iter()
                .map(|&joint| lookup.skeleton.unique_name(joint).to_owned());
            result.insert(name, names.collect());
        }
    }
    result
}
