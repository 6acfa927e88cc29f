//! Files on disk, read within limits and written whole.

use crate::error::Error;
use crate::input_file::InputFile;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Component, Path, PathBuf};

/// Bytes that are read of one file with a character or a motion.
pub const LARGEST_FILE: u64 = 2 << 30;

/// Reads a file, and those that it refers to when they are needed. Only files inside its own folder are opened, so that a file
/// from elsewhere cannot copy private ones into a result.
///
/// # Errors
/// Where the file is not there, is no regular file, is larger than [`LARGEST_FILE`] or cannot be read.
pub fn open(path: &Path) -> io::Result<InputFile> {
    let bytes = read_limited(path, LARGEST_FILE)?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let own = path.to_owned();
    let beside = move |name: &str| {
        let place = place_beside(&own, name)?;
        read_limited(&place, LARGEST_FILE).map_err(|error| told(&error))
    };
    Ok(InputFile::new(&name.to_string_lossy(), bytes).with_files(beside))
}

/// Writes a file in one step: whoever reads it sees the old content or all of the new one.
///
/// # Errors
/// Where the folder is not there or cannot be written into.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder_of(path);
    let name = path.file_name().unwrap_or(path.as_os_str());
    let partial = folder.join(format!(
        ".{}.{}.partial",
        name.to_string_lossy(),
        std::process::id()
    ));
    let written = File::create(&partial)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| std::fs::rename(&partial, path));
    if written.is_err() {
        // What is left of it is of no use, and may not be there at all.
        let _ = std::fs::remove_file(&partial);
    }
    written
}

/// What is said of a file that cannot be read.
pub(crate) fn cannot_read(path: &Path, error: &io::Error) -> Error {
    let (what, remedy) = match error.kind() {
        ErrorKind::NotFound => (
            told(error),
            "check the path; it is taken from the current folder",
        ),
        _ => (
            format!("the file cannot be read: {error}"),
            "check that it is a file and that you may read it",
        ),
    };
    Error::request(what, remedy).at(path)
}

/// What is said of a file that cannot be written.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> Error {
    Error::request(
        format!("the file cannot be written: {error}"),
        "check that its folder is there and that you may write into it",
    )
    .at(path)
}

/// The place of a file that the one at `path` refers to by `name`. Fails if there is none, or if it is outside the
/// folder of `path`; the reason is for the user.
pub fn place_beside(path: &Path, name: &str) -> Result<PathBuf, String> {
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

/// Why a file cannot be read.
fn told(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    }
}

/// Opens a regular file; also tells its length in bytes. Pipes and devices are refused before they are opened: opening a pipe waits for a
/// writer, and a device may never end.
///
/// # Errors
/// Where it is not there, is no regular file or may not be read.
pub fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    if !about.is_file() {
        return Err(io::Error::other("it is a pipe or a device, not a file"));
    }
    Ok((File::open(path)?, about.len()))
}

/// Reads a regular file of at most so many bytes.
///
/// # Errors
/// As [`open_regular`], and where there is more.
pub fn read_limited(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open_regular(path)?;
    read_to_limit(file, length, largest)
}

/// Reads to the end, where about so many bytes are expected. Fails when there is more than `largest`.
///
/// # Errors
/// Where reading fails, and where there is more.
pub fn read_to_limit(from: impl Read, expected: u64, largest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected.min(largest) as usize)?;
    from.take(largest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > largest {
        return Err(io::Error::other(format!(
            "it is larger than {} MiB, the most that is read",
            largest >> 20
        )));
    }
    Ok(bytes)
}

/// The folder that a path is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => Path::new("."),
    }
}
