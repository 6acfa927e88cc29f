//! A character with its map and its space: what a retarget needs of each side.

use crate::error::Error;
use crate::space::{self, Space};
use glam::DQuat;
use rebone_core::align::{AlignOptions, Alignment, align};
use rebone_core::mapping::{RigMap, map_character};
use rebone_io::{Document, FileSpace, Format};
use rebone_model::{Character, Clip, Warning};

/// Which part a file plays; it decides which skeleton is taken where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The one with clips.
    Source,
    /// The one with a skin.
    Target,
}

/// One character of a file with everything found about it.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The file's format.
    pub format: Format,
    /// What the file states about unit and axes.
    pub stated: FileSpace,
    /// The character.
    pub character: Character,
    /// Its slots.
    pub map: RigMap,
    /// Its own retarget pose.
    pub alignment: Alignment,
    /// Unit and axes.
    pub space: Space,
    /// Doubts about file, map, pose and space.
    pub warnings: Vec<Warning>,
}

impl Rig {
    /// Chooses a skeleton of the document (by name, or the best for its role), maps and aligns it.
    pub fn new(document: Document, role: Role, skeleton: Option<&str>) -> Result<Self, Error> {
        let index = choose(&document, role, skeleton)?;
        let Document {
            format,
            space,
            mut characters,
            warnings,
            ..
        } = document;
        let character = characters.swap_remove(index);
        Ok(Self::from_character(character, format, space, warnings))
    }

    /// Maps and aligns a character.
    pub fn from_character(
        character: Character,
        format: Format,
        stated: FileSpace,
        warnings: Vec<Warning>,
    ) -> Self {
        let map = map_character(&character);
        Self::from_map(character, map, format, stated, warnings)
    }

    /// Aligns a character whose map is known.
    pub fn from_map(
        character: Character,
        map: RigMap,
        format: Format,
        stated: FileSpace,
        mut warnings: Vec<Warning>,
    ) -> Self {
        let clips: Vec<&Clip> = character.clips.iter().take(8).collect();
        let alignment = align(&character, &map, &clips, &align_options(&stated));
        let (space, space_warnings) = space::detect(&stated, format, &character, &alignment);
        warnings.extend(map.warnings.iter().cloned());
        warnings.extend(alignment.warnings.iter().cloned());
        warnings.extend(space_warnings);
        Self {
            format,
            stated,
            character,
            map,
            alignment,
            space,
            warnings,
        }
    }

    /// Turns the file's axes to +Y up, +Z forward.
    pub fn canonical_from_file(&self) -> DQuat {
        self.alignment.canonical_from_file
    }

    /// The clips with these names, or all where no name is given.
    pub fn clips(&self, names: &[String]) -> Result<Vec<&Clip>, Error> {
        if names.is_empty() {
            return Ok(self.character.clips.iter().collect());
        }
        names
            .iter()
            .map(|name| {
                self.character
                    .clips
                    .iter()
                    .find(|clip| clip.name == *name)
                    .ok_or_else(|| {
                        Error::request(
                            format!("the source has no clip \"{name}\""),
                            format!(
                                "its clips are {}",
                                list(self.character.clips.iter().map(|c| c.name.as_str()))
                            ),
                        )
                    })
            })
            .collect()
    }
}

/// What alignment may be told about a file.
pub(crate) fn align_options(stated: &FileSpace) -> AlignOptions {
    AlignOptions {
        up: stated.up,
        ..AlignOptions::default()
    }
}

fn choose(document: &Document, role: Role, skeleton: Option<&str>) -> Result<usize, Error> {
    let characters = &document.characters;
    if let Some(name) = skeleton {
        return characters
            .iter()
            .position(|character| character.name == name)
            .ok_or_else(|| {
                Error::request(
                    format!("the file has no skeleton \"{name}\""),
                    format!(
                        "its skeletons are {}",
                        list(characters.iter().map(|c| c.name.as_str()))
                    ),
                )
            });
    }
    let better = |index: usize| {
        let character = &characters[index];
        let fits = match role {
            Role::Source => !character.clips.is_empty(),
            Role::Target => !character.skins.is_empty(),
        };
        (fits, !character.labels.is_empty(), character.skeleton.len())
    };
    (0..characters.len())
        .max_by_key(|&index| (better(index), std::cmp::Reverse(index)))
        .ok_or_else(|| {
            Error::request(
                "the file holds no skeleton",
                "give a file with joints: a skinned character, or an animation of joints",
            )
        })
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let all: Vec<&str> = names.collect();
    if all.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<String> = all
        .iter()
        .take(20)
        .map(|name| format!("\"{name}\""))
        .collect();
    if all.len() > shown.len() {
        format!("{} and {} more", shown.join(", "), all.len() - shown.len())
    } else {
        shown.join(", ")
    }
}
