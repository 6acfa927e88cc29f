//! Original keys, times and interpolation are kept, and between the keys too the result is what a
//! transfer of every single frame would give.

use crate::{again, any_clip, any_rigged, say};
use rebone_model::sampling::sample_clip;
use rebone_runtime::{ClipOptions, Workspace, apply_clip, apply_pose};
use rebone_testkit::check::{Choices, When, Worst, compare, compiled, pose_at, seen_at, times};
use rebone_testkit::oracle::{self, CommonPose, degrees_between, sample, transfer};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Rigged, random_body, random_convention,
};

#[test]
fn keys_times_and_interpolation_are_kept() {
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let source = any_rigged(generator, false);
        let target = again(generator, &source);
        let keys = [Keys::Linear, Keys::Cubic, Keys::Step, Keys::Mixed][seed as usize % 4];
        let clip = any_clip(generator, &source, keys);
        let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
        let result = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
        for (from, to) in source.joint_of.iter().zip(&target.joint_of) {
            let (before, after) = (&clip.joints[*from], &result.joints[*to]);
            if let Some(before) = &before.rotation {
                let after = after.rotation.as_ref().unwrap();
                assert_eq!(before.interpolation(), after.interpolation());
                assert!(std::ptr::eq(before.times(), after.times()));
            }
            if let Some(before) = &before.translation {
                let after = after.translation.as_ref().unwrap();
                assert_eq!(before.interpolation(), after.interpolation());
                assert!(std::ptr::eq(before.times(), after.times()));
            }
        }
    }
}

/// Cubic splines with tangents: 40 times between two keys.
#[test]
fn splines_equal_the_transfer_of_every_frame() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let source = any_rigged(generator, false);
        let target = again(generator, &source);
        let clip = any_clip(generator, &source, Keys::Cubic);
        let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
        let result = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
        let mut workspace = Workspace::new(&plan);
        let mut pose = plan.target.rest_pose();
        for step in 0..=240 {
            let time = step as f32 / 240.0;
            let from = sample_clip(&source.character.skeleton, &clip, time);
            apply_pose(&plan, &from, &mut pose, &mut workspace);
            let found = sample(&target.character.skeleton, &result, time);
            for (joint, (found, wanted)) in found.iter().zip(pose.transforms()).enumerate() {
                let apart = (found.translation - wanted.translation.as_dvec3()).length();
                let size = 1e-9 + found.translation.length();
                let turned = degrees_between(found.rotation, wanted.rotation.as_dquat());
                worst.add(apart / size, turned, || {
                    format!("joint {joint} at {time}, seed {seed}")
                });
            }
        }
    }
    say("splines between keys (position of its own length)", &worst);
    worst.assert_within(2e-5, 1e-4, "splines between keys");
}

/// Where a track must be baked (here: below a spine cut into other joints) it has the source's keys and
/// straight lines between them. Held keys stay held. Between linear keys the result is off by what the
/// source's joints do between two keys. Between the keys of a spline it is off by as much as those keys are
/// apart: baking does not add keys, so splines should be resampled first (`rate_hz`).
#[test]
fn baked_tracks_are_right_at_keys_and_near_between() {
    let off = |keys: Keys, rate_hz: Option<f64>| {
        let mut worst = Worst::default();
        for seed in rebone_corpus::seeds(0..20) {
            let generator = &mut Generator::new(seed);
            let mut rigged = |spine| {
                let options = BodyOptions {
                    spine,
                    ..BodyOptions::default()
                };
                let body = random_body(generator, &options);
                Rigged::new(&body, &random_convention(generator))
            };
            let (source, target) = (rigged(3), rigged(2));
            let clip = any_clip(generator, &source, keys);
            let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
            let result = apply_clip(
                &plan,
                &clip,
                &ClipOptions {
                    rate_hz,
                    ..ClipOptions::default()
                },
            )
            .unwrap();
            for time in times(&clip, When::Anytime) {
                let pose = pose_at(&source, &clip, time);
                let wanted = transfer(&source, &target, &pose, CommonPose::TPose);
                let wanted = oracle::seen(&target, &wanted);
                let found = seen_at(&target, &result, time);
                compare(&target, &wanted, &target, &found, time, &mut worst);
            }
        }
        say(
            &format!("baked, between {keys:?} keys, {rate_hz:?}"),
            &worst,
        );
        worst
    };
    off(Keys::Step, None).assert_within(2e-6, 2e-4, "held keys");
    off(Keys::Linear, None).assert_within(1e-3, 1.0, "linear keys");
    off(Keys::Cubic, Some(120.0)).assert_within(1e-4, 0.1, "resampled splines");
    assert!(off(Keys::Cubic, None).degrees > 1.0);
}

#[test]
fn a_stated_rate_gives_keys_at_that_rate() {
    let generator = &mut Generator::new(5);
    let source = any_rigged(generator, false);
    let target = again(generator, &source);
    let clip = any_clip(generator, &source, Keys::Mixed);
    let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
    let options = ClipOptions {
        rate_hz: Some(24.0),
        ..ClipOptions::default()
    };
    let result = apply_clip(&plan, &clip, &options).unwrap();
    assert_eq!(result.frame_count(), 25);
    assert_eq!(result.rate_hz, Some(24.0));
}
