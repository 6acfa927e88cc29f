//! Speed of the whole plan, feet and hands and all: clips as they are offline, and single poses as in a game.
//!
//! The clip is the sample walk, sixteen times over. A joint-frame ("jf") is one joint of the target in one frame. Stages are
//! switched on one after another, in their order; the last row is the plan as it is by default.

#![allow(missing_docs, clippy::print_stdout, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use rebone::model::sampling::sample_clip_into;
use rebone::model::track::TrackValue;
use rebone::model::{Clip, JointTracks, LocalPose, Track};
use rebone::runtime::{ClipOptions, Plan, Retargeter, apply_clip};
use rebone::{Retarget, Rig};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const TIMES: usize = 16;

/// Seconds from pose to pose.
const STEP: f32 = 0.013;

fn open(bytes: &[u8]) -> Rig {
    Rig::from_bytes("sample", bytes.to_vec()).expect("a sample has a body")
}

/// A clip many times over, end to end.
fn repeated(clip: &Clip) -> Clip {
    fn track<V: TrackValue>(track: &Option<Track<V>>, length: f32) -> Option<Track<V>> {
        let track = track.as_ref()?;
        let times: Arc<[f32]> = (0..TIMES)
            .flat_map(|round| {
                track
                    .times()
                    .iter()
                    .map(move |time| time + round as f32 * length)
            })
            .collect();
        let values = (0..TIMES)
            .flat_map(|_| track.values().iter().copied())
            .collect();
        Track::new(track.interpolation(), times, values).ok()
    }
    let times = clip.key_times();
    let step = times[1] - times[0];
    let length = times[times.len() - 1] - times[0] + step;
    let mut made = clip.clone();
    let mut shared: Option<Arc<[f32]>> = None;
    for joint in &mut made.joints {
        let all = JointTracks {
            translation: track(&joint.translation, length),
            rotation: track(&joint.rotation, length),
            scale: track(&joint.scale, length),
        };
        *joint = all;
        // Tracks of one clip share their times, as readers leave them.
        if let Some(rotation) = &mut joint.rotation {
            let times = shared.get_or_insert_with(|| Arc::clone(rotation.shared_times()));
            if rotation.times() == &times[..] {
                *rotation = Track::new(
                    rotation.interpolation(),
                    Arc::clone(times),
                    rotation.values().to_vec(),
                )
                .expect("the same keys");
            }
        }
    }
    made
}

fn nanoseconds(count: usize, mut run: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..25 {
        let start = Instant::now();
        run();
        least = least.min(start.elapsed().as_secs_f64());
    }
    1e9 * least / count as f64
}

fn plan(source: &Rig, target: &Rig) -> Plan {
    let compiled = Retarget::new(source, target).compile();
    compiled.expect("a sample pair").0.plan
}

fn table(name: &str, plan: &Plan, clip: &Clip) {
    let frames = clip.key_times().len();
    let joints = plan.target.len();
    println!(
        "{name}: {} joints onto {joints}, {frames} frames",
        plan.source.len()
    );
    println!(
        "stages | clip (ns a jf)  pose alone  with time passing  batch of 100 (ns a character)"
    );
    for stages in 0..=plan.stages.len() {
        let mut plan = plan.clone();
        plan.stages.truncate(stages);
        let offline = nanoseconds(frames * joints, || {
            let _ = black_box(apply_clip(&plan, black_box(clip), &ClipOptions::default()));
        });
        let retargeter = Retargeter::new(plan);
        let sources: Vec<LocalPose> = (0..100)
            .map(|index| {
                let mut pose = retargeter.plan().source.rest_pose();
                sample_clip_into(clip, index as f32 * STEP, &mut pose);
                pose
            })
            .collect();
        let mut targets = vec![retargeter.plan().target.rest_pose(); sources.len()];
        let mut workspace = retargeter.workspace();
        let mut alone = |elapsed: Option<f32>| {
            workspace.set_elapsed(elapsed);
            nanoseconds(sources.len(), || {
                for (from, to) in black_box(&sources).iter().zip(&mut targets) {
                    retargeter.apply_pose(from, to, &mut workspace);
                }
            })
        };
        // Where it is told how much time passes, feet are held as soon as they are seen to stand.
        let (alone, passing) = (alone(None), alone(Some(STEP)));
        let mut batch = retargeter.batch(sources.len());
        let together = nanoseconds(sources.len(), || {
            retargeter.apply_poses(black_box(&sources), &mut targets, &mut batch);
        });
        println!("{stages:6} | {offline:14.1}  {alone:10.0}  {passing:17.0}  {together:12.0}");
    }
}

fn full(criterion: &mut Criterion) {
    let source = open(include_bytes!("../../../data/walk.bvh"));
    let clip = repeated(&source.character.clips[0]);
    let targets: [(&str, &[u8]); 3] = [
        ("adult", include_bytes!("../../../data/adult.glb")),
        ("brute", include_bytes!("../../../data/brute.glb")),
        ("chibi", include_bytes!("../../../data/chibi.vrm")),
    ];
    let chosen = std::env::args()
        .skip(1)
        .find(|given| !given.starts_with('-'));
    for (name, bytes) in targets {
        if chosen.as_ref().is_some_and(|chosen| !name.contains(chosen)) {
            continue;
        }
        let plan = plan(&source, &open(bytes));
        table(name, &plan, &clip);
        let mut group = criterion.benchmark_group("full");
        group.bench_function(name, |bencher| {
            bencher.iter(|| apply_clip(&plan, black_box(&clip), &ClipOptions::default()));
        });
        group.finish();
    }
}

criterion_group!(benches, full);
criterion_main!(benches);
