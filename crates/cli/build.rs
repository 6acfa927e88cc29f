//! Puts the built page of the studio, where there is one, into a folder from which it is embedded.

use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let manifest = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let studio = manifest.join("../../studio");
    let page = studio.join("dist");
    let embedded = PathBuf::from(std::env::var("OUT_DIR")?).join("studio");
    println!("cargo::rerun-if-changed=build.rs");
    if embedded.exists() {
        std::fs::remove_dir_all(&embedded)?;
    }
    std::fs::create_dir_all(&embedded)?;
    if page.is_dir() {
        println!("cargo::rerun-if-changed={}", page.display());
        copy(&page, &embedded)?;
    } else if studio.is_dir() {
        // A path that is missing would make every build a new one: its folder is watched for it.
        println!("cargo::rerun-if-changed={}", studio.display());
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            std::fs::create_dir_all(&to)?;
            copy(&from, &to)?;
        } else {
            std::fs::copy(from, to)?;
        }
    }
    Ok(())
}
