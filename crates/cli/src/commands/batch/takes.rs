//! Other takes of a source's rig, for sources in whose motion nobody stands still.
//!
//! Which files are looked at depends on the sources alone, so every part of a batch finds the same.

use super::manifest::{Rest, sha256};
use super::plan::Plan;
use crate::failure::{Failure, Said};
use crate::files::{Input, name_of};
use crate::session::{self, Loaded};
use rebone::disk::folder_of;
use rebone::opening::Opening;
use rebone::takes::{best_take, needs_rest, with_rest_of_take};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Files of a folder that are looked at, spread evenly over all of its sources.
const LOOKED_AT: usize = 16;

/// The takes of all folders, read when a source of theirs needs one.
#[derive(Default)]
pub(super) struct Takes {
    folders: Mutex<BTreeMap<PathBuf, Arc<Vec<Take>>>>,
    hashes: Mutex<BTreeMap<PathBuf, Option<String>>>,
}

/// A file in whose motion somebody stands.
struct Take {
    loaded: Loaded,
    sha256: String,
}

impl Takes {
    /// The source with the pose of a better take, if it needs one and there is one beside it.
    pub(super) fn complete(
        &self,
        plan: &Plan,
        source: Loaded,
        wanted: &Opening<'_>,
    ) -> Result<(Loaded, Option<Rest>), Failure> {
        if !needs_rest(&source.rig) {
            return Ok((source, None));
        }
        let takes = self.beside(plan, &source.input.path, wanted);
        let Some(best) = best_take(&source.rig, takes.iter().map(|take| &take.loaded.rig)) else {
            return Ok((source, None));
        };
        let take = &takes[best];
        let path = &take.loaded.input.path;
        let Loaded { input, rig } = source;
        let rig = with_rest_of_take(rig, &take.loaded.rig, &name_of(path))
            .map_err(|error| Failure::in_file(path, Said::from(error)))?;
        let rest = Rest {
            source: path.display().to_string(),
            sha256: take.sha256.clone(),
        };
        Ok((Loaded { input, rig }, Some(rest)))
    }

    /// True if the file that gave a pose is as it was.
    pub(super) fn is_as_it_was(&self, rest: &Rest) -> bool {
        let path = PathBuf::from(&rest.source);
        let mut hashes = self.hashes.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = hashes.entry(path).or_insert_with_key(|path| {
            let bytes = std::fs::read(path).ok()?;
            Some(sha256(&[&bytes]))
        });
        hash.as_deref() == Some(rest.sha256.as_str())
    }

    fn beside(&self, plan: &Plan, source: &Path, wanted: &Opening<'_>) -> Arc<Vec<Take>> {
        let folder = folder_of(source).to_owned();
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let takes = folders.entry(folder).or_insert_with_key(|folder| {
            let files = plan.sources.iter().map(|source| source.path.as_path());
            let beside: Vec<&Path> = files.filter(|path| folder_of(path) == folder).collect();
            let count = beside.len().min(LOOKED_AT);
            let spread = (0..count).map(|number| beside[number * beside.len() / count]);
            let takes = spread.filter_map(|path| take(path, wanted));
            Arc::new(takes.collect())
        });
        Arc::clone(takes)
    }
}

/// A file that can be read, and in which somebody stands.
fn take(path: &Path, wanted: &Opening<'_>) -> Option<Take> {
    let mut input = Input::open(path).ok()?;
    let sha256 = sha256(&[input.file.bytes()]);
    let document = input.document(false).ok()?;
    input.file.forget();
    let mut loaded = session::from_document(input, document, wanted).ok()?;
    loaded.rig.character.clips = Vec::new();
    (!needs_rest(&loaded.rig)).then_some(Take { loaded, sha256 })
}
