//! Clips that leave the floor keep their heights: what floats, swings or flies is neither lowered nor raised.
//!
//! The law: while nothing touches, hips and feet are where the transfer without any care for feet puts them, which scales
//! every height. A body that stands on something above or below its floor is near there: what stands is held.
//!
//! `cargo test -p rebone --test all airborne -- --nocapture` prints the table.

use crate::common::legs::{metres, with_legs};
use crate::common::{self, corpus, retarget};
use glam::{Quat, Vec3};
use rebone::io::Format;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::{sample_clip, sample_track_at};
use rebone::model::{Character, Clamp as _, Clip, Interpolation, Track};
use rebone::setup::recipe::SourceFloor;
use rebone::{Recipe, RetargetedClip, Rig, Role};
use rebone_samples::{Climb, SampleClip, characters, clips, stairs};
use std::f32::consts::FRAC_PI_2;
use std::sync::Arc;

fn rig(character: Character) -> Rig {
    Rig::from_character(character, Format::Glb, metres(), Vec::new())
}

/// A clip of the adult in which the hips, and all that hangs from them, are turned and shifted.
fn shifted(clip: &Clip, hips: usize, turn: Quat, shift: &dyn Fn(f32) -> Vec3) -> Clip {
    let mut clip = clip.clone();
    let times = clip.key_times();
    let turns = sample_track_at(clip.joints[hips].rotation.as_ref().unwrap(), &times);
    let turns = turns.into_iter().map(|own| turn * own).collect();
    let shared: Arc<[f32]> = times.clone().into();
    clip.joints[hips].rotation = Track::new(Interpolation::Linear, shared, turns).ok();
    let track = clip.joints[hips].translation.as_ref().unwrap();
    let places = sample_track_at(track, &times);
    let moved = places
        .iter()
        .zip(&times)
        .map(|(place, &time)| *place + shift(time));
    let moved: Vec<Vec3> = moved.collect();
    clip.joints[hips].translation =
        Some(Track::new(Interpolation::Linear, times.into(), moved).unwrap());
    clip
}

/// 0 before `start`, 1 after `end`, smooth between.
fn step(time: f32, start: f32, end: f32) -> f32 {
    let share = ((time - start) / (end - start)).clamped(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// What a made clip is called; the sample clip that it shifts; by how much, metres, at a time of a clip so long, seconds; its bounds,
/// [`AIR`] or [`STANDING`].
type Case = (&'static str, &'static str, fn(f32, f32) -> Vec3, [f32; 3]);

const CASES: [Case; 15] = [
    (
        "float",
        "wave",
        |time, _| (1.0 + 0.15 * (3.0 * time).sin()) * Vec3::Y,
        AIR,
    ),
    (
        "swing",
        "wave",
        |time, _| {
            let angle = 0.8 * (2.5 * time).sin();
            Vec3::new(0.0, 2.1 - 0.9 * angle.cos(), 0.9 * angle.sin())
        },
        AIR,
    ),
    (
        "flying kick",
        "wave",
        |time, end| {
            let share = time / end;
            Vec3::new(0.0, 0.15 + 3.0 * share * (1.0 - share), 4.0 * share)
        },
        AIR,
    ),
    (
        "fall",
        "wave",
        |time, end| (8.0 - 7.5 * time / end) * Vec3::Y,
        AIR,
    ),
    (
        "dive",
        "wave",
        |time, _| Vec3::new(0.0, -0.5 - 0.4 * time, 0.3 * time),
        AIR,
    ),
    ("swim", "wave", |time, _| 0.4 * time * Vec3::Z, AIR),
    (
        "trampoline",
        "wave",
        |time, _| 1.3 * (3.0 * time).sin().abs() * Vec3::Y,
        STANDING,
    ),
    (
        "trampoline that sinks",
        "wave",
        |time, _| 0.8 * (3.0 * time).sin() * Vec3::Y,
        STANDING,
    ),
    // Its feet are 0.1 m in the floor when it begins, which could as well be noise: they come out of it.
    (
        "trampoline that begins in the floor",
        "wave",
        |time, _| (0.8 * (3.0 * time).sin() - 0.1) * Vec3::Y,
        [0.02, 0.06, 0.06],
    ),
    ("walk on a roof", "walk", |_, _| Vec3::Y, STANDING),
    ("walk on a kerb", "walk", |_, _| 0.3 * Vec3::Y, STANDING),
    (
        "ledge",
        "wave",
        |time, end| step(time, 0.4 * end, 0.6 * end) * Vec3::Y,
        STANDING,
    ),
    (
        "stairs up",
        "stairs up",
        |_, _| Vec3::ZERO,
        [0.01, 0.01, 0.03],
    ),
    (
        "stairs down",
        "stairs down",
        |_, _| Vec3::ZERO,
        [0.01, 0.01, 0.03],
    ),
    (
        "walk that is carried up in steps",
        "walk",
        |time, end| {
            let steps = 6.0 * time / end;
            let below = steps.floor();
            0.17 * (below + step(steps - below, 0.3, 0.7)) * Vec3::Y
        },
        STANDING,
    ),
];

/// Bounds where nothing touches: how far the hips' height, feet in the air, and any hip or foot may be off, over the height.
const AIR: [f32; 3] = [0.01; 3];

/// The same where something does. Feet are held, and legs of other lengths reach as far as they do, on this floor as on any:
/// the body comes down for legs that do not reach, and a foot leaves what it stands on from where it stood.
const STANDING: [f32; 3] = [0.02, 0.03, 0.06];

/// How far a result is from where the law wants it, over the target's height, at most.
#[derive(Clone, Copy, Debug, Default)]
struct Off {
    /// Height of the hips.
    body: f32,
    /// Feet at times at which, and shortly around which, nothing of them touches.
    in_air: f32,
    /// Hips and feet at any time, and when.
    anything: (f32, f32),
}

/// A foot begins to leave or to near what it stands on within this time, seconds.
const AROUND_TOUCHES: f32 = 0.25;

/// True where no point of a foot of the source touches about this time.
fn is_in_air(made: &RetargetedClip, side: i8, time: f32) -> bool {
    let contacts = made.report.contacts.as_ref().unwrap();
    let mut points = contacts.points.iter();
    !points.any(|own| {
        let mut touches = own.touches.iter();
        own.point.side == side
            && touches.any(|touch| {
                let from = touch.start_seconds - AROUND_TOUCHES;
                (from..touch.end_seconds + AROUND_TOUCHES).contains(&time)
            })
    })
}

fn off(target: &Rig, ours: &RetargetedClip, law: &Clip) -> Off {
    let skeleton = &target.character.skeleton;
    let height = target.alignment.measures.height as f32;
    let joints = [("hips", 0), ("leftFoot", 1), ("rightFoot", -1)]
        .map(|(slot, side)| (target.map.joint_named(slot).unwrap(), side));
    let mut worst = Off::default();
    for time in law.key_times() {
        let [a, b] =
            [&ours.clip, law].map(|clip| model_pose(skeleton, &sample_clip(skeleton, clip, time)));
        for (joint, side) in joints {
            let apart = (a.position(joint) - b.position(joint)) / height;
            if side == 0 {
                worst.body = worst.body.max(apart.y.abs());
            } else if is_in_air(ours, side, time) {
                worst.in_air = worst.in_air.max(apart.length());
            }
            if apart.length() > worst.anything.0 {
                worst.anything = (apart.length(), time);
            }
        }
    }
    worst
}

/// The sample clips, and those on stairs, by name.
fn made_clips() -> impl Iterator<Item = (String, SampleClip)> {
    let stairs = [("stairs up", 0.17), ("stairs down", -0.17)].map(|(name, rise)| {
        let climb = Climb {
            rise,
            depth: 0.29,
            slope: false,
        };
        (name.to_owned(), stairs(climb).0)
    });
    let samples = clips().into_iter();
    samples
        .map(|sample| (sample.clip.name.clone(), sample))
        .chain(stairs)
}

#[test]
fn heights_in_the_air_are_kept() {
    let all = characters();
    let mut targets: Vec<(String, Character)> = Vec::new();
    for character in &all[1..] {
        for legs in [0.5, 1.0] {
            targets.push((
                format!("{} legs x {legs}", character.name),
                with_legs(character, legs),
            ));
        }
    }
    targets.push(("adult legs x 1.7".to_owned(), with_legs(&all[0], 1.7)));
    let mut wrong = Vec::new();
    for (name, base, shift, bound) in CASES {
        let sample = made_clips().find(|(name, _)| name == base).unwrap().1;
        let end = sample.clip.time_span().1;
        let mut mover = all[0].clone();
        let plain_source = rig(Character {
            clips: vec![sample.clip.clone()],
            ..mover.clone()
        });
        let hips = plain_source.map.joint_named("hips").unwrap();
        let turn = match name {
            // Lying in the water, with the face down.
            "swim" => Quat::from_rotation_x(FRAC_PI_2),
            _ => Quat::IDENTITY,
        };
        mover.clips = vec![shifted(&sample.clip, hips, turn, &|time| shift(time, end))];
        let source = rig(mover);
        for (body, character) in &targets {
            let target = rig(character.clone());
            let made = |recipe: &Recipe| retarget(&source, &target, &[], recipe).unwrap();
            let mut law = Recipe::default();
            law.feet.weight = 0.0;
            let (ours, law) = (made(&Recipe::default()), made(&law));
            let Off {
                body: raised,
                in_air,
                anything: (worst, time),
            } = off(&target, &ours.clips[0], &law.clips[0].clip);
            println!(
                "{name} on {body}: the body {:.2}, feet in the air {:.2}, anything {:.2} % of the height off at {time:.2} s",
                100.0 * raised,
                100.0 * in_air,
                100.0 * worst
            );
            let found = [raised, in_air, worst];
            if found.iter().zip(bound).any(|(found, bound)| *found > bound) {
                wrong.push(format!(
                    "{name} on {body}: {raised:.3} {in_air:.3} {worst:.3}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn walk() -> Clip {
    let mut all = clips().into_iter();
    let sample = all.find(|sample| sample.clip.name == "walk");
    sample.unwrap().clip
}

/// The character with the clip that many metres higher.
fn walk_above(character: &Character, clip: &Clip, height: f32) -> Rig {
    let mover = |clip: Clip| {
        rig(Character {
            clips: vec![clip],
            ..character.clone()
        })
    };
    let plain = mover(clip.clone());
    let hips = plain.map.joint_named("hips").unwrap();
    match height {
        0.0 => plain,
        _ => mover(shifted(clip, hips, Quat::IDENTITY, &|_| height * Vec3::Y)),
    }
}

/// A walk on a roof or a kerb is the walk on the floor, as much higher as the plain transfer is: what a roof moves hips and
/// feet off the plain transfer is what any floor does.
#[test]
fn a_walk_on_a_roof_is_the_walk_on_the_floor() {
    let all = characters();
    let clip = walk();
    let source = |height: f32| walk_above(&all[0], &clip, height);
    let plain = source(0.0);
    for (character, legs) in [(1, 0.5), (1, 1.0), (2, 0.5), (2, 1.0), (0, 1.7)] {
        let target = rig(with_legs(&all[character], legs));
        let made = |source: &Rig, weight: Option<f64>| {
            let mut recipe = Recipe::default();
            recipe.feet.weight = weight.unwrap_or(recipe.feet.weight);
            let mut done = retarget(source, &target, &[], &recipe).unwrap();
            done.clips.swap_remove(0)
        };
        let own_hips = target.map.joint_named("hips").unwrap();
        let hips_at_start = |clip: &Clip| {
            let skeleton = &target.character.skeleton;
            model_pose(skeleton, &sample_clip(skeleton, clip, 0.0)).position(own_hips)
        };
        let on_floor = made(&plain, None);
        for height in [1.0, 0.3] {
            let above = source(height);
            let [low, high] =
                [&plain, &above].map(|source| hips_at_start(&made(source, Some(0.0)).clip));
            let higher = shifted(&on_floor.clip, own_hips, Quat::IDENTITY, &|_| high - low);
            let (worst, time) = off(&target, &made(&above, None), &higher).anything;
            println!(
                "{} legs x {legs}, {height} m above: {:.3} % of the height off at {time:.2} s",
                all[character].name,
                100.0 * worst
            );
            assert!(worst < 0.002, "{worst}");
        }
    }
}

/// Feet that never come lower than an eighth of a leg above the zero plane stand on tips whose length nothing shows: there is the floor.
#[test]
fn who_is_a_little_above_the_floor_all_the_time_stands_on_it() {
    let all = characters();
    let clip = walk();
    let source = |height: f32| walk_above(&all[0], &clip, height);
    let plain = source(0.0);
    let target = rig(all[1].clone());
    let made = |source: &Rig| {
        let mut done = retarget(source, &target, &[], &Recipe::default()).unwrap();
        done.clips.swap_remove(0)
    };
    let on_floor = made(&plain);
    for (height, comes_down) in [(0.11, true), (0.3, false)] {
        let above = source(height);
        let (worst, _) = off(&target, &made(&above), &on_floor.clip).anything;
        assert_eq!(worst < 0.01, comes_down, "{height}: {worst}");
    }
}

/// Whoever says where the floor is, is believed: a walk a metre above it comes down to it.
#[test]
fn the_floor_can_be_stated() {
    let all = characters();
    let sample = clips()
        .into_iter()
        .find(|sample| sample.clip.name == "walk")
        .unwrap();
    let plain = rig(Character {
        clips: vec![sample.clip.clone()],
        ..all[0].clone()
    });
    let hips = plain.map.joint_named("hips").unwrap();
    let roof = rig(Character {
        clips: vec![shifted(&sample.clip, hips, Quat::IDENTITY, &|_| Vec3::Y)],
        ..all[0].clone()
    });
    let target = rig(all[1].clone());
    let made = |source: &Rig, floor: Option<SourceFloor>| {
        let mut recipe = Recipe::default();
        recipe.contacts.ground = floor;
        let mut result = retarget(source, &target, &[], &recipe).unwrap();
        result.clips.swap_remove(0)
    };
    let on_floor = made(&plain, None);
    for (stated, comes_down) in [
        (SourceFloor::Metres(1.0), true),
        (SourceFloor::Lowest, true),
        (SourceFloor::Metres(0.0), false),
    ] {
        let (worst, _) = off(&target, &made(&roof, Some(stated)), &on_floor.clip).anything;
        assert_eq!(worst < 0.01, comes_down, "{stated:?}: {worst}");
    }
    let as_file = made(&roof, SourceFloor::parse("file"));
    let (worst, _) = off(&target, &made(&roof, None), &as_file.clip).anything;
    assert!(worst < 0.01, "{worst}");
    assert!(SourceFloor::parse("highest").is_none() && SourceFloor::parse("nan").is_none());
}

/// A character whose rest pose stands on the zero plane sits down and lies on something; its floor stays where it is, whichever
/// clips are retargeted together.
#[test]
fn who_sits_has_the_floor_of_who_stands() {
    let Some(corpus) = corpus() else { return };
    let folder = "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf";
    let source = common::rig(&corpus.join(folder).join("Barbarian.glb"), Role::Source);
    let target = common::rig(&corpus.join("mpfb/derived/mpfb_default.glb"), Role::Target);
    let floors = |names: &[&str]| -> Vec<f64> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let done = retarget(&source, &target, &names, &Recipe::default()).unwrap();
        let contacts = done
            .clips
            .iter()
            .map(|made| made.report.contacts.as_ref().unwrap());
        contacts.map(|contacts| contacts.ground_meters).collect()
    };
    let clips = ["Sit_Chair_Down", "Sit_Chair_Idle", "Lie_Down", "Walking_A"];
    let leg = source.alignment.measures.leg * source.space.meters_per_unit;
    for floor in clips
        .iter()
        .map(|name| floors(&[name])[0])
        .chain(floors(&clips))
    {
        assert!(floor.abs() < 0.1 * leg, "{floor}");
    }
}

/// A clip that has lost the path of its hips sits down in the air; that is told, and of whole clips it is not.
#[test]
fn hips_that_stand_still_in_the_air_are_told_of() {
    let all = characters();
    for sample in clips() {
        for is_lost in [false, true] {
            let mut clip = sample.clip.clone();
            if is_lost {
                clip.joints
                    .iter_mut()
                    .for_each(|tracks| tracks.translation = None);
            }
            let source = rig(Character {
                clips: vec![clip],
                ..all[0].clone()
            });
            let target = rig(all[1].clone());
            let result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
            let mut warnings = result.compiled.warnings.iter();
            let is_told = warnings.any(|warning| warning.code == "hips-still");
            let hangs = is_lost && ["sit_stand", "jump"].contains(&sample.clip.name.as_str());
            assert_eq!(is_told, hangs, "{} {is_lost}", sample.clip.name);
        }
    }
}
