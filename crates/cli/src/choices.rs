//! The file behind `--recipe`: a recipe, or the map of another tool, known by its content.

use crate::failure::{Failure, Said};
use crate::files;
use crate::session::Loaded;
use rebone::overrides::with_overrides;
use rebone::setup::foreign::{self, ForeignMap, Tool};
use rebone::setup::recipe::{SideRecipe, with_settings};
use rebone::{Recipe, RigMap, Warning};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// A setting that was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Typed {
    /// As it was typed, for messages: `--fps 30`.
    pub(crate) as_typed: String,
    /// `rate_hz=30`.
    pub(crate) setting: String,
    /// Whether its flag will go.
    pub(crate) goes: bool,
}

/// The settings of a command line, those of `--set` last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen(pub(crate) Vec<Typed>);

/// What a person has chosen in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    /// The recipe; empty where the file is the map of another tool.
    pub(crate) recipe: Recipe,
    /// The map of another tool, which says more once both rigs are known.
    pub(crate) foreign: Option<ForeignMap>,
    /// The file.
    pub(crate) path: Option<PathBuf>,
}

impl Choices {
    /// Reads a file. Without one, nothing is chosen.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        Self::with_settings(path, &Chosen::default())
    }

    /// Reads a file, where there is one, and puts settings on top.
    pub(crate) fn with_settings(path: Option<&Path>, chosen: &Chosen) -> Result<Self, Failure> {
        let example = "give a file that `rebone map SOURCE TARGET -o RECIPE` wrote";
        let text = path.map(|path| files::Input::open_text(path, "a recipe is", example));
        let text = text.transpose()?.unwrap_or_default();
        let foreign = match (path, Recipe::parse(&text)) {
            (Some(path), Err(_)) if Tool::of_text(&text).is_some() => {
                Some(foreign::read(&text).map_err(|error| Failure::in_file(path, error))?)
            }
            (Some(path), Err(error)) => return Err(unknown_text(path, &text, &error)),
            _ => None,
        };
        // The map of another tool says nothing of settings.
        let mut text = if foreign.is_some() {
            String::new()
        } else {
            text
        };
        for typed in &chosen.0 {
            let more = with_settings(&text, &[&typed.setting]);
            text = more.map_err(|error| Failure::in_file(Path::new(&typed.as_typed), error))?;
        }
        let recipe = Recipe::parse(&text);
        Ok(Self {
            recipe: recipe.map_err(|error| Failure::in_file(Path::new("--recipe"), error))?,
            foreign,
            path: path.map(Path::to_owned),
        })
    }

    /// The choices for two rigs, with doubts about a foreign map.
    pub(crate) fn for_pair(&self, source: &Loaded, target: &Loaded) -> (Recipe, Vec<Warning>) {
        self.own().for_pair(&source.rig, &target.rig)
    }

    /// A recipe with these choices, and every joint that they lead to.
    pub(crate) fn text(&self, source: &Loaded, target: &Loaded) -> Result<String, Failure> {
        let (recipe, _) = self.for_pair(source, target);
        // Either may be wrong: the file that is, is named.
        overridden(source, &recipe.source)?;
        overridden(target, &recipe.target)?;
        let text = self.own().text(&source.rig, &target.rig);
        text.map_err(|error| self.failure(&source.input.path, error))
    }

    fn own(&self) -> rebone::choices::Choices {
        rebone::choices::Choices {
            recipe: self.recipe.clone(),
            foreign: self.foreign.clone(),
        }
    }

    /// Choices for one rig as the target, with doubts. Of a recipe for two sides, those of the side whose joints the rig has more of.
    pub(crate) fn for_one(&self, rig: &Loaded) -> (Recipe, Vec<Warning>) {
        let mut recipe = self.recipe.clone();
        let mut warnings = Vec::new();
        if let Some(foreign) = &self.foreign {
            (recipe.target.slots, warnings) = foreign.slots(&rig.rig.character, &rig.rig.map);
        } else {
            let known = |side: &SideRecipe| {
                let names = side.slots.values().flatten();
                names
                    .filter(|name| rig.rig.character.skeleton.find(name).is_ok())
                    .count()
            };
            if known(&recipe.source) > known(&recipe.target) {
                std::mem::swap(&mut recipe.source, &mut recipe.target);
            }
        }
        (recipe, warnings)
    }

    /// The rig with slots of a person's own; what was said of the old map is taken back.
    pub(crate) fn with_slots(
        &self,
        mut loaded: Loaded,
        side: &SideRecipe,
    ) -> Result<Loaded, Failure> {
        let map = with_overrides(&loaded.rig, side)
            .map_err(|error| self.failure(&loaded.input.path, error))?;
        let old = std::mem::replace(&mut loaded.rig.map, map);
        loaded
            .rig
            .warnings
            .retain(|warning| !old.warnings.contains(warning));
        let new = loaded.rig.map.warnings.iter().cloned();
        loaded.rig.warnings.extend(new);
        Ok(loaded)
    }

    /// What is wrong with these choices for a rig: the file to correct is named first.
    pub(crate) fn failure(&self, rig: &Path, error: impl Into<Said>) -> Failure {
        match &self.path {
            Some(path) => {
                let about = format!("it does not fit {}: ", rig.display());
                Failure::in_file(path, error.into().after(&about))
            }
            None => Failure::in_file(rig, error),
        }
    }
}

/// A rig's map with a recipe's joints on top.
pub(crate) fn overridden(loaded: &Loaded, recipe: &SideRecipe) -> Result<RigMap, Failure> {
    with_overrides(&loaded.rig, recipe).map_err(|error| Failure::in_file(&loaded.input.path, error))
}

/// Ends of the names of maps of other tools.
const FOREIGN: [&str; 8] = [
    "json", "py", "meta", "tres", "import", "xml", "bmap", "bonemap",
];

/// What to say of a text that is neither a recipe nor a known map. Where the file is called as another tool's map
/// is, what is no TOML in it helps nobody.
fn unknown_text(path: &Path, text: &str, error: &impl Display) -> Failure {
    let is_foreign = path.extension().is_some_and(|extension| {
        FOREIGN
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known))
    });
    if !is_foreign {
        return Failure::at(
            path,
            error,
            "`rebone map SOURCE TARGET -o recipe.toml` writes an example",
        );
    }
    let damage = if text.trim_start().starts_with('{') {
        serde_json::from_str::<serde::de::IgnoredAny>(text).err()
    } else {
        None
    };
    match damage {
        Some(damage) => Failure::at(
            path,
            format_args!("it begins as JSON, but is damaged: {damage}"),
            "export it again",
        ),
        None => Failure::at(
            path,
            "it is neither a recipe nor a map of a tool that is known, or it is damaged",
            "docs/maps.md lists the tools; export the map again, or write it with `rebone map --as TOOL`",
        ),
    }
}
