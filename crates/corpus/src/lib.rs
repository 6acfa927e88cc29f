//! Where the tests find real files, and how much they test.
//!
//! `cargo test --workspace` is quick: it leaves out sweeps over the corpus and tries a part of the random cases. With
//! the variable `REBONE_THOROUGH` in the environment everything is tested, as the gate does.
#![allow(clippy::print_stdout, reason = "tests say what they skip")]

use std::ops::Range;
use std::path::{Path, PathBuf};

/// Part of the random cases that a quick run tries.
const QUICK_PART: u64 = 5;

/// True if everything is to be tested.
pub fn is_thorough() -> bool {
    std::env::var_os("REBONE_THOROUGH").is_some_and(|value| !value.is_empty() && value != "0")
}

/// The folder of real files beside the workspace; `None`, with a remark, if it is not there or the run is quick.
pub fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    if !folder.is_dir() {
        println!("SKIPPED: there is no corpus at {}", folder.display());
        None
    } else if !is_thorough() {
        println!("SKIPPED: REBONE_THOROUGH=1 also tests over the corpus");
        None
    } else {
        Some(folder)
    }
}

/// The files in a folder and its folders whose names end in one of these, in the order of their paths.
pub fn files_below(folder: &Path, extensions: &[&str]) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if extensions
                .iter()
                .any(|known| path.extension().is_some_and(|own| own == *known))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The step of a test that damages a file at every place: 1, or 11 in a quick run. 11 is a prime, so that a layout which
/// repeats is damaged at each of its places sooner or later.
pub fn stride() -> usize {
    if is_thorough() { 1 } else { 11 }
}

/// The seeds of a test that tries random cases: all of them, or in a quick run the first fifth, at least two. A test whose
/// bounds are about the whole set, such as a count or a mean, takes its seeds without this.
pub fn seeds(all: Range<u64>) -> Range<u64> {
    if is_thorough() {
        return all;
    }
    let part = (all.end - all.start).div_ceil(QUICK_PART).max(2);
    all.start..all.end.min(all.start + part)
}
