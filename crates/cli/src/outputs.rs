//! Output files: all of one command appear together, or none does.
//!
//! Each file is written to a temporary file beside its destination, synced, and renamed at the very end. A file that
//! exists with other content is only replaced with `--force`, or when a person at a terminal agrees.

use crate::console;
use crate::failure::Failure;
use crate::standard::is_standard;
use crate::temporary::{self, Temporary};
use rebone::disk::folder_of;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Links that are followed from one path before it counts as a loop.
const MOST_LINKS: usize = 40;

/// What happens to a destination that holds something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Existing {
    /// A person at a terminal is asked; without one it is an error.
    #[default]
    Ask,
    /// It is an error.
    Keep,
    /// It is replaced.
    Replace,
}

/// What the command line says of it.
static EXISTING: OnceLock<Existing> = OnceLock::new();

/// Lets outputs replace what exists. Only the first call has an effect.
pub(crate) fn set_existing(existing: Existing) {
    let _ = EXISTING.set(existing);
}

/// What the command line says of files that exist.
pub(crate) fn existing() -> Existing {
    EXISTING.get().copied().unwrap_or_default()
}

/// The outputs of one command.
#[derive(Debug)]
pub(crate) struct Outputs {
    existing: Existing,
    inputs: Vec<PathBuf>,
    /// Destinations that may be replaced.
    replaceable: Vec<PathBuf>,
    destinations: Vec<PathBuf>,
    staged: Vec<Staged>,
    /// What goes to standard output, where an output is `-`.
    standard: Option<Vec<u8>>,
}

/// A finished file that is not yet in its place.
#[derive(Debug)]
struct Staged {
    file: Temporary,
    /// As typed, for messages.
    path: PathBuf,
    /// With links resolved.
    destination: PathBuf,
}

impl Outputs {
    /// Outputs that must not overwrite any of these files.
    pub(crate) fn new<'a>(inputs: impl IntoIterator<Item = &'a Path>) -> Self {
        Self {
            existing: existing(),
            inputs: inputs
                .into_iter()
                .filter_map(|path| path.canonicalize().ok())
                .collect(),
            replaceable: Vec::new(),
            destinations: Vec::new(),
            staged: Vec::new(),
            standard: None,
        }
    }

    /// The same outputs with another rule for what exists.
    pub(crate) fn with_existing(self, existing: Existing) -> Self {
        Self { existing, ..self }
    }

    /// These files are replaced, whatever the rule for what exists.
    pub(crate) fn let_replace<'a>(&mut self, files: impl IntoIterator<Item = &'a PathBuf>) {
        let files = files.into_iter();
        self.replaceable
            .extend(files.filter_map(|path| path.canonicalize().ok()));
    }

    /// Also these files must not be overwritten.
    pub(crate) fn protect<'a>(&mut self, inputs: impl IntoIterator<Item = &'a PathBuf>) {
        let files = inputs.into_iter();
        self.inputs
            .extend(files.filter_map(|path| path.canonicalize().ok()));
    }

    /// Says early, before any work, whether a file can be written there. `-` is standard output.
    pub(crate) fn announce(&mut self, path: &Path) -> Result<(), Failure> {
        if is_standard(path) {
            console::reserve_standard_output()?;
            self.destinations.push(path.to_owned());
            return Ok(());
        }
        if path.file_name().is_none() {
            return Err(Failure::at(path, "this is no file name", "name a file"));
        }
        let full = destination_of(path)?;
        if let Ok(about) = full.metadata() {
            check_existing(path, &about)?;
        } else if let Some(obstacle) = full.ancestors().skip(1).find(|folder| folder.exists()) {
            // Folders that do not exist are only made where a whole folder was asked for (`out/`).
            let is_missing = folder_of(&full) != obstacle;
            if is_missing || !obstacle.is_dir() {
                return Err(Failure::at(
                    path,
                    format_args!(
                        "the folder \"{}\" does not exist",
                        folder_of(path).display()
                    ),
                    "make it first, or choose another place",
                ));
            }
        }
        if self.inputs.contains(&full) {
            return Err(Failure::at(
                path,
                "the output would overwrite an input",
                "choose another name for the output",
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

    /// Makes the folder of an output, with all folders above it.
    pub(crate) fn make_folder(folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::at(
                folder,
                format_args!("the folder cannot be made: {error}"),
                "check the path and its permissions, or choose another place",
            )
        })
    }

    /// Writes an announced file's content to a temporary file beside it.
    pub(crate) fn stage(&mut self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        if is_standard(path) {
            self.standard = Some(bytes.to_vec());
            return Ok(());
        }
        let destination = destination_of(path)?;
        let file = Temporary::beside(&destination)
            .and_then(|mut file| {
                file.write(bytes)?;
                Ok(file)
            })
            .map_err(|error| cannot_write(path, &error))?;
        self.staged.push(Staged {
            file,
            path: path.to_owned(),
            destination,
        });
        Ok(())
    }

    /// Puts all files in their places, then runs `tell`, which reports on the command's standard output. If a file
    /// cannot be put in its place or `tell` fails, all destinations are again as they were.
    pub(crate) fn commit(
        mut self,
        tell: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.staged.retain(|staged| !staged.is_in_place());
        self.ask_for_existing()?;
        let placed = place(self.staged)?;
        if let Some(bytes) = &self.standard {
            console::raw(bytes)?;
        }
        tell()?;
        placed.keep();
        Ok(())
    }

    /// Fails if a file would be replaced that may not be.
    fn ask_for_existing(&self) -> Result<(), Failure> {
        if self.existing == Existing::Replace {
            return Ok(());
        }
        let is_kept = |staged: &&Staged| {
            staged.destination.exists() && !self.replaceable.contains(&staged.destination)
        };
        for staged in self.staged.iter().filter(is_kept) {
            let may_ask = self.existing == Existing::Ask && console::is_interactive();
            let question = format!("{} exists; replace it?", staged.path.display());
            if !(may_ask && console::ask(&question)) {
                return Err(Failure::at(
                    &staged.path,
                    "this file exists and holds something else; nothing was written",
                    "choose another name, or add --force to replace it",
                ));
            }
        }
        Ok(())
    }
}

impl Staged {
    /// True if the destination already has this content.
    fn is_in_place(&self) -> bool {
        let same = || -> std::io::Result<bool> {
            let (mut new, mut old) = (
                File::open(self.file.path())?,
                File::open(&self.destination)?,
            );
            if new.metadata()?.len() != old.metadata()?.len() {
                return Ok(false);
            }
            let (mut left, mut right) = (vec![0; 1 << 16], vec![0; 1 << 16]);
            loop {
                let count = new.read(&mut left)?;
                if count == 0 {
                    return Ok(true);
                }
                old.read_exact(&mut right[..count])?;
                if left[..count] != right[..count] {
                    return Ok(false);
                }
            }
        };
        same().unwrap_or(false)
    }
}

/// Moves all files into their places, or none.
fn place(staged: Vec<Staged>) -> Result<Placed, Failure> {
    // An interruption waits until all destinations are new or all are old.
    let _guard = temporary::uninterrupted();
    let mut placed = Placed::default();
    for staged in staged {
        let path = staged.path.clone();
        placed
            .put(staged)
            .map_err(|error| cannot_write(&path, &error))?;
    }
    Ok(placed)
}

/// Files in their new places, with the old ones at hand. Dropping it restores the old ones.
#[derive(Debug, Default)]
struct Placed {
    /// Each destination with what it held before, if it existed.
    done: Vec<(PathBuf, Option<Temporary>)>,
}

impl Placed {
    fn put(&mut self, staged: Staged) -> std::io::Result<()> {
        let old = if staged.destination.exists() {
            Some(Temporary::copy_of(&staged.destination)?)
        } else {
            None
        };
        staged.file.rename_to(&staged.destination)?;
        self.done.push((staged.destination, old));
        Ok(())
    }

    fn keep(mut self) {
        self.done.clear();
    }
}

impl Drop for Placed {
    fn drop(&mut self) {
        for (destination, old) in self.done.drain(..).rev() {
            let restored = match old {
                Some(old) => old.rename_to(&destination),
                None => std::fs::remove_file(&destination),
            };
            if let Err(error) = restored {
                console::note(&format!(
                    "{}: it could not be put back as it was: {error}",
                    destination.display()
                ));
            }
        }
    }
}

/// The file that a path leads to: links are followed, so that what they point to is replaced and the link stays, also a
/// link to a file that does not exist yet.
fn destination_of(path: &Path) -> Result<PathBuf, Failure> {
    let mut full = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(full) = full.canonicalize() {
            return Ok(full);
        }
        match std::fs::read_link(&full) {
            Ok(next) => full = folder_of(&full).join(next),
            Err(_) => {
                let name = full.file_name().unwrap_or_default().to_owned();
                let folder = folder_of(&full);
                let absolute = || std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
                let folder = folder.canonicalize().unwrap_or_else(|_| absolute());
                return Ok(folder.join(name));
            }
        }
    }
    Err(Failure::at(
        path,
        "this link leads to itself",
        "name another file",
    ))
}

fn check_existing(path: &Path, about: &std::fs::Metadata) -> Result<(), Failure> {
    if !about.is_file() {
        return Err(Failure::at(
            path,
            "this is a folder or a device",
            "name a file",
        ));
    }
    if about.permissions().readonly() {
        return Err(Failure::at(
            path,
            "this file is read-only",
            "allow writing to it, or choose another name",
        ));
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::at(
        path,
        format_args!("the file cannot be written: {error}; nothing was written"),
        "check the folder's permissions and free space",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replacing(existing: Existing) -> Outputs {
        Outputs::new([]).with_existing(existing)
    }

    fn outputs(files: &[(&Path, &str)]) -> Outputs {
        let mut outputs = replacing(Existing::Replace);
        for (path, text) in files {
            outputs.announce(path).unwrap();
            outputs.stage(path, text.as_bytes()).unwrap();
        }
        outputs
    }

    fn listing(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_second_rename_that_fails_restores_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old.glb"), folder.path().join("new.glb"));
        let last = folder.path().join("last.glb");
        std::fs::write(&old, "before").unwrap();
        let outputs = outputs(&[(&old, "after"), (&new, "after"), (&last, "after")]);
        // A folder that is not empty cannot be replaced by a file.
        std::fs::create_dir(&last).unwrap();
        std::fs::write(last.join("inside"), "").unwrap();
        let failure = outputs.commit(|| Ok(())).unwrap_err();
        assert!(
            failure.to_string().contains("nothing was written"),
            "{failure}"
        );
        assert_eq!(std::fs::read(&old).unwrap(), b"before");
        assert_eq!(listing(folder.path()), ["last.glb", "old.glb"]);
    }

    #[test]
    fn a_report_that_cannot_be_told_restores_all() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old.glb"), folder.path().join("new.glb"));
        std::fs::write(&old, "before").unwrap();
        let outputs = outputs(&[(&old, "after"), (&new, "after")]);
        let failure = outputs.commit(|| Err(Failure::new("standard output is full", "empty it")));
        assert!(failure.is_err());
        assert_eq!(std::fs::read(&old).unwrap(), b"before");
        assert_eq!(listing(folder.path()), ["old.glb"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_links_are_followed() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (
            folder.path().join("file.glb"),
            folder.path().join("link.glb"),
        );
        std::fs::write(&file, "before").unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("file.glb", &link).unwrap();
        let dangling = folder.path().join("dangling.glb");
        std::os::unix::fs::symlink("made.glb", &dangling).unwrap();
        outputs(&[(&link, "after"), (&dangling, "after")])
            .commit(|| Ok(()))
            .unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert_eq!(std::fs::read(&file).unwrap(), b"after");
        assert_eq!(
            std::fs::read(folder.path().join("made.glb")).unwrap(),
            b"after"
        );
        assert!(link.is_symlink() && dangling.is_symlink());
    }

    #[test]
    fn what_exists_is_kept_unless_it_is_equal_or_may_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hero.glb");
        std::fs::write(&path, "the character").unwrap();
        for (existing, text, succeeds) in [
            (Existing::Keep, "something else", false),
            (Existing::Keep, "the character", true),
            (Existing::Replace, "something else", true),
        ] {
            let mut outputs = replacing(existing);
            outputs.announce(&path).unwrap();
            outputs.stage(&path, text.as_bytes()).unwrap();
            assert_eq!(
                outputs.commit(|| Ok(())).is_ok(),
                succeeds,
                "{existing:?} {text}"
            );
            let expected = if succeeds { text } else { "the character" };
            assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        }
        assert_eq!(listing(folder.path()), ["hero.glb"]);
    }

    #[test]
    fn a_read_only_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hero.glb");
        std::fs::write(&path, "before").unwrap();
        let mut permissions = path.metadata().unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&path, permissions).unwrap();
        let failure = replacing(Existing::Replace).announce(&path).unwrap_err();
        assert!(failure.to_string().contains("read-only"), "{failure}");
    }
}
