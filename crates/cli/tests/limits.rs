//! `--limits`, `--limits-from`, `--arm-spacing`, `--leg-spacing`, `--look-at`.

use crate::common::{Scratch, data, rebone};

fn bytes(path: &str) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

#[test]
fn rules_change_the_result_and_their_recipe_makes_the_same() {
    let scratch = Scratch::new();
    let (walk, adult) = (data("walk.bvh"), data("adult.glb"));
    let plain = scratch.path("plain.glb");
    rebone(["retarget", &walk, &adult, "-o", &plain]).done();
    let tight = scratch.path("tight.toml");
    let narrow = "[limits]\nslots.leftLowerLeg = { hinge = true, bend = [0, 20], soft = 0 }\n";
    std::fs::write(&tight, narrow).unwrap();
    for (index, rules) in [
        ["--recipe", tight.as_str()].as_slice(),
        &["--arm-spacing", "8", "--leg-spacing", "-3"],
        &["--look-at", "-1,1.5,2"],
        &["--limits-from", &data("wave.glb")],
    ]
    .into_iter()
    .enumerate()
    {
        let [out, again, recipe] =
            ["a.glb", "b.glb", "r.toml"].map(|name| scratch.path(&format!("{index}{name}")));
        let mut arguments = vec![
            "retarget",
            &walk,
            &adult,
            "-o",
            &out,
            "--save-recipe",
            &recipe,
        ];
        arguments.extend(rules);
        rebone(arguments).done();
        assert_ne!(bytes(&out), bytes(&plain), "{rules:?}");
        rebone(["retarget", &walk, &adult, "-o", &again, "--recipe", &recipe]).done();
        assert!(
            bytes(&out) == bytes(&again),
            "{rules:?}: the recipe makes another file"
        );
    }
}

#[test]
fn a_compiled_pair_keeps_the_rules() {
    let scratch = Scratch::new();
    let (walk, adult) = (data("walk.bvh"), data("adult.glb"));
    let [plain, ruled] = ["plain.retarget", "ruled.retarget"].map(|name| scratch.path(name));
    rebone(["compile", &walk, &adult, "-o", &plain]).done();
    rebone([
        "compile",
        &walk,
        &adult,
        "-o",
        &ruled,
        "--limits",
        "human",
        "--arm-spacing",
        "5",
        "--look-at",
        "0,1,3",
    ])
    .done();
    assert!(bytes(&ruled).len() > bytes(&plain).len() + 500);
    let [one, other] = [(&plain, "one.glb"), (&ruled, "other.glb")].map(|(asset, name)| {
        let out = scratch.path(name);
        rebone(["apply", asset, &walk, "-o", &out]).done();
        bytes(&out)
    });
    assert_ne!(one, other);
}

#[test]
fn wrong_rules_are_refused() {
    let scratch = Scratch::new();
    let (walk, adult, out) = (data("walk.bvh"), data("adult.glb"), scratch.path("o.glb"));
    for (rules, words) in [
        (["--limits", "tight"].as_slice(), "human"),
        (&["--limits-from", "gone.glb"], "gone.glb"),
        (&["--limits-from", &adult], "no clip"),
        (
            &["--limits", "human", "--limits-from", &walk],
            "--limits-from",
        ),
        (&["--arm-spacing", "90"], "it is -60 to 60"),
        (
            &["--look-at", "1,2"],
            "it is [a number, a number, a number]",
        ),
        (
            &["--look-at", "1,2,x"],
            "it is [a number, a number, a number]",
        ),
    ] {
        let mut arguments = vec!["retarget", &walk, &adult, "-o", &out];
        arguments.extend(rules);
        let run = rebone(arguments);
        assert_eq!(run.code, 2, "{rules:?}");
        assert!(run.err.contains(words), "{rules:?}: {}", run.err);
        assert!(!std::path::Path::new(&out).exists());
    }
}
