//! How fast GLB files are read and written, in bytes of file a second.

#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rebone_io::gltf::{self, Container};
use rebone_io::{Error, ReadOptions};
use rebone_model::{
    Character, Clip, Interpolation, NewJoint, Quat, SkeletonBuilder, Track, Transform, Vec3,
};
use std::hint::black_box;
use std::sync::Arc;

const JOINTS: usize = 65;
const FRAMES: usize = 600;

fn no_files(uri: &str) -> Result<Vec<u8>, String> {
    Err(uri.to_owned())
}

/// A chain of joints with a translation, rotation and scale track each.
fn busy_character() -> Character {
    let mut builder = SkeletonBuilder::new();
    for joint in 0..JOINTS {
        let rest = Transform::from_translation(Vec3::Y);
        builder.add(NewJoint::new(
            format!("joint{joint}"),
            joint.checked_sub(1),
            rest,
        ));
    }
    let (skeleton, _) = builder.build().unwrap();
    let times: Arc<[f32]> = (0..FRAMES).map(|frame| frame as f32 / 30.0).collect();
    let mut clip = Clip::new("busy", JOINTS);
    for (joint, tracks) in clip.joints.iter_mut().enumerate() {
        let angle = |frame: usize| (joint * FRAMES + frame) as f32 * 1e-3;
        let turns = (0..FRAMES)
            .map(|frame| Quat::from_rotation_x(angle(frame)))
            .collect();
        let vectors = || (0..FRAMES).map(|frame| Vec3::splat(angle(frame))).collect();
        let linear = Interpolation::Linear;
        tracks.rotation = Some(Track::new(linear, Arc::clone(&times), turns).unwrap());
        tracks.translation = Some(Track::new(linear, Arc::clone(&times), vectors()).unwrap());
        tracks.scale = Some(Track::new(linear, Arc::clone(&times), vectors()).unwrap());
    }
    Character {
        skeleton,
        clips: vec![clip],
        ..Character::default()
    }
}

fn benches(criterion: &mut Criterion) {
    let bytes = gltf::write_character(&busy_character(), Container::Glb)
        .unwrap()
        .bytes;
    let read = || -> Result<_, Error> {
        gltf::read(black_box(&bytes), &ReadOptions::default(), &no_files)
    };
    let document = read().unwrap();
    let character = &document.characters[0];
    let mut group = criterion.benchmark_group("gltf");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("read 65 joints x 600 frames", |bencher| {
        bencher.iter(|| read().unwrap());
    });
    group.bench_function("write the clip into its file", |bencher| {
        bencher.iter(|| {
            let (clips, container) = (&character.clips, Container::Glb);
            gltf::write_clips_into(&bytes, &no_files, character, clips, container).unwrap()
        });
    });
    group.bench_function("write the character anew", |bencher| {
        bencher.iter(|| gltf::write_character(black_box(character), Container::Glb).unwrap());
    });
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
