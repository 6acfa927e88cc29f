//! Temporary files beside outputs, none of which outlives the program.
//!
//! A temporary file is locked while its program runs. An interrupted program removes its files. The files of a program
//! that was killed are no longer locked, and the next run that writes into their folder sweeps them away.

use rebone::disk::folder_of;
use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, RwLock};
use tempfile::{NamedTempFile, TempPath};

/// How the names of temporary files begin and end.
const PREFIX: &str = ".rebone-";
const SUFFIX: &str = ".tmp";

/// How often a file is made anew whose name or lock another program has taken.
const TRIES: usize = 3;

/// Exit code after an interruption, as shells expect it.
const INTERRUPTED: i32 = 130;

/// The temporary files of this process.
static FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// The folders that this process has swept, because it writes into them.
static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Read by who moves files into their places, written by who ends the program.
static MOVING: RwLock<()> = RwLock::new(());

/// A file that is removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: TempPath,
    /// Stays open, because the lock ends with it.
    file: File,
    registered: Registered,
}

/// An entry of [`FILES`].
#[derive(Debug)]
struct Registered(PathBuf);

impl Drop for Registered {
    fn drop(&mut self) {
        locked(&FILES).remove(&self.0);
    }
}

impl Temporary {
    /// An empty file in the folder of `destination`, with the permissions of `destination` or, if it does not exist,
    /// those of a new file.
    pub(crate) fn beside(destination: &Path) -> std::io::Result<Self> {
        let folder = folder_of(destination);
        sweep(folder);
        clear_when_interrupted();
        // An interruption knows all files or waits for this one.
        let _guard = uninterrupted();
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The system takes the user's mask off.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let made = Self::claim(|| builder.tempfile_in(folder))?;
        if let Ok(about) = destination.metadata() {
            made.file.set_permissions(about.permissions())?;
        }
        Ok(made)
    }

    /// A second name for the content of `original`, or a copy on file systems without hard links. The caller holds
    /// [`uninterrupted`]: taking it twice could wait for an interruption that waits for the first.
    pub(crate) fn copy_of(original: &Path) -> std::io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        Self::claim(|| {
            builder.make_in(folder_of(original), |path| {
                match std::fs::hard_link(original, path) {
                    // The name is taken: `make_in` tries another one.
                    Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Err(error),
                    Err(_) => std::fs::copy(original, path).and_then(|_| File::open(path)),
                    Ok(()) => File::open(path),
                }
            })
        })
    }

    /// Makes a file and locks it. In the moment between, another program may sweep it away, and it is made anew.
    fn claim(make: impl Fn() -> std::io::Result<NamedTempFile>) -> std::io::Result<Self> {
        for _ in 0..TRIES {
            let made = make()?;
            // Without locks on this file system nothing is swept either.
            let is_taken = matches!(made.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !is_taken && made.path().exists() {
                return Ok(Self::new(made));
            }
        }
        make().map(Self::new)
    }

    fn new(made: NamedTempFile) -> Self {
        let (file, path) = made.into_parts();
        let registered = Registered(path.to_path_buf());
        locked(&FILES).insert(registered.0.clone());
        Self {
            path,
            file,
            registered,
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the content and waits until it is on the disk.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.sync_all()
    }

    /// Moves it over `destination`.
    pub(crate) fn rename_to(self, destination: &Path) -> std::io::Result<()> {
        let Self {
            path,
            file,
            registered,
        } = self;
        // Some systems do not move files that are open.
        drop(file);
        path.persist(destination).map_err(|error| error.error)?;
        drop(registered);
        Ok(())
    }
}

/// Holds an interruption back while the result lives.
pub(crate) fn uninterrupted() -> impl Sized {
    MOVING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until the names of the files that this process wrote are on the disk, where the system can do that.
///
/// Once, at the end: waiting after each of thousands of files would take longer than writing them.
pub(crate) fn sync_folders() {
    for folder in locked(&SWEPT).iter() {
        if let Ok(folder) = File::open(folder) {
            // Some file systems refuse it, and the files themselves are synced.
            let _ = folder.sync_all();
        }
    }
}

/// Ends the program at an interruption or a request to terminate, and removes its temporary files first.
fn clear_when_interrupted() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        // Without a handler the next run sweeps.
        let _ = ctrlc::set_handler(|| {
            let _moved = MOVING.write().unwrap_or_else(PoisonError::into_inner);
            for path in locked(&FILES).iter() {
                let _ = std::fs::remove_file(path);
            }
            std::process::exit(INTERRUPTED);
        });
    });
}

/// Removes what killed programs left in a folder, once per folder and process.
pub(crate) fn sweep(folder: &Path) {
    if !locked(&SWEPT).insert(folder.to_owned()) {
        return;
    }
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(PREFIX) && name.ends_with(SUFFIX) {
            let _ = remove_abandoned(&path);
        }
    }
}

/// Removes a file unless a running program holds it.
fn remove_abandoned(path: &Path) -> std::io::Result<()> {
    if std::fs::symlink_metadata(path)?.is_file() {
        // Locked until it is gone, so that nobody takes it for their own meanwhile.
        let file = File::open(path)?;
        file.try_lock()?;
        std::fs::remove_file(path)?;
    }
    Ok(())
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_killed_programs_are_swept_and_others_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = folder.path().join(name);
            let file = File::create(&path).unwrap();
            (path, file)
        };
        let (abandoned, _) = make(".rebone-abandoned.tmp");
        let (foreign, _) = make(".rebone-notes");
        let (held, file) = make(".rebone-held.tmp");
        file.try_lock().unwrap();
        let made = Temporary::beside(&folder.path().join("out.glb")).unwrap();
        assert!(!abandoned.exists());
        for path in [&foreign, &held, &made.path().to_owned()] {
            assert!(path.exists(), "{}", path.display());
        }
    }
}
