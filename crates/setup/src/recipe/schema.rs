//! The JSON schema of a recipe, for editors, from the types that read it.
//!
//! It says less than [`Recipe::parse`](super::Recipe::parse) does: what it refuses, that refuses too, but not the other way
//! round (names of slots and joints are those of rigs, which a schema does not know).

use super::typed::Typed;
use crate::compile::{MOST_WEIGHT, SlideMode};
use crate::mirror::MirrorChoice;
use crate::transfer::chain::ChainMode;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

/// The schema (JSON Schema, draft 7, which editors of TOML read), indented, with a line feed at the end.
pub fn schema() -> String {
    let settings =
        SchemaSettings::draft07().with_transform(RecursiveTransform(without_what_toml_lacks));
    let schema = settings.into_generator().into_root_schema_for::<Typed>();
    format!("{:#}\n", schema.to_value())
}

/// Keys in TOML are left out instead of null, and numbers have no width. Descriptions are one line.
fn without_what_toml_lacks(schema: &mut Schema) {
    schema.remove("format");
    if schema.get("default") == Some(&json!({})) {
        schema.remove("default");
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.replace('\n', " ");
    }
    let is_null = |value: &Value| *value == json!("null") || *value == json!({"type": "null"});
    for key in ["type", "enum", "anyOf"] {
        let Some(Value::Array(choices)) = schema.get_mut(key) else {
            continue;
        };
        choices.retain(|choice| !is_null(choice) && !choice.is_null());
        if let ("type", [only]) = (key, choices.as_slice()) {
            let only = only.clone();
            schema.insert(key.to_owned(), only);
        }
    }
    // A reference with a description beside it: draft 7 looks at nothing but the reference.
    if let Some(Value::Array(choices)) = schema.remove("anyOf") {
        let key = if choices.len() == 1 { "allOf" } else { "anyOf" };
        schema.insert(key.to_owned(), Value::Array(choices));
    }
}

pub(super) fn root_scale(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [
        {"enum": ["auto", "legs-hips", "legs", "hips", "stature", "legs-stature", "none"]},
        {"type": "number", "minimum": 0},
        {"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 3, "maxItems": 3},
        {"type": "string", "pattern": "^[-+0-9.,eE \\t]+$"},
    ]})
}

pub(super) fn pose(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [
        {"enum": ["auto", "rest", "bind", "stored", "first", "given"]},
        {"type": "string", "pattern": "^frame +\\+?[0-9]+ *$"},
        {"type": "number"},
    ]})
}

pub(super) fn mirror(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "boolean"}, {"enum": MirrorChoice::ALL.map(MirrorChoice::name)}]})
}

pub(super) fn chain_modes(_: &mut SchemaGenerator) -> Schema {
    words(&ChainMode::ALL.map(ChainMode::name))
}

pub(super) fn translations(_: &mut SchemaGenerator) -> Schema {
    words(&SlideMode::ALL.map(SlideMode::name))
}

pub(super) fn shares(_: &mut SchemaGenerator) -> Schema {
    numbers_to(1.0)
}

pub(super) fn weights(_: &mut SchemaGenerator) -> Schema {
    numbers_to(MOST_WEIGHT)
}

/// Any names, each with a number from 0 to this one.
fn numbers_to(most: f64) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": {"type": "number", "minimum": 0, "maximum": most},
    })
}

/// Any names, each with one of these words.
fn words(words: &[&str]) -> Schema {
    json_schema!({"type": "object", "additionalProperties": {"enum": words}})
}

/// Just one of the two.
pub(super) fn local_or_world(schema: &mut Schema) {
    schema.insert(
        "oneOf".to_owned(),
        json!([{"required": ["local"]}, {"required": ["world"]}]),
    );
}
