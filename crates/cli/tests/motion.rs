//! Root motion, weights and layers on the command line.

use crate::common::{Scratch, data, rebone};

#[test]
fn the_path_that_is_taken_out_goes_into_its_own_file() {
    let scratch = Scratch::new();
    let (walk, target) = (data("walk.bvh"), data("brute.glb"));
    let (out, path) = (scratch.path("out.glb"), scratch.path("path.json"));
    let run = rebone([
        "retarget",
        &walk,
        &target,
        "-o",
        &out,
        "--in-place",
        "--root-path",
        &path,
    ])
    .done();
    assert!(!run.err.contains("curve-not-kept"), "{}", run.err);
    let text = std::fs::read_to_string(&path).unwrap();
    let found: serde_json::Value = serde_json::from_str(&text).unwrap();
    let clip = &found["clips"][0];
    let count = clip["times"].as_array().unwrap().len();
    assert!(count > 10);
    let places = clip["translation"].as_array().unwrap();
    assert_eq!(
        (places.len(), clip["rotation"].as_array().unwrap().len()),
        (count, count)
    );
    let far = |place: &serde_json::Value| place[2].as_f64().unwrap();
    assert!(
        far(places.last().unwrap()) - far(&places[0]) > 0.3,
        "it walks"
    );
    assert!(
        places
            .iter()
            .all(|place| place[1].as_f64().unwrap().abs() < 1e-6)
    );
}

#[test]
fn compile_takes_what_retarget_takes() {
    let scratch = Scratch::new();
    let (walk, target) = (data("walk.bvh"), data("brute.glb"));
    let choices = ["--in-place", "--weight", "leftArms=0.25", "--turn", "90"];
    let (asset, applied, direct) = (
        scratch.path("a.retarget"),
        scratch.path("applied.bvh"),
        scratch.path("direct.bvh"),
    );
    let with = |start: &[&str]| {
        let all: Vec<&str> = start.iter().chain(&choices).copied().collect();
        rebone(all).done();
    };
    with(&["compile", &walk, &target, "-o", &asset]);
    rebone(["apply", &asset, &walk, "-o", &applied]).done();
    with(&["retarget", &walk, &target, "-o", &direct]);
    let [a, b] = [&applied, &direct].map(|path| std::fs::read_to_string(path).unwrap());
    let frames = |text: &str| text[text.find("MOTION").unwrap()..].to_owned();
    assert_eq!(frames(&a), frames(&b));
    let plain = scratch.path("plain.bvh");
    rebone(["retarget", &walk, &target, "-o", &plain]).done();
    assert_ne!(
        frames(&a),
        frames(&std::fs::read_to_string(&plain).unwrap())
    );
}

#[test]
fn wrong_choices_are_said() {
    let (walk, target) = (data("walk.bvh"), data("brute.glb"));
    let scratch = Scratch::new();
    let out = scratch.path("out.glb");
    for (choice, value, expected) in [
        ("--root-motion", "fly", "in-place"),
        ("--root-axes", "q", "it is some of x, y, z and turn"),
        ("--root-smooth", "-1", "it is 0 to 60"),
        ("--shift", "1,2", "it is [a number, a number, a number]"),
        ("--weight", "arms", "give it as NAME=WEIGHT"),
        ("--weight", "arms=-1", "it is 0 to 10"),
        ("--weight", "armz=0.5", "did you mean \"arms\"?"),
        ("--root-scale", "1,2", "it is auto | legs-hips"),
    ] {
        let run = rebone(["retarget", &walk, &target, "-o", &out, choice, value]);
        assert!(
            run.code == 2 && run.err.contains(expected),
            "{choice} {value}: {}",
            run.err
        );
    }
}

#[test]
fn a_layer_is_put_on_and_a_layer_is_retargeted() {
    let scratch = Scratch::new();
    let (walk, target) = (data("walk.bvh"), data("brute.glb"));
    let (base, layer, sum) = (
        scratch.path("base.glb"),
        scratch.path("layer.glb"),
        scratch.path("sum.glb"),
    );
    rebone(["retarget", &walk, &target, "-o", &base]).done();
    rebone([
        "retarget",
        &walk,
        &target,
        "-o",
        &layer,
        "--additive",
        "first",
    ])
    .done();
    let run = rebone([
        "layer", &base, &layer, "-o", &sum, "--weight", "0.5", "--json",
    ])
    .done();
    assert!(
        run.json()["clips"]
            .as_array()
            .is_some_and(|clips| !clips.is_empty())
    );
    // A layer of another rig: both are named.
    let chibi = scratch.path("chibi.glb");
    rebone(["retarget", &walk, &data("chibi.vrm"), "-o", &chibi]).done();
    let run = rebone(["layer", &base, &chibi, "-o", &sum]);
    assert!(
        run.code == 2 && run.err.contains("no joint is called alike in the base (\""),
        "{}",
        run.err
    );
    let run = rebone(["layer", &base, &layer, "-o", &sum, "--below", "no such"]);
    assert!(
        run.code == 2 && run.err.contains("no joint is named"),
        "{}",
        run.err
    );
}

/// Limbs that were told to move less are not those of a wrong map.
#[test]
fn what_turns_limbs_away_is_named_where_they_are_far_off() {
    let scratch = Scratch::new();
    let (walk, target) = (data("walk.glb"), data("brute.glb"));
    let out = scratch.path("out.glb");
    let wrong = ["--method", "parent-delta"];
    for (more, is_named) in [(&["--weight", "arms=0.9"][..], true), (&[], false)] {
        let run = rebone(
            [&["retarget", &walk, &target, "-o", &out][..], &wrong, more]
                .concat()
                .as_slice(),
        )
        .done();
        assert!(run.err.contains("[limbs-far-off]"), "{}", run.err);
        let named = run.err.contains("the weights that the target has");
        assert_eq!(named, is_named, "{}", run.err);
    }
}
