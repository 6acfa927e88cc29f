//! Maps of other tools over every rig of the corpus whose joints are labelled: written and read back they say
//! the same.

use rebone_model::Character;
use rebone_setup::by_hand::{HandLinks, hand_links};
use rebone_setup::foreign::{Tool, read, write};
use rebone_setup::mapping::{RigMap, apply_overrides, map_character};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn load(path: &Path) -> Option<Character> {
    let bytes = std::fs::read(path).ok()?;
    let folder = path.parent()?.to_path_buf();
    let resources =
        move |uri: &str| std::fs::read(folder.join(uri)).map_err(|error| error.to_string());
    let options = rebone_io::ReadOptions::default();
    let document = rebone_io::read(&bytes, &options, &resources).ok()?;
    let most = |character: &Character| character.skeleton.len();
    document.characters.into_iter().max_by_key(most)
}

/// The joint that carries each slot outside the torso, whose joints count as one chain.
fn carriers(map: &RigMap, character: &Character) -> BTreeMap<&'static str, String> {
    let torso = ["spine", "chest", "upperChest"];
    map.slots
        .iter()
        .map(|(slot, found)| {
            let joint = character.skeleton.unique_name(found.joints[0]);
            (map.profile.info(*slot).name, joint.to_owned())
        })
        .filter(|(slot, _)| !torso.contains(slot))
        .collect()
}

#[test]
fn maps_of_all_rigs_come_back() {
    let Some(corpus) = rebone_corpus::corpus() else {
        return;
    };
    let labels = std::fs::read_dir(corpus.join("truth")).unwrap();
    let files: BTreeSet<String> = labels
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .filter_map(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("file = \""));
            Some(line?.trim_end_matches('"').to_owned())
        })
        .collect();
    let walk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/walk.bvh");
    let source = load(&walk).unwrap();
    let source_map = map_character(&source);
    let (mut rigs, mut problems) = (0, Vec::new());
    for file in &files {
        let Some(target) = load(&corpus.join(file)) else {
            continue;
        };
        let map = map_character(&target);
        if map.slots.len() < 8 || map.profile.name != "humanoid" {
            continue;
        }
        rigs += 1;
        let expected = carriers(&map, &target);
        let (from, to) = ((&source, &source_map), (&target, &map));
        for tool in Tool::ALL {
            let written = write(tool, Some(from), to, &HandLinks::default()).unwrap();
            let (recipe, _) = read(&written.text).unwrap().recipe(from, to);
            let mut back = map.clone();
            apply_overrides(&mut back, &target, &recipe.target.slots).unwrap();
            let by_hand = hand_links(&source, &target, &recipe.links).unwrap();
            // A name that several joints have cannot lead back; the writer says so.
            let told = |joint: &str| {
                let name = joint.rsplit('/').next().unwrap_or(joint);
                let said = |text: &str| text.contains("one of several") && text.contains(name);
                written
                    .warnings
                    .iter()
                    .any(|warning| said(&warning.message))
            };
            let found = carriers(&back, &target);
            for (slot, joint) in &expected {
                if found.get(slot) != Some(joint) && !told(joint) {
                    problems.push(format!("{file} as {}: {slot} was {joint}", tool.name()));
                }
            }
            let torso = rebone_setup::links::torso(&map);
            if by_hand.pairs.iter().any(|pair| !torso.contains(&pair.1)) {
                problems.push(format!("{file} as {}: links beside the slots", tool.name()));
            }
        }
    }
    assert!(rigs > 40, "only {rigs} rigs were read");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    println!("{rigs} rigs in the maps of {} tools", Tool::ALL.len());
}
