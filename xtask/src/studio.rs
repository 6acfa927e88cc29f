//! The page of the studio: the engine's package, then what npm makes of `studio/`.

use crate::tree;
use crate::wasm::{self, Effort};
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

const NO_NODE: &str = "npm does not start; install Node.js 20.19 or later, with npm";

/// Builds the page in `studio/dist`.
pub(crate) fn build(effort: Effort) -> Result<()> {
    let folder = tree::root().join("studio");
    if !folder.join("package.json").exists() {
        bail!("{} holds no page", folder.display());
    }
    wasm::build_unless_fresh(effort)?;
    install(&folder)?;
    // As a full path: npm runs in another folder.
    let package = wasm::folder().canonicalize()?;
    npm(&folder, &["run", "build"], Some(&package))?;
    let page = folder.join("dist");
    if !page.join("index.html").exists() {
        bail!("the build made no {}", page.join("index.html").display());
    }
    println!("{} is ready: cargo run --release -- studio", page.display());
    Ok(())
}

/// Installs exactly what the lock file lists, unless that was done.
fn install(folder: &Path) -> Result<()> {
    let wanted = wasm::newest(&folder.join("package-lock.json"));
    if wanted.is_none() {
        bail!("{} has no package-lock.json", folder.display());
    }
    // npm writes it when all is installed.
    let installed = wasm::newest(&folder.join("node_modules/.package-lock.json"));
    if installed >= wanted {
        return Ok(());
    }
    npm(
        folder,
        &["ci", "--no-audit", "--no-fund", "--loglevel=error"],
        None,
    )
}

fn npm(folder: &Path, arguments: &[&str], package: Option<&Path>) -> Result<()> {
    // On Windows it is a script, which only its full name starts.
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut npm = Command::new(name);
    npm.args(arguments).current_dir(folder).stdin(Stdio::null());
    if let Some(package) = package {
        npm.env("REBONE_PACKAGE", package);
    }
    if !npm.status().context(NO_NODE)?.success() {
        bail!("npm {} did not succeed", arguments.join(" "));
    }
    Ok(())
}
