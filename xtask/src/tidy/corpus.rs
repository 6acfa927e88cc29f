//! No file of the test corpus is committed: its licences are other people's.

use crate::tree::extension;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Characters and motions; they belong in `data/`, where code makes them.
const MODELS: [&str; 12] = [
    "glb", "gltf", "vrm", "vrma", "fbx", "bvh", "bin", "dae", "blend", "usd", "usdz", "urdf",
];
/// Places where such files may lie. The samples of the command line are links to `data/`.
const HOMES: [&str; 3] = ["data/", "fuzz/corpus/", "crates/cli/samples/"];
/// Copies of less than this are a coincidence.
const SMALLEST: u64 = 256;

/// Model files outside the places for them.
pub(super) fn misplaced(paths: &[String]) -> Vec<String> {
    paths
        .iter()
        .filter(|path| MODELS.contains(&extension(path).as_str()))
        .filter(|path| !HOMES.iter().any(|home| path.starts_with(home)))
        .map(|path| {
            format!(
                "{path}: files of this kind may lie in {} only",
                HOMES.join(", ")
            )
        })
        .collect()
}

/// Files that equal one of the corpus, which lies beside the workspace; `None` where it does not.
pub(super) fn copies(root: &Path, paths: &[String]) -> Result<Option<Vec<String>>> {
    let corpus = root.join("../shared/corpus");
    if !corpus.is_dir() {
        return Ok(None);
    }
    let mut by_size: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
    for path in crate::tree::files(&corpus)? {
        let path = corpus.join(path);
        let size = std::fs::metadata(&path)?.len();
        by_size.entry(size).or_default().push(path);
    }
    let mut errors = Vec::new();
    for path in paths.iter().filter(|path| !is_licence(path)) {
        let own = root.join(path);
        let size = std::fs::metadata(&own)?.len();
        if size < SMALLEST {
            continue;
        }
        for other in by_size.get(&size).into_iter().flatten() {
            if std::fs::read(&own)? == std::fs::read(other)? {
                errors.push(format!("{path}: is a copy of a file of the corpus"));
                break;
            }
        }
    }
    Ok(Some(errors))
}

/// The texts of licences are the same everywhere.
fn is_licence(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with("LICENSE") || path.starts_with("crates/cli/src/notices/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_lie_in_data_only() {
        let paths = [
            "data/a.glb",
            "crates/io/tests/b.GLB",
            "docs/c.fbx",
            "src/d.rs",
        ];
        let found = misplaced(&paths.map(str::to_owned));
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn copies_are_found() {
        let folder = std::env::temp_dir().join(format!("rebone-tidy-{}", std::process::id()));
        let (root, corpus) = (folder.join("main"), folder.join("shared/corpus/a"));
        std::fs::create_dir_all(&root).unwrap();
        assert!(copies(&root, &[]).unwrap().is_none());
        std::fs::create_dir_all(&corpus).unwrap();
        for (path, byte) in [
            (corpus.join("x.glb"), 1u8),
            (root.join("copy.glb"), 1),
            (root.join("own.glb"), 2),
            (root.join("LICENSE-MIT"), 1),
        ] {
            std::fs::write(path, [byte; 300]).unwrap();
        }
        let paths = ["copy.glb", "own.glb", "LICENSE-MIT"].map(str::to_owned);
        let found = copies(&root, &paths).unwrap().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found, ["copy.glb: is a copy of a file of the corpus"]);
    }
}
