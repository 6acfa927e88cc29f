//! `rebone compile` and `rebone apply` (S0.10, S4.9).

use crate::common::{Scratch, data, rebone};
use serde_json::Value;

fn joints_of(path: &str) -> Vec<Value> {
    let found = rebone(["inspect", path, "--json"]).done().json();
    found["skeletons"][0]["joints"].as_array().unwrap().clone()
}

/// A compiled pair gives the motion that a retarget gives, in every joint.
#[test]
fn an_asset_does_what_a_retarget_does() {
    let scratch = Scratch::new();
    for (source, target, out) in [
        ("walk.bvh", "adult.glb", "bvh"),
        ("walk.glb", "brute.glb", "bvh"),
        ("wave.bvh", "chibi.vrm", "bvh"),
    ] {
        let asset = scratch.path("pair.retarget");
        let run = rebone([
            "compile",
            &data(source),
            &data(target),
            "-o",
            &asset,
            "--json",
        ])
        .done();
        let bytes = run.json()["bytes"].as_u64().unwrap();
        assert!(bytes < 96 * 1024, "{bytes}");
        let (direct, applied) = (
            scratch.path(&format!("direct.{out}")),
            scratch.path(&format!("applied.{out}")),
        );
        rebone(["retarget", &data(source), &data(target), "-o", &direct]).done();
        rebone(["apply", &asset, &data(source), "-o", &applied]).done();
        let texts = [&direct, &applied].map(|path| std::fs::read_to_string(path).unwrap());
        let motion = |text: &str| text.split("MOTION").nth(1).unwrap().to_owned();
        assert_eq!(motion(&texts[0]), motion(&texts[1]), "{source} on {target}");
        let glb = scratch.path("applied.glb");
        rebone(["apply", &asset, &data(source), "-o", &glb]).done();
        let names = |path: &str| -> Vec<String> {
            let joints = joints_of(path);
            let name = |joint: &Value| joint["name"].as_str().unwrap().to_owned();
            joints.iter().map(name).collect()
        };
        let (made, own) = (names(&glb), names(&data(target)));
        // Without a skin a root that nothing moves is a node above the skeleton.
        assert!(made.len() + 2 > own.len(), "{made:?}");
        assert!(own.ends_with(&made), "{made:?}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let scratch = Scratch::new();
    let (asset, out) = (scratch.path("pair.retarget"), scratch.path("out.glb"));
    rebone([
        "compile",
        &data("walk.bvh"),
        &data("adult.glb"),
        "-o",
        &asset,
    ])
    .done();
    let brute = data("brute.glb");
    let cut = std::fs::read(&asset).unwrap();
    let cut = scratch.file("cut.retarget", &cut[..cut.len() / 2]);
    let walk = data("walk.bvh");
    for (arguments, words) in [
        (vec!["apply", &asset, &brute, "-o", &out], "brute"),
        (vec!["apply", &cut, &walk, "-o", &out], "damaged"),
        (vec!["apply", &walk, &walk, "-o", &out], "no .retarget file"),
        (vec!["apply", &asset, &walk, "-o", "x.vrm"], "no avatar"),
        (vec!["compile", &walk, &brute, "-o", &out], "X.retarget"),
    ] {
        let run = rebone(&arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.err);
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
        assert!(!std::path::Path::new(&out).exists());
    }
}
