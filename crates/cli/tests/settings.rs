//! `--set`, `rebone settings`, and how much help there is at once.

use crate::common::{Scratch, data, rebone};

#[test]
fn a_setting_is_what_a_recipe_with_it_is() {
    let scratch = Scratch::new();
    let recipe = scratch.file("a.toml", b"preset = \"mixamo\"\n[feet]\nlock = 0.2\n");
    let whole = scratch.file(
        "b.toml",
        b"preset = \"mixamo\"\n[feet]\nlock = 0.7\npull = 0.5\n",
    );
    let (walk, hero) = (data("walk.bvh"), data("brute.glb"));
    let made = |name: &str, choices: &[&str]| {
        let out = scratch.path(name);
        let mut arguments = vec!["retarget", &walk, &hero, "-o", &out];
        arguments.extend(choices);
        rebone(arguments).done();
        std::fs::read(&out).unwrap()
    };
    let set = ["--set", "feet.lock=0.7", "--set", "feet.pull = 0.5"];
    let expected = made("b.glb", &["--recipe", &whole]);
    let over = made(
        "a.glb",
        &[&["--recipe", recipe.as_str()], set.as_slice()].concat(),
    );
    let alone = made(
        "c.glb",
        &[&["--set", "preset=mixamo"], set.as_slice()].concat(),
    );
    assert!(over == expected && alone == expected);
    let plain = made("d.glb", &["--recipe", &recipe]);
    assert!(plain != expected);

    for (wrong, said) in [
        ("feet.lok=1", "the nearest is feet.lock"),
        ("feet.lock=high", "it is 0 to 1"),
    ] {
        let out = scratch.path("wrong.glb");
        let run = rebone(["retarget", &walk, &hero, "-o", &out, "--set", wrong]);
        assert_eq!(run.code, 2);
        assert!(
            run.err.contains(said) && run.err.contains("rebone settings"),
            "{}",
            run.err
        );
    }
}

#[test]
fn settings_are_listed_by_word() {
    let some = rebone(["settings", "FEET"]).done().out;
    assert!(some.contains("feet.lock = 0 to 1\n"), "{some}");
    assert!(!some.contains("chains"), "{some}");
    let json = rebone(["settings", "--json"]).done().json();
    let all = json["settings"].as_array().unwrap();
    assert!(all.len() > 100 && all.iter().any(|one| one["key"] == "root_scale"));
    let none = rebone(["settings", "nothing of that kind"]);
    assert_eq!(none.code, 2);
}

/// `-h` fits a screen; `--help` leaves nothing out.
#[test]
fn short_help_is_short() {
    let short = rebone(["retarget", "-h"]).done().out;
    assert!(short.lines().count() <= 50, "{short}");
    assert!(
        short.contains("--set") && short.contains("rebone settings"),
        "{short}"
    );
    let long = rebone(["retarget", "--help"]).done().out;
    for rare in ["--ground", "--twins", "--target-skeleton", "--recursive"] {
        assert!(!short.contains(rare) && long.contains(rare), "{rare}");
    }
}
