//! Input files and standard input, read within limits.

use crate::failure::Failure;
use crate::standard::is_standard;
use rebone::disk::{self, LARGEST_FILE, open_regular, read_limited, read_to_limit};
use rebone::{Document, Format, InputFile};
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that are read of a recipe, a profile or another text that people write.
const LARGEST_TEXT: u64 = 16 << 20;

/// A file in memory, as it was named.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// As typed.
    pub(crate) path: PathBuf,
    /// Its content.
    pub(crate) file: InputFile,
}

impl Input {
    /// Reads a whole file, or standard input for `-`.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let file = if is_standard(path) {
            let alone =
                |_: &str| Err("standard input is one stream, without files beside it".to_owned());
            InputFile::new("stdin", read_standard_input()?).with_files(alone)
        } else {
            disk::open(path).map_err(|error| cannot_read(path, &error))?
        };
        Ok(Self {
            path: path.to_owned(),
            file,
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
        let document = self.file.document(meshes);
        document.map_err(|error| Failure::in_file(&self.path, error))
    }

    /// The file's name without folder and extension.
    pub(crate) fn stem(&self) -> String {
        self.file.stem().to_owned()
    }
}

/// Fails where a file cannot be read, before anyone needs its content.
pub(crate) fn check_readable(path: &Path) -> Result<(), Failure> {
    open_regular(path)
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
            "check that it is a file and that you may read it; `-` reads from standard input",
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
    open_regular(path)
        .and_then(|(file, _)| file.take(4096).read_to_end(&mut bytes))
        .map_err(|error| cannot_read(path, &error))?;
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
