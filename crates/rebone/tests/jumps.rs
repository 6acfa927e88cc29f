//! Jumps: feet leave and touch the floor when the source's do, and in the air the body flies as it did (Must show 2).

use crate::common::legs::{metres, with_legs};
use crate::common::{corpus, retarget, rig};
use glam::Vec3;
use rebone::io::Format;
use rebone::model::Clip;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::runtime::Rig as RunRig;
use rebone::runtime::contact::{ContactMotion, DetectOptions, Touch, detect};
use rebone::setup::align::Alignment;
use rebone::setup::align::contact_points;
use rebone::setup::profile::{Part, Side};
use rebone::setup::recipe::Recipe;
use rebone::{Rig, Role};
use rebone_samples::{characters, clips};
use std::ops::Range;

/// A body flies where all points of its feet are so far above their lowest places, of the leg.
const OFF_THE_FLOOR: f32 = 0.02;

/// Frames in which no foot touches, at least a tenth of a second long, between frames in which one does, and with all feet off the
/// floor in one of them.
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
    let lowest = |places: &[Vec3]| places.iter().map(|place| place.y).fold(f32::MAX, f32::min);
    let is_off = |frame: usize| {
        let mut feet = points.points.iter().zip(&motion.points);
        feet.all(|(point, places)| {
            !matches!(point.touch, Touch::Heel | Touch::Toes)
                || places[frame].y - lowest(places) > OFF_THE_FLOOR * points.leg
        })
    };
    let mut flights = Vec::new();
    let mut left = None;
    for frame in 0..times.len() {
        match (stands(frame), left) {
            (true, Some(start)) if frame > start + 1 && times[frame] - times[start] > 0.1 => {
                if (start + 1..frame).any(is_off) {
                    flights.push(start + 1..frame);
                }
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

/// The largest difference of take-off and landing, frames; flights that the source has not; how far the hips are off the
/// scaled path, per cent of the leg.
fn compare(
    source: &Rig,
    target: &Rig,
    clip: &Clip,
    times: &[f32],
    name: &str,
) -> (usize, usize, f32) {
    let names = std::slice::from_ref(&clip.name);
    let result = retarget(source, target, names, &Recipe::default()).unwrap();
    let (made, compiled) = (&result.clips[0].clip, &result.compiled);
    let from = flights(source, &compiled.source, clip, times);
    let all = flights(target, &compiled.target, made, times);
    assert!(!from.is_empty(), "{name}: nobody flies");
    let overlaps =
        |one: &Range<usize>, other: &Range<usize>| one.start < other.end && other.start < one.end;
    let to: Vec<Range<usize>> = from
        .iter()
        .map(|own| {
            all.iter()
                .find(|other| overlaps(own, other))
                .unwrap()
                .clone()
        })
        .collect();
    let (a, b) = (
        hips(source, &compiled.source, clip, times),
        hips(target, &compiled.target, made, times),
    );
    let (own, other) = (compiled.source.measures, compiled.target.measures);
    let k = (other.stride() / own.stride()) as f32;
    let leg = other.leg as f32;
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
    (frames, all.len() - from.len(), arc)
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
    let times = clip.key_times();
    for character in &all {
        for legs in [0.5, 1.0, 2.0] {
            let target = rig(with_legs(character, legs));
            let name = format!("jump on {}, legs x {legs}", character.name);
            let (frames, more, arc) = compare(&source, &target, &clip, &times, &name);
            assert_eq!((frames, more), (0, 0), "{name}");
            // Legs that are too short or too long for where they leave and land pull the hips there.
            assert!(arc < 8.5, "{name}: {arc} % of the leg");
        }
    }
}

/// Must show 2 on real files: a frame of tolerance, at the 30 frames a second of the labels of these clips.
#[test]
fn real_jumps_leave_and_land_in_their_frames() {
    let Some(corpus) = corpus() else { return };
    let files = [
        "bvh_misc/animateddrawings/examples/bvh/fair1/jumping.bvh",
        "assimp/test/models/BVH/01_01.bvh",
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_48.fbx",
    ];
    let characters = characters();
    let mut late = Vec::new();
    for file in files {
        let source = rig(&corpus.join(file), Role::Source);
        let clip = source.character.clips[0].clone();
        let (start, end) = clip.time_span();
        let frames = ((end - start) * 30.0) as usize;
        let times: Vec<f32> = (0..=frames)
            .map(|frame| start + frame as f32 / 30.0)
            .collect();
        for character in &characters {
            for legs in [0.5, 1.0, 2.0] {
                let target = with_legs(character, legs);
                let target = Rig::from_character(target, Format::Glb, metres(), Vec::new());
                let name = format!("{file} on {}, legs x {legs}", character.name);
                let (frames, more, _) = compare(&source, &target, &clip, &times, &name);
                // With half its legs a body has its feet so near the floor that a frame more is seen as flight or as stand.
                let slack = usize::from(legs < 1.0);
                if frames > 1 + slack || more > slack {
                    late.push(name);
                }
            }
        }
    }
    assert!(late.is_empty(), "{late:?}");
}
