//! The run-time library's own type: a plan that is ready to run.

use super::apply_clip::{ClipOptions, apply_clip};
use super::apply_pose::{Workspace, apply_pose};
use super::batch::{Batch, apply_poses};
use super::op::Plan;
use super::program::Program;
use crate::Error;
use rebone_model::{Clip, LocalPose};
use std::sync::Arc;

/// A plan, ready to move any number of characters in any number of threads.
///
/// It never changes; what changes from frame to frame is in a [`Workspace`] (one a character) or a [`Batch`] (many
/// characters of one kind). Once these exist nothing takes memory.
#[derive(Clone, Debug)]
pub struct Retargeter {
    plan: Plan,
    program: Arc<Program>,
}

impl Retargeter {
    /// Makes a plan ready. Plans come from `compile` or, in a game, from
    /// [`read_asset`](crate::asset::read_asset).
    pub fn new(plan: Plan) -> Self {
        Self {
            program: Arc::new(Program::new(&plan)),
            plan,
        }
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// A workspace for one character.
    pub fn workspace(&self) -> Workspace {
        Workspace::sharing(&self.plan, Arc::clone(&self.program))
    }

    /// A batch of so many characters.
    pub fn batch(&self, characters: usize) -> Batch {
        Batch::sharing(&self.plan, Arc::clone(&self.program), characters)
    }

    /// Retargets one pose of one character; see [`apply_pose()`].
    pub fn apply_pose(
        &self,
        source: &LocalPose,
        target: &mut LocalPose,
        workspace: &mut Workspace,
    ) {
        apply_pose(&self.plan, source, target, workspace);
    }

    /// Retargets one pose of each character; see [`apply_poses()`].
    pub fn apply_poses(&self, sources: &[LocalPose], targets: &mut [LocalPose], batch: &mut Batch) {
        apply_poses(&self.plan, sources, targets, batch);
    }

    /// Retargets a clip of the source rig; see [`apply_clip()`].
    ///
    /// # Errors
    ///
    /// [`Error::TooManyFrames`] beyond the limits of `options`.
    pub fn apply_clip(&self, clip: &Clip, options: &ClipOptions) -> Result<Clip, Error> {
        apply_clip(&self.plan, clip, options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_between_threads() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<Retargeter>();
        is_shared::<Workspace>();
        is_shared::<Batch>();
    }
}
