//! What differs between two recipes, by what they mean rather than how they are typed.

use super::Recipe;
use super::text::toml_key;
use crate::error::Error;
use std::collections::BTreeMap;
use std::fmt;
use toml::{Table, Value};

/// One key that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The key with those above it, as in TOML: `target.weights.arms`.
    pub key: String,
    /// What the first recipe says, or its preset where it leaves the key out; `None` where neither says anything.
    pub before: Option<String>,
    /// The same of the second.
    pub after: Option<String>,
}

impl Difference {
    /// `added`, `removed` or `changed`.
    pub fn change(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, _) => "added",
            (_, None) => "removed",
            _ => "changed",
        }
    }
}

impl fmt::Display for Difference {
    /// `target.weights.arms: changed from 0.5 to 1.0`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = &self.key;
        match (&self.before, &self.after) {
            (Some(before), Some(after)) => {
                write!(formatter, "{key}: changed from {before} to {after}")
            }
            (Some(before), None) => write!(formatter, "{key}: removed, it was {before}"),
            (None, Some(after)) => write!(formatter, "{key}: added, {after}"),
            (None, None) => formatter.write_str(key),
        }
    }
}

/// What differs, sorted by key. Nothing where both mean the same: comments, the order of keys, defaults that only one of
/// them writes down, and other ways of writing a value (`"Spine"` for `["Spine"]`) do not count. Values are as TOML.
///
/// Fails with [`Error::Recipe`] only where a recipe was put together by a program and holds what cannot be written down.
pub fn differences(before: &Recipe, after: &Recipe) -> Result<Vec<Difference>, Error> {
    let chosen = [leaves(&before.chosen()?), leaves(&after.chosen()?)];
    let mut keys: Vec<String> = chosen.iter().flat_map(BTreeMap::keys).cloned().collect();
    // What one of them leaves out is what its preset says.
    let (mut before, mut after) = (leaves(&before.written()?), leaves(&after.written()?));
    keys.sort();
    keys.dedup();
    let all = keys.into_iter().map(|key| Difference {
        before: before.remove(&key),
        after: after.remove(&key),
        key,
    });
    Ok(all.filter(|found| found.before != found.after).collect())
}

/// The values of a table and of those in it, by key.
pub(super) fn leaves(table: &Table) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    collect("", table, &mut found);
    found
}

/// NOTE: recipes are a few tables deep, whatever was typed.
fn collect(above: &str, table: &Table, found: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let key = match above {
            "" => toml_key(key),
            above => format!("{above}.{}", toml_key(key)),
        };
        match value {
            Value::Table(inner) => collect(&key, inner, found),
            leaf => drop(found.insert(key, leaf.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(before: &str, after: &str) -> Vec<String> {
        let [before, after] = [before, after].map(|text| Recipe::parse(text).unwrap());
        let found = differences(&before, &after).unwrap();
        found.iter().map(Difference::to_string).collect()
    }

    #[test]
    fn what_differs_is_told_key_by_key() {
        let before = "preset = \"mixamo\"\nrate_hz = 30\n[source.slots]\nhips = \"Hips\"\nleftToes = []\n\
                      [target.calibration]\nhead = { local = [0, 0, 5] }\n";
        let after = "preset = \"mixamo\"\nrate_hz = 24\n[source.slots]\nhips = \"Pelvis\"\n\
                     [target.calibration]\nhead = { world = [0, 0, 5] }\n[links]\n\"a b\" = [\"c\", \"d\"]\n";
        assert_eq!(
            told(before, after),
            [
                "links.\"a b\": added, [\"c\", \"d\"]",
                "rate_hz: changed from 30.0 to 24.0",
                "source.slots.hips: changed from [\"Hips\"] to [\"Pelvis\"]",
                "source.slots.leftToes: removed, it was []",
                "target.calibration.head.local: removed, it was [0.0, 0.0, 5.0]",
                "target.calibration.head.world: added, [0.0, 0.0, 5.0]",
            ]
        );
        let [before, after] = [before, after].map(|text| Recipe::parse(text).unwrap());
        let there = differences(&before, &after).unwrap();
        let back = differences(&after, &before).unwrap();
        assert_eq!([there[0].change(), there[1].change()], ["added", "changed"]);
        assert_eq!([back[0].change(), back[1].change()], ["removed", "changed"]);
    }

    #[test]
    fn another_way_of_writing_is_no_difference() {
        for (one, other) in [
            (
                "",
                "version = 1\npreset = \"faithful\"\nmethod = \"model-delta\"\ntwist = true",
            ),
            (
                "root_motion = \"extract\"",
                "root_motion = { mode = \"extract\" }",
            ),
            ("root_scale = 0.5", "root_scale = \"0.5\""),
            (
                "",
                "root_scale = \"auto\"\n[source]\npose = \"auto\"\n[links]\n[target]\nembed = true",
            ),
            (
                "[source.slots]\nspine = \"a\"",
                "# spine\n[source.slots]\nspine = [\"a\"]",
            ),
            (
                "preset = \"match-source\"",
                "root_scale = \"none\"\npreset = \"match-source\"",
            ),
            ("[target.look_at]", "[target.look_at]\nyaw = 80"),
        ] {
            assert_eq!(told(one, other), [""; 0], "{one} / {other}");
        }
    }
}
