//! Chores of the workspace: `cargo xtask help` lists them.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "printing is what a chore does"
)]

#[cfg(feature = "bench")]
mod bench;
mod features;
#[cfg(feature = "generate")]
mod generate;
mod metadata;
#[cfg(feature = "studio")]
mod studio;
mod tidy;
mod tree;
mod validate;
#[cfg(feature = "wasm")]
mod wasm;

use anyhow::{Result, bail};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask TASK

  tidy                what cargo and clippy cannot check: borders between crates, forbidden words,
                      lengths of files, warning pages, links
  features            every feature of every crate compiles alone, and none of them
  man                 the pages for `man` in target/man
  generate            writes the samples of data/ and the schema of recipes
  validate DIR        runs the Khronos validator over every glTF, GLB, VRM and VRMA below DIR
  wasm [--quick]      the engine as an npm package for browsers and Node.js, in target/wasm/npm; --quick makes it
                      neither small nor fast, with the same results
  wasm test           that package against the command line, byte for byte
  wasm tools          the compiler that this needs: finds it, or installs it, or says why there is none
  wasm bench          its speed beside that of three.js, in Node.js, on the clip of `bench files`
  studio [--quick]    the page of the studio in studio/dist, with that package in it, which is made unless it is
                      newer than its sources
  studio test         that page in headless Chromium, which CHROMIUM may name
  studio bench        its speeds there, beside those of three.js, on the clip of `bench files`
  studio pictures     screenshots of its panels for the documentation, in docs/images
  bench files         writes the clip and the characters of the bench
  bench [PAIRS]       speed of whole processes beside that of three.js, in turns (default 7 pairs)
  bench kernels       the benches of all crates, in one table
";

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        ["tidy"] => tidy::run(),
        ["features"] => features::run(),
        ["man"] => manual_pages(),
        ["validate", directory] => validate::run(directory.as_ref()),
        #[cfg(feature = "generate")]
        ["generate"] => generate::write(),
        #[cfg(feature = "bench")]
        ["bench"] => bench::run(7),
        #[cfg(feature = "bench")]
        ["bench", "files"] => bench::files(),
        #[cfg(feature = "bench")]
        ["bench", "kernels"] => bench::kernels(),
        #[cfg(feature = "bench")]
        ["bench", pairs] => bench::run(pairs.parse()?),
        #[cfg(feature = "wasm")]
        ["wasm"] => wasm::build(wasm::Effort::Full),
        #[cfg(feature = "wasm")]
        ["wasm", "--quick"] => wasm::build(wasm::Effort::Quick),
        #[cfg(feature = "wasm")]
        ["wasm", "test"] => wasm::test(),
        #[cfg(feature = "wasm")]
        ["wasm", "tools"] => wasm::tools(),
        #[cfg(feature = "wasm")]
        ["wasm", "bench"] => wasm::bench(),
        #[cfg(feature = "studio")]
        ["studio"] => studio::build(wasm::Effort::Full),
        #[cfg(feature = "studio")]
        ["studio", "--quick"] => studio::build(wasm::Effort::Quick),
        #[cfg(feature = "studio")]
        ["studio", "test"] => studio::test(),
        #[cfg(feature = "studio")]
        ["studio", "bench"] => studio::bench(),
        #[cfg(feature = "studio")]
        ["studio", "pictures"] => studio::pictures(),
        // The tasks below need crates that the others do not: cargo builds those only when asked to.
        ["generate" | "bench" | "wasm" | "studio", ..] => again_with_feature(&words),
        _ => bail!("unknown task \"{}\"\n\n{HELP}", words.join(" ")),
    }
}

/// Writes the pages for `man`, by the program whose commands they are about.
fn manual_pages() -> Result<()> {
    let status = tree::cargo()
        .args(["run", "-q", "--package", "rebone-cli", "--", "manual"])
        .args(["-o", "target/man"])
        .current_dir(tree::root())
        .status()?;
    if !status.success() {
        bail!("rebone could not write its pages");
    }
    Ok(())
}

/// Runs the same task in a build of this program that has it.
fn again_with_feature(words: &[&str]) -> Result<()> {
    let feature = words[0];
    if cfg!(feature = "generate") && feature == "generate"
        || cfg!(feature = "bench") && feature == "bench"
        || cfg!(feature = "wasm") && feature == "wasm"
        || cfg!(feature = "studio") && feature == "studio"
    {
        bail!("unknown arguments \"{}\"\n\n{HELP}", words.join(" "));
    }
    let status = tree::cargo()
        .args([
            "run",
            "-q",
            "--package",
            "xtask",
            "--features",
            feature,
            "--",
        ])
        .args(words)
        .current_dir(tree::root())
        .status()?;
    if !status.success() {
        bail!("{} did not succeed", words.join(" "));
    }
    Ok(())
}
