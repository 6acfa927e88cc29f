//! One body, two ways to write it down: the motion that is seen must be the same.

use crate::{again, any_clip, any_rigged, full_body, say};
use glam::{DQuat, DVec3};
use rebone_model::{Interpolation, Track};
use rebone_testkit::check::{Choices, When, Worst, same_motion};
use rebone_testkit::random::{
    Container, Convention, Generator, Keys, Motion, Rigged, Stance, axis_conventions,
};
use std::sync::Arc;

/// Bounds for positions (of the height) and rotations (degrees) of everything here.
const BOUNDS: (f64, f64) = (2e-6, 1e-4);

fn between(source: &Convention, target: &Convention, seed: u64, keys: Keys) -> Worst {
    let generator = &mut Generator::new(seed);
    let body = full_body(generator);
    let (source, target) = (Rigged::new(&body, source), Rigged::new(&body, target));
    let clip = any_clip(generator, &source, keys);
    same_motion(&source, &target, &clip, &Choices::default(), When::Anytime)
}

#[test]
fn every_axis_convention_gives_the_same_motion() {
    let mut worst = Worst::default();
    for (index, turn) in axis_conventions().into_iter().enumerate() {
        let target = Convention {
            file_from_canonical: turn,
            ..Convention::default()
        };
        let seed = index as u64;
        worst.merge(&between(&Convention::default(), &target, seed, Keys::Cubic));
        worst.merge(&between(
            &target,
            &Convention::default(),
            seed,
            Keys::Linear,
        ));
    }
    say("24 axis conventions", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "24 axis conventions");
}

#[test]
fn units_do_not_matter() {
    let mut worst = Worst::default();
    for (seed, units) in [100.0, 0.01, 39.37].into_iter().enumerate() {
        let target = Convention {
            units,
            ..Convention::default()
        };
        let seed = seed as u64;
        worst.merge(&between(&Convention::default(), &target, seed, Keys::Cubic));
        worst.merge(&between(&target, &Convention::default(), seed, Keys::Step));
    }
    say("units", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "units");
}

#[test]
fn the_rest_pose_may_be_anything_from_t_to_arms_down() {
    let mut worst = Worst::default();
    let stance = |arms_down_degrees| Convention {
        stance: Stance {
            arms_down_degrees,
            ..Stance::default()
        },
        joint_axes: Some(arms_down_degrees as u64),
        ..Convention::default()
    };
    for (seed, from) in [0.0, 12.0, 45.0, 60.0, 88.0].into_iter().enumerate() {
        for to in [0.0, 4.0, 30.0, 45.0, 75.0, 88.0] {
            let seed = seed as u64;
            worst.merge(&between(&stance(from), &stance(to), seed, Keys::Linear));
        }
    }
    say("rest poses", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "rest poses");
}

/// A rest pose within two degrees of the source's is taken for the same pose, so the arms are off by
/// their difference: the dead-band, by design.
#[test]
fn rest_poses_within_two_degrees_are_taken_as_alike() {
    let nearly = Convention {
        stance: Stance {
            arms_down_degrees: 1.5,
            ..Stance::default()
        },
        ..Convention::default()
    };
    let worst = between(&Convention::default(), &nearly, 3, Keys::Linear);
    assert!((worst.degrees - 1.5).abs() < 1e-3, "{worst:?}");
}

#[test]
fn containers_above_the_skeleton_do_not_matter() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..30) {
        let generator = &mut Generator::new(seed);
        let container = |rotation, scale, translation| Container {
            rotation,
            scale,
            translation,
        };
        // An armature of a Z-up tool in centimetres; then anything.
        let mut containers = vec![container(
            DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
            0.01,
            DVec3::ZERO,
        )];
        if seed % 2 == 1 {
            let rotation = generator.rotation();
            containers.push(container(rotation, 3.0, generator.vector(1.0)));
        }
        let target = Convention {
            containers,
            joint_axes: Some(seed),
            ..Convention::default()
        };
        worst.merge(&between(&Convention::default(), &target, seed, Keys::Mixed));
        worst.merge(&between(&target, &Convention::default(), seed, Keys::Mixed));
    }
    say("containers", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "containers");
}

/// The whole character stands turned in its file, by any yaw and pitch, because its container does.
#[test]
fn a_container_may_turn_the_whole_character() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..30) {
        let generator = &mut Generator::new(seed);
        let turn = DQuat::from_rotation_y(generator.between(-3.0, 3.0))
            * DQuat::from_rotation_x(generator.between(-1.3, 1.3));
        let target = Convention {
            file_from_canonical: turn,
            containers: vec![Container {
                rotation: turn,
                scale: 1.0,
                translation: DVec3::ZERO,
            }],
            joint_axes: Some(seed),
            ..Convention::default()
        };
        worst.merge(&between(&Convention::default(), &target, seed, Keys::Cubic));
        worst.merge(&between(&target, &Convention::default(), seed, Keys::Cubic));
    }
    say("turned containers", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "turned containers");
}

/// A turntable under the source: it turns, slides and grows the character; the target has none. Turns
/// and ways are baked, so they are compared at the keys.
#[test]
fn an_animated_container_moves_the_target_too() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let convention = Convention {
            containers: vec![Container {
                rotation: DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
                scale: 0.01,
                translation: DVec3::ZERO,
            }],
            joint_axes: Some(seed),
            ..Convention::default()
        };
        let source = Rigged::new(&body, &convention);
        let target = again(generator, &source);
        let mut clip = any_clip(generator, &source, Keys::Linear);
        let container = source.container_of[0];
        let times: Arc<[f32]> = (0..=30).map(|key| key as f32 / 30.0).collect();
        let rest = convention.containers[0].rotation.as_quat();
        let turn = |t: f32| glam::Quat::from_rotation_y(2.0 * t) * rest;
        let slide = |t: f32| glam::Vec3::new(t, 0.2 * t * t, -t);
        let values = times.iter().map(|&t| turn(t)).collect();
        clip.joints[container].rotation =
            Track::new(Interpolation::Linear, Arc::clone(&times), values).ok();
        let values = times.iter().map(|&t| slide(t)).collect();
        clip.joints[container].translation =
            Track::new(Interpolation::Linear, Arc::clone(&times), values).ok();
        worst.merge(&same_motion(
            &source,
            &target,
            &clip,
            &Choices::default(),
            When::Keys,
        ));
    }
    say("animated containers", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "animated containers");
}

#[test]
fn everything_at_once_gives_the_same_motion() {
    let mut worst = Worst::default();
    for seed in 1_000..1_400 {
        let generator = &mut Generator::new(seed);
        let source = any_rigged(generator, false);
        let target = again(generator, &source);
        let clip = any_clip(generator, &source, Keys::Mixed);
        let choices = Choices::default();
        let found = same_motion(&source, &target, &clip, &choices, When::Anytime);
        if found.position > BOUNDS.0 || found.degrees > BOUNDS.1 {
            say(&format!("seed {seed}"), &found);
        }
        worst.merge(&found);
    }
    say("any conventions", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "any conventions");
}

/// There and back by way of another body and convention. Seen from the hips this is exact. The lift is
/// found from either body's own legs, so the hips' places agree to 0.2 % of the height only.
#[test]
fn going_there_and_back_returns_the_input() {
    let (mut shape, mut travel) = (Worst::default(), Worst::default());
    for seed in 2_000..2_100 {
        let generator = &mut Generator::new(seed);
        let options = rebone_testkit::random::BodyOptions::random(generator, true);
        let one = rebone_testkit::random::random_body(generator, &options);
        let other = rebone_testkit::random::random_body(generator, &options);
        let convention =
            |generator: &mut Generator| rebone_testkit::random::random_convention(generator);
        let a = Rigged::new(&one, &convention(generator));
        let b = Rigged::new(&other, &convention(generator));
        let clip = a.clip(&Motion::random(generator, &one), Keys::Mixed);
        let choices = Choices::default();
        let there = rebone_testkit::check::retarget(&a, &b, &clip, &choices);
        let back = rebone_testkit::check::retarget(&b, &a, &there, &choices);
        for time in rebone_testkit::check::times(&clip, When::Anytime) {
            let before = rebone_testkit::check::seen_at(&a, &clip, time);
            let after = rebone_testkit::check::seen_at(&a, &back, time);
            rebone_testkit::check::compare_from_hips(
                &a,
                &before,
                &a,
                &after,
                time,
                &mut shape,
                &mut travel,
            );
        }
    }
    say("there and back", &shape);
    say("travel there and back", &travel);
    shape.assert_within(5e-6, 5e-4, "there and back");
    travel.assert_within(3e-3, 0.0, "travel there and back");
}
