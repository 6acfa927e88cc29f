//! Compact clips (S3.7, S3.13): what is read is what was written, within the stated error; no bytes do harm.

use rebone_model::check::check_clip;
use rebone_model::rotation::angle_between;
use rebone_model::sampling::sample_joint;
use rebone_model::{Clip, Transform};
use rebone_runtime::compact::{CompactError, decode, encode};
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_testkit::check::{Choices, compiled};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

fn any(seed: u64, keys: Keys) -> (Vec<Transform>, Clip) {
    let generator = &mut Generator::new(seed);
    let options = BodyOptions::random(generator, true);
    let body = random_body(generator, &options);
    let rigged = Rigged::new(&body, &random_convention(generator));
    let clip = rigged.clip(&Motion::random(generator, &body), keys);
    let joints = rigged.character.skeleton.joints().iter();
    (joints.map(|joint| joint.rest).collect(), clip)
}

/// Radians and, of the track's own extent, distance by which two clips are apart at most.
fn apart(rest: &[Transform], one: &Clip, two: &Clip) -> (f32, f32) {
    let (start, end) = one.time_span();
    let mut worst = (0.0f32, 0.0f32);
    for step in 0..=50 {
        let time = start + (end - start) * step as f32 / 50.0;
        for (joint, &rest) in rest.iter().enumerate() {
            let a = sample_joint(&one.joints[joint], rest, time);
            let b = sample_joint(&two.joints[joint], rest, time);
            let size = one.joints[joint].translation.as_ref().map_or(1.0, |track| {
                let first = track.key_value(0);
                let ways = (0..track.key_count()).map(|key| track.key_value(key).distance(first));
                ways.fold(1e-9, f32::max)
            });
            worst.0 = worst.0.max(angle_between(a.rotation, b.rotation));
            worst.1 = worst.1.max(a.translation.distance(b.translation) / size);
        }
    }
    worst
}

#[test]
fn what_is_read_is_what_was_written_within_the_stated_error() {
    let mut worst = (0.0f32, 0.0f32);
    for seed in 0..40 {
        for keys in [Keys::Linear, Keys::Step, Keys::Cubic, Keys::Mixed] {
            let (rest, mut clip) = any(seed, keys);
            clip.rate_hz = Some(30.0);
            let bytes = encode(&clip, &rest).unwrap();
            let read = decode(&bytes, &rest).unwrap();
            assert_eq!((&read.name, read.rate_hz), (&clip.name, clip.rate_hz));
            let off = apart(&rest, &clip, &read);
            worst = (worst.0.max(off.0), worst.1.max(off.1));
            assert_eq!(
                encode(&clip, &rest).unwrap(),
                bytes,
                "equal input, equal bytes"
            );
        }
    }
    eprintln!(
        "compact: {:.2e} radians, {:.2e} of the way",
        worst.0, worst.1
    );
    assert!(worst.0 < 1.6e-4, "{worst:?}");
    // Half a step a component, over an extent of at most twice the farthest way, and single precision.
    assert!(worst.1 < 4e-5, "{worst:?}");
}

#[test]
fn a_clip_takes_less_than_half_the_bytes_of_its_keys() {
    let (rest, clip) = any(3, Keys::Linear);
    let floats: usize = clip
        .joints
        .iter()
        .map(|tracks| {
            let rotation = tracks
                .rotation
                .as_ref()
                .map_or(0, |track| 4 * track.values().len());
            rotation
                + tracks
                    .translation
                    .as_ref()
                    .map_or(0, |track| 3 * track.values().len())
        })
        .sum();
    let bytes = encode(&clip, &rest).unwrap().len();
    eprintln!("compact: {bytes} bytes for {} of keys", 4 * floats);
    assert!(bytes < 2 * floats, "{bytes} of {}", 4 * floats);
}

#[test]
fn no_bytes_do_harm() {
    let (rest, clip) = any(5, Keys::Mixed);
    let good = encode(&clip, &rest).unwrap();
    for length in 0..good.len() {
        assert!(decode(&good[..length], &rest).is_err(), "cut at {length}");
    }
    let generator = &mut Generator::new(1);
    for _ in 0..3000 {
        let mut bytes = good.clone();
        let place = 16 + generator.below(bytes.len() - 16);
        bytes[place] ^= 1 << generator.below(8);
        // What the hash would find is tried past it, too.
        assert!(matches!(
            decode(&bytes, &rest),
            Err(CompactError::Damaged { .. })
        ));
        let sum = fnv(&bytes[16..]);
        bytes[8..16].copy_from_slice(&sum.to_le_bytes());
        if let Ok(clip) = decode(&bytes, &rest) {
            assert_eq!(clip.joints.len(), rest.len());
            assert_eq!(check_clip(&clip), Ok(()));
        }
    }
    assert_eq!(decode(b"glTF", &rest), Err(CompactError::NoClip));
    let mut later = good.clone();
    later[4] = 9;
    assert_eq!(
        decode(&later, &rest),
        Err(CompactError::Version { found: 9 })
    );
    let others = decode(&good, &rest[1..]);
    let expected = CompactError::Joints {
        stored: rest.len(),
        given: rest.len() - 1,
    };
    assert_eq!(others, Err(expected));
}

/// S3.7: one clip in few bytes, read once, moves characters of any size, stance and joint axes: each as the clip itself
/// does, but for the error of the bytes. What a character adds is its plan, and no keys.
#[test]
fn one_compact_clip_moves_many_characters() {
    let generator = &mut Generator::new(77);
    let body = random_body(generator, &BodyOptions::default());
    let source = Rigged::new(&body, &random_convention(generator));
    let clip = source.clip(&Motion::random(generator, &body), Keys::Linear);
    let rest = |rigged: &Rigged| -> Vec<Transform> {
        let joints = rigged.character.skeleton.joints().iter();
        joints.map(|joint| joint.rest).collect()
    };
    let bytes = encode(&clip, &rest(&source)).unwrap();
    let read = decode(&bytes, &rest(&source)).unwrap();
    let mut sizes = (f64::MAX, 0.0f64);
    let mut worst = 0.0f32;
    for seed in 0..12 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::random(generator, true);
        let factor = 0.4 + 0.3 * seed as f64;
        let other = random_body(generator, &options).scaled(factor);
        let target = Rigged::new(&other, &random_convention(generator));
        let height = other.height();
        sizes = (sizes.0.min(height), sizes.1.max(height));
        let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
        let [direct, compact] =
            [&clip, &read].map(|clip| apply_clip(&plan, clip, &ClipOptions::default()).unwrap());
        let off = apart(&rest(&target), &direct, &compact);
        worst = worst.max(off.0);
        let turns = direct
            .joints
            .iter()
            .filter_map(|joint| joint.rotation.as_ref());
        let moving = turns.filter(|track| !track.is_constant()).count();
        assert!(moving > 15, "seed {seed}: {moving} joints move");
        // A joint's local error holds those of both ends of what the target lacks in between.
        assert!(off.0 < 1e-3 && off.1 < 1e-3, "seed {seed}: {off:?}");
    }
    assert!(sizes.1 > 4.0 * sizes.0, "{sizes:?} metres");
    eprintln!("one compact clip on twelve characters: {worst:.2e} radians");
}

/// Written again from the description, so that the test can mend what it has broken.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
