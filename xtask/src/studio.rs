//! The page of the studio: the engine's package, then what npm makes of `studio/`; its tests and its speeds in a browser.

use crate::tree;
use crate::wasm::{self, Effort};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NO_NODE: &str = "npm does not start; install Node.js 20.19 or later, with npm";

/// The character on which speeds are taken.
const BENCH_CHARACTER: &str = "../shared/corpus/vrm/bevy_vrm/assets/cool_loops.vrm";

/// How large it is made, megabytes.
const BENCH_MEGABYTES: &str = "5";

fn folder() -> PathBuf {
    tree::root().join("studio")
}

/// Where a built page lies; an error where there is none.
fn page() -> Result<PathBuf> {
    let page = folder().join("dist");
    if !page.join("index.html").exists() {
        bail!("there is no page; run cargo xtask studio");
    }
    Ok(page)
}

/// Opens the built page in headless Chromium and tries it, against the command line with the page inside.
pub(crate) fn test() -> Result<()> {
    page()?;
    let command = tree::command_line()?;
    let mut npm = npm(&folder());
    npm.args(["test"]).env("REBONE_COMMAND", command);
    succeed(npm, "the tests of the page")
}

/// Times of the page in headless Chromium.
pub(crate) fn bench() -> Result<()> {
    page()?;
    let files = tree::target_directory().join("xtask-bench");
    let [source, target, motion] =
        ["source.glb", "target.glb", "motion.fbx"].map(|name| files.join(name));
    if !source.exists() {
        bail!("the clip is missing; run cargo xtask bench files");
    }
    let character = tree::root().join(BENCH_CHARACTER);
    if !character.exists() {
        bail!("{} is missing", character.display());
    }
    // Ten seconds of motion as an FBX.
    let mut retarget = Command::new(tree::command_line()?);
    retarget
        .arg("retarget")
        .args([&source, &target])
        .arg("-o")
        .arg(&motion)
        // A bench before may have written it.
        .arg("--force")
        .stdout(Stdio::null());
    succeed(retarget, "the clip as an FBX")?;
    let mut node = Command::new("node");
    node.current_dir(folder())
        .arg("bench/speeds.mjs")
        .args([&files, &motion, &character])
        .arg(BENCH_MEGABYTES);
    succeed(node, "the bench")
}

/// Screenshots of every panel for the documentation, of the samples that are part of the project.
pub(crate) fn pictures() -> Result<()> {
    page()?;
    let mut node = Command::new("node");
    node.current_dir(folder())
        .arg("scripts/pictures.mjs")
        .arg(tree::root().join("docs/images"));
    succeed(node, "taking pictures")
}

/// Builds the page in `studio/dist`, and copies it to where the program and its published package take it from.
pub(crate) fn build(effort: Effort) -> Result<()> {
    let folder = folder();
    if !folder.join("package.json").exists() {
        bail!("{} holds no page", folder.display());
    }
    wasm::build_unless_fresh(effort)?;
    install(&folder)?;
    // As a full path: npm runs in another folder.
    let package = wasm::folder().canonicalize()?;
    let mut npm = npm(&folder);
    npm.args(["run", "build"]).env("REBONE_PACKAGE", package);
    succeed(npm, "npm run build")?;
    copy_into_program(&page()?)?;
    println!(
        "{} is ready: cargo run --release -- studio",
        page()?.display()
    );
    Ok(())
}

/// Copies a built page into the folder of the command line. Cargo packages no files from elsewhere.
fn copy_into_program(page: &Path) -> Result<()> {
    let copy = tree::root().join("crates/cli/dist");
    if copy.exists() {
        // Names hold hashes, so files of an older page would stay beside the new ones.
        std::fs::remove_dir_all(&copy)
            .with_context(|| format!("cannot remove {}", copy.display()))?;
    }
    for file in tree::files(page)? {
        let target = copy.join(&file);
        std::fs::create_dir_all(target.parent().unwrap_or(&copy))?;
        std::fs::copy(page.join(&file), &target)
            .with_context(|| format!("cannot write {}", target.display()))?;
    }
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
    let mut npm = npm(folder);
    npm.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
    succeed(npm, "npm ci")
}

fn npm(folder: &Path) -> Command {
    // On Windows it is a script, which only its full name starts.
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut npm = Command::new(name);
    npm.current_dir(folder).stdin(Stdio::null());
    npm
}

fn succeed(mut command: Command, what: &str) -> Result<()> {
    if !command.status().context(NO_NODE)?.success() {
        bail!("{what} did not succeed");
    }
    Ok(())
}
