//! The sources of a command: files, folders of motion files, patterns and lists.

use crate::console;
use crate::failure::Failure;
use crate::files::{self, Input};
use crate::progress;
use crate::session::{self, Loaded};
use crate::standard::is_standard;
use crate::table::some_of;
use rebone::disk::folder_of;
use rebone::opening::Opening;
use rebone::{Clip, Format};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files that a remark lists.
const LISTED: usize = 6;

/// A file that may hold a motion.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// The folder that was searched, from which the path below it is taken; `None` for a file that was named.
    pub(crate) folder: Option<PathBuf>,
}

/// The files that are meant by `wanted`: files, folders, patterns with `*`, `?`, `[...]` or `**` (for shells that do not
/// expand them), lists of all these (`@list.txt`, one a line), and `-`. Folders give their files sorted by name, without
/// hidden ones; the files in their subfolders too if `recursive`. A file stands once.
pub(crate) fn find(wanted: &[PathBuf], recursive: bool) -> Result<Vec<Found>, Failure> {
    let mut found = Vec::new();
    for path in wanted {
        collect(path, recursive, true, &mut found)?;
    }
    let mut seen = BTreeSet::new();
    found.retain(|file: &Found| seen.insert(canonical(&file.path)));
    Ok(found)
}

fn collect(
    path: &Path,
    recursive: bool,
    may_be_list: bool,
    found: &mut Vec<Found>,
) -> Result<(), Failure> {
    let text = path.to_string_lossy();
    if path.is_dir() {
        return collect_folder(path, path, recursive, found);
    }
    if let Some(list) = text
        .strip_prefix('@')
        .filter(|_| may_be_list && !path.exists())
    {
        let example =
            "write one file, folder or pattern per line; lines that begin with # are left out";
        let list = Input::open_text(Path::new(list), "a list of files is", example)?;
        let lines = list.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            collect(Path::new(line), recursive, false, found)?;
        }
        return Ok(());
    }
    if path.exists() || is_standard(path) || !text.contains(['*', '?', '[']) {
        found.push(Found {
            path: path.to_owned(),
            folder: None,
        });
        return Ok(());
    }
    let unreadable = |error: String| {
        Failure::at(
            path,
            format_args!("this pattern cannot be used: {error}"),
            "use *, ? and [abc] for parts of names, ** for folders",
        )
    };
    let matches = glob::glob(&text).map_err(|error| unreadable(error.to_string()))?;
    let before = found.len();
    for path in matches {
        let path = path.map_err(|error| unreadable(error.to_string()))?;
        if path.is_file() {
            found.push(Found {
                folder: Some(folder_of(&path).to_owned()),
                path,
            });
        }
    }
    if found.len() == before {
        return Err(Failure::at(
            path,
            "no file matches this pattern",
            "check it (it is taken from the current folder)",
        ));
    }
    Ok(())
}

fn collect_folder(
    folder: &Path,
    top: &Path,
    recursive: bool,
    found: &mut Vec<Found>,
) -> Result<(), Failure> {
    for path in files::in_folder(folder)? {
        if path.is_file() {
            found.push(Found {
                path,
                folder: Some(top.to_owned()),
            });
        } else if recursive && path.is_dir() {
            collect_folder(&path, top, recursive, found)?;
        }
    }
    Ok(())
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// What a list of sources is called in messages.
pub(crate) fn name_of_all(wanted: &[PathBuf]) -> PathBuf {
    match wanted {
        [only] => only.clone(),
        several => PathBuf::from(format!("{} sources", several.len())),
    }
}

/// Opens sources: the files that were named, and those files of folders and patterns that hold a motion.
///
/// `apart` are files that belong to the command otherwise: its target and its outputs.
pub(crate) fn load(
    paths: &[PathBuf],
    recursive: bool,
    apart: &[&Path],
    wanted: &Opening<'_>,
) -> Result<Vec<Loaded>, Failure> {
    if let [path] = paths
        && (path.is_file() || is_standard(path))
    {
        return Ok(vec![session::load(path, wanted)?]);
    }
    let apart: Vec<PathBuf> = apart.iter().map(|path| canonical(path)).collect();
    let mut foreign = Vec::new();
    let mut without_motion = Vec::new();
    let mut loaded = Vec::new();
    let files: Vec<Found> = find(paths, recursive)?
        .into_iter()
        .filter(|file| file.folder.is_none() || !apart.contains(&canonical(&file.path)))
        .collect();
    let read = progress::for_each("reading", &files, |file| Content::read(file, wanted))?;
    for (file, content) in files.iter().zip(read) {
        match content {
            Content::Foreign => foreign.push(files::name_of(&file.path)),
            Content::Still => without_motion.push(files::name_of(&file.path)),
            Content::Motion(motion) if clips(&motion).is_empty() => {
                without_motion.push(files::name_of(&file.path));
            }
            Content::Motion(motion) => loaded.push(*motion),
        }
    }
    let all = name_of_all(paths);
    for (names, why) in [
        (&foreign, "of no known format"),
        (&without_motion, "without motion"),
    ] {
        if !names.is_empty() {
            let names = some_of(names, LISTED);
            console::remark(&format!("{}: skipped, {why}: {names}", all.display()));
        }
    }
    if loaded.is_empty() {
        return Err(no_motion(&all));
    }
    name_clips(&mut loaded);
    Ok(loaded)
}

/// What is in a file.
enum Content {
    /// Of no known format.
    Foreign,
    /// Without any clip.
    Still,
    /// A source.
    Motion(Box<Loaded>),
}

impl Content {
    fn read(file: &Found, wanted: &Opening<'_>) -> Result<Self, Failure> {
        if file.folder.is_some() && !is_known(&file.path)? {
            return Ok(Self::Foreign);
        }
        let mut input = Input::open(&file.path)?;
        let document = input.document(wanted.meshes)?;
        if document
            .characters
            .iter()
            .all(|found| found.clips.is_empty())
        {
            return Ok(Self::Still);
        }
        // Only targets are written into.
        input.file.forget();
        let loaded = session::from_document(input, document, wanted)?;
        Ok(Self::Motion(Box::new(loaded)))
    }
}

fn no_motion(all: &Path) -> Failure {
    if all.is_dir() {
        return Failure::at(
            all,
            "no file in this folder holds a motion",
            "give a folder of FBX, glTF, GLB, VRMA or BVH files with animations; --recursive also searches the folders in it",
        );
    }
    Failure::at(
        all,
        "none of these files holds a motion",
        "give FBX, glTF, GLB, VRMA or BVH files with animations",
    )
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
