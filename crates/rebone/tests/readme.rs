//! The README's code runs, and so does every example.

#![allow(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

mod example {
    include!("readme_code/example.rs");

    pub(super) fn run() -> rebone::Result<()> {
        main()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder with the samples, where what is written can be looked at.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    for entry in std::fs::read_dir(root().join("data")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, data.join(path.file_name().unwrap())).unwrap();
    }
    folder
}

#[test]
fn the_readme_holds_the_example() {
    let readme = include_str!("../../../README.md");
    let example = include_str!("readme_code/example.rs");
    assert!(
        readme.contains(example),
        "copy tests/readme_code/example.rs into the README"
    );
}

#[test]
fn the_readme_counts_the_dialects_right() {
    let readme = include_str!("../../../README.md");
    let count = rebone::setup::profile::dialect::dialects().count();
    assert!(
        readme.contains(&format!("{count} naming dialects")),
        "there are {count}"
    );
}

#[test]
fn the_readme_runs() {
    let folder = folder();
    std::env::set_current_dir(folder.path()).unwrap();
    example::run().unwrap();
    assert!(std::fs::read("walk.glb").unwrap().starts_with(b"glTF"));
    std::env::set_current_dir(root()).unwrap();
}

/// As the programs that `cargo test` has built; `cargo test --test readme` builds none of them.
#[test]
fn the_examples_are_numbered_and_run() {
    let folder = folder();
    let sources = std::fs::read_dir(root().join("crates/rebone/examples")).unwrap();
    let mut sources: Vec<PathBuf> = sources.map(|entry| entry.unwrap().path()).collect();
    sources.sort();
    assert_eq!(sources.len(), 12);
    let built = std::env::current_exe().unwrap();
    let built = built.parent().unwrap().parent().unwrap().join("examples");
    for (at, source) in sources.iter().enumerate() {
        let name = source.file_stem().unwrap().to_string_lossy();
        assert!(name.starts_with(&format!("{:02}_", at + 1)), "{name}");
        let lines = std::fs::read_to_string(source).unwrap().lines().count();
        assert!(lines <= 25, "{name} has {lines} lines");
        let program = built.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        if !program.exists() {
            eprintln!("SKIPPED: {name} was not built");
            continue;
        }
        let run = Command::new(program).current_dir(folder.path()).output();
        let run = run.unwrap();
        let told = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{name}: {told}");
    }
}
