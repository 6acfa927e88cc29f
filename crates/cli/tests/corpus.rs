//! Other people's files: every one is read or refused with a reason, and motion keeps its length.

use crate::common::{corpus, output, rebone};
use serde_json::Value;

const EXTENSIONS: [&str; 6] = ["glb", "gltf", "vrm", "vrma", "bvh", "fbx"];

#[test]
fn every_file_is_read_or_refused_with_a_reason() {
    let Some(corpus) = corpus() else { return };
    let mut paths = rebone_corpus::files_below(&corpus, &EXTENSIONS).unwrap();
    paths.retain(|path| {
        !path
            .components()
            .any(|part| part.as_os_str() == "gltf_validator")
    });
    let (mut read, mut refused, mut fuzzed) = (0, 0, 0);
    for path in paths {
        let path = path.to_str().unwrap();
        let run = rebone(["inspect", path, "--json"]);
        if run.code == 0 {
            let found = run.json();
            for skeleton in found["skeletons"].as_array().unwrap() {
                check_numbers(skeleton, path);
            }
            read += 1;
        } else {
            assert_eq!(run.code, 2, "{path}");
            assert!(run.json()["error"]["remedy"].is_string(), "{path}");
            assert!(run.err.starts_with("error: "), "{path}: {}", run.err);
            assert!(run.err.contains(path), "{path}: {}", run.err);
            assert!(!run.err.contains("was not made for"), "{path}: {}", run.err);
            // Files that a fuzzer has broken are there to be refused.
            if path.contains("/fuzz/") {
                fuzzed += 1;
            } else {
                refused += 1;
            }
        }
    }
    println!("{read} read, {refused} refused, and {fuzzed} that a fuzzer broke");
    assert!(read > 100 && refused < 5, "{read} read, {refused} refused");
}

/// JSON has no NaN: serde writes null for it.
fn check_numbers(value: &Value, path: &str) {
    for joint in value["joints"].as_array().unwrap() {
        for part in [
            &joint["rest_position"],
            &joint["rest"]["t"],
            &joint["rest"]["r"],
        ] {
            assert!(
                part.as_array().unwrap().iter().all(Value::is_number),
                "{path}: {joint}"
            );
        }
    }
}

/// Source, its clip, target, output.
const RETARGETS: [(&str, &str, &str, &str); 12] = [
    (
        "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
        "walk01",
        "mpfb/derived/mpfb_mixamo.glb",
        "walk01_mixamo.glb",
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh",
        "jesse_dance",
        "mpfb/derived/mpfb_game_engine.glb",
        "dance_game_engine.glb",
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/fair1/dab.bvh",
        "dab",
        "kaykit_anim/res/models/mannequin_v2/manny_med_mod.gltf",
        "dab_manny.glb",
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/cmu1/jumping_jacks.bvh",
        "jumping_jacks",
        "raylib/examples/models/resources/models/gltf/robot.glb",
        "jacks_robot.glb",
    ),
    (
        "assimp/test/models/BVH/01_01.bvh",
        "01_01",
        "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh",
        "01_01_walk01.bvh",
    ),
    (
        "bvh_misc/pybvh/bvh_data/bvh_test3.bvh",
        "bvh_test3",
        "vrm/bevy_vrm/assets/cool_loops.vrm",
        "test3_cool_loops.vrm",
    ),
    (
        "derived/walk01_six_channels_x_rest.bvh",
        "walk01_six_channels_x_rest",
        "mpfb/derived/mpfb_cmu_mb.glb",
        "six_channels_cmu.glb",
    ),
    (
        "kaykit_anim/res/anim/Med_MovementBasic.glb",
        "Rig_Medium|Running_A",
        "mpfb/derived/mpfb_default.glb",
        "running_default.glb",
    ),
    (
        "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb",
        "Walking_A",
        "quaternius/public/glb/single_knight_pack/KnightCharacter.glb",
        "knight_knight.glb",
    ),
    (
        "raylib/examples/models/resources/models/gltf/robot.glb",
        "Robot_Dance",
        "mpfb/derived/mpfb_mixamo_unity.glb",
        "dance_unity.glb",
    ),
    (
        "ozz/media/gltf/khronos/cesium_man.gltf",
        "",
        "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb",
        "cesium_barbarian.glb",
    ),
    (
        "gltf_misc/gdquest/Player/model/gdbot.glb",
        "",
        "quaternius/public/glb/cyberpunk_pack/Character.glb",
        "gdbot_cyberpunk.glb",
    ),
];

#[test]
fn retargets_keep_duration_and_frames() {
    let Some(corpus) = corpus() else { return };
    for (source, clip, target, name) in RETARGETS {
        let path = |file: &str| corpus.join(file).to_str().unwrap().to_owned();
        let (source, target) = (path(source), path(target));
        let out = output(&format!("corpus_{name}"));
        let clips = rebone(["inspect", &source, "--json"]).done().json();
        let clips = clips["clips"].as_array().unwrap();
        // Where no clip is named here, the first one is taken.
        let clip = if clip.is_empty() {
            clips[0]["name"].as_str().unwrap()
        } else {
            clip
        };
        let original = clips.iter().find(|c| c["name"] == clip);
        let original = original.unwrap_or_else(|| panic!("{source} has no {clip}"));
        // How limbs follow is told of the transfer; arms that leave a wide body turn further.
        let run = rebone([
            "retarget",
            &source,
            &target,
            "-o",
            &out,
            "--clip",
            clip,
            "--own-body",
            "off",
            "--json",
        ]);
        let done = run.done().json();
        if target.ends_with("manny_med_mod.gltf") {
            // Its texture is not in the corpus: the validator says so of the original too.
            std::fs::write(format!("{out}.baseline.json"), r#"["IO_ERROR"]"#).unwrap();
        }
        let found = rebone(["inspect", &out, "--json"]).done().json();
        let written = found["clips"].as_array().unwrap().last().unwrap().clone();
        for result in [&done["clips"][0], &written] {
            assert_eq!(result["frames"], original["frames"], "{name}");
            let seconds = |clip: &Value| clip["seconds"].as_f64().unwrap();
            assert!((seconds(result) - seconds(original)).abs() < 2e-3, "{name}");
        }
        let report = &done["clips"][0]["report"];
        println!("{name}: {} degrees", report["mean_direction_degrees"]);
        assert!(
            report["mean_direction_degrees"].as_f64().unwrap() < 20.0,
            "{name}"
        );
    }
}

#[test]
fn looks_that_a_new_file_does_not_hold_are_told() {
    let Some(corpus) = corpus() else { return };
    let scratch = crate::common::Scratch::new();
    for (file, to, lost) in [
        (
            "gltf_misc/gdquest/Player/model/gdbot.glb",
            "a.fbx",
            "emissive maps, metal and roughness maps and normal maps",
        ),
        (
            "ufbx/data/blender_293_barbarian_7400_binary.fbx",
            "b.glb",
            "morph targets",
        ),
        (
            "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb",
            "c.fbx",
            "",
        ),
    ] {
        let path = corpus.join(file);
        let run = rebone(["convert", path.to_str().unwrap(), &scratch.path(to)]).done();
        let told = run.err.lines().find(|line| line.contains("[convert-lost]"));
        match (told, lost) {
            (told, "") => assert_eq!(told, None, "{file}"),
            (Some(told), lost) => assert!(told.contains(lost), "{file}: {told}"),
            (None, lost) => panic!("{file}: nothing told of {lost}"),
        }
    }
}
