//! A compiler for WebAssembly: the ordinary target of rustup, else Debian's compiler with its own sources.
//!
//! Both build the C inside (the reader of FBX, meshopt) with clang.

use crate::tree;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TARGET: &str = "wasm32-unknown-unknown";

/// Browsers have had it since March 2023, and it gives results the bits of the other machines.
const RUST_FLAGS: &str = "-Ctarget-feature=+simd128";

/// What Debian calls the compiler and all it needs.
const DEBIAN: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];

/// A download that takes longer than this does not come.
const PATIENCE: Duration = Duration::from_secs(120);

/// A compiler that is there.
#[derive(Clone, Debug)]
pub(super) enum Toolchain {
    /// The one that compiles everything else.
    Ordinary,
    /// Debian's, with a linker.
    Debian {
        /// That makes WebAssembly.
        linker: PathBuf,
    },
}

impl Toolchain {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Ordinary => "the target of rustup",
            Self::Debian { .. } => "Debian's compiler and its sources of the standard library",
        }
    }

    /// Where it puts what it builds. Two compilers do not share a folder.
    pub(super) fn target_directory(&self) -> PathBuf {
        match self {
            Self::Ordinary => tree::target_directory(),
            Self::Debian { .. } => tree::target_directory().join("debian"),
        }
    }

    /// `cargo build` for WebAssembly, without a package.
    pub(super) fn cargo(&self) -> Command {
        let declared = tree::root().join("crates/wasm/c/declared.h");
        let c_flags = format!(
            "-O3 -ffreestanding -msimd128 -DUFBX_NO_LIBC -DUFBX_NO_STDIO -include {}",
            declared.display()
        );
        let mut cargo = match self {
            Self::Ordinary => tree::cargo(),
            Self::Debian { .. } => Command::new("/usr/bin/cargo"),
        };
        cargo
            .args(["build", "--target", TARGET])
            .env("CC_wasm32_unknown_unknown", "clang")
            .env("AR_wasm32_unknown_unknown", "llvm-ar")
            .env("CFLAGS_wasm32_unknown_unknown", c_flags)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", RUST_FLAGS)
            .env("CARGO_TARGET_DIR", self.target_directory());
        if let Self::Debian { linker } = self {
            cargo
                .arg("-Zbuild-std=std,panic_abort")
                .env("RUSTC", "/usr/bin/rustc")
                // The parts of the standard library are built with the same, and need what is not stable.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
                // Rustup's own, which would have their say.
                .env_remove("CARGO")
                .env_remove("RUSTUP_TOOLCHAIN");
        }
        cargo
    }
}

/// A compiler, installed where it is missing. `REBONE_WASM_TOOLCHAIN=debian` takes Debian's in any case.
pub(super) fn find() -> Result<Toolchain> {
    need("clang", "clang")?;
    need("llvm-ar", "llvm")?;
    let wants_debian =
        std::env::var_os("REBONE_WASM_TOOLCHAIN").is_some_and(|name| name == "debian");
    if !wants_debian && ordinary() {
        return Ok(Toolchain::Ordinary);
    }
    match debian() {
        Ok(found) => Ok(found),
        Err(error) => bail!(
            "there is no compiler for WebAssembly.\n  The ordinary way: rustup target add {TARGET} ({}).\n  \
             The way of Debian: apt-get install {} ({error:#}).",
            if wants_debian {
                "not tried"
            } else {
                "it did not succeed"
            },
            DEBIAN.join(" ")
        ),
    }
}

/// True where the compiler of this run knows the target, at the latest after rustup was asked for it.
fn ordinary() -> bool {
    has_target() || (add_target() && has_target())
}

fn has_target() -> bool {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output();
    let Ok(output) = output else { return false };
    let root = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Path::new(&root).join("lib/rustlib").join(TARGET).is_dir()
}

fn add_target() -> bool {
    let started = Command::new("rustup")
        .args(["target", "add", TARGET])
        .stdin(Stdio::null())
        .spawn();
    let Ok(mut rustup) = started else {
        return false;
    };
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        match rustup.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(Duration::from_millis(100)),
            Err(_) => return false,
        }
    }
    // It is our own child.
    let _ = rustup.kill();
    let _ = rustup.wait();
    false
}

fn debian() -> Result<Toolchain> {
    let is_there = || {
        Path::new("/usr/bin/rustc").exists()
            && Path::new("/usr/bin/cargo").exists()
            && Path::new("/usr/lib/rustlib/src/rust/library/std").exists()
    };
    if !is_there() {
        install(&DEBIAN)?;
    }
    if !is_there() {
        bail!(
            "{} are installed, but their files are not where they should be",
            DEBIAN.join(", ")
        );
    }
    let linker = linker().context("neither rust-lld nor wasm-ld is there")?;
    Ok(Toolchain::Debian { linker })
}

/// A linker for WebAssembly: that of rustup's compiler, else LLVM's.
fn linker() -> Option<PathBuf> {
    let output = Command::new("rustc")
        .args(["--print", "target-libdir"])
        .output()
        .ok()?;
    let libraries = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let own = libraries.parent()?.join("bin/rust-lld");
    if own.exists() {
        return Some(own);
    }
    let others = ["/usr/bin/wasm-ld", "/usr/lib/llvm-14/bin/wasm-ld"].map(PathBuf::from);
    others.into_iter().find(|path| path.exists())
}

/// Installs a program by Debian's package where it is missing.
pub(super) fn need(program: &str, package: &str) -> Result<()> {
    if is_program(program) {
        return Ok(());
    }
    install(&[package])?;
    if !is_program(program) {
        bail!("{program} is missing; install {package}");
    }
    Ok(())
}

fn is_program(program: &str) -> bool {
    let places = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&places).any(|folder| folder.join(program).is_file())
}

fn install(packages: &[&str]) -> Result<()> {
    println!("installing {}", packages.join(", "));
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout == b"0\n");
    let run = |arguments: &[&str]| -> Result<()> {
        let mut command = if is_root {
            Command::new("apt-get")
        } else {
            let mut command = Command::new("sudo");
            command.args(["-n", "apt-get"]);
            command
        };
        let status = command
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdin(Stdio::null())
            .status()
            .context("apt-get does not start")?;
        if !status.success() {
            bail!("apt-get {} did not succeed", arguments.join(" "));
        }
        Ok(())
    };
    run(&["update", "-qq"])?;
    let mut arguments = vec!["install", "-y", "-qq", "--no-install-recommends"];
    arguments.extend(packages);
    run(&arguments)
}
