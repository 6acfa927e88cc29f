//! What a plan does with the root joints of both sides.
//!
//! `as-source`, where both sides have a root joint on the floor: V = W · A⁻¹ · B, and its place
//!
//! ```text
//! r_B(t) = K · r_A(t) + (o_B − K · o_A)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | r | place of the root joint in the world |
//! | K | the motion scale, as for the hips |
//! | o | place of the root joint in the reference pose, seen from the point of the floor below the hips |
//!
//! The hips are placed in the world all the same, so that only who carries them changes. Where a node above a
//! root moves by itself, the root's way is transferred as if that node rested.
//! Source: docs/laws.md, "Root motion".

use crate::align::{Alignment, unit};
use crate::compile::{Both, CompileOptions, Mapped, above_at_rest, hips_of};
use crate::error::Error;
use crate::root::world_from_source;
use crate::root_motion::{RootJoint, RootMode, named_root, root_joint};
use crate::transfer::model_delta;
use glam::{DMat3, DVec3};
use rebone_model::{Action, Clip, Remedy, Warning};
use rebone_runtime::stage::{RootMotionStage, Stage, StageOp};
use rebone_runtime::{LinearOp, Plan, RotationOp};

/// Frames a second of single poses, where nobody says otherwise.
const POSES_HZ: f64 = 60.0;

/// The root joint of one side: the one that a person named, else the one found. `what` is the side's name in messages.
pub(crate) fn root_of(
    side: &Mapped<'_>,
    alignment: &Alignment,
    clips: &[&Clip],
    named: Option<&str>,
    what: &str,
) -> Result<Option<RootJoint>, Error> {
    match named {
        Some(name) => named_root(side.character, side.map, alignment, name, what),
        None => Ok(root_joint(side.character, side.map, alignment, clips)),
    }
}

/// Lets the target's root do what the source's does.
pub(crate) fn follow(
    both: &Both<'_>,
    roots: (RootJoint, RootJoint),
    rotations: &mut [RotationOp],
    slides: &mut Vec<LinearOp>,
) {
    let Both {
        source,
        from,
        target,
        to,
        ..
    } = *both;
    let (RootJoint { joint: own, .. }, RootJoint { joint: driven, .. }) = roots;
    let (above, target_above) = (above_at_rest(source, own), above_at_rest(target, driven));
    let (Some(hips), Some(target_hips)) = (hips_of(source.map), hips_of(target.map)) else {
        return;
    };
    let seen = |side: &Alignment, root: usize, hips: usize| {
        let (root, hips) = (side.reference[root].position, side.reference[hips].position);
        DVec3::new(
            root.x - hips.x,
            root.y - side.measures.floor,
            root.z - hips.z,
        )
    };
    let scale = DMat3::from_diagonal(both.factors);
    let offset = seen(to, driven, target_hips) - scale * seen(from, own, hips);
    let back = to.canonical_from_file.conjugate();
    let world = world_from_source(back, scale, from);
    let offset = back * (offset + scale * both.shift + DVec3::Y * both.floor());
    // local target = above⁻¹ · (world · (above · local source) + offset)
    let inverse = target_above.inverse();
    let linear = inverse.matrix3 * world * above.matrix3;
    let moved = inverse.transform_point3(world * above.translation + offset);
    if !(linear.is_finite() && moved.is_finite()) {
        return;
    }
    rotations[driven] = model_delta::model(from, to, own, driven);
    slides.retain(|slide| slide.target != driven);
    slides.push(LinearOp {
        source: own,
        target: driven,
        linear: linear.as_mat3(),
        offset: moved.as_vec3(),
    });
}

/// The stage of a plan that moves the path over the ground to the root, or takes it out.
pub(super) fn stage(
    both: &Both<'_>,
    options: &CompileOptions,
    root: Option<RootJoint>,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Option<Stage> {
    let choice = &options.recipe.root_motion;
    let root = match choice.mode {
        RootMode::AsSource | RootMode::Hips => return None,
        RootMode::InPlace => None,
        RootMode::Extract | RootMode::Project => {
            let Some(root) = root else {
                warnings.push(Warning::new(
                    "root-joint-missing",
                    "the target has no root joint above its hips that could take the path over the ground; \
                     the hips carry it",
                    Remedy::new(
"name the joint in the recipe (root under [target]), or take the path out",
&[Action::KeepInPlace],
),
                ));
                return None;
            };
            Some(root.joint)
        }
    };
    let hips = plan.travel.as_ref()?.target;
    let axes = choice.axes();
    Some(Stage {
        weight: 1.0,
        op: StageOp::RootMotion(RootMotionStage {
            hips,
            root,
            carried: carried(plan, root),
            canonical_from_file: unit(both.to.canonical_from_file).as_quat(),
            hips_inverse: unit(both.to.retarget_rotation(hips).conjugate()).as_quat(),
            home: both.to.reference[hips].position.as_vec3(),
            axes: [axes.x, axes.y, axes.z],
            turns: axes.turn,
            smooth_seconds: choice.smooth_seconds() as f32,
            frame_seconds: (1.0 / options.recipe.rate_hz.unwrap_or(POSES_HZ)) as f32,
        }),
    })
}

/// The topmost joints that the transfer moves, of those below the root; of all where the path is taken out. What
/// rests there (helpers beside the body) goes with the root.
fn carried(plan: &Plan, root: Option<usize>) -> Vec<usize> {
    let mut moves = vec![false; plan.target.len()];
    for (joint, operation) in plan.rotations.iter().enumerate() {
        moves[joint] = !matches!(operation, RotationOp::Rest);
    }
    let slides = plan.slides.iter().map(|slide| slide.target);
    let attached = plan.attachments.iter().map(|attach| attach.target);
    let travels = plan.travel.iter().map(|travel| travel.target);
    for joint in slides.chain(attached).chain(travels) {
        moves[joint] = true;
    }
    let mut below_root = vec![false; moves.len()];
    let mut below_moving = vec![false; moves.len()];
    let mut result = Vec::new();
    for joint in 0..moves.len() {
        if let Some(parent) = plan.target.parents[joint] {
            below_root[joint] = below_root[parent] || Some(parent) == root;
            below_moving[joint] = below_moving[parent] || moves[parent] && Some(parent) != root;
        }
        let counts = root.is_none() || below_root[joint];
        if moves[joint] && counts && !below_moving[joint] && Some(joint) != root {
            result.push(joint);
        }
    }
    result
}
