//! Chains of joints, known by their ends, as slots.

use super::Chain;
use super::lookup::Lookup;
use super::words::shared_torso;
use crate::mapping::RigMap;
use crate::names::{NameSide, key_of};
use crate::profile::dialect::{finger_parts, sided_name};
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
    let Some(&first) = path.first() else {
        return Vec::new();
    };
    if side.is_empty() {
        return match word {
            "spine" | "torso" => torso(path),
            "neck" => vec![("neck".to_owned(), path.to_vec())],
            "head" => vec![("head".to_owned(), vec![first])],
            "pelvis" | "hips" => vec![("hips".to_owned(), vec![first])],
            _ => Vec::new(),
        };
    }
    let last = path.last().copied().unwrap_or(first);
    let chain = SideChain {
        side,
        path,
        last,
        map,
    };
    match word {
        "clavicle" | "shoulder" => vec![(chain.slot("Shoulder"), path.to_vec())],
        "arm" => chain.arm(),
        "leg" => chain.leg(),
        "foot" => chain.one_each(&["Foot", "Toes"], path),
        "toe" | "toes" | "ball" => vec![(chain.slot("Toes"), vec![first])],
        "hand" => vec![(chain.slot("Hand"), vec![first])],
        "thumb" => chain.finger("Thumb"),
        "index" => chain.finger("Index"),
        "middle" => chain.finger("Middle"),
        "ring" => chain.finger("Ring"),
        "pinky" | "little" => chain.finger("Little"),
        _ => Vec::new(),
    }
}

/// A chain of one side of a body.
struct SideChain<'a> {
    side: &'a str,
    /// Its joints.
    path: &'a [usize],
    last: usize,
    /// What was found by itself.
    map: &'a RigMap,
}

impl SideChain<'_> {
    fn slot(&self, name: &str) -> String {
        sided_name(self.side, name)
    }

    /// The joint of the path that the map has in this slot.
    fn mapped(&self, name: &str) -> Option<usize> {
        let joint = self.map.joint_named(&self.slot(name));
        joint.filter(|joint| self.path.contains(joint))
    }

    /// One joint for each slot, for as long as there are joints.
    fn one_each(&self, names: &[impl AsRef<str>], joints: &[usize]) -> Vec<(String, Vec<usize>)> {
        let names = names.iter().map(AsRef::as_ref);
        names
            .zip(joints)
            .map(|(name, &joint)| (self.slot(name), vec![joint]))
            .collect()
    }

    /// The last joint is the hand, unless the rig has none.
    fn arm(&self) -> Vec<(String, Vec<usize>)> {
        let mut parts = self.limb(&["UpperArm", "LowerArm", "Hand"], 3);
        if self.path.len() > 2 {
            let hand = self.slot("Hand");
            parts.retain(|(name, _)| *name != hand);
            parts.push((hand, vec![self.last]));
        }
        parts
    }

    /// Four joints are a leg with toes, unless the last is known to be the foot.
    fn leg(&self) -> Vec<(String, Vec<usize>)> {
        let has_toes = self.mapped("Foot") != Some(self.last);
        let most = if has_toes { 4 } else { 3 };
        self.limb(&["UpperLeg", "LowerLeg", "Foot", "Toes"], most)
    }

    /// The slots of a limb. Up to `most` joints are its parts in order. Of a longer path the map tells the joints.
    fn limb(&self, names: &[&str], most: usize) -> Vec<(String, Vec<usize>)> {
        if self.path.len() < 2 {
            return Vec::new();
        }
        if self.path.len() <= most {
            return self.one_each(names, self.path);
        }
        let mapped = names.iter().skip(1).filter_map(|name| {
            let joint = self.mapped(name)?;
            Some((self.slot(name), vec![joint]))
        });
        let first = self.one_each(names, &self.path[..1]);
        first.into_iter().chain(mapped).collect()
    }

    /// The last joints of the path are those of the finger.
    fn finger(&self, name: &str) -> Vec<(String, Vec<usize>)> {
        let names = finger_parts(name).map(|part| format!("{name}{part}"));
        self.one_each(&names, &self.path[self.path.len().saturating_sub(3)..])
    }
}
