//! The file system: reading with limits, and writing all outputs or none.

use crate::failure::Failure;
use rebone::opening::{NamedBytes, read_named};
use rebone::{Document, Format};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};
use tempfile::NamedTempFile;

/// Bytes of one file that are read.
const LARGEST_FILE: u64 = 2 << 30;

/// A file in memory, as it was named.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// As typed.
    pub(crate) path: PathBuf,
    /// All of it.
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a whole file.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let bytes = read_limited(path).map_err(|error| cannot_read(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            bytes,
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
        let stem = self.path.file_stem().unwrap_or(self.path.as_os_str());
        stem.to_string_lossy().into_owned()
    }

    /// Reads a file that this one refers to. Only files inside this one's own folder may be opened, so
    /// that a file from elsewhere cannot copy private ones into a result.
    pub(crate) fn beside(&self, name: &str) -> Result<Vec<u8>, String> {
        if name.contains("://") {
            return Err("it is on the network".to_owned());
        }
        let relative = Path::new(name);
        let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let outside = || "it is outside the file's own folder".to_owned();
        if !relative.components().all(stays) {
            return Err(outside());
        }
        let told = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        };
        let folder = folder_of(&self.path).canonicalize().map_err(told)?;
        let full = folder.join(relative).canonicalize().map_err(told)?;
        if !full.starts_with(&folder) {
            return Err(outside());
        }
        read_limited(&full).map_err(told)
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

/// The files of a folder, sorted by name; hidden ones are left out.
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
        if path.is_file() && !name.starts_with('.') {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// As much of a file as tells its format.
pub(crate) fn beginning(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(4096).read_to_end(&mut bytes))
        .map_err(|error| {
            Failure::at(
                path,
                format_args!("the file cannot be read: {error}"),
                "check that you may read it",
            )
        })?;
    Ok(bytes)
}

fn open_file(path: &Path) -> std::io::Result<(File, u64)> {
    let file = File::open(path)?;
    let about = file.metadata()?;
    if about.is_dir() {
        return Err(std::io::Error::new(
            std::io::ErrorKind::IsADirectory,
            "it is a folder",
        ));
    }
    Ok((file, about.len()))
}

fn read_limited(path: &Path) -> std::io::Result<Vec<u8>> {
    let (file, length) = open_file(path)?;
    let mut bytes = Vec::with_capacity(length.min(LARGEST_FILE) as usize);
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(std::io::Error::other("it is larger than 2 GiB"));
    }
    Ok(bytes)
}

/// The folder that a path is in.
fn folder_of(path: &Path) -> &Path {
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

/// Output files, written beside their destinations and renamed all together at the end.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    inputs: Vec<PathBuf>,
    destinations: Vec<PathBuf>,
    staged: Vec<(NamedTempFile, PathBuf)>,
}

impl Outputs {
    /// Outputs that must not overwrite any of these files.
    pub(crate) fn new<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> Self {
        Self {
            inputs: inputs
                .into_iter()
                .filter_map(|path| path.canonicalize().ok())
                .collect(),
            ..Self::default()
        }
    }

    /// Says early, before any work, whether a file can be written there.
    pub(crate) fn announce(&mut self, path: &Path) -> Result<(), Failure> {
        let folder = folder_of(path);
        let Ok(canonical_folder) = folder.canonicalize() else {
            return Err(Failure::at(
                path,
                format_args!("the folder \"{}\" does not exist", folder.display()),
                "make it first, or choose another place",
            ));
        };
        let Some(name) = path.file_name() else {
            return Err(Failure::at(path, "this is no file name", "name a file"));
        };
        // A link is followed, so that what it points to is replaced and the link stays.
        let full = path
            .canonicalize()
            .unwrap_or_else(|_| canonical_folder.join(name));
        if full.exists() && !full.is_file() {
            return Err(Failure::at(
                path,
                "this is a folder or a device",
                "name a file",
            ));
        }
        if self.inputs.contains(&full) {
            return Err(Failure::at(
                path,
                "the output would overwrite an input",
                "choose another name with -o",
            ));
        }
        if self.destinations.contains(&full) {
            return Err(Failure::at(
                path,
                "two outputs have the same name",
                "choose different names",
            ));
        }
        self.destinations.push(full);
        Ok(())
    }

    /// Writes an announced file's content to a temporary file beside it.
    pub(crate) fn stage(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let full = match path.canonicalize() {
            Ok(full) => full,
            Err(_) => path.to_owned(),
        };
        let written = temporary_beside(&full).and_then(|mut file| {
            file.write_all(bytes)?;
            Ok(file)
        });
        let file = written.map_err(|error| cannot_write(path, &error))?;
        self.staged.push((file, full));
        Ok(())
    }

    /// Puts all files in their places.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        for (file, path) in self.staged {
            file.persist(&path)
                .map_err(|error| cannot_write(&path, &error.error))?;
        }
        Ok(())
    }
}

/// An empty temporary file with the permissions of an ordinary one.
fn temporary_beside(path: &Path) -> std::io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rebone-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The user's mask is taken off by the system.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder_of(path))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::at(
        path,
        format_args!("the file cannot be written: {error}"),
        "check the folder's permissions and free space",
    )
}
