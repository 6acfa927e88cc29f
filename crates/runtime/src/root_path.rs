//! The path over the ground of a whole clip: low-passed without lag, and kept where it was taken out.

use super::op::Plan;
use super::stage::{RootPlace, StageOp};
use glam::Vec3;
use rebone_model::curve::{Curve, CurveTarget};
use rebone_model::rotation::same_hemisphere;
use rebone_model::{Interpolation, Quat};
use std::sync::Arc;

/// Name of the curve that holds where the ground below the character went (x, y, z, file space and units of the
/// target) in a clip from which that was taken out.
pub const ROOT_PLACE_CURVE: &str = "/root_motion/translation";

/// Name of the curve that holds how it turned (x, y, z, w, file space of the target), about the origin, before it
/// was moved.
pub const ROOT_TURN_CURVE: &str = "/root_motion/rotation";

/// The paths of the root motions of a plan, each with the number of its stage, one point a time.
pub(super) type Paths = Vec<(usize, Vec<RootPlace>)>;

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
