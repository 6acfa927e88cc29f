//! Dinosaurs on four legs, elephants, giraffes: animals of unlike proportions are found by their shape, without any name.
//!
//! `cargo test -p rebone --test all creature_shapes -- --nocapture` prints what was wrong.

use glam::DVec3;
use rebone::model::{Character, NewJoint, SkeletonBuilder};
use rebone::setup::mapping::{Kind, map_character};
use rebone_testkit::animal::{Animal, AnimalJoint, Build, Limb, Writing};
use rebone_testkit::random::Generator;

/// An animal with a neck, a tail and legs as dinosaurs and elephants have them.
fn creature(random: &mut Generator) -> Animal {
    let hind = random.between(0.5, 0.8);
    let mut animal = Animal::new(Build {
        hind,
        front: hind * random.between(0.75, 1.15),
        trunk: random.between(0.6, 1.1),
        width: random.between(0.15, 0.35),
        hooves: random.chance(0.5),
        necks: 1 + random.below(5),
    });
    let [neck, tail] = [random.between(1.0, 4.0), random.between(1.0, 4.0)];
    let named = |animal: &Animal, name: &str| {
        let mut joints = animal.joints.iter();
        joints.position(|joint| joint.name == name).unwrap()
    };
    // A neck rises ahead of the shoulders, a tail hangs behind the hips.
    for (first, factor) in [("Spine1", neck), ("Hips", tail)] {
        let from = animal.joints[named(&animal, first)].place;
        let part = if first == "Hips" { "Tail" } else { "Neck" };
        for joint in &mut animal.joints {
            let is_head = part == "Neck" && joint.name == "Head";
            if joint.name.starts_with(part) || is_head {
                joint.place = from + factor * (joint.place - from);
                joint.place.y = joint.place.y.max(0.3 * hind);
            }
        }
    }
    let head = named(&animal, "Head");
    let tail = named(&animal, "Tail2");
    let from = animal.joints[head].place;
    let down = DVec3::new(0.0, -1.0, 0.25).normalize_or_zero();
    if random.chance(0.5) {
        let length = random.between(0.3, 0.9) * (from.y - 0.05);
        extend(&mut animal, head, "Trunk", 4, length * down);
    }
    let behind = DVec3::new(0.0, -0.2, -1.0) * random.between(0.1, 0.5);
    extend(&mut animal, tail, "Tail", random.below(6), behind);
    animal
}

/// Joints that lead on from a joint.
fn extend(animal: &mut Animal, from: usize, name: &str, count: usize, way: DVec3) {
    let mut above = from;
    let start = animal.joints[from].place;
    for number in 0..count {
        let mut place = start + way * (number + 1) as f64 / count as f64;
        place.y = place.y.max(0.05);
        animal.joints.push(AnimalJoint {
            name: format!("{name}{}", number + 3),
            parent: Some(above),
            place,
        });
        above = animal.joints.len() - 1;
    }
}

/// The character without names.
fn nameless(character: &Character) -> Character {
    let mut builder = SkeletonBuilder::new();
    for (number, joint) in character.skeleton.joints().iter().enumerate() {
        builder.add(NewJoint {
            kind: joint.kind,
            ..NewJoint::new(format!("node_{number}"), joint.parent, joint.rest)
        });
    }
    Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    }
}

/// Slots that are not where they were made, by the joint's own name.
fn faults(animal: &Animal, character: &Character) -> Vec<String> {
    let map = map_character(&nameless(character));
    if map.kind != Kind::Quadruped {
        return vec![map.kind.name().to_owned()];
    }
    let mut wanted = vec![("hips".to_owned(), "Hips"), ("head".to_owned(), "Head")];
    if animal.joints.iter().any(|joint| joint.name == "Trunk3") {
        wanted.push(("trunk".to_owned(), "Trunk3"));
    }
    for limb in ["Hind", "Front"] {
        for part in ["Upper", "Lower", "Paw"] {
            for side in ["left", "right"] {
                let leg = if part == "Paw" { "" } else { "Leg" };
                wanted.push((format!("{side}{limb}{part}{leg}"), ""));
            }
        }
    }
    let of_limb = |slot: &str| {
        let is_of = |limb: &&Limb| {
            slot.contains(if limb.front { "Front" } else { "Hind" })
                && slot.starts_with(if limb.sign > 0.0 { "left" } else { "right" })
        };
        let limb = animal.limbs.iter().find(is_of).unwrap();
        match slot {
            _ if slot.ends_with("UpperLeg") => limb.joints[0],
            _ if slot.ends_with("LowerLeg") => limb.joints[1],
            _ => limb.paw(),
        }
    };
    let wrong = wanted.into_iter().filter(|(slot, name)| {
        let right = match *name {
            "" => of_limb(slot),
            name => animal
                .joints
                .iter()
                .position(|joint| joint.name == name)
                .unwrap(),
        };
        map.joint_named(slot) != Some(right)
    });
    wrong.map(|(slot, _)| slot).collect()
}

#[test]
fn long_necks_tails_and_trunks_are_no_riddle() {
    let (mut right, mut wrong) = (0, Vec::new());
    let seeds = 0..200;
    for seed in seeds.clone() {
        let animal = creature(&mut Generator::new(seed));
        let character = Writing::default().character(&animal);
        let faults = faults(&animal, &character);
        if faults.is_empty() {
            right += 1;
        } else {
            wrong.push(format!("{seed} {:?}: {faults:?}", animal.build));
        }
    }
    println!("{right} of {}\n{}", seeds.end, wrong.join("\n"));
    assert!(100 * right >= 95 * seeds.end, "{right}");
}
