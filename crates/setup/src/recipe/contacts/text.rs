//! The table `[contacts]`, written.

use super::{ContactsRecipe, IN_PLACE, PointEdits, SourceFloor};
use crate::recipe::text::key;
use rebone_runtime::contact::POINTS;
use std::fmt::Write as _;

/// The table as text; as a comment that shows how where there is nothing in it.
pub(in crate::recipe) fn contacts_text(text: &mut String, contacts: &ContactsRecipe) {
    if *contacts == ContactsRecipe::default() {
        let _ = writeln!(
            text,
            "\n# [contacts.points]  # when points of the source touch, seconds, in place of what is found\n# leftHeel = [[0.1, 0.5], [0.9, 1.3]]"
        );
        return;
    }
    let _ = writeln!(text, "\n[contacts]");
    if let Some(found) = contacts.found {
        let _ = writeln!(text, "found = {found}");
    }
    for (name, value) in [
        ("speed", contacts.speed),
        ("speed_release", contacts.speed_release),
        ("height", contacts.height),
        ("height_release", contacts.height_release),
        ("shortest", contacts.shortest),
        ("gap", contacts.gap),
    ] {
        if let Some(value) = value {
            let _ = writeln!(text, "{name} = {value:?}");
        }
    }
    match contacts.ground {
        Some(SourceFloor::Metres(height)) => {
            let _ = writeln!(text, "ground = {height:?}");
        }
        Some(SourceFloor::Lowest) => {
            let _ = writeln!(text, "ground = \"lowest\"");
        }
        None => {}
    }
    let in_place = IN_PLACE.iter().find(|one| Some(one.1) == contacts.in_place);
    if let Some((name, _)) = in_place {
        let _ = writeln!(text, "in_place = \"{name}\"");
    }
    if !contacts.points.is_empty() {
        let _ = writeln!(text, "\n[contacts.points]");
        edits_text(text, &contacts.points);
    }
    for (clip, edits) in &contacts.clips {
        let _ = writeln!(text, "\n[contacts.clips.{}]", key(clip));
        edits_text(text, edits);
    }
}

fn edits_text(text: &mut String, edits: &PointEdits) {
    let in_order = POINTS
        .iter()
        .filter_map(|(name, point)| Some((name, edits.get(point)?)));
    for (name, edit) in in_order {
        let added: Vec<String> = edit.added.iter().map(span_text).collect();
        let added = added.join(", ");
        if !edit.keeps_found {
            let _ = writeln!(text, "{name} = [{added}]");
            continue;
        }
        let removed = edit.removed.iter();
        let removed: Vec<String> = removed
            .map(|[start, end]| format!("[{start:?}, {end:?}]"))
            .collect();
        let _ = writeln!(
            text,
            "{name} = {{ add = [{added}], remove = [{}] }}",
            removed.join(", ")
        );
    }
}

fn span_text((start, end, height): &(f64, f64, Option<f64>)) -> String {
    match height {
        Some(height) => format!("[{start:?}, {end:?}, {height:?}]"),
        None => format!("[{start:?}, {end:?}]"),
    }
}
