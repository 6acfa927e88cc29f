//! `rebone recipe`: what differs between two recipes, and the schema of all.

use crate::Outcome;
use crate::arguments;
use crate::choices::Choices;
use crate::console;
use crate::failure::Failure;
use crate::table::count;
use rebone::Recipe;
use rebone::setup::recipe::{Difference, SCHEMA, differences};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct RecipeJson {
    equal: bool,
    differences: Vec<DifferenceJson>,
}

/// Values are as TOML.
#[derive(Serialize)]
struct DifferenceJson {
    key: String,
    change: &'static str,
    before: Option<String>,
    after: Option<String>,
}

impl From<&Difference> for DifferenceJson {
    fn from(found: &Difference) -> Self {
        Self {
            key: found.key.clone(),
            change: found.change(),
            before: found.before.clone(),
            after: found.after.clone(),
        }
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &arguments::Recipe) -> Result<Outcome, Failure> {
    let Some(path) = &arguments.before else {
        console::data(SCHEMA)?;
        return Ok(Outcome::Done);
    };
    // Alone it is compared with a recipe that says nothing: what is left is all that it says.
    let first = open(path)?;
    let (before, after) = match &arguments.after {
        Some(other) => (first, open(other)?),
        None => (Recipe::default(), first),
    };
    let found = differences(&before, &after).map_err(|error| Failure::in_file(path, error))?;
    if console::wants_json() {
        console::document(&RecipeJson {
            equal: found.is_empty(),
            differences: found.iter().map(DifferenceJson::from).collect(),
        })?;
        return Ok(Outcome::Done);
    }
    let mut text = match (&arguments.after, found.len()) {
        (Some(_), 0) => "both recipes say the same\n".to_owned(),
        (Some(_), number) => format!("{}\n", count(number, "difference")),
        (None, 0) => "the recipe chooses nothing: all is found or takes its default\n".to_owned(),
        (None, number) => format!("{} beside the defaults\n", count(number, "choice")),
    };
    for difference in &found {
        match (&arguments.after, &difference.after) {
            (None, Some(value)) => text.push_str(&format!("  {} = {value}\n", difference.key)),
            _ => text.push_str(&format!("  {difference}\n")),
        }
    }
    console::data(&text)?;
    Ok(Outcome::Done)
}

fn open(path: &Path) -> Result<Recipe, Failure> {
    let choices = Choices::open(Some(path))?;
    match choices.foreign {
        None => Ok(choices.recipe),
        Some(_) => Err(Failure::at(
            path,
            "it is the map of another tool",
            "`rebone map SOURCE TARGET --recipe MAP -o recipe.toml` makes a recipe of it",
        )),
    }
}
