//! The engine as a package for browsers and Node.js: compiled, bound, made small, packed, compared with the command line.

#[cfg(feature = "studio")]
mod fresh;
mod package;
mod toolchain;

#[cfg(feature = "studio")]
pub(crate) use fresh::{build_unless_fresh, newest};

use crate::tree;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use toolchain::Toolchain;
use wasm_bindgen_cli_support::Bindgen;

/// How much time is spent on making the module small and fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effort {
    /// Quickly, for tests of what it computes: the bits are the same.
    Quick,
    /// As it is published.
    Full,
}

impl Effort {
    /// As it stands in the mark.
    fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }
}

/// What binaryen has to be told of what the module uses.
const FEATURES: [&str; 7] = [
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// Where the package is put.
pub(crate) fn folder() -> PathBuf {
    tree::target_directory().join("wasm").join("npm")
}

/// Says with which effort the package was built. It stands beside the package, which is published as it is.
fn mark() -> PathBuf {
    folder().with_file_name("npm.effort")
}

/// Finds or installs the compiler.
pub(crate) fn tools() -> Result<()> {
    println!("{}", toolchain::find()?.name());
    Ok(())
}

/// Builds the package.
pub(crate) fn build(effort: Effort) -> Result<()> {
    let toolchain = toolchain::find()?;
    if mark().exists() {
        std::fs::remove_file(mark())?;
    }
    let module = compile(&toolchain, effort)?;
    let folder = folder();
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Bindgen::new()
        .input_path(&module)
        .web(true)?
        .typescript(true)
        .out_name("rebone")
        .generate(&folder)
        .context("the module cannot be bound to JavaScript")?;
    if effort == Effort::Full {
        optimise(&folder.join("rebone_bg.wasm"))?;
    }
    package::fill(&folder)?;
    std::fs::write(mark(), effort.name())?;
    tell_sizes(&folder)
}

/// The module as the compiler makes it.
fn compile(toolchain: &Toolchain, effort: Effort) -> Result<PathBuf> {
    let profile = match effort {
        Effort::Full => "release",
        Effort::Quick => "dev",
    };
    let mut cargo = toolchain.cargo();
    cargo.args(["--package", "rebone-wasm", "--lib", "--profile", profile]);
    println!("compiling with {}", toolchain.name());
    let status = cargo.current_dir(tree::root()).status()?;
    if !status.success() {
        bail!("the engine does not compile to WebAssembly");
    }
    let folder = match effort {
        Effort::Full => "release",
        Effort::Quick => "debug",
    };
    Ok(toolchain
        .target_directory()
        .join("wasm32-unknown-unknown")
        .join(folder)
        .join("rebone_wasm.wasm"))
}

/// Binaryen as npm ships it. Debian's of version 108 mixes up the table of JavaScript's objects, so that what it makes does not load.
const BINARYEN: &str = "binaryen@132.0.0";

/// Makes a module smaller and faster, in its place.
fn optimise(module: &Path) -> Result<()> {
    let tools = tree::target_directory().join("wasm").join("tools");
    let program = tools.join("node_modules/binaryen/bin/wasm-opt");
    if !program.exists() {
        std::fs::create_dir_all(&tools)?;
        let status = Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--loglevel=error"])
            .arg("--prefix")
            .arg(&tools)
            .arg(BINARYEN)
            .status()
            .context("npm does not start; install Node.js 20 or later")?;
        if !status.success() {
            bail!("{BINARYEN} cannot be installed");
        }
    }
    let small = module.with_extension("small");
    let status = Command::new("node")
        .arg(&program)
        .arg("-O3")
        .args(FEATURES)
        .arg(module)
        .arg("-o")
        .arg(&small)
        .status()?;
    if !status.success() {
        bail!("wasm-opt did not succeed");
    }
    std::fs::rename(small, module)?;
    Ok(())
}

fn tell_sizes(folder: &Path) -> Result<()> {
    let module = folder.join("rebone_bg.wasm");
    let raw = std::fs::metadata(&module)?.len();
    let packed = Command::new("gzip").arg("-9c").arg(&module).output();
    let packed = packed.map_or(0, |output| output.stdout.len());
    println!(
        "{}: {:.2} MB, {:.2} MB with gzip",
        module.display(),
        raw as f64 / 1e6,
        packed as f64 / 1e6
    );
    Ok(())
}

/// Compares the package with the command line, byte for byte, and its types with its results. Builds both where they are missing.
pub(crate) fn test() -> Result<()> {
    if !folder().join("package.json").exists() {
        build(Effort::Quick)?;
    }
    let binary = tree::command_line()?;
    let root = tree::root();
    let status = Command::new("node")
        .arg("--test")
        .arg(root.join("xtask/wasm/test.mjs"))
        .env("REBONE_PACKAGE", folder())
        .env("REBONE_BINARY", binary)
        .current_dir(&root)
        .status()
        .context("node does not start; install Node.js 20 or later")?;
    if !status.success() {
        bail!("the package is not what it should be");
    }
    Ok(())
}

/// Times of the package beside those of three.js, in one process of Node.js.
pub(crate) fn bench() -> Result<()> {
    let files = tree::target_directory().join("xtask-bench");
    if !files.join("source.glb").exists() {
        bail!("the clip is missing; run cargo xtask bench files");
    }
    if !folder().join("package.json").exists() {
        build(Effort::Full)?;
    }
    let status = Command::new("node")
        .arg(tree::root().join("xtask/wasm/bench.mjs"))
        .args(["source.glb", "target.glb", "settings.json"].map(|name| files.join(name)))
        .env("REBONE_PACKAGE", folder())
        .status()
        .context("node does not start; install Node.js 20 or later")?;
    if !status.success() {
        bail!("npm install three, and name its folder in REBONE_NODE_MODULES");
    }
    Ok(())
}
