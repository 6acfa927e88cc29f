//! Disks that are full and memory that runs out: the outputs are whole, or as they were before.

#![cfg(unix)]

use crate::common::{Scratch, data};
use std::process::{Command, Output};

/// Runs `rebone` in a shell that has set a limit before.
fn limited(limit: &str, arguments: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", &format!("{limit}; exec \"$@\""), "sh"])
        .arg(env!("CARGO_BIN_EXE_rebone"))
        .args(arguments)
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap()
}

#[test]
fn a_disk_that_is_full_leaves_the_files_as_they_were() {
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let mut wrote = 0;
    // Files may have this many kilobytes; the result has about 800, the recipe about 1, the page more.
    for blocks in [0, 1, 8, 200, 2_000, 100_000] {
        let scratch = Scratch::new();
        let out = scratch.file("out.glb", b"old");
        let (recipe, page) = (scratch.path("r.toml"), scratch.path("page.html"));
        let run = limited(
            // Without the signal, so that writing fails as on a full disk.
            &format!("trap '' XFSZ; ulimit -f {blocks}"),
            &[
                "retarget",
                &walk,
                &brute,
                "-o",
                &out,
                "--force",
                "--save-recipe",
                &recipe,
                "--report",
                &page,
            ],
        );
        if run.status.code() == Some(0) {
            assert_eq!(scratch.files(), ["out.glb", "page.html", "r.toml"]);
            wrote += 1;
            continue;
        }
        assert_eq!(run.status.code(), Some(2), "{blocks}");
        assert_eq!(scratch.files(), ["out.glb"], "{blocks}");
        assert_eq!(std::fs::read(&out).unwrap(), b"old", "{blocks}");
        // The message itself goes to a pipe, which has no limit.
        let told = String::from_utf8(run.stderr).unwrap();
        assert!(told.contains("nothing was written"), "{blocks}: {told}");
    }
    assert_eq!(
        wrote, 1,
        "the last limit is wide enough, the others are not"
    );
}

#[test]
fn a_batch_on_a_full_disk_says_so_and_goes_on_when_there_is_room() {
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let scratch = Scratch::new();
    let folder = scratch.path("out");
    let batch = ["batch", walk.as_str(), "-t", &brute, "-o", &folder];
    let run = limited("trap '' XFSZ; ulimit -f 8", &batch);
    assert_eq!(run.status.code(), Some(2));
    let told = String::from_utf8(run.stdout).unwrap();
    assert!(told.contains("cannot be written"), "{told}");
    assert!(told.contains("nothing was written"), "{told}");
    assert_eq!(limited("true", &batch).status.code(), Some(0));
    assert!(std::path::Path::new(&scratch.path("out/brute/walk.glb")).exists());
}

/// Address space is counted differently elsewhere.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_runs_out_leaves_the_files_as_they_were() {
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let (mut done, mut stopped) = (0, 0);
    for kilobytes in [30_000, 36_000, 42_000, 48_000, 54_000, 60_000, 4_000_000] {
        let scratch = Scratch::new();
        let out = scratch.file("out.glb", b"old");
        let run = limited(
            &format!("ulimit -c 0; ulimit -v {kilobytes}"),
            &["retarget", &walk, &brute, "-o", &out, "--force"],
        );
        assert_eq!(scratch.files(), ["out.glb"], "{kilobytes}");
        if run.status.success() {
            assert!(std::fs::metadata(&out).unwrap().len() > 100_000);
            done += 1;
        } else {
            assert_eq!(std::fs::read(&out).unwrap(), b"old", "{kilobytes}");
            stopped += 1;
        }
    }
    assert!(done > 0 && stopped > 0, "{done} {stopped}");
}
