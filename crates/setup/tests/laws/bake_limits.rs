//! What a clip claims about its length is limited before it is baked, and what overflows is an error.

use crate::{any_clip, any_rigged};
use rebone_model::check::check_clip;
use rebone_model::usable::LARGEST;
use rebone_model::{Clip, Interpolation, Quat, Track, Vec3};
use rebone_runtime::Error;
use rebone_runtime::{BakeLimits, ClipOptions, TooManyFrames, apply_clip};
use rebone_testkit::check::{Choices, compiled};
use rebone_testkit::random::{Generator, Keys};

/// A clip of two keys that lasts for a million seconds needs 30 million frames at 30 per second.
#[test]
fn years_between_two_keys_are_refused_before_memory_is_taken() {
    let generator = &mut Generator::new(1);
    let (source, target) = (any_rigged(generator, false), any_rigged(generator, false));
    let mut clip = Clip::new("years", source.character.skeleton.len());
    let values = vec![Quat::IDENTITY, Quat::from_rotation_x(1.0)];
    clip.joints[0].rotation = Track::new(Interpolation::Linear, [0.0, 1e6].into(), values).ok();
    let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
    let at = |rate_hz| ClipOptions {
        rate_hz: Some(rate_hz),
        ..ClipOptions::default()
    };
    let Err(Error::TooManyFrames(TooManyFrames {
        clip: name,
        seconds,
        frames,
        most,
        fits_hz,
    })) = apply_clip(&plan, &clip, &at(30.0))
    else {
        panic!("no error");
    };
    assert_eq!((name.as_str(), seconds), ("years", 1e6));
    assert_eq!((frames, most), (30_000_001, 50_000));
    let made = apply_clip(&plan, &clip, &at(fits_hz)).unwrap();
    assert!(made.frame_count() <= 50_000);
    for rate_hz in [f64::MAX, f64::INFINITY] {
        let result = apply_clip(&plan, &clip, &at(rate_hz));
        assert!(matches!(result, Err(Error::TooManyFrames(_))));
    }
    let options = ClipOptions {
        limits: BakeLimits {
            frames: 100,
            bytes: u64::MAX,
        },
        ..at(1e-3)
    };
    assert!(apply_clip(&plan, &clip, &options).is_err());
}

/// Finite input may give numbers that no file can hold. Then there is an error, and no clip.
#[test]
fn results_are_usable_or_an_error() {
    let (mut errors, mut results) = (0, 0);
    for seed in 0..200 {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, false), any_rigged(generator, false));
        let mut clip = any_clip(generator, &source, Keys::Mixed);
        let joint = seed as usize % clip.joints.len();
        let values = vec![Vec3::splat(LARGEST); 2];
        clip.joints[joint].translation =
            Track::new(Interpolation::Linear, [0.0, 1.0].into(), values.clone()).ok();
        clip.joints[joint].scale =
            Track::new(Interpolation::Linear, [0.0, 1.0].into(), values).ok();
        let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
        for rate_hz in [None, Some(30.0)] {
            let options = ClipOptions {
                rate_hz,
                ..ClipOptions::default()
            };
            match apply_clip(&plan, &clip, &options) {
                Ok(made) => {
                    assert_eq!(check_clip(&made), Ok(()), "seed {seed}");
                    results += 1;
                }
                Err(Error::Unusable(problem)) => {
                    assert!(problem.joint.is_some(), "seed {seed}");
                    errors += 1;
                }
                Err(other) => panic!("seed {seed}: {other}"),
            }
        }
    }
    assert!(errors > 10 && results > 10, "{errors} {results}");
}
