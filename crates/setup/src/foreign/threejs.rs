//! Bone maps of retargeting-threejs.
//!
//! Shape: JSON, `boneMapNames` an object from source joint to target joint, one to one. Source: the loader in
//! `demo/gui.js` and `computeBoneMap` in the tool's repository (upf-gti/retargeting-threejs).

use super::pairs::joint_name;
use super::{Content, json, wrong};
use crate::error::Error;
use serde_json::{Map, Value};

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let document = json(text)?;
    let Some(names) = document.get("boneMapNames").and_then(Value::as_object) else {
        return Err(wrong(
            "the map has no object from source to target joints",
            "boneMapNames",
            "see the tool's own documentation of its maps",
        ));
    };
    let pairs = names.iter().filter_map(|(source, target)| {
        let target = target.as_str().and_then(joint_name)?;
        Some((source.clone(), target))
    });
    Ok(Content::Pairs(pairs.collect()))
}

pub(super) fn write(pairs: &[(String, String)]) -> String {
    let names: Map<String, Value> = pairs
        .iter()
        .map(|(source, target)| (source.clone(), Value::from(target.as_str())))
        .collect();
    let document = serde_json::json!({ "boneMapNames": names });
    format!("{document:#}\n")
}
