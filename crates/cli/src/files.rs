//! Input files and standard input, read within limits.

use crate::failure::Failure;
use crate::standard::is_standard;
use rebone::opening::{NamedBytes, read_named};
use rebone::{Document, Format};
use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that are read of one file with a character or a motion.
const LARGEST_FILE: u64 = 2 << 30;

/// Bytes that are read of a recipe, a profile or another text that people write.
const LARGEST_TEXT: u64 = 16 << 20;

/// A file in memory, as it was named.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// As typed.
    pub(crate) path: PathBuf,
    /// All of it.
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a whole file, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let bytes = if is_standard(path) {
            read_standard_input()?
        } else {
            read_limited(path, LARGEST_FILE).map_err(|error| cannot_read(path, &error))?
        };
        Ok(Self {
            path: path.to_owned(),
            bytes,
        })
    }

    /// Reads a file that people write, such as a recipe. `what` names it in an error, `example` says how to get one.
    pub(crate) fn open_text(path: &Path, what: &str, example: &str) -> Result<String, Failure> {
        let bytes = if is_standard(path) {
            read_standard_input()?
        } else {
            read_limited(path, LARGEST_TEXT).map_err(|error| cannot_read(path, &error))?
        };
        String::from_utf8(bytes).map_err(|_| {
            Failure::at(
                path,
                format_args!("{what} text, but this file is not"),
                example,
            )
        })
    }

    /// Reads what is in it.
    pub(crate) fn document(&self, meshes: bool) -> Result<Document, Failure> {
        let stem = self.stem();
        let file = NamedBytes {
            bytes: &self.bytes,
            stem: &stem,
            resources: &|name| self.beside(name),
        };
        read_named(file, meshes).map_err(|error| Failure::in_file(&self.path, error))
    }

    /// The file's name without folder and extension.
    pub(crate) fn stem(&self) -> String {
        if is_standard(&self.path) {
            return "stdin".to_owned();
        }
        let stem = self.path.file_stem().unwrap_or(self.path.as_os_str());
        stem.to_string_lossy().into_owned()
    }

    /// Reads a file that this one refers to. Only files inside this one's own folder may be opened, so
    /// that a file from elsewhere cannot copy private ones into a result.
    pub(crate) fn beside(&self, name: &str) -> Result<Vec<u8>, String> {
        if is_standard(&self.path) {
            return Err("standard input is one stream, without files beside it".to_owned());
        }
        let place = place_beside(&self.path, name)?;
        read_limited(&place, LARGEST_FILE).map_err(|error| told(&error))
    }
}

/// The place of a file that the one at `path` refers to by `name`. Fails if there is none, or if it is outside the
/// folder of `path`.
pub(crate) fn place_beside(path: &Path, name: &str) -> Result<PathBuf, String> {
    if name.contains("://") {
        return Err("it is on the network".to_owned());
    }
    let relative = Path::new(name);
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    let outside = || "it is outside the file's own folder".to_owned();
    if !relative.components().all(stays) {
        return Err(outside());
    }
    let located = |path: &Path| path.canonicalize().map_err(|error| told(&error));
    let folder = located(folder_of(path))?;
    let full = located(&folder.join(relative))?;
    if full.starts_with(&folder) {
        Ok(full)
    } else {
        Err(outside())
    }
}

/// Why a file beside another one cannot be read.
fn told(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

/// Fails where a file cannot be read, before anyone needs its content.
pub(crate) fn check_readable(path: &Path) -> Result<(), Failure> {
    open_file(path)
        .map(drop)
        .map_err(|error| cannot_read(path, &error))
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Failure {
    match error.kind() {
        std::io::ErrorKind::NotFound => Failure::at(
            path,
            "there is no such file",
            "check the path (it is taken from the current folder)",
        ),
        std::io::ErrorKind::IsADirectory => Failure::at(
            path,
            "it is a folder, not a file",
            "name one file in it; only the SOURCE of retarget may be a folder",
        ),
        _ => Failure::at(
            path,
            format_args!("the file cannot be read: {error}"),
            "check that it is a file and that you may read it",
        ),
    }
}

/// The files and folders of a folder, sorted by name; hidden ones are left out.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot = |error: std::io::Error| {
        Failure::at(
            folder,
            format_args!("the folder cannot be read: {error}"),
            "check that you may read it",
        )
    };
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with('.') {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// As much of a file as tells its format.
pub(crate) fn beginning(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    open_file(path)
        .and_then(|(file, _)| file.take(4096).read_to_end(&mut bytes))
        .map_err(|error| cannot_read(path, &error))?;
    Ok(bytes)
}

/// Opens a regular file; also tells its length in bytes. Pipes and devices are refused before they are opened: opening a pipe waits for a writer, and a
/// device may never end.
pub(crate) fn open_file(path: &Path) -> std::io::Result<(File, u64)> {
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(std::io::Error::new(
            std::io::ErrorKind::IsADirectory,
            "it is a folder",
        ));
    }
    if !about.is_file() {
        return Err(std::io::Error::other(
            "it is a pipe or a device; `-` reads from standard input",
        ));
    }
    Ok((File::open(path)?, about.len()))
}

fn read_limited(path: &Path, largest: u64) -> std::io::Result<Vec<u8>> {
    let (file, length) = open_file(path)?;
    read_to_limit(file, length, largest)
}

/// Reads to the end; fails when there is more than `largest`.
fn read_to_limit(from: impl Read, expected: u64, largest: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected.min(largest) as usize)?;
    from.take(largest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest {
        return Err(std::io::Error::other(format!(
            "it is larger than {} MiB, the most that is read",
            largest >> 20
        )));
    }
    Ok(bytes)
}

/// Reads standard input, which can be read once only.
fn read_standard_input() -> Result<Vec<u8>, Failure> {
    static WAS_READ: AtomicBool = AtomicBool::new(false);
    let path = Path::new("-");
    if WAS_READ.swap(true, Ordering::Relaxed) {
        return Err(Failure::at(
            path,
            "two inputs are to come from it, but it can be read only once",
            "give the path of a file for one of them",
        ));
    }
    let input = std::io::stdin();
    if input.is_terminal() {
        return Err(Failure::at(
            path,
            "a file is expected there, but it is a terminal",
            "send a file to it, as in `rebone inspect - < walk.bvh`, or give the path of a file",
        ));
    }
    read_to_limit(input.lock(), 0, LARGEST_FILE).map_err(|error| cannot_read(path, &error))
}

/// The name of a file without its folders.
pub(crate) fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("."),
    }
}

/// The format that an output's extension asks for.
pub(crate) fn format_of(path: &Path) -> Result<Format, Failure> {
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().into_owned());
    let remedy =
        "name it *.fbx, *.glb, *.gltf, *.vrm, *.vrma or *.bvh; the extension chooses the format";
    match extension {
        None => Err(Failure::at(
            path,
            "the output has no file name extension",
            remedy,
        )),
        Some(extension) => Format::from_extension(&extension).ok_or_else(|| {
            Failure::at(
                path,
                format_args!("\".{extension}\" is no format that can be written"),
                remedy,
            )
        }),
    }
}
