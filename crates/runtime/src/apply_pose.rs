//! One pose at a time, or many at once: no allocation once the workspace has its size.

use super::op::Plan;
use super::program::Program;
use super::stage::{self, Sight, StageState};
use super::transfer_frame::{Work, begin, transfer};
use crate::lanes::Vectors;
use rebone_model::{LocalPose, Vec3};
use std::sync::Arc;

/// What [`apply_pose`] keeps between frames: scratch memory, and what the stages remember of this character.
#[derive(Clone, Debug)]
pub struct Workspace {
    program: Arc<Program>,
    work: Work<1>,
    stages: StageState,
    sight: Sight,
}

impl Workspace {
    /// A workspace for a plan.
    pub fn new(plan: &Plan) -> Self {
        Self::sharing(plan, Arc::new(Program::new(plan)))
    }

    pub(super) fn sharing(plan: &Plan, program: Arc<Program>) -> Self {
        Self {
            program,
            work: Work::new(plan),
            stages: StageState::new(plan),
            sight: stage::sight_of_poses(plan, 1),
        }
    }

    /// See [`StageState::set_weight`].
    pub fn set_stage_weight(&mut self, stage: usize, weight: f32) {
        self.stages.set_weight(stage, weight);
    }

    /// See [`StageState::set_point`].
    pub fn set_point(&mut self, stage: usize, point: Option<Vec3>) {
        self.stages.set_point(stage, point);
    }

    /// See [`StageState::set_seconds`].
    pub fn set_seconds(&mut self, seconds: Option<f32>) {
        self.stages.set_seconds(seconds);
    }

    /// See [`StageState::set_elapsed`].
    pub fn set_elapsed(&mut self, seconds: Option<f32>) {
        self.stages.set_elapsed(seconds);
    }

    /// See [`StageState::restart`].
    pub fn restart(&mut self) {
        self.stages.restart();
    }
}

/// Retargets one pose. `target` is overwritten in every joint.
///
/// # Panics
/// Where a pose has fewer joints than the plan, or the workspace is that of another plan.
pub fn apply_pose(
    plan: &Plan,
    source: &LocalPose,
    target: &mut LocalPose,
    workspace: &mut Workspace,
) {
    let Workspace {
        program,
        work,
        stages,
        sight,
    } = workspace;
    let source = source.transforms();
    let result = target.transforms_mut();
    begin(plan, program, source, result);
    for &joint in &program.placed_targets {
        work.target[joint].translation = Vectors::splat(result[joint].translation);
        work.target[joint].scale = Vectors::splat(result[joint].scale);
    }
    transfer(plan, program, &[source], work);
    for &joint in &program.turning_outputs {
        result[joint].rotation = work.target[joint].rotation.lane(0);
    }
    for &joint in &program.placed_outputs {
        result[joint].translation = work.target[joint].translation.lane(0);
        result[joint].scale = work.target[joint].scale.lane(0);
    }
    if plan.stages.is_empty() {
        return;
    }
    work.show(sight);
    stage::run_pose(plan, result, &mut stages.memories, sight, 0);
}
