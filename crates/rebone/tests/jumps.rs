//! Jumps: feet leave and touch the floor when the source's do, and in the air the body flies as it did (Must show 2).

#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod common;

use common::legs::{metres, with_legs};
use common::{corpus, rig};
use glam::Vec3;
use rebone::core::align::Alignment;
use rebone::core::contact::{ContactMotion, DetectOptions, Touch, contact_points, detect};
use rebone::core::profile::{Part, Side};
use rebone::core::recipe::Recipe;
use rebone::core::runtime::Rig as RunRig;
use rebone::io::Format;
use rebone::model::Clip;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::{Rig, Role, retarget};
use rebone_testkit::sample::{characters, clips};
use std::ops::Range;

/// Frames in which no foot touches, at least a tenth of a second long and between frames in which one does.
fn flights(rig: &Rig, alignment: &Alignment, clip: &Clip, times: &[f32]) -> Vec<Range<usize>> {
    let points = contact_points(&rig.character, &rig.map, alignment, 0.0);
    let run = RunRig::new(&rig.character.skeleton);
    let motion = ContactMotion::new(&points, &run, clip, times);
    let contacts = detect(&points, &motion, &DetectOptions::default());
    let stands = |frame: usize| {
        let mut feet = points.points.iter().enumerate();
        feet.any(|(index, point)| {
            matches!(point.touch, Touch::Heel | Touch::Toes) && contacts.at(index, frame).is_some()
        })
    };
    let mut flights = Vec::new();
    let mut left = None;
    for frame in 0..times.len() {
        match (stands(frame), left) {
            (true, Some(start)) if frame > start + 1 && times[frame] - times[start] > 0.1 => {
                flights.push(start + 1..frame);
                left = Some(frame);
            }
            (true, _) => left = Some(frame),
            (false, _) => {}
        }
    }
    flights
}

/// Places of the hips, canonical, file units.
fn hips(rig: &Rig, alignment: &Alignment, clip: &Clip, times: &[f32]) -> Vec<Vec3> {
    let joint = rig.map.joint_of(Part::Hips, Side::Center).unwrap();
    let skeleton = &rig.character.skeleton;
    let canonical = alignment.canonical_from_file.as_quat();
    let place = |&time: &f32| {
        let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
        canonical * pose.position(joint)
    };
    times.iter().map(place).collect()
}

/// The largest difference of take-off and landing, frames, and the largest of the arcs' heights and ways, per cent of the leg.
fn compare(source: &Rig, target: &Rig, clip: &Clip, name: &str) -> (usize, f32) {
    let names = std::slice::from_ref(&clip.name);
    let result = retarget(source, target, names, &Recipe::default()).unwrap();
    let (made, compiled) = (&result.clips[0].clip, &result.compiled);
    let times = clip.key_times();
    let from = flights(source, &compiled.source, clip, &times);
    let to = flights(target, &compiled.target, made, &times);
    assert!(!from.is_empty(), "{name}: nobody flies");
    assert_eq!(from.len(), to.len(), "{name}: {from:?} {to:?}");
    let (a, b) = (
        hips(source, &compiled.source, clip, &times),
        hips(target, &compiled.target, made, &times),
    );
    let k = compiled.root_scale as f32;
    let leg = compiled.target.measures.leg as f32;
    let (mut frames, mut arc) = (0, 0.0f32);
    for (own, other) in from.iter().zip(&to) {
        frames = frames.max(own.start.abs_diff(other.start));
        frames = frames.max(own.end.abs_diff(other.end));
        let off: Vec<Vec3> = own.clone().map(|frame| b[frame] - a[frame] * k).collect();
        let mean = off.iter().sum::<Vec3>() / off.len() as f32;
        let most = off.iter().map(|off| off.distance(mean)).fold(0.0, f32::max);
        arc = arc.max(100.0 * most / leg);
    }
    println!("{name}: {from:?}, {to:?}; hips {arc:.2} % of the leg off the scaled path");
    (frames, arc)
}

/// Must show 2: the sample, to the frame, for legs of half, own and double length.
#[test]
fn a_jump_leaves_and_lands_in_its_frames() {
    let rig = |character| Rig::from_character(character, Format::Glb, metres(), Vec::new());
    let all = characters();
    let sample = clips()
        .into_iter()
        .find(|sample| sample.clip.name == "jump");
    let clip = sample.unwrap().clip;
    let mut mover = all[0].clone();
    mover.clips = vec![clip.clone()];
    let source = rig(mover);
    for character in &all {
        for times in [0.5, 1.0, 2.0] {
            let target = rig(with_legs(character, times));
            let name = format!("jump on {}, legs x {times}", character.name);
            let (frames, arc) = compare(&source, &target, &clip, &name);
            assert_eq!(frames, 0, "{name}");
            assert!(arc < 3.0, "{name}: {arc} % of the leg");
        }
    }
}

/// Must show 2 on real files, a frame of tolerance.
#[test]
fn real_jumps_leave_and_land_in_their_frames() {
    let Some(corpus) = corpus() else { return };
    let files = [
        "bvh_misc/animateddrawings/examples/bvh/fair1/jumping.bvh",
        "assimp/test/models/BVH/01_01.bvh",
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_48.fbx",
    ];
    let characters = characters();
    for file in files {
        let source = rig(&corpus.join(file), Role::Source);
        let clip = source.character.clips[0].clone();
        for character in &characters {
            for times in [0.5, 1.0, 2.0] {
                let target = with_legs(character, times);
                let target = Rig::from_character(target, Format::Glb, metres(), Vec::new());
                let name = format!("{file} on {}, legs x {times}", character.name);
                let (frames, _) = compare(&source, &target, &clip, &name);
                assert!(frames <= 1, "{name}");
            }
        }
    }
}
