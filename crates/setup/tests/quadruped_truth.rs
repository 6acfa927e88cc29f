//! Animals against a corpus of rigs with hand-labelled slots, and every other rig against being taken for
//! one.
//!
//! Skipped where the corpus is not there. `cargo test --test all quadruped_truth:: -- --nocapture` prints the
//! table.

// Helpers of a test are a test: a failing unwrap is a failing test, and the table is for reading.
use crate::truth::{Truth, corpus, means, read, read_truth, renamed};
use rebone_model::{Character, Skeleton};
use rebone_setup::mapping::{Kind, RigMap, map_character};
use rebone_setup::profile::QUADRUPED;

/// Right and all slots, required and optional, with what is wrong.
#[derive(Default)]
struct Score {
    required: (usize, usize),
    optional: (usize, usize),
    remarks: Vec<String>,
}

/// Compares a map with the truth; names are those of `skeleton`.
fn score(truth: &Truth, skeleton: &Skeleton, map: &RigMap) -> Score {
    let mut score = Score::default();
    for slot in QUADRUPED.all() {
        let info = QUADRUPED.info(slot);
        let found = map.joint(slot);
        let choices = truth.slots.get(info.name);
        let right = choices.map_or(found.is_none(), |choices| {
            choices.iter().any(|choice| match (choice, found) {
                (Some(reference), Some(joint)) => means(skeleton, joint, reference),
                (None, found) => found.is_none(),
                (Some(_), None) => false,
            })
        });
        if choices.is_some() || found.is_some() {
            let counts = if info.required {
                &mut score.required
            } else {
                &mut score.optional
            };
            counts.1 += 1;
            counts.0 += usize::from(right);
        }
        if !right {
            let name = found.map_or("-", |joint| skeleton.unique_name(joint));
            let sure = map.slots.get(&slot).map_or(0.0, |found| found.confidence);
            assert!(
                sure <= 0.9,
                "{}: {} = {name} is wrong, and {sure} sure",
                truth.id,
                info.name
            );
            score.remarks.push(format!("{} = {name}", info.name));
        }
    }
    score
}

/// Runs over all animals; percent of required and optional slots that are right.
fn run(title: &str, change: &dyn Fn(&Character) -> Character) -> Option<(usize, usize)> {
    let corpus = corpus()?;
    let (mut required, mut optional) = ((0, 0), (0, 0));
    println!("--- {title}");
    for truth in read_truth(&corpus) {
        if !truth.kinds.contains(&"quadruped".to_owned()) || truth.slots.is_empty() {
            continue;
        }
        for path in &truth.files {
            let characters = read(path).unwrap();
            let character = characters.iter().max_by_key(|c| c.skeleton.len()).unwrap();
            let map = map_character(&change(character));
            let score = score(&truth, &character.skeleton, &map);
            println!(
                "{:18} {:9} {:4.2} required {:2}/{:2} optional {:2}/{:2}  {}",
                truth.id,
                map.kind.name(),
                map.confidence,
                score.required.0,
                score.required.1,
                score.optional.0,
                score.optional.1,
                score.remarks.join(", ")
            );
            for warning in &map.warnings {
                println!("{:18}   {warning}", "");
            }
            assert_eq!(map.kind, Kind::Quadruped, "{}", truth.id);
            required = (required.0 + score.required.0, required.1 + score.required.1);
            optional = (optional.0 + score.optional.0, optional.1 + score.optional.1);
        }
    }
    println!("{title}: required {required:?}, optional {optional:?}");
    assert!(required.1 > 100);
    Some((required.0 * 100 / required.1, optional.0 * 100 / optional.1))
}

#[test]
fn animals_are_mapped_as_labelled_by_hand() {
    match run("animals", &Clone::clone) {
        Some((required, optional)) => assert!(required == 100 && optional >= 98),
        None => println!("SKIPPED: the corpus is not here"),
    }
}

#[test]
fn shape_alone_finds_the_legs_of_animals() {
    let nameless = |character: &Character| renamed(character, &|index, _| format!("node_{index}"));
    match run("nameless animals", &nameless) {
        Some((required, optional)) => assert!(required >= 95 && optional >= 90),
        None => println!("SKIPPED: the corpus is not here"),
    }
}

#[test]
fn every_rig_is_of_its_kind() {
    let Some(corpus) = corpus() else {
        println!("SKIPPED: the corpus is not here");
        return;
    };
    let mut wrong = Vec::new();
    for truth in read_truth(&corpus) {
        for path in &truth.files {
            let characters = read(path).unwrap();
            let character = characters.iter().max_by_key(|c| c.skeleton.len()).unwrap();
            let nameless = renamed(character, &|index, _| format!("node_{index}"));
            for (how, map) in [
                ("named", map_character(character)),
                ("nameless", map_character(&nameless)),
            ] {
                let is_animal = map.kind == Kind::Quadruped;
                let may_be = truth.kinds.contains(&"quadruped".to_owned());
                let must_be = may_be && truth.kinds.len() == 1;
                let named_wrong =
                    how == "named" && !truth.kinds.contains(&map.kind.name().to_owned());
                if is_animal && !may_be || must_be && !is_animal || named_wrong {
                    wrong.push(format!("{} {how}: {}", truth.id, map.kind.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
