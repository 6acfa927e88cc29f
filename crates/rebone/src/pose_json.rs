//! Retarget poses as JSON. What stands here is a contract: add, never change.

use crate::json::slot_name;
use crate::rig::Rig;
use rebone_setup::align::{Alignment, Evidence, Reason};
use rebone_setup::mapping::RigMap;
use rebone_setup::profile::Part;
use serde::Serialize;

/// Turns from which a person should look, degrees.
const LARGE_SWING: f64 = 60.0;
const LARGE_ROLL: f64 = 30.0;

/// Below this a correction is none, degrees.
const NOTHING: f64 = 0.05;
/// True where the kind and size of a correction are no proof that it is right.
pub fn deserves_a_look(part: Part, reason: &Reason) -> bool {
    let is_limb = !matches!(part, Part::Finger | Part::Thumb | Part::Face);
    let swing = reason.swing_degrees > LARGE_SWING && part != Part::UpperArm;
    let roll = reason.roll_degrees.abs() > LARGE_ROLL;
    let by_thumb = reason.evidence == Evidence::Thumb && !is_nothing(reason);
    is_limb && (swing || roll || by_thumb)
}

/// True where a joint is left as it was.
pub fn is_nothing(reason: &Reason) -> bool {
    reason.swing_degrees < NOTHING
        && reason.roll_degrees.abs() < NOTHING
        && reason.evidence != Evidence::Calibration
}

/// The retarget pose of a rig.
#[derive(Debug, Serialize)]
pub struct PoseJson<'a> {
    pose: &'static str,
    pose_seconds: Option<f32>,
    pose_choice: String,
    rest_pose: &'static str,
    plausibility: f64,
    up: &'static str,
    forward: &'static str,
    meters_per_unit: f64,
    /// File units.
    measures: MeasuresJson,
    slots: Vec<SlotPoseJson<'a>>,
}

#[derive(Debug, Serialize)]
struct MeasuresJson {
    leg: f64,
    hip_width: f64,
    ankle_height: f64,
    ankle_found: &'static str,
    hips_height: f64,
    head_height: f64,
}

#[derive(Debug, Serialize)]
struct SlotPoseJson<'a> {
    slot: &'a str,
    joint: &'a str,
    swing_degrees: f64,
    roll_degrees: f64,
    evidence: &'static str,
    look: bool,
}

/// Puts a retarget pose into its shape. `map` is the rig's with the recipe's joints.
pub fn pose<'a>(rig: &'a Rig, map: &'a RigMap, pose: &'a Alignment) -> PoseJson<'a> {
    let shape = |(&slot, reason): (&_, &Reason)| {
        let joint = map.joint(slot)?;
        Some(SlotPoseJson {
            slot: slot_name(map, slot),
            joint: rig.character.skeleton.unique_name(joint),
            swing_degrees: reason.swing_degrees,
            roll_degrees: reason.roll_degrees,
            evidence: reason.evidence.name(),
            look: deserves_a_look(map.profile.info(slot).part, reason),
        })
    };
    PoseJson {
        pose: pose.pose_source.name(),
        pose_seconds: pose.pose_source.time(),
        pose_choice: pose.explain_pose(),
        rest_pose: pose.rest_kind.name(),
        plausibility: pose.plausibility,
        up: rig.space.up.name(),
        forward: rig.space.forward.name(),
        meters_per_unit: rig.space.meters_per_unit,
        measures: MeasuresJson {
            leg: pose.measures.leg,
            hip_width: pose.measures.hip_width,
            ankle_height: pose.measures.ankle_height,
            ankle_found: pose.measures.ankle_found.name(),
            hips_height: pose.measures.hips_height,
            head_height: pose.measures.head_height,
        },
        slots: pose.reasons.iter().filter_map(shape).collect(),
    }
}
