//! Laws that every kind of stage keeps, and that poses, batches and clips have the same bits.

use crate::limbs::limb_stages;
use rebone_model::rotation::angle_between;
use rebone_model::sampling::{regular_times, sample_clip_into};
use rebone_model::track::TrackValue;
use rebone_model::{Clip, LocalPose, Quat, Track, Transform, Vec3};
use rebone_runtime::asset::{Asset, AssetRig, read_asset, write_asset};
use rebone_runtime::stage::{
    AimChain, AimJoint, AimStage, JointWeight, LimitKind, LimitStage, LimitedJoint, Mirror,
    RootMotionStage, SpacingStage, SpreadLimb, Stage, StageOp, TwistJoint, TwistOf, TwistSegment,
    TwistStage, WeightStage,
};
use rebone_runtime::{ClipOptions, Plan, Retargeter, Rig, Workspace, apply_clip, apply_pose};
use rebone_setup::align::Correction;
use rebone_setup::mirror::MirrorChoice;
use rebone_testkit::check::{asking, compiled_as};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

/// A pair with a clip of its source.
struct Pair {
    plan: Plan,
    clip: Clip,
    /// What mirrors the target.
    mirror: Mirror,
}

fn any_pair(seed: u64) -> Pair {
    let generator = &mut Generator::new(seed);
    let options = BodyOptions::random(generator, true);
    let [source, target] = std::array::from_fn(|_| {
        let body = random_body(generator, &options);
        Rigged::new(&body, &random_convention(generator))
    });
    let clip = source.clip(&Motion::random(generator, &source.body), Keys::Linear);
    let options = asking(|recipe| recipe.mirror = MirrorChoice::On);
    let correction = Correction::default();
    let mut plan = compiled_as(&source, &target, &clip, correction, &options).plan;
    let Some(StageOp::Mirror(mirror)) = plan.stages.pop().map(|stage| stage.op) else {
        panic!("the pair has a mirror");
    };
    Pair { plan, clip, mirror }
}

/// One stage of every kind, on this plan's target.
fn every_stage(plan: &Plan, mirror: &Mirror) -> Vec<StageOp> {
    let weights = (0..plan.target.len()).step_by(3).map(|joint| JointWeight {
        joint,
        base: plan.target.rest[joint],
        weight: 0.4 + 0.2 * (joint % 5) as f32,
    });
    let below = (1..plan.target.len()).filter(|&joint| plan.target.parents[joint].is_some());
    let limited = below.clone().step_by(2).map(|joint| LimitedJoint {
        joint,
        above: plan.target.parents[joint],
        before: plan.target.rest[joint].rotation.conjugate(),
        after: Quat::IDENTITY,
        kind: [LimitKind::Ball, LimitKind::Hinge][joint % 4 / 2],
        bend: [-0.1, 0.3],
        side: [-0.2, 0.1],
        twist: [-0.1, 0.2],
        soft: 0.15,
        rest_to: None,
    });
    let aiming: Vec<usize> = below.clone().take(3).collect();
    let chain = AimChain {
        body: Some(0),
        body_axes: Quat::from_rotation_x(0.4),
        joints: aiming
            .iter()
            .map(|&joint| AimJoint {
                joint,
                share: 1.0 / 3.0,
            })
            .collect(),
        gaze: Quat::from_rotation_y(1.0),
        eye: Vec3::new(0.1, 0.0, 0.2),
        yaw: [-1.0, 1.0],
        pitch: [-0.5, 0.7],
        soft: 0.1,
    };
    let spread = below.clone().step_by(5).filter_map(|joint| {
        let next = (joint + 1..plan.target.len())
            .find(|&next| plan.target.parents[next] == Some(joint))?;
        Some(SpreadLimb {
            joint,
            next,
            end: Some(next),
            body: plan.target.parents[joint],
            out: Vec3::X,
            angle: 0.2,
        })
    });
    let hips = plan.travel.unwrap().target;
    let in_place = RootMotionStage {
        hips,
        root: None,
        carried: vec![hips],
        canonical_from_file: plan.target_from_source,
        hips_inverse: plan.target.rest[hips].rotation.conjugate(),
        home: plan.target.rest[hips].translation,
        axes: [true, false, true],
        turns: true,
        // With a low-pass clip and pose differ: the one knows what is to come.
        smooth_seconds: 0.0,
        frame_seconds: 1.0 / 30.0,
    };
    let extracted = RootMotionStage {
        root: plan.target.parents[hips],
        axes: [true, true, false],
        ..in_place.clone()
    };
    // The long way through the model space must lead to the same place.
    let mut long = mirror.clone();
    for joint in long.joints.iter_mut().flatten() {
        joint.is_local = false;
    }
    let mut all = vec![
        StageOp::Mirror(mirror.clone()),
        StageOp::Mirror(long),
        StageOp::Weights(WeightStage {
            joints: weights.collect(),
        }),
        StageOp::Limits(LimitStage {
            joints: limited.collect(),
        }),
        StageOp::Aim(AimStage {
            point: Some(Vec3::new(3.0, 2.0, 1.0)),
            chains: vec![chain],
        }),
        StageOp::Aim(AimStage::default()),
        StageOp::Spacing(SpacingStage {
            limbs: spread.collect(),
        }),
        StageOp::RootMotion(in_place),
        StageOp::RootMotion(extracted),
        StageOp::Twist(twists(plan)),
    ];
    all.extend(limb_stages(plan));
    all
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
    TwistStage::new(vec![
        segment(TwistOf::Own, -1.0),
        segment(TwistOf::End(vec![middle, end]), 0.0),
    ])
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
        let Pair { plan, clip, mirror } = any_pair(seed);
        let options = ClipOptions::default();
        let (plain, plain_poses) = (
            apply_clip(&plan, &clip, &options).unwrap(),
            poses(&plan, &clip),
        );
        for op in every_stage(&plan, &mirror) {
            let off = with_stage(&plan, 0.0, op);
            assert_eq!(
                apply_clip(&off, &clip, &options).unwrap(),
                plain,
                "seed {seed}"
            );
            assert_eq!(poses(&off, &clip), plain_poses, "seed {seed}");
        }
    }
}

#[test]
fn joints_that_no_stage_touches_keep_every_bit() {
    for seed in 0..10 {
        let Pair { plan, clip, mirror } = any_pair(seed);
        let options = ClipOptions::default();
        let plain = apply_clip(&plan, &clip, &options).unwrap();
        for op in every_stage(&plan, &mirror) {
            let touched = op.joints();
            let made = apply_clip(&with_stage(&plan, 1.0, op), &clip, &options).unwrap();
            for joint in (0..plan.target.len()).filter(|joint| !touched.contains(joint)) {
                assert_eq!(made.joints[joint], plain.joints[joint], "seed {seed}");
            }
        }
    }
}

/// False for arms that reach or stay out of the body: where the clip is known, they are found for all its frames together.
fn is_of_a_frame(op: &StageOp) -> bool {
    !matches!(op, StageOp::Reach(_) | StageOp::Body(_))
}

/// Every plan of a few pairs: as compiled, and with each kind of stage.
fn every_plan(seed: u64) -> (Vec<Plan>, Clip) {
    let Pair { plan, clip, mirror } = any_pair(seed);
    let staged = every_stage(&plan, &mirror)
        .into_iter()
        .map(|op| with_stage(&plan, 0.7, op));
    let plans = std::iter::once(plan.clone()).chain(staged).collect();
    (plans, clip)
}

/// The bits of a pose; a quaternion and its negative are one rotation.
fn bits(pose: &LocalPose, is_sign_free: bool) -> Vec<[u32; 10]> {
    let joint = |joint: &Transform| {
        let rotation = joint.rotation;
        let turn =
            is_sign_free && rotation.to_array().into_iter().find(|part| *part != 0.0) < Some(0.0);
        let rotation = if turn { -rotation } else { rotation }
            .to_array()
            .map(|part| part + 0.0);
        let (place, size) = (joint.translation.to_array(), joint.scale.to_array());
        let mut parts = place.into_iter().chain(rotation).chain(size);
        std::array::from_fn(|_| parts.next().unwrap().to_bits())
    };
    pose.transforms().iter().map(joint).collect()
}

#[test]
fn batches_have_the_bits_of_single_characters() {
    const CHARACTERS: usize = 13;
    for seed in 0..10 {
        let (plans, clip) = every_plan(seed);
        for plan in plans {
            let retargeter = Retargeter::new(plan);
            let [from, to] = [&retargeter.plan().source, &retargeter.plan().target];
            let mut alone = vec![retargeter.workspace(); CHARACTERS];
            let mut batch = retargeter.batch(CHARACTERS);
            let mut sources = vec![from.rest_pose(); CHARACTERS];
            let mut targets = vec![to.rest_pose(); CHARACTERS];
            let mut single = to.rest_pose();
            for step in 0..5 {
                for (character, source) in sources.iter_mut().enumerate() {
                    sample_clip_into(&clip, 0.031 * (2 * character + step) as f32, source);
                }
                retargeter.apply_poses(&sources, &mut targets, &mut batch);
                for ((source, target), workspace) in sources.iter().zip(&targets).zip(&mut alone) {
                    retargeter.apply_pose(source, &mut single, workspace);
                    assert_eq!(bits(target, false), bits(&single, false), "seed {seed}");
                }
            }
        }
    }
}

/// Clips have the bits of poses at every key, whether they keep the source's keys or get a rate.
#[test]
fn clips_have_the_bits_of_poses() {
    for seed in 0..10 {
        let (plans, clip) = every_plan(seed);
        let is_of_frames = |plan: &Plan| plan.stages.iter().all(|stage| is_of_a_frame(&stage.op));
        for mut plan in plans.into_iter().filter(is_of_frames) {
            for (rate_hz, weight) in [
                (None, 0.7),
                (Some(24.0), 0.7),
                (None, 1.0),
                (Some(24.0), 1.0),
            ] {
                for stage in &mut plan.stages {
                    stage.weight = weight;
                }
                assert_keys_are_poses(&plan, &clip, rate_hz, seed);
            }
        }
    }
}

fn assert_keys_are_poses(plan: &Plan, clip: &Clip, rate_hz: Option<f64>, seed: u64) {
    let options = ClipOptions {
        rate_hz,
        ..ClipOptions::default()
    };
    let made = apply_clip(plan, clip, &options).unwrap();
    let (start, end) = clip.time_span();
    let times = rate_hz.map_or_else(|| clip.key_times(), |hz| regular_times(start, end, hz));
    let mut workspace = Workspace::new(plan);
    let (mut source, mut target) = (plan.source.rest_pose(), plan.target.rest_pose());
    for (frame, time) in times.into_iter().enumerate() {
        sample_clip_into(clip, time, &mut source);
        apply_pose(plan, &source, &mut target, &mut workspace);
        let key = |joint: usize| {
            let (tracks, rest) = (&made.joints[joint], plan.target.rest[joint]);
            let pose = target.transforms()[joint].rotation;
            let is_at_rest = angle_between(pose, rest.rotation) < 2e-6;
            Transform {
                translation: key_of(&tracks.translation, frame, rest.translation),
                // What is at rest within rounding has no track.
                rotation: match &tracks.rotation {
                    None if is_at_rest => pose,
                    track => key_of(track, frame, rest.rotation),
                },
                scale: key_of(&tracks.scale, frame, rest.scale),
            }
        };
        let keys = LocalPose::new((0..plan.target.len()).map(key).collect());
        let differ = bits(&keys, true).into_iter().zip(bits(&target, true));
        let differs = differ.into_iter().position(|(key, pose)| key != pose);
        assert!(
            differs.is_none(),
            "seed {seed}, frame {frame}, rate {rate_hz:?}, joint {differs:?}: {:?} {:?}",
            differs.map(|joint| keys.transforms()[joint]),
            differs.map(|joint| target.transforms()[joint]),
        );
    }
}

/// The value of a frame's key: the rest without track, the only key where there is one.
fn key_of<V: TrackValue>(track: &Option<Track<V>>, frame: usize, rest: V) -> V {
    track.as_ref().map_or(rest, |track| {
        track.key_value(frame.min(track.key_count() - 1))
    })
}

#[test]
fn stages_survive_a_file() {
    for seed in 0..10 {
        let Pair { plan, mirror, .. } = any_pair(seed);
        for op in every_stage(&plan, &mirror) {
            let side = |rig: &Rig| AssetRig {
                joints: (0..rig.len()).map(|joint| joint.to_string()).collect(),
                kinds: vec![rebone_model::JointKind::Joint; rig.len()],
                meters_per_unit: 1.0,
                ..AssetRig::default()
            };
            let plan = with_stage(&plan, 0.25, op);
            let asset = Asset {
                source: side(&plan.source),
                target: side(&plan.target),
                plan,
                rebind: None,
            };
            assert_eq!(read_asset(&write_asset(&asset).unwrap()).unwrap(), asset);
        }
    }
}
