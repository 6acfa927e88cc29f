//! `rebone report`, and what `rebone retarget` says about how well it went.

use crate::common::{Scratch, corpus, data, rebone};
use serde_json::Value;

/// Value of a figure of the first clip.
fn value(document: &Value, figure: &str) -> f64 {
    let figures = &document["clips"][0]["report"]["figures"];
    figures[figure]["value"]
        .as_f64()
        .unwrap_or_else(|| panic!("{figure}: {figures}"))
}

fn measured(arguments: &[&str]) -> Value {
    rebone([&["report"], arguments, &["--json"]].concat())
        .done()
        .json()
}

/// A motion compared with itself: nothing is wrong with it, and every figure of the pair says so.
#[test]
fn a_motion_is_as_good_as_itself() {
    for file in ["walk.bvh", "sit_stand.glb", "jump.bvh"] {
        let file = data(file);
        let done = measured(&[&file, &file]);
        assert_eq!(done["verdict"], "pass", "{file}");
        for (name, figure) in done["clips"][0]["report"]["figures"].as_object().unwrap() {
            let value = figure["value"].as_f64().unwrap();
            if let Some(source) = figure["source"].as_f64() {
                assert_eq!(value, source, "{name}");
            } else {
                let is_quotient = name.ends_with("ratio") || name.starts_with("scale");
                let perfect = f64::from(u8::from(is_quotient || name == "contact_f1"));
                assert!((value - perfect).abs() < 1e-3, "{name}: {value}");
            }
        }
        assert_eq!(
            done["clips"][0]["report"]["moments"],
            Value::Array(Vec::new())
        );
    }
}

/// A written file measures as what was written, whatever the format; other tools' files are measured the same way. A finished file
/// does not record which arms were turned on purpose, so directions agree only where none is.
#[test]
fn finished_files_measure_as_the_retarget_itself() {
    let scratch = Scratch::new();
    for (source, target, out) in [
        ("walk.bvh", "brute.glb", "brute.glb"),
        ("walk.glb", "chibi.vrm", "chibi.vrm"),
        ("jump.bvh", "wave.bvh", "jump.bvh"),
        ("wave.bvh", "adult.glb", "adult.fbx"),
    ] {
        let (source, target, out) = (data(source), data(target), scratch.path(out));
        for own_body in ["on", "off"] {
            let made = rebone([
                "retarget",
                &source,
                &target,
                "-o",
                &out,
                "--json",
                "--own-body",
                own_body,
            ]);
            let made = made.done().json();
            let found = measured(&[&source, &out]);
            for figure in [
                "mean_direction",
                "slide",
                "drift",
                "contact_f1",
                "penetration",
                "float_max",
                "step",
                "knee",
                "jerk_ratio",
                "root_path",
            ] {
                let (one, other) = (value(&made, figure), value(&found, figure));
                let near = 0.02 * one.abs().max(1.0);
                let is_same = (one - other).abs() <= near;
                let is_turned = own_body == "on" && figure == "mean_direction" && one < other;
                assert!(
                    is_same || is_turned,
                    "{out} {figure}: {one} made, {other} found"
                );
            }
        }
    }
}

/// S1.11: `--fail-on` of figures decides the exit code, in both commands.
#[test]
fn checks_on_feet_decide_the_exit_code() {
    let scratch = Scratch::new();
    let (walk, brute, out) = (data("walk.bvh"), data("brute.glb"), scratch.path("out.glb"));
    let made = rebone(["retarget", &walk, &brute, "-o", &out, "--json"])
        .done()
        .json();
    for figure in ["slide", "penetration", "step", "root_path"] {
        let value = value(&made, figure);
        for (bound, code) in [(value * 1.05 + 0.01, 0), (value * 0.95 - 0.01, 1)] {
            let check = format!("{figure}>{bound}");
            for arguments in [
                vec!["retarget", &walk, &brute, "-o", &out, "--fail-on", &check],
                vec!["report", &walk, &out, "--fail-on", &check],
            ] {
                let run = rebone(&arguments);
                assert_eq!(run.code, code, "{check} {arguments:?}: {}", run.err);
                assert_eq!(
                    run.err.contains(&format!("check not met: {check}")),
                    code == 1
                );
            }
        }
    }
    let run = rebone([
        "report",
        &walk,
        &walk,
        "--fail-on",
        "slide>2,penetration>0.5,step_ratio>1.01",
        "--json",
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = rebone(["report", &walk, &walk, "--fail-on", "slides>2"]);
    assert_eq!(run.code, 2);
    for known in [
        "slide_ratio",
        "penetration",
        "contact_f1",
        "jerk_ratio",
        "warnings",
    ] {
        assert!(run.err.contains(known), "{}", run.err);
        assert!(rebone(["help", "report"]).out.contains(known));
    }
    // A check on what nobody solved for holds nowhere, and that is said.
    let run = rebone(["report", &walk, &walk, "--fail-on", "reach>0"]);
    assert_eq!(run.code, 0);
    assert!(
        run.err.contains("reach>0: no clip has this figure"),
        "{}",
        run.err
    );
}

/// The JSON inside a page.
fn embedded(html: &str) -> Value {
    let start = "<script type=\"application/json\" id=\"figures\">";
    let text = html
        .split(start)
        .nth(1)
        .unwrap()
        .split("</script>")
        .next()
        .unwrap();
    serde_json::from_str(text).unwrap()
}

/// Compares every shown figure with the JSON; returns how many there were.
fn compare_shown(html: &str) -> usize {
    let document = embedded(html);
    let attribute = |tag: &str, name: &str| {
        let rest = tag.split(&format!("data-{name}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let mut count = 0;
    for tag in html
        .split("<td ")
        .filter(|tag| tag.contains("data-figure="))
    {
        let clip: usize = attribute(tag, "clip").parse().unwrap();
        let report = ["report", "other"][attribute(tag, "result").parse::<usize>().unwrap()];
        let name = attribute(tag, "figure");
        let figure = &document["clips"][clip][report]["figures"][&name];
        let expected = match attribute(tag, "side").as_str() {
            "source" => &figure["source"],
            _ => &figure["value"],
        };
        let expected = expected
            .as_f64()
            .unwrap_or_else(|| panic!("{name}: {figure}"));
        let shown = tag.split('>').nth(1).unwrap().split('<').next().unwrap();
        let digits = shown.split('.').nth(1).map_or(0, str::len);
        let shown: f64 = shown.parse().unwrap();
        // Half of the last digit, and what both have been rounded by.
        let near = 0.5
            * 10f64
                .powi(-(digits as i32))
                .min(if expected.abs() < 0.1 { 1e-4 } else { 1.0 })
            + 6e-5;
        assert!(
            (shown - expected).abs() <= near.max(0.005 * expected.abs()),
            "{name}: {shown} shown, {expected} meant"
        );
        count += 1;
    }
    count
}

/// Compares the bars of contacts with the JSON; returns how many there were.
fn compare_bars(html: &str) -> usize {
    let document = embedded(html);
    let attribute = |tag: &str, name: &str| {
        let rest = tag.split(&format!("data-{name}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().to_owned()
    };
    let mut bars: Vec<(usize, String, Vec<String>)> = Vec::new();
    for tag in html
        .split("<rect ")
        .filter(|tag| tag.contains("data-point="))
    {
        let ends = ["start", "end", "how"].map(|name| attribute(tag, name));
        let clip = attribute(tag, "clip").parse().unwrap();
        bars.push((clip, attribute(tag, "point"), ends.to_vec()));
    }
    let mut told = Vec::new();
    for (index, clip) in document["clips"].as_array().unwrap().iter().enumerate() {
        // Clips without a section of their own have no bars.
        if !html.contains(&format!("<section id=\"clip-{index}\"")) {
            continue;
        }
        for (point, touches) in clip["report"]["contacts"]["points"].as_object().unwrap() {
            for touch in touches.as_array().unwrap() {
                let time = |end: &str| format!("{:.4}", touch[end].as_f64().unwrap());
                let how = touch["how"].as_str().unwrap().to_owned();
                let ends = vec![time("start_seconds"), time("end_seconds"), how];
                told.push((index, point.clone(), ends));
            }
        }
    }
    bars.sort();
    told.sort();
    assert_eq!(bars, told);
    bars.len()
}

/// Must show 6: the page refers to nothing outside, and its figures are those of the JSON.
#[test]
fn pages_stand_alone_and_show_what_the_json_says() {
    let scratch = Scratch::new();
    let (walk, chibi, adult) = (data("walk.bvh"), data("chibi.vrm"), data("adult.glb"));
    let (one, other) = (scratch.path("one.vrm"), scratch.path("other.vrm"));
    let page = scratch.path("page.html");
    let run = rebone([
        "retarget",
        &walk,
        &chibi,
        "-o",
        &one,
        "--report",
        &page,
        "--fail-on",
        "slide>0.0001",
        "--json",
    ]);
    assert_eq!(run.code, 1, "{}", run.err);
    let html = std::fs::read_to_string(&page).unwrap();
    assert_eq!(embedded(&html), run.json());
    assert!(compare_shown(&html) > 30);
    assert!(compare_bars(&html) >= 8);
    assert!(
        html.contains("check not met: slide&gt;0.0001")
            || html.contains("check not met: slide>0.0001")
    );
    for word in [
        "Filmstrip",
        "Worst moments",
        "Over time",
        "Height of the left foot",
        "Way of the hips from above",
    ] {
        assert!(html.contains(word), "{word}");
    }
    for outside in ["https:", "//cdn", "@import", "<link", "<iframe"] {
        assert!(!html.contains(outside), "{outside}");
    }
    let links =
        ["src=\"", "srcset=\"", "href=\""].map(|word| html.split(word).skip(1).collect::<Vec<_>>());
    for place in links.iter().flatten() {
        assert!(
            place.starts_with("data:") || place.starts_with('#'),
            "{}",
            &place[..60]
        );
    }
    // Two results beside each other, of several clips.
    rebone([
        "retarget",
        &walk,
        &chibi,
        "-o",
        &other,
        "--root-scale",
        "none",
        "--feet",
        "off",
    ])
    .done();
    let found = measured(&[&walk, &one, "--compare", &other, "-o", &page]);
    let html = std::fs::read_to_string(&page).unwrap();
    assert_eq!(embedded(&html), found);
    assert!(compare_shown(&html) > 45);
    let way = |name: &str| {
        found["clips"][0][name]["figures"]["penetration"]["value"]
            .as_f64()
            .unwrap()
    };
    assert!(
        way("report") < way("other"),
        "steps of a metre are too long for a child"
    );
    let moves = scratch.path("moves");
    std::fs::create_dir(&moves).unwrap();
    for name in ["walk.bvh", "wave.bvh", "jump.bvh"] {
        std::fs::copy(data(name), format!("{moves}/{name}")).unwrap();
    }
    rebone([
        "retarget",
        &moves,
        &adult,
        "-o",
        &scratch.path("all.glb"),
        "--report",
        &page,
    ])
    .done();
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("All clips") && html.contains("id=\"clip-2\""));
    assert!(compare_bars(&html) > 12);
    assert!(compare_shown(&html) > 100);
}

#[test]
fn what_cannot_be_measured_is_said() {
    let scratch = Scratch::new();
    let (walk, wave, adult) = (data("walk.bvh"), data("wave.bvh"), data("adult.glb"));
    let refused = |arguments: &[&str], expected: &str| {
        let run = rebone([&["report"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
    };
    refused(&[&walk, &adult], "no clip to be measured");
    refused(&[&adult, &walk], "no clip");
    refused(&[&walk, &walk, "--clip", "run"], "\"walk\"");
    refused(
        &[&walk, &walk, "-o", &scratch.path("x.txt")],
        "*.html or *.json",
    );
    refused(&[&walk, &walk, "-o", &walk], "overwrit");
    refused(&[&walk, "missing.glb"], "missing.glb");
    // Two clips of other names and lengths, one in each file: measured, with a word about it.
    let found = measured(&[&walk, &wave]);
    let codes: Vec<&str> = found["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|warning| warning["code"].as_str())
        .collect();
    assert!(codes.contains(&"report-lengths-differ"), "{codes:?}");
    assert_eq!(found["verdict"], "fail", "a walk is no wave");
}

/// Files of the corpus from many tools: every figure is a number, and the page can be made.
#[test]
fn corpus_files_are_measured() {
    let Some(corpus) = corpus() else { return };
    let scratch = Scratch::new();
    for (source, target) in [
        (
            "bvh_misc/pybvh/bvh_data/cmu_12_01_walk.bvh",
            "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb",
        ),
        (
            "ozz/media/fbx/pab/walk.fbx",
            "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
        ),
        (
            "vrm/chatvrm/public/idle_loop.vrma",
            "mpfb/derived/mpfb_default_no_toes.glb",
        ),
        (
            "quaternius/public/glb/animals_pack/Fox.glb",
            "quaternius/public/glb/animals_pack/Horse.glb",
        ),
    ] {
        let (source, target) = (corpus.join(source), corpus.join(target));
        if !source.exists() || !target.exists() {
            println!("SKIPPED: {} onto {}", source.display(), target.display());
            continue;
        }
        let (source, target) = (source.to_str().unwrap(), target.to_str().unwrap());
        let page = scratch.path("page.html");
        rebone([
            "retarget",
            source,
            target,
            "-o",
            &scratch.path("out.glb"),
            "--report",
            &page,
        ])
        .done();
        let html = std::fs::read_to_string(&page).unwrap();
        assert!(compare_shown(&html) > 20, "{source}");
        // Pictures in base64 may hold any letters.
        let words: String = html
            .split(";base64,")
            .map(|part| part.split_once('"').map_or(part, |(_, rest)| rest))
            .collect();
        assert!(
            words.contains("class=\"plot\"") && !words.contains("NaN"),
            "{source}"
        );
    }
}
