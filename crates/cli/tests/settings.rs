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
    for rare in ["--floor", "--pin", "--target-skeleton", "--recursive"] {
        assert!(!short.contains(rare) && long.contains(rare), "{rare}");
    }
    assert!(!long.contains("--foot-lock"), "{long}");
}

/// Flags that go still work, and say what replaces them.
#[test]
fn a_flag_that_goes_says_what_replaces_it() {
    let scratch = Scratch::new();
    let (walk, hero) = (data("walk.bvh"), data("brute.glb"));
    let made = |name: &str, choices: &[&str]| {
        let out = scratch.path(name);
        let mut arguments = vec!["retarget", &walk, &hero, "-o", &out];
        arguments.extend(choices);
        (rebone(arguments).done().err, std::fs::read(&out).unwrap())
    };
    for (flags, settings) in [
        (&["--foot-lock", "0.5"][..], &["feet.lock=0.5"][..]),
        (&["--weight", "arms=0.5"], &["target.weights.arms=0.5"]),
        (
            &["--look-at", "0,1.5,2"],
            &["target.look_at.point=[0, 1.5, 2]"],
        ),
        (
            &["--ground", "off", "--own-body", "off"],
            &["ground=false", "own_body=0"],
        ),
    ] {
        let (said, by_flag) = made("flag.glb", flags);
        let sets: Vec<&str> = settings
            .iter()
            .flat_map(|setting| ["--set", *setting])
            .collect();
        let (unsaid, by_setting) = made("set.glb", &sets);
        assert!(by_flag == by_setting, "{flags:?}");
        assert!(said.contains("hint: ") && said.contains("--set "), "{said}");
        assert!(!unsaid.contains("hint: "), "{unsaid}");
    }
}
