//! Reading FBX, against what ufbx itself takes to load a file and to bake all its stacks.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rebone_io::{ReadOptions, fbx};
use std::hint::black_box;
use std::path::Path;
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

fn load_and_bake(bytes: &[u8]) -> usize {
    let scene = ufbx::load_memory(bytes, LoadOpts::default())
        .unwrap_or_else(|error| panic!("ufbx: {error:?}"));
    let mut nodes = 0;
    for stack in &scene.anim_stacks {
        let baked = ufbx::bake_anim(&scene, &stack.anim, BakeOpts::default())
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
            bench.iter(|| load_and_bake(black_box(&bytes)));
        });
        group.finish();
    }
}

criterion_group!(benches, reading);
criterion_main!(benches);
