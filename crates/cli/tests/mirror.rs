//! `rebone mirror`.

use crate::common::{Scratch, data, rebone};

#[test]
fn a_file_is_mirrored_in_every_format() {
    let scratch = Scratch::new();
    for (input, output) in [
        ("walk.glb", "a.glb"),
        ("walk.glb", "a.fbx"),
        ("walk.bvh", "a.bvh"),
        ("walk.bvh", "b.glb"),
    ] {
        let out = scratch.path(output);
        let run = rebone(["mirror", &data(input), "-o", &out, "--json"]).done();
        let json = run.json();
        let name = json["clips"][0].as_str().unwrap();
        assert!(name.ends_with(" mirrored"), "{name}");
        assert!(json["twins"].as_array().unwrap().len() > 5, "{json}");
        assert!(json["warnings"].as_array().unwrap().is_empty(), "{json}");
        let again = rebone(["inspect", &out, "--json"]).done().json();
        let clips = again["clips"].as_array().unwrap();
        if output.ends_with(".bvh") {
            assert_eq!(clips.len(), 1);
        } else {
            assert!(clips.iter().any(|clip| clip["name"] == name), "{again}");
        }
    }
}

#[test]
fn wrong_twins_are_told() {
    let scratch = Scratch::new();
    let out = scratch.path("out.glb");
    for (twins, words) in [
        ("LeftHand", "LEFT=RIGHT"),
        ("NoSuchJoint=Spine", "NoSuchJoint"),
    ] {
        let run = rebone(["mirror", &data("walk.glb"), "-o", &out, "--twins", twins]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains(words), "{}", run.err);
        assert!(!std::path::Path::new(&out).exists());
    }
}

/// S3.11: one .retarget file shows both motions; and a retarget writes what it shows.
#[test]
fn a_retarget_file_switches_the_mirror() {
    let scratch = Scratch::new();
    let (source, target) = (data("walk.bvh"), data("adult.glb"));
    let motion = |path: &str| -> String {
        let text = std::fs::read_to_string(path).unwrap();
        text.split("MOTION").nth(1).unwrap().to_owned()
    };
    let asset = scratch.path("pair.retarget");
    rebone(["compile", &source, &target, "-o", &asset, "--mirror=ready"]).done();
    let out = scratch.path("out.bvh");
    let made = |arguments: &[&str]| {
        rebone(arguments.iter().copied().chain(["-o", out.as_str()])).done();
        motion(&out)
    };
    let plain = made(&["retarget", &source, &target]);
    let mirrored = made(&["retarget", &source, &target, "--mirror"]);
    assert_ne!(plain, mirrored);
    assert_eq!(made(&["apply", &asset, &source]), plain);
    assert_eq!(made(&["apply", &asset, &source, "--mirror"]), mirrored);
    let recipe = scratch.path("recipe.toml");
    let saved = made(&[
        "retarget",
        &source,
        &target,
        "--mirror",
        "--save-recipe",
        &recipe,
    ]);
    assert_eq!(saved, mirrored);
    assert_eq!(
        made(&["retarget", &source, &target, "--recipe", &recipe]),
        mirrored
    );
    assert_eq!(
        made(&[
            "retarget",
            &source,
            &target,
            "--recipe",
            &recipe,
            "--mirror=off"
        ]),
        plain
    );
    rebone(["compile", &source, &target, "-o", &asset, "--mirror"]).done();
    assert_eq!(made(&["apply", &asset, &source]), mirrored);
    assert_eq!(made(&["apply", &asset, &source, "--mirror=off"]), plain);
    rebone(["compile", &source, &target, "-o", &asset]).done();
    let run = rebone(["apply", &asset, &source, "-o", &out, "--mirror"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--mirror=ready"), "{}", run.err);
}

/// S3.8 to S3.10 from the command line.
#[test]
fn stated_axes_mirror_the_lesser_way() {
    let scratch = Scratch::new();
    let (axes, out) = (scratch.path("axes.toml"), scratch.path("out.glb"));
    std::fs::write(
        &axes,
        "[mirror]\naxis = \"x\"\nside = \"x\"\npelvis = { axis = \"x\", side = \"x\" }\n",
    )
    .unwrap();
    let run = rebone([
        "mirror",
        &data("walk.glb"),
        "-o",
        &out,
        "--compat",
        &axes,
        "--json",
    ])
    .done();
    let json = run.json();
    let codes = json["warnings"].as_array().unwrap();
    let told = codes
        .iter()
        .any(|warning| warning["code"] == "mirror-axes-unfit");
    assert!(told, "{json}");
    std::fs::write(&axes, "[mirror]\naxis = \"sideways\"\n").unwrap();
    let run = rebone(["mirror", &data("walk.glb"), "-o", &out, "--compat", &axes]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("line 2"), "{}", run.err);
}
