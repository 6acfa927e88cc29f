//! Speed of the transfer, in nanoseconds a joint and frame ("jf").
//!
//! The clip: 65 joints, 600 frames, all joints turn, the hips travel. `one-to-one`: every track is mapped
//! by one constant matrix. `baked`: an extra joint above the source's hips turns, so that they read
//! two tracks. Criterion gives elements (jf) a second; a table of nanoseconds a jf, for more
//! joints and more frames, is printed first. Judge by ratios to `copy` in the same run.

#![allow(missing_docs, clippy::print_stdout)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DVec3, Mat4, Quat};
use rebone_model::sampling::sample_clip_into;
use rebone_model::{Clip, LocalPose};
use rebone_runtime::kernel::{sandwich_matrix, transform_rotations};
use rebone_runtime::{ClipOptions, Plan, Retargeter, Workspace, apply_clip, apply_pose};
use rebone_testkit::check::{Choices, compiled};
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

/// Two rigs, and a clip of the first.
fn pair(joints: usize, frames: usize, baked: bool) -> (Rigged, Rigged, Clip) {
    let convention = |seed, arms_down_degrees| Convention {
        joint_axes: Some(seed),
        stance: Stance {
            arms_down_degrees,
            ..Stance::default()
        },
        ..Convention::default()
    };
    let target = Rigged::new(&body(joints), &convention(1, 45.0));
    let source = if baked {
        body(joints - 1).with_joint_above("root", "hips", 0.0)
    } else {
        body(joints)
    };
    let source = Rigged::new(&source, &convention(2, 0.0));
    let mut motion = Motion::random(&mut Generator::new(3), &source.body);
    motion.seconds = (frames as f64 - 0.5) / 30.0;
    let clip = source.clip(&motion, Keys::Linear);
    assert_eq!(clip.frame_count(), frames);
    (source, target, clip)
}

/// A plan with its clip.
fn case(joints: usize, frames: usize, baked: bool) -> (Plan, Clip) {
    let (source, target, clip) = pair(joints, frames, baked);
    let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
    (plan, clip)
}

/// From two mapped rigs to a plan that is ready to run: both alignments, compiling, the steps of the program.
fn compile_table() {
    for joints in [65, 500] {
        let (source, target, clip) = pair(joints, 600, false);
        let took = nanoseconds(1, || {
            let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
            black_box(Retargeter::new(plan));
        });
        println!(
            "align, compile and make ready, {joints} joints: {:.2} ms",
            took * 1e-6
        );
    }
}

/// Rotations for the kernels alone: so many smooth tracks of so many keys.
fn tracks(joints: usize, frames: usize) -> (Vec<Mat4>, Vec<Vec<Quat>>) {
    let generator = &mut Generator::new(4);
    (0..joints)
        .map(|_| {
            let [left, right, start] = std::array::from_fn(|_| generator.rotation().as_quat());
            let axis = generator.direction().as_vec3();
            let track = (0..frames)
                .map(|frame| start * Quat::from_axis_angle(axis, (frame as f32 * 0.02).sin()))
                .collect();
            (sandwich_matrix(left, right), track)
        })
        .unzip()
}

/// Nanoseconds a jf: the least of several runs.
fn nanoseconds(jf: usize, mut run: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..15 {
        let start = Instant::now();
        run();
        least = least.min(start.elapsed().as_secs_f64());
    }
    1e9 * least / jf as f64
}

fn table() {
    println!("joints frames |  copy  kernel  one-to-one  baked   (ns/jf)");
    for (joints, frames) in [(65, 600), (130, 600), (260, 600), (65, 300), (65, 2_400)] {
        let jf = joints * frames;
        let (matrices, sources) = tracks(joints, frames);
        let mut targets = sources.clone();
        let copy = nanoseconds(jf, || {
            for (from, to) in sources.iter().zip(&mut targets) {
                black_box(to).copy_from_slice(black_box(from));
            }
        });
        let kernel = nanoseconds(jf, || {
            for ((matrix, from), to) in matrices.iter().zip(&sources).zip(&mut targets) {
                transform_rotations(matrix, black_box(from), black_box(to));
            }
        });
        let [mapped, baked] = [false, true].map(|baked| {
            let (plan, clip) = case(joints, frames, baked);
            nanoseconds(jf, || {
                let _ = black_box(apply_clip(&plan, black_box(&clip), &ClipOptions::default()));
            })
        });
        println!("{joints:6} {frames:6} | {copy:5.2}  {kernel:6.2}  {mapped:10.2}  {baked:5.2}");
    }
}

/// One frame of every character, each at another time of the clip: alone, and in batches.
fn characters_table() {
    println!(
        "joints characters |  one-to-one: alone  batch   baked: alone  batch   (ns a character)"
    );
    for (joints, count) in [(65, 100), (65, 1_000), (65, 10_000), (130, 1_000)] {
        let figures = [false, true].map(|baked| {
            let (plan, clip) = case(joints, 600, baked);
            let retargeter = Retargeter::new(plan);
            let poses = |index: usize| {
                let mut pose = retargeter.plan().source.rest_pose();
                sample_clip_into(&clip, index as f32 * 0.013 % 19.0, &mut pose);
                pose
            };
            let sources: Vec<LocalPose> = (0..count).map(poses).collect();
            let mut targets = vec![retargeter.plan().target.rest_pose(); count];
            let mut workspace = retargeter.workspace();
            let alone = nanoseconds(count, || {
                for (from, to) in black_box(&sources).iter().zip(&mut targets) {
                    retargeter.apply_pose(from, to, &mut workspace);
                }
            });
            let mut batch = retargeter.batch(count);
            let together = nanoseconds(count, || {
                retargeter.apply_poses(black_box(&sources), &mut targets, &mut batch);
            });
            [alone, together]
        });
        let [[alone, batch], [baked_alone, baked_batch]] = figures;
        println!(
            "{joints:6} {count:10} |  {alone:17.0}  {batch:5.0}   {baked_alone:12.0}  {baked_batch:5.0}"
        );
    }
}

fn kernels(criterion: &mut Criterion) {
    table();
    characters_table();
    compile_table();
    let (joints, frames) = (65, 600);
    let mut group = criterion.benchmark_group("transfer");
    group.throughput(Throughput::Elements((joints * frames) as u64));
    let (matrices, sources) = tracks(joints, frames);
    let mut targets = sources.clone();
    group.bench_function("copy", |bencher| {
        bencher.iter(|| {
            for (from, to) in sources.iter().zip(&mut targets) {
                black_box(to).copy_from_slice(black_box(from));
            }
        });
    });
    group.bench_function("kernel", |bencher| {
        bencher.iter(|| {
            for ((matrix, from), to) in matrices.iter().zip(&sources).zip(&mut targets) {
                transform_rotations(matrix, black_box(from), black_box(to));
            }
        });
    });
    for (name, baked) in [("one-to-one", false), ("baked", true)] {
        let (plan, clip) = case(joints, frames, baked);
        group.bench_function(format!("apply_clip/{name}"), |bencher| {
            bencher.iter(|| apply_clip(&plan, black_box(&clip), &ClipOptions::default()));
        });
    }
    group.finish();
    let (plan, clip) = case(joints, frames, false);
    let mut workspace = Workspace::new(&plan);
    let mut target = plan.target.rest_pose();
    let mut group = criterion.benchmark_group("pose");
    group.throughput(Throughput::Elements(joints as u64));
    let mut pose = plan.source.rest_pose();
    sample_clip_into(&clip, 0.5, &mut pose);
    group.bench_function("apply_pose", |bencher| {
        bencher.iter(|| apply_pose(&plan, black_box(&pose), &mut target, &mut workspace));
    });
    group.finish();
}

criterion_group!(benches, kernels);
criterion_main!(benches);
