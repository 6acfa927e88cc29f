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
use std::path::{Path, PathBuf};
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
    let ours = Contender::rebone(binary, &folder);
    let theirs = Contender::three_js(&folder);

    // Warm the file cache, and see that both do the work.
    once(&ours.call)?;
    println!(
        "\nworst limb direction, rebone: {:.3} degrees",
        check::worst_degrees(&input, &ours.output)?
    );
    once(&theirs.call)
        .context("three.js: npm install three, and name its folder in REBONE_NODE_MODULES")?;
    println!(
        "worst limb direction, three.js: {:.3} degrees",
        check::worst_degrees(&input, &theirs.output)?
    );

    let (mut our_times, mut their_times, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..pairs {
        // Both write a new file: replacing one makes some file systems wait for the disk.
        std::fs::remove_file(&ours.output)?;
        std::fs::remove_file(&theirs.output)?;
        let their_seconds = once(&theirs.call)?.as_secs_f64();
        let our_seconds = once(&ours.call)?.as_secs_f64();
        their_times.push(their_seconds * 1e3);
        our_times.push(our_seconds * 1e3);
        ratios.push(their_seconds / our_seconds);
    }
    println!(
        "\n{} joints × {} frames, {pairs} interleaved pairs, medians\n",
        pair::JOINTS,
        pair::FRAMES
    );
    println!("| program | whole process (2 GLB in, 1 GLB out) | peak memory |\n|---|---|---|");
    println!("{}", ours.table_row(&mut our_times));
    println!("{}", theirs.table_row(&mut their_times));
    println!("\nthree.js / rebone: {:.1}×", median(&mut ratios));
    Ok(())
}

/// One of the two programs that are measured.
struct Contender {
    name: &'static str,
    call: Call,
    /// The file that it writes.
    output: PathBuf,
}

impl Contender {
    fn rebone(binary: PathBuf, folder: &Path) -> Self {
        let (source, target) = (folder.join("source.glb"), folder.join("target.glb"));
        let output = folder.join("rebone.glb");
        let arguments = [
            "retarget".as_ref(),
            source.as_os_str(),
            target.as_os_str(),
            "-o".as_ref(),
            output.as_os_str(),
            "--force".as_ref(),
        ];
        Self {
            name: "rebone retarget",
            call: Call::new(binary, &arguments),
            output,
        }
    }

    fn three_js(folder: &Path) -> Self {
        let script = crate::tree::root().join("xtask/bench/three_retarget.mjs");
        let output = folder.join("three.glb");
        let (source, target) = (folder.join("source.glb"), folder.join("target.glb"));
        let settings = folder.join("settings.json");
        let arguments =
            [&script, &source, &target, &settings, &output].map(|path| path.as_os_str());
        Self {
            name: "three.js SkeletonUtils.retargetClip",
            call: Call::new("node", &arguments),
            output,
        }
    }

    fn table_row(&self, milliseconds: &mut [f64]) -> String {
        let memory = match peak_memory_mb(&self.call) {
            Some(megabytes) => format!("{megabytes:.0} MB"),
            None => "not measured (needs /usr/bin/time)".to_owned(),
        };
        format!(
            "| {} | {:.1} ms | {memory} |",
            self.name,
            median(milliseconds)
        )
    }
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
