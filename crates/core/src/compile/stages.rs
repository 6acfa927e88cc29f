//! What happens behind the transfer, in the order of a plan's stages.
//!
//! Each kind of stage is asked for by its own choices in [`CompileOptions`]; where nothing is asked for there is
//! no stage, and the plan is the transfer alone. Only a robot's motors limit it without being asked. The order:
//!
//! 1. weights: the motion itself, weaker or stronger;
//! 2. the run-time rig: spacing, gaze, then limits, so that nothing of these is beyond them, those of motors last;
//! 3. twist joints: they follow what all before did to the limbs;
//! 4. root motion, last: it changes who carries the travel, not where anything is.

use super::{Both, CompileOptions, root_motion, twist, weights};
use crate::error::Error;
use crate::limits;
use crate::procedural::{Body, Spacing};
use crate::profile::custom::custom_profile;
use crate::root_motion::RootJoint;
use crate::runtime::{Plan, Stage, StageOp};
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
    rig(both, options, &mut stages, warnings);
    let left_out = |joint: usize| options.by_hand.left_out.contains(&joint);
    if let Some(op) = twist::twist(both, &plan.rotations, left_out, &options.twist, warnings)? {
        stages.push(Stage {
            weight: options.twist.weight.clamp(0.0, 1.0),
            op,
        });
    }
    stages.extend(root_motion::stage(both, options, root, plan, warnings));
    Ok(stages)
}

/// The run-time rig on top of the slots: spacing, gaze, limits.
fn rig(
    both: &Both<'_>,
    options: &CompileOptions,
    stages: &mut Vec<Stage>,
    warnings: &mut Vec<Warning>,
) {
    let mut add = |weight: f64, op: StageOp| {
        stages.push(Stage {
            weight: weight as f32,
            op,
        });
    };
    let target = both.target;
    let body = Body {
        character: target.character,
        map: target.map,
        alignment: both.to,
        meters_per_unit: target.meters_per_unit,
    };
    let profile = custom_profile(target.map.profile);
    let spacing = options
        .spacing
        .or(profile.and_then(|profile| profile.spacing));
    if let Some(spacing) = spacing.filter(|spacing| *spacing != Spacing::default()) {
        add(1.0, StageOp::Spacing(body.spacing(&spacing, warnings)));
    }
    if let Some(look_at) = options.look_at {
        let look_at = look_at.or(profile.and_then(|profile| profile.look_at));
        let stage = body.look_at(&look_at, warnings);
        add(look_at.weight, StageOp::Aim(stage));
    }
    if !options.limits.is_empty() {
        let stage = limits::stage(target.character, target.map, both.to, &options.limits);
        add(1.0, StageOp::Limits(stage));
    }
    let stage = limits::hinges(target.character, target.map);
    if !stage.joints.is_empty() {
        add(1.0, StageOp::Limits(stage));
    }
}
