//! The source of a retarget: one file, or all motion files of a folder.

use crate::console;
use crate::failure::Failure;
use crate::files::{self, Input};
use crate::progress;
use crate::session::{self, Loaded};
use crate::table::some_of;
use rebone::opening::Opening;
use rebone::{Clip, Format};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that a remark lists.
const LISTED: usize = 6;

/// Opens a file, or every motion file of a folder (not of folders in it), sorted by name.
///
/// `apart` are files that belong to the command otherwise: its target and its outputs.
pub(crate) fn load(
    path: &Path,
    apart: &[&Path],
    wanted: &Opening<'_>,
) -> Result<Vec<Loaded>, Failure> {
    if !path.is_dir() {
        return Ok(vec![session::load(path, wanted)?]);
    }
    let apart: Vec<PathBuf> = apart
        .iter()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    let mut foreign = Vec::new();
    let mut without_motion = Vec::new();
    let mut loaded = Vec::new();
    let paths: Vec<PathBuf> = files::in_folder(path)?
        .into_iter()
        .filter(|path| path.canonicalize().is_ok_and(|path| !apart.contains(&path)))
        .collect();
    let read = progress::for_each("reading", &paths, |path| {
        if !is_known(path)? {
            return Ok(Found::Foreign);
        }
        let mut input = Input::open(path)?;
        let document = input.document(wanted.meshes)?;
        if document
            .characters
            .iter()
            .all(|found| found.clips.is_empty())
        {
            return Ok(Found::Still);
        }
        // Only targets are written into.
        input.bytes = Vec::new();
        session::from_document(input, document, wanted)
            .map(|loaded| Found::Motion(Box::new(loaded)))
    })?;
    for (path, file) in paths.iter().zip(read) {
        match file {
            Found::Foreign => foreign.push(name(path)),
            Found::Still => without_motion.push(name(path)),
            Found::Motion(file) if clips(&file).is_empty() => without_motion.push(name(path)),
            Found::Motion(file) => loaded.push(*file),
        }
    }
    for (names, why) in [
        (&foreign, "of no known format"),
        (&without_motion, "without motion"),
    ] {
        if !names.is_empty() {
            let names = some_of(names, LISTED);
            console::note(&format!("{}: skipped, {why}: {names}", path.display()));
        }
    }
    if loaded.is_empty() {
        return Err(Failure::at(
            path,
            "no file in this folder holds a motion",
            "give a folder of FBX, glTF, GLB, VRMA or BVH files with animations; folders in it are not searched",
        ));
    }
    name_clips(&mut loaded);
    Ok(loaded)
}

/// What a file of a folder is.
enum Found {
    /// Of no known format.
    Foreign,
    /// Without any clip.
    Still,
    /// A source.
    Motion(Box<Loaded>),
}

/// Looks at the beginning of a file; a broken file with the name of a known format is known all the same,
/// so that its reader can say what is wrong.
pub(crate) fn is_known(path: &Path) -> Result<bool, Failure> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    if Format::from_extension(&extension).is_some() {
        return Ok(true);
    }
    // Other JSON is no glTF, and a file of another name is taken for one only if it says so itself.
    let format = Format::detect(&files::beginning(path)?);
    Ok(matches!(format, Ok(found) if found != Format::Gltf))
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Gives every clip of several files a name of its own: its file's, where its own says nothing or stands
/// in another file too.
fn name_clips(loaded: &mut [Loaded]) {
    let mut files_with: BTreeMap<String, usize> = BTreeMap::new();
    for file in loaded.iter() {
        let mut names: Vec<&String> = clips(file).iter().map(|clip| &clip.name).collect();
        names.sort();
        names.dedup();
        for name in names {
            *files_with.entry(name.clone()).or_default() += 1;
        }
    }
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for file in loaded.iter_mut() {
        let stem = file.input.stem();
        let several = clips(file).len() > 1;
        for clip in &mut file.rig.character.clips {
            let twice = files_with.get(&clip.name).is_some_and(|files| *files > 1);
            if is_generic(&clip.name) || twice {
                clip.name = if several && clip.name != stem {
                    format!("{stem} {}", clip.name).trim_end().to_owned()
                } else {
                    stem.clone()
                };
            }
            let uses = taken.entry(clip.name.clone()).or_default();
            *uses += 1;
            if *uses > 1 {
                clip.name = format!("{} {uses}", clip.name);
            }
        }
    }
}

fn clips(file: &Loaded) -> &[Clip] {
    &file.rig.character.clips
}

/// True for a name that an exporter gives to any clip.
fn is_generic(name: &str) -> bool {
    const WORDS: [&str; 14] = [
        "",
        "action",
        "anim",
        "animation",
        "animstack",
        "armature",
        "armatureaction",
        "base layer",
        "baselayer",
        "clip",
        "default",
        "layer0",
        "mixamo.com",
        "scene",
    ];
    name.to_lowercase().split(['|', ':']).all(|part| {
        let part = part.trim();
        let word = part.trim_end_matches(|letter: char| {
            letter.is_ascii_digit() || matches!(letter, '_' | ' ' | '.')
        });
        WORDS.contains(&part)
            || WORDS.contains(&word)
            || matches!(word, "take" | "unnamed" | "untitled")
    })
}

#[cfg(test)]
mod tests {
    use super::is_generic;

    #[test]
    fn names_that_any_exporter_gives_say_nothing() {
        for name in [
            "Take 001",
            "mixamo.com",
            "Armature|mixamo.com|Layer0",
            "animation_0",
            "",
            "unnamed",
            "Armature|ArmatureAction",
            "Animation",
        ] {
            assert!(is_generic(name), "{name}");
        }
        for name in ["Walk", "Armature|Run", "take_off", "Intake", "walk01", "2"] {
            assert_eq!(is_generic(name), name == "2", "{name}");
        }
    }
}
