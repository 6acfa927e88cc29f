//! Unity's human avatar: the list `human` of `humanDescription` in a model's `.meta` file.
//!
//! Shape: YAML, each entry `- boneName: Pelvis` followed by `humanName: Hips` and limits; an avatar asset has
//! the same as `m_BoneName` and `m_HumanName`. Fingers are written with spaces (`Left Thumb Proximal`); the
//! thumb's words are one joint off from VRM 1.0. Source: `HumanBone` and `HumanTrait` of Unity's scripting
//! reference, and `.meta` files in public repositories.

use super::Content;
use super::words::UNITY;
use crate::error::Error;
use std::fmt::Write as _;

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let mut pairs = Vec::new();
    let mut joint: Option<String> = None;
    for line in text.lines() {
        let line = line.trim().trim_start_matches("- ").trim_start();
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        match key {
            "boneName" | "m_BoneName" => joint = Some(scalar(value)),
            "humanName" | "m_HumanName" => {
                if let Some(joint) = joint.take() {
                    pairs.push((scalar(value), joint));
                }
            }
            _ => {}
        }
    }
    Ok(UNITY.content(pairs))
}

/// A YAML scalar on one line.
fn scalar(text: &str) -> String {
    let text = text.trim();
    if text.starts_with('"')
        && let Some((value, _)) = super::pairs::literal(text)
    {
        return value;
    }
    match text
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''))
    {
        Some(inner) => inner.replace("''", "'"),
        None => text.to_owned(),
    }
}

/// The part of a `.meta` file that holds the map. The rest of such a file belongs to one model and one
/// project, so this part is to be put in the place of the model's own.
pub(super) fn write(pairs: &[(String, String)]) -> String {
    let mut text = "# Put this in the place of \"human:\" in the model's own .meta file, which Unity makes at\n\
         # the first import, and import the model again.\n\
         ModelImporter:\n  humanDescription:\n    human:\n"
        .to_owned();
    for (word, joint) in pairs {
        let _ = writeln!(
            text,
            "    - boneName: {}\n      humanName: {word}\n      limit:\n        \
             min: {{x: 0, y: 0, z: 0}}\n        max: {{x: 0, y: 0, z: 0}}\n        \
             value: {{x: 0, y: 0, z: 0}}\n        length: 0\n        modified: 0",
            yaml(joint)
        );
    }
    text
}

fn yaml(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-/ ".contains(c);
    let starts_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts_plain && text.chars().all(plain) && text.trim() == text {
        text.to_owned()
    } else {
        super::pairs::quoted(text, '"')
    }
}
