//! Animals and other creatures on the command line.

use crate::common::{Scratch, corpus, data, rebone};
use std::fmt::Write as _;

/// An animal as BVH: a joint is its depth, name and offset in centimetres, and its swing in degrees about X.
fn animal(size: f32, words: [&str; 6]) -> String {
    let [shoulder, elbow, wrist, hip, knee, ankle] = words;
    let mut rows: Vec<(usize, String, [f32; 3], f32)> = vec![
        (0, "Hips".to_owned(), [0.0, 100.0, -55.0], 0.0),
        (1, "Spine".to_owned(), [0.0, 0.0, 45.0], 3.0),
        (2, "Chest".to_owned(), [0.0, 0.0, 40.0], -3.0),
        (3, "Neck".to_owned(), [0.0, 10.0, 20.0], 5.0),
        (4, "Head".to_owned(), [0.0, 30.0, 30.0], -5.0),
    ];
    for (side, x, swing) in [("Left", 12.0, 20.0), ("Right", -12.0, -20.0)] {
        for (depth, name, place, swing) in [
            (3, shoulder, [x, -20.0, 12.0], swing),
            (4, elbow, [0.0, -30.0, -6.0], -0.5 * swing),
            (5, wrist, [0.0, -44.0, 6.0], 0.0),
        ] {
            rows.push((depth, format!("{side}{name}"), place, swing));
        }
    }
    for (side, x, swing) in [("Left", 12.0, -20.0), ("Right", -12.0, 20.0)] {
        for (depth, name, place, swing) in [
            (1, hip, [x, -10.0, 5.0], swing),
            (2, knee, [0.0, -32.0, 8.0], -0.5 * swing),
            (3, "Hock", [0.0, -25.0, -20.0], 0.3 * swing),
            (4, ankle, [0.0, -27.0, 6.0], 0.0),
        ] {
            rows.push((depth, format!("{side}{name}"), place, swing));
        }
    }
    rows.push((1, "Tail1".to_owned(), [0.0, 0.0, -10.0], 10.0));
    rows.push((2, "Tail2".to_owned(), [0.0, -20.0, -20.0], 10.0));
    let mut text = "HIERARCHY\n".to_owned();
    for (index, (depth, name, place, _)) in rows.iter().enumerate() {
        let [x, y, z] = place.map(|value| value * size);
        let (word, channels) = if index == 0 {
            ("ROOT", "6 Xposition Yposition Zposition")
        } else {
            ("JOINT", "3")
        };
        let _ = writeln!(
            text,
            "{word} {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS {channels} Zrotation Xrotation Yrotation"
        );
        let next = rows.get(index + 1).map_or(0, |row| row.0);
        if next <= *depth {
            text.push_str("End Site\n{\nOFFSET 0 0 5\n}\n");
            text.push_str(&"}\n".repeat(depth + 1 - next));
        }
    }
    text.push_str("MOTION\nFrames: 9\nFrame Time: 0.1\n");
    for frame in 0..9 {
        let phase = (std::f32::consts::TAU * frame as f32 / 8.0).sin();
        let _ = write!(text, "0 {} {}", 100.0 * size, 10.0 * size * frame as f32);
        for row in &rows {
            let _ = write!(text, " 0 {} 0", phase * row.3);
        }
        text.push('\n');
    }
    text
}

const DOG_WORDS: [&str; 6] = ["Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot"];
const HORSE_WORDS: [&str; 6] = [
    "FrontUpper",
    "FrontLower",
    "FrontHoof",
    "HindUpper",
    "HindLower",
    "HindHoof",
];

#[test]
fn a_horse_moves_a_dog() {
    let scratch = Scratch::new();
    let horse = scratch.file("horse.bvh", animal(1.5, HORSE_WORDS).as_bytes());
    let dog = scratch.file("dog.bvh", animal(0.6, DOG_WORDS).as_bytes());
    for (file, joint) in [(&horse, "LeftFrontHoof"), (&dog, "LeftHand")] {
        let map = rebone(["map", file, "--json"]).done().json();
        assert_eq!(map["kind"], "quadruped");
        assert_eq!(map["slots"]["leftFrontPaw"]["joints"][0], joint, "{map}");
    }
    let out = scratch.path("out.bvh");
    let base = ["retarget", &horse, &dog, "-o", &out, "--json"];
    let done = rebone(base).done().json();
    let mean = done["clips"][0]["report"]["mean_direction_degrees"].as_f64();
    assert!(mean.unwrap() < 0.5, "{done}");
    let scale = done["root_scale"]["horizontal"].as_f64();
    assert!((scale.unwrap() - 0.4).abs() < 0.01, "{done}");
    // The same bodies, so the same angles.
    let frames = |path: &str| -> Vec<f32> {
        let text = std::fs::read_to_string(path).unwrap();
        let motion = text.split("Frame Time:").nth(1).unwrap();
        let numbers = motion.split_whitespace().skip(1);
        numbers.map(|number| number.parse().unwrap()).collect()
    };
    let (wanted, made) = (frames(&horse), frames(&out));
    assert_eq!(wanted.len(), made.len());
    let per_frame = wanted.len() / 9;
    for (index, (a, b)) in wanted.iter().zip(&made).enumerate() {
        let scale = if index % per_frame < 3 { 0.4 } else { 1.0 };
        assert!((a * scale - b).abs() < 0.05, "{index}: {a} {b}");
    }
}

#[test]
fn kinds_are_crossed_only_when_asked() {
    let scratch = Scratch::new();
    let horse = scratch.file("horse.bvh", animal(1.5, HORSE_WORDS).as_bytes());
    let (out, recipe) = (scratch.path("out.bvh"), scratch.path("r.toml"));
    let walk = data("walk.bvh");
    let base = ["retarget", &walk, &horse, "-o", &out];
    let run = rebone(base);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("--across-kinds"), "{}", run.err);
    let run = rebone(["map", &walk, &horse]).done();
    assert!(run.err.contains("--across-kinds"), "{}", run.err);
    let asked = [
        base.as_slice(),
        &["--across-kinds", "--save-recipe", &recipe],
    ]
    .concat();
    rebone(asked).done();
    let text = std::fs::read_to_string(&recipe).unwrap();
    assert!(
        text.contains("leftFrontUpperLeg = \"leftUpperArm\""),
        "{text}"
    );
    // What was saved asks for the same, and can be changed.
    let first = std::fs::read(&out).unwrap();
    rebone([base.as_slice(), &["--recipe", &recipe]].concat()).done();
    assert_eq!(std::fs::read(&out).unwrap(), first);
    let other = text.replace(
        "leftFrontUpperLeg = \"leftUpperArm\"",
        "leftFrontUpperLeg = \"\"",
    );
    scratch.file("r.toml", other.as_bytes());
    rebone([base.as_slice(), &["--recipe", &recipe]].concat()).done();
    assert_ne!(std::fs::read(&out).unwrap(), first);
    let wrong = text.replace("leftFrontUpperLeg = ", "leftFrontUperLeg = ");
    scratch.file("r.toml", wrong.as_bytes());
    let run = rebone([base.as_slice(), &["--recipe", &recipe]].concat());
    assert_eq!(run.code, 2);
    assert!(run.err.contains("leftFrontUpperLeg"), "{}", run.err);
}

#[test]
fn a_profile_is_written_edited_and_read() {
    let scratch = Scratch::new();
    let horse = scratch.file("horse.bvh", animal(1.5, HORSE_WORDS).as_bytes());
    let dog = scratch.file("dog.bvh", animal(0.6, DOG_WORDS).as_bytes());
    let profile = scratch.path("p.toml");
    rebone(["map", &horse, "--save-profile", &profile]).done();
    let text = std::fs::read_to_string(&profile).unwrap();
    // The horse's names, and the dog's beside them.
    let edited = text
        .replace("name = \"quadruped\"", "name = \"pet\"")
        .replace("[\"LeftFrontHoof\"]", "[\"LeftFrontHoof\", \"lefthand\"]")
        .replace("[\"LeftFrontLower\"]", "[\"LeftFrontLower\", \"Left*Arm\"]");
    assert_ne!(edited, text);
    scratch.file("p.toml", edited.as_bytes());
    let map = rebone(["map", &dog, "--profile", &profile, "--json"])
        .done()
        .json();
    assert_eq!(
        map["slots"]["leftFrontPaw"]["joints"][0], "LeftHand",
        "{map}"
    );
    assert!(map["slots"]["rightFrontPaw"].is_null(), "{map}");
    let shown = rebone(["inspect", &dog, "--profile", &profile]).done();
    assert!(shown.out.contains("pet"), "{}", shown.out);
    let out = scratch.path("out.bvh");
    rebone(["retarget", &horse, &dog, "-o", &out, "--profile", &profile]).done();
    for (text, expected) in [
        ("name = \"x\"\nslots = []\n", "part = \"hips\""),
        ("stance = 3\n", "line 1"),
    ] {
        scratch.file("p.toml", text.as_bytes());
        let run = rebone(["map", &dog, "--profile", &profile]);
        assert_eq!(run.code, 2);
        assert!(run.err.contains(expected), "{}", run.err);
    }
    let forced = rebone(["map", &dog, "--profile", "humanoid", "--json"]).done();
    assert_ne!(forced.json()["kind"], "quadruped");
    let run = rebone(["retarget", &horse, &dog, "-o", &scratch.path("o.vrma")]);
    assert_eq!(run.code, 2);
}

/// Real animals of three makers, each onto the others.
#[test]
fn animals_of_different_makers_move_alike() {
    let Some(corpus) = corpus() else { return };
    let scratch = Scratch::new();
    let file = |name: &str| corpus.join(name).to_str().unwrap().to_owned();
    let files = [
        file("quaternius/public/glb/animals_pack/Horse.glb"),
        file("quaternius/public/glb/animals_pack/Husky.glb"),
        file("gltf_misc/bevy/assets/models/animated/Fox.glb"),
        file("mesh2motion/static/animations/quad-creature-animations.glb"),
    ];
    let out = scratch.path("out.glb");
    for source in &files {
        for target in files.iter().filter(|target| *target != source) {
            // Limbs are judged as transferred; paws that reach the floor turn them further.
            let whole = ["retarget", source, target, "-o", &out, "--json"];
            let done = rebone(whole.iter().chain(&["--feet", "off"])).done().json();
            for clip in done["clips"].as_array().unwrap() {
                let mean = clip["report"]["mean_direction_degrees"].as_f64().unwrap();
                assert!(mean < 5.0, "{source} onto {target}: {clip}");
            }
        }
    }
}
