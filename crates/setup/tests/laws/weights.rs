//! Weights of joints, slots and groups (S3.14), asked for by name.

use crate::{any_clip, any_rigged};
use rebone_model::rotation::{angle_between, slerp};
use rebone_model::sampling::sample_joint;
use rebone_model::{Clip, Transform};
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::align::AlignOptions;
use rebone_setup::compile::compile;
use rebone_setup::error::Error;
use rebone_testkit::check::{aligned, asking, mapped};
use rebone_testkit::random::{Generator, Keys, Rigged};

fn weighted(
    source: &Rigged,
    target: &Rigged,
    clip: &Clip,
    weights: &[(&str, f64)],
) -> Result<Clip, Error> {
    let from = aligned(source, &[clip], &AlignOptions::default());
    let to = aligned(target, &[], &AlignOptions::default());
    let named = weights
        .iter()
        .map(|(name, weight)| ((*name).to_owned(), *weight));
    let options = asking(|recipe| recipe.target.weights = named.collect());
    let plan = compile(
        &mapped(source, &from),
        &mapped(target, &to),
        &[clip],
        &options,
    )?
    .plan;
    Ok(apply_clip(&plan, clip, &ClipOptions::default()).unwrap())
}

#[test]
fn weights_go_from_rest_to_motion_and_beyond() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        let clip = any_clip(generator, &source, Keys::Linear);
        let full = weighted(&source, &target, &clip, &[]).unwrap();
        let same = weighted(&source, &target, &clip, &[("arms", 1.0)]).unwrap();
        assert_eq!(full, same, "weight 1 leaves every bit");
        let joint = |slot: &str| target.joint_of[target.body.slot(slot).unwrap()];
        for weight in [0.0, 0.3, 1.5] {
            let made = weighted(&source, &target, &clip, &[("leftUpperArm", weight)]).unwrap();
            let arm = joint("leftUpperArm");
            let rest = target.character.skeleton.joints()[arm].rest;
            for time in clip.key_times() {
                let at = |clip: &Clip| -> Transform { sample_joint(&clip.joints[arm], rest, time) };
                let wanted = slerp(rest.rotation, at(&full).rotation, weight as f32);
                let off = angle_between(wanted, at(&made).rotation);
                assert!(off < 1e-5, "seed {seed}, weight {weight}: {off}");
            }
            let untouched = (0..made.joints.len()).filter(|&other| other != arm);
            for other in untouched {
                assert_eq!(made.joints[other], full.joints[other], "seed {seed}");
            }
        }
    }
}

#[test]
fn the_narrowest_name_wins_and_a_wrong_one_is_corrected() {
    let generator = &mut Generator::new(5);
    let (source, mut target) = (any_rigged(generator, true), any_rigged(generator, true));
    target.convention.names = None;
    let target = Rigged::new(&target.body, &target.convention);
    let clip = any_clip(generator, &source, Keys::Linear);
    let full = weighted(&source, &target, &clip, &[]).unwrap();
    let weights = [("arms", 0.0), ("leftArms", 0.5), ("leftHand", 1.0)];
    let made = weighted(&source, &target, &clip, &weights).unwrap();
    let joint = |slot: &str| target.joint_of[target.body.slot(slot).unwrap()];
    let same = |slot: &str| made.joints[joint(slot)] == full.joints[joint(slot)];
    assert!(same("leftHand") && same("leftUpperLeg") && same("hips"));
    assert!(!same("leftUpperArm") && !same("rightHand"));
    let right = joint("rightUpperArm");
    let rest = target.character.skeleton.joints()[right].rest;
    for time in clip.key_times() {
        let local = sample_joint(&made.joints[right], rest, time);
        assert!(angle_between(local.rotation, rest.rotation) < 1e-6);
    }
    let wrong = weighted(&source, &target, &clip, &[("leftUperArm", 0.5)]);
    let text = wrong.unwrap_err().to_string();
    assert!(text.contains("did you mean \"leftUpperArm\"?"), "{text}");
}
