//! What happens behind the transfer, in the order of a plan's stages.
//!
//! Each kind of stage is asked for by its own choices in [`CompileOptions`]; where nothing is asked for there is
//! no stage, and the plan is the transfer alone.

use super::{Both, CompileOptions};
use crate::runtime::Stage;

/// The stages of a plan, in their order.
pub(super) fn stages(_both: &Both<'_>, _options: &CompileOptions) -> Vec<Stage> {
    Vec::new()
}
