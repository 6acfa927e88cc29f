//! Whether a value is what the schema says, and what to write instead.

use super::SCHEMA;
use crate::error::Error;
use rebone_model::Remedy;
use rebone_model::skeleton::edit_distance;
use serde::de::DeserializeOwned;
use serde_json::Value as Part;
use std::sync::OnceLock;
use toml::{Table, Value};

/// The whole schema.
fn schema() -> &'static Part {
    static READ: OnceLock<Part> = OnceLock::new();
    READ.get_or_init(|| serde_json::from_str(SCHEMA).unwrap_or_default())
}

/// A named part of the schema; without a name the whole.
pub(crate) fn part(name: Option<&str>) -> &'static Part {
    match name {
        Some(name) => &schema()["definitions"][name],
        None => schema(),
    }
}

/// Reads a value that stands outside of a recipe and has a part of the schema.
///
/// # Errors
/// Where it is not what that part says.
pub(crate) fn read_part<T: DeserializeOwned>(
    name: &str,
    value: Value,
    place: &str,
) -> Result<T, Error> {
    check(&value, part(Some(name)), place)?;
    let read = value.try_into();
    read.map_err(|error: toml::de::Error| wrong(error.message(), place, "correct it"))
}

/// The alternatives that a part of the schema stands for, references resolved.
pub(crate) fn alternatives(part: &'static Part) -> Vec<&'static Part> {
    if let Some(path) = part["$ref"].as_str() {
        let named = schema().pointer(path.trim_start_matches('#'));
        return named.map_or_else(Vec::new, alternatives);
    }
    let lists = ["anyOf", "allOf", "oneOf"];
    // Of a table, alternatives are further conditions.
    let is_table = part["properties"].is_object();
    match lists.iter().find_map(|list| part[*list].as_array()) {
        Some(parts) if !is_table => parts.iter().flat_map(alternatives).collect(),
        _ => vec![part],
    }
}

/// What a value may be that is no table and no list of tables.
pub(crate) fn plain(part: &'static Part) -> Option<String> {
    if let Some(title) = part["title"].as_str() {
        return Some(title.to_owned());
    }
    if let Some(word) = part["const"].as_str() {
        return Some(word.to_owned());
    }
    if let Some(values) = part["enum"].as_array() {
        let names = values.iter().filter_map(Part::as_str);
        return Some(names.collect::<Vec<_>>().join(" | "));
    }
    let bounds = ["minimum", "maximum"].map(|bound| part[bound].as_f64());
    match part["type"].as_str()? {
        "boolean" => Some(match part["const"].as_bool() {
            Some(only) => only.to_string(),
            None => "true | false".to_owned(),
        }),
        kind @ ("number" | "integer") => Some(match bounds {
            [Some(least), Some(most)] if least == most => least.to_string(),
            [Some(least), Some(most)] if most < 1e6 => format!("{least} to {most}"),
            [Some(least), _] if least > -1e6 => format!("a {kind} from {least}"),
            _ => format!("a {kind}"),
        }),
        "string" => Some("\"text\"".to_owned()),
        "array" => {
            let item = alternatives(&part["items"]).into_iter().find_map(plain)?;
            let [least, most] = ["minItems", "maxItems"].map(|bound| part[bound].as_u64());
            let several = match (least, most) {
                (Some(least), Some(most)) if least == most => vec![item; least as usize].join(", "),
                _ => format!("{item}, ..."),
            };
            Some(format!("[{several}]"))
        }
        _ => None,
    }
}

/// Checks a value against a part of the schema.
///
/// # Errors
/// Names the first key that is not known, or the first value that does not fit, and what would.
pub(crate) fn check(value: &Value, part: &'static Part, place: &str) -> Result<(), Error> {
    let all = alternatives(part);
    let mut first = None;
    for own in all.iter().filter(|own| is_kind(value, own)) {
        match check_one(value, own, place) {
            Ok(()) => return Ok(()),
            Err(error) => first = first.or(Some(error)),
        }
    }
    // In a table or a list it is known what is wrong; of words and numbers all that may stand here are named.
    match first {
        Some(error) if value.is_table() || value.is_array() => Err(error),
        _ => Err(unfit(value, &all, place)),
    }
}

fn is_kind(value: &Value, part: &Part) -> bool {
    let is_word = part["enum"].is_array() || part["const"].is_string();
    match (value, part["type"].as_str()) {
        (Value::String(_), None) => is_word,
        (_, None) => false,
        (Value::String(_), Some(kind)) => kind == "string",
        (Value::Integer(_), Some(kind)) => kind == "integer" || kind == "number",
        (Value::Float(_), Some(kind)) => kind == "number",
        (Value::Boolean(_), Some(kind)) => kind == "boolean",
        (Value::Array(_), Some(kind)) => kind == "array",
        (Value::Table(_), Some(kind)) => kind == "object",
        (Value::Datetime(_), Some(_)) => false,
    }
}

/// Checks a value that is of the right kind.
fn check_one(value: &Value, part: &'static Part, place: &str) -> Result<(), Error> {
    match value {
        Value::Table(table) => check_table(table, part, place),
        Value::Array(items) => {
            let count = items.len() as u64;
            let too_few = part["minItems"].as_u64().is_some_and(|least| count < least);
            let too_many = part["maxItems"].as_u64().is_some_and(|most| count > most);
            if too_few || too_many {
                return Err(unfit(value, &[part], place));
            }
            for (number, item) in items.iter().enumerate() {
                check(item, &part["items"], &format!("{place}[{number}]"))?;
            }
            Ok(())
        }
        Value::Integer(_) | Value::Float(_) => {
            let number = match value {
                Value::Integer(number) => *number as f64,
                other => other.as_float().unwrap_or(f64::NAN),
            };
            let least = part["minimum"].as_f64().unwrap_or(-FARTHEST);
            let most = part["maximum"].as_f64().unwrap_or(FARTHEST);
            if (least..=most).contains(&number) {
                Ok(())
            } else {
                Err(unfit(value, &[part], place))
            }
        }
        Value::String(text) => {
            let words = part["enum"].as_array();
            let is_word = words.is_none_or(|words| words.iter().any(|word| word == text.as_str()));
            if is_word && part["const"].as_str().is_none_or(|only| only == text) {
                Ok(())
            } else {
                Err(unfit(value, &[part], place))
            }
        }
        Value::Boolean(is_on) => match part["const"].as_bool() {
            Some(only) if only != *is_on => Err(unfit(value, &[part], place)),
            _ => Ok(()),
        },
        Value::Datetime(_) => Err(unfit(value, &[part], place)),
    }
}

/// Beyond this nobody means what is written, whatever the unit.
const FARTHEST: f64 = 1e9;

fn check_table(table: &Table, part: &'static Part, place: &str) -> Result<(), Error> {
    let below = |key: &str| match place {
        "" => key.to_owned(),
        place => format!("{place}.{key}"),
    };
    let others = &part["additionalProperties"];
    for (key, value) in table {
        let own = &part["properties"][key.as_str()];
        if own.is_object() {
            check(value, own, &below(key))?;
        } else if others.is_object() {
            if let Some(known) = part["propertyNames"]["enum"].as_array()
                && !known.iter().any(|name| name == key.as_str())
            {
                return Err(unknown_key(
                    key,
                    known.iter().filter_map(Part::as_str),
                    place,
                ));
            }
            check(value, others, &below(key))?;
        } else {
            let known = part["properties"].as_object().into_iter().flatten();
            let known = known.map(|(name, _)| name.as_str());
            return Err(unknown_key(key, known, place));
        }
    }
    let required = part["required"].as_array().into_iter().flatten();
    for key in required.filter_map(Part::as_str) {
        if !table.contains_key(key) {
            let place = if place.is_empty() { key } else { place };
            return Err(wrong(
                format!("\"{key}\" is missing"),
                place,
                format!("give {key} = ..."),
            ));
        }
    }
    Ok(())
}

fn unknown_key<'k>(key: &str, known: impl Iterator<Item = &'k str>, place: &str) -> Error {
    let known: Vec<&str> = known.collect();
    let lower = key.to_lowercase();
    // What was shortened is near, however long the rest is.
    let distance = |known: &&str| match known.starts_with(&lower) {
        true => 0,
        false => edit_distance(&lower, known),
    };
    let nearest = known.iter().copied().min_by_key(distance);
    let near = nearest.filter(|nearest| distance(nearest) <= key.chars().count().div_ceil(2));
    let remedy = match near {
        Some(nearest) => format!("did you mean \"{nearest}\"?"),
        None => format!("use some of {}", known.join(", ")),
    };
    let place = match place {
        "" => key.to_owned(),
        place => format!("{place}.{key}"),
    };
    wrong(format!("there is no key \"{key}\""), &place, remedy)
}

/// A value that does not fit any of these parts.
fn unfit(value: &Value, parts: &[&'static Part], place: &str) -> Error {
    let mut forms: Vec<String> = parts.iter().filter_map(|part| plain(part)).collect();
    let tables = parts
        .iter()
        .filter_map(|part| part["properties"].as_object());
    forms.extend(tables.map(|table| {
        let keys: Vec<&str> = table.keys().map(String::as_str).collect();
        format!("{{ {} }}", keys.join(", "))
    }));
    if forms.is_empty() {
        forms.push("a table".to_owned());
    }
    let what = match value {
        Value::String(text) => {
            let name = place.rsplit('.').next().unwrap_or(place);
            let name = name.split('[').next().unwrap_or(name).replace('_', " ");
            format!("there is no {name} \"{text}\"")
        }
        Value::Array(items) => format!("{} values do not fit here", items.len()),
        Value::Table(_) => "a table does not fit here".to_owned(),
        other => format!("{other} does not fit here"),
    };
    wrong(what, place, format!("use {}", forms.join(" | ")))
}

fn wrong(what: impl Into<String>, place: &str, remedy: impl Into<Remedy>) -> Error {
    Error::Recipe {
        what: what.into(),
        place: place.to_owned(),
        remedy: remedy.into(),
    }
}
