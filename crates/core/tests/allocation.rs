//! Running a plan on a pose takes no memory once the workspace has its size.

#![allow(unsafe_code, clippy::unwrap_used)]

use rebone_core::align::AlignOptions;
use rebone_core::compile::{CompileOptions, compile};
use rebone_core::limits::human;
use rebone_core::mirror::MirrorChoice;
use rebone_core::procedural::{LookAt, Spacing};
use rebone_core::runtime::{Stage, Workspace, apply_pose};
use rebone_model::Clip;
use rebone_model::sampling::sample_clip_into;
use rebone_testkit::check::{Choices, aligned, compiled, mapped};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Counts what this thread asks for.
struct Counting;

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The stages of a plan for which everything is asked.
fn every_stage(source: &Rigged, target: &Rigged, clip: &Clip) -> Vec<Stage> {
    let options = AlignOptions::default();
    let (from, to) = (
        aligned(source, &[clip], &options),
        aligned(target, &[], &options),
    );
    let table = human().unwrap();
    let limits = table.iter().filter_map(|(name, limit)| {
        let slot = target.map.profile.find(name)?;
        target.map.joint(slot).map(|_| (slot, *limit))
    });
    let options = CompileOptions {
        limits: limits.collect(),
        spacing: Some(Spacing {
            arms: 5.0,
            legs: 3.0,
        }),
        look_at: Some(LookAt {
            point: Some([1.0, 1.0, 1.0]),
            weight: 0.5,
            ..LookAt::default()
        }),
        mirror: MirrorChoice::On,
        ..CompileOptions::default()
    };
    let (source, target) = (mapped(source, &from), mapped(target, &to));
    let compiled = compile(&source, &target, &[clip], &options);
    let stages = compiled.unwrap().plan.stages;
    assert_eq!(stages.len(), 4);
    stages
}

#[test]
fn apply_pose_allocates_nothing() {
    for seed in 0..20 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::random(generator, true);
        let [source, target] = std::array::from_fn(|_| {
            let body = random_body(generator, &options);
            Rigged::new(&body, &random_convention(generator))
        });
        let clip = source.clip(&Motion::random(generator, &source.body), Keys::Mixed);
        let mut plan = compiled(&source, &target, &clip, &Choices::default()).plan;
        plan.stages = every_stage(&source, &target, &clip);
        let mut workspace = Workspace::new(&plan);
        let mut from = plan.source.rest_pose();
        let mut to = plan.target.rest_pose();
        let before = COUNT.with(Cell::get);
        assert!(before > 0, "the counter counts");
        for frame in 0..30 {
            sample_clip_into(&clip, frame as f32 / 30.0, &mut from);
            apply_pose(&plan, &from, &mut to, &mut workspace);
        }
        assert_eq!(COUNT.with(Cell::get), before, "seed {seed}");
    }
}
