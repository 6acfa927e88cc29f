//! Maps: the page about them runs, and those of other tools are read and written.
use crate::common::{Scratch, data, rebone};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The sample avatar with the labels of its right arm one joint off.
fn mislabelled() -> Vec<u8> {
    let bytes = std::fs::read(data("chibi.vrm")).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut document: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
    let labels = document["extensions"]["VRMC_vrm"]["humanoid"]["humanBones"]
        .as_object_mut()
        .unwrap();
    let hand = labels.remove("rightHand").unwrap();
    labels.insert("rightLowerArm".to_owned(), hand);
    let mut text = serde_json::to_vec(&document).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &bytes[20 + length..];
    let mut result = bytes[..8].to_vec();
    result.extend((20 + text.len() as u32 + rest.len() as u32).to_le_bytes());
    result.extend((text.len() as u32).to_le_bytes());
    result.extend(b"JSON");
    result.extend(text);
    result.extend(rest);
    result
}

/// Puts the lines of a block of the page into a recipe, in place of those of the same slots.
fn edit(recipe: &str, block: &str) -> String {
    let (before, target) = recipe.split_once("[target.slots]").unwrap();
    let mut target = target.to_owned();
    for line in block.lines() {
        let slot = line.split(" = ").next().unwrap();
        let old = target
            .lines()
            .find(|other| {
                other
                    .trim_start_matches("# ")
                    .starts_with(&format!("{slot} = "))
            })
            .unwrap_or_else(|| panic!("the recipe has no line for {slot}"))
            .to_owned();
        assert_ne!(old, line, "the page changes nothing about {slot}");
        target = target.replace(&format!("\n{old}\n"), &format!("\n{line}\n"));
    }
    format!("{before}[target.slots]{target}")
}

/// The promise of the page's title: every command in it runs and prints what it shows (S1.8).
#[test]
fn the_page_about_maps_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/maps.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("data")).unwrap();
    for name in ["wave.bvh", "walk.bvh"] {
        std::fs::copy(data(name), at("data").join(name)).unwrap();
    }
    std::fs::write(at("figure.vrm"), mislabelled()).unwrap();
    let (mut commands, mut edits) = (0, 0);
    for block in page.split("\n```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').unwrap();
        if kind == "toml" {
            let recipe = std::fs::read_to_string(at("wave.toml")).unwrap();
            std::fs::write(at("wave.toml"), edit(&recipe, text)).unwrap();
            edits += 1;
        }
        if kind != "console" {
            continue;
        }
        for command in text.split("$ ").skip(1) {
            let (line, expected) = command.split_once('\n').unwrap_or((command, ""));
            let output = Command::new(env!("CARGO_BIN_EXE_rebone"))
                .args(line.split_whitespace().skip(1))
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert!(output.status.success(), "{line}: {output:?}");
            let printed = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            for expected in expected.lines().filter(|text| !text.trim().is_empty()) {
                assert!(printed.contains(expected), "{line} printed\n{printed}");
            }
            commands += 1;
        }
    }
    assert!(commands >= 8 && edits == 1, "the page lost its commands");

    let made = std::fs::read(at("maps.png")).unwrap();
    let shown = root.join("docs/images/maps.png");
    if std::env::var_os("REBONE_UPDATE").is_some() {
        std::fs::write(&shown, &made).unwrap();
    }
    assert!(
        made == std::fs::read(&shown).unwrap(),
        "docs/images/maps.png is stale: run with REBONE_UPDATE=1"
    );
}

#[test]
fn maps_of_every_tool_are_written_and_serve_as_recipes() {
    let scratch = Scratch::new();
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let out = scratch.path("out.glb");
    for tool in [
        "unreal",
        "unity",
        "godot",
        "humanik",
        "rokoko",
        "auto-rig-pro",
        "expy-kit",
        "keemap",
        "threejs",
        "qtmesh",
    ] {
        let map = scratch.path(&format!("{tool}.map"));
        rebone(["map", &walk, &brute, "-o", &map, "--as", tool]).done();
        let run = rebone([
            "retarget", &walk, &brute, "--recipe", &map, "-o", &out, "--json", "--feet", "off",
        ])
        .done();
        let report = &run.json()["clips"][0]["report"];
        assert!(
            report["max_direction_degrees"].as_f64().unwrap() < 2.5,
            "{tool}: {report}"
        );
        let shown = rebone(["map", &walk, &brute, "--recipe", &map, "--json"])
            .done()
            .json();
        assert!(shown["links"].as_array().unwrap().len() > 40, "{tool}");
    }
}

#[test]
fn links_by_hand_are_shown_saved_and_wrong_ones_explained() {
    let scratch = Scratch::new();
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let recipe = scratch.file(
        "r.toml",
        b"[links]\nhead = \"mixamorig:Neck\"\nhand_l = \"\"\n",
    );
    let shown = rebone(["map", &walk, &brute, "--recipe", &recipe])
        .done()
        .out;
    assert!(
        shown.contains("by hand                  mixamorig:Neck"),
        "{shown}"
    );
    let json = rebone(["map", &walk, &brute, "--recipe", &recipe, "--json"])
        .done()
        .json();
    let own = &json["by_hand"];
    assert_eq!(own[0]["source"], "mixamorig:Neck");
    assert_eq!(own[1]["source"], Value::Null);
    assert!(json["target"]["slots"]["head"].get("runner_up").is_some());
    let (saved, out) = (scratch.path("saved.toml"), scratch.path("out.glb"));
    let arguments = [
        "retarget",
        &walk,
        &brute,
        "--recipe",
        &recipe,
        "--save-recipe",
        &saved,
        "-o",
        &out,
    ];
    rebone(arguments).done();
    let text = std::fs::read_to_string(&saved).unwrap();
    assert!(text.contains("\nhead = \"mixamorig:Neck\"\n"), "{text}");

    let wrong = scratch.file("w.toml", b"[links]\nhaed = \"mixamorig:Neck\"\n");
    let run = rebone(["retarget", &walk, &brute, "--recipe", &wrong, "-o", &out]);
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("\"haed\"; the nearest name is \"head\""),
        "{}",
        run.err
    );
}

/// Whatever a recipe may hold is in the recipe that `--save-recipe` writes.
#[test]
fn every_choice_of_a_recipe_is_saved() {
    let scratch = Scratch::new();
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let text = "profile = \"humanoid\"\npreset = \"mixamo\"\nmethod = \"rest-delta\"\nroot_scale = [0.5, 0.6, 0.5]\n\
        rate_hz = 24.0\ntwist = 0.5\nground = 0.25\nown_body = 0.75\nmirror = \"ready\"\nacross_kinds = true\nroot_motion = { mode = \"in-place\", axes = \"z\", smooth_seconds = 0.1 }\n\
        [chains]\nleftHand = \"rightHand\"\nleftEye = \"rightEye\"\njaw = \"\"\n\
        [translations]\nall = \"none\"\nleftFoot = \"absolute\"\n\
        [feet]\nlock = 0.5\nfloor = \"off\"\n\
        [contacts]\nspeed = 0.25\nground = 0.01\n[contacts.points]\nleftHeel = [[0.1, 0.5]]\n[contacts.clips.walk]\nseat = { add = [[0, 1, 0.5]] }\n\
        [curves]\n\"expression:aa\" = \"jawOpen\"\n\
        [chain_modes]\ntorso = \"end-exact\"\nneck = \"copy-local\"\n\
        [links]\nhead = \"mixamorig:Neck\"\nhand_l = \"\"\nspine_02 = [\"mixamorig:Spine\", \"mixamorig:Spine1\"]\n\
        [source]\npose = \"frame 2\"\nup = \"+y\"\nforward = \"Z\"\nembed = false\nroot = \"\"\n\
        [source.slots]\nleftToes = []\nneck = [\"mixamorig:Neck\"]\n\
        [source.calibration]\nleftUpperArm = { local = [1, 0, 10.5] }\n\
        [source.place]\nturn_degrees = 90\nshift = [1, 0, 0.5]\n\
        [target]\npose = \"bind\"\nembed = false\nroot = \"\"\n\
        [target.slots]\nrightToes = []\n\
        [target.weights]\narms = 0.5\nleftUpperArm = 0.5\nfingers = 0.0\n\
        [target.calibration]\nhead = { world = [0, 3, 0], replace = true }\n\
        [target.twins]\nhand_l = \"hand_r\"\n\
        [target.spacing]\narms = 3.5\n[target.look_at]\npoint = [1, 1.5, 2]\nyaw = 40\n\
        [hands]\nmode = \"always\"\nnear = 0.3\nassist = 0.5\n\
        [[pins]]\nend = \"leftHand\"\npoint = [0.3, 1.2, 0.4]\nfrom = 0.2\nblend_out = 0.5\n\
        [[pins]]\nend = \"rightFoot\"\nscale = [1, 1, 1.2]\nweight = 0.5\n\
        [limits]\nuse = \"human\"\n[limits.slots]\nleftFoot = { bend = [-5, 5] }\nhead = \"none\"\n";
    let recipe = scratch.file("r.toml", text.as_bytes());
    let (saved, out) = (scratch.path("saved.toml"), scratch.path("out.glb"));
    rebone([
        "retarget",
        &walk,
        &brute,
        "--recipe",
        &recipe,
        "--save-recipe",
        &saved,
        "-o",
        &out,
    ])
    .done();
    let written = std::fs::read_to_string(&saved).unwrap();
    let (wanted, found) = (
        rebone::Recipe::parse(text).unwrap(),
        rebone::Recipe::parse(&written).unwrap(),
    );
    // What was chosen is all there; slots and chains that were found come on top.
    let taken = |mut recipe: rebone::Recipe| {
        let sides = [&mut recipe.source, &mut recipe.target];
        let slots = sides.map(|side| std::mem::take(&mut side.slots));
        (slots, std::mem::take(&mut recipe.chains), recipe)
    };
    let (slots, chains, wanted) = taken(wanted);
    let (found_slots, found_chains, found) = taken(found);
    assert_eq!(found, wanted, "{written}");
    for (to, from) in &chains {
        assert_eq!(found_chains.get(to), Some(from), "{written}");
    }
    for (slots, found) in slots.iter().zip(&found_slots) {
        assert!(!slots.is_empty(), "{written}");
        for (slot, joints) in slots {
            assert_eq!(found.get(slot), Some(joints), "{written}");
        }
    }
    // What was saved does the same.
    let again = scratch.path("again.glb");
    rebone(["retarget", &walk, &brute, "--recipe", &saved, "-o", &again]).done();
    assert!(std::fs::read(&out).unwrap() == std::fs::read(&again).unwrap());
}

#[test]
fn what_cannot_be_written_is_said() {
    let scratch = Scratch::new();
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let json = scratch.path("m.json");
    let run = rebone(["map", &walk, &brute, "-o", &json]);
    assert!(run.code == 2 && run.err.contains("--as"), "{}", run.err);
    let toml = scratch.path("m.toml");
    let run = rebone(["map", &brute, "-o", &toml]);
    assert!(
        run.code == 2 && run.err.contains("only one file"),
        "{}",
        run.err
    );
    let run = rebone(["map", &brute, "-o", &json, "--as", "keemap"]);
    assert!(
        run.code == 2 && run.err.contains("from one rig to another"),
        "{}",
        run.err
    );
    let tres = scratch.path("m.tres");
    rebone(["map", &brute, "-o", &tres]).done();
    assert!(
        std::fs::read_to_string(&tres)
            .unwrap()
            .contains("bone_map/Hips = &\"pelvis\"")
    );
}

/// What is wrong is said of the file that is to be corrected, in words of what it is.
#[test]
fn broken_maps_and_recipes_are_named() {
    let scratch = Scratch::new();
    let (walk, brute) = (data("walk.bvh"), data("brute.glb"));
    let refused = |name: &str, text: &str, expected: &[&str]| {
        let path = scratch.file(name, text.as_bytes());
        for run in [
            rebone(["map", &walk, &brute, "--recipe", &path]),
            rebone(["align", &walk, &brute, "--recipe", &path]),
        ] {
            assert_eq!(run.code, 2, "{name}: {}", run.out);
            for part in expected.iter().chain([&name]) {
                assert!(run.err.contains(part), "{name}: {}", run.err);
            }
        }
    };
    refused(
        "cut.json",
        "{\"bones\": [{\"name\": \"Hi",
        &["begins as JSON", "line 1"],
    );
    refused("cut.py", "import unreal\n", &["neither a recipe nor a map"]);
    refused("slip.toml", "[target.slots\n", &["docs/recipe.md"]);
    refused(
        "slot.toml",
        "[target.slots]\nleftHandd = [\"hand_l\"]\n",
        &["brute.glb", "did you mean \"leftHand\"?"],
    );
}

/// What nothing of the source moves is not lost by the format.
#[test]
fn a_map_of_a_pair_is_silent_about_joints_that_nothing_moves() {
    let scratch = Scratch::new();
    let path = scratch.path("pairs.json");
    let handless = scratch.file(
        "recipe.toml",
        b"[source.slots]\nleftIndexProximal = []\nleftIndexIntermediate = []\nleftIndexDistal = []\n",
    );
    let (walk, adult) = (data("walk.bvh"), data("adult.glb"));
    let pair = ["map", &walk, &adult, "--recipe", &handless];
    let found = rebone(pair.iter().chain(&["--json"])).done().json();
    assert!(!found["links"].to_string().contains("leftIndex"));
    let run = rebone(pair.iter().chain(&["-o", &path, "--as", "keemap"])).done();
    assert!(!run.err.contains("foreign-not-kept"), "{}", run.err);
}

/// The joints from which a person fills the slots stand below their own parents, whatever the order of the file.
#[test]
fn the_joints_of_an_unknown_rig_are_listed_as_a_tree() {
    let scratch = Scratch::new();
    let (robot, recipe) = (scratch.path("lamp.urdf"), scratch.path("lamp.toml"));
    let mut text = String::from("<robot name=\"lamp\">");
    for link in ["base", "stalk", "cable", "shade", "plug"] {
        text.push_str(&format!("<link name=\"{link}\"/>"));
    }
    for (above, below) in [
        ("base", "stalk"),
        ("base", "cable"),
        ("stalk", "shade"),
        ("cable", "plug"),
    ] {
        text.push_str(&format!(
            "<joint name=\"{below}_joint\" type=\"revolute\"><origin xyz=\"0 0 0.3\"/><parent link=\"{above}\"/>\
             <child link=\"{below}\"/><axis xyz=\"1 0 0\"/><limit lower=\"-1\" upper=\"1\"/></joint>"
        ));
    }
    text.push_str("</robot>");
    std::fs::write(&robot, text).unwrap();
    rebone(["map", &data("walk.bvh"), &robot, "-o", &recipe]).done();
    let written = std::fs::read_to_string(&recipe).unwrap();
    let tree = "# \"base\"\n#   \"stalk\"\n#     \"shade\"\n#   \"cable\"\n#     \"plug\"\n";
    assert!(written.contains(tree), "{written}");
}
