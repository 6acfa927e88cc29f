//! How fast BVH files are read and written, in bytes of BVH text a second.
//!
//! Uses two large files of the shared corpus; prints a note and measures nothing where it is absent.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stderr)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rebone_io::{ReadOptions, bvh};
use std::hint::black_box;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/assimp/test/models/BVH")
}

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bvh");
    for name in ["01_03", "Boxing_Toes"] {
        let Ok(bytes) = std::fs::read(folder().join(format!("{name}.bvh"))) else {
            eprintln!("skipped: {name}.bvh of the corpus is not there");
            continue;
        };
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("read/{name}"), |bencher| {
            bencher.iter(|| bvh::read(black_box(&bytes), &ReadOptions::default()).unwrap());
        });
    }
    group.finish();
}

fn write(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bvh");
    let Ok(bytes) = std::fs::read(folder().join("01_03.bvh")) else {
        return;
    };
    let document = bvh::read(&bytes, &ReadOptions::default()).unwrap();
    let character = &document.characters[0];
    let (clip, options) = (&character.clips[0], bvh::WriteOptions::default());
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("write_clip_into/01_03", |bencher| {
        bencher.iter(|| bvh::write_clip_into(black_box(&bytes), character, clip, &options));
    });
    group.bench_function("write_character/01_03", |bencher| {
        bencher.iter(|| bvh::write_character(character, Some(clip), &options));
    });
    group.finish();
}

criterion_group!(benches, read, write);
criterion_main!(benches);
