//! What every kind of stage says of itself.

use super::{Frame, Kinematics};
use crate::check::{Checked, Sizes};
use std::fmt::Debug;

/// One kind of stage. What most kinds answer alike has a default.
pub(crate) trait Operation: Debug {
    /// The target's joints that it may change, each once.
    fn joints(&self) -> Vec<usize>;

    /// Is everything in it within the plan's rigs?
    fn check(&self, sizes: Sizes) -> Checked;

    /// Changes the pose of one frame.
    fn apply(&self, frame: &mut Frame<'_>);

    /// The joints of the source and of the target that it looks at in model space.
    fn kinematics(&self) -> Option<[&Kinematics; 2]> {
        None
    }

    /// The target's joints whose pose it reads beside those that it changes or looks at in model space; `None` for any of them.
    fn seen(&self) -> Option<Vec<usize>> {
        self.kinematics().map(|_| Vec::new())
    }

    /// How many numbers it remembers from frame to frame.
    fn memory(&self) -> usize {
        0
    }

    /// True where it brings something to a goal, and tells how far it was out of reach.
    fn has_goals(&self) -> bool {
        false
    }
}
