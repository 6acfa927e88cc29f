//! Doubts about contacts that a recipe edits.

use crate::rig::Rig;
use rebone_model::{Action, Remedy, Warning};
use rebone_runtime::contact::ContactPoint;
use rebone_setup::align::contact_points;
use rebone_setup::compile::Compiled;
use rebone_setup::recipe::ContactsRecipe;

/// Edits that change nothing: of points that the source does not have, and of clips that it does not have.
pub(crate) fn unused(source: &Rig, compiled: &Compiled, contacts: &ContactsRecipe) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if contacts.named().next().is_none() && contacts.clips.is_empty() {
        return warnings;
    }
    let points = contact_points(
        &source.character,
        &compiled.source_map,
        &compiled.source,
        0.0,
    );
    let own: Vec<_> = points.points.iter().map(ContactPoint::kind).collect();
    let mut missing: Vec<&str> = contacts
        .named()
        .filter(|(_, point, _)| !own.contains(point))
        .map(|(_, point, _)| point.name())
        .collect();
    missing.sort_unstable();
    missing.dedup();
    if !missing.is_empty() {
        warnings.push(Warning::new(
            "contacts-unused",
            format!(
                "the recipe says when {} of the source touches, but the source has no such point",
                missing.join(", ")
            ),
            Remedy::new(
                "delete the lines, or give the joints a slot",
                &[Action::ListContactPoints],
            ),
        ));
    }
    let clips = &source.character.clips;
    let is_there = |name: &&String| clips.iter().any(|clip| clip.name == **name);
    if !contacts.clips.is_empty() && !contacts.clips.keys().any(|name| is_there(&name)) {
        let named: Vec<String> = contacts
            .clips
            .keys()
            .map(|name| format!("\"{name}\""))
            .collect();
        warnings.push(Warning::new(
            "contacts-unused",
            format!(
                "the recipe says when points touch in {}, but the source has no such clip",
                named.join(", ")
            ),
            Remedy::new(
                "correct the name below [contacts.clips]",
                &[Action::ListClips],
            ),
        ));
    }
    warnings
}
