//! Animals: a trot whose contacts are known exactly (S-number of the four planted paws), and real clips on real bodies.
//!
//! `cargo test -p rebone --test all paws:: -- --nocapture` prints both tables.

use crate::common::{corpus, retarget, rig};
use glam::{DQuat, Quat, Vec3};
use rebone::io::{FileSpace, Format};
use rebone::model::axes::Axis;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{Clip, Interpolation, ModelPose, Track};
use rebone::setup::recipe::Recipe;
use rebone::{Rig, Role};
use rebone_testkit::animal::{Animal, Build, RATE_HZ, Writing, trot};
use std::path::Path;

/// Slot of a limb's part: `leftHindPaw`.
fn slot(front: bool, sign: f64, part: &str) -> String {
    let side = if sign > 0.0 { "left" } else { "right" };
    let pair = if front { "Front" } else { "Hind" };
    format!("{side}{pair}{part}")
}

fn made(animal: &Animal, writing: &Writing, up: Axis) -> Rig {
    let space = FileSpace {
        meters_per_unit: Some(1.0 / writing.units),
        up: Some(up),
        ..FileSpace::default()
    };
    Rig::from_character(writing.character(animal), Format::Glb, space, Vec::new())
}

/// The animal that trots.
fn trotter() -> (Animal, Rig, Vec<rebone_testkit::animal::PawContact>) {
    let animal = Animal::new(Build::WOLF);
    let writing = Writing::default();
    let mut source = made(&animal, &writing, Axis::PositiveY);
    let (clip, contacts) = trot(&animal, &writing);
    source.character.clips = vec![clip];
    for limb in &animal.limbs {
        let parts = [
            ("UpperLeg", limb.joints[0]),
            ("Paw", limb.paw()),
            ("Toes", limb.toes()),
        ];
        for (part, joint) in parts {
            let found = source.map.joint_named(&slot(limb.front, limb.sign, part));
            assert_eq!(found, Some(joint), "{part}");
        }
    }
    (animal, source, contacts)
}

/// Short legs; long legs on hooves; another rest pose, axes and unit.
fn bodies() -> Vec<(&'static str, Rig)> {
    let short = Build {
        hind: 0.28,
        front: 0.26,
        trunk: 0.62,
        ..Build::WOLF
    };
    let horse = Build {
        hind: 1.35,
        front: 1.25,
        trunk: 1.25,
        width: 0.30,
        hooves: true,
        necks: 3,
    };
    let odd = Build {
        hind: 0.9,
        front: 1.0,
        trunk: 0.8,
        width: 0.34,
        ..Build::WOLF
    };
    let turned = Writing {
        file_from_canonical: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2),
        units: 100.0,
        axes: Some(77),
        crouch: 0.08,
    };
    let plain = Writing::default();
    let own = Writing {
        axes: Some(5),
        ..plain
    };
    vec![
        (
            "short legs",
            made(&Animal::new(short), &plain, Axis::PositiveY),
        ),
        ("hooves", made(&Animal::new(horse), &own, Axis::PositiveY)),
        (
            "crouching, Z up",
            made(&Animal::new(odd), &turned, Axis::PositiveZ),
        ),
    ]
}

pub const ANIMALS: [&str; 7] = [
    "quaternius/public/glb/animals_pack/Bull.glb",
    "quaternius/public/glb/animals_pack/Deer.glb",
    "quaternius/public/glb/animals_pack/Fox.glb",
    "quaternius/public/glb/animals_pack/Horse.glb",
    "quaternius/public/glb/animals_pack/Husky.glb",
    "gltf_misc/bevy/assets/models/animated/Fox.glb",
    "mesh2motion/static/animations/quad-creature-animations.glb",
];

fn stem(path: &str) -> String {
    Path::new(path)
        .file_stem()
        .unwrap()
        .to_string_lossy()
        .into_owned()
}

fn poses(rig: &Rig, clip: &Clip, frames: usize) -> Vec<ModelPose> {
    let skeleton = &rig.character.skeleton;
    (0..frames)
        .map(|frame| frame as f32 / RATE_HZ as f32)
        .map(|time| model_pose(skeleton, &sample_clip(skeleton, clip, time)))
        .collect()
}

/// What a joint has turned since the retarget pose, canonical.
fn turned(
    rig: &Rig,
    alignment: &rebone::setup::align::Alignment,
    pose: &ModelPose,
    joint: usize,
) -> Quat {
    let _ = rig;
    let canonical = alignment.canonical_from_file.as_quat();
    canonical * pose.rotation(joint) * alignment.retarget_rotation(joint).as_quat().conjugate()
}

/// Must show 8: paws that stand exactly in the source stand on every body, with the source's pitch, without pops.
#[test]
fn a_trot_keeps_four_planted_paws() {
    let (animal, source, contacts) = trotter();
    let mut targets = bodies();
    if let Some(corpus) = corpus() {
        let files = ANIMALS
            .iter()
            .map(|file| (*file, rig(&corpus.join(file), Role::Target)));
        targets.extend(files);
    }
    let clip = &source.character.clips[0];
    let frames = clip.key_times().len();
    let from = poses(&source, clip, frames);
    println!(
        "body | worst slide % of leg | pitch ° | penetration %h | step ratio, added ° | jerk | F1"
    );
    for (name, target) in &targets {
        let result = retarget(&source, target, &[], &Recipe::default()).unwrap();
        let report = &result.clips[0].report;
        let to = poses(target, &result.clips[0].clip, frames);
        let compiled = &result.compiled;
        let leg = compiled.target.measures.leg as f32;
        let (mut worst, mut pitch, mut place) = (0.0f32, 0.0f32, String::new());
        for contact in &contacts {
            let limb = &animal.limbs[contact.limb];
            let part = if contact.toes { "Toes" } else { "Paw" };
            let Some(joint) = target.map.joint_named(&slot(limb.front, limb.sign, part)) else {
                continue;
            };
            let places: Vec<Vec3> = (contact.first..=contact.last)
                .map(|frame| to[frame].position(joint))
                .collect();
            let mean = places.iter().sum::<Vec3>() / places.len() as f32;
            for (frame, own) in places.iter().enumerate() {
                let off = 100.0 * own.distance(mean) / leg;
                if off > worst {
                    worst = off;
                    place = format!(
                        "{} at {}",
                        slot(limb.front, limb.sign, part),
                        contact.first + frame
                    );
                }
            }
        }
        for limb in &animal.limbs {
            let joint = target
                .map
                .joint_named(&slot(limb.front, limb.sign, "Paw"))
                .unwrap();
            for (a, b) in from.iter().zip(&to) {
                let own = turned(&source, &compiled.source, a, limb.paw());
                let other = turned(target, &compiled.target, b, joint);
                pitch = pitch.max(angle_between(own, other).to_degrees());
            }
        }
        let (floor, pops) = (
            report.floor.as_ref().unwrap(),
            report.pops.as_ref().unwrap(),
        );
        let jerk = report
            .jerk
            .map_or(0.0, |jerk| jerk.target / jerk.source.max(1e-9));
        let deep = floor.penetration_max_percent.target;
        let f1 = report.feet.as_ref().unwrap().contact_f1;
        println!(
            "{} | {worst:.3} ({place}) | {pitch:.3} | {deep:.3} | {:.2}, {:.1} | {jerk:.2} | {f1:.3}",
            stem(name),
            pops.step_ratio,
            pops.step_added_degrees
        );
        let name = stem(name);
        assert!(worst < 0.1, "{name}: {worst} % of the leg");
        assert!(pitch < 0.1, "{name}: paws turn {pitch} degrees");
        assert!(deep < 0.1, "{name}: {deep} % of the height");
        assert!(pops.step_ratio <= 1.3, "{name}: steps {}", pops.step_ratio);
    }
}

/// How far the middle joints of the forelegs fold to the side to which they never fold at rest, degrees.
fn wrong_fold_degrees(rig: &Rig, clip: &Clip) -> f32 {
    let skeleton = &rig.character.skeleton;
    let canonical = rig.alignment.canonical_from_file.as_quat();
    let hips = rig.map.joint_named("hips").unwrap();
    let upright = rig.alignment.retarget_rotation(hips).as_quat().conjugate();
    let fold = |pose: &ModelPose, sign: f64| {
        let left = canonical * pose.rotation(hips) * upright * Vec3::X;
        let [upper, middle, paw] = ["UpperLeg", "LowerLeg", "Paw"].map(|part| {
            let joint = rig.map.joint_named(&slot(true, sign, part)).unwrap();
            canonical * pose.position(joint)
        });
        let [u, v] = [middle - upper, paw - middle].map(|bone| bone.reject_from(left));
        v.cross(u).dot(left).atan2(u.dot(v)).to_degrees()
    };
    // The clip's own rest pose is that of the target.
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let mut worst: f32 = 0.0;
    for sign in [1.0, -1.0] {
        let side = fold(&rest, sign).signum();
        for pose in poses(rig, clip, 60) {
            worst = worst.max(-side * fold(&pose, sign));
        }
    }
    worst
}

/// How far each joint of a leg turns about the axis to the body's left when an animal sits down: whether it is a foreleg, which
/// part, and degrees.
const SIT: [(bool, &str, f32); 5] = [
    (true, "UpperLeg", 50.0),
    (true, "LowerLeg", -12.0),
    (false, "UpperLeg", -45.0),
    (false, "LowerLeg", 70.0),
    (false, "Paw", -30.0),
];

/// The animal sits down within a second: the trunk rises in front, the hind legs fold, the front legs stay on the ground.
fn with_sit(animal: &Rig) -> Rig {
    let mut character = animal.character.clone();
    let skeleton = &character.skeleton;
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let file_from_canonical = animal.alignment.canonical_from_file.as_quat().conjugate();
    let [left, up] = [Vec3::X, Vec3::Y].map(|axis| file_from_canonical * axis);
    let times: Vec<f32> = (0..=30).map(|frame| frame as f32 / 30.0).collect();
    let share = |time: f32| time * time * (3.0 - 2.0 * time);
    let mut clip = Clip::new("sit", skeleton.len());
    let mut fold = |joint: usize, degrees: f32| {
        let above = skeleton
            .parent(joint)
            .map_or(Quat::IDENTITY, |above| rest.rotation(above));
        let own = skeleton.joints()[joint].rest.rotation;
        let turned = times.iter().map(|&time| {
            let turn = Quat::from_axis_angle(left, (share(time) * degrees).to_radians());
            above.conjugate() * turn * above * own
        });
        let turned = turned.collect();
        clip.joints[joint].rotation =
            Track::new(Interpolation::Linear, times.clone().into(), turned).ok();
    };
    let hips = animal.map.joint_named("hips").unwrap();
    fold(hips, -30.0);
    for (front, part, degrees) in SIT {
        for sign in [1.0, -1.0] {
            if let Some(joint) = animal.map.joint_named(&slot(front, sign, part)) {
                fold(joint, degrees);
            }
        }
    }
    let place = skeleton.joints()[hips].rest.translation;
    let above = skeleton
        .parent(hips)
        .map_or(Quat::IDENTITY, |above| rest.rotation(above));
    let down = above.conjugate() * up * (-0.45 * animal.alignment.measures.leg as f32);
    let places = times
        .iter()
        .map(|&time| place + share(time) * down)
        .collect();
    clip.joints[hips].translation = Track::new(Interpolation::Linear, times.into(), places).ok();
    character.clips = vec![clip];
    Rig::from_character(character, animal.format, animal.stated, Vec::new())
}

/// A made wolf sits, each animal of the corpus as the wolf does, and all others as that animal does.
#[test]
fn who_sits_folds_the_forelegs_to_the_own_side() {
    let Some(corpus) = corpus() else { return };
    let wolf = with_sit(&trotter().1);
    let animals: Vec<Rig> = ANIMALS
        .iter()
        .map(|file| rig(&corpus.join(file), Role::Target))
        .collect();
    let mut worst: f32 = 0.0;
    let mut sits = |source: &Rig, target: &Rig, pair: &str| {
        let mut result = retarget(source, target, &[], &Recipe::default()).unwrap();
        let clip = result.clips.swap_remove(0).clip;
        let fold = wrong_fold_degrees(target, &clip);
        assert!(fold < 5.0, "{pair}: {fold}");
        worst = worst.max(fold);
        clip
    };
    for (file, animal) in ANIMALS.iter().zip(&animals) {
        let mut character = animal.character.clone();
        character.clips = vec![sits(&wolf, animal, &format!("wolf on {}", stem(file)))];
        let source = Rig::from_character(character, animal.format, animal.stated, Vec::new());
        for (name, target) in ANIMALS.iter().zip(&animals) {
            sits(
                &source,
                target,
                &format!("{} on {}", stem(file), stem(name)),
            );
        }
    }
    println!("sits: at most {worst:.1} degrees the wrong way");
}

/// Every clip of every animal of the corpus on every other: attacks, gallops, trots, jumps, deaths. A foot that lies turned around
/// (a bull that dies) says nothing about where the trunk points to, along which its pair of feet stands further ahead.
#[test]
fn every_clip_folds_the_forelegs_to_the_own_side() {
    let Some(corpus) = corpus() else { return };
    let animals = ANIMALS.map(|file| rig(&corpus.join(file), Role::Source));
    let mut kinds: Vec<(&str, usize, f32)> = Vec::new();
    for source in &animals {
        for (file, target) in ANIMALS.iter().zip(&animals) {
            if std::ptr::eq(source, target) {
                continue;
            }
            let result = retarget(source, target, &[], &Recipe::default()).unwrap();
            for (made, clip) in result.clips.iter().zip(&source.character.clips) {
                let fold = wrong_fold_degrees(target, &made.clip);
                assert!(fold < 5.0, "{} on {}: {fold}", clip.name, stem(file));
                let name = clip
                    .name
                    .split(['|', '_'])
                    .nth(usize::from(clip.name.contains('|')));
                let name = name.unwrap_or_default();
                match kinds.iter_mut().find(|(kind, ..)| *kind == name) {
                    Some((_, count, worst)) => {
                        *count += 1;
                        *worst = worst.max(fold);
                    }
                    None => kinds.push((name, 1, fold)),
                }
            }
        }
    }
    for (kind, count, worst) in kinds {
        println!("{kind}, {count} retargets: at most {worst:.1} degrees the wrong way");
    }
}

/// Source file and clip.
const CLIPS: [(usize, &str); 8] = [
    (0, "AnimalArmature|Walk"),
    (0, "AnimalArmature|Gallop"),
    (1, "AnimalArmature|Walk"),
    (2, "AnimalArmature|Gallop"),
    (3, "AnimalArmature|Walk"),
    (3, "AnimalArmature|Gallop_Jump"),
    (4, "AnimalArmature|Walk"),
    (6, "Walk"),
];

/// Walks, gallops and jumps of real animals, on all others and on the bodies made by code.
#[test]
fn animals_move_each_other() {
    let Some(corpus) = corpus() else { return };
    let mut targets: Vec<(&str, Rig)> = ANIMALS
        .iter()
        .map(|file| (*file, rig(&corpus.join(file), Role::Target)))
        .collect();
    targets.extend(bodies());
    println!(
        "pair | slide source, target | penetration %h | step ratio, added ° | knee | jerk | F1"
    );
    let (mut steep, mut count) = (Vec::new(), 0);
    for (index, clip) in CLIPS {
        let file = ANIMALS[index];
        let source = rig(&corpus.join(file), Role::Source);
        for (name, target) in &targets {
            if *name == file {
                continue;
            }
            let result = retarget(&source, target, &[clip.to_owned()], &Recipe::default()).unwrap();
            let report = &result.clips[0].report;
            let (Some(feet), Some(floor), Some(pops)) = (&report.feet, &report.floor, &report.pops)
            else {
                panic!("{file} {clip} on {name}: no feet");
            };
            let slide = feet.slide_percent_per_second;
            let jerk = report
                .jerk
                .map_or(0.0, |jerk| jerk.target / jerk.source.max(1e-9));
            let deep = floor.penetration_frames_percent.target;
            let pair = format!("{} {clip} on {}", stem(file), stem(name));
            let fold = wrong_fold_degrees(target, &result.clips[0].clip);
            assert!(
                fold < 5.0,
                "{pair}: a foreleg folds {fold} degrees the wrong way"
            );
            println!("{pair} | limbs {:.1}", report.mean_direction_degrees);
            println!(
                "{pair} | {:.2} {:.2} | {:.2} | {:.2}, {:.1} | {:.2} | {jerk:.2} | {:.3}",
                slide.source,
                slide.target,
                floor.penetration_max_percent.target,
                pops.step_ratio,
                pops.step_added_degrees,
                pops.knee_ratio.unwrap_or(0.0),
                feet.contact_f1
            );
            assert!(
                slide.target <= 1.05 * slide.source.max(1.0),
                "{pair}: slides"
            );
            count += 1;
            assert!(
                deep <= 1.0,
                "{pair}: in the floor in {deep} % of the frames"
            );
            if pops.step_ratio > 1.3 {
                steep.push(pair);
            }
        }
    }
    println!("of {count} pairs steps over 1.3: {steep:?}");
    assert!(20 * steep.len() < count, "{steep:?}");
}
