//! What happens behind the transfer, in the order of a plan's stages.
//!
//! Each kind of stage is asked for by its own settings of the [`Recipe`]; where nothing is asked for there is
//! no stage, and the plan is the transfer alone (twist joints and a robot's motors need no asking). The order:
//!
//! 1. feet: they are those of the source, so they come before the mirror;
//! 2. hands: they meet as those of the source; then arms leave trunk and head; then the body is put on the floor, if it lies, sits, kneels
//!    or crawls; then toes, and what hands hold, turn out of the floor, wherever feet and arms have gone;
//! 3. mirror: what stands behind it is said of the target's own joints and of the world around it, and holds for the
//!    mirrored motion as for the other (a weight of the left arm, a limit of the left knee, the point to look at);
//! 4. weights: the motion, weaker or stronger;
//! 5. spacing: arms and legs further from the body;
//! 6. pins, in the order in which they were told: where two move one joint, the later wins;
//! 7. aim: neck, head and eyes look at a point;
//! 8. limits: last of what turns limbs, so that nothing is beyond them; then those of a robot's motors;
//! 9. twist joints: they follow what all before did to the limbs;
//! 10. root motion: it changes who carries the travel, not where anything is. The path is that of the mirrored motion.

mod arms;
pub(super) mod feet;
mod ground;
mod hands;
pub mod own_body;
mod pinned;
mod pins;
mod procedural;
pub(super) mod root_motion;
mod tips;
mod touches;
mod twist;
mod weights;

pub use ground::body_skin;

use super::{Both, CompileOptions, copying};
use crate::error::Error;
use crate::limits;
use crate::mirror::{MirrorChoice, find_twins, mirror_for, name_twins, with_stride};
use crate::procedural::Spacing;
use crate::profile::custom::custom_profile;
use crate::recipe::Recipe;
use crate::root_motion::RootJoint;
use procedural::Body;
use rebone_model::Clamp as _;
use rebone_model::Warning;
use rebone_runtime::Plan;
use rebone_runtime::stage::{Stage, StageOp};

/// The stages of a plan, in their order. `plan` has everything else already.
pub(super) fn stages(
    both: &Both<'_>,
    options: &CompileOptions,
    hips: Option<(usize, usize)>,
    root: Option<RootJoint>,
    plan: &Plan,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Stage>, Error> {
    let mut stages = Vec::new();
    let recipe = &options.recipe;
    let feet = options.feet();
    if let Some(choice) = &feet {
        let rules = both.contacts_in_source_units();
        stages.extend(feet::stage(both, choice, &rules, hips, plan));
    }
    let are_unlike = !stages.is_empty();
    stages.extend(hands::stage(both, options, plan)?);
    let own_body = own_body::stage(both, options.own_body(), plan);
    if own_body.is_none() && options.own_body() > 0.0 {
        warnings.extend(own_body::unbound(both.target));
    }
    stages.extend(own_body);
    let weight = options.ground();
    if weight > 0.0 {
        stages.extend(ground::stage(both, weight, hips, are_unlike, plan));
    }
    if let Some(choice) = feet.as_ref().filter(|_| are_unlike) {
        stages.extend(tips::feet(both, choice, plan));
        stages.extend(tips::held(both, recipe.hands.lift, plan));
    }
    stages.extend(mirror(both, recipe, warnings)?);
    stages.extend(weights::stage(both, options)?);
    let pins = pins::stages(both, options, hips, plan)?;
    rig(both, options, pins, &mut stages, warnings);
    let same = options.same_rig.as_ref();
    let copied = same.map_or_else(Vec::new, |same| copying::copied(same, both));
    let left_out = |joint: usize| {
        let is_copied = copied.iter().any(|pair| pair.1 == joint);
        is_copied || options.by_hand.left_out.contains(&joint)
    };
    if let Some(op) = twist::twist(both, &plan.rotations, left_out, recipe, warnings)? {
        stages.push(Stage {
            weight: (recipe.twist as f32).clamped(0.0, 1.0),
            op,
        });
    }
    stages.extend(root_motion::stage(both, options, root, plan, warnings));
    Ok(stages)
}

/// The mirror, switched on or ready to be.
fn mirror(
    both: &Both<'_>,
    recipe: &Recipe,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Stage>, Error> {
    if recipe.mirror == MirrorChoice::Off {
        return Ok(None);
    }
    let (character, map) = (both.target.character, both.target.map);
    let (mut twins, _) = find_twins(character, map, both.to);
    let pairs = recipe.target.twins.iter();
    let pairs = pairs.map(|(first, second)| (first.as_str(), second.as_str()));
    name_twins(&mut twins, &character.skeleton, pairs, "target.twins")?;
    warnings.extend(twins.lonely(&character.skeleton));
    let mirror = with_stride(mirror_for(character, both.to, &twins), map, both.to);
    Ok(Some(Stage {
        weight: if recipe.mirror == MirrorChoice::On {
            1.0
        } else {
            0.0
        },
        op: StageOp::Mirror(mirror),
    }))
}

/// The run-time rig on top of the slots: spacing, pins, gaze, limits.
fn rig(
    both: &Both<'_>,
    options: &CompileOptions,
    pins: Vec<Stage>,
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
    let asked = &options.recipe.target;
    let spacing = asked
        .spacing
        .or(profile.and_then(|profile| profile.spacing));
    if let Some(spacing) = spacing.filter(|spacing| *spacing != Spacing::default()) {
        add(1.0, StageOp::Spacing(body.spacing(&spacing, warnings)));
    }
    for Stage { weight, op } in pins {
        add(f64::from(weight), op);
    }
    if let Some(look_at) = asked.look_at {
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
