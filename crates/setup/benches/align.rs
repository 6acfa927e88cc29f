//! Speed of alignment: T-poses, hanging arms, with and without a clip of 600 frames. A table of microseconds is
//! printed first.

#![allow(missing_docs, clippy::print_stdout)]

use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rebone_model::Clip;
use rebone_setup::align::{AlignOptions, align};
use rebone_testkit::random::{
    Body, BodyOptions, Convention, Generator, Keys, Motion, Rigged, Stance, random_body,
};
use std::hint::black_box;
use std::time::Instant;

/// A body of so many joints (at least 52): what it has too many are leaves in no slot.
fn body(joints: usize) -> Body {
    let mut body = random_body(&mut Generator::new(1), &BodyOptions::default());
    let parents = ["head", "hips", "leftLowerArm", "rightLowerArm", "leftFoot"];
    while body.joints.len() < joints {
        let count = body.joints.len();
        let parent = parents[count % parents.len()];
        body = body.with_leaf(&format!("leaf{count}"), parent, DVec3::splat(0.05));
    }
    body
}

fn case(joints: usize, arms_down_degrees: f64) -> (Rigged, Clip) {
    let convention = Convention {
        joint_axes: Some(3),
        stance: Stance {
            arms_down_degrees,
            ..Stance::default()
        },
        ..Convention::default()
    };
    let rigged = Rigged::new(&body(joints), &convention);
    let mut motion = Motion::random(&mut Generator::new(3), &rigged.body).with_hinges();
    motion.seconds = 20.0;
    let clip = rigged.clip(&motion, Keys::Linear);
    (rigged, clip)
}

fn once(rigged: &Rigged, clips: &[&Clip]) {
    let options = AlignOptions {
        up: Some(rebone_model::axes::Axis::PositiveY),
        ..AlignOptions::default()
    };
    black_box(align(&rigged.character, &rigged.map, clips, &options));
}

fn cases() -> Vec<(String, Rigged, Clip, bool)> {
    let mut cases = Vec::new();
    for joints in [65, 500] {
        for arms_down_degrees in [0.0, 85.0] {
            for with_clip in [false, true] {
                let (rigged, clip) = case(joints, arms_down_degrees);
                let name = format!(
                    "{joints} joints, arms {arms_down_degrees} down, {} clip",
                    if with_clip { "with" } else { "no" }
                );
                cases.push((name, rigged, clip, with_clip));
            }
        }
    }
    cases
}

fn benches(criterion: &mut Criterion) {
    let cases = cases();
    for (name, rigged, clip, with_clip) in &cases {
        let clips: &[&Clip] = if *with_clip { &[clip] } else { &[] };
        let start = Instant::now();
        for _ in 0..100 {
            once(rigged, clips);
        }
        println!("{name}: {:.0} µs", start.elapsed().as_secs_f64() * 1e4);
    }
    for (name, rigged, clip, with_clip) in &cases {
        let clips: &[&Clip] = if *with_clip { &[clip] } else { &[] };
        criterion.bench_function(name, |bencher| bencher.iter(|| once(rigged, clips)));
    }
}

criterion_group!(align_benches, benches);
criterion_main!(align_benches);
