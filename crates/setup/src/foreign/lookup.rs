//! Joints by the names that another tool gives them.
//!
//! Tools and exporters change names: they drop or add a namespace (`mixamorig:Hips`, `Hips`), write another
//! sign for it (`mixamorig_Hips`) or lower case. A name is looked for as it is, then without regard to case and
//! signs, then without namespace; only where exactly one joint fits is it taken.

use crate::names::without_namespace;
use rebone_model::{JointKind, Skeleton};
use std::collections::{BTreeMap, BTreeSet};

/// Prefixes that stand for a namespace although no colon follows.
const RUN_TOGETHER: [&str; 1] = ["mixamorig"];

/// The joints of one skeleton by name.
pub(super) struct Lookup<'a> {
    pub(super) skeleton: &'a Skeleton,
    /// Joints by their names as they are, and by the paths that tell equal names apart.
    exact: BTreeMap<&'a str, Vec<usize>>,
    /// Spellings with the joints that have them: without signs, then also without namespace.
    loose: [BTreeMap<String, Vec<usize>>; 2],
    /// Names that were found under another spelling, with that spelling.
    pub(super) respelt: BTreeMap<String, String>,
    /// Names of no joint.
    pub(super) missing: BTreeSet<String>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        let mut loose = [BTreeMap::new(), BTreeMap::new()];
        let mut exact: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (joint, node) in skeleton.joints().iter().enumerate() {
            exact.entry(&node.name).or_default().push(joint);
            let unique = skeleton.unique_name(joint);
            if unique != node.name {
                exact.entry(unique).or_default().push(joint);
            }
            if node.kind != JointKind::Joint {
                continue;
            }
            for (index, spellings) in loose.iter_mut().enumerate() {
                let own: &mut Vec<usize> = spellings.entry(folded(&node.name, index)).or_default();
                own.push(joint);
            }
        }
        Self {
            skeleton,
            exact,
            loose,
            respelt: BTreeMap::new(),
            missing: BTreeSet::new(),
        }
    }

    /// The joint of this name; remembers names that are spelt otherwise or missing.
    pub(super) fn find(&mut self, name: &str) -> Option<usize> {
        let found = self.peek(name);
        match found {
            None => {
                self.missing.insert(name.to_owned());
            }
            Some(joint) => {
                let own = self.skeleton.unique_name(joint);
                if own != name && self.skeleton.joints()[joint].name != name {
                    self.respelt.insert(name.to_owned(), own.to_owned());
                }
            }
        }
        found
    }

    /// How many of these names lead to a joint.
    pub(super) fn count<'b>(&self, names: impl IntoIterator<Item = &'b String>) -> usize {
        let found = names.into_iter().filter(|name| self.peek(name).is_some());
        found.count()
    }

    /// The joint of this name, nothing remembered.
    pub(super) fn peek(&self, name: &str) -> Option<usize> {
        self.peek_whole(name).or_else(|| self.peek_loose(name, 1))
    }

    /// The same, with its namespace where it has one.
    pub(super) fn peek_whole(&self, name: &str) -> Option<usize> {
        match self.exact.get(name).map(Vec::as_slice) {
            Some([joint]) => Some(*joint),
            _ => self.peek_loose(name, 0),
        }
    }

    fn peek_loose(&self, name: &str, without: usize) -> Option<usize> {
        match self.loose[without].get(&folded(name, without))?.as_slice() {
            [joint] => Some(*joint),
            _ => None,
        }
    }
}

/// Lower-case letters and digits of a name; with `without` = 1 also without its namespace.
fn folded(name: &str, without: usize) -> String {
    let name = if without == 1 {
        without_namespace(name)
    } else {
        name
    };
    let mut folded: String = name
        .chars()
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    if without == 1 {
        for prefix in RUN_TOGETHER {
            if folded.len() > prefix.len()
                && let Some(rest) = folded.strip_prefix(prefix)
            {
                folded = rest
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .to_owned();
            }
        }
    }
    folded
}
