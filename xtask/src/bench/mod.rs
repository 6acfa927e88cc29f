//! Speeds beside those of three.js: one clip, whole processes, two GLBs in and one out.
//!
//! The program and its peer run in turns, so that a machine that slows down slows both; what counts is
//! the median of the ratios. Both outputs are checked before any time is taken.

mod check;
mod criterion;
mod measure;
mod pair;

use anyhow::{Context, Result, bail};
use measure::{median, once, peak_memory_mb};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Fewer pairs than this are too few for a median.
const FEWEST_PAIRS: usize = 5;

/// A command line.
pub(crate) struct Call {
    program: PathBuf,
    arguments: Vec<OsString>,
}

impl Call {
    fn new(program: impl Into<PathBuf>, arguments: &[&std::ffi::OsStr]) -> Self {
        Self {
            program: program.into(),
            arguments: arguments.iter().map(|&argument| argument.into()).collect(),
        }
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        command
    }
}

/// Writes the two characters and what three.js has to be told, for other programs to be measured on.
pub(crate) fn files() -> Result<()> {
    println!("{}", write_pair(&pair::Pair::new())?.display());
    Ok(())
}

fn write_pair(input: &pair::Pair) -> Result<PathBuf> {
    let folder = crate::tree::target_directory().join("xtask-bench");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("source.glb"), input.source_glb()?)?;
    std::fs::write(folder.join("target.glb"), input.target_glb()?)?;
    std::fs::write(folder.join("settings.json"), input.settings_json())?;
    Ok(folder)
}

/// Runs the benches of the crates.
pub(crate) fn kernels() -> Result<()> {
    let kernels = criterion::run()?;
    println!("\n| kernel | time |\n|---|---|");
    for (name, nanoseconds) in &kernels {
        println!("| {name} | {} |", criterion::shown(*nanoseconds));
    }
    Ok(())
}

/// Runs `pairs` interleaved pairs of whole processes.
pub(crate) fn run(pairs: usize) -> Result<()> {
    if pairs < FEWEST_PAIRS {
        bail!("{pairs} pairs are too few; take at least {FEWEST_PAIRS}");
    }
    let binary = build()?;
    let input = pair::Pair::new();
    let folder = write_pair(&input)?;
    let path = |name: &str| folder.join(name);
    let (source, target, settings) = (
        path("source.glb"),
        path("target.glb"),
        path("settings.json"),
    );
    let (ours_out, theirs_out) = (path("rebone.glb"), path("three.glb"));

    let ours = Call::new(
        binary,
        &[
            "retarget".as_ref(),
            source.as_os_str(),
            target.as_os_str(),
            "-o".as_ref(),
            ours_out.as_os_str(),
            "--force".as_ref(),
        ],
    );
    let script = crate::tree::root().join("xtask/bench/three_retarget.mjs");
    let theirs = Call::new(
        "node",
        &[
            script.as_os_str(),
            source.as_os_str(),
            target.as_os_str(),
            settings.as_os_str(),
            theirs_out.as_os_str(),
        ],
    );

    // Warm the file cache, and see that both do the work.
    once(&ours)?;
    println!(
        "\nworst limb direction, rebone: {:.3} degrees",
        check::worst_degrees(&input, &ours_out)?
    );
    once(&theirs)
        .context("three.js: npm install three, and name its folder in REBONE_NODE_MODULES")?;
    println!(
        "worst limb direction, three.js: {:.3} degrees",
        check::worst_degrees(&input, &theirs_out)?
    );

    let (mut our_times, mut their_times, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..pairs {
        // Both write a new file: replacing one makes some file systems wait for the disk.
        std::fs::remove_file(&ours_out)?;
        std::fs::remove_file(&theirs_out)?;
        let theirs = once(&theirs)?.as_secs_f64();
        let ours = once(&ours)?.as_secs_f64();
        their_times.push(theirs * 1e3);
        our_times.push(ours * 1e3);
        ratios.push(theirs / ours);
    }
    let memory = |call: &Call| match peak_memory_mb(call) {
        Some(megabytes) => format!("{megabytes:.0} MB"),
        None => "not measured (needs /usr/bin/time)".to_owned(),
    };
    println!(
        "\n{} joints × {} frames, {pairs} interleaved pairs, medians\n",
        pair::JOINTS,
        pair::FRAMES
    );
    println!("| program | whole process (2 GLB in, 1 GLB out) | peak memory |\n|---|---|---|");
    println!(
        "| rebone retarget | {:.1} ms | {} |",
        median(&mut our_times),
        memory(&ours)
    );
    println!(
        "| three.js SkeletonUtils.retargetClip | {:.1} ms | {} |",
        median(&mut their_times),
        memory(&theirs)
    );
    println!("\nthree.js / rebone: {:.1}×", median(&mut ratios));
    Ok(())
}

/// The program as its users get it.
fn build() -> Result<PathBuf> {
    let status = crate::tree::cargo()
        .args(["build", "--release", "-p", "rebone-cli"])
        .current_dir(crate::tree::root())
        .status()?;
    if !status.success() {
        bail!("the release build fails");
    }
    let name = format!("rebone{}", std::env::consts::EXE_SUFFIX);
    Ok(crate::tree::target_directory().join("release").join(name))
}
