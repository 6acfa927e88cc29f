//! What a person has chosen, as text: a recipe in TOML or JSON, or the map of another tool, known by its content.

use crate::error::Error;
use crate::overrides::with_overrides;
use crate::rig::Rig;
use rebone_model::Warning;
use rebone_setup::foreign::{self, ForeignMap, Tool};
use rebone_setup::recipe::{Described, Recipe};

/// A recipe, and where the text was another tool's map, that.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The recipe; empty where the text is the map of another tool.
    pub recipe: Recipe,
    /// The map of another tool, which says more once both rigs are known.
    pub foreign: Option<ForeignMap>,
}

impl Choices {
    /// Reads a text. What is neither is taken for a recipe that is wrong.
    pub fn parse(text: &str) -> Result<Self, Error> {
        match Recipe::parse(text) {
            Ok(recipe) => Ok(Self {
                recipe,
                foreign: None,
            }),
            Err(_) if Tool::of_text(text).is_some() => Ok(Self {
                recipe: Recipe::default(),
                foreign: Some(foreign::read(text)?),
            }),
            Err(error) => Err(error.into()),
        }
    }

    /// The choices for two rigs, with doubts about a foreign map.
    pub fn for_pair(&self, source: &Rig, target: &Rig) -> (Recipe, Vec<Warning>) {
        let mut recipe = self.recipe.clone();
        let Some(foreign) = &self.foreign else {
            return (recipe, Vec::new());
        };
        let (own, warnings) = foreign.recipe(
            (&source.character, &source.map),
            (&target.character, &target.map),
        );
        recipe.source.slots = own.source.slots;
        recipe.target.slots = own.target.slots;
        recipe.links = own.links;
        (recipe, warnings)
    }

    /// A recipe with these choices, and every joint that they lead to. Fails where they name joints that are not there.
    pub fn text(&self, source: &Rig, target: &Rig) -> Result<String, Error> {
        let (recipe, _) = self.for_pair(source, target);
        let source_map = with_overrides(source, &recipe.source)?;
        let target_map = with_overrides(target, &recipe.target)?;
        let source = Described::aligned(&source.character, &source_map, &source.alignment);
        let target = Described::aligned(&target.character, &target_map, &target.alignment);
        Ok(recipe.to_text(source, target)?)
    }
}

#[cfg(feature = "json")]
impl Choices {
    /// Reads a text of any kind: TOML, JSON, or the map of another tool.
    pub fn parse_any(text: &str) -> Result<Self, Error> {
        if !text.trim_start().starts_with('{') || Tool::of_text(text).is_some() {
            return Self::parse(text);
        }
        Self::parse(&toml_of_json(text)?)
    }
}

/// A recipe's JSON as TOML. Keys without value are left out. Fails where the text is no JSON object.
#[cfg(feature = "json")]
pub fn toml_of_json(json: &str) -> Result<String, Error> {
    let wrong = |error: &dyn std::fmt::Display| {
        Error::request(
            format!("the recipe is no JSON object of keys and values: {error}"),
            "correct it, or give the recipe as TOML",
        )
    };
    let mut value: serde_json::Value = serde_json::from_str(json).map_err(|error| wrong(&error))?;
    drop_nothing(&mut value);
    let table: toml::Table = serde_json::from_value(value).map_err(|error| wrong(&error))?;
    toml::to_string(&table).map_err(|error| wrong(&error))
}

/// A recipe's TOML as JSON. Fails where the text is no TOML.
#[cfg(feature = "json")]
pub fn json_of_toml(text: &str) -> Result<String, Error> {
    let wrong = |error: &dyn std::fmt::Display| {
        Error::request(
            format!("the recipe is no TOML: {error}"),
            "correct it at the place that the message names",
        )
    };
    let table: toml::Table = toml::from_str(text).map_err(|error| wrong(&error))?;
    serde_json::to_string(&table).map_err(|error| wrong(&error))
}

/// Takes out `null`s, which TOML does not know.
#[cfg(feature = "json")]
fn drop_nothing(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(entries) => {
            entries.retain(|_, entry| !entry.is_null());
            entries.values_mut().for_each(drop_nothing);
        }
        serde_json::Value::Array(entries) => entries.iter_mut().for_each(drop_nothing),
        _ => {}
    }
}

#[cfg(all(test, feature = "json"))]
mod tests {
    use super::*;

    #[test]
    fn toml_and_json_say_the_same() {
        let toml = "version = 1\npreset = \"mixamo\"\nroot_scale = 0.5\n[source.slots]\nhips = [\"Hips\"]\n";
        let json = json_of_toml(toml).unwrap();
        let from_toml = Choices::parse_any(toml).unwrap().recipe;
        assert_eq!(Choices::parse_any(&json).unwrap().recipe, from_toml);
        assert_ne!(from_toml, Recipe::default());
        let empty = Choices::parse_any("{\"preset\": null}").unwrap().recipe;
        assert_eq!(empty, Recipe::default());
        for wrong in ["{", "{\"preset\": 3}", "[1]", "preset = "] {
            assert!(Choices::parse_any(wrong).is_err(), "{wrong}");
        }
    }
}
