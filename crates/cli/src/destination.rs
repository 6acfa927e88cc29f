//! Where results go: one file, one file per clip, or standard output.

use crate::failure::Failure;
use crate::files;
use crate::outputs::Outputs;
use crate::session::quoted_names;
use crate::standard::is_standard;
use crate::table::{count, size};
use rebone::output::Output;
use rebone::{Clip, Format, Warning};
use std::path::{Path, PathBuf};

/// What stands for a part of a result in the name of its file.
const PLACEHOLDERS: [&str; 4] = ["{source}", "{target}", "{clip}", "{index}"];

/// Where the results of a command go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// All into one file, or `-`.
    File(PathBuf),
    /// Each clip into the file whose name the placeholders give.
    Pattern(String),
}

/// A clip that is to be written, by the names that placeholders stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'a> {
    /// The source file without extension; folders that are kept stand before it, with `/`.
    pub(crate) source: &'a str,
    /// The target file without folder and extension.
    pub(crate) target: &'a str,
    /// The clip.
    pub(crate) clip: &'a str,
}

impl<'a> Named<'a> {
    /// The names of clips that come from one file.
    pub(crate) fn all(source: &'a str, target: &'a str, clips: &'a [Clip]) -> Vec<Self> {
        let named = clips.iter().map(|clip| Self {
            source,
            target,
            clip: &clip.name,
        });
        named.collect()
    }
}

impl Destination {
    /// Reads `-o PATH` and `--format`. `usual` is the format of a result whose name does not say it: of a folder, and of
    /// standard output.
    ///
    /// # Errors
    ///
    /// If no format is known, or there is no such placeholder.
    pub(crate) fn new(
        path: &Path,
        format: Option<Format>,
        usual: Option<Format>,
    ) -> Result<(Self, Format), Failure> {
        let unnamed = || {
            format.or(usual).ok_or_else(|| {
                Failure::at(
                    path,
                    "nothing says which format the result is to have",
                    "add --format, as in --format glb",
                )
            })
        };
        if is_standard(path) {
            return Ok((Self::File(path.to_owned()), unnamed()?));
        }
        let text = path.to_string_lossy();
        if text.ends_with(['/', std::path::MAIN_SEPARATOR]) || path.is_dir() {
            let format = unnamed()?;
            let name = format!("{{clip}}.{}", format.name());
            return Ok((Self::Pattern(path.join(name).display().to_string()), format));
        }
        let format = match format {
            Some(format) => format,
            None => files::format_of(path)?,
        };
        check_placeholders(path, &text)?;
        if PLACEHOLDERS.iter().any(|known| text.contains(known)) {
            Ok((Self::Pattern(text.into_owned()), format))
        } else {
            Ok((Self::File(path.to_owned()), format))
        }
    }

    /// The files to be written, each with the numbers of its clips. Clips whose names would give one file although a
    /// placeholder tells them apart get a number behind the name.
    pub(crate) fn files(&self, clips: &[Named<'_>]) -> Vec<(PathBuf, Vec<usize>)> {
        let pattern = match self {
            Self::File(path) => return vec![(path.clone(), (0..clips.len()).collect())],
            Self::Pattern(pattern) => pattern,
        };
        let is_of_each = pattern.contains("{clip}") || pattern.contains("{index}");
        let digits = clips.len().to_string().len();
        let mut found: Vec<(PathBuf, Vec<usize>)> = Vec::new();
        for (number, clip) in clips.iter().enumerate() {
            let index = format!("{:0digits$}", number + 1);
            let mut path = filled(pattern, *clip, &index);
            let is_taken = |path: &Path| found.iter().any(|(other, _)| is_same(other, path));
            if is_of_each {
                let mut copies = 2;
                while is_taken(&path) {
                    let name = format!("{} {copies}", clip.clip);
                    path = filled(
                        pattern,
                        Named {
                            clip: &name,
                            ..*clip
                        },
                        &index,
                    );
                    copies += 1;
                }
            }
            match found.iter_mut().find(|(other, _)| is_same(other, &path)) {
                Some((_, clips)) => clips.push(number),
                None => found.push((path, vec![number])),
            }
        }
        found
    }

    /// The path or pattern.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Pattern(pattern) => Path::new(pattern),
        }
    }

    /// The one file, if it is known before the clips are.
    pub(crate) fn known_file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Pattern(_) => None,
        }
    }
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    /// For each clip its file.
    pub(crate) file_of: Vec<String>,
    /// All files with their sizes in bytes.
    pub(crate) files: Vec<(PathBuf, usize)>,
    /// What the writers say.
    pub(crate) warnings: Vec<Warning>,
}

impl Written {
    /// `hero.glb (796.6 kB)`, `out/{clip}.glb (12 files, 9.1 MB)`.
    pub(crate) fn in_words(&self, destination: &Destination) -> String {
        let bytes = size(self.files.iter().map(|(_, bytes)| bytes).sum());
        match destination {
            Destination::File(path) if is_standard(path) => format!("to standard output ({bytes})"),
            Destination::File(path) => format!("{} ({bytes})", path.display()),
            Destination::Pattern(pattern) => {
                format!("{pattern} ({}, {bytes})", count(self.files.len(), "file"))
            }
        }
    }
}

/// Stages all files of a destination. `named` has the names of the clips in their order; `make` gives the content of a
/// file with these clips.
pub(crate) fn write(
    outputs: &mut Outputs,
    destination: &Destination,
    format: Format,
    clips: &[Clip],
    named: &[Named<'_>],
    make: impl Fn(&[Clip]) -> Result<Output, rebone::Error>,
) -> Result<Written, Failure> {
    let mut written = Written {
        file_of: vec![String::new(); clips.len()],
        ..Written::default()
    };
    for (path, numbers) in destination.files(named) {
        if let Destination::Pattern(_) = destination {
            Outputs::make_folder(rebone::disk::folder_of(&path))?;
            outputs.announce(&path)?;
        }
        let some: Vec<Clip>;
        let own = if numbers.len() == clips.len() {
            clips
        } else {
            some = numbers
                .iter()
                .map(|&number| clips[number].clone())
                .collect();
            &some
        };
        if format == Format::Bvh && own.len() > 1 {
            return Err(too_many_clips(&path, own));
        }
        let output = make(own).map_err(|error| Failure::in_file(&path, error))?;
        outputs.stage(&path, &output.bytes)?;
        for number in numbers {
            written.file_of[number] = path.display().to_string();
        }
        written.files.push((path, output.bytes.len()));
        written.warnings.extend(output.warnings);
    }
    Ok(written)
}

/// An error where a file that holds one clip is to hold several.
fn too_many_clips(path: &Path, clips: &[Clip]) -> Failure {
    Failure::at(
        path,
        format_args!(
            "a BVH holds one clip, but {} are to be written",
            clips.len()
        ),
        format_args!(
            "choose one with --clip NAME, or write each into a file of its own with -o 'out/{{clip}}.bvh': {}",
            quoted_names(clips.iter())
        ),
    )
}

/// The format that a file has by its name or else by its content, if it can also be written.
pub(crate) fn own_format(path: &Path) -> Result<Option<Format>, Failure> {
    if is_standard(path) || !path.is_file() {
        return Ok(None);
    }
    // The name tells an avatar from another GLB without reading the file.
    if let Ok(named) = files::format_of(path) {
        return Ok(Some(named));
    }
    let format = Format::detect(&files::beginning(path)?).ok();
    Ok(format.filter(|format| Format::from_extension(format.name()).is_some()))
}

fn filled(pattern: &str, clip: Named<'_>, index: &str) -> PathBuf {
    let in_folders = |name: &str| name.split('/').map(file_name).collect::<Vec<_>>().join("/");
    let values = [
        in_folders(clip.source),
        in_folders(clip.target),
        file_name(clip.clip),
        file_name(index),
    ];
    let mut text = String::with_capacity(pattern.len());
    let mut rest = pattern;
    // One pass, so that braces in a clip's name stay what they are.
    while let Some(start) = rest.find('{') {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let known = PLACEHOLDERS.iter().zip(&values);
        match known.clone().find(|(name, _)| rest.starts_with(**name)) {
            Some((name, value)) => {
                text.push_str(value);
                rest = &rest[name.len()..];
            }
            None => {
                text.push('{');
                rest = &rest[1..];
            }
        }
    }
    text.push_str(rest);
    PathBuf::from(text)
}

/// Names that differ only in letter case are one file on many systems.
fn is_same(one: &Path, other: &Path) -> bool {
    one.to_string_lossy().to_lowercase() == other.to_string_lossy().to_lowercase()
}

/// A name as part of a file name: whatever some system forbids there becomes `_`.
fn file_name(name: &str) -> String {
    let forbidden = |letter: char| letter.is_control() || "/\\:*?\"<>|".contains(letter);
    let clean: String = name
        .chars()
        .map(|letter| if forbidden(letter) { '_' } else { letter })
        .collect();
    let clean = clean.trim_matches(['.', ' ']);
    if clean.is_empty() {
        "unnamed".to_owned()
    } else {
        clean.to_owned()
    }
}

fn check_placeholders(path: &Path, text: &str) -> Result<(), Failure> {
    for part in text.split('{').skip(1) {
        let Some((name, _)) = part.split_once('}') else {
            continue;
        };
        if !PLACEHOLDERS.contains(&format!("{{{name}}}").as_str()) {
            return Err(Failure::at(
                path,
                format_args!("there is no placeholder {{{name}}}"),
                format_args!("use some of {}", PLACEHOLDERS.join(", ")),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(pattern: &str, clips: &[(&str, &str)]) -> Vec<(String, Vec<usize>)> {
        let (destination, _) =
            Destination::new(Path::new(pattern), None, Some(Format::Glb)).unwrap();
        let named: Vec<Named<'_>> = clips
            .iter()
            .map(|&(source, clip)| Named {
                source,
                target: "hero",
                clip,
            })
            .collect();
        let files = destination.files(&named).into_iter();
        files
            .map(|(path, clips)| (path.display().to_string(), clips))
            .collect()
    }

    fn file(path: &str, clips: &[usize]) -> (String, Vec<usize>) {
        (path.to_owned(), clips.to_vec())
    }

    #[test]
    fn placeholders_give_each_clip_its_file() {
        let clips = [("a", "Walk"), ("a", "Run"), ("b", "walk")];
        assert_eq!(
            paths("out/{target}_{source}_{clip}.fbx", &clips),
            [
                file("out/hero_a_Walk.fbx", &[0]),
                file("out/hero_a_Run.fbx", &[1]),
                file("out/hero_b_walk.fbx", &[2]),
            ]
        );
        assert_eq!(
            paths("out/{clip}.glb", &clips),
            [
                file("out/Walk.glb", &[0]),
                file("out/Run.glb", &[1]),
                file("out/walk 2.glb", &[2]),
            ],
            "letter case does not tell files apart everywhere"
        );
        assert_eq!(
            paths("{source}.glb", &clips),
            [file("a.glb", &[0, 1]), file("b.glb", &[2])]
        );
        assert_eq!(paths("out/", &clips[..1]), [file("out/Walk.glb", &[0])]);
        assert_eq!(paths("all.glb", &clips), [file("all.glb", &[0, 1, 2])]);
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let clips = [
            ("..", "../../etc/x"),
            ("s", "Armature|Walk"),
            ("s", "a{clip}b"),
        ];
        assert_eq!(
            paths("out/{source}/{index}-{clip}.glb", &clips),
            [
                file("out/unnamed/1-_.._etc_x.glb", &[0]),
                file("out/s/2-Armature_Walk.glb", &[1]),
                file("out/s/3-a{clip}b.glb", &[2]),
            ]
        );
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (path, format) in [
            ("out/{name}.glb", None),
            ("-", None),
            ("out/", None),
            ("out.xyz", None),
        ] {
            assert!(
                Destination::new(Path::new(path), format, None).is_err(),
                "{path}"
            );
        }
        let (_, format) = Destination::new(Path::new("-"), Some(Format::Bvh), None).unwrap();
        assert_eq!(format, Format::Bvh);
    }
}
