//! What a batch has to do: which sources go onto which targets, and where the results go.

use crate::arguments::Batch;
use crate::destination::{Destination, own_format};
use crate::failure::Failure;
use crate::settings::RetargetSettings;
use crate::sources::{self, Found};
use crate::standard::is_standard;
use rebone::Format;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How results are called in a folder.
const USUAL_NAMES: &str = "{target}/{source}";

/// The work of a batch, in an order that only depends on what was asked for.
pub(super) struct Plan {
    pub(super) sources: Vec<Source>,
    pub(super) targets: Vec<Target>,
    pub(super) jobs: Vec<Job>,
    /// The folder of the results and of the manifest.
    pub(super) folder: PathBuf,
    /// The name of this part's manifest.
    pub(super) manifest: String,
}

/// A file with motion.
pub(super) struct Source {
    pub(super) path: PathBuf,
    /// What `{source}` stands for: unlike every other source's; with the folders below the one that was searched.
    pub(super) name: String,
    /// It was named, and not found in a folder or by a pattern.
    pub(super) is_named: bool,
}

/// A character.
pub(super) struct Target {
    /// What `{target}` stands for.
    pub(super) name: String,
    pub(super) settings: RetargetSettings,
}

/// One source onto one target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub(super) source: usize,
    pub(super) target: usize,
}

impl Plan {
    pub(super) fn new(arguments: &Batch) -> Result<Self, Failure> {
        let targets = files(&arguments.targets, arguments.recursive)?;
        let sources = motions(arguments, &targets)?;
        for file in sources.iter().chain(&targets) {
            if is_standard(&file.path) {
                return Err(Failure::at(
                    &file.path,
                    "a batch reads files only, so that it can be continued",
                    "save the motion in a file first",
                ));
            }
        }
        let pattern = Pattern::new(&arguments.output)?;
        for (files, placeholder) in [(&sources, "{source}"), (&targets, "{target}")] {
            if files.len() > 1 && !pattern.names.contains(placeholder) {
                return Err(Failure::at(
                    &arguments.output,
                    format_args!("without {placeholder} results of several files get one name"),
                    format_args!(
                        "add it, as in {}",
                        pattern.folder.join(USUAL_NAMES).display()
                    ),
                ));
            }
        }
        let sources: Vec<Source> = unlike_names(&sources)
            .into_iter()
            .zip(sources)
            .map(|(name, file)| Source {
                is_named: file.folder.is_none(),
                path: file.path,
                name,
            })
            .collect();
        let target_names = unlike_names(&targets);
        let targets = targets
            .into_iter()
            .zip(target_names)
            .map(|(file, name)| target(arguments, file.path, name, &pattern))
            .collect::<Result<Vec<Target>, Failure>>()?;
        let (part, parts) = arguments.shard.unwrap_or((1, 1));
        let jobs = (0..sources.len())
            .flat_map(|source| (0..targets.len()).map(move |target| Job { source, target }))
            .enumerate()
            .filter(|(number, _)| number % parts == part - 1)
            .map(|(_, job)| job)
            .collect();
        let manifest = match arguments.shard {
            None => "manifest.jsonl".to_owned(),
            Some((part, parts)) => format!("manifest-{part}-of-{parts}.jsonl"),
        };
        Ok(Self {
            sources,
            targets,
            jobs,
            folder: pattern.folder,
            manifest,
        })
    }
}

fn target(
    arguments: &Batch,
    path: PathBuf,
    name: String,
    pattern: &Pattern,
) -> Result<Target, Failure> {
    let extension = Path::new(&pattern.names).extension().unwrap_or_default();
    let named = Format::from_extension(&extension.to_string_lossy());
    // A target that cannot be read fails when its turn comes, without stopping the others.
    let own = own_format(&path).unwrap_or_default();
    let format = arguments.format.or(named).or(own).unwrap_or(Format::Glb);
    let names = match named {
        Some(_) => pattern.names.clone(),
        None => format!("{}.{}", pattern.names, format.name()),
    };
    let path_pattern = pattern.folder.join(names);
    let (destination, format) = Destination::new(&path_pattern, Some(format), None)?;
    let (choices, profile) = arguments.pair.choices()?;
    Ok(Target {
        name,
        settings: RetargetSettings {
            sources: Vec::new(),
            recursive: false,
            target: path,
            destination,
            format,
            save_recipe: None,
            save_contacts: false,
            report: arguments.report.clone(),
            root_path: None,
            clips: arguments.clip.clone(),
            skeleton: arguments.pair.skeleton.clone(),
            target_skeleton: arguments.pair.target_skeleton.clone(),
            rest: arguments.pair.rest.clone(),
            target_rest: arguments.pair.target_rest.clone(),
            also_read: None,
            moment_is_asked_for: arguments.pair.names_moment(),
            choices,
            profile,
            checks: arguments.fail_on.clone(),
        },
    })
}

/// The files of a list; of folders only those whose content or name is of a known format.
fn files(wanted: &[PathBuf], recursive: bool) -> Result<Vec<Found>, Failure> {
    let mut found = sources::find(wanted, recursive)?;
    // What cannot be looked at now is told when its turn comes.
    found.retain(|file| file.folder.is_none() || sources::is_known(&file.path).unwrap_or(true));
    Ok(found)
}

/// The files with motion, at least one.
fn motions(arguments: &Batch, targets: &[Found]) -> Result<Vec<Found>, Failure> {
    let is_target = |file: &Found| targets.iter().any(|other| is_one_file(other, file));
    let mut sources = files(&arguments.sources, arguments.recursive)?;
    // A character that lies among the motions is none of them, unless it was named as one.
    sources.retain(|file| file.folder.is_none() || !is_target(file));
    if sources.is_empty() {
        return Err(Failure::at(
            &sources::name_of_all(&arguments.sources),
            "no file there can hold a motion",
            "give FBX, glTF, GLB, VRMA or BVH files; --recursive also searches the folders of a folder",
        ));
    }
    Ok(sources)
}

fn is_one_file(one: &Found, other: &Found) -> bool {
    let full = |file: &Found| file.path.canonicalize().ok();
    full(one).is_some() && full(one) == full(other)
}

/// Where results go.
struct Pattern {
    /// The folder of all results.
    folder: PathBuf,
    /// Their names in it, with placeholders.
    names: String,
}

impl Pattern {
    /// Splits `out/{source}_{clip}.fbx` into the folder and the names in it.
    fn new(output: &Path) -> Result<Self, Failure> {
        let text = output.to_string_lossy();
        let Some(first) = text.find('{') else {
            if output.is_file() {
                return Err(Failure::at(
                    output,
                    "this is a file, but the results need a folder",
                    "name a folder; it is made if it does not exist",
                ));
            }
            return Ok(Self {
                folder: output.to_owned(),
                names: USUAL_NAMES.to_owned(),
            });
        };
        let start = text[..first].rfind(['/', std::path::MAIN_SEPARATOR]);
        let (folder, names) = match start {
            Some(start) => text.split_at(start + 1),
            None => (".", text.as_ref()),
        };
        Ok(Self {
            folder: PathBuf::from(folder),
            names: names.to_owned(),
        })
    }
}

/// A name for each file: where it lies below the folder that was searched, without extension; numbered where two would
/// be one.
fn unlike_names(files: &[Found]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let name = |file: &Found| {
        let below = file
            .folder
            .as_ref()
            .and_then(|folder| file.path.strip_prefix(folder).ok());
        let path = below.unwrap_or_else(|| Path::new(file.path.file_name().unwrap_or_default()));
        let path = path.with_extension("");
        let parts = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned());
        parts.collect::<Vec<_>>().join("/")
    };
    let mut unlike = |name: String| {
        let mut own = name.clone();
        let mut number = 2;
        while !taken.insert(own.to_lowercase()) {
            own = format!("{name} {number}");
            number += 1;
        }
        own
    };
    files.iter().map(name).map(&mut unlike).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unlike_and_keep_folders() {
        let found = |path: &str, folder: Option<&str>| Found {
            path: path.into(),
            folder: folder.map(PathBuf::from),
        };
        let names = unlike_names(&[
            found("moves/walk.bvh", Some("moves")),
            found("moves/fast/walk.bvh", Some("moves")),
            found("other/Walk.fbx", None),
            found("moves/v1.2.bvh", Some("moves")),
        ]);
        assert_eq!(names, ["walk", "fast/walk", "Walk 2", "v1.2"]);
    }

    #[test]
    fn a_pattern_is_a_folder_and_names() {
        let parts = |text: &str| {
            let pattern = Pattern::new(Path::new(text)).unwrap();
            (pattern.folder, pattern.names)
        };
        assert_eq!(parts("out"), ("out".into(), USUAL_NAMES.to_owned()));
        assert_eq!(
            parts("a/b/{source}_{clip}.fbx"),
            ("a/b/".into(), "{source}_{clip}.fbx".to_owned())
        );
        assert_eq!(
            parts("a/x_{source}/{clip}.fbx"),
            ("a/".into(), "x_{source}/{clip}.fbx".to_owned())
        );
        assert_eq!(
            parts("{source}.glb"),
            (".".into(), "{source}.glb".to_owned())
        );
    }
}
