//! Bodies that lie on the floor: what they promise, whatever the joints' axes.

use crate::again;
use crate::limits::compiled_with;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip_into;
use rebone_model::{Clip, LocalPose};
use rebone_runtime::stage::StageOp;
use rebone_runtime::{ClipOptions, Workspace, apply_clip, apply_pose};
use rebone_setup::compile::CompileOptions;
use rebone_testkit::check::{asking, seen_at};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

fn with(weight: f64) -> CompileOptions {
    asking(|recipe| recipe.ground = weight)
}

/// T, as the joints of the body in its T-pose show it.
fn thickness(rigged: &Rigged) -> f64 {
    let width = |part: &str| {
        let [left, right] =
            ["left", "right"].map(|side| rigged.body.position(&format!("{side}{part}")));
        left.distance(right)
    };
    0.5 * (width("UpperLeg") + 0.5 * width("UpperArm"))
}

/// Two bodies with the same joints, of other proportions, and a motion of the first: lying at half of its thickness, or
/// upright.
fn any_pair(seed: u64, lies: bool) -> (Rigged, Rigged, Clip) {
    let generator = &mut Generator::new(seed);
    let options = BodyOptions::random(generator, true);
    let [source, target] = std::array::from_fn(|_| {
        let body = random_body(generator, &options);
        Rigged::new(&body, &random_convention(generator))
    });
    let mut motion = Motion::random(generator, &source.body);
    if lies {
        for key in [
            "leftUpperLeg",
            "rightUpperLeg",
            "leftLowerLeg",
            "rightLowerLeg",
        ] {
            motion = motion.hold(key);
        }
        motion = motion.lying(&source.body, 0.5 * thickness(&source));
    }
    let clip = source.clip(&motion, Keys::Linear);
    (source, target, clip)
}

fn made(source: &Rigged, target: &Rigged, clip: &Clip, options: &CompileOptions) -> Clip {
    let plan = compiled_with(source, target, clip, options).plan;
    apply_clip(&plan, clip, &ClipOptions::default()).unwrap()
}

/// The part of the trunk (or the knee) that is lowest against the source's, times κ, is as high as that, and no other is
/// lower.
#[test]
fn a_lying_body_is_as_high_as_it_is_thick() {
    let (mut worst, mut without) = (0.0f64, 0.0f64);
    for seed in 0..16 {
        let (source, target, clip) = any_pair(seed, true);
        let [copy, ours] = [0.0, 1.0].map(|weight| made(&source, &target, &clip, &with(weight)));
        let thick = thickness(&target);
        let scale = thick / thickness(&source);
        for time in clip.key_times() {
            let own = seen_at(&source, &clip, time);
            let least = |made: &Clip| {
                let seen = seen_at(&target, made, time);
                let over = ["hips", "head"].map(|slot| {
                    let [a, b] = [&source, &target].map(|rigged| rigged.body.slot(slot).unwrap());
                    // Of points that count in full.
                    let wanted = own[a].position.y * scale;
                    let counts = wanted < 0.8 * thick;
                    counts.then_some((seen[b].position.y - wanted) / thick)
                });
                over.into_iter().flatten().fold(f64::INFINITY, f64::min)
            };
            worst = worst.max(-least(&ours));
            without = without.max(least(&copy).abs());
        }
    }
    println!("lower than the source's by {worst:.3} of the thickness; legs alone {without:.3} off");
    assert!(worst < 0.09, "{worst}");
    assert!(without > 0.2, "{without}");
}

/// A stage that does not count, and a body that stands: every bit is that of the plan without.
#[test]
fn who_stands_keeps_every_bit() {
    let none = asking(|recipe| recipe.ground = 0.0);
    for seed in rebone_corpus::seeds(0..10) {
        for lies in [true, false] {
            let (source, target, clip) = any_pair(seed, lies);
            let plain = made(&source, &target, &clip, &none);
            assert_eq!(
                made(&source, &target, &clip, &with(0.0)),
                plain,
                "seed {seed}"
            );
            let ours = made(&source, &target, &clip, &with(1.0));
            assert_eq!(ours == plain, !lies, "seed {seed}");
        }
    }
}

/// The target's own joint axes, names and units change nothing.
#[test]
fn axes_of_the_target_change_nothing() {
    for seed in rebone_corpus::seeds(0..10) {
        let (source, target, clip) = any_pair(seed, true);
        let other = again(&mut Generator::new(seed + 100), &target);
        let [first, second] =
            [&target, &other].map(|target| made(&source, target, &clip, &with(1.0)));
        for time in clip.key_times() {
            let a = seen_at(&target, &first, time);
            let b = seen_at(&other, &second, time);
            for slot in ["hips", "head", "leftHand", "leftFoot", "rightLowerLeg"] {
                let Some(joint) = target.body.slot(slot) else {
                    continue;
                };
                let off = a[joint].position.distance(b[joint].position) / target.body.height();
                // The knee of a nearly straight leg is a multiple of rounding off.
                let most = if slot == "rightLowerLeg" { 5e-3 } else { 1e-3 };
                assert!(off < most, "seed {seed}, {slot}: {off}");
            }
        }
    }
}

/// A body that is only larger needs no correction: there is no stage, so keys stay as they are.
#[test]
fn a_larger_body_needs_nothing() {
    for seed in rebone_corpus::seeds(0..6) {
        let (source, _, clip) = any_pair(seed, true);
        let larger = Rigged::new(&source.body.clone().scaled(1.7), &source.convention);
        let plan = compiled_with(&source, &larger, &clip, &with(1.0)).plan;
        let is_ground =
            |stage: &rebone_runtime::stage::Stage| matches!(stage.op, StageOp::Ground(_));
        assert!(!plan.stages.iter().any(is_ground));
    }
}

/// While a motion runs, a body that falls at once goes down over some frames, without a jump, and comes to where a pose that stays
/// wants it; one that stands keeps every bit.
#[test]
fn a_body_that_falls_at_once_goes_down_gently() {
    let (mut most, mut at_once) = (0.0f64, 0.0f64);
    for seed in 0..6 {
        let (source, target, clip) = any_pair(seed, true);
        let plan = compiled_with(&source, &target, &clip, &with(1.0)).plan;
        let plain = compiled_with(&source, &target, &clip, &with(0.0)).plan;
        let stands = source.character.skeleton.rest_pose();
        let mut lies = stands.clone();
        sample_clip_into(&clip, clip.key_times()[0], &mut lies);
        let mut running = Workspace::new(&plan);
        running.set_elapsed(Some(1.0 / 60.0));
        let (mut alone, mut without) = (Workspace::new(&plan), Workspace::new(&plain));
        let mut results = [0; 3].map(|_| target.character.skeleton.rest_pose());
        let skeleton = &target.character.skeleton;
        let hips = target.joint_of[target.body.slot("hips").unwrap()];
        let mut last: Option<f64> = None;
        for frame in 0..90 {
            let pose = if frame < 5 { &stands } else { &lies };
            let [run, one, copy] = &mut results;
            apply_pose(&plan, pose, run, &mut running);
            alone.restart();
            apply_pose(&plan, pose, one, &mut alone);
            apply_pose(&plain, pose, copy, &mut without);
            let rise = |made: &LocalPose| {
                let at = |pose: &LocalPose| model_pose(skeleton, pose).position(hips).as_dvec3();
                at(made).distance(at(copy)) / target.file_height()
            };
            let own = rise(run);
            if frame < 5 {
                assert_eq!(run, copy, "seed {seed}");
            }
            if let Some(last) = last {
                most = most.max((own - last).abs());
            }
            at_once = at_once.max(rise(one));
            last = Some(own);
            if frame == 89 {
                assert!(
                    (own - rise(one)).abs() < 1e-3,
                    "seed {seed}: {own} {}",
                    rise(one)
                );
            }
        }
    }
    println!("{most:.3} of the height a frame at most, at once {at_once:.3}");
    assert!(at_once > 0.01 && most < 0.12 * at_once, "{most} {at_once}");
}
