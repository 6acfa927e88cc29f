//! Builds the program anew when the page that it holds was built anew.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let studio = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../../studio");
    let page = studio.join("dist");
    println!("cargo::rerun-if-changed=build.rs");
    // A path that is missing would make every build a new one: the folder around it is watched instead.
    if let Some(watched) = [page, studio].iter().find(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", watched.display());
    }
    Ok(())
}
