//! The path over the ground of a whole clip: low-passed without lag, and kept where it was taken out.

use super::op::Plan;
use super::stage::{self, RootPlace, Stage, StageMemory, StageOp, StageState};
use glam::Vec3;
use rebone_model::curve::{Curve, CurveTarget};
use rebone_model::rotation::same_hemisphere;
use rebone_model::sampling::{sample_clip_into, sample_joint};
use rebone_model::{Clip, Interpolation, Quat, Transform};
use std::sync::Arc;

/// Name of the curve that holds where the ground below the character went (x, y, z, file space and units of the
/// target) in a clip from which that was taken out.
pub const ROOT_PLACE_CURVE: &str = "/root_motion/translation";

/// Name of the curve that holds how it turned (x, y, z, w, file space of the target), about the origin, before it
/// was moved.
pub const ROOT_TURN_CURVE: &str = "/root_motion/rotation";

/// The paths of the root motions of a plan, each with the number of its stage, one point a time.
pub(super) type Paths = Vec<(usize, Vec<RootPlace>)>;

/// True where a stage of the plan needs a path.
pub(super) fn is_asked(plan: &Plan) -> bool {
    let is_root_motion =
        |stage: &Stage| stage.weight > 0.0 && matches!(stage.op, StageOp::RootMotion(_));
    plan.stages.iter().any(is_root_motion)
}

/// The paths of a clip. `made` is the transferred clip, before any stage but a leading mirror.
pub(super) fn paths(plan: &Plan, clip: &Clip, times: &[f32], made: &Clip) -> Paths {
    let mut paths = Paths::new();
    if times.is_empty() {
        return paths;
    }
    for (index, one) in plan.stages.iter().enumerate() {
        let StageOp::RootMotion(op) = &one.op else {
            continue;
        };
        if one.weight <= 0.0 {
            continue;
        }
        let mut memories = StageState::behind_mirror(plan).memories;
        let mut source = plan.source.rest_pose();
        let mut pose: Vec<Transform> = plan.target.rest.clone();
        let mut path: Vec<RootPlace> = Vec::with_capacity(times.len());
        for (frame, &time) in times.iter().enumerate() {
            for (joint, local) in pose.iter_mut().enumerate() {
                *local = sample_joint(&made.joints[joint], plan.target.rest[joint], time);
            }
            give(&paths, frame, &mut memories);
            sample_clip_into(clip, time, &mut source);
            stage::run(plan, source.transforms(), &mut pose, &mut memories[..index]);
            let last = path.last().map_or(0.0, |place| place.heading);
            path.push(op.measure(plan, &pose, last));
        }
        let path = op.smoothed(times, &path);
        paths.push((index, path));
    }
    paths
}

/// Tells each root motion where its path is at a frame.
pub(super) fn give(paths: &Paths, frame: usize, memories: &mut [StageMemory]) {
    for (index, path) in paths {
        if let Some(memory) = memories.get_mut(*index) {
            memory.given = path.get(frame).copied();
        }
    }
}

/// The paths that were taken out, as curves: a point x of the clip was at turn · x + translation.
pub(super) fn curves(
    plan: &Plan,
    paths: &Paths,
    times: &Arc<[f32]>,
    between_keys: Interpolation,
) -> Vec<Curve> {
    let mut curves = Vec::new();
    for (index, path) in paths {
        let StageOp::RootMotion(op) = &plan.stages[*index].op else {
            continue;
        };
        if op.root.is_some() {
            continue;
        }
        let (mut places, mut turns) = (Vec::new(), Vec::new());
        let mut last = Quat::IDENTITY;
        for place in path {
            let (ground, turn) = op.ground(*place);
            last = same_hemisphere(turn, last);
            places.extend(Vec3::from(ground.translation).to_array());
            turns.extend(last.to_array());
        }
        for (name, components, values) in
            [(ROOT_PLACE_CURVE, 3, places), (ROOT_TURN_CURVE, 4, turns)]
        {
            let target = CurveTarget::Property {
                path: name.to_owned(),
            };
            curves.extend(Curve::new(
                target,
                between_keys,
                components,
                Arc::clone(times),
                values,
            ));
        }
    }
    curves
}
