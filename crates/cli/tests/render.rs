//! `rebone render`: which part of the motion is seen, from where, and in how many files.

use crate::common::{Scratch, data, rebone, rebone_as_typed};

/// A small filmstrip as SVG.
fn strip(scratch: &Scratch, files: &[&str], more: &[&str]) -> String {
    let out = scratch.path("strip.svg");
    let base = ["render", "-o", &out, "--size", "64", "--frames", "3"];
    rebone([&base, files, more].concat()).done();
    std::fs::read_to_string(out).unwrap()
}

/// Width of a picture's cells.
fn width(svg: &str) -> f32 {
    let start = svg.find("width=\"").unwrap() + "width=\"".len();
    let digits = svg[start..].split('"').next().unwrap();
    digits.parse().unwrap()
}

#[test]
fn a_part_of_the_time_is_shown() {
    let scratch = Scratch::new();
    let walk = data("walk.bvh");
    let svg = strip(&scratch, &[&walk], &["--from", "0.5", "--to", "1s"]);
    for label in ["0.50 s", "0.75 s", "1.00 s"] {
        assert!(svg.contains(label), "{label}");
    }
    let out = scratch.path("no.svg");
    for (more, expected) in [
        (
            ["--from", "2", "--to", "1"],
            "--from 2 is later than --to 1",
        ),
        (["--from", "soon", "--to", "1"], "give seconds, as 1.5"),
    ] {
        let run = rebone([&["render", &walk, "-o", &out], more.as_slice()].concat());
        assert_eq!(run.code, 2);
        assert!(run.err.contains(expected), "{}", run.err);
    }
}

#[test]
fn parts_of_every_body_are_seen_close() {
    let scratch = Scratch::new();
    for file in ["walk.bvh", "adult.glb", "brute.glb", "chibi.vrm"] {
        let whole = strip(&scratch, &[&data(file)], &[]);
        for part in ["hands", "feet", "head", "leftLowerArm"] {
            let close = strip(&scratch, &[&data(file)], &["--zoom", part]);
            assert!(close != whole, "{file} {part}");
        }
    }
    let out = scratch.path("no.svg");
    let run = rebone(["render", &data("walk.bvh"), "-o", &out, "--zoom", "tail"]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("no \"tail\" to come close to"),
        "{}",
        run.err
    );
    assert!(run.err.contains("leftHand"), "{}", run.err);
}

#[test]
fn the_camera_stands_where_it_is_told_to() {
    let scratch = Scratch::new();
    let walk = data("walk.bvh");
    let views = ["front", "side", "three-quarter", "back", "left", "top"];
    let seen = views.map(|view| strip(&scratch, &[&walk], &["--view", view]));
    for (index, one) in seen.iter().enumerate() {
        assert!(!seen[..index].contains(one), "{}", views[index]);
    }
    let with = |camera| {
        width(&strip(
            &scratch,
            &[&walk],
            &["--view", "side", "--camera", camera],
        ))
    };
    assert!(
        with("fixed") > 1.5 * with("follow"),
        "a body that walks past a camera needs room"
    );
}

#[test]
fn earlier_poses_are_drawn_faintly() {
    let scratch = Scratch::new();
    let walk = data("walk.bvh");
    let skeletons = |more: &[&str]| {
        let svg = strip(&scratch, &[&walk], more);
        svg.matches("stroke-linejoin=\"round\"").count()
    };
    assert_eq!(skeletons(&[]), 3);
    assert_eq!(skeletons(&["--onion", "2"]), 3 + 2 * 2);
    let once = ["--onion", "6", "--camera", "fixed", "--frames", "1"];
    let out = scratch.path("once.svg");
    rebone([&["render", &walk, "-o", &out], once.as_slice()].concat()).done();
    let svg = std::fs::read_to_string(&out).unwrap();
    assert_eq!(svg.matches("stroke-linejoin=\"round\"").count(), 7);
}

#[test]
fn motions_without_a_mesh_are_seen_in_the_body_of_a_target() {
    let scratch = Scratch::new();
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let svg = strip(&scratch, &[&walk, &brute], &["--on-target"]);
    // The title has little room above small pictures.
    assert!(svg.contains("walk (in"));
    // Three moments of the walk, one pose of the target.
    assert_eq!(svg.matches("<image").count(), 4);
    let run = rebone([
        "render",
        &walk,
        "-o",
        &scratch.path("no.svg"),
        "--on-target",
    ]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no file has a mesh"), "{}", run.err);
}

#[test]
fn an_animation_becomes_numbered_files() {
    let scratch = Scratch::new();
    let pattern = scratch.path("frames/walk_{index}.png");
    let typed = [
        "render",
        &data("walk.bvh"),
        "-o",
        &pattern,
        "--size",
        "48",
        "--fps",
        "5",
    ];
    let window = ["--from", "0", "--to", "1"];
    let all = [typed.as_slice(), &window].concat();
    let run = rebone_as_typed([all.as_slice(), &["--json"]].concat()).done();
    let written = run.json()["outputs"].as_array().unwrap().clone();
    assert_eq!(written.len(), 5);
    for (index, path) in written.iter().enumerate() {
        let path = path.as_str().unwrap();
        assert!(
            path.ends_with(&format!("walk_{:04}.png", index + 1)),
            "{path}"
        );
        assert!(std::fs::read(path).unwrap().starts_with(b"\x89PNG"));
    }
    // One that is in the way keeps all from being written.
    let first = scratch.path("frames/walk_0001.png");
    std::fs::write(&first, "mine").unwrap();
    std::fs::remove_file(scratch.path("frames/walk_0005.png")).unwrap();
    let run = rebone_as_typed(&all);
    assert_eq!(run.code, 2, "{}", run.out);
    assert_eq!(std::fs::read(&first).unwrap(), b"mine");
    assert!(!std::path::Path::new(&scratch.path("frames/walk_0005.png")).exists());
}

#[test]
fn clips_are_chosen_by_patterns() {
    let scratch = Scratch::new();
    let (one, both) = (scratch.path("one.glb"), scratch.path("both.glb"));
    rebone([
        "retarget",
        &data("walk.bvh"),
        &data("brute.glb"),
        "-o",
        &one,
    ])
    .done();
    rebone(["retarget", &data("wave.glb"), &one, "-o", &both]).done();
    for (pattern, shown) in [("w*", 2), ("*AVE", 1), ("[wx]al?", 1)] {
        let svg = strip(&scratch, &[&both], &["--clip", pattern]);
        let rows = ["walk", "wave"].map(|name| svg.contains(&format!("both: {name}")));
        assert_eq!(
            rows.into_iter().filter(|is| *is).count(),
            shown,
            "{pattern}"
        );
    }
    let out = scratch.path("no.svg");
    let run = rebone(["render", &both, "--clip", "z*", "-o", &out]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("no clip is named \"z*\""), "{}", run.err);
}
