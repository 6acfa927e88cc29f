//! `--rest`, `--rest-frame` and what `inspect` says about poses and space.

use crate::common::{Glb, Scratch, data, rebone};
use serde_json::{Value, json};

fn codes(found: &Value) -> Vec<&str> {
    let space = found["space"].as_array().unwrap();
    space.iter().map(|f| f["code"].as_str().unwrap()).collect()
}

#[test]
fn poses_are_listed_and_explained() {
    let found = rebone(["inspect", &data("chibi.vrm"), "--json"])
        .done()
        .json();
    let skeleton = &found["skeletons"][0];
    let poses = skeleton["poses"].as_array().unwrap();
    assert_eq!(poses[0]["source"], "rest");
    assert_eq!(poses[0]["kind"], "T");
    assert_eq!(poses[0]["used"], true);
    assert_eq!(poses[1]["source"], "bind");
    assert!(poses[1]["plausibility"].as_f64().unwrap() > 0.9);
    assert_eq!(
        skeleton["pose_choice"],
        "rest pose is a T-pose; bind pose is a T-pose; using the first"
    );
}

#[test]
fn axes_can_be_stated_and_must_be_axes() {
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let scratch = Scratch::new();
    let made = |name: &str, words: &[&str]| {
        let out = scratch.path(name);
        rebone(["retarget", &walk, &brute, "-o", &out].iter().chain(words)).done();
        std::fs::read(out).unwrap()
    };
    let plain = made("plain.glb", &[]);
    assert!(plain == made("same.glb", &["--up", "+Y", "--forward", "+Z"]));
    assert!(plain != made("back.glb", &["--forward", "-Z"]));
    assert!(plain != made("lying.glb", &["--up", "+X"]));
    let refused = |words: &[&str], said: &str| {
        let out = scratch.path("no.glb");
        let run = rebone(["retarget", &walk, &brute, "-o", &out].iter().chain(words));
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains(said), "{}", run.err);
    };
    refused(&["--up", "up"], "it is +X, -X, +Y, -Y, +Z or -Z");
    let recipe = scratch.path("axes.toml");
    std::fs::write(&recipe, "[source]\nup = \"+Y\"\nforward = \"-Y\"\n").unwrap();
    refused(&["--recipe", &recipe], "nobody faces -Y where +Y is up");
}

/// A container that is turned, scaled unlike along its axes, moved and animated; a second one above it.
#[test]
fn unusual_spaces_are_put_in_words() {
    let plain = rebone(["inspect", &data("walk.glb"), "--json"])
        .done()
        .json();
    for code in codes(&plain) {
        assert!(
            !code.starts_with("container") && !code.starts_with("scale"),
            "{code}"
        );
    }
    let scratch = Scratch::new();
    let mut glb = Glb::sample("walk.glb");
    let nodes = glb.json["nodes"].as_array_mut().unwrap();
    let inner = nodes.len();
    nodes.push(json!({"name": "Inner", "scale": [0.01, 0.01, 0.01], "rotation": [-0.707_106_77, 0, 0, 0.707_106_77]}));
    nodes.push(json!({"name": "Outer", "scale": [-100, 100, 100], "translation": [50, 0, 0], "children": [inner]}));
    let roots = glb.json["scenes"][0]["nodes"].take();
    glb.json["nodes"][inner]["children"] = roots;
    glb.json["scenes"][0]["nodes"] = json!([inner + 1]);
    let path = scratch.file("odd.glb", &glb.bytes());
    let found = rebone(["inspect", &path, "--json"]).done().json();
    let codes = codes(&found);
    for code in [
        "container-turned",
        "container-scaled",
        "container-moved",
        "containers-nested",
        "scale-negative",
        "up-axis",
        "away-from-origin",
    ] {
        assert!(codes.contains(&code), "no {code} in {codes:?}");
    }
    let turned = found["space"].as_array().unwrap();
    let turned = turned
        .iter()
        .find(|f| f["code"] == "container-turned")
        .unwrap();
    assert_eq!(turned["joint"], "Inner");
    assert!(
        turned["message"].as_str().unwrap().contains("-90° about X"),
        "{turned}"
    );
    let text = rebone(["inspect", &path]).done().out;
    assert!(text.contains("  space  "), "{text}");
    assert!(
        text.contains("Inner stands above the skeleton and scales it by 0.01"),
        "{text}"
    );
}

#[test]
fn another_file_or_a_frame_gives_the_pose() {
    let scratch = Scratch::new();
    let (walk, adult, out) = (data("walk.bvh"), data("adult.glb"), scratch.path("out.glb"));
    let (recipe, again) = (scratch.path("r.toml"), scratch.path("again.glb"));
    let base = ["retarget", &walk, &adult, "-o", &out];
    let with = |more: &[&str]| rebone([&base[..], more].concat());
    with(&[]).done();
    let plain = std::fs::read(&out).unwrap();

    // The rest pose of the same file is what is taken anyway; a frame of the walk is not.
    with(&["--rest", &data("walk.glb"), "--save-recipe", &recipe]).done();
    with(&["--rest-frame", "0"]).done();
    assert_ne!(std::fs::read(&out).unwrap(), plain);
    let by_frame = std::fs::read(&out).unwrap();
    with(&["--rest-frame", "0s"]).done();
    assert_eq!(std::fs::read(&out).unwrap(), by_frame);

    // The recipe remembers that a file was given, not which.
    let text = std::fs::read_to_string(&recipe).unwrap();
    assert!(text.contains("pose = \"given\""), "{text}");
    let again = ["retarget", &walk, &adult, "-o", &again, "--recipe", &recipe];
    let run = rebone(again);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("--rest FILE"), "{}", run.err);
    rebone([&again[..], &["--rest", &data("walk.glb")]].concat()).done();
}

#[test]
fn poses_that_are_not_there_are_refused() {
    let scratch = Scratch::new();
    let (walk, adult, out) = (data("walk.bvh"), data("adult.glb"), scratch.path("out.glb"));
    let stick = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n\
                 End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n";
    let stick = scratch.file("stick.bvh", stick.as_bytes());
    for (more, word) in [
        (["--rest-frame", "99999"], "no frame 99999"),
        (["--rest-frame", "77s"], "no clip at 77.00 s"),
        (["--target-rest-frame", "3"], "no frame 3"),
        (["--rest-frame", "soon"], "1.5s"),
        (["--rest", &stick], "the same rig"),
        (["--target-rest", &stick], "the same rig"),
        (["--rest", "not_there.fbx"], "no such file"),
    ] {
        let base = ["retarget", &walk, &adult, "-o", &out];
        let run = rebone([&base[..], &more].concat());
        assert_eq!(run.code, 2, "{more:?}: {}", run.out);
        assert!(run.err.contains(word), "{more:?}: {}", run.err);
        assert_eq!(scratch.files(), ["stick.bvh"]);
    }
}

/// What the format of the result cannot hold is said.
#[test]
fn conversions_say_what_they_lose() {
    let scratch = Scratch::new();
    let lost = |from: &str, to: &str| {
        let out = scratch.path(to);
        let done = rebone(["convert", from, &out, "--json"]).done().json();
        let all = done["warnings"].as_array().unwrap();
        let told = all.iter().filter(|w| w["code"] == "convert-lost");
        let told: Vec<String> = told.map(|w| w["message"].to_string()).collect();
        told.concat()
    };
    let (walk, several) = (data("walk.glb"), scratch.path("several.glb"));
    let source = data("walk.bvh");
    rebone(["retarget", &source, &data("adult.glb"), "-o", &several]).done();
    let told = lost(&several, "a.bvh");
    assert!(
        told.contains("meshes and skins") || told.contains("meshes, skins"),
        "{told}"
    );
    assert_eq!(lost(&walk, "b.glb"), "");
    assert_eq!(lost(&several, "c.fbx"), "");
    let told = lost(&data("chibi.vrm"), "d.fbx");
    assert!(
        told.contains("part of the body") && told.contains("VRM data"),
        "{told}"
    );
    let told = lost(&scratch.path("c.fbx"), "e.fbx");
    assert!(told.contains("base colours"), "{told}");

    // The skin goes with its character from GLB to FBX and back, and the clip with both.
    assert_eq!(lost(&scratch.path("c.fbx"), "f.glb"), "");
    for name in ["c.fbx", "f.glb"] {
        let found = rebone(["inspect", &scratch.path(name), "--json"])
            .done()
            .json();
        assert_eq!(found["skeletons"][0]["skins"], 1, "{name}");
        assert_eq!(found["clips"][0]["name"], "walk", "{name}");
        assert_eq!(found["clips"][0]["frames"], 133, "{name}");
    }
}
