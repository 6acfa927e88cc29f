//! A tool's words for the slots: data files in `words/`, in the form of dialects.

use super::Content;
use crate::mapping::share_torso;
use crate::profile::HUMANOID;
use crate::profile::dialect::{Dialect, DialectName, parse_dialect};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The words of one tool.
pub(super) struct Words {
    text: &'static str,
    read: OnceLock<Option<Dialect>>,
}

pub(super) static UNITY: Words = Words::new(include_str!("words/unity.toml"));
pub(super) static GODOT: Words = Words::new(include_str!("words/godot.toml"));
pub(super) static HUMANIK: Words = Words::new(include_str!("words/humanik.toml"));
pub(super) static EXPY_KIT: Words = Words::new(include_str!("words/expy-kit.toml"));
pub(super) static ROKOKO: Words = Words::new(include_str!("words/rokoko.toml"));

/// What a word stands for.
pub(super) enum Meaning {
    /// A slot, and the place in its chain.
    Slot(&'static str, usize),
    /// The n-th joint between hips and neck.
    Torso(usize),
    /// Known, but of no use here.
    Ignored,
}

impl Words {
    const fn new(text: &'static str) -> Self {
        Self {
            text,
            read: OnceLock::new(),
        }
    }

    fn dialect(&self) -> Option<&Dialect> {
        // The tests see to it that the files can be read.
        self.read
            .get_or_init(|| parse_dialect(self.text).ok())
            .as_ref()
    }

    /// What a word of the tool stands for.
    pub(super) fn meaning(&self, word: &str) -> Option<Meaning> {
        let dialect = self.dialect()?;
        let place = |names: &[DialectName]| names.iter().position(|name| name.text == word);
        if let Some(index) = place(&dialect.torso) {
            return Some(Meaning::Torso(index));
        }
        if place(&dialect.others).is_some() {
            return Some(Meaning::Ignored);
        }
        dialect
            .slots
            .iter()
            .find_map(|(slot, names)| Some((HUMANOID.info(*slot).name, place(names)?)))
            .map(|(slot, index)| Meaning::Slot(slot, index))
    }

    /// What a tool's pairs of word and joint say. Joints without name are left out.
    pub(super) fn content(&self, pairs: impl IntoIterator<Item = (String, String)>) -> Content {
        let mut found: BTreeMap<&'static str, BTreeMap<usize, String>> = BTreeMap::new();
        let mut torso: BTreeMap<usize, String> = BTreeMap::new();
        let mut unknown = Vec::new();
        for (word, joint) in pairs {
            if joint.is_empty() {
                continue;
            }
            // Of a word that stands twice the first counts.
            match self.meaning(&word) {
                Some(Meaning::Slot(slot, index)) => {
                    found.entry(slot).or_default().entry(index).or_insert(joint);
                }
                Some(Meaning::Torso(index)) => {
                    torso.entry(index).or_insert(joint);
                }
                Some(Meaning::Ignored) => {}
                None => unknown.push((word, joint)),
            }
        }
        let mut slots: BTreeMap<String, Vec<String>> = found
            .into_iter()
            .map(|(slot, joints)| (slot.to_owned(), joints.into_values().collect()))
            .collect();
        slots.extend(shared_torso(&torso.into_values().collect::<Vec<_>>()));
        Content::Slots { slots, unknown }
    }

    /// Slots as pairs of word and joint, in the order of the profile, and what the tool has no word for.
    pub(super) fn spell(
        &self,
        slots: &BTreeMap<String, Vec<String>>,
    ) -> (Vec<(String, String)>, Vec<String>) {
        let Some(dialect) = self.dialect() else {
            return (Vec::new(), Vec::new());
        };
        let (mut pairs, mut left_over) = (Vec::new(), Vec::new());
        let mut torso: Vec<&String> = Vec::new();
        let mut torso_at = 0;
        for slot in HUMANOID.all() {
            let name = HUMANOID.info(slot).name;
            let Some(joints) = slots.get(name) else {
                continue;
            };
            let words = dialect.slots.iter().find(|(other, _)| *other == slot);
            match words {
                Some((_, words)) => {
                    for (index, joint) in joints.iter().enumerate() {
                        match words.get(index) {
                            Some(word) => pairs.push((word.text.clone(), joint.clone())),
                            None => left_over.push(joint.clone()),
                        }
                    }
                }
                None if ["spine", "chest", "upperChest"].contains(&name) => {
                    if torso.is_empty() {
                        torso_at = pairs.len();
                    }
                    torso.extend(joints);
                }
                None => left_over.extend(joints.iter().cloned()),
            }
        }
        // The tools know people only: the legs of an animal have no word.
        let others = slots
            .iter()
            .filter(|(name, _)| HUMANOID.find(name).is_none());
        left_over.extend(others.flat_map(|(_, joints)| joints.iter().cloned()));
        // Of more joints than words, those that lie equally far apart, the ends included.
        let words = dialect.torso.len().min(torso.len());
        let at =
            |index: usize| index * torso.len().saturating_sub(1) / words.saturating_sub(1).max(1);
        let chosen: Vec<usize> = (0..words).map(at).collect();
        let spelled: Vec<_> = chosen
            .iter()
            .zip(&dialect.torso)
            .filter_map(|(&index, word)| Some((word.text.clone(), (*torso.get(index)?).clone())))
            .collect();
        let rest = torso.iter().enumerate();
        let rest = rest.filter(|(index, _)| !chosen.contains(index));
        left_over.extend(rest.map(|(_, joint)| (*joint).clone()));
        pairs.splice(torso_at..torso_at, spelled);
        (pairs, left_over)
    }
}

/// Joints between hips and neck, from below, by slot.
pub(super) fn shared_torso(joints: &[String]) -> Vec<(String, Vec<String>)> {
    let indices: Vec<usize> = (0..joints.len()).collect();
    share_torso(&indices)
        .into_iter()
        .filter(|(_, share)| !share.is_empty())
        .map(|(slot, share)| {
            let names = share.iter().filter_map(|&index| joints.get(index).cloned());
            (slot.to_owned(), names.collect())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_can_be_read_and_has_the_whole_body() {
        for words in [&UNITY, &GODOT, &HUMANIK, &EXPY_KIT, &ROKOKO] {
            let dialect = parse_dialect(words.text).unwrap();
            for slot in HUMANOID.all().filter(|slot| HUMANOID.info(*slot).required) {
                let name = HUMANOID.info(slot).name;
                let known = dialect.slots.iter().any(|(other, _)| *other == slot);
                assert!(known || name == "spine", "{} lacks {name}", dialect.name);
            }
        }
    }
}
