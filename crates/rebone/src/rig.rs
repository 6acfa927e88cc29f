//! A character with its map and its space: what a retarget needs of each side.

use crate::error::Error;
use crate::input_file::InputFile;
use crate::space::{self, Space};
use glam::DQuat;
use rebone_io::{Document, FileSpace, Format};
use rebone_model::clip::find_clip;
use rebone_model::{Character, Clip, Warning, hull_of};
use rebone_setup::align::{
    AlignOptions, Aligned, Alignment, GivenPose, PoseChoice, align, given_pose,
};
use rebone_setup::mapping::{
    MapOptions, ProfileChoice, RigMap, map_character_as, map_character_with,
};
use rebone_setup::profile::Stance;

/// Clips of a file that are consulted for its alignment.
pub(crate) const ALIGNED_CLIPS: usize = 8;

/// Which part a file plays; it decides which skeleton is taken where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The one with clips.
    Source,
    /// The one with a skin.
    Target,
    /// The one with both, or most of it.
    Either,
}

/// One character of a file with everything found about it.
#[derive(Clone, Debug)]
pub struct Rig {
    /// The file's format.
    pub format: Format,
    /// What is stated about the numbers of the character: unit and axes.
    pub stated: FileSpace,
    /// Unit and axes of the numbers in the file, as far as it states them. Another than `stated` where
    /// the reader converts them (FBX).
    pub file_space: FileSpace,
    /// The character.
    pub character: Character,
    /// Its slots.
    pub map: RigMap,
    /// Its own retarget pose.
    pub alignment: Alignment,
    /// Unit and axes.
    pub space: Space,
    /// The pose of another file of the same rig, from [`Rig::with_rest_of`].
    pub given: Option<GivenPose>,
    /// Doubts about file, map, pose and space.
    pub warnings: Vec<Warning>,
    /// The file that it is from, which results are written into; a rig without one is written as a new file.
    pub file: Option<InputFile>,
    /// True where its meshes were read, if it has any.
    pub meshes_are_read: bool,
}

impl Rig {
    /// Chooses a skeleton of the document (by name, or the best for its role), maps and aligns it.
    pub fn new(document: Document, role: Role, skeleton: Option<&str>) -> Result<Self, Error> {
        let index = choose(&document, role, skeleton)?;
        let Document {
            format,
            space,
            file_space,
            mut characters,
            warnings,
        } = document;
        let character = characters.swap_remove(index);
        Ok(Self::from_character(character, format, space, warnings).in_file_space(file_space))
    }

    /// The character with its map and its retarget pose.
    pub fn aligned(&self) -> Aligned<'_> {
        Aligned {
            character: &self.character,
            map: &self.map,
            alignment: &self.alignment,
        }
    }

    /// Maps and aligns a character.
    pub fn from_character(
        character: Character,
        format: Format,
        stated: FileSpace,
        warnings: Vec<Warning>,
    ) -> Self {
        let options = MapOptions {
            forward: stated.forward,
            ..MapOptions::default()
        };
        let map = map_character_with(&character, &options);
        Self::from_map(character, map, format, stated, warnings)
    }

    /// Aligns a character whose map is known.
    pub fn from_map(
        mut character: Character,
        map: RigMap,
        format: Format,
        stated: FileSpace,
        mut warnings: Vec<Warning>,
    ) -> Self {
        if character.hull.is_empty() {
            // Of a character that no reader made.
            character.hull = hull_of(&character);
        }
        let clips: Vec<&Clip> = character.clips.iter().take(ALIGNED_CLIPS).collect();
        let alignment = align(&character, &map, &clips, &align_options(&stated));
        warnings.extend(map.warnings.iter().cloned());
        let (space, own) = doubts(&stated, &stated, format, &character, &map, &alignment);
        warnings.extend(own);
        Self {
            format,
            stated,
            file_space: stated,
            character,
            map,
            alignment,
            space,
            given: None,
            warnings,
            file: None,
            meshes_are_read: false,
        }
    }

    /// The same rig from a file whose numbers have another unit and other axes than those that were read.
    #[must_use]
    pub fn in_file_space(mut self, file_space: FileSpace) -> Self {
        self.file_space = file_space;
        self.judge_again();
        self
    }

    /// The same rig, mapped by another profile than the one that it looks like.
    #[must_use]
    pub fn mapped_as(self, choice: ProfileChoice) -> Self {
        if choice == ProfileChoice::Auto {
            return self;
        }
        let map = map_character_as(&self.character, choice);
        let old = [&self.map.warnings, &self.alignment.warnings];
        let is_old = |warning: &Warning| {
            old.iter().any(|list| list.contains(warning))
                || matches!(warning.code, "unit-guessed" | "unit-unlikely")
        };
        let warnings = self
            .warnings
            .iter()
            .filter(|warning| !is_old(warning))
            .cloned()
            .collect();
        let (file, meshes_are_read) = (self.file, self.meshes_are_read);
        let mut rig = Self::from_map(self.character, map, self.format, self.stated, warnings)
            .in_file_space(self.file_space);
        (rig.file, rig.meshes_are_read) = (file, meshes_are_read);
        rig
    }

    /// The same rig, aligned from the reference pose of another file of it: joints go together by name,
    /// units and containers may differ. Fails where fewer than half of the slots' joints are in `other`.
    pub fn with_rest_of(self, other: &Self) -> Result<Self, Error> {
        let given = given_pose(&self.character, &other.character, &other.alignment);
        self.with_given(given)
    }

    /// The same rig with the reference pose and the axes of another take of it: see [`Rig::with_rest_of`].
    pub(crate) fn with_rest_of_take(self, take: &Self) -> Result<Self, Error> {
        let mut given = given_pose(&self.character, &take.character, &take.alignment);
        if (self.format, self.stated) == (take.format, take.stated) {
            given = given.with_axes_of(&take.alignment);
        }
        self.with_given(given)
    }

    /// The same rig, aligned from a given pose. Fails where it lacks more than half of the slots' joints.
    fn with_given(mut self, given: GivenPose) -> Result<Self, Error> {
        let slots = self.map.slots.len();
        let joints = self
            .map
            .slots
            .values()
            .filter_map(|found| found.joints.first());
        let found = joints.filter(|&&joint| given.has(joint)).count();
        if 2 * found < slots || given.found() == 0 {
            return Err(Error::request(
                format!("of the {slots} joints that are body parts only {found} are in it by name"),
                "give a file of the same rig",
            ));
        }
        let clips: Vec<&Clip> = self.character.clips.iter().take(ALIGNED_CLIPS).collect();
        let options = AlignOptions {
            pose: Some(PoseChoice::Given),
            given: Some(given.clone()),
            ..align_options(&self.stated)
        };
        let alignment = align(&self.character, &self.map, &clips, &options);
        self.given = Some(given);
        self.realign(alignment);
        Ok(self)
    }

    /// Takes another alignment, with what is to be said of it.
    pub(crate) fn realign(&mut self, alignment: Alignment) {
        let old = std::mem::replace(&mut self.alignment, alignment);
        self.warnings
            .retain(|warning| !old.warnings.contains(warning));
        self.judge_again();
    }

    /// Finds unit and axes anew, with what is to be said of them.
    fn judge_again(&mut self) {
        let old = &self.alignment.warnings;
        self.warnings.retain(|warning| {
            !old.contains(warning) && !matches!(warning.code, "unit-guessed" | "unit-unlikely")
        });
        let (space, own) = doubts(
            &self.stated,
            &self.file_space,
            self.format,
            &self.character,
            &self.map,
            &self.alignment,
        );
        self.space = space;
        self.warnings.extend(own);
    }

    /// Height of the body, metres; of all joints where no body was recognised.
    pub fn height_meters(&self) -> f64 {
        let units = if self.map.slots.is_empty() {
            let up = self.alignment.up().as_vec3();
            f64::from(self.character.extent_along(up))
        } else {
            self.alignment.measures.height
        };
        units * self.space.meters_per_unit
    }

    /// Turns the file's axes to +Y up, +Z forward.
    pub fn canonical_from_file(&self) -> DQuat {
        self.alignment.canonical_from_file
    }

    /// The clips with these names ([`find_clip`]), or all where no name is given.
    pub fn clips(&self, names: &[String]) -> Result<Vec<&Clip>, Error> {
        if names.is_empty() {
            return Ok(self.character.clips.iter().collect());
        }
        names
            .iter()
            .map(|name| {
                let clips = &self.character.clips;
                find_clip(clips, name).ok_or_else(|| {
                    Error::request(
                        format!("the source has no clip \"{name}\""),
                        format!(
                            "its clips are {}",
                            list(clips.iter().map(|c| c.name.as_str()))
                        ),
                    )
                })
            })
            .collect()
    }
}

/// Unit and axes, with the doubts about pose and space.
fn doubts(
    stated: &FileSpace,
    file_space: &FileSpace,
    format: Format,
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
) -> (Space, Vec<Warning>) {
    let is_humanoid = map.profile.stance == Stance::Upright && !map.slots.is_empty();
    let mut warnings = alignment.warnings.clone();
    let body = space::Body {
        height: alignment.measures.height,
        joints: character.skeleton.len(),
        is_humanoid,
        is_animal: !is_humanoid && !map.slots.is_empty(),
    };
    let (space, own) = space::detect(stated, file_space, format, &body, alignment);
    warnings.extend(own);
    (space, warnings)
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
        let [moves, has_skin] = [!character.clips.is_empty(), !character.skins.is_empty()];
        let fits = match role {
            Role::Source => u8::from(moves),
            Role::Target => u8::from(has_skin),
            Role::Either => u8::from(moves) + u8::from(has_skin),
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
