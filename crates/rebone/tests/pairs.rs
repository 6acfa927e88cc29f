//! All humanoids of the corpus against each other: do their retarget poses look alike? Prints the ten worst
//! pairs.

use crate::common::{corpus, read_file};
use glam::DVec3;
use rebone::setup::align::{Aligned, Alignment, align_pair, retarget_placements};
use rebone::setup::mapping::Kind;
use rebone::setup::profile::{Part, Slot};
use rebone::{Rig, Role};
use std::path::Path;

/// Degrees by which limbs may differ.
const LIMBS: f64 = 3.0;

/// The same for fingers.
const FINGERS: f64 = 8.0;

/// The humanoid rigs that are labelled, by their labels' names.
fn humanoids(corpus: &Path) -> Vec<(String, Rig)> {
    let mut paths: Vec<_> = std::fs::read_dir(corpus.join("truth"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    paths.sort();
    let mut rigs = Vec::new();
    for path in paths {
        let table: toml::Table = std::fs::read_to_string(&path).unwrap().parse().unwrap();
        let text = |key: &str| table[key].as_str().unwrap();
        if text("kind") != "humanoid" {
            continue;
        }
        let Ok(document) = read_file(&corpus.join(text("file"))) else {
            println!("{} cannot be read", text("file"));
            continue;
        };
        let skeleton = table.get("skeleton").and_then(toml::Value::as_str);
        let rig = Rig::new(document, Role::Target, skeleton).unwrap();
        if rig.map.kind == Kind::Humanoid {
            rigs.push((text("id").to_owned(), rig));
        } else {
            println!("{} is not mapped", text("id"));
        }
    }
    rigs
}

/// The next slot of the same limb or finger.
fn next(rig: &Rig, slot: Slot) -> Option<Slot> {
    let profile = rig.map.profile;
    let side = profile.info(slot).side;
    let below = |below: &Slot| {
        profile.info(*below).parent == Some(slot.0) && profile.info(*below).side == side
    };
    profile.all().find(below)
}

/// Directions of limbs and fingers in the retarget pose.
fn directions(rig: &Rig, alignment: &Alignment) -> Vec<Option<DVec3>> {
    let placed = retarget_placements(&rig.character, &rig.map, alignment);
    let at = |slot| rig.map.joint(slot).map(|joint| placed[joint].position);
    let towards = |slot: Slot| {
        let part = rig.map.profile.info(slot).part;
        let counts = matches!(
            part,
            Part::UpperArm
                | Part::LowerArm
                | Part::UpperLeg
                | Part::LowerLeg
                | Part::Finger
                | Part::Thumb
        );
        let next = next(rig, slot).filter(|_| counts)?;
        (at(next)? - at(slot)?).try_normalize()
    };
    rig.map.profile.all().map(towards).collect()
}

fn sides(rig: &Rig) -> Aligned<'_> {
    Aligned {
        character: &rig.character,
        map: &rig.map,
        alignment: &rig.alignment,
    }
}

#[test]
fn retarget_poses_look_alike() {
    let Some(corpus) = corpus() else { return };
    let rigs = humanoids(&corpus);
    assert!(rigs.len() > 50, "{}", rigs.len());
    let own: Vec<_> = rigs
        .iter()
        .map(|(_, rig)| directions(rig, &rig.alignment))
        .collect();
    let (mut worst_of_pairs, mut problems) = (Vec::new(), Vec::new());
    let mut sums = [(0.0f64, 0usize); 3];
    for (source, (source_name, from)) in rigs.iter().enumerate() {
        for (target_name, to) in &rigs {
            let aligned = align_pair(&sides(from), &sides(to));
            let reached = directions(to, &aligned);
            let mut worst = (0.0f64, String::new());
            for (index, (a, b)) in own[source].iter().zip(&reached).enumerate() {
                let (Some(a), Some(b)) = (a, b) else { continue };
                let degrees = a.angle_between(*b).to_degrees();
                let info = to.map.profile.info(Slot(index as u8));
                let (kind, bound) = match info.part {
                    Part::Finger => (1, FINGERS),
                    Part::Thumb => (2, FINGERS),
                    _ => (0, LIMBS),
                };
                sums[kind].0 = sums[kind].0.max(degrees);
                sums[kind].1 += 1;
                if degrees / bound > worst.0 {
                    worst = (degrees / bound, format!("{} {degrees:.1}", info.name));
                }
                if degrees > bound {
                    problems.push(format!(
                        "{source_name} and {target_name}: {} differs by {degrees:.1} degrees",
                        info.name
                    ));
                }
            }
            worst_of_pairs.push((worst.0, format!("{source_name} {target_name}: {}", worst.1)));
        }
    }
    worst_of_pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (share, pair) in worst_of_pairs.iter().take(10) {
        println!("{share:.2} of the bound: {pair}");
    }
    println!("limbs, fingers, thumbs (worst, compared): {sums:?}");
    if !problems.is_empty() {
        let count = problems.len();
        problems.truncate(40);
        panic!("{count} differences: {problems:#?}");
    }
}
