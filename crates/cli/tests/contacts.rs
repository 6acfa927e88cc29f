//! Contacts: told in the JSON, saved, edited, and what the edits change.

use crate::common::{Scratch, data, rebone};
use serde_json::Value;

fn contacts(document: &Value) -> &Value {
    &document["clips"][0]["report"]["contacts"]
}

fn figure(document: &Value, name: &str) -> f64 {
    let figures = &document["clips"][0]["report"]["figures"];
    let found = figures[name]["value"].as_f64();
    found.unwrap_or_else(|| panic!("{name}: {figures}"))
}

/// Codes of doubts about contacts.
fn codes(document: &Value) -> Vec<&str> {
    let all = document["warnings"].as_array().unwrap().iter();
    let codes = all.filter_map(|warning| warning["code"].as_str());
    codes.filter(|code| code.starts_with("contacts")).collect()
}

/// Point by point, spans of time, height and how they are known; both commands say the same.
#[test]
fn contacts_are_told() {
    let scratch = Scratch::new();
    let (sit, brute, out) = (
        data("sit_stand.bvh"),
        data("brute.glb"),
        scratch.path("out.glb"),
    );
    let made = rebone(["retarget", &sit, &brute, "-o", &out, "--json"])
        .done()
        .json();
    let found = rebone(["report", &sit, &out, "--json"]).done().json();
    assert_eq!(contacts(&made), contacts(&found));
    let told = contacts(&made);
    assert!(
        told["ground_meters"].as_f64().unwrap().abs() < 0.02,
        "{told}"
    );
    let points = told["points"].as_object().unwrap();
    for name in ["leftHeel", "rightToes", "leftHand", "rightKnee", "seat"] {
        assert!(points.contains_key(name), "{told}");
    }
    let seat = &points["seat"][0];
    assert_eq!(seat["how"], "low-and-still");
    assert!(seat["height_meters"].as_f64().unwrap() > 0.2, "{seat}");
    let heel = &points["leftHeel"][0];
    assert_eq!(heel["how"], "main-floor");
    assert!(heel["end_seconds"].as_f64() > heel["start_seconds"].as_f64());
}

/// What `--save-contacts` writes makes the same result again, and says that it is a person's.
#[test]
fn saved_contacts_are_those_that_were_found() {
    let scratch = Scratch::new();
    for clip in ["walk.bvh", "jump.bvh", "sit_stand.bvh"] {
        let (source, chibi) = (data(clip), data("chibi.vrm"));
        let (recipe, one, two) = (
            scratch.path("contacts.toml"),
            scratch.path("one.vrm"),
            scratch.path("two.vrm"),
        );
        rebone([
            "retarget",
            &source,
            &chibi,
            "-o",
            &one,
            "--save-recipe",
            &recipe,
            "--save-contacts",
        ])
        .done();
        let text = std::fs::read_to_string(&recipe).unwrap();
        assert!(
            text.contains("[contacts.clips") && text.contains("leftHeel = [["),
            "{text}"
        );
        let again = rebone([
            "retarget", &source, &chibi, "-o", &two, "--recipe", &recipe, "--json",
        ])
        .done()
        .json();
        assert!(
            std::fs::read(&one).unwrap() == std::fs::read(&two).unwrap(),
            "{clip}"
        );
        let points = contacts(&again)["points"].as_object().unwrap();
        let all = points.values().flat_map(|list| list.as_array().unwrap());
        assert!(all.clone().count() > 2);
        assert!(all.into_iter().all(|touch| touch["how"] == "by-hand"));
    }
    let run = rebone(["retarget", "a", "b", "-o", "c.glb", "--save-contacts"]);
    assert_eq!(run.code, 2);
}

/// The left foot is said to stand a little longer than it does.
const LONGER: &str = "[contacts.clips.walk]\nleftToes = { add = [[0.1, 0.75]] }\n";

/// Edits drive the feet: a foot that is said to stand does, and figures go by what is said.
#[test]
fn edits_drive_the_feet() {
    let scratch = Scratch::new();
    let (walk, chibi) = (data("walk.bvh"), data("chibi.vrm"));
    let (out, usual) = (scratch.path("out.vrm"), scratch.path("usual.vrm"));
    rebone(["retarget", &walk, &chibi, "-o", &usual]).done();
    let with = |text: &str| {
        let recipe = scratch.file("edit.toml", text.as_bytes());
        let run = rebone([
            "retarget", &walk, &chibi, "-o", &out, "--recipe", &recipe, "--json",
        ]);
        let same = std::fs::read(&out).unwrap() == std::fs::read(&usual).unwrap();
        (run.done().json(), same)
    };
    let (document, same) = with("[contacts]\nfound = false\n");
    assert!(!same);
    let points = contacts(&document)["points"].as_object().unwrap();
    assert!(
        points
            .values()
            .all(|list| list == &Value::Array(Vec::new()))
    );
    assert!(
        document["clips"][0]["report"]["figures"]
            .get("slide")
            .is_none()
    );
    // A foot that lifts is held where it is said to stand. The usual result slides there.
    let (document, same) = with(LONGER);
    assert!(
        !same && codes(&document).is_empty(),
        "{:?}",
        codes(&document)
    );
    let first = &contacts(&document)["points"]["leftToes"][0];
    assert_eq!(
        (&first["end_seconds"], &first["how"]),
        (&0.75.into(), &"by-hand".into())
    );
    let recipe = scratch.file("longer.toml", LONGER.as_bytes());
    let slid = rebone(["report", &walk, &usual, "--recipe", &recipe, "--json"])
        .done()
        .json();
    let held = rebone(["report", &walk, &out, "--recipe", &recipe, "--json"])
        .done()
        .json();
    assert_eq!(figure(&held, "slide"), figure(&document, "slide"));
    let (slid, held) = (figure(&slid, "slide"), figure(&held, "slide"));
    assert!(held < 0.5 * slid, "{held} held, {slid} else");
    let (document, same) = with("[contacts.clips.walk]\nleftToes = { remove = [[0, 100]] }\n");
    assert!(
        !same && codes(&document).is_empty(),
        "{:?}",
        codes(&document)
    );
    assert_eq!(
        contacts(&document)["points"]["leftToes"],
        Value::Array(Vec::new())
    );
    assert_ne!(
        contacts(&document)["points"]["leftHeel"],
        Value::Array(Vec::new())
    );
    // Of a clip and of a point that are not there: said, and nothing changes.
    for text in [
        "[contacts.clips.wlak]\nleftHeel = []\n",
        "[contacts.points]\nfrontLeftHeel = []\n",
    ] {
        let (document, same) = with(text);
        assert!(
            same && codes(&document) == ["contacts-unused"],
            "{:?}",
            codes(&document)
        );
    }
    // A floor by hand is the floor: the source then stands above it, and so does the result.
    let (document, same) = with("[contacts]\nground = -0.5\n");
    assert!(!same);
    assert_eq!(contacts(&document)["ground_meters"], -0.5);
}

/// A compiled pair holds the edits.
#[test]
fn a_compiled_pair_keeps_the_edits() {
    let scratch = Scratch::new();
    let (walk, chibi) = (data("walk.bvh"), data("chibi.vrm"));
    let paths = ["a.retarget", "b.retarget"].map(|name| scratch.path(name));
    let outs = ["a.glb", "b.glb"].map(|name| scratch.path(name));
    let recipe = scratch.file("longer.toml", LONGER.as_bytes());
    rebone(["compile", &walk, &chibi, "-o", &paths[0]]).done();
    rebone([
        "compile", &walk, &chibi, "-o", &paths[1], "--recipe", &recipe,
    ])
    .done();
    let slides = [0, 1].map(|index: usize| {
        rebone(["apply", &paths[index], &walk, "-o", &outs[index]]).done();
        let measure = ["report", &walk, &outs[index], "--recipe", &recipe, "--json"];
        figure(&rebone(measure).done().json(), "slide")
    });
    assert!(slides[1] < 0.5 * slides[0], "{slides:?}");
}

/// A hand that is pinned where no arm reaches misses its goal in the frames of the pin; k, c and the ankles are told.
#[test]
fn goals_out_of_reach_and_proportions_are_told() {
    let scratch = Scratch::new();
    let (walk, adult, out) = (data("walk.bvh"), data("brute.glb"), scratch.path("out.glb"));
    let with = |more: &[&str]| {
        let plain = ["retarget", &walk, &adult, "-o", &out, "--json"];
        rebone([&plain, more].concat()).done().json()
    };
    let plain = with(&[]);
    assert!(figure(&plain, "reach") < 5.0, "{}", figure(&plain, "reach"));
    let far = with(&["--pin", "leftHand=point(0,40,0)"]);
    assert_eq!(figure(&far, "reach"), 100.0);
    let some = with(&["--pin", "leftHand=point(0,40,0) @0..0.2"]);
    let share = figure(&some, "reach");
    assert!(share > 5.0 && share < 95.0, "{share}");
    let k = &plain["root_scale"];
    assert!((figure(&plain, "scale") - k["horizontal"].as_f64().unwrap()).abs() < 1e-4);
    assert!((figure(&plain, "scale_up") - k["vertical"].as_f64().unwrap()).abs() < 1e-4);
    let ankle = &plain["clips"][0]["report"]["figures"]["ankle"];
    for side in ["value", "source"] {
        let percent = ankle[side].as_f64().unwrap();
        assert!((3.0..25.0).contains(&percent), "{ankle}");
    }
    assert!(figure(&plain, "lift").abs() < 30.0);
    let run = rebone([
        "retarget",
        &walk,
        &adult,
        "-o",
        &out,
        "--pin",
        "leftHand=point(0,40,0)",
        "--fail-on",
        "reach>50",
    ]);
    assert_eq!(run.code, 1, "{}", run.err);
}
