//! One pose at a time gives what the whole clip gives, to the bit.

use crate::{any_clip, any_rigged};
use rebone_model::rotation::{angle_between, same_hemisphere};
use rebone_model::sampling::sample_clip;
use rebone_model::track::TrackValue;
use rebone_model::{Clip, LocalPose, Track};
use rebone_runtime::{ClipOptions, Plan, Workspace, apply_clip, apply_pose};
use rebone_setup::transfer::Method;
use rebone_testkit::check::{Choices, compiled};
use rebone_testkit::random::{Convention, Generator, Keys, Rigged};

/// A plan with a clip of its source.
struct Case {
    source: Rigged,
    plan: Plan,
    clip: Clip,
}

fn any_case(seed: u64) -> Case {
    let generator = &mut Generator::new(seed);
    let (source, mut target) = (any_rigged(generator, false), any_rigged(generator, false));
    let method = Method::ALL[seed as usize % 4];
    if method == Method::Channels {
        // It copies file units: a joint of a file in centimetres would be lost in one in kilometres.
        let units = source.convention.units;
        let convention = target.convention.clone();
        target = Rigged::new(
            &target.body,
            &Convention {
                units,
                ..convention
            },
        );
    }
    let keys = [Keys::Mixed, Keys::Linear][seed as usize / 4 % 2];
    let clip = any_clip(generator, &source, keys);
    let choices = Choices {
        method,
        ..Choices::default()
    };
    let plan = compiled(&source, &target, &clip, &choices).plan;
    Case { source, plan, clip }
}

/// The values of a track at its keys; of none, the rest at the clip's first.
fn keys<V: TrackValue>(track: &Option<Track<V>>, rest: V) -> Vec<(Option<f32>, V)> {
    match track {
        Some(track) if track.key_count() > 1 => {
            let times = track.times().iter().copied();
            let keys = times.enumerate();
            keys.map(|(key, time)| (Some(time), track.key_value(key)))
                .collect()
        }
        Some(track) => vec![(None, track.key_value(0))],
        None => vec![(None, rest)],
    }
}

/// Holds every key of a clip against the pose of its time; the keys of a channel without a track, or with one key, against
/// the pose of every time. How many keys those were.
fn assert_poses_are_keys(case: &Case, made: &Clip, seed: u64) -> usize {
    let plan = &case.plan;
    let mut workspace = Workspace::new(plan);
    let mut seen = 0;
    let all = made.key_times();
    let poses: Vec<LocalPose> = all
        .iter()
        .map(|&time| {
            let from = sample_clip(&case.source.character.skeleton, &case.clip, time);
            let mut pose = plan.target.rest_pose();
            apply_pose(plan, &from, &mut pose, &mut workspace);
            pose
        })
        .collect();
    let at = |time: Option<f32>| {
        let poses = poses.iter().zip(&all);
        poses.filter(move |(_, now)| time.is_none_or(|time| time == **now))
    };
    for (joint, (tracks, rest)) in made.joints.iter().zip(&plan.target.rest).enumerate() {
        let place =
            |channel: &str, now: &f32| format!("seed {seed}, joint {joint}, {channel} at {now}");
        for (time, value) in keys(&tracks.rotation, rest.rotation) {
            for (pose, now) in at(time) {
                let pose = same_hemisphere(pose.transforms()[joint].rotation, value);
                let off = tracks.rotation.is_none() && angle_between(pose, value) <= 2e-6;
                assert!(
                    off || pose == value,
                    "{}: {pose} {value}",
                    place("rotation", now)
                );
                seen += 1;
            }
        }
        for (time, value) in keys(&tracks.translation, rest.translation) {
            for (pose, now) in at(time) {
                let pose = pose.transforms()[joint].translation;
                let most = 3e-5 * (1e-3 + value.length());
                let off = tracks.translation.is_none() && pose.distance(value) <= most;
                assert!(
                    off || pose == value,
                    "{}: {pose} {value}",
                    place("translation", now)
                );
                seen += 1;
            }
        }
        for (time, value) in keys(&tracks.scale, rest.scale) {
            for (pose, now) in at(time) {
                let pose = pose.transforms()[joint].scale;
                assert!(pose == value, "{}: {pose} {value}", place("scale", now));
                seen += 1;
            }
        }
    }
    seen
}

/// Channels that stay at rest within rounding have no keys; all others have the bits of the pose.
#[test]
fn keys_that_are_kept_have_the_bits_of_poses() {
    let mut seen = 0;
    for seed in rebone_corpus::seeds(0..400) {
        let case = any_case(seed);
        let made = apply_clip(&case.plan, &case.clip, &ClipOptions::default()).unwrap();
        seen += assert_poses_are_keys(&case, &made, seed);
    }
    assert!(seen > 10_000);
}

#[test]
fn frames_at_a_rate_have_the_bits_of_poses() {
    let options = ClipOptions {
        rate_hz: Some(30.0),
        ..ClipOptions::default()
    };
    let mut seen = 0;
    for seed in rebone_corpus::seeds(0..100) {
        let case = any_case(seed);
        let made = apply_clip(&case.plan, &case.clip, &options).unwrap();
        seen += assert_poses_are_keys(&case, &made, seed);
    }
    assert!(seen > 10_000);
}
