//! Running a plan on a pose takes no memory once the workspace has its size.

#![allow(unsafe_code, clippy::unwrap_used)]

use rebone_model::Clip;
use rebone_model::sampling::sample_clip_into;
use rebone_runtime::stage::StageOp;
use rebone_runtime::{Plan, Retargeter};
use rebone_setup::align::AlignOptions;
use rebone_setup::compile::{CompileOptions, compile};
use rebone_setup::feet::FeetChoice;
use rebone_setup::hands::{HandsChoice, HandsMode};
use rebone_setup::limits::human;
use rebone_setup::mirror::MirrorChoice;
use rebone_setup::pins::Pin;
use rebone_setup::procedural::{LookAt, Spacing};
use rebone_setup::root_motion::{RootMode, RootMotion};
use rebone_setup::transfer::chain::ChainMode;
use rebone_testkit::check::{aligned, asking, mapped};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeSet;

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

/// A plan for which everything is asked.
fn everything(source: &Rigged, target: &Rigged, clip: &Clip) -> Plan {
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
        ..asking(|recipe| {
            recipe.target.spacing = Some(Spacing {
                arms: 5.0,
                legs: 3.0,
            });
            recipe.target.look_at = Some(LookAt {
                point: Some([1.0, 1.0, 1.0]),
                weight: 0.5,
                ..LookAt::default()
            });
            recipe.feet = FeetChoice::default();
            recipe.hands = HandsChoice {
                mode: HandsMode::Always,
                ..HandsChoice::default()
            };
            recipe.ground = 1.0;
            recipe.pins = [
                "leftFoot=own offset(0,0.1,0)",
                "hips=own scale(1,0.9,1)",
                "rightHand=joint(head)",
            ]
            .map(|pin| Pin::parse(pin).unwrap())
            .into();
            recipe.mirror = MirrorChoice::On;
            recipe.target.weights = [("head".to_owned(), 0.5)].into();
            recipe.root_motion = RootMotion {
                mode: RootMode::InPlace,
                smooth_seconds: Some(0.1),
                ..RootMotion::default()
            };
            recipe.chain_modes = [("torso".to_owned(), ChainMode::MatchChain)].into();
        })
    };
    let (source, target) = (mapped(source, &from), mapped(target, &to));
    let compiled = compile(&source, &target, &[clip], &options);
    compiled.unwrap().plan
}

/// What a stage is called in a failure.
fn kind(op: &StageOp) -> String {
    let text = format!("{op:?}");
    text.split('(').next().unwrap_or_default().to_owned()
}

/// Every kind of stage, blends of joints, one character and many.
#[test]
fn frames_allocate_nothing() {
    const CHARACTERS: usize = 11;
    let (mut kinds, mut blends) = (BTreeSet::new(), 0);
    for seed in 0..20 {
        let generator = &mut Generator::new(seed);
        let [source, target] = [3, 4].map(|spine| {
            let options = BodyOptions {
                spine,
                ..BodyOptions::random(generator, true)
            };
            let body = random_body(generator, &options);
            let way = body.position("leftHand") - body.position("leftLowerArm");
            // Twist joints of the target alone: a source that has them moves them itself.
            let body = if spine == 4 {
                body.with_leaf("left_lowerarm_twist_01", "leftLowerArm", way * 0.5)
            } else {
                body
            };
            Rigged::new(&body, &random_convention(generator))
        });
        let clip = source.clip(&Motion::random(generator, &source.body), Keys::Mixed);
        let retargeter = Retargeter::new(everything(&source, &target, &clip));
        let plan = retargeter.plan();
        kinds.extend(plan.stages.iter().map(|stage| kind(&stage.op)));
        blends += plan.blends.len();
        let mut alone = retargeter.workspace();
        alone.set_elapsed(Some(1.0 / 30.0));
        let mut batch = retargeter.batch(CHARACTERS);
        let mut from = vec![plan.source.rest_pose(); CHARACTERS];
        let mut to = vec![plan.target.rest_pose(); CHARACTERS];
        let before = COUNT.with(Cell::get);
        assert!(before > 0, "the counter counts");
        for frame in 0..30 {
            for (character, pose) in from.iter_mut().enumerate() {
                sample_clip_into(&clip, (frame + character) as f32 / 30.0, pose);
            }
            retargeter.apply_pose(&from[0], &mut to[0], &mut alone);
            retargeter.apply_poses(&from, &mut to, &mut batch);
            // Half of each stage, on another character every time, which also begins anew.
            if let Some(state) = batch.character(frame % CHARACTERS) {
                (0..plan.stages.len()).for_each(|stage| state.set_weight(stage, 0.5));
                state.set_elapsed(Some(1.0 / 30.0));
                state.restart();
            }
        }
        assert_eq!(COUNT.with(Cell::get), before, "seed {seed}");
    }
    assert!(blends > 0);
    let all = [
        "Aim",
        "Feet",
        "Ground",
        "Limits",
        "Mirror",
        "Pin",
        "Reach",
        "RootMotion",
        "Spacing",
        "Twist",
        "Weights",
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), all);
}

/// A state is set within bounds, for one character of a batch alone.
#[test]
fn a_character_of_a_batch_has_its_own_weights() {
    let generator = &mut Generator::new(4);
    let body = random_body(generator, &BodyOptions::default());
    let [source, target] =
        std::array::from_fn(|_| Rigged::new(&body, &random_convention(generator)));
    let clip = source.clip(&Motion::random(generator, &source.body), Keys::Mixed);
    let retargeter = Retargeter::new(everything(&source, &target, &clip));
    let plan = retargeter.plan();
    let mut bare = plan.clone();
    bare.stages.clear();
    let bare = Retargeter::new(bare);
    let mut batch = retargeter.batch(3);
    for stage in 0..plan.stages.len() {
        let state = batch.character(1).unwrap();
        state.set_weight(stage, -2.0);
        state.set_weight(stage, f32::NAN);
    }
    assert!(batch.character(3).is_none());
    let mut from = plan.source.rest_pose();
    sample_clip_into(&clip, 0.4, &mut from);
    let mut to = vec![plan.target.rest_pose(); 3];
    retargeter.apply_poses(&vec![from.clone(); 3], &mut to, &mut batch);
    let mut without = plan.target.rest_pose();
    bare.apply_pose(&from, &mut without, &mut bare.workspace());
    assert_eq!(to[1], without);
    assert_ne!(to[0], without);
    assert_eq!(to[0], to[2]);
}

/// Watching feet takes no memory.
#[test]
fn watching_contacts_allocates_nothing() {
    use rebone_runtime::contact::{DetectOptions, Watch};
    use rebone_setup::align::contact_points;
    let generator = &mut Generator::new(3);
    let body = random_body(generator, &BodyOptions::default());
    let rigged = Rigged::new(&body, &random_convention(generator));
    let alignment = aligned(&rigged, &[], &AlignOptions::default());
    let points = contact_points(&rigged.character, &rigged.map, &alignment, 0.0);
    let mut watch = Watch::new(&points, &DetectOptions::default());
    let places = vec![glam::Vec3::ZERO; points.points.len()];
    let before = COUNT.with(Cell::get);
    let mut touching = 0;
    for _ in 0..100 {
        let told = watch.step(&places, 1.0 / 60.0);
        touching += told.iter().filter(|touches| **touches).count();
    }
    watch.restart();
    assert_eq!(COUNT.with(Cell::get), before);
    assert!(touching > 100, "{touching}");
}
