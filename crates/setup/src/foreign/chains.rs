//! Chains of joints, known by their ends, as slots.

use super::Chain;
use super::lookup::Lookup;
use super::words::shared_torso;
use crate::mapping::RigMap;
use crate::names::{NameSide, key_of};
use rebone_model::Skeleton;
use std::collections::BTreeMap;

/// Joints between hips and neck by slot.
pub(super) fn torso(joints: &[usize]) -> Vec<(String, Vec<usize>)> {
    let names: Vec<String> = joints.iter().map(usize::to_string).collect();
    shared_torso(&names)
        .into_iter()
        .map(|(slot, share)| {
            let share = share.iter().filter_map(|name| name.parse().ok());
            (slot, share.collect())
        })
        .collect()
}

/// The slots of a rig's chains. `map` is what was found by itself, and helps with limbs of many joints; what
/// cannot be used goes to `unknown`.
pub(super) fn by_chain(
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
        if path.len() == 2 {
            // The limb of a rig without hands or feet, or with feet beside the body.
            return joints
                .into_iter()
                .map(|(name, joint)| (slot(name), vec![joint]))
                .collect();
        }
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
