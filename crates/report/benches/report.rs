//! Speed of the report: a pair of performances of 65 joints and 600 frames.
//!
//! `report` measures what any tool has made, `retarget` is what every retarget pays, which has found the source's contacts already,
//! `direction` the part without feet, `clip` the transfer itself, to compare with.

#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use rebone_report::{Performance, ReportOptions, report};
use rebone_runtime::contact::{ContactMotion, DetectOptions, detect};
use rebone_runtime::{ClipContacts, ClipNotes, ClipOptions, apply_clip};
use rebone_setup::align::AlignOptions;
use rebone_setup::align::contact_points;
use rebone_testkit::check::{Choices, aligned, compiled};
use rebone_testkit::random::{
    BodyOptions, Convention, Generator, Keys, Motion, Rigged, random_body,
};
use std::hint::black_box;

fn measure(criterion: &mut Criterion) {
    let mut body = random_body(&mut Generator::new(1), &BodyOptions::default());
    while body.joints.len() < 65 {
        let name = format!("leaf{}", body.joints.len());
        body = body.with_leaf(&name, "head", glam::DVec3::splat(0.05));
    }
    let rigged = |seed| {
        let convention = Convention {
            joint_axes: Some(seed),
            ..Convention::default()
        };
        Rigged::new(&body, &convention)
    };
    let (source, target) = (rigged(1), rigged(2));
    let mut motion = Motion::random(&mut Generator::new(3), &body);
    motion.seconds = 599.5 / 30.0;
    let clip = source.clip(&motion, Keys::Linear);
    let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
    let Ok(made) = apply_clip(&plan, &clip, &ClipOptions::default()) else {
        return;
    };
    let (from, to) = (
        aligned(&source, &[&clip], &AlignOptions::default()),
        aligned(&target, &[], &AlignOptions::default()),
    );
    let before = Performance {
        character: &source.character,
        map: &source.map,
        alignment: &from,
        clip: &clip,
    };
    let after = Performance {
        character: &target.character,
        map: &target.map,
        alignment: &to,
        clip: &made,
    };
    let mut group = criterion.benchmark_group("report");
    let points = contact_points(&source.character, &source.map, &from, 0.0);
    let times = clip.key_times();
    let motion = ContactMotion::new(&points, &plan.source, &clip, &times);
    let known = ClipNotes {
        contacts: Some(ClipContacts {
            contacts: detect(&points, &motion, &DetectOptions::default()),
            times: times.into(),
        }),
        ..ClipNotes::default()
    };
    for (name, only_direction, notes) in [
        ("report", false, ClipNotes::default()),
        ("retarget", false, known),
        ("direction", true, ClipNotes::default()),
    ] {
        let options = ReportOptions {
            only_direction,
            notes,
            ..ReportOptions::default()
        };
        group.bench_function(name, |bencher| {
            bencher.iter(|| report(black_box(&before), black_box(&after), &options));
        });
    }
    group.bench_function("clip", |bencher| {
        bencher.iter(|| apply_clip(black_box(&plan), black_box(&clip), &ClipOptions::default()));
    });
    group.finish();
}

criterion_group!(benches, measure);
criterion_main!(benches);
