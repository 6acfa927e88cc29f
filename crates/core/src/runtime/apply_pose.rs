//! One pose at a time: no allocation once the workspace has its size.

use super::op::{AttachOp, Plan, RotationOp};
use super::stage::{self, StageMemory};
use glam::{Affine3A, Quat, Vec3};
use rebone_model::rotation::{normalized_or_identity, slerp};
use rebone_model::{LocalPose, Transform};

/// What [`apply_pose`] keeps between frames: scratch memory, and what the stages remember of this character.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    source_rotations: Vec<Quat>,
    source_affines: Vec<Affine3A>,
    target_rotations: Vec<Quat>,
    target_affines: Vec<Affine3A>,
    stages: Vec<StageMemory>,
}

impl Workspace {
    /// A workspace for a plan.
    pub fn new(plan: &Plan) -> Self {
        Self {
            source_rotations: vec![Quat::IDENTITY; plan.source.len()],
            source_affines: vec![Affine3A::IDENTITY; plan.source.len()],
            target_rotations: vec![Quat::IDENTITY; plan.target.len()],
            target_affines: vec![Affine3A::IDENTITY; plan.target.len()],
            stages: stage::memories(plan),
        }
    }

    /// Sets how much a stage of the plan counts for this character: 0 off, 1 in full. Without effect where the
    /// plan has no such stage.
    pub fn set_stage_weight(&mut self, stage: usize, weight: f32) {
        if let Some(stage) = self.stages.get_mut(stage) {
            stage.weight = weight.clamp(0.0, 1.0);
        }
    }

    /// Forgets the frames before: the next one is the first of another clip.
    pub fn restart(&mut self) {
        for stage in &mut self.stages {
            stage.forget();
        }
    }
}

/// Retargets one pose. `target` is overwritten in every joint.
///
/// # Panics
/// Where a pose or the workspace has fewer joints than the plan.
pub fn apply_pose(
    plan: &Plan,
    source: &LocalPose,
    target: &mut LocalPose,
    workspace: &mut Workspace,
) {
    let source = source.transforms();
    for (joint, parent) in plan.source.parents.iter().enumerate() {
        let local = source[joint].to_affine();
        let (rotation, affine) = match parent {
            None => (plan.target_from_source * source[joint].rotation, local),
            Some(parent) => (
                workspace.source_rotations[*parent] * source[joint].rotation,
                workspace.source_affines[*parent] * local,
            ),
        };
        workspace.source_rotations[joint] = rotation;
        workspace.source_affines[joint] = affine;
    }
    let result = target.transforms_mut();
    result.copy_from_slice(&plan.target.rest);
    for slide in &plan.slides {
        result[slide.target].translation =
            slide.linear * source[slide.source].translation + slide.offset;
    }
    for scale in &plan.scales {
        let own = plan.source.rest[scale.source].scale;
        if source[scale.source].scale.abs_diff_eq(own, 1e-5) {
            continue;
        }
        result[scale.target].scale = super::motion::scaled(
            scale,
            plan.target.rest[scale.target].scale,
            plan.source.rest[scale.source].scale,
            source[scale.source].scale,
        );
    }
    for &joint in &plan.order {
        let parent = plan.target.parents[joint];
        let (parent_rotation, parent_affine) = parent
            .map_or((Quat::IDENTITY, Affine3A::IDENTITY), |p| {
                (workspace.target_rotations[p], workspace.target_affines[p])
            });
        if let Some(model) = model_rotation(plan, joint, workspace) {
            result[joint].rotation = normalized_or_identity(parent_rotation.conjugate() * model);
        } else if let RotationOp::Local {
            source: from,
            left,
            right,
        } = plan.rotations[joint]
        {
            result[joint].rotation = left * source[from].rotation * right;
        }
        if let Some(travel) = plan.travel.filter(|travel| travel.target == joint) {
            let from: Vec3 = workspace.source_affines[travel.source].translation.into();
            let mut place = travel.linear * from;
            if let Some(legs) = travel.legs {
                let feet: [Vec3; 2] = legs
                    .feet
                    .map(|foot| workspace.source_affines[foot].translation.into());
                place = legs.place(
                    place,
                    travel.linear * ((feet[0] + feet[1]) * 0.5),
                    workspace.source_rotations[travel.source],
                    parent_rotation * result[joint].rotation,
                );
            }
            place += travel.offset;
            result[joint].translation = parent_affine.inverse().transform_point3(place);
        }
        if let Some(travel) = plan
            .travel
            .filter(|travel| travel.target == joint && travel.parent_size > 1e-12)
        {
            let above = plan.source.parents[travel.source];
            let size = above.map_or(1.0, |above| {
                super::motion::size_of(&workspace.source_affines[above])
            });
            if (size / travel.parent_size - 1.0).abs() > 1e-5 {
                result[joint].scale *= size / travel.parent_size;
            }
        }
        if let Some(attach) = plan
            .attachments
            .iter()
            .find(|attach| attach.target == joint && counts(plan, attach, source))
        {
            let carrier: Vec3 = workspace.target_affines[attach.carrier].translation.into();
            let offset = attach.source.map_or(attach.offset, |from| {
                let [own, above]: [Vec3; 2] = [from.joint, from.carrier]
                    .map(|j| workspace.source_affines[j].translation.into());
                let turn =
                    plan.target_from_source.conjugate() * workspace.source_rotations[from.carrier];
                attach.offset + from.linear * (turn.conjugate() * (own - above) - from.offset)
            });
            let place = carrier + workspace.target_rotations[attach.carrier] * offset;
            result[joint].translation = parent_affine.inverse().transform_point3(place);
        }
        let local: &Transform = &result[joint];
        workspace.target_rotations[joint] = parent_rotation * local.rotation;
        workspace.target_affines[joint] = parent_affine * local.to_affine();
    }
    stage::run(plan, source, result, &mut workspace.stages);
}

/// False where the operation is only for sliding joints and none slides.
fn counts(plan: &Plan, attach: &AttachOp, source: &[Transform]) -> bool {
    let sliding = |joint: &usize| {
        let rest = plan.source.rest[*joint].translation;
        source[*joint].translation.distance(rest) > 1e-5 * rest.length()
    };
    attach.only_if_sliding.is_empty() || attach.only_if_sliding.iter().any(sliding)
}

fn model_rotation(plan: &Plan, joint: usize, workspace: &Workspace) -> Option<Quat> {
    match plan.rotations[joint] {
        RotationOp::Rest | RotationOp::Local { .. } => None,
        RotationOp::Carried { carrier, frame } => Some(workspace.target_rotations[carrier] * frame),
        RotationOp::Model { source, frame } => Some(workspace.source_rotations[source] * frame),
        RotationOp::Blend { blend } => {
            let turns = |source: usize| workspace.source_rotations[source];
            Some(plan.blends[blend].rotation(turns))
        }
        RotationOp::Spread {
            first,
            last,
            first_inverse,
            last_inverse,
            frame,
            fraction,
        } => {
            let low = workspace.source_rotations[first] * first_inverse;
            let high = workspace.source_rotations[last] * last_inverse;
            Some(slerp(low, high, fraction) * frame)
        }
    }
}
