//! The path over the ground of a whole clip: low-passed without lag, and kept where it was taken out.

use super::foresight::Foresight;
use super::op::Plan;
use super::rig_frames::RigFrames;
use super::stage::{self, RootPlace, Sights, StageOp, StageState};
use glam::Vec3;
use rebone_model::curve::{Curve, CurveTarget};
use rebone_model::rotation::same_hemisphere;
use rebone_model::{Interpolation, Quat};
use std::ops::Range;
use std::sync::Arc;

/// Name of the curve that holds where the ground below the character went (x, y, z, file space and units of the
/// target) in a clip from which that was taken out.
pub const ROOT_PLACE_CURVE: &str = "/root_motion/translation";

/// Name of the curve that holds how it turned (x, y, z, w, file space of the target), about the origin, before it
/// was moved.
pub const ROOT_TURN_CURVE: &str = "/root_motion/rotation";

/// The paths of the root motions of a plan, each with the number of its stage, one point a time.
pub(super) type Paths = Vec<(usize, Vec<RootPlace>)>;

/// Finds the paths of a clip that some of the stages need. `made` is the clip before these stages.
pub(super) fn find(
    plan: &Plan,
    source: &RigFrames<'_>,
    range: Range<usize>,
    made: &RigFrames<'_>,
    known: &mut Foresight,
) {
    let times = Arc::clone(known.times());
    if times.is_empty() {
        return;
    }
    for index in range.clone() {
        let one = &plan.stages[index];
        let StageOp::RootMotion(op) = &one.op else {
            continue;
        };
        if one.weight <= 0.0 {
            continue;
        }
        let mut memories = StageState::new(plan).memories;
        let all: Vec<usize> = (0..plan.target.len()).collect();
        let mut poses = made.poses(&all);
        let mut path: Vec<RootPlace> = Vec::with_capacity(times.len());
        for frame in 0..times.len() {
            let pose = poses.go_to(frame);
            known.give(frame, &mut memories);
            let before = range.start..index;
            let (stages, memories) = (&plan.stages[before.clone()], &mut memories[before]);
            let sights = Sights {
                source: (&source.placed.sight, frame),
                target: Some((&made.placed, frame)),
            };
            stage::run(plan, stages, pose, (memories, sights));
            let last = path.last().map_or(0.0, |place| place.heading);
            path.push(op.measure(plan, pose, last));
        }
        let path = op.smoothed(&times, &path);
        known.paths.push((index, path));
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
