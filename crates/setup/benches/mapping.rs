//! Speed of the mapper: 65 and 500 joints, with known names, with words only, without names, and without
//! names but with a clip.
//!
//! The 500 joints are a body with strands of hair, a skirt and leaves, as games have them.

#![allow(missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use glam::DVec3;
use rebone_model::{Character, NewJoint, SkeletonBuilder};
use rebone_setup::mapping::{MapOptions, map_character, map_character_with};
use rebone_testkit::random::{
    Body, BodyOptions, Convention, Generator, Keys, Motion, Rigged, random_body,
};
use std::hint::black_box;

/// A full body of so many joints: the others are strands of three at head and hips, mirrored.
fn body(joints: usize) -> Body {
    let options = BodyOptions {
        exact: false,
        ..BodyOptions::default()
    };
    let mut body = random_body(&mut Generator::new(5), &options);
    let mut strand = 0;
    while body.joints.len() < joints {
        let (start, down) = [("head", 0.03), ("hips", 0.06)][strand / 2 % 2];
        let side = if strand % 2 == 0 { 1.0 } else { -1.0 };
        let angle = 0.1 + 0.07 * (strand / 4) as f64;
        let out = DVec3::new(side * 0.1 * angle.sin(), 0.0, 0.1 * angle.cos());
        let mut above = start.to_owned();
        for place in 0..3 {
            if body.joints.len() < joints {
                let key = format!("strand{strand}_{place}");
                let step = if place == 0 { out } else { -DVec3::Y * down };
                body = body.with_leaf(&key, &above, step);
                above = key;
            }
        }
        strand += 1;
    }
    body
}

/// The character with other names, by joint.
fn renamed(rigged: &Rigged, name: impl Fn(&str, usize) -> String) -> Character {
    let character = &rigged.character;
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        builder.add(NewJoint {
            name: name(&joint.name, index),
            parent: joint.parent,
            rest: joint.rest,
            kind: joint.kind,
            node: joint.node,
            end: joint.end,
        });
    }
    Character {
        skeleton: builder
            .build()
            .map_or_else(|_| Default::default(), |built| built.0),
        ..character.clone()
    }
}

fn mapping(criterion: &mut Criterion) {
    for joints in [65, 500] {
        let rigged = Rigged::new(&body(joints), &Convention::default());
        let motion = Motion::random(&mut Generator::new(6), &rigged.body);
        let nameless = renamed(&rigged, |_, index| format!("node_{index}"));
        let moving = Character {
            clips: vec![rigged.clip(&motion, Keys::Linear)],
            ..nameless.clone()
        };
        let words = MapOptions {
            dialects: false,
            ..MapOptions::default()
        };
        let named = &rigged.character;
        criterion.bench_function(&format!("mapping/{joints}/names"), |bench| {
            bench.iter(|| map_character(black_box(named)));
        });
        criterion.bench_function(&format!("mapping/{joints}/words"), |bench| {
            bench.iter(|| map_character_with(black_box(named), &words));
        });
        criterion.bench_function(&format!("mapping/{joints}/shape"), |bench| {
            bench.iter(|| map_character(black_box(&nameless)));
        });
        criterion.bench_function(&format!("mapping/{joints}/shape and motion"), |bench| {
            bench.iter(|| map_character(black_box(&moving)));
        });
    }
}

criterion_group!(benches, mapping);
criterion_main!(benches);
