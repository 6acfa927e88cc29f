//! Animals whose joints have people's names, as the public motion capture of dogs has, are animals by their shape.
//!
//! `cargo test -p rebone --test all human_named -- --nocapture` prints what was wrong.

use crate::common::disguise::{Disguise, disguised};
use crate::common::{corpus, rig};
use crate::paws::ANIMALS;
use rebone::io::FileSpace;
use rebone::model::{Character, NewJoint, SkeletonBuilder, Track};
use rebone::setup::mapping::Kind;
use rebone::{Format, Rig, Role};
use rebone_testkit::animal::{Animal, Build, Writing, trot};
use rebone_testkit::random::Generator;
use std::collections::BTreeMap;

/// What people's words call the joint of a slot.
fn human_word(slot: &str) -> Option<String> {
    let (side, rest) = match (slot.strip_prefix("left"), slot.strip_prefix("right")) {
        (Some(rest), _) => ("Left", rest),
        (_, Some(rest)) => ("Right", rest),
        _ => ("", slot),
    };
    let word = match rest {
        "hips" => "Hips",
        "spine" | "chest" => "Spine",
        "neck" => "Neck",
        "head" => "Head",
        "tail" => "Tail",
        "FrontScapula" => "Shoulder",
        "FrontUpperLeg" => "Arm",
        "FrontLowerLeg" => "ForeArm",
        "FrontPaw" => "Hand",
        "HindUpperLeg" => "UpLeg",
        "HindLowerLeg" => "Leg",
        "HindMetatarsus" => "Foot",
        "HindPaw" => "ToeBase",
        _ => return None,
    };
    Some(format!("{side}{word}"))
}

/// The animal with people's names and other proportions: every bone, alike on both sides, up to `unlike` longer or shorter.
fn renamed(source: &Rig, unlike: f32, random: &mut Generator) -> Character {
    let skeleton = &source.character.skeleton;
    let mut names: Vec<Option<String>> = vec![None; skeleton.len()];
    for (slot, found) in &source.map.slots {
        let Some(word) = human_word(source.map.profile.info(*slot).name) else {
            continue;
        };
        for (number, &joint) in found.joints.iter().enumerate() {
            let number = if number == 0 {
                String::new()
            } else {
                number.to_string()
            };
            names[joint] = Some(format!("{word}{number}"));
        }
    }
    let mut clips = source.character.clips.clone();
    let mut factors: BTreeMap<String, f32> = BTreeMap::new();
    let mut builder = SkeletonBuilder::new();
    for (joint, at) in skeleton.joints().iter().enumerate() {
        let name = names[joint]
            .clone()
            .unwrap_or_else(|| format!("extra_{joint}"));
        let alike = name.trim_start_matches("Left").trim_start_matches("Right");
        let both = alike.to_owned();
        let drawn = (unlike * random.between(-1.0, 1.0) as f32).exp();
        let factor = *factors.entry(both).or_insert(drawn);
        let mut rest = at.rest;
        // Bones below the hips alone: what hangs beside the body has its place and not a length.
        if names[joint].is_some() && at.parent.is_some_and(|above| names[above].is_some()) {
            rest.translation *= factor;
            for clip in &mut clips {
                let track = clip
                    .joints
                    .get_mut(joint)
                    .and_then(|own| own.translation.as_mut());
                if let Some(track) = track {
                    let values = track.values().iter().map(|place| *place * factor).collect();
                    *track =
                        Track::new(track.interpolation(), track.times().into(), values).unwrap();
                }
            }
        }
        builder.add(NewJoint {
            kind: at.kind,
            node: at.node,
            end: at.end,
            ..NewJoint::new(name, at.parent, rest)
        });
    }
    Character {
        skeleton: builder.build().unwrap().0,
        skins: Vec::new(),
        poses: Vec::new(),
        meshes: Vec::new(),
        labels: Vec::new(),
        clips,
        ..source.character.clone()
    }
}

/// Whether a leg of the animal goes on in joints beside the body (paws under IK joints), which do not move along with bones
/// that are made longer.
fn has_detached_paws(animal: &Rig) -> bool {
    let slots = [
        "leftFrontUpperLeg",
        "leftFrontPaw",
        "leftHindUpperLeg",
        "leftHindPaw",
    ];
    let [front, front_paw, hind, hind_paw] =
        slots.map(|slot| animal.map.joint_named(slot).unwrap());
    let skeleton = &animal.character.skeleton;
    !skeleton.is_ancestor(front, front_paw) || !skeleton.is_ancestor(hind, hind_paw)
}

/// Required slots that are not the joints that they were under the animal's own names.
fn faults(animal: &Rig, made: &Rig) -> Vec<&'static str> {
    let name = |slot| animal.map.profile.info(slot).name;
    let slots = animal.map.slots.iter();
    slots
        .filter(|(slot, _)| animal.map.profile.info(**slot).required)
        .filter(|(slot, found)| made.map.joint_named(name(**slot)) != found.joints.first().copied())
        .map(|(slot, _)| name(*slot))
        .collect()
}

/// An animal of the corpus, or one made by code, with one clip in which it walks or trots.
fn animals() -> Vec<(String, Rig)> {
    let mut all = Vec::new();
    for seed in 0..12 {
        let mut random = Generator::new(seed);
        let mut near = |size: f64| size * random.between(0.75, 1.3);
        let build = Build {
            hind: near(0.62),
            front: near(0.6),
            trunk: near(0.7),
            ..Build::WOLF
        };
        let writing = Writing::default();
        let animal = Animal::new(build);
        let mut character = writing.character(&animal);
        character.clips = vec![trot(&animal, &writing).0];
        let stated = FileSpace::default();
        let made = Rig::from_character(character, Format::Glb, stated, Vec::new());
        all.push((format!("made by code {seed}"), made));
    }
    let Some(corpus) = corpus() else { return all };
    for file in ANIMALS {
        let mut animal = rig(&corpus.join(file), Role::Source);
        let clips = &mut animal.character.clips;
        let walk = clips.iter().position(|clip| clip.name.ends_with("Walk"));
        *clips = vec![clips.swap_remove(walk.unwrap())];
        all.push((file.to_owned(), animal));
    }
    all
}

#[test]
fn animals_with_human_names_are_animals() {
    let (mut right, mut all, mut wrong) = (0usize, 0usize, Vec::new());
    for (name, animal) in animals() {
        assert_eq!(animal.map.kind, Kind::Quadruped, "{name}");
        for disguise in [
            None,
            Some(Disguise::AnyRest),
            Some(Disguise::MidMotion),
            Some(Disguise::OneAxis),
        ] {
            for seed in 0..5u64 {
                let mut random = Generator::new(seed);
                let is_whole = !has_detached_paws(&animal);
                let unlike = if seed > 0 && is_whole { 0.25 } else { 0.0 };
                let mut character = renamed(&animal, unlike, &mut random);
                if let Some(disguise) = disguise {
                    character = disguised(&character, disguise, &mut random);
                }
                let made = Rig::from_character(character, Format::Bvh, animal.stated, Vec::new());
                let faults = faults(&animal, &made);
                all += 1;
                if faults.is_empty() {
                    right += 1;
                } else {
                    let kind = made.map.kind.name();
                    wrong.push(format!("{name} {disguise:?} {seed}: {kind} {faults:?}"));
                }
            }
        }
    }
    println!("{right} of {all}\n{}", wrong.join("\n"));
    assert!(100 * right >= 95 * all, "{right} of {all}");
}
