//! How a head is turned when it looks straight ahead, as the file itself shows.
//!
//! Nothing of the alignment is used, so that a figure made of this finds what is wrong with the alignment.

use super::body_frame::body_frame;
use super::canonical::{candidate_axes, canonical};
use super::placement::{bind_placements, placements};
use super::plausibility::plausibility;
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use glam::DQuat;
use rebone_model::Character;

/// A bind pose this plausible shows a body that looks ahead: people are modelled like that.
const MODELLED: f64 = 0.35;

/// A rest pose of joints alone must be as plausible as this: it may be a moment of a motion.
const POSED: f64 = 0.85;

/// The body's axes may be off those of the file by this and are then taken to be them.
const LEANING_DEGREES: f64 = 20.0;

/// Canonical rotation of the head's joint when the body stands and looks straight ahead. `None` where neither bind nor rest
/// pose is one in which a person stands.
pub fn level_head(character: &Character, map: &RigMap) -> Option<DQuat> {
    let head = map.joint_of(Part::Head, Side::Center)?;
    let rest = placements(character, &character.skeleton.rest_pose());
    let axes = candidate_axes(character, map, &rest);
    let (pose, least) = match bind_placements(character, &rest) {
        Some(bind) => (bind, MODELLED),
        None => (rest, POSED),
    };
    if plausibility(map, &pose) < least {
        return None;
    }
    let canonical_from_pose = canonical(body_frame(map, &pose), None, &axes, LEANING_DEGREES);
    Some(canonical_from_pose * pose[head].rotation)
}
