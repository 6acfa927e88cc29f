//! Files that a command works on, opened.

use crate::failure::Failure;
use crate::files::Input;
use crate::table::some_of;
use rebone::{Clip, Rig, Role, Warning};
use std::collections::BTreeSet;
use std::path::Path;

/// A character with the file it is from.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    /// The file.
    pub(crate) input: Input,
    /// The character.
    pub(crate) rig: Rig,
}

/// Which character of a file, and how much of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'a> {
    /// The part it plays.
    pub(crate) role: Role,
    /// Its skeleton; default: the best for the role.
    pub(crate) skeleton: Option<&'a str>,
    /// Also meshes, materials and images. Default false.
    pub(crate) meshes: bool,
}

impl Wanted<'_> {
    /// The best skeleton for a role.
    pub(crate) fn new(role: Role) -> Self {
        Self {
            role,
            skeleton: None,
            meshes: false,
        }
    }
}

/// Opens a file and takes one character from it.
pub(crate) fn load(path: &Path, wanted: &Wanted<'_>) -> Result<Loaded, Failure> {
    from_input(Input::open(path)?, wanted)
}

/// Takes one character from an open file.
pub(crate) fn from_input(input: Input, wanted: &Wanted<'_>) -> Result<Loaded, Failure> {
    let document = input.document(wanted.meshes)?;
    let rig = Rig::new(document, wanted.role, wanted.skeleton)
        .map_err(|error| Failure::in_file(&input.path, error))?;
    Ok(Loaded { input, rig })
}

/// Opens two files at once. Where both fail the first one's error is told.
pub(crate) fn load_pair(
    source: (&Path, &Wanted<'_>),
    target: (&Path, &Wanted<'_>),
) -> Result<(Loaded, Loaded), Failure> {
    let (source, target) = std::thread::scope(|scope| {
        let other = scope.spawn(|| load(target.0, target.1));
        let source = load(source.0, source.1);
        let target = other
            .join()
            .unwrap_or_else(|cause| std::panic::resume_unwind(cause));
        (source, target)
    });
    Ok((source?, target?))
}

/// Warnings without repetition, in their order.
pub(crate) fn distinct<'a>(warnings: impl IntoIterator<Item = &'a Warning>) -> Vec<Warning> {
    let mut seen = BTreeSet::new();
    warnings
        .into_iter()
        .filter(|warning| seen.insert((warning.code, &warning.joint, &warning.message)))
        .cloned()
        .collect()
}

/// The warnings of one side of a pair, marked as such.
pub(crate) fn on_side(side: &str, warnings: &[Warning]) -> Vec<Warning> {
    let mut result = warnings.to_vec();
    for warning in &mut result {
        warning.message = format!("{side}: {}", warning.message);
    }
    result
}

/// The clips with these names, or all where no name is given.
pub(crate) fn clips_named<'a>(
    loaded: &'a Loaded,
    names: &[String],
) -> Result<Vec<&'a Clip>, Failure> {
    let clips = &loaded.rig.character.clips;
    if names.is_empty() {
        return Ok(clips.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            clips
                .iter()
                .find(|clip| clip.name == *name)
                .ok_or_else(|| no_such_clip(loaded, name))
        })
        .collect()
}

fn no_such_clip(loaded: &Loaded, name: &str) -> Failure {
    let clips = &loaded.rig.character.clips;
    let alike = |clip: &&Clip| {
        let (a, b) = (clip.name.to_lowercase(), name.to_lowercase());
        a.contains(&b) || b.contains(&a)
    };
    let remedy = match clips.iter().find(alike) {
        Some(clip) => format!(
            "did you mean \"{}\"? `rebone inspect FILE` lists all {}",
            clip.name,
            clips.len()
        ),
        None if clips.is_empty() => "it has none".to_owned(),
        None => format!("it has {}", quoted_names(clips.iter())),
    };
    Failure::at(
        &loaded.input.path,
        format_args!("no clip is named \"{name}\""),
        remedy,
    )
}

/// Where a file that holds one clip was to hold several.
pub(crate) fn too_many_clips(path: &Path, clips: &[&Clip]) -> Failure {
    Failure::at(
        path,
        format_args!(
            "a BVH holds one clip, but {} are to be written",
            clips.len()
        ),
        format_args!(
            "choose one with --clip NAME: {}",
            quoted_names(clips.iter().copied())
        ),
    )
}

/// The first few names, in quotation marks.
pub(crate) fn quoted_names<'a>(clips: impl Iterator<Item = &'a Clip>) -> String {
    let names: Vec<String> = clips.map(|clip| format!("\"{}\"", clip.name)).collect();
    some_of(&names, 8)
}
