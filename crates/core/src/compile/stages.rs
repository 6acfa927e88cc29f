//! What happens behind the transfer, in the order of a plan's stages.
//!
//! Each kind of stage is asked for by its own choices in [`CompileOptions`]; where nothing is asked for there is
//! no stage, and the plan is the transfer alone. The order:
//!
//! 1. weights: the motion itself, weaker or stronger;
//! 2. root motion, last: it changes who carries the travel, not where anything is.

use super::{Both, CompileOptions, root_motion, weights};
use crate::error::Error;
use crate::root_motion::RootJoint;
use crate::runtime::{Plan, Stage};
use rebone_model::Warning;

/// The stages of a plan, in their order. `plan` has everything else already.
pub(super) fn stages(
    both: &Both<'_>,
    options: &CompileOptions,
    root: Option<RootJoint>,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Stage>, Error> {
    let mut stages = Vec::new();
    stages.extend(weights::stage(both, options)?);
    stages.extend(root_motion::stage(both, options, root, plan, warnings));
    Ok(stages)
}
