//! Warnings about the map of another tool.

use super::ForeignMap;
use super::lookup::Lookup;
use rebone_model::Warning;

/// How many names a warning lists.
const SHOWN: usize = 8;

/// What a look-up has found under another name, or not at all.
pub(super) fn told(map: &ForeignMap, lookup: &Lookup<'_>, side: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Some((name, own)) = lookup.respelt.iter().next() {
        let count = lookup.respelt.len();
        warnings.push(Warning::new(
            "foreign-names-differ",
            format!(
                "the map of {} spells {count} of the {side}joints otherwise than the file: \"{name}\" was taken for \"{own}\"",
                map.tool.title()
            ),
            "nothing has to be done if these are the joints that are meant",
        ));
    }
    let missing: Vec<String> = lookup.missing.iter().cloned().collect();
    warnings.extend(missing_joints(map, &missing, side));
    warnings
}

/// Names of no joint.
pub(super) fn missing_joints(map: &ForeignMap, missing: &[String], side: &str) -> Option<Warning> {
    (!missing.is_empty()).then(|| {
        Warning::new(
            "foreign-joint-missing",
            format!(
                "the map of {} names joints that do not exist in the {}: {}",
                map.tool.title(),
                side.strip_suffix("'s ").unwrap_or("file"),
                some(missing)
            ),
            "they are left out; correct the names if the rig has these joints",
        )
    })
}

/// What a map says that could not be used.
pub(super) fn unknown_parts(map: &ForeignMap, unknown: &[String]) -> Option<Warning> {
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
