//! The mapper against a corpus of rigs with hand-labelled slots.
//!
//! Skipped where the corpus is not there. `cargo test --test all mapping_truth:: -- --nocapture` prints
//! the table.

// Helpers of a test are a test: a failing unwrap is a failing test, and the table is for reading.
use crate::truth::{Truth, corpus, means, read_document, read_truth, renamed};
use rebone_model::{Character, Skeleton};
use rebone_setup::mapping::{Kind, MapOptions, RigMap, map_character_with};
use rebone_setup::profile::{HUMANOID, Part, Slot};

#[derive(Default)]
struct Score {
    required: (usize, usize),
    optional: (usize, usize),
    /// Slots filled that the rig does not have.
    wrong: usize,
    swapped: usize,
    /// Wrong answers that are surer than any wrong answer may be.
    bold: usize,
    kind_wrong: bool,
    remarks: Vec<String>,
}

fn check_chains(truth: &Truth, skeleton: &Skeleton, map: &RigMap) {
    let mut seen = Vec::new();
    for found in map.slots.values() {
        for joint in &found.joints {
            let name = skeleton.unique_name(*joint);
            assert!(!seen.contains(joint), "{}: {name} twice", truth.id);
            seen.push(*joint);
        }
        for pair in found.joints.windows(2) {
            let in_order = skeleton.is_ancestor(pair[0], pair[1]);
            assert!(in_order, "{}: a chain is out of order", truth.id);
        }
    }
}

/// True where a slot claims to be surer than a wrong answer may.
fn is_bold(map: &RigMap, slot: Slot) -> bool {
    let found = map.slots.get(&slot);
    found.is_some_and(|found| found.confidence > 0.9)
}

fn score(truth: &Truth, character: &Character, map: &RigMap) -> Score {
    let mut score = Score::default();
    let skeleton = &character.skeleton;
    check_chains(truth, skeleton, map);
    score.kind_wrong = (truth.kind == "humanoid") != (map.kind == Kind::Humanoid);
    if truth.kind != "humanoid" {
        // Slots of animals are the business of `quadruped_truth`.
        if map.kind != Kind::Quadruped {
            score.wrong = map.slots.len();
        }
        return score;
    }
    for slot in HUMANOID.all() {
        let info = HUMANOID.info(slot);
        let found = map.joint(slot);
        let name = found.map_or("-", |joint| skeleton.unique_name(joint));
        let Some(choices) = truth.slots.get(info.name) else {
            let finger = matches!(info.part, Part::Thumb | Part::Finger);
            if found.is_some() && !(finger && truth.loose_fingers) {
                score.bold += usize::from(is_bold(map, slot));
                let absent = truth.absent.iter().any(|absent| absent == info.name);
                let why = if absent { "absent" } else { "not in truth" };
                score.wrong += 1;
                score.remarks.push(format!("{} = {name}, {why}", info.name));
            }
            continue;
        };
        let right = choices.iter().any(|choice| match (choice, found) {
            (Some(reference), Some(joint)) => means(skeleton, joint, reference),
            (None, found) => found.is_none(),
            (Some(_), None) => false,
        });
        let counts = if info.required {
            &mut score.required
        } else {
            &mut score.optional
        };
        counts.1 += 1;
        counts.0 += usize::from(right);
        if !right {
            score.remarks.push(format!("{} = {name}", info.name));
            score.bold += usize::from(is_bold(map, slot));
            let twin = HUMANOID.info(HUMANOID.twin(slot)).name;
            let of_twin = truth.slots.get(twin).into_iter().flatten().flatten();
            let is_twin = |joint| {
                of_twin
                    .into_iter()
                    .any(|other| means(skeleton, joint, other))
            };
            score.swapped += usize::from(twin != info.name && found.is_some_and(is_twin));
        }
    }
    score
}

/// What a run over the corpus is to reach.
struct Floor {
    title: &'static str,
    options: MapOptions,
    /// Give every joint a name that says nothing.
    nameless: bool,
    /// Required and optional slots that are right, percent: of all formats but FBX.
    others: [usize; 2],
    /// The same, of FBX files.
    fbx: [usize; 2],
    /// Most rigs that may be taken for another kind.
    kinds: usize,
}

/// The character without names.
fn nameless(character: &Character) -> Character {
    renamed(character, &|index, _| format!("node_{index}"))
}

fn run(floor: &Floor) {
    let Some(corpus) = corpus() else {
        println!("skipped: the corpus of rigs is not here");
        return;
    };
    println!("--- {}", floor.title);
    let mut totals = [Score::default(), Score::default()];
    let mut failures = Vec::new();
    let mut kinds = 0;
    let mut bold = 0;
    let mut silent: Vec<String> = Vec::new();
    let truths = read_truth(&corpus);
    for (truth, path) in truths
        .iter()
        .flat_map(|t| t.files.iter().map(move |path| (t, path)))
    {
        let is_fbx = path.extension().is_some_and(|ending| ending == "fbx");
        let document = read_document(path).unwrap_or_else(|error| panic!("{}: {error}", truth.id));
        let options = MapOptions {
            forward: document.space.forward,
            ..floor.options
        };
        let largest = document
            .characters
            .iter()
            .max_by_key(|c| c.skeleton.len())
            .unwrap();
        let map = if floor.nameless {
            map_character_with(&nameless(largest), &options)
        } else {
            map_character_with(largest, &options)
        };
        let score = score(truth, largest, &map);
        println!(
            "{:24} {:22} {:9} {:4.2}  required {:2}/{:2}  optional {:2}/{:2}  wrong {} {}{}",
            truth.id,
            map.dialect,
            map.kind.name(),
            map.confidence,
            score.required.0,
            score.required.1,
            score.optional.0,
            score.optional.1,
            score.wrong,
            if score.kind_wrong { "KIND " } else { "" },
            score.remarks.join(", "),
        );
        let unsure = map.warnings.iter().any(|w| w.code == "sides-unsure");
        if score.swapped > 0 && !unsure {
            silent.push(truth.id.clone());
        }
        for warning in map.warnings.iter().filter(|w| w.code != "slot-missing") {
            println!("{:24}   {warning}", "");
        }
        let total = &mut totals[usize::from(is_fbx)];
        total.required.0 += score.required.0;
        total.required.1 += score.required.1;
        total.optional.0 += score.optional.0;
        total.optional.1 += score.optional.1;
        total.wrong += score.wrong;
        total.swapped += score.swapped;
        bold += score.bold;
        kinds += usize::from(score.kind_wrong);
        if score.kind_wrong || score.required.0 < score.required.1 || score.wrong > 0 {
            failures.push(truth.id.clone());
        }
    }
    for (total, (family, [required, optional])) in totals
        .iter()
        .zip([("others", floor.others), ("FBX", floor.fbx)])
    {
        println!(
            "{}, {family}: required {}/{}, optional {}/{}, wrong {}, swapped {}",
            floor.title,
            total.required.0,
            total.required.1,
            total.optional.0,
            total.optional.1,
            total.wrong,
            total.swapped,
        );
        assert!(
            total.required.0 * 100 >= total.required.1 * required,
            "{family}: {failures:?}"
        );
        assert!(
            total.optional.0 * 100 >= total.optional.1 * optional,
            "{family}"
        );
        if required == 100 {
            assert!(failures.is_empty(), "{failures:?}");
            assert_eq!(total.swapped, 0, "a left joint is mapped as a right one");
        }
    }
    println!("{}: {kinds} kinds wrong", floor.title);
    assert_eq!(bold, 0, "wrong answers above 0.9");
    assert!(kinds <= floor.kinds, "{kinds} kinds are wrong");
    assert!(silent.is_empty(), "swapped without a word: {silent:?}");
}

#[test]
fn corpus_is_mapped_as_labelled_by_hand() {
    run(&Floor {
        title: "everything",
        options: MapOptions::default(),
        nameless: false,
        others: [100, 98],
        fbx: [100, 98],
        kinds: 0,
    });
}

#[test]
fn names_find_what_labels_say() {
    run(&Floor {
        title: "without labels",
        options: MapOptions {
            labels: false,
            ..MapOptions::default()
        },
        nameless: false,
        others: [100, 98],
        fbx: [100, 98],
        kinds: 0,
    });
}

#[test]
fn words_do_without_dialects() {
    run(&Floor {
        title: "words only",
        options: MapOptions {
            labels: false,
            dialects: false,
            words: true,
            shape: false,
            forward: None,
        },
        nameless: false,
        others: [98, 90],
        fbx: [98, 90],
        kinds: 2,
    });
}

#[test]
fn words_and_shape_do_without_dialects() {
    run(&Floor {
        title: "words and shape",
        options: MapOptions {
            labels: false,
            dialects: false,
            ..MapOptions::default()
        },
        nameless: false,
        others: [99, 96],
        fbx: [98, 98],
        kinds: 0,
    });
}

#[test]
fn shape_does_without_names() {
    run(&Floor {
        title: "shape only",
        options: MapOptions {
            labels: false,
            ..MapOptions::default()
        },
        nameless: true,
        others: [99, 96],
        fbx: [98, 97],
        kinds: 0,
    });
}
