//! `rebone recipe`, and what compile takes of a recipe (S4.9).

use crate::common::{Scratch, data, rebone};

#[test]
fn differences_are_told() {
    let scratch = Scratch::new();
    let one = scratch.file(
        "one.toml",
        b"preset = \"faithful\"\n[source.slots]\nhips = \"Hips\"\nleftToes = []\n",
    );
    let other = scratch.file(
        "other.toml",
        b"# other\nroot_scale = \"none\"\n[target.weights]\nfingers = 0\n[source.slots]\nhips = [\"Hips\"]\n",
    );
    let run = rebone(["recipe", &one, &other]).done();
    assert_eq!(
        run.out,
        "3 differences\n  root_scale: changed from \"auto\" to \"none\"\n  source.slots.leftToes: removed, it was []\n  \
         target.weights.fingers: added, 0.0\n"
    );
    let json = rebone(["recipe", &one, &other, "--json"]).done().json();
    assert_eq!(json["equal"], false);
    assert_eq!(json["differences"][2]["key"], "target.weights.fingers");
    assert_eq!(json["differences"][2]["change"], "added");
    assert_eq!(json["differences"][2]["before"], serde_json::Value::Null);
    assert_eq!(json["differences"][2]["after"], "0.0");
    let same = rebone(["recipe", &one, &one]).done();
    assert_eq!(same.out, "both recipes say the same\n");
    let json = rebone(["recipe", &one, &one, "--json"]).done().json();
    assert_eq!(json["equal"], true);
    let alone = rebone(["recipe", &other]).done().out;
    assert_eq!(
        alone,
        "3 choices beside the defaults\n  root_scale = \"none\"\n  source.slots.hips = [\"Hips\"]\n  \
         target.weights.fingers = 0.0\n"
    );
}

#[test]
fn what_is_no_recipe_is_refused() {
    let scratch = Scratch::new();
    let wrong = scratch.file("wrong.toml", b"\nratehz = 3\n");
    let right = scratch.file("right.toml", b"rate_hz = 3\n");
    for arguments in [vec!["recipe", &wrong], vec!["recipe", &right, &wrong]] {
        let run = rebone(arguments);
        assert_eq!(run.code, 2);
        assert!(run.err.contains("wrong.toml"), "{}", run.err);
        assert!(
            run.err.contains("(at ratehz); did you mean \"rate_hz\"?"),
            "{}",
            run.err
        );
    }
    assert_eq!(rebone(["recipe"]).code, 2);
    let schema = rebone(["recipe", "--schema"]).done();
    assert_eq!(schema.json()["title"], "Rebone recipe");
}

/// What `rebone map` writes, and what a run saves, is valid, and says what was chosen.
#[test]
fn written_recipes_can_be_compared() {
    let scratch = Scratch::new();
    let (walk, chibi) = (data("walk.bvh"), data("chibi.vrm"));
    let (found, saved, compiled) = (
        scratch.path("found.toml"),
        scratch.path("saved.toml"),
        scratch.path("compiled.toml"),
    );
    rebone(["map", &walk, &chibi, "-o", &found]).done();
    let choices = [
        "--preset",
        "humanik",
        "--root-scale",
        "1,1,0.5",
        "--weight",
        "arms=0.5",
    ];
    let (result, asset) = (scratch.path("r.glb"), scratch.path("r.retarget"));
    let run = |command: &str, output: &str, recipe: &str| {
        let start = [
            command,
            &walk,
            &chibi,
            "-o",
            output,
            "--save-recipe",
            recipe,
        ];
        rebone(start.into_iter().chain(choices)).done()
    };
    run("retarget", &result, &saved);
    run("compile", &asset, &compiled);
    let same = rebone(["recipe", &saved, &compiled]).done();
    assert_eq!(same.out, "both recipes say the same\n");
    let told = rebone(["recipe", &found, &saved]).done().out;
    assert!(told.starts_with("3 differences\n"), "{told}");
    assert!(
        told.contains("preset: changed from \"faithful\" to \"humanik\""),
        "{told}"
    );
}

/// What a recipe or the command line says is in the file, or is named.
#[test]
fn compile_takes_what_retarget_takes() {
    let scratch = Scratch::new();
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let (asset, applied, direct) = (
        scratch.path("x.retarget"),
        scratch.path("applied.bvh"),
        scratch.path("direct.bvh"),
    );
    for choices in [
        vec!["--method", "rest-delta", "--root-scale", "none"],
        vec![
            "--preset",
            "match-source",
            "--profile",
            "humanoid",
            "--across-kinds",
        ],
        vec!["--rest-frame", "3", "--turn", "30"],
        vec!["--target-rest", &brute, "--rest", &walk],
    ] {
        let with = |start: &[&str]| {
            let all: Vec<&str> = start.iter().chain(&choices).copied().collect();
            rebone(all).done()
        };
        with(&["compile", &walk, &brute, "-o", &asset]);
        with(&["retarget", &walk, &brute, "-o", &direct]);
        rebone(["apply", &asset, &walk, "-o", &applied]).done();
        let texts = [&applied, &direct].map(|path| std::fs::read_to_string(path).unwrap());
        let motion = |text: &str| text.split("MOTION").nth(1).unwrap().to_owned();
        assert_eq!(motion(&texts[0]), motion(&texts[1]), "{choices:?}");
    }
    let far = rebone([
        "compile",
        &walk,
        &brute,
        "-o",
        &asset,
        "--rest-frame",
        "99999",
    ]);
    assert_eq!(far.code, 2, "{}", far.err);
    assert!(far.err.contains("rebone inspect"), "{}", far.err);
    let recipe = scratch.file(
        "r.toml",
        b"rate_hz = 30\nadditive = \"rest\"\n[curves]\nA = \"B\"\n",
    );
    let warnings = |more: &[&str]| {
        let start = ["compile", &walk, &brute, "-o", &asset, "--json"];
        let json = rebone(start.iter().chain(more)).done().json();
        let all = json["warnings"].as_array().unwrap().clone();
        all.into_iter()
            .filter(|warning| warning["code"] == "not-in-asset")
            .map(|warning| warning["message"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let told = warnings(&["--recipe", &recipe]);
    assert_eq!(told.len(), 1);
    assert!(told[0].contains("additive, curves, rate_hz"), "{told:?}");
    let told = warnings(&["--recipe", &recipe, "--rebind"]);
    assert_eq!(told.len(), 1);
    assert_eq!(warnings(&["--curve", "A=B"]).len(), 1);
    assert!(warnings(&[]).is_empty());
}
