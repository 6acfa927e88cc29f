//! Requests that do not fit the files, and what happens to the files in the way.

use crate::common::{Scratch, data, rebone};

/// Arguments that must end with code 2 and this in the message.
fn refused(arguments: &[&str], expected: &str) {
    let run = rebone(arguments);
    assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.out, run.err);
    assert_eq!(run.out, "", "{arguments:?}");
    assert!(run.err.contains("error: "), "{arguments:?}: {}", run.err);
    assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
}

#[test]
fn requests_that_cannot_be_met_are_refused() {
    let scratch = Scratch::new();
    let (walk, brute, adult) = (data("walk.bvh"), data("brute.glb"), data("adult.glb"));
    let out = scratch.path("out.glb");
    let nowhere = scratch.path("missing/out.glb");
    let (collada, bare, vrm) = (
        scratch.path("o.dae"),
        scratch.path("o"),
        scratch.path("o.vrm"),
    );
    let recipe = scratch.file("r.toml", b"version = 1\nmethod = \"magic\"\n");
    let slots = scratch.file("s.toml", b"[source.slots]\nhips = \"Hipz\"\n");
    let unknown = scratch.file("u.toml", b"speed = 3\n");
    scratch.file("content.fbx", b"Kaydara FBX Binary  \0");
    let copy = scratch.file("copy.glb", &std::fs::read(&brute).unwrap());
    let several = scratch.path("several.glb");
    rebone(["retarget", &walk, &adult, "-o", &several]).done();
    let twice = scratch.path("twice.glb");
    rebone(["retarget", &data("wave.bvh"), &several, "-o", &twice]).done();
    let bvh = scratch.path("o.bvh");
    let before = scratch.files();

    let base = ["retarget", &walk, &brute, "-o", &out];
    let with = |more: &[&str], expected: &str| refused(&[&base, more].concat(), expected);
    with(&["--clip", "run"], "\"walk\"");
    with(&["--clip", "walk_"], "did you mean \"walk\"");
    with(&["--clip", "wlak"], "did you mean \"walk\"");
    with(&["--skeleton", "Legs"], "no skeleton \"Legs\"");
    with(&["--target-skeleton", "Legs"], "brute.glb");
    with(&["--method", "best"], "model-delta");
    with(&["--preset", "best"], "faithful");
    with(&["--root-scale", "-2"], "a number from 0");
    with(&["--root-scale", "NaN"], "a number from 0");
    with(&["--fps", "0"], "it is 0.01 to 1000");
    with(&["--fps", "1e9"], "it is 0.01 to 1000");
    with(&["--fail-on", "speed>1"], "mean_direction");
    with(&["--recipe", &recipe], "r.toml");
    with(&["--recipe", &slots], "Hipz");
    with(&["--recipe", &brute], "text");
    with(&["--report", &out], "same name");
    with(&["--save-recipe", &walk], "overwrite");
    with(&["--color"], "--color");
    refused(&["retarget", &walk, &copy, "-o", &copy], "overwrite");
    refused(
        &["retarget", &walk, &brute, "-o", &nowhere],
        "does not exist",
    );
    refused(&["retarget", &walk, &brute, "-o", &collada], "*.fbx, *.glb");
    refused(&["retarget", &walk, &brute, "-o", &bare], "extension");
    refused(&["retarget", &walk, &brute, "-o", &vrm], "VRM");
    refused(&["retarget", &walk, &brute], "--output");
    refused(&["retarget", "gone.bvh", &brute, "-o", &out], "gone.bvh");
    refused(&["retarget", &twice, &brute, "-o", &bvh], "--clip");
    let picture = scratch.path("o.png");
    let pictured = ["render", &twice, "-o", &picture, "--clip", "wvae"];
    refused(&pictured, "did you mean \"wave\"");
    refused(
        &["retarget", &adult, &walk, "-o", &bvh],
        "seem to be swapped",
    );
    refused(&["inspect", &scratch.path("")], "only the SOURCE");
    refused(&["convert", &twice, &bvh], "\"wave\"");
    refused(&["convert", &adult, &bvh], "no motion");
    refused(&["convert", &adult, &scratch.path("o.vrma")], "no motion");
    let fbx_content = scratch.path("content.fbx");
    refused(&["inspect", &fbx_content], "content.fbx");
    with(&["--recipe", &unknown], "rebone map SOURCE TARGET");
    for (name, more) in [("o.png", "--frames"), ("o.gif", "--size")] {
        let path = scratch.path(name);
        let huge = ["--size", "4096", "--frames", "512"];
        let arguments = [["render", &walk, "-o", &path].as_slice(), &huge].concat();
        refused(&arguments, more);
    }
    refused(&["convert", &adult, &adult], "overwrite");
    refused(&["render", &adult, "-o", &scratch.path("o.jpg")], "*.png");
    refused(
        &[
            "render",
            &adult,
            "-o",
            &scratch.path("o.png"),
            "--clip",
            "x",
        ],
        "\"x\"",
    );
    refused(
        &[
            "render",
            &adult,
            "-o",
            &scratch.path("o.png"),
            "--size",
            "0",
        ],
        "--size",
    );
    refused(&["inspect", &data("")], "folder");
    refused(&["map", &adult, "-o", &out], "only one file");
    refused(&["teleport"], "teleport");
    assert_eq!(scratch.files(), before, "files were left behind");
}

#[test]
fn an_error_leaves_the_old_result_alone() {
    let scratch = Scratch::new();
    let out = scratch.file("out.glb", b"precious");
    let source = scratch.file("bad.bvh", b"HIERARCHY\nROOT a\n{\n");
    let run = rebone(["retarget", &source, &data("adult.glb"), "-o", &out]);
    assert_eq!(run.code, 2);
    assert_eq!(std::fs::read(&out).unwrap(), b"precious");
    assert_eq!(scratch.files(), ["bad.bvh", "out.glb"]);
    // And a success replaces it, leaving nothing else.
    rebone([
        "retarget",
        &data("walk.bvh"),
        &data("adult.glb"),
        "-o",
        &out,
    ])
    .done();
    assert!(std::fs::read(&out).unwrap().starts_with(b"glTF"));
    assert_eq!(scratch.files(), ["bad.bvh", "out.glb"]);
}

#[cfg(unix)]
#[test]
fn outputs_have_ordinary_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let scratch = Scratch::new();
    let plain = scratch.file("plain", b"");
    let out = scratch.path("out.bvh");
    rebone(["retarget", &data("walk.bvh"), &data("wave.bvh"), "-o", &out]).done();
    let mode = |path: &str| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&out), mode(&plain));
}

#[test]
fn checks_decide_the_exit_code() {
    let scratch = Scratch::new();
    let (walk, brute, out) = (data("walk.bvh"), data("brute.glb"), scratch.path("out.glb"));
    for (check, code) in [
        ("max_direction>170", 0),
        ("mean_direction>=0", 1),
        ("max_direction>170,mean_direction>=0", 1),
    ] {
        let arguments = [
            "retarget",
            &walk,
            &brute,
            "-o",
            &out,
            "--fail-on",
            check,
            "--json",
        ];
        let run = rebone(arguments);
        assert_eq!(run.code, code, "{check}: {}", run.err);
        assert_eq!(run.err.contains("check not met"), code == 1, "{}", run.err);
        let failed = run.json()["failed"].as_array().unwrap().len();
        assert_eq!(failed, usize::from(code == 1));
        assert!(std::fs::exists(&out).unwrap());
    }
}

#[test]
fn help_shows_every_command_with_an_example() {
    let help = rebone(["help"]).done().out;
    for command in [
        "demo",
        "inspect",
        "map",
        "align",
        "retarget",
        "convert",
        "mirror",
        "rebind",
        "render",
        "compile",
        "apply",
        "studio",
        "batch",
        "completions",
        "licences",
    ] {
        assert!(help.contains(command), "{command}");
        let own = rebone(["help", command]).done().out;
        assert!(own.contains("Example"), "{own}");
        assert!(own.contains(&format!("rebone {command}")), "{own}");
    }
    assert!(help.contains("  batch "));
    assert_eq!(rebone(["--version"]).code, 0);
    assert_eq!(rebone::<&str>([]).code, 2);
}

#[test]
fn a_clip_named_twice_is_written_once() {
    let scratch = Scratch::new();
    let (walk, adult) = (data("walk.glb"), data("adult.glb"));
    let (out, bvh) = (scratch.path("out.glb"), scratch.path("out.bvh"));
    let twice = ["--clip", "walk", "--clip", "walk", "--json"];
    let base = ["retarget", &walk, &adult, "-o", &out];
    let done = rebone([base.as_slice(), &twice].concat()).done().json();
    assert_eq!(done["clips"].as_array().unwrap().len(), 1);
    let base = ["convert", &walk, &bvh];
    let done = rebone([base.as_slice(), &twice].concat()).done().json();
    assert_eq!(done["clips"], serde_json::json!(["walk"]));
}

#[test]
fn creatures_are_told_apart_and_their_joints_listed() {
    let scratch = Scratch::new();
    let mut text =
        "HIERARCHY\nROOT Tail0\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
            .to_owned();
    for joint in 1..8 {
        text.push_str(&format!(
            "JOINT Tail{joint}\n{{\nOFFSET 0 0 10\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        ));
    }
    text.push_str("End Site\n{\nOFFSET 0 0 10\n}\n");
    text.push_str(&"}\n".repeat(8));
    text.push_str("MOTION\nFrames: 1\nFrame Time: 0.1\n");
    text.push_str(&"0 ".repeat(24));
    let snake = scratch.file("snake.bvh", text.as_bytes());
    let recipe = scratch.path("r.toml");
    let run = rebone(["map", &snake]).done();
    assert!(run.out.contains("recognised neither"), "{}", run.out);
    assert!(!run.err.contains("map both"), "{}", run.err);
    let run = rebone(["map", &data("walk.bvh"), &snake, "-o", &recipe]).done();
    assert!(run.err.contains("link their joints by hand"), "{}", run.err);
    let written = std::fs::read_to_string(&recipe).unwrap();
    assert!(
        written.contains("\n# \"Tail0\"\n#   \"Tail1\"\n"),
        "{written}"
    );
    assert!(!written.contains("The source was not recognised"));
}

#[test]
fn choices_are_explained() {
    let help = rebone(["help", "retarget"]).done().out;
    for line in ["- humanik: ", "- match-source: ", "- legs-stature: "] {
        assert!(help.contains(line), "{help}");
    }
}

/// A source with many clips stands beside its result, which has one of them.
#[test]
fn pictures_show_a_clip_that_all_files_have() {
    let scratch = Scratch::new();
    let (both, result) = (scratch.path("both.glb"), scratch.path("result.glb"));
    let (first, brute) = (scratch.path("first.glb"), data("brute.glb"));
    let picture = scratch.path("o.png");
    rebone(["retarget", &data("walk.bvh"), &brute, "-o", &first]).done();
    rebone(["retarget", &data("wave.bvh"), &first, "-o", &both]).done();
    rebone(["retarget", &both, &brute, "--clip", "wave", "-o", &result]).done();
    let shown = |files: &[&str]| -> Vec<String> {
        let arguments = [&["render"], files, &["-o", &picture, "--json"]].concat();
        let json = rebone(arguments).done().json();
        let rows = json["rows"].as_array().unwrap().iter();
        rows.map(|row| row["clip"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(shown(&[&both]), ["walk"]);
    assert_eq!(shown(&[&both, &result]), ["wave", "wave"]);
    assert_eq!(shown(&[&both, &result, &first]), ["walk", "wave", "walk"]);
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = rebone(["completions", shell]).done().out;
        for word in ["retarget", "batch", "--root-scale", "--shard"] {
            assert!(
                script.contains(word.trim_start_matches('-')),
                "{shell}: {word}"
            );
        }
    }
    let scratch = Scratch::new();
    let bash = scratch.path("rebone.bash");
    std::fs::write(&bash, rebone(["completions", "bash"]).out).unwrap();
    let checked = std::process::Command::new("bash")
        .args(["-n", &bash])
        .status();
    match checked {
        Ok(status) => assert!(status.success(), "bash does not read it"),
        Err(_) => println!("SKIPPED: there is no bash"),
    }
}

#[test]
fn every_command_has_a_page_for_man() {
    let scratch = Scratch::new();
    let folder = scratch.path("man");
    rebone(["manual", "-o", &folder]).done();
    for page in ["rebone", "rebone-retarget", "rebone-batch", "rebone-studio"] {
        let text = std::fs::read_to_string(format!("{folder}/{page}.1")).unwrap();
        assert!(
            text.contains(".TH") && text.contains("OPTIONS"),
            "{page}: {text}"
        );
    }
    assert!(!std::path::Path::new(&format!("{folder}/rebone-manual.1")).exists());
}
