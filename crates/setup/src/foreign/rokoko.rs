//! Naming schemes of Rokoko's add-on for Blender.
//!
//! Shape: JSON with `rokoko_custom_names`, `version`, `bones` and `shapes`; `bones` holds, by part of the body,
//! names that this part may have in any rig, in lower case; a pair of joints of its own stands under
//! `custom_bone_` and the source's name. Source: `custom_schemes_manager.py` and the bone lists of the add-on's
//! repository (Rokoko/rokoko-studio-live-blender).

use super::words::{Meaning, ROKOKO};
use super::{Content, json, wrong};
use crate::error::Error;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

const PAIR: &str = "custom_bone_";

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let document = json(text)?;
    let Some(bones) = document.get("bones").and_then(Value::as_object) else {
        return Err(wrong(
            "the naming scheme has no list of joints",
            "bones",
            "export it from the add-on again",
        ));
    };
    let (mut pairs, mut unknown) = (Vec::new(), Vec::new());
    let mut parts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (word, names) in bones {
        let names: Vec<String> = names
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().and_then(super::pairs::joint_name))
            .collect();
        match (ROKOKO.meaning(word), names.as_slice()) {
            (_, []) => {}
            (None, [source, target]) if word.starts_with(PAIR) => {
                pairs.push((source.clone(), target.clone()));
            }
            (Some(Meaning::Slot(slot, _)), _) => {
                parts.insert(slot.to_owned(), names);
            }
            (Some(Meaning::Torso(_)), _) => {
                parts.insert("torso".to_owned(), names);
            }
            _ => unknown.push((word.clone(), names.join(", "))),
        }
    }
    Ok(Content::Names {
        parts,
        pairs,
        unknown,
    })
}

/// `parts` are words of the tool with the names of both rigs.
pub(super) fn write(parts: &BTreeMap<String, Vec<String>>, pairs: &[(String, String)]) -> String {
    let lower = |names: &[String]| -> Value {
        let names = names.iter().map(|name| Value::from(name.to_lowercase()));
        Value::Array(names.collect())
    };
    let mut bones = Map::new();
    for (word, names) in parts {
        bones.insert(word.clone(), lower(names));
    }
    for (source, target) in pairs {
        let key = format!("{PAIR}{}", source.to_lowercase());
        bones.insert(key, lower(&[source.clone(), target.clone()]));
    }
    let document = serde_json::json!({
        "rokoko_custom_names": true,
        "version": 1,
        "bones": bones,
        "shapes": {},
    });
    format!("{document:#}\n")
}
