//! The JSON schema of a recipe, for editors, from the types that read it.
//!
//! It says less than [`Recipe::parse`] does: what it refuses, that refuses too, but not the other way
//! round (names of slots and joints are those of rigs, which a schema does not know).

use super::MOST_WEIGHT;
use super::{PointEdit, Recipe, Span, presets, reading};
use crate::feet::FeetChoice;
use crate::preset::Preset;
use crate::root_motion::{RootMode, RootMotion};
use crate::values::forms::numbers_to;
use rebone_runtime::contact::{POINTS, TOUCHING};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

/// The schema (JSON Schema, draft 7, which editors of TOML read), indented, with a line feed at the end.
pub fn schema() -> String {
    let settings =
        SchemaSettings::draft07().with_transform(RecursiveTransform(without_what_toml_lacks));
    let mut schema = settings.into_generator().into_root_schema_for::<Recipe>();
    let presets = Preset::ALL.map(|preset| {
        let own = reading::table(presets::text(preset)).ok();
        (preset.name().to_owned(), json!(own.unwrap_or_default()))
    });
    // Editors pass over this. Panels find defaults here.
    schema.insert(
        "presets".to_owned(),
        Value::Object(presets.into_iter().collect()),
    );
    format!("{:#}\n", schema.to_value())
}

/// Keys in TOML are left out instead of null, and numbers have no width. Descriptions are one line, the first paragraph.
fn without_what_toml_lacks(schema: &mut Schema) {
    schema.remove("format");
    let is_bulky = |value: &Value| value.is_null() || value.is_object() || *value == json!([]);
    if schema.get("default").is_some_and(is_bulky) {
        schema.remove("default");
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        let first = text.split("\n\n").next().unwrap_or_default();
        *text = first.replace('\n', " ");
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

/// Feet, or their weight alone.
pub(super) fn feet(generator: &mut SchemaGenerator) -> Schema {
    let table = generator.subschema_for::<FeetChoice>();
    json_schema!({"anyOf": [
        {"type": "boolean"},
        {"type": "number", "minimum": 0, "maximum": 1},
        table,
    ]})
}

/// The travel, or its mode alone.
pub(super) fn root_motion(generator: &mut SchemaGenerator) -> Schema {
    let mode = generator.subschema_for::<RootMode>();
    let table = generator.subschema_for::<RootMotion>();
    json_schema!({"anyOf": [mode, table]})
}

/// Points by name, each with its times, or a table.
pub(super) fn points(generator: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = POINTS[..TOUCHING].iter().map(|(name, _)| *name).collect();
    let span = generator.subschema_for::<Span>();
    let table = generator.subschema_for::<PointEdit>();
    json_schema!({
        "type": "object",
        "propertyNames": {"enum": names},
        "additionalProperties": {"anyOf": [{"type": "array", "items": span}, table]},
    })
}

/// Names of joints, slots and groups, each with a weight that may exaggerate.
pub(super) fn weights(_: &mut SchemaGenerator) -> Schema {
    numbers_to(MOST_WEIGHT)
}

/// Clips by name, each with its points.
pub(super) fn clips(generator: &mut SchemaGenerator) -> Schema {
    let points = points(generator);
    json_schema!({"type": "object", "additionalProperties": points})
}
