//! The file behind `--recipe`: a recipe, or the map of another tool, known by its content.

use crate::failure::Failure;
use crate::files;
use crate::session::Loaded;
use rebone::core::foreign::{self, ForeignMap, Tool};
use rebone::retargeting::with_overrides;
use rebone::{Recipe, Warning};
use std::path::Path;

/// What a person has chosen in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// The recipe; empty where the file is the map of another tool.
    pub(crate) recipe: Recipe,
    /// The map of another tool, which says more once both rigs are known.
    pub(crate) foreign: Option<ForeignMap>,
}

impl Choices {
    /// Reads a file.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let input = files::Input::open(path)?;
        let text = String::from_utf8(input.bytes).map_err(|_| {
            Failure::at(
                path,
                "a recipe is text, but this file is not",
                "give a file that `rebone map SOURCE TARGET -o RECIPE` wrote",
            )
        })?;
        match Recipe::parse(&text) {
            Ok(recipe) => Ok(Self {
                recipe,
                foreign: None,
            }),
            Err(_) if Tool::of_text(&text).is_some() => {
                let foreign =
                    foreign::read(&text).map_err(|error| Failure::in_file(path, error))?;
                Ok(Self {
                    foreign: Some(foreign),
                    ..Self::default()
                })
            }
            Err(error) => Err(Failure::at(
                path,
                error,
                "`rebone map SOURCE TARGET -o recipe.toml` writes an example",
            )),
        }
    }

    /// The choices for two rigs, with doubts about a foreign map.
    pub(crate) fn for_pair(&self, source: &Loaded, target: &Loaded) -> (Recipe, Vec<Warning>) {
        let mut recipe = self.recipe.clone();
        let Some(foreign) = &self.foreign else {
            return (recipe, Vec::new());
        };
        let (own, warnings) = foreign.recipe(
            (&source.rig.character, &source.rig.map),
            (&target.rig.character, &target.rig.map),
        );
        recipe.source.slots = own.source.slots;
        recipe.target.slots = own.target.slots;
        recipe.links = own.links;
        (recipe, warnings)
    }

    /// Slots for one rig, with doubts. Of a recipe for two sides, those whose joints the rig has more of.
    pub(crate) fn for_one(&self, rig: &Loaded) -> (Recipe, Vec<Warning>) {
        let mut recipe = self.recipe.clone();
        let mut warnings = Vec::new();
        if let Some(foreign) = &self.foreign {
            (recipe.target.slots, warnings) = foreign.slots(&rig.rig.character, &rig.rig.map);
        } else {
            let known = |side: &rebone::core::recipe::SideRecipe| {
                let names = side.slots.values().flatten();
                names
                    .filter(|name| rig.rig.character.skeleton.find(name).is_ok())
                    .count()
            };
            if known(&recipe.source) > known(&recipe.target) {
                recipe.target.slots = std::mem::take(&mut recipe.source.slots);
            }
        }
        (recipe, warnings)
    }
}

/// The rig with slots of a person's own; what was said of the old map is taken back.
pub(crate) fn with_slots(
    mut loaded: Loaded,
    side: &rebone::core::recipe::SideRecipe,
) -> Result<Loaded, Failure> {
    let map = with_overrides(&loaded.rig, side)
        .map_err(|error| Failure::in_file(&loaded.input.path, error))?;
    let old = std::mem::replace(&mut loaded.rig.map, map);
    loaded
        .rig
        .warnings
        .retain(|warning| !old.warnings.contains(warning));
    let new = loaded.rig.map.warnings.iter().cloned();
    loaded.rig.warnings.extend(new);
    Ok(loaded)
}
