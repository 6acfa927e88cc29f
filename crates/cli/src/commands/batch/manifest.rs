//! The manifest of a batch: a line of JSON for every job that ended. It is what makes a batch that was stopped continue,
//! and one that was done skip what is up to date.

use crate::failure::Failure;
use crate::outputs::{Existing, Outputs};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A finished job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) schema: u32,
    pub(super) source: String,
    pub(super) target: String,
    /// Hashes of everything that the result depends on.
    #[serde(flatten)]
    pub(super) inputs: Inputs,
    /// The file that gave the source its rest pose. `None` if that was its own.
    #[serde(default)]
    pub(super) rest: Option<Rest>,
    pub(super) outputs: Vec<OutputFile>,
    /// The worst of the clips'; `None` if the job failed.
    pub(super) verdict: Option<String>,
    /// How long it took.
    pub(super) seconds: f64,
    pub(super) clips: Vec<ClipEntry>,
    /// The checks of `--fail-on` that are not met.
    pub(super) checks_failed: Vec<String>,
    pub(super) warnings: Vec<serde_json::Value>,
    /// Why there is no result.
    pub(super) error: Option<ErrorEntry>,
}

/// Hashes (SHA-256, hexadecimal) of what a result depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Inputs {
    pub(super) source_sha256: String,
    pub(super) target_sha256: String,
    /// Of all choices, with the version of the program.
    pub(super) recipe_sha256: String,
}

/// A file that gave another its rest pose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Rest {
    pub(super) source: String,
    pub(super) sha256: String,
}

/// A file that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct OutputFile {
    /// Relative to the folder of the manifest.
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    pub(super) sha256: String,
}

/// How a clip went.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ClipEntry {
    pub(super) name: String,
    pub(super) seconds: f32,
    pub(super) frames: usize,
    pub(super) verdict: String,
    /// How bad the worst moment looks; from 1 on it is seen at first sight.
    pub(super) severity: f64,
    /// The figures that decide the verdict, in words.
    pub(super) reasons: Vec<String>,
    /// The worst moment, in words.
    pub(super) worst: Option<String>,
    pub(super) figures: BTreeMap<String, f64>,
}

/// Why a job failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ErrorEntry {
    pub(super) code: String,
    pub(super) message: String,
}

/// A hash as hexadecimal text.
pub(super) fn sha256(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    let digest = hash.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where the line of a job stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    file: usize,
    start: u64,
    length: u64,
}

/// What earlier runs left, and the file to which this run adds.
pub(super) struct Manifest {
    folder: PathBuf,
    path: PathBuf,
    /// The manifests of all parts; the first is this run's.
    files: Vec<File>,
    places: BTreeMap<(String, String), Place>,
}

impl Manifest {
    /// Opens the manifests of a folder, which is made if it does not exist.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written, or another run adds to the same manifest.
    pub(super) fn open(folder: &Path, name: &str) -> Result<Self, Failure> {
        Outputs::make_folder(folder)?;
        let path = folder.join(name);
        let cannot = |error: std::io::Error| {
            Failure::at(
                &path,
                format_args!("the manifest cannot be written: {error}"),
                "check the folder's permissions and free space",
            )
        };
        let mut own = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(&path)
            .map_err(cannot)?;
        if matches!(own.try_lock(), Err(TryLockError::WouldBlock)) {
            return Err(Failure::at(
                &path,
                "another run adds to this manifest right now",
                "wait for it, give each run a part of the work with --shard, or choose another folder",
            ));
        }
        end_torn_line(&mut own).map_err(cannot)?;
        let mut files = vec![own];
        for entry in std::fs::read_dir(folder).map_err(cannot)?.flatten() {
            let other = entry.file_name().to_string_lossy().into_owned();
            let is_manifest = other.starts_with("manifest") && other.ends_with(".jsonl");
            if is_manifest && other != name {
                files.extend(File::open(entry.path()));
            }
        }
        let mut manifest = Self {
            folder: folder.to_owned(),
            path: path.clone(),
            files,
            places: BTreeMap::new(),
        };
        // This run's own lines count most.
        for file in (0..manifest.files.len()).rev() {
            manifest.index(file).map_err(cannot)?;
        }
        Ok(manifest)
    }

    /// Finds the lines of a file. Lines that a killed run has not finished are left out.
    fn index(&mut self, file: usize) -> std::io::Result<()> {
        #[derive(Deserialize)]
        struct Key {
            source: String,
            target: String,
        }
        self.files[file].seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::new(&self.files[file]);
        let mut line = Vec::new();
        let mut start = 0;
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)? as u64;
            if length == 0 {
                return Ok(());
            }
            if let Ok(key) = serde_json::from_slice::<Key>(&line) {
                let place = Place {
                    file,
                    start,
                    length,
                };
                self.places.insert((key.source, key.target), place);
            }
            start += length;
        }
    }

    /// What an earlier run says of a job.
    pub(super) fn entry(&self, source: &str, target: &str) -> Option<Entry> {
        let place = self.places.get(&(source.to_owned(), target.to_owned()))?;
        serde_json::from_slice(&self.line(*place).ok()?).ok()
    }

    fn line(&self, place: Place) -> std::io::Result<Vec<u8>> {
        let mut file = &self.files[place.file];
        file.seek(SeekFrom::Start(place.start))?;
        let mut line = vec![0; place.length as usize];
        file.read_exact(&mut line)?;
        Ok(line)
    }

    /// Adds a finished job.
    pub(super) fn add(&mut self, entry: &Entry) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(entry).map_err(|error| self.cannot_add(error))?;
        line.push(b'\n');
        let own = &mut self.files[0];
        let added = own.seek(SeekFrom::End(0)).and_then(|start| {
            own.write_all(&line)?;
            Ok(start)
        });
        let start = added.map_err(|error| self.cannot_add(error))?;
        let place = Place {
            file: 0,
            start,
            length: line.len() as u64,
        };
        self.places
            .insert((entry.source.clone(), entry.target.clone()), place);
        Ok(())
    }

    fn cannot_add(&self, error: impl std::fmt::Display) -> Failure {
        Failure::at(
            &self.path,
            format_args!("the manifest cannot be written: {error}"),
            "check the folder's free space; a further run goes on from here",
        )
    }

    /// Puts the manifest in order at the end of a run: one line per job, by source and target.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let mut text = Vec::new();
        for place in self.places.values().filter(|place| place.file == 0) {
            let line = self.line(*place).map_err(|error| self.cannot_add(error))?;
            text.extend(line);
        }
        let mut outputs = Outputs::new([]).with_existing(Existing::Replace);
        outputs.announce(&self.path)?;
        outputs.stage(&self.path, &text)?;
        outputs.commit(|| Ok(()))
    }

    /// True if an entry's files are there as they were written.
    pub(super) fn has_outputs(&self, entry: &Entry) -> bool {
        entry.outputs.iter().all(|output| {
            let about = self.folder.join(&output.path).metadata();
            about.is_ok_and(|about| about.is_file() && about.len() == output.bytes)
        })
    }

    /// True if a file is what an entry says of it, so that it is no loss to replace it.
    pub(super) fn is_own(&self, entry: &Entry, path: &Path) -> bool {
        let recorded = entry
            .outputs
            .iter()
            .find(|output| self.folder.join(&output.path) == path);
        recorded.is_some_and(|output| {
            std::fs::read(path).is_ok_and(|bytes| sha256(&[&bytes]) == output.sha256)
        })
    }
}

/// A killed run may have left half a line; what is added must not hang on to it.
fn end_torn_line(file: &mut File) -> std::io::Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    if length == 0 {
        return Ok(());
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    if last[0] == b'\n' {
        return Ok(());
    }
    file.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(source: &str, seconds: f64) -> Entry {
        Entry {
            source: source.to_owned(),
            target: "hero".to_owned(),
            seconds,
            ..Entry::default()
        }
    }

    #[test]
    fn a_torn_line_is_lost_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let mut manifest = Manifest::open(folder.path(), "manifest.jsonl").unwrap();
        manifest.add(&entry("b", 1.0)).unwrap();
        manifest.add(&entry("a", 2.0)).unwrap();
        drop(manifest);
        let path = folder.path().join("manifest.jsonl");
        let mut text = std::fs::read(&path).unwrap();
        text.extend(b"{\"schema\":1,\"source\":\"c\",\"tar");
        std::fs::write(&path, text).unwrap();

        let mut manifest = Manifest::open(folder.path(), "manifest.jsonl").unwrap();
        assert_eq!(manifest.entry("a", "hero"), Some(entry("a", 2.0)));
        assert_eq!(manifest.entry("c", "hero"), None);
        manifest.add(&entry("c", 3.0)).unwrap();
        manifest.add(&entry("b", 4.0)).unwrap();
        assert_eq!(manifest.entry("b", "hero"), Some(entry("b", 4.0)));
        manifest.finish().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let sources: Vec<String> = text
            .lines()
            .map(|line| serde_json::from_str::<Entry>(line).unwrap().source)
            .collect();
        assert_eq!(sources, ["a", "b", "c"], "in order, each once");
    }

    #[test]
    fn parts_know_each_other_and_two_runs_do_not_share_one() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Manifest::open(folder.path(), "manifest-1-of-2.jsonl").unwrap();
        first.add(&entry("a", 1.0)).unwrap();
        let second = Manifest::open(folder.path(), "manifest-2-of-2.jsonl").unwrap();
        assert_eq!(second.entry("a", "hero"), Some(entry("a", 1.0)));
        assert!(Manifest::open(folder.path(), "manifest-1-of-2.jsonl").is_err());
        second.finish().unwrap();
        first.finish().unwrap();
        let own = std::fs::read_to_string(folder.path().join("manifest-2-of-2.jsonl")).unwrap();
        assert_eq!(own, "", "each part keeps its own lines");
    }
}
