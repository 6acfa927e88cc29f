//! From maps and links to a tool's map.

use super::doubts::some;
use super::rig::Rig;
use super::standard_chains::StandardChains;
use super::words::{EXPY_KIT, GODOT, HUMANIK, ROKOKO, UNITY, Words};
use super::{
    Tool, auto_rig_pro, expy_kit, godot, human_ik, keemap, qtmesh, rokoko, threejs, unity, unreal,
    wrong,
};
use crate::by_hand::HandLinks;
use crate::error::Error;
use crate::links::{links, torso};
use crate::mapping::RigMap;
use crate::profile::Part;
use rebone_model::{Character, Warning};
use std::collections::{BTreeMap, BTreeSet};

/// A tool's map as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What goes into the file.
    pub text: String,
    /// What the format has no place for: `foreign-not-kept`.
    pub warnings: Vec<Warning>,
}

/// Writes what is known of a target, or of a pair, as a tool's map. Maps of one rig are the target's.
///
/// Fails with [`Error::Recipe`] where the tool's map is about a pair and there is no source, or where there is
/// nothing to write.
pub fn write(
    tool: Tool,
    source: Option<(&Character, &RigMap)>,
    target: (&Character, &RigMap),
    by_hand: &HandLinks,
) -> Result<Written, Error> {
    let source = source.map(|(character, map)| Rig::new(character, map));
    let target = Rig::new(target.0, target.1);
    let mut left_over = Vec::new();
    let text = if tool.is_of_one_rig() {
        left_over.extend(by_hand.pairs.iter().map(|pair| target.name(pair.1)));
        one_rig(tool, target, &mut left_over)
    } else {
        let Some(source) = source else {
            return Err(wrong(
                format!(
                    "a map of {} goes from one rig to another, but there is only one",
                    tool.title()
                ),
                "the target",
                "give a source and a target",
            ));
        };
        // That a joint follows nothing cannot be said.
        let out = by_hand.left_out.iter();
        left_over.extend(out.map(|&joint| format!("{} (taken out)", target.name(joint))));
        pair(tool, source, target, by_hand, &mut left_over)
    };
    for rig in source.into_iter().chain([target]) {
        left_over.extend(rig.of_equal_names());
    }
    let Some(text) = text else {
        return Err(wrong(
            format!("there is nothing that a map of {} could hold", tool.title()),
            "the map",
            "no slot was found; name the joints in a recipe first",
        ));
    };
    let mut seen = BTreeSet::new();
    left_over.retain(|joint| seen.insert(joint.clone()));
    let warnings = if left_over.is_empty() {
        Vec::new()
    } else {
        vec![Warning::new(
            "foreign-not-kept",
            format!(
                "a map of {} has no place for {}",
                tool.title(),
                some(&left_over)
            ),
            "a recipe (-o FILE.toml) keeps everything",
        )]
    };
    Ok(Written { text, warnings })
}

fn one_rig(tool: Tool, rig: Rig<'_>, left_over: &mut Vec<String>) -> Option<String> {
    let spell = |words: &Words, left_over: &mut Vec<String>| {
        let (pairs, more) = words.spell(&rig.names_by_slot());
        left_over.extend(more);
        (!pairs.is_empty()).then_some(pairs)
    };
    match tool {
        Tool::Godot => Some(godot::write(&spell(&GODOT, left_over)?)),
        Tool::Unity => Some(unity::write(&spell(&UNITY, left_over)?)),
        Tool::HumanIk => Some(human_ik::write(&spell(&HUMANIK, left_over)?)),
        Tool::ExpyKit => Some(expy_kit::write(&spell(&EXPY_KIT, left_over)?)),
        _ => {
            let standard = StandardChains::of(rig);
            let lost = rig
                .joints()
                .filter(|joint| !standard.joints.contains(joint));
            left_over.extend(lost.map(|joint| rig.name(joint)));
            let chains = standard.chains;
            (!chains.is_empty()).then(|| unreal::write(rig.hips().as_deref(), &chains))
        }
    }
}

fn pair(
    tool: Tool,
    source: Rig<'_>,
    target: Rig<'_>,
    by_hand: &HandLinks,
    left_over: &mut Vec<String>,
) -> Option<String> {
    if tool == Tool::Rokoko {
        return rokoko_scheme(source, target, by_hand);
    }
    let one_to_one = matches!(tool, Tool::Threejs | Tool::QtMesh | Tool::AutoRigPro);
    let mut taken = BTreeSet::new();
    let mut pairs = Vec::new();
    for (from, to) in one_to_one_pairs(source.map, target.map, by_hand) {
        if taken.insert(from) || !one_to_one {
            pairs.push((source.name(from), target.name(to)));
        } else {
            left_over.push(target.name(to));
        }
    }
    let linked: BTreeSet<&String> = pairs.iter().map(|pair| &pair.1).collect();
    // What nothing of the source moves is not lost by the format.
    let moved = links(source.map, target.map)
        .into_iter()
        .flat_map(|link| link.target);
    let lost = moved
        .filter(|joint| !by_hand.left_out.contains(joint))
        .map(|joint| target.name(joint))
        .filter(|joint| !linked.contains(joint));
    left_over.extend(lost);
    let root = target.hips();
    let root = root.as_deref();
    (!pairs.is_empty()).then(|| match tool {
        Tool::AutoRigPro => auto_rig_pro::write(&pairs, root),
        Tool::KeeMap => keemap::write(&pairs, root),
        Tool::Threejs => threejs::write(&pairs),
        _ => qtmesh::write(&pairs),
    })
}

/// Source and target joints, of chains of unlike length those that lie equally far along, by target joint.
fn one_to_one_pairs(source: &RigMap, target: &RigMap, by_hand: &HandLinks) -> Vec<(usize, usize)> {
    let mut result = Vec::new();
    for link in links(source, target) {
        let (from, to) = (&link.source, &link.target);
        let spread = source.profile.info(link.slot).part == Part::Torso;
        let count = if spread || from.len() == to.len() {
            from.len().min(to.len())
        } else {
            1
        };
        for index in 0..count {
            let along = |joints: &[usize]| joints[index * (joints.len() - 1) / (count - 1).max(1)];
            result.push((along(from), along(to)));
        }
    }
    result.retain(|pair| !by_hand.decides(pair.1));
    result.extend(&by_hand.pairs);
    result.sort_by_key(|pair| (pair.1, pair.0));
    result
}

fn rokoko_scheme(source: Rig<'_>, target: Rig<'_>, by_hand: &HandLinks) -> Option<String> {
    let mut parts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for rig in [source, target] {
        let mut slots = rig.names_by_slot();
        let spine: Vec<String> = torso(rig.map)
            .iter()
            .map(|&joint| rig.name(joint))
            .collect();
        for slot in ["spine", "chest", "upperChest"] {
            slots.remove(slot);
        }
        // One name a part; the tool has one word for all joints of the spine.
        let firsts = slots
            .into_iter()
            .filter_map(|(slot, joints)| Some((slot, vec![joints.into_iter().next()?])));
        let (spelled, _) = ROKOKO.spell(&firsts.collect());
        let spine = spine.into_iter().map(|joint| ("spine".to_owned(), joint));
        for (word, joint) in spelled.into_iter().chain(spine) {
            let names = parts.entry(word).or_default();
            if names
                .iter()
                .all(|known| known.to_lowercase() != joint.to_lowercase())
            {
                names.push(joint);
            }
        }
    }
    let by_hand = by_hand.pairs.iter();
    let pairs: Vec<(String, String)> = by_hand
        .map(|&(from, to)| (source.name(from), target.name(to)))
        .collect();
    (!parts.is_empty() || !pairs.is_empty()).then(|| rokoko::write(&parts, &pairs))
}
