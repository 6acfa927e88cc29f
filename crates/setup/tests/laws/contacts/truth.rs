//! The sample clips, whose contacts are known exactly.

use super::{Agreement, adult};
use rebone_runtime::contact::{ContactPoints, Touch};
use rebone_samples::SampleClip;

/// Whether a contact point touches at a time, as the generator made it.
fn truth(points: &ContactPoints, sample: &SampleClip, point: usize, time: f32) -> bool {
    let joint = points.points[point].joint;
    let mut own = sample
        .contacts
        .iter()
        .filter(|contact| contact.joint == joint);
    own.any(|contact| time > contact.start - 1e-4 && time < contact.end + 1e-4)
}

/// "Contacts against the generator's exact truth: F1 at least 0.98", each clip.
#[test]
fn contacts_of_the_sample_clips_are_found() {
    let adult = adult();
    for sample in &adult.clips {
        let name = &sample.clip.name;
        for rate in [None, Some(30.0), Some(120.0), Some(240.0)] {
            let motion = adult.motion(&sample.clip, rate);
            let contacts = adult.contacts(&motion);
            let mut agreement = Agreement::default();
            for (point, own) in adult.points.points.iter().enumerate() {
                let is_foot = matches!(own.touch, Touch::Heel | Touch::Toes);
                for (frame, &time) in motion.times.iter().enumerate() {
                    let found = contacts.at(point, frame).is_some();
                    if is_foot {
                        agreement.add(found, truth(&adult.points, sample, point, time));
                    }
                }
            }
            eprintln!("{name} at {rate:?}: F1 {:.4}", agreement.f1());
            // Ends are known at the clip's own keys only; at half their rate an end is half a frame off by itself.
            let least = if rate.is_none() { 0.98 } else { 0.96 };
            assert!(agreement.f1() >= least, "{name} at {rate:?}: {agreement:?}");
            assert_eq!(contacts.drift, glam::Vec3::ZERO, "{name}");
            assert!(contacts.ground.abs() < 1e-3, "{name}: {}", contacts.ground);
        }
    }
}

/// Both feet leave the ground and come back in the very frames in which they do.
#[test]
fn take_off_and_landing_are_exact() {
    let adult = adult();
    let sample = &adult.clips[2];
    let contacts = adult.contacts(&adult.motion(&sample.clip, None));
    for side in [1, -1] {
        let toes = adult.points.find(Touch::Toes, side, false).unwrap();
        let joint = adult.points.points[toes].joint;
        let own = sample
            .contacts
            .iter()
            .filter(|contact| contact.joint == joint);
        let wanted: Vec<(usize, usize)> = own
            .map(|contact| ((contact.start * 60.0).round(), (contact.end * 60.0).round()))
            .map(|(first, last)| (first as usize, last as usize))
            .collect();
        let found = contacts.points[toes].iter();
        let found: Vec<(usize, usize)> = found.map(|i| (i.first, i.last)).collect();
        assert_eq!(found, wanted);
    }
}

/// The seat is not in the file; that somebody sits on it is.
#[test]
fn a_seat_is_found_with_its_height() {
    let adult = adult();
    let sample = &adult.clips[3];
    let contacts = adult.contacts(&adult.motion(&sample.clip, None));
    let seat = adult.points.find(Touch::Seat, 0, false).unwrap();
    let [found] = contacts.points[seat][..] else {
        panic!("{:?}", contacts.points[seat]);
    };
    // Seated from 1.75 s to 3.45 s at 30 frames a second, on 0.45 m.
    assert!(
        found.first.abs_diff(53) <= 4 && found.last.abs_diff(104) <= 4,
        "{found:?}"
    );
    assert!((found.height - 0.45).abs() < 0.03, "{found:?}");
    for clip in [0, 1, 2] {
        let contacts = adult.contacts(&adult.motion(&adult.clips[clip].clip, None));
        for (point, own) in adult.points.points.iter().enumerate() {
            let rest = matches!(own.touch, Touch::Hand | Touch::Knee | Touch::Seat);
            assert!(!rest || contacts.points[point].is_empty(), "{own:?}");
        }
    }
}
