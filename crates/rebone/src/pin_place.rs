//! Where an end of the target is in a clip that was made, as a pin to a point would name it.

use crate::error::Error;
use crate::overrides::with_overrides;
use crate::pairing::compile_pair;
use crate::rig::Rig;
use rebone_model::Clip;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_runtime::stage::StageOp;
use rebone_setup::pins::{Pin, PinTo};
use rebone_setup::recipe::Recipe;

/// The place of an end (the palm of a hand, the sole below an ankle, else the joint) at a time of a clip of the target: metres to the
/// left, up and forwards, as [`PinTo::Point`] takes it. A pin to this point moves nothing at that time.
///
/// Fails where this cannot be pinned.
pub fn pin_place(
    source: &Rig,
    target: &Rig,
    recipe: &Recipe,
    end: &str,
    clip: &Clip,
    seconds: f32,
) -> Result<[f64; 3], Error> {
    let pin = Pin {
        end: end.to_owned(),
        to: PinTo::Point,
        point: Some([0.0; 3]),
        ..Pin::default()
    };
    // A pin of its own knows which point of the end it holds.
    let mut recipe = recipe.clone();
    recipe.pins = vec![pin];
    let pair = compile_pair(source, target, &[], &recipe)?;
    let map = with_overrides(target, &recipe.target)?;
    let skeleton = &target.character.skeleton;
    let joint = match map.joint_named(end) {
        Some(joint) => joint,
        None => skeleton
            .find(end)
            .map_err(|error| Error::request(error.to_string(), "name a slot or a joint"))?,
    };
    let stages = pair.compiled.plan.stages.iter();
    let point = stages.rev().find_map(|stage| match &stage.op {
        StageOp::Pin(pin) => Some(pin.point),
        _ => None,
    });
    let pose = model_pose(skeleton, &sample_clip(skeleton, clip, seconds));
    let placed = pose.model_from_joint(joint);
    let (_, rotation, position) = placed.to_scale_rotation_translation();
    let place = position + rotation * point.unwrap_or_default();
    let canonical = pair.compiled.target.canonical_from_file * place.as_dvec3();
    Ok((canonical * target.space.meters_per_unit).to_array())
}
