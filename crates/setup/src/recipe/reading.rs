//! From a text to a recipe: short forms are written out, all is checked against the schema, and the preset comes below.

use super::presets::{put, text as preset_text};
use super::{Recipe, Said, VERSION, wrong};
use crate::error::Error;
use crate::preset::Preset;
use crate::values;
use toml::{Table, Value};

impl Recipe {
    /// Reads a recipe's text.
    ///
    /// # Errors
    /// Where it is no TOML, and where a key is not known or a value does not fit; it names the place, and what would fit.
    pub fn parse(text: &str) -> Result<Self, Error> {
        read(table(text)?)
    }
}

/// The tables of a text.
pub(super) fn table(text: &str) -> Result<Table, Error> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(0, |span| {
            let before = &text.as_bytes()[..span.start.min(text.len())];
            before.iter().filter(|&&byte| byte == b'\n').count() + 1
        });
        wrong(
            error.message(),
            format!("line {line}"),
            "see docs/recipe.md for what a recipe may hold",
        )
    })
}

/// A recipe from its tables.
pub(super) fn read(mut typed: Table) -> Result<Recipe, Error> {
    write_out(&mut typed);
    if let Some(version) = typed.get("version").and_then(Value::as_integer)
        && version > i64::from(VERSION)
    {
        return Err(wrong(
            format!("the recipe has version {version}, but this program reads up to {VERSION}"),
            "version",
            "use a newer rebone",
        ));
    }
    values::check(&Value::Table(typed.clone()), values::part(None), "")?;
    let name = typed.get("preset").and_then(Value::as_str);
    let preset = name.and_then(Preset::parse).unwrap_or_default();
    let mut all = table(preset_text(preset))?;
    put(&mut all, typed.clone());
    let mut recipe: Recipe = Value::Table(all)
        .try_into()
        .map_err(|error| unread(&error))?;
    recipe.said = Said(typed);
    recipe.check()?;
    Ok(recipe)
}

/// What the types refuse beyond the schema. The reader of TOML has the place behind its message.
fn unread(error: &toml::de::Error) -> Error {
    let text = error.to_string();
    let place = text
        .split("in `")
        .nth(1)
        .and_then(|rest| rest.split('`').next());
    let place = place.unwrap_or("the recipe").to_owned();
    let forms = super::settings::forms(&place);
    let remedy = match forms {
        Some(forms) => format!("use {forms}"),
        None => "see docs/recipe.md for what may stand here".to_owned(),
    };
    wrong(error.message(), place, remedy)
}

/// Writes short forms out, so that two texts can be put one on the other key by key: `feet = 0.5` is `feet.weight = 0.5`.
pub(super) fn write_out(recipe: &mut Table) {
    let scalar = |value: &Value| !value.is_table() && !value.is_array();
    into_table(recipe, "feet", "weight", scalar);
    into_table(recipe, "root_motion", "mode", scalar);
    if let Some(slots) = inner(recipe, &["limits", "slots"]) {
        for (_, limit) in slots {
            if limit.as_str() == Some("none") {
                *limit = Value::Table(
                    [("free".to_owned(), Value::Boolean(true))]
                        .into_iter()
                        .collect(),
                );
            }
        }
    }
    if let Some(points) = inner(recipe, &["contacts", "points"]) {
        spans_into_tables(points);
    }
    if let Some(clips) = inner(recipe, &["contacts", "clips"]) {
        for points in clips.iter_mut().filter_map(|(_, clip)| clip.as_table_mut()) {
            spans_into_tables(points);
        }
    }
    for pin in recipe
        .get_mut("pins")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        let Some(pin) = pin.as_table_mut() else {
            continue;
        };
        let goal = ["point", "joint"]
            .into_iter()
            .find(|goal| pin.contains_key(*goal));
        if let (Some(goal), false) = (goal, pin.contains_key("to")) {
            pin.insert("to".to_owned(), goal.into());
        }
    }
}

/// A value as a person would write it: the inverse of [`write_out`] for what stands on one line.
pub(super) fn short_form(value: &Value) -> String {
    let is = |key: &str| {
        value
            .get(key)
            .filter(|_| value.as_table().is_some_and(|own| own.len() == 1))
    };
    match (is("free"), is("only")) {
        (Some(Value::Boolean(true)), _) => "\"none\"".to_owned(),
        (_, Some(only)) => only.to_string(),
        _ => value.to_string(),
    }
}

fn spans_into_tables(points: &mut Table) {
    let names: Vec<String> = points.keys().cloned().collect();
    for name in names {
        into_table(points, &name, "only", Value::is_array);
    }
}

/// Puts a value that is a short form under its own key in a table.
fn into_table(above: &mut Table, key: &str, own: &str, is_short: impl Fn(&Value) -> bool) {
    if let Some(value) = above.get_mut(key)
        && is_short(value)
    {
        let inner = std::mem::replace(value, Value::Boolean(true));
        *value = Value::Table([(own.to_owned(), inner)].into_iter().collect());
    }
}

fn inner<'t>(table: &'t mut Table, path: &[&str]) -> Option<&'t mut Table> {
    path.iter()
        .try_fold(table, |table, key| table.get_mut(*key)?.as_table_mut())
}
