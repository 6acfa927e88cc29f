//! What is seen of a mirrored motion is what a mirror shows of it (S3.8 to S3.12).

use crate::{any_clip, any_rigged, say};
use glam::{DQuat, DVec3};
use rebone_model::sampling::sample_clip;
use rebone_runtime::stage::Mirror;
use rebone_setup::align::{AlignOptions, align};
use rebone_setup::mirror::{find_twins, mirror_clip, mirror_for, mirror_pose};
use rebone_testkit::check::{When, Worst, seen_at, times};
use rebone_testkit::oracle::{Seen, degrees_between};
use rebone_testkit::random::{Generator, Keys, Rigged};

fn mirror_of(rigged: &Rigged) -> Mirror {
    let (character, map) = (&rigged.character, &rigged.map);
    let alignment = align(character, map, &[], &AlignOptions::default());
    let (twins, warnings) = find_twins(character, map, &alignment);
    assert!(warnings.is_empty(), "{warnings:?}");
    mirror_for(character, &alignment, &twins)
}

/// The joint's key on the other side.
pub(crate) fn other_key(key: &str) -> String {
    match (key.contains("left"), key.contains("right")) {
        (true, _) => key.replacen("left", "right", 1),
        (_, true) => key.replacen("right", "left", 1),
        _ => key.to_owned(),
    }
}

pub(crate) fn in_the_mirror(seen: &Seen) -> Seen {
    let DQuat { x, y, z, w } = seen.turn;
    Seen {
        turn: DQuat::from_xyzw(x, -y, -z, w),
        position: seen.position * DVec3::new(-1.0, 1.0, 1.0),
    }
}

pub(crate) fn compare(
    rigged: &Rigged,
    before: &[Seen],
    after: &[Seen],
    time: f32,
    worst: &mut Worst,
) {
    for (index, joint) in rigged.body.joints.iter().enumerate() {
        let Some(twin) = rigged.body.find(&other_key(&joint.key)) else {
            continue;
        };
        let (wanted, found) = (in_the_mirror(&before[twin]), &after[index]);
        let apart = wanted.position.distance(found.position) / rigged.body.height();
        let degrees = degrees_between(wanted.turn, found.turn);
        worst.add(apart, degrees, || format!("{} at {time:.3} s", joint.key));
    }
}

#[test]
fn a_mirrored_clip_is_what_a_mirror_shows() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..150) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, false);
        let keys = [Keys::Linear, Keys::Cubic, Keys::Step, Keys::Mixed][seed as usize % 4];
        let clip = any_clip(generator, &rigged, keys);
        let mirrored = mirror_clip(&rigged.character, &mirror_of(&rigged), &clip);
        for time in times(&clip, When::Anytime) {
            let (before, after) = (
                seen_at(&rigged, &clip, time),
                seen_at(&rigged, &mirrored, time),
            );
            compare(&rigged, &before, &after, time, &mut worst);
        }
    }
    say("mirror", &worst);
    worst.assert_within(2e-6, 2e-4, "mirror");
}

#[test]
fn mirroring_twice_returns_the_input() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(200..260) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, false);
        let clip = any_clip(generator, &rigged, Keys::Mixed);
        let mirror = mirror_of(&rigged);
        let once = mirror_clip(&rigged.character, &mirror, &clip);
        let twice = mirror_clip(&rigged.character, &mirror, &once);
        for time in times(&clip, When::Keys) {
            let (before, after) = (
                seen_at(&rigged, &clip, time),
                seen_at(&rigged, &twice, time),
            );
            for (joint, (a, b)) in before.iter().zip(&after).enumerate() {
                let apart = a.position.distance(b.position) / rigged.body.height();
                let key = &rigged.body.joints[joint].key;
                worst.add(apart, degrees_between(a.turn, b.turn), || key.clone());
            }
        }
    }
    say("mirror twice", &worst);
    worst.assert_within(2e-6, 1e-4, "mirror twice");
}

#[test]
fn poses_are_mirrored_like_clips() {
    for seed in rebone_corpus::seeds(300..320) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, false);
        let clip = any_clip(generator, &rigged, Keys::Linear);
        let mirror = mirror_of(&rigged);
        let character = &rigged.character;
        let mirrored = mirror_clip(character, &mirror, &clip);
        for time in times(&clip, When::Keys) {
            let pose = sample_clip(&character.skeleton, &clip, time);
            let expected = sample_clip(&character.skeleton, &mirrored, time);
            let found = mirror_pose(character, &mirror, &pose);
            for (a, b) in expected.transforms().iter().zip(found.transforms()) {
                assert!(a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5, "seed {seed}");
                let length = 1.0 + a.translation.length();
                assert!(
                    a.translation.distance(b.translation) < 1e-5 * length,
                    "seed {seed}"
                );
                assert!(a.scale.distance(b.scale) < 1e-4, "seed {seed}");
            }
        }
    }
}
