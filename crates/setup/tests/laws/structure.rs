//! Other joints on the two sides: against the closed form.

use crate::{any_clip, any_rigged, full_body, say};
use glam::DVec3;
use rebone_setup::align::Correction;
use rebone_testkit::check::{Choices, When, Worst, closed_form, same_motion};
use rebone_testkit::oracle::CommonPose;
use rebone_testkit::random::{
    Body, BodyOptions, Generator, Keys, Rigged, random_body, random_convention,
};

const BOUNDS: (f64, f64) = (2e-6, 1e-4);

fn pair(seed: u64, one: impl Fn(Body) -> Body, other: impl Fn(Body) -> Body) -> Worst {
    let generator = &mut Generator::new(seed);
    let (a, b) = (one(full_body(generator)), other(full_body(generator)));
    let source = Rigged::new(&a, &random_convention(generator));
    let target = Rigged::new(&b, &random_convention(generator));
    let clip = any_clip(generator, &source, Keys::Mixed);
    closed_form(
        &source,
        &target,
        &clip,
        &Choices::default(),
        CommonPose::TPose,
    )
}

fn same(body: Body) -> Body {
    body
}

fn law(what: &str, one: impl Fn(Body) -> Body, other: impl Fn(Body) -> Body) {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..12) {
        worst.merge(&pair(seed, &one, &other));
        worst.merge(&pair(seed + 500, &other, &one));
    }
    say(what, &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, what);
}

#[test]
fn any_two_bodies_follow_the_closed_form() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..500) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        let clip = any_clip(generator, &source, Keys::Mixed);
        let choices = Choices::default();
        let found = closed_form(&source, &target, &clip, &choices, CommonPose::TPose);
        if found.position > BOUNDS.0 || found.degrees > BOUNDS.1 {
            say(&format!("seed {seed}"), &found);
        }
        worst.merge(&found);
    }
    say("any two bodies", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "any two bodies");
}

#[test]
fn without_correction_the_rest_poses_are_the_common_pose() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..200) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        let clip = any_clip(generator, &source, Keys::Mixed);
        let choices = Choices {
            correction: Correction::None,
            ..Choices::default()
        };
        worst.merge(&closed_form(
            &source,
            &target,
            &clip,
            &choices,
            CommonPose::Rest,
        ));
    }
    say("no correction", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "no correction");
}

#[test]
fn every_pair_of_spine_counts_shares_the_bend() {
    let mut worst = Worst::default();
    for from in 1..=5 {
        for to in 1..=5 {
            let generator = &mut Generator::new(from as u64 * 10 + to as u64);
            let mut body = |spine| {
                let options = BodyOptions {
                    spine,
                    ..BodyOptions::default()
                };
                random_body(generator, &options)
            };
            let (a, b) = (body(from), body(to));
            let source = Rigged::new(&a, &random_convention(generator));
            let target = Rigged::new(&b, &random_convention(generator));
            let clip = any_clip(generator, &source, Keys::Linear);
            let choices = Choices::default();
            let form = CommonPose::TPose;
            worst.merge(&closed_form(&source, &target, &clip, &choices, form));
        }
    }
    say("spines", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "spines");
}

#[test]
fn missing_clavicles_keep_the_arms() {
    let bare = |body: Body| body.without("leftShoulder").without("rightShoulder");
    law("clavicles", bare, same);
}

#[test]
fn missing_toes_and_neck_keep_the_rest() {
    law(
        "toes",
        |body| body.without("leftToes").without("rightToes"),
        same,
    );
    law("neck", |body| body.without("neck0"), same);
}

/// Extra joints between mapped ones: at rest in the target, turning in the source.
#[test]
fn extra_joints_in_line_lose_no_rotation() {
    let more = |body: Body| {
        body.with_joint_above("twist", "leftLowerArm", 0.5)
            .with_joint_above("pelvis", "leftUpperLeg", 0.3)
            .with_joint_above("belt", "spine0", 0.5)
    };
    law("joints in line", more, same);
}

#[test]
fn extra_leaves_stay_at_rest() {
    let more = |body: Body| {
        body.with_leaf("tail", "hips", DVec3::new(0.0, 0.0, -0.2))
            .with_leaf("hair", "head", DVec3::new(0.0, 0.1, -0.1))
    };
    law("leaves", more, same);
}

/// A root joint above the hips, in no slot, that turns: its turn reaches the target's hips.
#[test]
fn an_unmapped_root_that_turns_turns_the_target() {
    law(
        "root joint",
        |body| body.with_joint_above("root", "hips", 0.0),
        same,
    );
}

/// Joints in no slot that both rigs have under one name go together; the motion is the same at any time.
#[test]
fn unmapped_joints_of_one_name_go_together() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator)
            .with_leaf("tail", "hips", DVec3::new(0.0, 0.0, -0.2))
            .with_leaf("tip", "tail", DVec3::new(0.0, 0.0, -0.2))
            .with_joint_above("twist", "leftLowerArm", 0.5);
        let mut convention = random_convention(generator);
        convention.names = None;
        let source = Rigged::new(&body, &convention);
        let mut convention = random_convention(generator);
        convention.names = None;
        let target = Rigged::new(&body, &convention);
        let clip = any_clip(generator, &source, Keys::Mixed);
        let choices = Choices::default();
        worst.merge(&same_motion(
            &source,
            &target,
            &clip,
            &choices,
            When::Anytime,
        ));
    }
    say("named joints", &worst);
    worst.assert_within(BOUNDS.0, BOUNDS.1, "named joints");
}
