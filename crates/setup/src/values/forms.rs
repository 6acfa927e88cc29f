//! Parts of the schema: of values that may be written in several ways.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

/// True, false, or how much.
pub(crate) fn weight(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "boolean"}, {"type": "number", "minimum": 0, "maximum": 1}]})
}

/// Two numbers, or false for none.
pub(crate) fn two_or_off(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [
        {"const": false, "type": "boolean"},
        {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
    ]})
}

/// Any names, each with a number from 0 to 1.
pub(crate) fn shares(_: &mut SchemaGenerator) -> Schema {
    numbers_to(1.0)
}

/// Any names, each with a number from 0 to this one.
pub(crate) fn numbers_to(most: f64) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": {"type": "number", "minimum": 0, "maximum": most},
    })
}

/// Any slots, each with a joint or several.
pub(crate) fn slots(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": {"anyOf": [
            {"type": "string"},
            {"type": "array", "items": {"type": "string"}},
        ]},
    })
}

/// A pose by name, a frame by number, or seconds.
pub(crate) fn pose(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [
        {"enum": ["auto", "rest", "bind", "stored", "first", "given"]},
        {"type": "string", "pattern": "^frame +\\+?[0-9]+ *$", "title": "\"frame 12\""},
        {"type": "number"},
    ]})
}

/// An axis of a file.
pub(crate) fn axis(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "pattern": "^ *[-+]?[xyzXYZ] *$", "title": "+X, -X, +Y, -Y, +Z or -Z"})
}

/// What of a path counts.
pub(crate) fn path_axes(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "pattern": "^(x|y|z|turn|[ ,+])*$", "title": "some of x, y, z and turn, as \"x z turn\""})
}

/// A switch that can also be ready.
pub(crate) fn mirror(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": "boolean"}, {"enum": ["off", "on", "ready"]}]})
}

/// A height, or where it is found.
pub(crate) fn source_floor(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [
        {"type": "number", "minimum": -1e6, "maximum": 1e6},
        {"enum": ["file", "lowest"]},
    ]})
}

/// Start and end, and a height.
pub(crate) fn span(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "items": {"type": "number", "minimum": -1e6, "maximum": 1e6},
        "minItems": 2,
        "maxItems": 3,
    })
}

/// Words, each with its meaning.
pub(crate) fn words(all: &[(&str, &str)]) -> Schema {
    let words: Vec<Value> = all
        .iter()
        .map(|(word, meaning)| json!({"const": word, "type": "string", "description": meaning}))
        .collect();
    json_schema!({"oneOf": words})
}

// NOTE: the run time, whose words these are, is built without schemas: it takes long to build twice.

/// Which point of a foot stands.
pub(crate) fn anchor(_: &mut SchemaGenerator) -> Schema {
    words(&[
        ("sole", "The sole below the ankle, in the foot's own axes."),
        ("ball", "Near the floor the ball of the foot."),
    ])
}

/// What keeps feet out of the floor.
pub(crate) fn floor_rule(_: &mut SchemaGenerator) -> Schema {
    words(&[
        ("off", "Nothing."),
        (
            "as-source",
            "Ankle and toes stay above their rest heights, but where the source's own go lower.",
        ),
        ("soles", "No sole goes below the floor."),
    ])
}

/// How legs get to their goals.
pub(crate) fn bend(_: &mut SchemaGenerator) -> Schema {
    words(&[
        (
            "switch",
            "Each frame by itself, by the law of cosines; the plane of a straight leg changes from one frame to the next.",
        ),
        (
            "steady",
            "As they are, as nearly as the goal allows, and steadily over time: thighs, shins and hips are found together.",
        ),
    ])
}

/// The pose from which an additive layer counts its differences.
pub(crate) fn layer_base(_: &mut SchemaGenerator) -> Schema {
    words(&[
        ("rest", "The rest pose of its rig."),
        ("first", "Its own first frame."),
    ])
}

/// Whether a clip may be one that runs in place.
pub(crate) fn in_place(_: &mut SchemaGenerator) -> Schema {
    words(&[
        (
            "auto",
            "Where standing feet all glide the same way and the hips stay.",
        ),
        ("never", "The floor never moves."),
    ])
}

/// Exactly one of `local` and `world`.
pub(crate) fn local_or_world(schema: &mut Schema) {
    schema.insert(
        "oneOf".to_owned(),
        json!([{"required": ["local"]}, {"required": ["world"]}]),
    );
}
