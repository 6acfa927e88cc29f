//! `rebone mirror`.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Scratch, data, rebone};

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
