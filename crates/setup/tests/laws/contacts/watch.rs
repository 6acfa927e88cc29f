//! The causal form.

use super::{Agreement, adult};
use glam::Vec3;
use rebone_runtime::contact::{DetectOptions, Touch, Watch};

#[test]
fn what_is_seen_while_it_runs_agrees_with_what_is_seen_afterwards() {
    let adult = adult();
    for sample in &adult.clips {
        for rate in [30.0, 60.0, 120.0] {
            let motion = adult.motion(&sample.clip, Some(rate));
            let contacts = adult.contacts(&motion);
            let mut watch = Watch::new(&adult.points, &DetectOptions::default());
            let mut agreement = Agreement::default();
            for frame in 0..motion.times.len() {
                let places: Vec<Vec3> = motion.points.iter().map(|path| path[frame]).collect();
                let told = watch.step(&places, 1.0 / rate);
                for (point, own) in adult.points.points.iter().enumerate() {
                    if matches!(own.touch, Touch::Heel | Touch::Toes) {
                        agreement.add(told[point], contacts.at(point, frame).is_some());
                    }
                }
            }
            let name = &sample.clip.name;
            eprintln!(
                "{name} at {rate} Hz while it runs: F1 {:.4}",
                agreement.f1()
            );
            assert!(agreement.f1() > 0.85, "{name} at {rate}: {agreement:?}");
        }
    }
}

/// A contact is told at most two frames late, and its end at once.
#[test]
fn contacts_are_told_in_time() {
    let adult = adult();
    let jump = &adult.clips[2];
    let motion = adult.motion(&jump.clip, None);
    let contacts = adult.contacts(&motion);
    let toes = adult.points.find(Touch::Toes, 1, false).unwrap();
    let mut watch = Watch::new(&adult.points, &DetectOptions::default());
    let mut told = Vec::new();
    for frame in 0..motion.times.len() {
        let places: Vec<Vec3> = motion.points.iter().map(|path| path[frame]).collect();
        told.push(watch.step(&places, 1.0 / 60.0)[toes]);
    }
    let [stand, landing] = contacts.points[toes][..] else {
        panic!("{:?}", contacts.points[toes]);
    };
    let last = (0..landing.first).rfind(|&frame| told[frame]).unwrap();
    assert!(last.abs_diff(stand.last) <= 1, "{last} {stand:?}");
    let first = (stand.last + 5..told.len())
        .find(|&frame| told[frame])
        .unwrap();
    assert!(
        (landing.first..=landing.first + 2).contains(&first),
        "{first} {landing:?}"
    );
}

#[test]
fn odd_steps_do_no_harm() {
    let adult = adult();
    let mut watch = Watch::new(&adult.points, &DetectOptions::default());
    let still = vec![Vec3::ZERO; adult.points.points.len()];
    for _ in 0..4 {
        watch.step(&still, 0.1);
    }
    assert!(watch.step(&still, 0.1)[0]);
    for seconds in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(watch.step(&still, seconds)[0]);
    }
    assert!(watch.step(&[], 0.1)[0]);
    assert!(!watch.step(&[Vec3::NAN], 0.1)[0]);
    watch.restart();
    assert!(!watch.step(&still, 0.1)[0]);
    // A floor that moves carries what stands on it.
    watch.drift = Vec3::new(0.0, 0.0, -2.0);
    let mut told = false;
    for frame in 0..6 {
        let places = vec![watch.drift * (frame as f32 * 0.1); adult.points.points.len()];
        told = watch.step(&places, 0.1)[0];
    }
    assert!(told);
}
