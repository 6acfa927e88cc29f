//! Motion capture often begins with a T-pose: what comes behind it is the motion without it.

use crate::common::legs::{metres, with_legs};
use crate::common::retarget;
use rebone::io::Format;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::{sample_clip, sample_joint};
use rebone::model::{Character, Clip, Interpolation, JointTracks, Skeleton, Track, Transform};
use rebone::{Recipe, Rig};
use rebone_samples::{characters, clips};
use std::sync::Arc;

/// Shares of the height, at most.
const MOST: f32 = 1e-4;

fn rig(character: Character) -> Rig {
    Rig::from_character(character, Format::Glb, metres(), Vec::new())
}

/// The clip, later by a frame in which the character stands in its rest pose.
fn behind_t_pose(skeleton: &Skeleton, clip: &Clip) -> Clip {
    let times = clip.key_times();
    let step = times[1] - times[0];
    let later: Arc<[f32]> = std::iter::once(times[0])
        .chain(times.iter().map(|time| time + step))
        .collect();
    let mut made = clip.clone();
    for (joint, tracks) in made.joints.iter_mut().enumerate() {
        let rest = skeleton.joints()[joint].rest;
        let own = times.iter().map(|&time| sample_joint(tracks, rest, time));
        let all: Vec<Transform> = std::iter::once(rest).chain(own).collect();
        let linear = Interpolation::Linear;
        let turns = all.iter().map(|local| local.rotation).collect();
        let places = all.iter().map(|local| local.translation).collect();
        *tracks = JointTracks {
            rotation: Track::new(linear, Arc::clone(&later), turns).ok(),
            translation: Track::new(linear, Arc::clone(&later), places).ok(),
            scale: None,
        };
    }
    made
}

#[test]
fn a_t_pose_in_the_first_frame_changes_nothing_behind_it() {
    let all = characters();
    let skeleton = &all[0].skeleton;
    let mut worst: f32 = 0.0;
    for name in ["walk", "wave", "jump"] {
        let clip = clips()
            .into_iter()
            .map(|sample| sample.clip)
            .find(|clip| clip.name == name)
            .unwrap();
        let times = clip.key_times();
        let step = times[1] - times[0];
        let source = |clip: &Clip| {
            rig(Character {
                clips: vec![clip.clone()],
                ..all[0].clone()
            })
        };
        let both = [source(&clip), source(&behind_t_pose(skeleton, &clip))];
        for target in [
            all[1].clone(),
            with_legs(&all[1], 0.5),
            with_legs(&all[2], 1.5),
        ] {
            let target = rig(target);
            let skeleton = &target.character.skeleton;
            let [plain, behind] = both.each_ref().map(|source| {
                let mut done = retarget(source, &target, &[], &Recipe::default()).unwrap();
                done.clips.swap_remove(0).clip
            });
            let height = target.alignment.measures.height as f32;
            for &time in &times {
                let [plain, behind] = [(&plain, time), (&behind, time + step)]
                    .map(|(clip, time)| model_pose(skeleton, &sample_clip(skeleton, clip, time)));
                for joint in 0..skeleton.len() {
                    let apart = plain.position(joint).distance(behind.position(joint)) / height;
                    if apart > worst {
                        worst = apart;
                        println!("{name} at {time}, joint {joint}: {apart}");
                    }
                }
            }
        }
    }
    assert!(worst < MOST, "{worst}");
}
