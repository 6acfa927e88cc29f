//! Lays out the files that the program holds: the samples of `demo` and the page of the studio.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let package = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let output = PathBuf::from(std::env::var("OUT_DIR")?);
    for name in ["walk.bvh", "adult.glb", "brute.glb", "chibi.vrm"] {
        let path = package.join("samples").join(name);
        fs::write(output.join(name), sample(&path)?)?;
        println!("cargo::rerun-if-changed={}", path.display());
    }
    // A new page needs a new program. A path that is missing would make every build a new one: without a page the
    // folder in which it is built first is watched instead.
    let pages = [package.join("dist"), package.join("../../studio")];
    if let Some(watched) = pages.iter().find(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    Ok(())
}

/// The content of a sample. In the repository it is a link, which git writes as a short text with the path where the
/// system has no links.
fn sample(path: &Path) -> io::Result<Vec<u8>> {
    let content = fs::read(path)?;
    match std::str::from_utf8(&content) {
        Ok(link) if link.starts_with("../") => fs::read(path.with_file_name(link.trim_end())),
        _ => Ok(content),
    }
}
