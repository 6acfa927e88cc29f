//! Retarget chains of Unreal Engine's IK Rig.
//!
//! Three shapes, all of the struct `FBoneChain` (`ChainName`, `StartBone`, `EndBone`, each bone a struct with
//! `BoneName`): the property text that the editor copies, `(ChainName="Spine",StartBone=(BoneName="spine_01"),
//! EndBone=(BoneName="spine_03"))`; the same as JSON objects anywhere in a document; and editor scripts in
//! Python that call `add_retarget_chain("Spine", "spine_01", "spine_03", "")` and
//! `set_retarget_root("pelvis")`. Source: dumps of the engine's headers and scripts in public repositories; the
//! JSON of a particular exporter could not be compared with a real file, so objects are found by their fields
//! wherever they stand. A script that takes its names from variables cannot be read.

use super::pairs::{joint_name, literal, quoted};
use super::{Chain, Content, json};
use crate::error::Error;
use serde_json::Value;
use std::fmt::Write as _;

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with(['{', '[']) {
        let document = json(start)?;
        let (mut root, mut chains) = (None, Vec::new());
        walk(&document, &mut root, &mut chains);
        return Ok(Content::Chains { root, chains });
    }
    let mut chains = Vec::new();
    for (at, mark) in text.match_indices("ChainName=") {
        let rest = &text[at + mark.len()..];
        // The fields of one chain end where the next one begins.
        let own = &rest[..rest.find(mark).unwrap_or(rest.len())];
        let bone = |field: &str| {
            let after = &own[own.find(field)? + field.len()..];
            value(&after[after.find("BoneName=")? + "BoneName=".len()..])
        };
        if let (Some(name), Some(first), Some(last)) =
            (value(own), bone("StartBone="), bone("EndBone="))
        {
            chains.push(Chain {
                name,
                start: first,
                end: last,
            });
        }
    }
    for call in arguments(text, "add_retarget_chain(") {
        if let [name, first, last, ..] = call.as_slice() {
            chains.push(Chain {
                name: name.clone(),
                start: first.clone(),
                end: last.clone(),
            });
        }
    }
    let root = arguments(text, "set_retarget_root(")
        .pop()
        .and_then(|call| call.into_iter().next())
        .or_else(|| {
            let mark = ["RetargetRoot=", "RootBone="];
            let at = mark
                .iter()
                .find_map(|mark| Some(text.find(mark)? + mark.len()))?;
            value(&text[at..])
        });
    Ok(Content::Chains { root, chains })
}

/// A value of property text: quoted, or up to the next separator.
fn value(text: &str) -> Option<String> {
    if let Some((value, _)) = literal(text) {
        return joint_name(&value);
    }
    joint_name(text.split([',', ')', '\n']).next()?)
}

/// The literal arguments of every call of a function.
fn arguments(text: &str, call: &str) -> Vec<Vec<String>> {
    let mut result = Vec::new();
    for (at, mark) in text.match_indices(call) {
        let mut rest = text[at + mark.len()..].trim_start();
        let mut own = Vec::new();
        while let Some((value, after)) = literal(rest) {
            own.push(value);
            rest = after.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        }
        if !own.is_empty() {
            result.push(own);
        }
    }
    result
}

/// True where some object of a document is a chain.
pub(super) fn holds_chains(value: &Value) -> bool {
    let (mut root, mut chains) = (None, Vec::new());
    walk(value, &mut root, &mut chains);
    !chains.is_empty()
}

fn walk(value: &Value, root: &mut Option<String>, chains: &mut Vec<Chain>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, root, chains)),
        Value::Object(fields) => {
            let field = |name: &str| {
                let mut fields = fields.iter();
                fields
                    .find(|(key, _)| key.eq_ignore_ascii_case(name))
                    .map(|(_, value)| value)
            };
            let bone = |name: &str| {
                let value = field(name)?;
                value
                    .as_str()
                    .or_else(|| value.get("BoneName")?.as_str())
                    .and_then(joint_name)
            };
            if let (Some(name), Some(start), Some(end)) =
                (bone("ChainName"), bone("StartBone"), bone("EndBone"))
            {
                chains.push(Chain { name, start, end });
                return;
            }
            if root.is_none() {
                *root = bone("RetargetRoot").or_else(|| bone("RootBone"));
            }
            fields.values().for_each(|item| walk(item, root, chains));
        }
        _ => {}
    }
}

/// A script for the editor's Python console.
pub(super) fn write(root: Option<&str>, chains: &[Chain]) -> String {
    let mut text =
        "# Run in Unreal's editor (Python) with an IK Rig selected in the content browser.\n\
         import unreal\n\n\
         rig = unreal.EditorUtilityLibrary.get_selected_assets()[0]\n\
         controller = unreal.IKRigController.get_controller(rig)\n\
         for chain in list(controller.get_retarget_chains()):\n    \
         controller.remove_retarget_chain(chain.chain_name)\n"
            .to_owned();
    if let Some(root) = root {
        let _ = writeln!(text, "controller.set_retarget_root({})", quoted(root, '"'));
    }
    for chain in chains {
        let _ = writeln!(
            text,
            "controller.add_retarget_chain({}, {}, {}, \"\")",
            quoted(&chain.name, '"'),
            quoted(&chain.start, '"'),
            quoted(&chain.end, '"')
        );
    }
    text
}
