//! The JSON shapes that scripts read, and what the commands do on the sample data.

use crate::common::{Scratch, data, output, rebone};
use serde_json::Value;

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

fn has(value: &Value, wanted: &[&str]) {
    for key in wanted {
        assert!(value.get(key).is_some(), "no {key} in {:?}", keys(value));
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

#[test]
fn inspect() {
    let found = rebone(["inspect", &data("chibi.vrm"), "--json"])
        .done()
        .json();
    assert_eq!(found["format"], "vrm");
    assert_eq!(found["meters_per_unit"], 1.0);
    assert_eq!(found["up"], "+Y");
    assert_eq!(found["forward"], "+Z");
    assert_eq!(found["clips"], serde_json::json!([]));
    let skeleton = &found["skeletons"][0];
    has(
        skeleton,
        &["name", "joints", "ancestors", "profile", "rest_pose"],
    );
    assert_eq!(skeleton["profile"], "vrm-1");
    assert_eq!(skeleton["rest_pose"], "T");
    let joints = list(&skeleton["joints"]);
    for (index, joint) in joints.iter().enumerate() {
        has(joint, &["name", "parent", "rest", "rest_position"]);
        assert_eq!(list(&joint["rest"]["t"]).len(), 3);
        assert_eq!(list(&joint["rest"]["r"]).len(), 4);
        assert_eq!(list(&joint["rest"]["s"]).len(), 3);
        assert_eq!(list(&joint["rest_position"]).len(), 3);
        assert!(
            joint["parent"]
                .as_u64()
                .is_none_or(|parent| (parent as usize) < index)
        );
    }
    let named = |name: &str| joints.iter().find(|joint| joint["name"] == name).unwrap();
    let head = named("J_Bip_C_Head");
    assert!(head["rest_position"][1].as_f64().unwrap() > 0.5);
    let parent = head["parent"].as_u64().unwrap() as usize;
    assert_eq!(joints[parent]["name"], "J_Bip_C_Neck");

    let found = rebone(["inspect", &data("walk.bvh"), "--json"])
        .done()
        .json();
    assert_eq!(found["format"], "bvh");
    assert_eq!(found["meters_per_unit"], 0.01);
    let clip = &found["clips"][0];
    has(clip, &["name", "seconds", "frames", "joints"]);
    assert_eq!(clip["name"], "walk", "named after the file");
    assert_eq!(clip["frames"], 133);
    let hips = &found["skeletons"][0]["joints"][0];
    assert!(hips["parent"].is_null());
    assert!(
        (hips["rest_position"][1].as_f64().unwrap() - 1.0).abs() < 0.2,
        "metres"
    );
    let warning = &found["warnings"][0];
    assert_eq!(warning["code"], "unit-guessed");
    assert_eq!(
        keys(warning),
        ["actions", "code", "hint", "joint", "message"]
    );
    assert!(warning["joint"].is_null());
}

#[test]
fn map_of_one_rig() {
    let path = data("brute.glb");
    let map = rebone(["map", &path, "--json"]).done().json();
    assert_eq!(map["file"], path.as_str());
    assert_eq!(map["profile"], "unreal");
    assert_eq!(map["kind"], "humanoid");
    assert!(map["confidence"].as_f64().unwrap() > 0.9);
    let spine = &map["slots"]["leftUpperArm"];
    assert_eq!(
        keys(spine),
        ["confidence", "evidence", "joints", "runner_up"]
    );
    assert_eq!(spine["joints"], serde_json::json!(["upperarm_l"]));
    has(&map, &["unmapped", "warnings"]);
    let text = rebone(["map", &path]).done().out;
    assert!(text.contains("leftUpperArm") && text.contains("upperarm_l"));
}

#[test]
fn map_of_two_and_its_recipe() {
    let scratch = Scratch::new();
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let recipe = scratch.path("r.toml");
    let pair = rebone(["map", &walk, &brute, "-o", &recipe, "--json"])
        .done()
        .json();
    has(&pair, &["source", "target", "links", "warnings"]);
    has(&pair["source"], &["file", "slots", "unmapped"]);
    let spine = list(&pair["links"])
        .iter()
        .find(|l| l["slot"] == "spine")
        .unwrap();
    assert_eq!(list(&spine["source"]).len(), 3);
    assert_eq!(list(&spine["target"]).len(), 5);

    // The recipe says what would be done anyway, so the result is the same to the byte.
    let (with, without, saved) = (
        scratch.path("with.glb"),
        scratch.path("without.glb"),
        scratch.path("saved.toml"),
    );
    rebone(["retarget", &walk, &brute, "-o", &without]).done();
    rebone([
        "retarget",
        &walk,
        &brute,
        "-o",
        &with,
        "--recipe",
        &recipe,
        "--save-recipe",
        &saved,
    ])
    .done();
    assert!(std::fs::read(&with).unwrap() == std::fs::read(&without).unwrap());
    let text = |path| std::fs::read_to_string(path).unwrap();
    assert_eq!(text(&recipe), text(&saved));
}

#[test]
fn retarget() {
    let (walk, report) = (data("walk.bvh"), Scratch::new());
    for (target, name) in [
        ("adult.glb", "walk_adult.glb"),
        ("brute.glb", "walk_brute.gltf"),
        ("chibi.vrm", "walk_chibi.vrm"),
        ("chibi.vrm", "walk_chibi.vrma"),
        ("wave.bvh", "walk_on_wave.bvh"),
    ] {
        let out = output(&format!("sample_{name}"));
        let report = report.path("report.json");
        let target = data(target);
        let done = rebone([
            "retarget", &walk, &target, "-o", &out, "--report", &report, "--json",
        ])
        .done()
        .json();
        has(&done, &["clips", "root_scale", "warnings"]);
        let clip = &done["clips"][0];
        assert_eq!(clip["name"], "walk");
        assert_eq!(clip["frames"], 133);
        assert!((clip["seconds"].as_f64().unwrap() - 2.2).abs() < 1e-4);
        assert_eq!(clip["output"], out.as_str());
        let arm = &clip["report"]["direction"]["leftUpperArm"];
        // The arms of the small character stand off from its wide body.
        let most = if name.contains("chibi") { 15.0 } else { 5.0 };
        assert!(arm["mean_degrees"].as_f64().unwrap() < most);
        assert!(clip["report"]["mean_direction_degrees"].as_f64().unwrap() < most);
        for axis in ["horizontal", "vertical"] {
            assert!(done["root_scale"][axis].as_f64().unwrap() > 0.1);
        }
        let text = std::fs::read_to_string(&report).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), done);

        let found = rebone(["inspect", &out, "--json"]).done().json();
        let written = list(&found["clips"]).last().unwrap();
        assert_eq!(written["frames"], 133, "{name}");
        assert!(
            (written["seconds"].as_f64().unwrap() - 2.2).abs() < 1e-3,
            "{name}"
        );
    }
}

#[test]
fn choices_of_the_command_line_reach_the_result() {
    let scratch = Scratch::new();
    let (walk, brute) = (data("walk.glb"), data("brute.glb"));
    let out = scratch.path("o.glb");
    let frames = |more: &[&str]| {
        let base = ["retarget", &walk, &brute, "-o", &out, "--json"];
        let done = rebone([&base, more].concat()).done().json();
        (
            done["clips"][0]["frames"].as_u64().unwrap(),
            done["root_scale"]["horizontal"].as_f64().unwrap(),
            std::fs::read(&out).unwrap(),
        )
    };
    let plain = frames(&[]);
    assert_eq!(frames(&["--fps", "30"]).0, 67);
    assert_eq!(frames(&["--root-scale", "0.5"]).1, 0.5);
    assert_eq!(frames(&["--preset", "match-source"]).1, 1.0);
    assert!(frames(&["--method", "parent-delta"]).2 != plain.2);
    assert!(
        frames(&[]).2 == plain.2,
        "the same input gives the same bytes"
    );
}

#[test]
fn convert() {
    let scratch = Scratch::new();
    let (glb, bvh, gltf) = (
        scratch.path("w.glb"),
        scratch.path("w.bvh"),
        scratch.path("w.gltf"),
    );
    let one = |path: &str| {
        let found = rebone(["inspect", path, "--json"]).done().json();
        let clip = &found["clips"][0];
        let joints = list(&found["skeletons"][0]["joints"]);
        let last = joints.last().unwrap()["rest_position"].clone();
        (
            clip["frames"].as_u64().unwrap(),
            clip["seconds"].as_f64().unwrap(),
            joints.len(),
            last,
        )
    };
    let source = one(&data("walk.bvh"));
    for (from, to) in [(&data("walk.bvh"), &glb), (&glb, &bvh), (&glb, &gltf)] {
        let done = rebone(["convert", from, to, "--json"]).done().json();
        assert_eq!(list(&done["clips"]).len(), 1);
        let found = one(to);
        assert_eq!((found.0, found.2), (source.0, source.2), "{to}");
        assert!((found.1 - source.1).abs() < 1e-3, "{to}");
        for (a, b) in list(&found.3).iter().zip(list(&source.3)) {
            assert!(
                (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-4,
                "{to}: metres"
            );
        }
    }
    // What BVH cannot hold is told.
    let skinned = scratch.path("skinned.glb");
    rebone(["retarget", &bvh, &data("adult.glb"), "-o", &skinned]).done();
    let lost = rebone(["convert", &skinned, &bvh, "--json"]).done().json();
    assert!(
        list(&lost["warnings"])
            .iter()
            .any(|w| w["code"] == "convert-lost")
    );
}

#[test]
fn render() {
    let scratch = Scratch::new();
    let (walk, adult) = (data("walk.bvh"), data("adult.glb"));
    for (name, start) in [("o.png", "\x7f"), ("o.svg", "<"), ("o.gif", "GIF8")] {
        let out = scratch.path(name);
        let arguments = [
            "render", &walk, &adult, "-o", &out, "--frames", "3", "--size", "64", "--json",
        ];
        let done = rebone(arguments).done().json();
        assert_eq!(done["output"], out.as_str());
        assert_eq!(done["rows"][0]["clip"], "walk");
        assert!(done["rows"][1]["clip"].is_null());
        let bytes = std::fs::read(&out).unwrap();
        assert!(bytes.len() > 500, "{name}");
        if name == "o.png" {
            assert_eq!(&bytes[1..4], b"PNG");
        } else {
            assert!(bytes.starts_with(start.as_bytes()), "{name}");
        }
    }
}

#[test]
fn align() {
    let scratch = Scratch::new();
    let (walk, adult) = (data("walk.bvh"), data("adult.glb"));
    let found = rebone(["align", &walk, &adult, "--json"]).done().json();
    let files = list(&found["files"]);
    assert_eq!(files.len(), 2);
    for file in files {
        let slots = list(&file["slots"]);
        let arm = slots.iter().find(|slot| slot["slot"] == "leftUpperArm");
        let arm = arm.unwrap();
        assert!(arm["swing_degrees"].as_f64().unwrap() >= 0.0);
        assert!(arm["roll_degrees"].is_f64() && arm["look"].is_boolean());
        assert!(arm["evidence"].is_string() && arm["joint"].is_string());
        assert!(file["measures"]["leg"].as_f64().unwrap() > 0.0);
        assert_eq!(file["forward"], "+Z");
    }
    let text = rebone(["align", &adult]).done().out;
    assert!(
        text.contains("measures") && text.contains("rest pose"),
        "{text}"
    );
    let out = scratch.path("pose.png");
    let pictured = [
        "render",
        "--retarget-pose",
        &walk,
        &adult,
        "-o",
        &out,
        "--size",
        "64",
        "--json",
    ];
    let done = rebone(pictured).done().json();
    assert_eq!(list(&done["rows"]).len(), 2);
    assert_eq!(&std::fs::read(&out).unwrap()[1..4], b"PNG");
    let chosen = [
        "render",
        "--retarget-pose",
        &walk,
        "--clip",
        "walk",
        "-o",
        &out,
    ];
    assert_eq!(rebone(chosen).code, 2);
}

#[test]
fn a_calibration_of_a_recipe_turns_the_result() {
    let scratch = Scratch::new();
    let (walk, adult) = (data("walk.bvh"), data("adult.glb"));
    let recipe = scratch.path("recipe.toml");
    let out = scratch.path("out.glb");
    let run = |line: &str| {
        std::fs::write(&recipe, format!("[target.calibration]\n{line}\n")).unwrap();
        rebone(["retarget", &walk, &adult, "--recipe", &recipe, "-o", &out])
    };
    run("").done();
    let plain = std::fs::read(&out).unwrap();
    run("head = { local = [0, 0, 15] }").done();
    assert_ne!(std::fs::read(&out).unwrap(), plain);
    run("head = { local = [0, 0, 0] }").done();
    assert_eq!(std::fs::read(&out).unwrap(), plain);
    let refused = run("haed = { local = [0, 0, 15] }");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("head"), "{}", refused.err);
}

#[test]
fn demo() {
    let scratch = Scratch::new();
    let folder = scratch.path("tour");
    let text = rebone(["demo", "-o", &folder]).done().out;
    for name in [
        "adult.glb",
        "brute.glb",
        "chibi.glb",
        "filmstrip.png",
        "filmstrip.svg",
        "report.json",
    ] {
        let path = format!("{folder}/{name}");
        assert!(text.contains(name), "{text}");
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.len() > 300, "{name}");
        if name.ends_with(".glb") {
            std::fs::write(output(&format!("demo_{name}")), bytes).unwrap();
            let found = rebone(["inspect", &path, "--json"]).done().json();
            assert_eq!(list(&found["clips"]).last().unwrap()["name"], "walk");
        }
    }
}

/// A row's clip, and what is said about it, for these arguments.
fn shown(arguments: &[&str]) -> (Vec<String>, String) {
    let scratch = Scratch::new();
    let out = scratch.path("o.png");
    let base = ["render", "-o", &out, "--frames", "2", "--size", "48"];
    let arguments = [base.as_slice(), arguments].concat();
    let told = rebone(&arguments).done().err;
    let rows = rebone([arguments.as_slice(), &["--json"]].concat())
        .done()
        .json();
    let clips = list(&rows["rows"]).iter();
    let clips = clips.map(|row| row["clip"].as_str().unwrap_or("-").to_owned());
    (clips.collect(), told)
}

#[test]
fn render_shows_the_clips_that_belong_together() {
    let scratch = Scratch::new();
    let (walk, wave, adult) = (data("walk.bvh"), data("wave.bvh"), data("adult.glb"));
    let (one, two) = (scratch.path("one.glb"), scratch.path("two.glb"));
    rebone(["retarget", &wave, &adult, "-o", &one]).done();
    rebone(["retarget", &walk, &one, "-o", &two]).done();
    for (arguments, clips, told) in [
        (vec![two.as_str()], vec!["wave"], "\"wave\", the first of 2"),
        (vec![&walk, &two], vec!["walk", "walk"], "\"walk\", named"),
        (vec![&wave, &two], vec!["wave", "wave"], "\"wave\", named"),
        (vec![&adult, &two], vec!["-", "walk"], "\"walk\", the last"),
        (vec![&walk, &one], vec!["walk", "wave"], ""),
        (
            vec![&two, "--clip", "walk", "--clip", "wave", "--clip", "walk"],
            vec!["walk", "wave"],
            "",
        ),
        (
            vec![&walk, &two, "--clip", "wave", "--same-height"],
            vec!["walk", "wave"],
            "",
        ),
    ] {
        let (found, err) = shown(&arguments);
        assert_eq!(found, clips, "{arguments:?}");
        assert!(err.contains(told), "{arguments:?}: {err}");
        assert_eq!(
            err.contains("showing"),
            !told.is_empty(),
            "{arguments:?}: {err}"
        );
        assert!(!err.contains("unit-guessed"), "{err}");
    }
}
