//! Poses that are not alike: what they cost each method, and how they are told and mended (S1.3, S1.6, S1.11).

use crate::error_table::{EXACT, NEAR, SEEDS, joint, off, rigged, within};
use crate::{any_clip, full_body};
use glam::DQuat;
use rebone_model::{Clip, Interpolation, Quat, Track};
use rebone_report::{Performance, ReportOptions, report};
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::align::{AlignOptions, Correction, PoseChoice};
use rebone_setup::compile::{Mapped, compile};
use rebone_setup::transfer::Method;
use rebone_setup::transfer::rest_delta::Embedding;
use rebone_testkit::check::{aligned, asking, compiled_as, mapped};
use rebone_testkit::random::{Convention, Generator, Keys, Motion, Rigged, Stance};
use std::sync::Arc;

/// Row 7: arms down on one side, a T-pose on the other: the angle stays in every frame. `model-delta` corrects it;
/// `rest-delta` needs a pose that is alike, which may be chosen on either side (S1.3, S1.6): here the clip's first frame.
#[test]
fn rest_poses_that_are_not_alike() {
    for seed in SEEDS {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let lowered = Convention {
            joint_axes: Some(generator.bits()),
            stance: Stance {
                arms_down_degrees: 45.0,
                ..Stance::default()
            },
            ..Convention::default()
        };
        let (source, target) = (Rigged::new(&body, &lowered), rigged(generator, &body));
        // All joints stand as in a T-pose, and one of them bends.
        let held = body
            .joints
            .iter()
            .fold(Motion::random(generator, &body), |motion, joint| {
                motion.hold(&joint.key)
            });
        let mut clip = source.clip(&held, Keys::Linear);
        let arm = joint(&source, "leftLowerArm");
        let start = clip.joints[arm].rotation.as_ref().unwrap().key_value(0);
        let times: Arc<[f32]> = Arc::new([0.0, 1.0]);
        let turn = Quat::from_rotation_z(41f32.to_radians());
        let bent = Track::new(Interpolation::Linear, times, vec![start, start * turn]);
        clip.joints[arm].rotation = Some(bent.unwrap());
        for (method, correction, pose, wanted) in [
            (Method::RestDelta, Correction::None, None, 45.0),
            (Method::RestDelta, Correction::default(), None, 45.0),
            (Method::Channels, Correction::default(), None, 45.0),
            (Method::ModelDelta, Correction::None, None, 45.0),
            (Method::ModelDelta, Correction::default(), None, 0.0),
            (
                Method::RestDelta,
                Correction::None,
                Some(PoseChoice::First),
                0.0,
            ),
        ] {
            let options = |pose| AlignOptions {
                correction,
                pose,
                ..AlignOptions::default()
            };
            let from = aligned(&source, &[&clip], &options(pose));
            let to = aligned(&target, &[], &options(None));
            let sides = (mapped(&source, &from), mapped(&target, &to));
            let choices = asking(|recipe| {
                recipe.method = method;
                recipe.twist = 0.0;
            });
            let plan = compile(&sides.0, &sides.1, &[&clip], &choices)
                .unwrap()
                .plan;
            let result = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
            for time in [0.0, 0.4, 1.0] {
                let degrees = off(&source, &clip, &target, &result, time);
                let bound = if wanted == 0.0 { EXACT } else { NEAR };
                let what = format!("{method:?}, {correction:?}, {pose:?}, {time}: {degrees}");
                assert!((degrees - wanted).abs() < bound, "{what}");
            }
        }
    }
}

/// S1.11, as that text tells its cases: A, both stand alike; B, the target's pose is turned; C, the target's container
/// is. The report's figure tells B and C from A by far, and each has its way out: the default method for both, the
/// embedding for C.
#[test]
fn wrong_auxiliary_poses_show_in_the_report() {
    for seed in SEEDS {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let source = rigged(generator, &body);
        let clip = any_clip(generator, &source, Keys::Linear);
        let quarter = DQuat::from_rotation_x(-90f64.to_radians());
        let alike = rigged(generator, &body);
        let turned = Rigged::new(
            &body,
            &Convention {
                file_from_canonical: quarter,
                ..source.convention.clone()
            },
        );
        let contained = within(generator, &body, 1.0);
        let bare = Embedding {
            source: false,
            target: false,
        };
        for (target, embedding, method, is_off) in [
            (&alike, Embedding::default(), Method::RestDelta, false),
            (&turned, Embedding::default(), Method::RestDelta, true),
            (&turned, Embedding::default(), Method::ModelDelta, false),
            (&contained, bare, Method::RestDelta, true),
            (&contained, Embedding::default(), Method::RestDelta, false),
            (&contained, bare, Method::ModelDelta, false),
        ] {
            let degrees = reported(&source, target, &clip, method, embedding);
            eprintln!("{method:?}: {degrees:.2} degrees, off: {is_off}");
            assert!(if is_off {
                degrees > 15.0
            } else {
                degrees < 0.1
            });
        }
    }
}

/// The report's mean of the angles between the limbs of source and target.
fn reported(
    source: &Rigged,
    target: &Rigged,
    clip: &Clip,
    method: Method,
    embedding: Embedding,
) -> f64 {
    let options = asking(|recipe| {
        recipe.method = method;
        recipe.source.embed = embedding.source;
        recipe.target.embed = embedding.target;
    });
    let compiled = compiled_as(source, target, clip, Correction::None, &options);
    let result = apply_clip(&compiled.plan, clip, &ClipOptions::default()).unwrap();
    let plain = AlignOptions {
        correction: Correction::None,
        ..AlignOptions::default()
    };
    let (one, two) = (
        aligned(source, &[clip], &plain),
        aligned(target, &[], &plain),
    );
    let performance = |rigged, alignment, clip| {
        let mapped: Mapped<'_> = mapped(rigged, alignment);
        Performance {
            character: mapped.character,
            map: mapped.map,
            alignment: mapped.alignment,
            clip,
        }
    };
    let result = report(
        &performance(source, &one, clip),
        &performance(target, &two, &result),
        &ReportOptions::default(),
    );
    result.mean_direction_degrees
}
