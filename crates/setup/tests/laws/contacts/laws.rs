//! What must not matter: size, axes, rate, place, heading, height of the floor, noise.

use super::{Agreement, adult, changed, spans};
use crate::{again, any_clip, any_rigged};
use glam::{Quat, Vec3};
use rebone_runtime::Rig;
use rebone_runtime::contact::{ContactMotion, ContactPoints, DetectOptions, detect};
use rebone_setup::align::AlignOptions;
use rebone_setup::align::contact_points;
use rebone_testkit::check::aligned;
use rebone_testkit::random::{Generator, Keys, Rigged};

#[test]
fn size_does_not_matter() {
    let adult = adult();
    for sample in &adult.clips {
        let motion = adult.motion(&sample.clip, None);
        let wanted = spans(&adult.points, &adult.contacts(&motion));
        for factor in [1e-6, 0.013, 100.0, 1e6] {
            let points = ContactPoints {
                leg: adult.points.leg * factor,
                floor_within: adult.points.floor_within * factor,
                ..adult.points.clone()
            };
            let motion = changed(&motion, |_, place| place * factor);
            let contacts = detect(&points, &motion, &DetectOptions::default());
            assert_eq!(
                spans(&points, &contacts),
                wanted,
                "{} x {factor}",
                sample.clip.name
            );
        }
    }
}

#[test]
fn place_heading_and_floor_do_not_matter() {
    let adult = adult();
    // Nothing shows where the floor is.
    let points = ContactPoints {
        floor_within: f32::INFINITY,
        ..adult.points.clone()
    };
    for sample in &adult.clips {
        let motion = adult.motion(&sample.clip, None);
        let plain = adult.contacts(&motion);
        let wanted = spans(&adult.points, &plain);
        for seed in rebone_corpus::seeds(0..8) {
            let generator = &mut Generator::new(seed);
            let turn = Quat::from_rotation_y(generator.between(-3.0, 3.0) as f32);
            let shift = generator.vector(3.0).as_vec3();
            let moved = changed(&motion, |_, place| turn * place + shift);
            let contacts = detect(&points, &moved, &DetectOptions::default());
            let (name, leg) = (&sample.clip.name, adult.points.leg);
            let mut agreement = Agreement::default();
            for (point, intervals) in plain.points.iter().enumerate() {
                for frame in 0..motion.times.len() {
                    let other = contacts.at(point, frame);
                    agreement.add(plain.at(point, frame).is_some(), other.is_some());
                }
                for (one, two) in intervals.iter().zip(&contacts.points[point]) {
                    let apart = (two.height - one.height - shift.y).abs();
                    assert!(apart < 2e-3 * leg, "{name}: {one:?} {two:?} {shift}");
                }
            }
            // Numbers far from zero are a little coarser; a frame at an end may change.
            assert!(
                agreement.one <= 2,
                "{name} {seed}: {wanted:?} {:?}",
                contacts.points
            );
            assert!(
                (contacts.ground - plain.ground - shift.y).abs() < 2e-3 * leg,
                "{name}"
            );
        }
    }
}

#[test]
fn rate_does_not_matter() {
    let adult = adult();
    for sample in &adult.clips {
        let at = |rate: f32| {
            let motion = adult.motion(&sample.clip, Some(rate));
            (adult.contacts(&motion), motion.times)
        };
        let (fine, _) = at(240.0);
        for rate in [24.0, 25.0, 30.0, 60.0, 120.0] {
            let (contacts, times) = at(rate);
            let mut agreement = Agreement::default();
            for point in 0..contacts.points.len() {
                for (frame, time) in times.iter().enumerate() {
                    let other = fine.at(point, (time * 240.0).round() as usize);
                    agreement.add(contacts.at(point, frame).is_some(), other.is_some());
                }
            }
            let name = &sample.clip.name;
            eprintln!("{name} at {rate} Hz against 240 Hz: {:.4}", agreement.f1());
            assert!(agreement.f1() > 0.97, "{name} at {rate}: {agreement:?}");
        }
    }
}

/// Keys at uneven times: every third frame is missing.
#[test]
fn uneven_times_do_not_matter() {
    let adult = adult();
    for sample in &adult.clips {
        let whole = adult.motion(&sample.clip, None);
        let wanted = adult.contacts(&whole);
        let kept: Vec<usize> = (0..whole.times.len())
            .filter(|frame| frame % 3 != 1)
            .collect();
        let times: Vec<f32> = kept.iter().map(|&frame| whole.times[frame]).collect();
        let motion = ContactMotion::new(&adult.points, &adult.rig, &sample.clip, &times);
        let contacts = adult.contacts(&motion);
        let mut agreement = Agreement::default();
        for point in 0..contacts.points.len() {
            for (frame, &old) in kept.iter().enumerate() {
                let one = contacts.at(point, frame).is_some();
                agreement.add(one, wanted.at(point, old).is_some());
            }
        }
        assert!(agreement.f1() > 0.97, "{}: {agreement:?}", sample.clip.name);
    }
}

/// Noise up to 0.3 % of a leg along each axis, from frame to frame.
#[test]
fn noise_changes_few_frames() {
    let adult = adult();
    for sample in &adult.clips {
        for rate in [30.0, 60.0, 120.0] {
            let motion = adult.motion(&sample.clip, Some(rate));
            let clean = adult.contacts(&motion);
            let generator = &mut Generator::new(7);
            let size = 0.003 * f64::from(adult.points.leg);
            let mut noisy = motion.clone();
            let hips = std::iter::once(&mut noisy.hips);
            for place in noisy.points.iter_mut().chain(hips).flatten() {
                *place += Vec3::from_array([0; 3].map(|_| generator.between(-size, size) as f32));
            }
            let contacts = adult.contacts(&noisy);
            let mut agreement = Agreement::default();
            let mut intervals = 0;
            for (point, own) in clean.points.iter().enumerate() {
                intervals += own.len();
                for frame in 0..motion.times.len() {
                    let one = contacts.at(point, frame).is_some();
                    agreement.add(one, clean.at(point, frame).is_some());
                }
            }
            let name = &sample.clip.name;
            // In frames for each end of a contact.
            let each = agreement.one as f64 / (2 * intervals) as f64;
            eprintln!(
                "{name} at {rate} Hz with noise: F1 {:.4}, {each:.1} frames an end",
                agreement.f1()
            );
            // A heel that rises slowly is off when it is over the noise, which takes its time.
            let most = f64::from(rate / 30.0).max(2.0);
            assert!(each < most, "{name} at {rate}: {agreement:?}");
        }
    }
}

#[test]
fn joint_axes_and_units_do_not_matter() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let one = any_rigged(generator, true);
        let two = again(generator, &one);
        let clip = |rigged: &Rigged| any_clip(&mut Generator::new(seed), rigged, Keys::Linear);
        let of = |rigged: &Rigged| {
            let alignment = aligned(rigged, &[], &AlignOptions::default());
            let floor = alignment.measures.floor;
            let points = contact_points(&rigged.character, &rigged.map, &alignment, floor);
            let clip = clip(rigged);
            let run = Rig::new(&rigged.character.skeleton);
            let motion = ContactMotion::new(&points, &run, &clip, &clip.key_times());
            let home = motion.hips[0];
            let leg = points.leg;
            (
                changed(&motion, |_, place| (place - home) / leg),
                points,
                motion,
            )
        };
        let (paths, points, motion) = of(&one);
        let (other_paths, other_points, other_motion) = of(&two);
        for (a, b) in paths
            .points
            .iter()
            .flatten()
            .zip(other_paths.points.iter().flatten())
        {
            assert!(a.distance(*b) < 2e-3, "seed {seed}: {a} {b}");
        }
        let options = DetectOptions::default();
        let found = spans(&points, &detect(&points, &motion, &options));
        let other = spans(
            &other_points,
            &detect(&other_points, &other_motion, &options),
        );
        assert_eq!(found, other, "seed {seed}");
    }
}
