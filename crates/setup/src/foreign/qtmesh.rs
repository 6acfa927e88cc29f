//! Bone maps of QtMeshEditor (`.bonemap`).
//!
//! Shape: JSON, `schema` is `qtmesh-bonemap-v1`, `pairs` a list of objects with `source` and `target`, each joint
//! once on its side. Source: `BoneMap::toJson` and `fromJson` in `AnimationRetargeter.cpp` of the editor's
//! repository (fernandotonon/QtMeshEditor).

use super::pairs::joint_name;
use super::{Content, json, wrong};
use crate::error::Error;
use serde_json::Value;

const SCHEMA: &str = "qtmesh-bonemap-v1";

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let document = json(text)?;
    let schema = document.get("schema").and_then(Value::as_str);
    if schema != Some(SCHEMA) {
        return Err(wrong(
            format!("the map has the form \"{}\"", schema.unwrap_or_default()),
            "schema",
            format!("save it in the form {SCHEMA}"),
        ));
    }
    let name = |pair: &Value, key: &str| pair.get(key)?.as_str().and_then(joint_name);
    let pairs = document.get("pairs").and_then(Value::as_array);
    let pairs = pairs
        .into_iter()
        .flatten()
        .filter_map(|pair| Some((name(pair, "source")?, name(pair, "target")?)));
    Ok(Content::Pairs(pairs.collect()))
}

pub(super) fn write(pairs: &[(String, String)]) -> String {
    let pairs: Vec<Value> = pairs
        .iter()
        .map(|(source, target)| serde_json::json!({ "source": source, "target": target }))
        .collect();
    let document = serde_json::json!({ "schema": SCHEMA, "name": "rebone", "pairs": pairs });
    format!("{document:#}\n")
}
