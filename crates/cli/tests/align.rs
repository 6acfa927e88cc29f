//! `align` and `render --retarget-pose` show what a recipe does to the retarget pose.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod common;

use common::{Scratch, corpus, data, rebone};

#[test]
fn a_recipe_shows_in_the_retarget_pose() {
    let scratch = Scratch::new();
    let (walk, adult) = (data("walk.bvh"), data("adult.glb"));
    let recipe = scratch.file(
        "recipe.toml",
        b"[target.calibration]\nleftUpperArm = { world = [0, 0, -30] }\n",
    );
    for files in [vec![&adult], vec![&walk, &adult]] {
        let lines = |more: &[&str]| -> usize {
            let mut arguments = vec!["align"];
            arguments.extend(files.iter().map(|file| file.as_str()));
            arguments.extend(more);
            let text = rebone(arguments).done().out;
            let of_arm = text.lines().filter(|line| line.contains("leftUpperArm"));
            of_arm.filter(|line| line.contains("by hand")).count()
        };
        assert_eq!(lines(&[]), 0);
        assert_eq!(lines(&["--recipe", &recipe]), 1);

        let picture = |more: &[&str]| {
            let path = scratch.path("pose.png");
            let mut arguments = vec!["render", "--retarget-pose", "-o", &path];
            arguments.extend(files.iter().map(|file| file.as_str()));
            arguments.extend(more);
            rebone(arguments).done();
            std::fs::read(&path).unwrap()
        };
        assert!(picture(&[]) != picture(&["--recipe", &recipe]));
    }
    let run = rebone([
        "render",
        "--recipe",
        &recipe,
        &adult,
        "-o",
        &scratch.path("x.png"),
    ]);
    assert_eq!(run.code, 2, "{}", run.out);
}

#[test]
fn an_animal_is_compared_with_animals() {
    let Some(corpus) = corpus() else { return };
    let horse = corpus.join("quaternius/public/glb/animals_pack/Horse.glb");
    let text = rebone(["align", horse.to_str().unwrap()]).done().out;
    assert!(text.contains("like an animal on four legs"), "{text}");
}

/// A pose that a recipe asks for is no doubt, and nothing is said of another that was not taken.
#[test]
fn a_chosen_pose_is_not_told_to_be_another() {
    let Some(corpus) = corpus() else { return };
    let knight = corpus.join("quaternius/public/glb/single_knight_pack/KnightCharacter.glb");
    let knight = knight.to_str().unwrap();
    let scratch = Scratch::new();
    let recipe = scratch.file("recipe.toml", b"[target]\npose = \"rest\"\n");
    let (walk, out) = (data("walk.bvh"), scratch.path("out.glb"));
    let run = rebone(["retarget", &walk, knight, "-o", &out]).done();
    assert!(run.err.contains("[rest-from-bind]"), "{}", run.err);
    let run = rebone(["retarget", &walk, knight, "--recipe", &recipe, "-o", &out]).done();
    assert!(!run.err.contains("[rest-from-bind]"), "{}", run.err);
}
