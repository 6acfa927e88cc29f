//! Whether the package has to be made anew.

use super::{Effort, build, folder, mark};
use crate::tree;
use anyhow::Result;
use std::path::Path;
use std::time::SystemTime;

/// What the package is made of.
const SOURCES: [&str; 13] = [
    "Cargo.toml",
    "Cargo.lock",
    "crates/model",
    "crates/runtime",
    "crates/setup",
    "crates/report",
    "crates/io",
    "crates/view",
    "crates/rebone",
    "crates/wasm",
    "data",
    "xtask/Cargo.toml",
    "xtask/src/wasm",
];

/// Builds the package, unless one of this effort or more is there and newer than its sources. One without a mark
/// was brought from elsewhere and counts as quick.
pub(crate) fn build_unless_fresh(effort: Effort) -> Result<()> {
    let marked = std::fs::read_to_string(mark()).unwrap_or_default();
    let made = if marked.trim() == Effort::Full.name() {
        Effort::Full
    } else {
        Effort::Quick
    };
    let mut sources = None;
    for source in SOURCES {
        sources = sources.max(newest(&tree::root().join(source)));
    }
    // It is written last.
    let package = newest(&folder().join("package.json"));
    if is_fresh(effort, made, sources, package) {
        println!("{} is newer than its sources", folder().display());
        return Ok(());
    }
    build(effort)
}

fn is_fresh(
    wanted: Effort,
    made: Effort,
    sources: Option<SystemTime>,
    package: Option<SystemTime>,
) -> bool {
    package.is_some() && made >= wanted && package >= sources
}

/// When a file, or any file of a folder, was last written; `None` where there is none.
pub(crate) fn newest(path: &Path) -> Option<SystemTime> {
    if !path.is_dir() {
        return std::fs::metadata(path).ok()?.modified().ok();
    }
    let files = tree::files(path).ok()?;
    files
        .iter()
        .filter_map(|file| newest(&path.join(file)))
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_package_is_made_anew_where_it_is_old_missing_or_too_quick() {
        let (old, new) = (
            SystemTime::UNIX_EPOCH,
            SystemTime::UNIX_EPOCH + Duration::from_secs(1),
        );
        let (quick, full) = (Effort::Quick, Effort::Full);
        assert!(is_fresh(quick, quick, Some(old), Some(new)));
        assert!(is_fresh(quick, full, Some(old), Some(new)));
        assert!(is_fresh(full, full, Some(old), Some(old)));
        assert!(!is_fresh(full, quick, Some(old), Some(new)));
        assert!(!is_fresh(full, full, Some(new), Some(old)));
        assert!(!is_fresh(quick, quick, Some(old), None));
    }

    #[test]
    fn all_sources_are_there() {
        for source in SOURCES {
            assert!(newest(&tree::root().join(source)).is_some(), "{source}");
        }
    }
}
