//! The page: inside this program, or in a folder.

use crate::failure::Failure;
use crate::studio::address;
use crate::studio::content::Content;
use rebone::disk;
use rust_embed::RustEmbed;
use std::path::{Path, PathBuf};

/// The file that the bare address shows.
pub(super) const FIRST: &str = "index.html";

/// The page inside this program, which `cargo xtask studio` copies into `crates/cli/dist`. Empty if the page was not built
/// before the program.
#[derive(RustEmbed)]
#[folder = "dist"]
#[allow_missing = true]
struct Embedded;

/// Where the page comes from.
#[derive(Clone, Debug)]
pub(crate) enum Page {
    /// This program.
    Embedded,
    /// A folder, by its full path, read anew for every request.
    Folder(PathBuf),
}

impl Page {
    /// The page of a folder, or else of this program. Fails where there is none.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, Failure> {
        let Some(folder) = folder else {
            return match Embedded::get(FIRST) {
                Some(_) => Ok(Self::Embedded),
                None => Err(Failure::new(
                    "this program was built without the page of the studio",
                    "run `cargo xtask studio` in Rebone's sources and build the program again, or name the folder \
                     of a built page with --folder DIR",
                )),
            };
        };
        let remedy = "name the folder that `cargo xtask studio` made: studio/dist";
        let full = folder
            .canonicalize()
            .map_err(|_| Failure::at(folder, "there is no such folder", remedy))?;
        if !full.join(FIRST).is_file() {
            let what = format_args!("there is no {FIRST} in it");
            return Err(Failure::at(folder, what, remedy));
        }
        Ok(Self::Folder(full))
    }

    /// A file of the page, by plain names with slashes between them.
    pub(super) fn read(&self, name: &str) -> Option<Content> {
        match self {
            Self::Embedded => Embedded::get(name).map(|file| file.data.into()),
            Self::Folder(folder) => {
                if !name.split('/').all(address::is_plain) {
                    return None;
                }
                // A link that leads out of the folder is no part of the page.
                let full = folder.join(name).canonicalize().ok()?;
                if !full.starts_with(folder) {
                    return None;
                }
                let (file, length) = disk::open_regular(&full).ok()?;
                Some(Content::of_file(file, length))
            }
        }
    }
}
