//! What happens behind the transfer, in the order of a plan's stages.
//!
//! Each kind of stage is asked for by its own choices in [`CompileOptions`]; where nothing is asked for there is
//! no stage, and the plan is the transfer alone. Twist joints come last: they follow what all others did to the limbs.

use super::{Both, CompileOptions, twist};
use crate::error::Error;
use crate::runtime::{RotationOp, Stage};
use rebone_model::Warning;

/// The stages of a plan, in their order.
pub(super) fn stages(
    both: &Both<'_>,
    options: &CompileOptions,
    rotations: &[RotationOp],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Stage>, Error> {
    let mut stages = Vec::new();
    let left_out = |joint: usize| options.by_hand.left_out.contains(&joint);
    if let Some(op) = twist::twist(both, rotations, left_out, &options.twist, warnings)? {
        stages.push(Stage {
            weight: options.twist.weight.clamp(0.0, 1.0),
            op,
        });
    }
    Ok(stages)
}
