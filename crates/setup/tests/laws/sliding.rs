//! Joints that slide or stretch, or have a scale.

use crate::{any_clip, full_body, say};
use glam::{DVec3, Vec3};
use rebone_model::{Clip, Interpolation, Track};
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::align::Correction;
use rebone_testkit::check::{
    Choices, When, Worst, asking, compiled_as, pose_at, retarget, same_motion, times,
};
use rebone_testkit::random::{
    Body, Convention, Generator, Keys, Rigged, axis_conventions, random_convention,
};
use std::sync::Arc;

const BOUNDS: (f64, f64) = (2e-6, 1e-4);

fn key_times() -> Arc<[f32]> {
    (0..=30).map(|key| key as f32 / 30.0).collect()
}

/// Lets joints slide by most of their bone's length; those of bones without one by a tenth of the height.
fn slide(rigged: &Rigged, clip: &mut Clip, keys: &[&str]) {
    let size = rigged.containers().0.matrix3.determinant().cbrt();
    let tenth = (0.1 * rigged.file_height() / size) as f32;
    for (index, key) in keys.iter().enumerate() {
        let joint = rigged.joint_of[rigged.body.find(key).unwrap()];
        let rest = rigged.character.skeleton.joints()[joint].rest.translation;
        let size = match 0.5 * rest.length() {
            none if none < 1e-4 * tenth => tenth,
            half => half,
        };
        let at = |t: f32| {
            let phase = t * 5.0 + index as f32;
            rest + Vec3::new(phase.sin(), (2.0 * phase).cos(), t) * size
        };
        let times = key_times();
        let values = times.iter().map(|&t| at(t)).collect();
        clip.joints[joint].translation = Track::new(Interpolation::Linear, times, values).ok();
    }
}

const SLIDERS: [&str; 5] = [
    "leftShoulder",
    "rightFoot",
    "head",
    "leftLowerArm",
    "spine1",
];

#[test]
fn sliding_joints_slide_in_every_convention() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let source = Rigged::new(&body, &random_convention(generator));
        let target = Rigged::new(&body, &random_convention(generator));
        let mut clip = any_clip(generator, &source, Keys::Cubic);
        slide(&source, &mut clip, &SLIDERS);
        let choices = Choices::default();
        worst.merge(&same_motion(
            &source,
            &target,
            &clip,
            &choices,
            When::Anytime,
        ));
    }
    say("slides", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "slides");
}

#[test]
fn sliding_onto_oneself_is_bit_equal() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let rigged = Rigged::new(&body, &random_convention(generator));
        let mut clip = any_clip(generator, &rigged, Keys::Cubic);
        slide(&rigged, &mut clip, &SLIDERS);
        assert_eq!(
            retarget(&rigged, &rigged, &clip, &Choices::default()).joints,
            clip.joints
        );
    }
}

/// A part that leaves the body moves that of another one no further than by the length of its bone.
#[test]
fn what_flies_off_tears_nobody_apart() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let (a, b) = (full_body(generator), full_body(generator));
        let source = Rigged::new(&a, &random_convention(generator));
        let target = Rigged::new(&b, &random_convention(generator));
        let mut clip = any_clip(generator, &source, Keys::Linear);
        let joint = source.joint_of[source.body.find("head").unwrap()];
        let rest = source.character.skeleton.joints()[joint].rest.translation;
        let times = key_times();
        let far = |t: &f32| rest + 5.0 * t * rest.length() * Vec3::new(0.6, 0.8, 0.0);
        let values = times.iter().map(far).collect();
        clip.joints[joint].translation = Track::new(Interpolation::Linear, times, values).ok();
        let result = retarget(&source, &target, &clip, &Choices::default());
        for time in [0.2, 1.0] {
            let (from, from_length) = slid(&source, &clip, "head", time);
            let (to, length) = slid(&target, &result, "head", time);
            let wanted = from * (length / (5.0 * from_length));
            let off = (wanted - to).length() / length;
            assert!(off < 1e-3, "seed {seed}, {time} s: {off}");
        }
    }
}

/// On unlike bodies: what a joint slides is turned into the other parent's axes and scaled by the
/// lengths of the two bones.
#[test]
fn slides_are_scaled_by_bone_length() {
    let mut worst = 0.0f64;
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let (a, b) = (full_body(generator), full_body(generator));
        let source = Rigged::new(&a, &random_convention(generator));
        let target = Rigged::new(&b, &random_convention(generator));
        let mut clip = any_clip(generator, &source, Keys::Linear);
        slide(&source, &mut clip, &SLIDERS);
        let result = retarget(&source, &target, &clip, &Choices::default());
        for key in SLIDERS {
            for time in times(&clip, When::Keys) {
                let (from, from_length) = slid(&source, &clip, key, time);
                let (to, length) = slid(&target, &result, key, time);
                let wanted = from * (length / from_length);
                worst = worst.max((wanted - to).length() / target.body.height());
            }
        }
    }
    eprintln!("slides by bone length: {worst:.2e} of the height");
    assert!(worst < 2e-6, "{worst}");
}

/// How far a joint is from its rest place, seen from its parent in the T-pose, and its bone's length;
/// metres.
fn slid(rigged: &Rigged, clip: &Clip, key: &str, time: f32) -> (DVec3, f64) {
    let index = rigged.body.find(key).unwrap();
    let parent = rigged.body.joints[index].parent.unwrap();
    let joint = rigged.joint_of[index];
    let scale = rigged.containers().0.matrix3.determinant().cbrt() / rigged.convention.units;
    let local = &rigged.character.skeleton.joints()[joint]
        .rest
        .translation
        .as_dvec3();
    let now = clip.joints[joint].translation.as_ref();
    let now = now.map_or(*local, |track| {
        rebone_model::sampling::sample_track(track, time).as_dvec3()
    });
    let bone = rigged.body.joints[index].position - rigged.body.joints[parent].position;
    (
        rigged.frames[parent] * (now - *local) * scale,
        bone.length(),
    )
}

/// A bone of no length has no ratio: what sits exactly on its parent slides as far as the body travels,
/// whatever the containers scale.
#[test]
fn what_sits_on_its_parent_slides_with_the_travel() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator).with_leaf("prop", "leftHand", DVec3::ZERO);
        let mut convention = || Convention {
            names: None,
            ..random_convention(generator)
        };
        let (one, two) = (convention(), convention());
        let (source, target) = (Rigged::new(&body, &one), Rigged::new(&body, &two));
        let mut clip = any_clip(generator, &source, Keys::Linear);
        slide(&source, &mut clip, &["prop"]);
        let choices = Choices::default();
        worst.merge(&same_motion(
            &source,
            &target,
            &clip,
            &choices,
            When::Anytime,
        ));
    }
    say("props", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "props");
}

/// A joint in no slot slides between two mapped ones; the target lacks it, and the joint below goes along.
#[test]
fn what_slides_between_two_slots_is_not_lost() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..30) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let more = body
            .clone()
            .with_joint_above("piston", "leftLowerArm", 0.5)
            .with_joint_above("socket", "rightUpperLeg", 0.5);
        let source = Rigged::new(&more, &random_convention(generator));
        let target = Rigged::new(&body, &random_convention(generator));
        let mut clip = any_clip(generator, &source, Keys::Linear);
        slide(&source, &mut clip, &["piston", "socket"]);
        let choices = Choices::default();
        let found = same_motion(&source, &target, &clip, &choices, When::Keys);
        if found.position > BOUNDS.0 {
            say(&format!("seed {seed}"), &found);
        }
        worst.merge(&found);
    }
    say("pistons", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "pistons");
}

/// Feet that hang from the root, as where a tool moved them by IK controls, stay at the end of the leg.
#[test]
fn feet_beside_the_leg_stay_at_its_end() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..30) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let source = Rigged::new(&body, &random_convention(generator));
        let target = Rigged::new(&beside(&body), &random_convention(generator));
        let clip = any_clip(generator, &source, Keys::Linear);
        let choices = Choices::default();
        worst.merge(&same_motion(&source, &target, &clip, &choices, When::Keys));
    }
    say("feet beside the leg", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "feet beside the leg");
}

fn beside(body: &Body) -> Body {
    let mut body = body.clone();
    let hips = body.find("hips");
    for foot in ["leftFoot", "rightFoot"] {
        let foot = body.find(foot).unwrap();
        body.joints[foot].parent = hips;
    }
    body
}

fn stretch(rigged: &Rigged, clip: &mut Clip, key: &str, to: DVec3) {
    let joint = rigged.joint_of[rigged.body.find(key).unwrap()];
    let times = key_times();
    // Canonical factors in the joint's own axes, which lie along the canonical ones.
    let own = (rigged.frames[rigged.body.find(key).unwrap()].conjugate() * to)
        .abs()
        .as_vec3();
    let values = times.iter().map(|&t| Vec3::ONE.lerp(own, t)).collect();
    clip.joints[joint].scale = Track::new(Interpolation::Linear, times, values).ok();
}

#[test]
fn uniform_stretch_is_kept_in_every_convention() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..30) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let mut convention = random_convention(generator);
        convention.joint_axes = None;
        let source = Rigged::new(&body, &convention);
        let target = Rigged::new(&body, &random_convention(generator));
        let mut clip = any_clip(generator, &source, Keys::Linear);
        for key in ["head", "leftUpperArm", "hips"] {
            stretch(
                &source,
                &mut clip,
                key,
                DVec3::splat(1.0 + 0.5 * seed as f64 / 30.0),
            );
        }
        let choices = Choices::default();
        worst.merge(&same_motion(
            &source,
            &target,
            &clip,
            &choices,
            When::Anytime,
        ));
    }
    say("uniform stretch", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "uniform stretch");
}

/// Factors that differ by axis are permuted where the axes of both joints are a permutation apart.
/// Otherwise, by design, their geometric mean is used, so that no shear comes in.
#[test]
fn unlike_factors_are_permuted_between_axis_conventions() {
    let mut worst = Worst::default();
    for (seed, turn) in axis_conventions().into_iter().enumerate() {
        let generator = &mut Generator::new(seed as u64);
        let body = full_body(generator);
        let source = Rigged::new(&body, &Convention::default());
        let convention = Convention {
            file_from_canonical: turn,
            ..Convention::default()
        };
        let target = Rigged::new(&body, &convention);
        let mut clip = any_clip(generator, &source, Keys::Linear);
        for key in ["head", "leftUpperArm"] {
            stretch(&source, &mut clip, key, DVec3::new(1.5, 0.7, 1.2));
        }
        let choices = Choices::default();
        worst.merge(&same_motion(
            &source,
            &target,
            &clip,
            &choices,
            When::Anytime,
        ));
    }
    say("unlike factors", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "unlike factors");
}

/// Growing above the hips reaches the target, whose containers stand still.
#[test]
fn a_container_that_grows_makes_the_target_grow() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let mut convention = random_convention(generator);
        convention.containers = vec![rebone_testkit::random::Container {
            rotation: generator.rotation(),
            scale: 0.01,
            translation: DVec3::ZERO,
        }];
        let source = Rigged::new(&body, &convention);
        let target = Rigged::new(&body, &random_convention(generator));
        let mut clip = any_clip(generator, &source, Keys::Linear);
        let times = key_times();
        let values = times
            .iter()
            .map(|&t| Vec3::splat(0.01 * (1.0 + t)))
            .collect();
        clip.joints[source.container_of[0]].scale =
            Track::new(Interpolation::Linear, times, values).ok();
        let choices = Choices::default();
        worst.merge(&same_motion(&source, &target, &clip, &choices, When::Keys));
        assert!(!pose_at(&source, &clip, 1.0).is_empty());
    }
    say("growing container", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "growing container");
}

/// Every mode, whatever the conventions are.
#[test]
fn joints_slide_as_their_mode_says() {
    use rebone_setup::translations::SlideMode;
    for mode in SlideMode::ALL {
        let mut worst = 0.0f64;
        for seed in rebone_corpus::seeds(0..12) {
            let generator = &mut Generator::new(seed);
            let (a, b) = (full_body(generator), full_body(generator));
            let source = Rigged::new(&a, &random_convention(generator));
            let target = Rigged::new(&b, &random_convention(generator));
            let mut clip = any_clip(generator, &source, Keys::Linear);
            slide(&source, &mut clip, &SLIDERS);
            let other = if mode == SlideMode::None {
                SlideMode::Absolute
            } else {
                SlideMode::None
            };
            let options = asking(|recipe| {
                // A joint wins over all.
                recipe.translations = SLIDERS
                    .map(|key| {
                        let joint = target.joint_of[target.body.find(key).unwrap()];
                        let name = target.character.skeleton.unique_name(joint);
                        (name.to_owned(), mode)
                    })
                    .into_iter()
                    .chain([("all".to_owned(), other)])
                    .collect();
            });
            let compiled = compiled_as(&source, &target, &clip, Correction::Full, &options);
            let travel = compiled.root_scale;
            let made = apply_clip(&compiled.plan, &clip, &ClipOptions::default()).unwrap();
            for key in SLIDERS {
                let bone = |rigged: &Rigged| {
                    let joint = &rigged.body.joints[rigged.body.find(key).unwrap()];
                    joint.position - rigged.body.joints[joint.parent.unwrap()].position
                };
                let (own, wanted) = (bone(&source), bone(&target));
                let ratio = wanted.length() / own.length();
                for time in times(&clip, When::Keys) {
                    let (from, _) = slid(&source, &clip, key, time);
                    let (to, _) = slid(&target, &made, key, time);
                    let expected = match mode {
                        SlideMode::Stretch => from * ratio,
                        SlideMode::Scaled => from * travel,
                        SlideMode::Absolute => from,
                        SlideMode::None => DVec3::ZERO,
                        // Its length is as much longer as the source's.
                        SlideMode::OrientAndScale => {
                            let length = (wanted + to).length() / wanted.length();
                            let source_length = (own + from).length() / own.length();
                            worst = worst.max((length - source_length).abs());
                            continue;
                        }
                    };
                    worst = worst.max((expected - to).length() / target.body.height());
                }
            }
        }
        eprintln!("{mode:?}: {worst:.2e}");
        assert!(worst < 1e-5, "{mode:?}: {worst}");
    }
}
