//! Which method is right when: the rows of the table of docs/methods/README.md, on rigs with any joint axes (S1.2, S1.4,
//! S1.5, S2.1 to S2.4, S4.5).
//!
//! One joint turns by a known angle, or all of them at random, and the turn that is seen of the target's left hand is
//! held against the source's. Both bodies are one, so every degree is an error of the method.

use crate::{any_clip, full_body};
use glam::{DQuat, DVec3};
use rebone_model::rotation::angle_between;
use rebone_model::{Clip, Interpolation, Quat, Track, Vec3};
use rebone_runtime::{ClipOptions, RotationOp, apply_clip};
use rebone_setup::align::Correction;
use rebone_setup::root::RootScale;
use rebone_setup::transfer::{Method, parent_delta};
use rebone_testkit::check::{
    Choices, When, asking, compiled, compiled_as, retarget, seen_at, times,
};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{Body, Container, Convention, Generator, Keys, Rigged};
use std::sync::Arc;

/// Single precision over a chain of eight joints.
pub(super) const EXACT: f64 = 1e-4;
/// Of a figure that the table states.
pub(super) const NEAR: f64 = 1e-2;
pub(super) const SEEDS: std::ops::Range<u64> = 0..8;

/// A body whose joints have axes of their own, in the file's space as it is.
pub(super) fn rigged(generator: &mut Generator, body: &Body) -> Rigged {
    let joint_axes = Some(generator.bits());
    Rigged::new(
        body,
        &Convention {
            joint_axes,
            ..Convention::default()
        },
    )
}

/// Within a second one joint turns by an angle about some axis of its own.
fn bend(rigged: &Rigged, joint: usize, degrees: f32) -> Clip {
    let rest = rigged.character.skeleton.joints()[joint].rest.rotation;
    let turn = Quat::from_axis_angle(Vec3::new(0.48, 0.6, 0.64), degrees.to_radians());
    let times: Arc<[f32]> = Arc::new([0.0, 1.0]);
    let mut clip = Clip::new("bend", rigged.character.skeleton.len());
    let track = Track::new(Interpolation::Linear, times, vec![rest, rest * turn]);
    clip.joints[joint].rotation = Some(track.unwrap());
    clip
}

pub(super) fn joint(rigged: &Rigged, key: &str) -> usize {
    rigged.joint_of[rigged.body.find(key).unwrap()]
}

fn choices(method: Method) -> Choices {
    Choices {
        method,
        correction: Correction::None,
        ..Choices::default()
    }
}

/// How far the left hand's turn is off at a time.
pub(super) fn off(source: &Rigged, clip: &Clip, target: &Rigged, result: &Clip, time: f32) -> f64 {
    let hand = |rigged: &Rigged, clip| {
        seen_at(rigged, clip, time)[rigged.body.find("leftHand").unwrap()].turn
    };
    degrees_between(hand(source, clip), hand(target, result))
}

/// The errors of all methods at the end of the clip.
fn errors(source: &Rigged, target: &Rigged, clip: &Clip) -> Vec<(Method, f64)> {
    let error = |method| {
        let result = retarget(source, target, clip, &choices(method));
        off(source, clip, target, &result, 1.0)
    };
    Method::ALL.map(|method| (method, error(method))).to_vec()
}

/// Every method but `parent-delta`, which looks at no target, is off by what the row says.
fn row(what: &str, found: &[(Method, f64)], wanted: impl Fn(Method) -> f64) {
    eprintln!("{what}: {found:?}");
    for &(method, degrees) in found {
        let bound = if wanted(method) == 0.0 { EXACT } else { NEAR };
        let is_stated = (degrees - wanted(method)).abs() < bound;
        let of_interest = method != Method::ParentDelta;
        assert!(is_stated || !of_interest, "{what}: {method:?} {degrees}");
    }
}

/// All others take constants that are made once; only `model-delta` looks at what the parents do in this frame.
fn only_model_delta_is_right(lost: f64) -> impl Fn(Method) -> f64 {
    move |method| match method {
        Method::ModelDelta => 0.0,
        _ => lost,
    }
}

/// Row 1: 1:1 joints with any axes. S2.4: of `parent-delta` the row shows why it is not a method to choose.
#[test]
fn joints_one_to_one_with_any_axes() {
    let (mut least, mut most) = (f64::MAX, 0.0f64);
    for seed in SEEDS {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let (source, target) = (rigged(generator, &body), rigged(generator, &body));
        let clip = any_clip(generator, &source, Keys::Linear);
        for method in Method::ALL {
            let result = retarget(&source, &target, &clip, &choices(method));
            let all = times(&clip, When::Keys).into_iter();
            let all = all.map(|time| off(&source, &clip, &target, &result, time));
            let worst = all.fold(0.0, f64::max);
            if method == Method::ParentDelta {
                (least, most) = (least.min(worst), most.max(worst));
            } else {
                assert!(worst < EXACT, "{method:?} {worst}");
            }
        }
    }
    eprintln!("parent-delta, one to one: {least:.0} to {most:.0} degrees");
    // The table's figures.
    assert!(least > 90.5 && most <= 180.0, "{least} {most}");
}

/// Row 2: a source joint that the target lacks bends by 41 degrees.
#[test]
fn a_source_joint_that_the_target_lacks() {
    for seed in SEEDS {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let more = body.clone().with_joint_above("extra", "leftLowerArm", 0.5);
        let (source, target) = (rigged(generator, &more), rigged(generator, &body));
        let clip = bend(&source, joint(&source, "extra"), 41.0);
        let found = errors(&source, &target, &clip);
        row("joint missing", &found, only_model_delta_is_right(41.0));
    }
}

/// Row 3: an extra joint of the target that rests. Row 4: one that something else turns by 30 degrees.
#[test]
fn an_extra_joint_of_the_target() {
    for seed in SEEDS {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let more = body.clone().with_joint_above("extra", "leftLowerArm", 0.5);
        let (source, target) = (rigged(generator, &body), rigged(generator, &more));
        let clip = bend(&source, joint(&source, "leftUpperArm"), 41.0);
        row("extra at rest", &errors(&source, &target, &clip), |_| 0.0);

        let extra = joint(&target, "extra");
        let own = target.character.skeleton.joints()[extra].rest.rotation;
        let still = joint(&source, "rightUpperArm");
        let rest = source.character.skeleton.joints()[still].rest.rotation;
        let turn = Quat::from_rotation_x(30f32.to_radians());
        let found = Method::ALL.map(|method| {
            let mut plan = compiled(&source, &target, &clip, &choices(method)).plan;
            plan.rotations[extra] = RotationOp::Local {
                source: still,
                left: own * turn,
                right: rest.inverse(),
            };
            let result = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
            (method, off(&source, &clip, &target, &result, 1.0))
        });
        row("extra turned", &found, only_model_delta_is_right(30.0));
    }
}

/// Row 5: something above the skeleton turns by 74 degrees, a joint in no slot or a node of the scene.
#[test]
fn an_unmapped_ancestor_turns() {
    for seed in SEEDS {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let rooted = body.clone().with_joint_above("root", "hips", 0.0);
        let (source, target) = (rigged(generator, &rooted), rigged(generator, &body));
        let clip = bend(&source, joint(&source, "root"), 74.0);
        let found = errors(&source, &target, &clip);
        row("root joint", &found, only_model_delta_is_right(74.0));

        let source = within(generator, &body, 0.01);
        let clip = bend(&source, source.container_of[0], 74.0);
        let found = errors(&source, &target, &clip);
        row("armature", &found, only_model_delta_is_right(74.0));
    }
}

/// A body in a container that is lying, with Z up, and scaled.
pub(super) fn within(generator: &mut Generator, body: &Body, scale: f64) -> Rigged {
    let convention = Convention {
        joint_axes: Some(generator.bits()),
        containers: vec![Container {
            rotation: DQuat::from_rotation_x(-90f64.to_radians()),
            scale,
            translation: DVec3::ZERO,
        }],
        ..Convention::default()
    };
    Rigged::new(body, &convention)
}

/// Row 6: a container that rests, scaled by 0.01 and with Z up. S1.5: without embedding `rest-delta` takes the axes of
/// the skeleton for those of the world. S4.6: lengths in hundredths drive lengths in metres.
#[test]
fn a_container_at_rest() {
    for seed in SEEDS {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let (source, target) = (within(generator, &body, 0.01), rigged(generator, &body));
        let clip = any_clip(generator, &source, Keys::Linear);
        for (source, target, clip) in [
            (&source, &target, clip),
            (&target, &source, any_clip(generator, &target, Keys::Linear)),
        ] {
            row("container", &errors(source, target, &clip), |_| 0.0);
            let found = |embedded| {
                let options = asking(|recipe| {
                    recipe.method = Method::RestDelta;
                    recipe.source.embed = embedded;
                    recipe.target.embed = embedded;
                    recipe.twist = 0.0;
                });
                let plan = compiled_as(source, target, &clip, Correction::None, &options).plan;
                let result = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
                let all = times(&clip, When::Keys).into_iter();
                let all = all.map(|time| off(source, &clip, target, &result, time));
                all.fold(0.0, f64::max)
            };
            let (with, without) = (found(true), found(false));
            eprintln!("rest-delta embedded {with:.1e}, not embedded {without:.1} degrees");
            assert!(
                with < EXACT && (28.5..113.5).contains(&without),
                "{with} {without}"
            );
        }
    }
}

/// Row 8: a body of half the size crouches by half as much, but for `channels`, which keeps metres.
#[test]
fn the_proportion_of_the_hips() {
    for seed in SEEDS {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let (source, target) = (
            rigged(generator, &body),
            rigged(generator, &body.clone().scaled(0.5)),
        );
        let hips = joint(&source, "hips");
        let rest = source.character.skeleton.joints()[hips].rest.translation;
        let times: Arc<[f32]> = Arc::new([0.0, 1.0]);
        let mut clip = Clip::new("crouch", source.character.skeleton.len());
        let low = vec![rest, rest - Vec3::Y * 0.35];
        let track = Track::new(Interpolation::Linear, times, low);
        clip.joints[hips].translation = Some(track.unwrap());
        let drop = |rigged: &Rigged, clip: &Clip| {
            let height = |time| seen_at(rigged, clip, time)[0].position.y;
            height(0.0) - height(1.0)
        };
        assert_eq!(body.find("hips"), Some(0));
        assert!((drop(&source, &clip) - 0.35).abs() < 1e-6);
        for (method, wanted) in [
            (Method::ModelDelta, 0.175),
            (Method::RestDelta, 0.175),
            (Method::ParentDelta, 0.175),
            (Method::Channels, 0.35),
        ] {
            let choices = Choices {
                root_scale: RootScale::Legs,
                ..choices(method)
            };
            let result = retarget(&source, &target, &clip, &choices);
            let found = drop(&target, &result);
            assert!((found - wanted).abs() < 1e-5, "{method:?} {found}");
        }
    }
}

/// S2.1, S2.3: the worked example, step by step, in degrees. S2.2, S2.4: the flip is one of all four numbers, which is
/// the same rotation, where the dot product is negative, and none where it is not.
#[test]
fn the_numbers_of_the_worked_example() {
    let turn = |degrees: f32| Quat::from_rotation_z(degrees.to_radians());
    let steps = parent_delta::steps(turn(45.0), turn(-30.0), turn(225.0));
    for (found, wanted) in [
        (steps.difference, -75.0),
        (steps.offset, -90.0),
        (steps.combined, -165.0),
        (steps.inverse_target_parent, 30.0),
        (steps.result, -135.0),
    ] {
        assert!(
            angle_between(found, turn(wanted)) < 1e-5,
            "{wanted}: {found}"
        );
    }
    let mut flips = [0, 0];
    let generator = &mut Generator::new(3);
    for round in 0..100 {
        let [above, other, key] = std::array::from_fn(|_| generator.rotation().as_quat());
        let key = if round % 2 == 0 { key } else { -key };
        let steps = parent_delta::steps(above, other, key);
        assert_eq!(steps.flipped, steps.offset.dot(above) < 0.0);
        let plain = steps.offset * steps.difference;
        let sign = if steps.flipped { -1.0 } else { 1.0 };
        assert!((steps.combined - plain * sign).length() < 1e-5);
        assert!(angle_between(steps.combined, plain) < 1e-5);
        flips[usize::from(steps.flipped)] += 1;
    }
    assert!(flips[0] > 10 && flips[1] > 10, "{flips:?}");
}
