//! Files that a command works on, opened.

use crate::failure::Failure;
use crate::files::Input;
use crate::table::some_of;
use rebone::core::mapping::ProfileChoice;
use rebone::model::clip::find_clip;
use rebone::model::skeleton::edit_distance;
use rebone::opening::{NamedBytes, Opening, choose, open};
use rebone::{Clip, Document, Rig, Role, Warning};
use std::path::Path;

pub(crate) use rebone::doubts::distinct;

/// A character with the file it is from.
#[derive(Clone, Debug)]
pub(crate) struct Loaded {
    /// The file.
    pub(crate) input: Input,
    /// The character.
    pub(crate) rig: Rig,
}

/// Opens a file and takes one character from it.
pub(crate) fn load(path: &Path, wanted: &Opening<'_>) -> Result<Loaded, Failure> {
    from_input(Input::open(path)?, wanted)
}

/// Takes one character from an open file.
pub(crate) fn from_input(input: Input, wanted: &Opening<'_>) -> Result<Loaded, Failure> {
    let beside = |name: &str| input.beside(name);
    let stem = input.stem();
    let file = NamedBytes {
        bytes: &input.bytes,
        stem: &stem,
        resources: &beside,
    };
    let rig = open(file, wanted).map_err(|error| Failure::in_file(&input.path, error))?;
    Ok(Loaded { input, rig })
}

/// Takes one character from what was read of a file.
pub(crate) fn from_document(
    input: Input,
    document: Document,
    wanted: &Opening<'_>,
) -> Result<Loaded, Failure> {
    let rig = choose(document, wanted).map_err(|error| Failure::in_file(&input.path, error))?;
    Ok(Loaded { input, rig })
}

/// Runs two jobs at once. Where both fail the first one's error is told.
pub(crate) fn both<A: Send, B: Send>(
    first: impl FnOnce() -> Result<A, Failure>,
    second: impl FnOnce() -> Result<B, Failure> + Send,
) -> Result<(A, B), Failure> {
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(second);
        let first = first();
        let second = other
            .join()
            .unwrap_or_else(|cause| std::panic::resume_unwind(cause));
        (first, second)
    });
    Ok((first?, second?))
}

/// The same file, aligned from the pose of another file of its rig.
pub(crate) fn with_rest_of(loaded: Loaded, rest: &Loaded) -> Result<Loaded, Failure> {
    let Loaded { input, rig } = loaded;
    let rig = rig.with_rest_of(&rest.rig).map_err(|error| {
        Failure::in_file(
            &rest.input.path,
            format_args!(
                "it cannot give the rest pose of {}: {error}",
                input.path.display()
            ),
        )
    })?;
    Ok(Loaded { input, rig })
}

/// Opens a file and takes one character from it; aligned from the pose of another file of its rig, where one is named.
pub(crate) fn load_at_rest_of(
    path: &Path,
    wanted: &Opening<'_>,
    rest: Option<&Path>,
) -> Result<Loaded, Failure> {
    let loaded = load(path, wanted)?;
    match rest {
        Some(rest) => with_rest_of(loaded, &load_rest(rest, wanted.profile)?),
        None => Ok(loaded),
    }
}

/// The file that gives a pose.
pub(crate) fn load_rest(path: &Path, profile: ProfileChoice) -> Result<Loaded, Failure> {
    let wanted = Opening {
        profile,
        ..Opening::new(Role::Target)
    };
    load(path, &wanted)
}

/// Opens two files at once. Where both fail the first one's error is told.
pub(crate) fn load_pair(
    source: (&Path, &Opening<'_>),
    target: (&Path, &Opening<'_>),
) -> Result<(Loaded, Loaded), Failure> {
    both(|| load(source.0, source.1), || load(target.0, target.1))
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
    let chosen = clips_of_any(std::slice::from_ref(loaded), &loaded.input.path, names)?;
    Ok(chosen.into_iter().flatten().collect())
}

/// For each file its clips with these names, or all where no name is given. `path` is what a message
/// names: the file, or the folder of all.
pub(crate) fn clips_of_any<'a>(
    loaded: &'a [Loaded],
    path: &Path,
    names: &[String],
) -> Result<Vec<Vec<&'a Clip>>, Failure> {
    let all = || loaded.iter().flat_map(|file| &file.rig.character.clips);
    let is_exact = |name: &str| all().any(|clip| clip.name == name);
    for name in names {
        let is_found = loaded
            .iter()
            .any(|file| find_clip(&file.rig.character.clips, name).is_some());
        if !is_found {
            let clips: Vec<&Clip> = all().collect();
            return Err(no_such_clip(path, &clips, name));
        }
    }
    let of_file = |file: &'a Loaded| {
        let clips = &file.rig.character.clips;
        if names.is_empty() {
            return clips.iter().collect();
        }
        let named = |name: &String| {
            // A clip's full name in one file is no short name in another.
            find_clip(clips, name).filter(|clip| clip.name == *name || !is_exact(name))
        };
        names.iter().filter_map(named).collect()
    };
    Ok(loaded.iter().map(of_file).collect())
}

fn no_such_clip(path: &Path, clips: &[&Clip], name: &str) -> Failure {
    let remedy = instead_of(clips, name);
    Failure::at(path, format_args!("no clip is named \"{name}\""), remedy)
}

/// What to ask for where no clip is named so.
pub(crate) fn instead_of(clips: &[&Clip], name: &str) -> String {
    let wanted = name.to_lowercase();
    let part = |clip: &&&Clip| {
        let other = clip.name.to_lowercase();
        other.contains(&wanted) || wanted.contains(&other)
    };
    // A typing error or two, but not another word.
    let allowed = 1 + wanted.chars().count() / 4;
    let mistyped = || {
        clips
            .iter()
            .map(|clip| (edit_distance(&wanted, &clip.name.to_lowercase()), clip))
            .filter(|(distance, _)| *distance <= allowed)
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, clip)| clip)
    };
    match clips.iter().find(part).or_else(mistyped) {
        Some(clip) => format!(
            "did you mean \"{}\"? It is one of {}",
            clip.name,
            clips.len()
        ),
        None if clips.is_empty() => "there are no clips".to_owned(),
        None => format!("there is {}", quoted_names(clips.iter().copied())),
    }
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
