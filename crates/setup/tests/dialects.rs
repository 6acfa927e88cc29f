//! Naming conventions: each is a data file, and what it says is seen in one reviewed list.

use rebone_model::{Character, NewJoint, SkeletonBuilder, Transform, Vec3};
use rebone_setup::mapping::{MapOptions, RigMap, map_character_with};
use rebone_setup::profile::dialect::{Dialect, dialects};
use rebone_setup::profile::{HUMANOID, Part, Side, Slot};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Joints of the torso that a synthetic rig has at most.
const MOST_TORSO: usize = 5;

fn may_be_chain(part: Part) -> bool {
    matches!(
        part,
        Part::Neck
            | Part::Shoulder
            | Part::UpperArm
            | Part::LowerArm
            | Part::Hand
            | Part::UpperLeg
            | Part::LowerLeg
    )
}

/// Where the joint of a slot stands in a T-pose of 1.75 m that faces +Z.
fn place(slot: Slot) -> Vec3 {
    let info = HUMANOID.info(slot);
    let side = info.side.sign();
    let along = |x: f32, y: f32, z: f32| Vec3::new(side * x, y, z);
    match info.part {
        Part::Hips => Vec3::new(0.0, 1.0, 0.0),
        Part::Torso => Vec3::new(0.0, 1.2, 0.0),
        Part::Neck => Vec3::new(0.0, 1.48, 0.0),
        Part::Head => Vec3::new(0.0, 1.58, 0.0),
        Part::Face => along(0.03, 1.64, 0.08),
        Part::Shoulder => along(0.04, 1.42, 0.0),
        Part::UpperArm => along(0.18, 1.42, 0.0),
        Part::LowerArm => along(0.46, 1.42, 0.0),
        Part::Hand => along(0.72, 1.42, 0.0),
        Part::UpperLeg => along(0.1, 0.95, 0.0),
        Part::LowerLeg => along(0.1, 0.52, 0.01),
        Part::Foot => along(0.1, 0.09, 0.0),
        Part::Toes => along(0.1, 0.02, 0.13),
        Part::Thumb | Part::Finger => {
            let row = ["Thumb", "Index", "Middle", "Ring", "Little"]
                .iter()
                .position(|finger| info.name.contains(finger))
                .unwrap();
            let first = |word: &str| info.name.ends_with(word);
            let joint = match (
                info.part,
                first("Metacarpal"),
                first("Proximal"),
                first("Distal"),
            ) {
                (Part::Thumb, true, ..) | (Part::Finger, _, true, _) => 0.0,
                (_, _, _, true) => 2.0,
                _ => 1.0,
            };
            let z = 0.05 - 0.025 * row as f32;
            match info.part {
                Part::Thumb => along(0.75 + 0.03 * joint, 1.40, 0.06 + 0.02 * joint),
                _ => along(0.82 + 0.035 * joint, 1.42, z),
            }
        }
        _ => unreachable!("no slot of the humanoid"),
    }
}

/// A rig with the names of a dialect, and which joint is to be which slot (the torso as `torso`).
fn rig(dialect: &Dialect) -> (Character, BTreeMap<String, Vec<String>>) {
    let mut builder = SkeletonBuilder::new();
    let mut places: Vec<Vec3> = Vec::new();
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut last_of: BTreeMap<Slot, usize> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let mut add = |name: &str, parent: Option<usize>, at: Vec3| {
        let from = parent.map_or(Vec3::ZERO, |parent: usize| places[parent]);
        places.push(at);
        builder.add(NewJoint::new(
            name,
            parent,
            Transform::from_translation(at - from),
        ))
    };
    let mut torso_top = None;
    for slot in HUMANOID.all() {
        let info = HUMANOID.info(slot);
        let mut above = HUMANOID.parent(slot);
        while above.is_some_and(|above| !last_of.contains_key(&above)) {
            above = above.and_then(|above| HUMANOID.parent(above));
        }
        let on_torso = matches!(info.part, Part::Neck | Part::Shoulder | Part::Head)
            || info.part == Part::UpperArm;
        let in_torso =
            above.is_some_and(|above| HUMANOID.info(above).part == Part::Hips) && on_torso;
        let mut parent = if in_torso { torso_top } else { None };
        parent = parent.or_else(|| above.map(|above| last_of[&above]));
        if info.part == Part::Torso {
            if info.name == "spine" {
                let names: Vec<&str> = dialect
                    .torso
                    .iter()
                    .map(|name| name.text.as_str())
                    .collect();
                let names = &names[..names.len().min(MOST_TORSO)];
                for (index, name) in names.iter().enumerate() {
                    let up = 1.05 + 0.32 * (index as f32 + 1.0) / (names.len() as f32 + 1.0);
                    torso_top = Some(add(name, torso_top.or(parent), Vec3::new(0.0, up, 0.0)));
                }
                if !names.is_empty() {
                    expected.insert(
                        "torso".into(),
                        names.iter().map(|name| (*name).into()).collect(),
                    );
                }
            }
            continue;
        }
        let Some((_, names)) = dialect.slots.iter().find(|(other, _)| *other == slot) else {
            continue;
        };
        let count = if may_be_chain(info.part) {
            names.len()
        } else {
            1
        };
        for (index, name) in names.iter().take(count).enumerate() {
            if !taken.insert(name.text.clone()) {
                continue;
            }
            // The second half of a limb bone lies in line, a third of the way along.
            let in_line = match (info.part, info.side) {
                (Part::UpperArm | Part::LowerArm | Part::Shoulder | Part::Hand, side) => {
                    Vec3::new(0.04 * side.sign() * index as f32, 0.0, 0.0)
                }
                (Part::UpperLeg | Part::LowerLeg, _) => Vec3::new(0.0, -0.14 * index as f32, 0.0),
                _ => Vec3::new(0.0, 0.03 * index as f32, 0.0),
            };
            let joint = add(&name.text, parent, place(slot) + in_line);
            parent = Some(joint);
            last_of.insert(slot, joint);
            expected
                .entry(info.name.into())
                .or_default()
                .push(name.text.clone());
        }
    }
    // Names that fill no slot hang from the upper arm or thigh of their side, out of line.
    for name in &dialect.others {
        if !taken.insert(name.text.clone()) {
            continue;
        }
        let side = match name.key.side {
            Some(rebone_setup::names::NameSide::Left) => Side::Left,
            Some(rebone_setup::names::NameSide::Right) => Side::Right,
            None => Side::Center,
        };
        let carrier = last_of.iter().find(|(slot, _)| {
            let info = HUMANOID.info(**slot);
            info.part == Part::UpperArm && info.side == side
        });
        let hips = last_of.values().next().copied();
        let parent = carrier.map(|(_, joint)| *joint).or(hips);
        add(
            &name.text,
            parent,
            Vec3::new(0.3 * side.sign(), 1.38, -0.02),
        );
    }
    let character = Character {
        name: dialect.name.clone(),
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    };
    (character, expected)
}

fn map(character: &Character) -> RigMap {
    let by_name_only = MapOptions {
        labels: false,
        words: false,
        shape: false,
        ..MapOptions::default()
    };
    map_character_with(character, &by_name_only)
}

/// The slots of a map by name, the torso as one chain.
fn slots(map: &RigMap, character: &Character) -> BTreeMap<String, Vec<String>> {
    let mut result: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (slot, found) in &map.slots {
        let info = map.profile.info(*slot);
        let name = if info.part == Part::Torso {
            "torso"
        } else {
            info.name
        };
        let joints = found
            .joints
            .iter()
            .map(|&joint| character.skeleton.joints()[joint].name.clone());
        result.entry(name.to_owned()).or_default().extend(joints);
    }
    result
}

#[test]
fn a_rig_in_each_dialect_is_mapped_by_it() {
    let mut problems = Vec::new();
    for dialect in dialects() {
        let (character, expected) = rig(dialect);
        let map = map(&character);
        let found = slots(&map, &character);
        for (slot, joints) in &expected {
            let own = found.get(slot);
            // The first joint carries the slot; the torso is shared out as a whole.
            let same = own.is_some_and(|own| own.first() == joints.first())
                && (slot != "torso" || own == Some(joints));
            if !same {
                problems.push(format!(
                    "{} (recognised as {}): {slot} should be {joints:?}, is {own:?}",
                    dialect.name, map.dialect
                ));
            }
        }
        // Nothing that the dialect knows as no part of the body is one.
        for name in &dialect.others {
            let wrong = found.iter().find(|(_, joints)| joints.contains(&name.text));
            let right = expected.values().flatten().any(|joint| *joint == name.text);
            if let Some((slot, _)) = wrong.filter(|_| !right) {
                problems.push(format!(
                    "{}: {} was taken for {slot}",
                    dialect.name, name.text
                ));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn no_two_dialects_say_the_same() {
    let mut known: BTreeMap<Vec<String>, &str> = BTreeMap::new();
    for dialect in dialects() {
        let mut says: Vec<String> = Vec::new();
        for (slot, names) in &dialect.slots {
            says.extend(
                names
                    .iter()
                    .map(|name| format!("{} {:?}", slot.0, name.key)),
            );
        }
        says.extend(
            dialect
                .torso
                .iter()
                .map(|name| format!("torso {:?}", name.key)),
        );
        says.extend(dialect.marks.iter().map(|mark| format!("mark {mark}")));
        says.sort();
        if let Some(other) = known.insert(says, &dialect.name) {
            panic!("{other} and {} have the same names", dialect.name);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn compare(path: &Path, made: &str) {
    if std::env::var_os("REBONE_UPDATE").is_some() {
        std::fs::write(path, made).unwrap();
    }
    let shown = std::fs::read_to_string(path).unwrap_or_default();
    if let Some((line, (new, old))) = made
        .lines()
        .zip(shown.lines())
        .enumerate()
        .find(|(_, (a, b))| a != b)
    {
        panic!(
            "{} is stale from line {}: {old}\nshould be: {new}\nrun with REBONE_UPDATE=1 and look at the difference",
            path.display(),
            line + 1
        );
    }
    assert_eq!(
        made.lines().count(),
        shown.lines().count(),
        "{} is stale: run with REBONE_UPDATE=1",
        path.display()
    );
}

/// Every name of every dialect with its slot, so that any change is seen where it is reviewed.
#[test]
fn the_list_of_all_names_is_true() {
    let mut text = String::from(
        "Which joint is which slot, by dialect. Made by the test dialects.rs; review every change.\n",
    );
    for dialect in dialects() {
        let (character, _) = rig(dialect);
        let _ = writeln!(
            text,
            "\n{}, recognised as {}",
            dialect.name,
            map(&character).dialect
        );
        let names = |names: &[rebone_setup::profile::dialect::DialectName]| {
            let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
            names.join(", ")
        };
        for (slot, own) in &dialect.slots {
            let _ = writeln!(text, "  {}: {}", HUMANOID.info(*slot).name, names(own));
        }
        for (title, own) in [("torso", &dialect.torso), ("in no slot", &dialect.others)] {
            if !own.is_empty() {
                let _ = writeln!(text, "  {title}: {}", names(own));
            }
        }
        if !dialect.marks.is_empty() {
            let _ = writeln!(text, "  known by: {}", dialect.marks.join(", "));
        }
    }
    compare(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects.txt"),
        &text,
    );
}

#[test]
fn the_page_and_the_readme_are_true() {
    let mut table = String::from("| name | of | names from |\n|---|---|---|\n");
    let mut all: Vec<&Dialect> = dialects().collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    for dialect in &all {
        let doubt = if dialect.verified {
            ""
        } else {
            " (not verified)"
        };
        let _ = writeln!(
            table,
            "| `{}` | {} | {}{doubt} |",
            dialect.name, dialect.title, dialect.source
        );
    }
    let path = root().join("docs/dialects.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("<!-- table -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end of table -->").unwrap();
    compare(
        &path,
        &format!("{before}<!-- table -->\n{table}<!-- end of table -->{after}"),
    );

    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(
        readme.contains(&format!("[{} naming dialects]", all.len())),
        "the README says another number than {}",
        all.len()
    );
}
