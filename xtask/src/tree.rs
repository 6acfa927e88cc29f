//! The files of the workspace.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders that hold nothing that is committed.
const SKIPPED: [&str; 5] = [".git", "target", "node_modules", "out", "dist"];

/// The workspace's own folder.
pub(crate) fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Where cargo puts what it builds.
#[cfg(any(feature = "bench", feature = "wasm"))]
pub(crate) fn target_directory() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The built program: the one of `cargo test --workspace`, so that after the tests nothing is compiled. Naming only its
/// package would compile all with fewer features.
#[cfg(feature = "wasm")]
pub(crate) fn command_line() -> Result<PathBuf> {
    let status = cargo()
        .args(["test", "-q", "--workspace", "--no-run"])
        .current_dir(root())
        .status()?;
    anyhow::ensure!(status.success(), "the command line does not compile");
    let name = format!("rebone{}", std::env::consts::EXE_SUFFIX);
    Ok(target_directory().join("debug").join(name))
}

/// Folders in which a file that version control does not track yet is probably new source, and no user's output.
const SOURCES: [&str; 6] = [".ci", "crates", "docs", "fuzz", "studio", "xtask"];

/// The workspace's files that version control tracks or, in the folders of sources, would add; sorted, with paths
/// relative to the root and forward slashes. What a user writes into the clone, such as the results of `rebone demo`, is
/// not among them. Without version control (an unpacked archive) these are all files of the tree.
pub(crate) fn tracked_files() -> Result<Vec<String>> {
    let root = root();
    let listed = |arguments: &[&str]| -> Result<Option<String>> {
        let listing = Command::new("git")
            .args(["ls-files", "-z"])
            .args(arguments)
            .current_dir(&root)
            .output();
        match listing {
            Ok(listing) if listing.status.success() => String::from_utf8(listing.stdout)
                .context("git lists a path that is not UTF-8")
                .map(Some),
            _ => Ok(None),
        }
    };
    let Some(mut text) = listed(&["--cached"])?.filter(|text| !text.is_empty()) else {
        return files(&root);
    };
    let new = [
        ["--others", "--exclude-standard", "--"].as_slice(),
        &SOURCES,
    ]
    .concat();
    text.push_str(&listed(&new)?.unwrap_or_default());
    let paths = text.split_terminator('\0').map(str::to_owned);
    let mut found: Vec<String> = paths.filter(|path| root.join(path).is_file()).collect();
    found.sort();
    found.dedup();
    Ok(found)
}

/// All files below a folder, sorted, with paths relative to it and forward slashes.
pub(crate) fn files(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    collect(folder, "", &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(folder: &Path, prefix: &str, found: &mut Vec<String>) -> Result<()> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                collect(&entry.path(), &format!("{path}/"), found)?;
            }
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// The extension of a path, in lower case.
pub(crate) fn extension(path: &str) -> String {
    Path::new(path)
        .extension()
        .map(|extension| extension.to_string_lossy().to_lowercase())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_of_a_user_are_not_part_of_the_tree() {
        let output = root().join(format!("output-of-a-user-{}.glb", std::process::id()));
        std::fs::write(&output, "glTF").unwrap();
        let found = tracked_files();
        std::fs::remove_file(&output).unwrap();
        let found = found.unwrap();
        assert!(found.iter().any(|path| path == "Cargo.toml"), "{found:?}");
        if root().join(".git").exists() {
            assert!(
                !found
                    .iter()
                    .any(|path| path.starts_with("output-of-a-user"))
            );
        } else {
            println!("SKIPPED: the clone has no .git, so outputs cannot be told from sources");
        }
    }
}
