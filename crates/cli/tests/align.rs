//! `align` and `render --retarget-pose` show what a recipe does to the retarget pose.
use crate::common::{Glb, Scratch, corpus, data, rebone};

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

/// Joints that point back up the forearm are no knuckles, whatever they are called: the hand stays as it is.
#[test]
fn knuckles_behind_the_wrist_turn_no_hand() {
    let scratch = Scratch::new();
    let mut glb = Glb::sample("adult.glb");
    let nodes = glb.json["nodes"].as_array_mut().unwrap();
    let ends_with = |node: &serde_json::Value, name: &str| {
        node["name"].as_str().is_some_and(|own| own.ends_with(name))
    };
    let hand = nodes
        .iter()
        .find(|node| ends_with(node, "LeftHand"))
        .unwrap();
    let fingers: Vec<usize> = hand["children"]
        .as_array()
        .unwrap()
        .iter()
        .map(|child| child.as_u64().unwrap() as usize)
        .collect();
    assert_eq!(fingers.len(), 5);
    for finger in fingers {
        for number in nodes[finger]["translation"].as_array_mut().unwrap() {
            *number = (-number.as_f64().unwrap()).into();
        }
    }
    let path = scratch.file("odd.glb", &glb.bytes());
    let found = rebone(["align", &path, "--json"]).done().json();
    let slots = found["files"][0]["slots"].as_array().unwrap();
    let slot = |name: &str| slots.iter().find(|slot| slot["slot"] == name).unwrap();
    assert_eq!(slot("leftHand")["evidence"], "none", "{}", slot("leftHand"));
    assert_eq!(
        slot("rightHand")["evidence"],
        "palm",
        "{}",
        slot("rightHand")
    );
}
