//! Reading FBX, against what ufbx itself takes to load a file and to bake all its stacks; and writing.
//!
//! ufbx bakes 30 frames a second. Reading also follows fast turns between two frames of the file, down to
//! an eighth of a frame; "as densely" is ufbx's bake with as many frames.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rebone_io::{ReadOptions, fbx};
use rebone_model::{
    Character, Clip, Interpolation, NewJoint, Quat, Skeleton, SkeletonBuilder, Track, Transform,
    Vec3,
};
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use ufbx::{BakeOpts, LoadOpts};

const FILES: [&str; 8] = [
    "ozz/media/fbx/pab/crossarms.fbx",
    "ozz/media/fbx/pab/locomotions.fbx",
    "ozz/media/fbx/pab/walk.fbx",
    "ozz/media/fbx/pab/skeleton.fbx",
    "mesh2motion/static/animations/CarnegieMellonAnimations/91_50.fbx",
    "vrm/univrm/Assets/VRM10_Samples/ModelSetup_SeedSan/Models/new_seedsan_betterfbx.fbx",
    "ufbx/data/maya_kenney_character_7700_binary.fbx",
    "ufbx/data/maya_anim_layers_over_acc_orders_7500_binary.fbx",
];

/// How many times a frame reading looks between two frames, at most.
const PARTS_OF_A_FRAME: f64 = 8.0;

fn load_and_bake(bytes: &[u8], is_dense: bool) -> usize {
    let scene = ufbx::load_memory(bytes, LoadOpts::default())
        .unwrap_or_else(|error| panic!("ufbx: {error:?}"));
    let mut nodes = 0;
    for stack in &scene.anim_stacks {
        let mut options = BakeOpts::default();
        if is_dense {
            options.resample_rate = PARTS_OF_A_FRAME * scene.settings.frames_per_second;
            options.max_keyframe_segments = 4_096;
        }
        let baked = ufbx::bake_anim(&scene, &stack.anim, options)
            .unwrap_or_else(|error| panic!("ufbx: {error:?}"));
        nodes += baked.nodes.count;
    }
    nodes
}

fn reading(criterion: &mut Criterion) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    for file in FILES {
        let Ok(bytes) = std::fs::read(corpus.join(file)) else {
            eprintln!("SKIPPED: {file} is not here");
            continue;
        };
        let name = file.rsplit('/').next().unwrap_or(file);
        let mut group = criterion.benchmark_group(format!("fbx/{name}"));
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function("read", |bench| {
            bench.iter(|| {
                let options = ReadOptions::default();
                fbx::read(black_box(&bytes), &options, &|_| Err(String::new()))
            });
        });
        group.bench_function("ufbx load and bake", |bench| {
            bench.iter(|| load_and_bake(black_box(&bytes), false));
        });
        group.bench_function("ufbx load and bake, as densely", |bench| {
            bench.iter(|| load_and_bake(black_box(&bytes), true));
        });
        group.finish();
    }
}

/// A key a frame for 10 s: every joint turns about three axes, some round and round, every fifth moves.
fn lively(skeleton: &Skeleton) -> Clip {
    let times: Arc<[f32]> = (0..600u16).map(|frame| f32::from(frame) / 60.0).collect();
    let mut clip = Clip::new("lively", skeleton.len());
    clip.rate_hz = Some(60.0);
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let (phase, reach) = (0.7 * index as f32, 0.3 + 0.2 * (index % 4) as f32);
        let turns = times.iter().map(|time| {
            let whirls = index % 7 == 3;
            let z = if whirls {
                2.5 * time
            } else {
                0.4 * (3.7 * time).sin()
            };
            joint.rest.rotation
                * Quat::from_rotation_z(z)
                * Quat::from_rotation_y(reach * (1.3 * time - phase).cos())
                * Quat::from_rotation_x(reach * (2.1 * time + phase).sin())
        });
        let linear = Interpolation::Linear;
        clip.joints[index].rotation = Track::new(linear, Arc::clone(&times), turns.collect()).ok();
        if index % 5 == 0 {
            let moves = times
                .iter()
                .map(|time| joint.rest.translation + reach * Vec3::splat(time.sin()));
            clip.joints[index].translation =
                Track::new(linear, Arc::clone(&times), moves.collect()).ok();
        }
    }
    clip
}

fn writing(criterion: &mut Criterion) {
    let mut builder = SkeletonBuilder::new();
    for joint in 0..65usize {
        let rest = Transform::from_translation(Vec3::Y);
        builder.add(NewJoint::new(
            format!("joint{joint}"),
            joint.checked_sub(1),
            rest,
        ));
    }
    let (skeleton, _) = builder
        .build()
        .unwrap_or_else(|error| panic!("skeleton: {error}"));
    let clips = vec![lively(&skeleton)];
    let anew = Character {
        skeleton,
        clips,
        ..Character::default()
    };
    let mut group = criterion.benchmark_group("fbx/write");
    group.bench_function("65 joints, 600 keys, a new file", |bench| {
        bench.iter(|| fbx::write_character(black_box(&anew), &fbx::WriteOptions::default()));
    });
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    for file in [FILES[2], FILES[5]] {
        let Ok(bytes) = std::fs::read(corpus.join(file)) else {
            eprintln!("SKIPPED: {file} is not here");
            continue;
        };
        let document = fbx::read(&bytes, &ReadOptions::default(), &|_| Err(String::new()))
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        let character = &document.characters[0];
        let clips = [lively(&character.skeleton)];
        let name = file.rsplit('/').next().unwrap_or(file);
        let joints = character.skeleton.len();
        group.bench_function(format!("{joints} joints, 600 keys, into {name}"), |bench| {
            bench.iter(|| fbx::write_clips_into(black_box(&bytes), character, &clips));
        });
    }
    group.finish();
}

criterion_group!(benches, reading, writing);
criterion_main!(benches);
