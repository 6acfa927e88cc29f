//! The result faces where the source faces: a motion that is turned about the vertical gives the same result, turned.
//!
//! `cargo test -p rebone --test all heading -- --nocapture` prints what is off.

use crate::common::{corpus, read_file, retarget, rig};
use glam::Quat;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::{sample_clip, sample_track_at};
use rebone::model::{Character, Clip, Interpolation, ModelPose, Skeleton, Track};
use rebone::{Recipe, Rig, Role};
use rebone_testkit::random::Generator;
use std::path::Path;

/// The clip, turned about the file's origin. Joints at the top take the whole turn.
fn turned(character: &Character, clip: &Clip, turn: Quat) -> Clip {
    let mut clip = clip.clone();
    let times = clip.key_times();
    for (joint, at) in character.skeleton.joints().iter().enumerate() {
        if at.parent.is_some() {
            continue;
        }
        let tracks = &mut clip.joints[joint];
        let rotations = match &tracks.rotation {
            Some(track) => sample_track_at(track, &times),
            None => vec![at.rest.rotation; times.len()],
        };
        let places = match &tracks.translation {
            Some(track) => sample_track_at(track, &times),
            None => vec![at.rest.translation; times.len()],
        };
        let linear = Interpolation::Linear;
        let rotations = rotations.iter().map(|own| turn * *own).collect();
        let places = places.iter().map(|own| turn * *own).collect();
        tracks.rotation = Track::new(linear, times.clone().into(), rotations).ok();
        tracks.translation = Track::new(linear, times.clone().into(), places).ok();
    }
    clip
}

/// How far joints may be from the turned result, over the height: numbers are rounded, and knees that pass through straight make that
/// larger.
const NEAR: f32 = 0.001;

/// The same of directions in which hips, chest and head face, radians.
const FACING: f32 = 1e-5;

/// The hips of this fixture lie on the floor and turn round and round: where feet are held, what rounding changes grows. It is tried without.
const TWISTED: &str = "hips_spine_twisting.vrma";

fn pose(skeleton: &Skeleton, clip: &Clip, time: f32) -> ModelPose {
    model_pose(skeleton, &sample_clip(skeleton, clip, time))
}

#[test]
fn results_face_where_their_sources_face() {
    let Some(corpus) = corpus() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let target = rig(&folder.join("brute.glb"), Role::Target);
    let skeleton = &target.character.skeleton;
    let height = target.alignment.measures.height as f32;
    let up = target.alignment.up().as_vec3();
    let hips = target.map.joint_named("hips").unwrap();
    let trunk = ["hips", "chest", "head"].map(|slot| target.map.joint_named(slot).unwrap());
    let joints: Vec<usize> = target
        .map
        .slots
        .values()
        .flat_map(|found| found.joints.clone())
        .collect();
    let (mut tried, mut wrong, mut refused) = (0, Vec::new(), 0);
    let files = rebone_corpus::files_below(&corpus, &["bvh", "fbx", "glb", "gltf", "vrma"]);
    for file in files.unwrap() {
        let Ok(document) = read_file(&file) else {
            continue;
        };
        let Ok(source) = Rig::new(document, Role::Source, None) else {
            continue;
        };
        let clips = source.character.clips.clone();
        for (index, clip) in clips.into_iter().enumerate() {
            let times = clip.key_times();
            if times.len() < 2 || times.len() > 4000 {
                continue;
            }
            let yaw = Generator::new(index as u64).between(-3.1, 3.1) as f32;
            let with = |clip: Clip| {
                let mut character = source.character.clone();
                character.clips = vec![clip];
                Rig::from_character(character, source.format, source.stated, Vec::new())
            };
            let axis = source.alignment.up().as_vec3();
            let own = with(clip.clone());
            let other = with(turned(
                &source.character,
                &clip,
                Quat::from_axis_angle(axis, yaw),
            ));
            let mut recipe = Recipe::default();
            if file.ends_with(TWISTED) {
                recipe.feet.weight = 0.0;
            }
            let made = |source: &Rig| retarget(source, &target, &[], &recipe);
            let (Ok(mut plain), Ok(mut yawed)) = (made(&own), made(&other)) else {
                refused += 1;
                continue;
            };
            let [a, b] = [&mut plain, &mut yawed].map(|result| result.clips.remove(0).clip);
            let turn = Quat::from_axis_angle(up, yaw);
            let (mut worst, mut place) = (0.0f32, String::new());
            let mut facing = 0.0f32;
            let begin = [&a, &b].map(|clip| pose(skeleton, clip, times[0]).position(hips));
            for time in times.iter().step_by(times.len().div_ceil(12)) {
                let [a, b] = [&a, &b].map(|clip| pose(skeleton, clip, *time));
                let travel = turn * (a.position(hips) - begin[0]);
                let moved = b.position(hips) - begin[1];
                for &joint in &trunk {
                    let turned = angle_between(turn * a.rotation(joint), b.rotation(joint));
                    facing = facing.max(turned);
                }
                for &joint in &joints {
                    let wanted = turn * (a.position(joint) - a.position(hips)) + travel;
                    let own = b.position(joint) - b.position(hips) + moved;
                    let off = wanted.distance(own) / height;
                    if off > worst {
                        let turned = angle_between(turn * a.rotation(joint), b.rotation(joint));
                        worst = off;
                        place = format!(
                            "{} at {time:.2} s, turned by {:.1} degrees",
                            skeleton.unique_name(joint),
                            turned.to_degrees()
                        );
                    }
                }
            }
            tried += 1;
            let name = file.strip_prefix(&corpus).unwrap().display().to_string();
            if worst > NEAR || facing > FACING {
                wrong.push(format!(
                    "{name} {}: {:.2} %, {place}",
                    clip.name,
                    100.0 * worst
                ));
            }
        }
    }
    println!("{tried} clips, {refused} refused; off: {wrong:#?}");
    assert!(tried > 100, "{tried}");
    assert!(wrong.is_empty(), "{} of {tried}: {wrong:#?}", wrong.len());
}
