//! From a tool's map to a recipe.

use super::lookup::Lookup;
use super::words::shared_torso;
use super::{Chain, Content, ForeignMap};
use crate::links::links;
use crate::mapping::{RigMap, RigOverrides, apply_overrides};
use crate::names::{NameSide, key_of};
use crate::profile::Part;
use crate::recipe::Recipe;
use rebone_model::{Character, Skeleton, Warning};
use std::collections::{BTreeMap, BTreeSet};

/// How many names a warning lists.
const SHOWN: usize = 8;

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
        match &self.content {
            Content::Slots { .. } | Content::Chains { .. } => {
                let names = self.names();
                let known = |rig: (&Character, &RigMap)| Lookup::new(&rig.0.skeleton).count(&names);
                let (in_source, in_target) = (known(source), known(target));
                let mut recipe = Recipe::default();
                let mut warnings = Vec::new();
                if in_target >= in_source {
                    (recipe.target.slots, warnings) = self.slots(target.0, target.1);
                }
                if in_source >= in_target {
                    let own;
                    (recipe.source.slots, own) = self.slots(source.0, source.1);
                    warnings.extend(
                        own.into_iter().filter(|own| {
                            in_source > in_target || own.code != "foreign-part-unknown"
                        }),
                    );
                }
                (recipe, warnings)
            }
            Content::Pairs(pairs) => self.from_pairs(pairs, source, target),
            Content::Names { parts, pairs, .. } => {
                let (mut recipe, mut warnings) = self.from_pairs(pairs, source, target);
                let names: BTreeSet<&String> = parts.values().flatten().collect();
                for (side, rig) in [(&mut recipe.source, source), (&mut recipe.target, target)] {
                    let (slots, own) = self.slots(rig.0, rig.1);
                    side.slots.extend(slots);
                    warnings.extend(own);
                }
                // Each name belongs to one of the rigs at least.
                let [from, to] = [source, target].map(|rig| Lookup::new(&rig.0.skeleton));
                let missing: Vec<String> = names
                    .into_iter()
                    .filter(|name| from.peek(name).is_none() && to.peek(name).is_none())
                    .cloned()
                    .collect();
                warnings.extend(missing_joints(self, &missing, ""));
                let mut seen = BTreeSet::new();
                warnings.retain(|warning| seen.insert((warning.code, warning.message.clone())));
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

    fn from_pairs(
        &self,
        pairs: &[(String, String)],
        source: (&Character, &RigMap),
        target: (&Character, &RigMap),
    ) -> (Recipe, Vec<Warning>) {
        let [mut from, mut to] = [source, target].map(|rig| Lookup::new(&rig.0.skeleton));
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
        recipe.target.slots = carried(&found, source.1, target);
        let swapped: Vec<(usize, usize)> = found.iter().map(|pair| (pair.1, pair.0)).collect();
        recipe.source.slots = carried(&swapped, target.1, source);
        let with = |rig: (&Character, &RigMap), slots: &RigOverrides| {
            let mut map = rig.1.clone();
            // Slots of one joint each, each joint once: these cannot be refused.
            let _ = apply_overrides(&mut map, rig.0, slots);
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
                    from.skeleton.unique_name(joint).to_owned(),
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
                "nothing, if source and target are given in the order you want",
            ));
        }
        (recipe, warnings)
    }
}

/// Slots of one rig, from the other rig's slots and pairs of (other, own) joints: those that it lacks.
fn carried(pairs: &[(usize, usize)], known: &RigMap, own: (&Character, &RigMap)) -> RigOverrides {
    let mut result = RigOverrides::new();
    let in_slot = |joint: usize| {
        own.1
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
            && let Some(slot) = own.1.profile.find(name)
            && !own.1.slots.contains_key(&slot)
            && !in_slot(other)
            && taken.insert(other)
        {
            let joint = own.0.skeleton.unique_name(other).to_owned();
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
        let mut joints: Vec<usize> = names.iter().filter_map(|name| lookup.peek(name)).collect();
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

/// Joints between hips and neck by slot.
fn torso(joints: &[usize]) -> Vec<(String, Vec<usize>)> {
    let names: Vec<String> = joints.iter().map(usize::to_string).collect();
    shared_torso(&names)
        .into_iter()
        .map(|(slot, share)| {
            let share = share.iter().filter_map(|name| name.parse().ok());
            (slot, share.collect())
        })
        .collect()
}

fn by_chain(
    root: Option<&str>,
    chains: &[Chain],
    map: &RigMap,
    lookup: &mut Lookup<'_>,
    unknown: &mut Vec<String>,
) -> BTreeMap<String, Vec<usize>> {
    let mut result = BTreeMap::new();
    let root = root.and_then(|root| lookup.find(root));
    if let Some(root) = root {
        result.insert("hips".to_owned(), vec![root]);
    }
    for chain in chains {
        let (start, end) = (lookup.find(&chain.start), lookup.find(&chain.end));
        let (Some(start), Some(end)) = (start, end) else {
            continue;
        };
        let mut path = path(lookup.skeleton, start, end);
        path.retain(|joint| Some(*joint) != root);
        let key = key_of(&chain.name);
        let side = match key.side {
            Some(NameSide::Left) => "left",
            Some(NameSide::Right) => "right",
            None => "",
        };
        let parts = parts_of(&key.word, side, &path, map);
        if parts.is_empty() && key.word != "root" {
            unknown.push(format!("{} ({} to {})", chain.name, chain.start, chain.end));
        }
        result.extend(parts);
    }
    result
}

/// The joints from `start` down to `end`; empty where they are not on one path.
fn path(skeleton: &Skeleton, start: usize, end: usize) -> Vec<usize> {
    let mut path = vec![end];
    path.extend(skeleton.ancestors(end).take_while(|&above| above != start));
    if start != end {
        if !skeleton.is_ancestor(start, end) {
            return Vec::new();
        }
        path.push(start);
    }
    path.reverse();
    if start == end { vec![start] } else { path }
}

/// The slots of a chain with this name, without its side.
fn parts_of(word: &str, side: &str, path: &[usize], map: &RigMap) -> Vec<(String, Vec<usize>)> {
    let (Some(&first), Some(&last)) = (path.first(), path.last()) else {
        return Vec::new();
    };
    let slot = |name: &str| crate::profile::dialect::sided_name(side, name);
    if side.is_empty() {
        return match word {
            "spine" | "torso" => torso(path),
            "neck" => vec![("neck".to_owned(), path.to_vec())],
            "head" => vec![("head".to_owned(), vec![first])],
            "pelvis" | "hips" => vec![("hips".to_owned(), vec![first])],
            _ => Vec::new(),
        };
    }
    let limb = |names: [&str; 4]| {
        let mut parts: Vec<(String, Vec<usize>)> = Vec::new();
        // Of a path that is longer than the limb has parts, the map that was found tells the joints.
        let own = |name: &str| {
            map.joint_named(&slot(name))
                .filter(|joint| path.contains(joint))
        };
        // Four joints are a leg with toes, unless the last is known to be the foot.
        let with_toes = !names[3].is_empty() && own(names[2]) != Some(last);
        let joints: Vec<(&str, usize)> = if path.len() < 4 || path.len() == 4 && with_toes {
            names.into_iter().zip(path.iter().copied()).collect()
        } else {
            let between = names[1..]
                .iter()
                .filter_map(|name| Some((*name, own(name)?)));
            std::iter::once((names[0], first)).chain(between).collect()
        };
        if path.len() < 3 {
            return parts;
        }
        for (name, joint) in joints {
            parts.push((slot(name), vec![joint]));
        }
        if names[3].is_empty() {
            parts.retain(|(name, _)| *name != slot(names[2]));
            parts.push((slot(names[2]), vec![last]));
        }
        parts
    };
    let finger = |name: &str| {
        let own = &path[path.len().saturating_sub(3)..];
        crate::profile::dialect::finger_parts(name)
            .iter()
            .zip(own)
            .map(|(part, &joint)| (slot(&format!("{name}{part}")), vec![joint]))
            .collect()
    };
    match word {
        "clavicle" | "shoulder" => vec![(slot("Shoulder"), path.to_vec())],
        "arm" => limb(["UpperArm", "LowerArm", "Hand", ""]),
        "leg" => limb(["UpperLeg", "LowerLeg", "Foot", "Toes"]),
        "foot" => ["Foot", "Toes"]
            .iter()
            .zip(path)
            .map(|(name, &joint)| (slot(name), vec![joint]))
            .collect(),
        "toe" | "toes" | "ball" => vec![(slot("Toes"), vec![first])],
        "hand" => vec![(slot("Hand"), vec![first])],
        "thumb" => finger("Thumb"),
        "index" => finger("Index"),
        "middle" => finger("Middle"),
        "ring" => finger("Ring"),
        "pinky" | "little" => finger("Little"),
        _ => Vec::new(),
    }
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

fn told(map: &ForeignMap, lookup: &Lookup<'_>, side: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Some((name, own)) = lookup.respelt.iter().next() {
        let count = lookup.respelt.len();
        warnings.push(Warning::new(
            "foreign-names-differ",
            format!(
                "the map of {} spells {count} of the {side}joints otherwise than the file: \"{name}\" was taken for \"{own}\"",
                map.tool.title()
            ),
            "nothing, if these are the joints that are meant",
        ));
    }
    warnings.extend(missing_joints(map, &lookup.missing, side));
    warnings
}

fn missing_joints(map: &ForeignMap, missing: &[String], side: &str) -> Option<Warning> {
    (!missing.is_empty()).then(|| {
        Warning::new(
            "foreign-joint-missing",
            format!(
                "the map of {} names joints that are not among the {side}joints: {}",
                map.tool.title(),
                some(missing)
            ),
            "nothing, if the rig lacks them; they are left out",
        )
    })
}

fn unknown_parts(map: &ForeignMap, unknown: &[String]) -> Option<Warning> {
    (!unknown.is_empty()).then(|| {
        Warning::new(
            "foreign-part-unknown",
            format!(
                "what the map of {} says of these could not be used: {}",
                map.tool.title(),
                some(unknown)
            ),
            "link the joints by hand in a recipe if they are to move",
        )
    })
}

/// The first few names of a list.
pub(super) fn some(names: &[String]) -> String {
    let shown = names.len().min(SHOWN);
    let rest = names.len() - shown;
    let list = names[..shown].join(", ");
    if rest == 0 {
        list
    } else {
        format!("{list} and {rest} more")
    }
}
