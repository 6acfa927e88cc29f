//! What is known beforehand where a clip is known as a whole: the path that goes to the root.

use super::op::Plan;
use super::root_path::{self, Paths};
use super::stage::{StageMemory, StageOp};
use rebone_model::Clip;
use std::ops::Range;
use std::sync::Arc;

/// What the stages of a plan are told about the frames of a clip.
pub(super) struct Foresight {
    times: Arc<[f32]>,
    pub(super) paths: Paths,
}

impl Foresight {
    /// True where a stage of the plan looks ahead.
    pub(super) fn is_asked(plan: &Plan) -> bool {
        plan.stages
            .iter()
            .any(|stage| stage.weight > 0.0 && matches!(stage.op, StageOp::RootMotion(_)))
    }

    /// Nothing is known but the time.
    pub(super) fn none(times: &Arc<[f32]>) -> Self {
        Self {
            times: Arc::clone(times),
            paths: Paths::new(),
        }
    }

    /// What some of the stages are told; `made` is the clip before them.
    pub(super) fn look(
        plan: &Plan,
        clip: &Clip,
        times: &Arc<[f32]>,
        stages: Range<usize>,
        made: &Clip,
    ) -> Self {
        let mut known = Self::none(times);
        root_path::find(plan, clip, stages, made, &mut known);
        known
    }

    /// Tells the stages what is known about a frame.
    pub(super) fn give(&self, frame: usize, memories: &mut [StageMemory]) {
        for memory in memories.iter_mut() {
            memory.given.seconds = self.times.get(frame).copied();
        }
        for (index, path) in &self.paths {
            if let Some(memory) = memories.get_mut(*index) {
                memory.given.place = path.get(frame).copied();
            }
        }
    }

    pub(super) fn times(&self) -> &Arc<[f32]> {
        &self.times
    }
}
