//! Laws that every kind of stage keeps.

#![allow(clippy::unwrap_used)]

use rebone_core::asset::{read_asset, write_asset};
use rebone_core::runtime::{
    ClipOptions, JointWeight, Plan, Stage, StageOp, TwistJoint, TwistOf, TwistSegment, TwistStage,
    WeightStage, Workspace, apply_clip, apply_pose,
};
use rebone_model::rotation::angle_between;
use rebone_model::sampling::{sample_clip_into, sample_joint};
use rebone_model::{Clip, LocalPose, Vec3};
use rebone_testkit::check::{Choices, compiled};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

/// A pair with a clip of its source.
struct Pair {
    plan: Plan,
    clip: Clip,
}

fn any_pair(seed: u64) -> Pair {
    let generator = &mut Generator::new(seed);
    let options = BodyOptions::random(generator, true);
    let [source, target] = std::array::from_fn(|_| {
        let body = random_body(generator, &options);
        Rigged::new(&body, &random_convention(generator))
    });
    let clip = source.clip(&Motion::random(generator, &source.body), Keys::Linear);
    let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
    Pair { plan, clip }
}

/// One stage of every kind, on this plan's target.
fn every_stage(plan: &Plan) -> Vec<StageOp> {
    let weights = (0..plan.target.len()).step_by(3).map(|joint| JointWeight {
        joint,
        base: plan.target.rest[joint],
        weight: 0.4 + 0.2 * (joint % 5) as f32,
    });
    vec![
        StageOp::Weights(WeightStage {
            joints: weights.collect(),
        }),
        StageOp::Twist(twists(plan)),
    ]
}

/// Any three joints in line as a limb with a twist joint, once by the last one's twist, once by the first one's.
fn twists(plan: &Plan) -> TwistStage {
    let above = |joint: usize| plan.target.parents[joint];
    let end = (0..plan.target.len())
        .rev()
        .find(|&joint| above(joint).and_then(above).is_some())
        .unwrap();
    let middle = above(end).unwrap();
    let segment = |of: TwistOf, own_share: f32| TwistSegment {
        joint: above(middle).unwrap(),
        of,
        rest: plan.target.rest[middle].rotation,
        axis: Vec3::new(0.6, 0.0, 0.8),
        own_share,
        own_axis: Vec3::X,
        joints: [(middle, 0.5), (end, 0.0)]
            .map(|(joint, share)| TwistJoint {
                joint,
                is_leaf: false,
                share,
                axis: Vec3::Y,
            })
            .into(),
    };
    TwistStage {
        segments: vec![
            segment(TwistOf::Own, -1.0),
            segment(TwistOf::End(vec![middle, end]), 0.0),
        ],
    }
}

fn with_stage(plan: &Plan, weight: f32, op: StageOp) -> Plan {
    let mut plan = plan.clone();
    plan.stages.push(Stage { weight, op });
    plan
}

/// The poses of a plan at the clip's keys, frame by frame.
fn poses(plan: &Plan, clip: &Clip) -> Vec<LocalPose> {
    let mut workspace = Workspace::new(plan);
    let mut source = plan.source.rest_pose();
    let mut made = Vec::new();
    for time in clip.key_times() {
        let mut target = plan.target.rest_pose();
        sample_clip_into(clip, time, &mut source);
        apply_pose(plan, &source, &mut target, &mut workspace);
        made.push(target);
    }
    made
}

#[test]
fn a_stage_without_weight_leaves_every_bit() {
    for seed in 0..10 {
        let Pair { plan, clip } = any_pair(seed);
        let options = ClipOptions::default();
        let (plain, plain_poses) = (apply_clip(&plan, &clip, &options), poses(&plan, &clip));
        for op in every_stage(&plan) {
            let off = with_stage(&plan, 0.0, op);
            assert_eq!(apply_clip(&off, &clip, &options), plain, "seed {seed}");
            assert_eq!(poses(&off, &clip), plain_poses, "seed {seed}");
        }
    }
}

#[test]
fn joints_that_no_stage_touches_keep_every_bit() {
    for seed in 0..10 {
        let Pair { plan, clip } = any_pair(seed);
        let options = ClipOptions::default();
        let plain = apply_clip(&plan, &clip, &options);
        for op in every_stage(&plan) {
            let touched = op.joints(&plan);
            let made = apply_clip(&with_stage(&plan, 1.0, op), &clip, &options);
            for joint in (0..plan.target.len()).filter(|joint| !touched.contains(joint)) {
                assert_eq!(made.joints[joint], plain.joints[joint], "seed {seed}");
            }
        }
    }
}

#[test]
fn clips_and_poses_agree() {
    for seed in 0..10 {
        let Pair { plan, clip } = any_pair(seed);
        for op in every_stage(&plan) {
            let plan = with_stage(&plan, 0.7, op);
            let made = apply_clip(&plan, &clip, &ClipOptions::default());
            for (time, pose) in clip.key_times().iter().zip(poses(&plan, &clip)) {
                for (joint, own) in pose.transforms().iter().enumerate() {
                    let rest = plan.target.rest[joint];
                    let other = sample_joint(&made.joints[joint], rest, *time);
                    let off = angle_between(own.rotation, other.rotation).to_degrees();
                    assert!(off < 2e-3, "seed {seed}, joint {joint}: {off} degrees");
                }
            }
        }
    }
}

#[test]
fn stages_survive_a_file() {
    for seed in 0..10 {
        let Pair { plan, .. } = any_pair(seed);
        for op in every_stage(&plan) {
            let mut asset = read_asset(include_bytes!("old/v1_walk_on_chibi.retarget")).unwrap();
            asset.plan = with_stage(&plan, 0.25, op);
            for (side, rig) in [
                (&mut asset.source, &asset.plan.source),
                (&mut asset.target, &asset.plan.target),
            ] {
                side.joints = (0..rig.len()).map(|joint| joint.to_string()).collect();
                side.kinds = vec![rebone_model::JointKind::Joint; rig.len()];
            }
            assert_eq!(read_asset(&write_asset(&asset).unwrap()).unwrap(), asset);
        }
    }
}
