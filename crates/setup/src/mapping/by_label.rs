//! Mapping by what the file itself says: VRM's humanoid tables.

use super::draft::{Draft, fill_chains};
use super::rig::Rig;
use super::topology::violations;
use crate::profile::HUMANOID;
use rebone_model::Warning;

/// The slots that the file states; `None` where it states none.
pub(super) fn map_by_label(rig: &Rig) -> Option<Draft> {
    let character = rig.character;
    let evidence = match character.label_system.as_str() {
        "vrm-0" => "VRM",
        "vrm-1" => "VRMC_vrm",
        "vrma" => "VRMC_vrm_animation",
        _ => return None,
    };
    let mut draft = Draft::new(&HUMANOID, &character.label_system, evidence);
    for label in &character.labels {
        if label.joint >= rig.len() {
            continue;
        }
        let name = if character.label_system == "vrm-0" {
            vrm1_slot(&label.label)
        } else {
            &label.label
        };
        let joint = rig.skeleton.unique_name(label.joint);
        let Some(slot) = HUMANOID.find(name) else {
            let message = format!(
                "the file labels a joint \"{}\", which is no slot",
                label.label
            );
            let hint = "the label is ignored";
            draft
                .warnings
                .push(Warning::new("label-unknown", message, hint).at_joint(joint));
            continue;
        };
        if draft.uses(label.joint) || draft.slots.contains_key(&slot) {
            let message = format!(
                "the file labels a joint or slot twice (\"{}\")",
                label.label
            );
            let hint = "the first label counts; correct it in a recipe if it is wrong";
            draft
                .warnings
                .push(Warning::new("duplicate-joint", message, hint).at_joint(joint));
            continue;
        }
        draft.put(name, vec![label.joint], 1.0);
    }
    if draft.slots.is_empty() {
        return None;
    }
    for wrong in violations(rig, &draft) {
        let message = format!(
            "the file labels {} and {}, but one does not lie below the other as it should",
            wrong.above, wrong.below
        );
        let hint = "the label is used as it stands; correct it in a recipe if it is wrong";
        let joint = rig.skeleton.unique_name(wrong.joint);
        let warning = Warning::new("label-contradicts-skeleton", message, hint);
        draft.warnings.push(warning.at_joint(joint));
    }
    fill_chains(rig, &mut draft);
    Some(draft)
}

/// The VRM 1 name of a VRM 0 bone. VRM 0 calls the thumb's joints by the words that other fingers
/// have, one joint further out.
fn vrm1_slot(label: &str) -> &str {
    match label {
        "leftThumbProximal" => "leftThumbMetacarpal",
        "leftThumbIntermediate" => "leftThumbProximal",
        "rightThumbProximal" => "rightThumbMetacarpal",
        "rightThumbIntermediate" => "rightThumbProximal",
        other => other,
    }
}
