//! What exists stays, outputs appear together, and standard input and output are files.

use crate::common::{Run, Scratch, data, rebone_as_typed};
use std::io::Write;
use std::process::{Command, Stdio};

/// Runs `rebone` with bytes on its standard input.
fn with_input(arguments: &[&str], input: &[u8]) -> (Run, Vec<u8>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rebone"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read it may end before.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let run = Run {
        code: output.status.code().unwrap_or(-1),
        out: String::new(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    (run, output.stdout)
}

#[test]
fn a_file_that_exists_is_replaced_only_by_force() {
    let scratch = Scratch::new();
    let hero = scratch.file("hero.glb", b"the only copy of a character");
    let convert = ["convert", &data("walk.bvh"), "-o", &hero];
    let run = rebone_as_typed(convert);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(
        run.err.contains("hero.glb") && run.err.contains("--force"),
        "{}",
        run.err
    );
    assert_eq!(
        std::fs::read(&hero).unwrap(),
        b"the only copy of a character"
    );
    assert_eq!(scratch.files(), ["hero.glb"], "nothing is left behind");
    rebone_as_typed(convert.iter().chain(&["--force"])).done();
    let written = std::fs::read(&hero).unwrap();
    assert!(written.starts_with(b"glTF"));
    // The same content again is no change.
    rebone_as_typed(convert).done();
    assert_eq!(std::fs::read(&hero).unwrap(), written);
}

#[test]
fn inputs_are_never_overwritten() {
    let scratch = Scratch::new();
    let walk = scratch.file("walk.bvh", &std::fs::read(data("walk.bvh")).unwrap());
    for arguments in [
        ["convert", &walk, "-o", &walk, "--force"].as_slice(),
        &["mirror", &walk, "-o", &walk, "--force"],
        &[
            "retarget",
            &walk,
            &data("brute.glb"),
            "-o",
            &walk,
            "--force",
        ],
    ] {
        let run = rebone_as_typed(arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains("would overwrite an input"), "{}", run.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_told_leaves_no_file() {
    let scratch = Scratch::new();
    let hero = scratch.file("hero.glb", b"before");
    for arguments in [
        ["convert", &data("walk.bvh"), "-o", &hero, "--force"].as_slice(),
        &[
            "retarget",
            &data("walk.bvh"),
            &data("brute.glb"),
            "-o",
            &hero,
            "--force",
        ],
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let status = Command::new(env!("CARGO_BIN_EXE_rebone"))
            .args(arguments)
            .stdout(full)
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(2));
        assert_eq!(std::fs::read(&hero).unwrap(), b"before");
        assert_eq!(scratch.files(), ["hero.glb"]);
    }
}

#[test]
fn a_file_can_come_from_standard_input_and_go_to_standard_output() {
    let bvh = std::fs::read(data("walk.bvh")).unwrap();
    let scratch = Scratch::new();
    let file = scratch.path("walk.glb");
    rebone_as_typed(["convert", &data("walk.bvh"), "-o", &file]).done();
    let (run, piped) = with_input(&["convert", "-", "-o", "-", "--format", "glb"], &bvh);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.err.contains("GLB"),
        "the summary goes to standard error: {}",
        run.err
    );
    let (inspected, _) = with_input(&["inspect", "-"], &piped);
    assert_eq!(inspected.code, 0, "{}", inspected.err);
    assert!(piped.starts_with(b"glTF"));

    let (run, recipe) = with_input(&["map", "-", &data("brute.glb"), "-o", "-"], &bvh);
    assert_eq!(run.code, 0, "{}", run.err);
    let recipe = String::from_utf8(recipe).unwrap();
    assert!(recipe.contains("[target.slots]"), "{recipe}");
    assert!(!std::path::Path::new("-").exists(), "no file is called -");

    // The character's own format is the one for standard output.
    let (run, made) = with_input(&["retarget", "-", &data("chibi.vrm"), "-o", "-"], &bvh);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(made.starts_with(b"glTF"));
}

#[test]
fn what_is_no_stream_is_refused() {
    let bvh = std::fs::read(data("walk.bvh")).unwrap();
    let brute = data("brute.glb");
    for (arguments, expected) in [
        (
            ["retarget", "-", "-", "-o", "x.glb"].as_slice(),
            "only once",
        ),
        (&["convert", "-", "-o", "-"], "--format"),
        (&["retarget", "-", &brute, "-o", "-", "--json"], "--json"),
    ] {
        let (run, out) = with_input(arguments, &bvh);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains(expected), "{}", run.err);
        assert!(out.is_empty() || arguments.contains(&"--json"));
    }
    let scratch = Scratch::new();
    let whole = scratch.path("walk.gltf");
    rebone_as_typed(["convert", &data("walk.bvh"), "-o", &whole]).done();
    let mut json: serde_json::Value =
        serde_json::from_slice(&std::fs::read(whole).unwrap()).unwrap();
    json["buffers"][0]["uri"] = "walk.bin".into();
    let (run, _) = with_input(&["inspect", "-"], json.to_string().as_bytes());
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("without files beside it"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_no_inputs() {
    let scratch = Scratch::new();
    let pipe = scratch.path("pipe.bvh");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    for path in [pipe.as_str(), "/dev/zero"] {
        for arguments in [
            ["inspect", path].as_slice(),
            &["map", &data("adult.glb"), "--recipe", path],
            &["map", &data("adult.glb"), "--profile", path],
        ] {
            let run = rebone_as_typed(arguments);
            assert_eq!(run.code, 2, "{arguments:?}");
            assert!(run.err.contains("pipe or a device"), "{}", run.err);
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing_behind() {
    let scratch = Scratch::new();
    let out = scratch.path("out");
    std::fs::create_dir(&out).unwrap();
    // Large enough that it is still at work when the signal comes.
    let walk = data("walk.bvh");
    let mut sources = Vec::new();
    for number in 0..60 {
        let copy = scratch.path(&format!("walk{number}.bvh"));
        std::fs::copy(&walk, &copy).unwrap();
        sources.push(copy);
    }
    let pattern = format!("{out}/{{clip}}.glb");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rebone"))
        .arg("retarget")
        .args(&sources)
        .args([&data("brute.glb"), "-o", &pattern])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let has_begun = || std::fs::read_dir(&out).unwrap().next().is_some();
    while !has_begun() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    let code = child.wait().unwrap().code();
    let left: Vec<_> = std::fs::read_dir(&out)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    if code == Some(0) {
        println!("SKIPPED: it was done before the signal came");
        assert_eq!(left.len(), sources.len());
    } else {
        assert_eq!(code, Some(130));
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn one_file_per_clip() {
    let scratch = Scratch::new();
    let (walk, wave) = (data("walk.glb"), data("wave.glb"));
    let out = scratch.path("out");
    let pattern = format!("{out}/{{target}}/{{index}}_{{source}}_{{clip}}.bvh");
    let run = rebone_as_typed([
        "retarget",
        &walk,
        &wave,
        &data("adult.glb"),
        "-o",
        &pattern,
        "--json",
    ]);
    let document = run.done().json();
    let outputs: Vec<&str> = document["clips"]
        .as_array()
        .unwrap()
        .iter()
        .map(|clip| clip["output"].as_str().unwrap())
        .collect();
    assert_eq!(outputs.len(), 2);
    for output in &outputs {
        let names = rebone_as_typed(["inspect", output, "--json"]).done().json();
        assert_eq!(names["format"], "bvh");
    }
    assert!(outputs[0].ends_with("adult/1_walk_walk.bvh"), "{outputs:?}");

    // A folder, a pattern that no shell has expanded, and the target's own format.
    let folder = format!("{}/", scratch.path("all"));
    let glob = format!("{}/w*.glb", data("walk.glb").trim_end_matches("/walk.glb"));
    rebone_as_typed(["retarget", &glob, &data("brute.glb"), "-o", &folder]).done();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["walk.glb", "wave.glb"]);
}
