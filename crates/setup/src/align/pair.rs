//! What two alignments have to do with each other. Source: docs/laws.md, "Dead band of corrections".

use super::correction::{dead_band, hangs_from_parent};
use super::placement::unit;
use super::{Alignment, Correction};
use crate::mapping::RigMap;
use crate::profile::Slot;
use glam::DQuat;
use rebone_model::Character;
use rebone_model::elementary::Angle as _;

/// Reference poses of one rig that differ by less than this (radians) are one pose.
const SAME_POSE: f64 = 0.02;

/// A character with its map and its retarget pose.
#[derive(Clone, Copy, Debug)]
pub struct Aligned<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its slots.
    pub map: &'a RigMap,
    /// Its retarget pose.
    pub alignment: &'a Alignment,
}

/// The target's alignment beside that of the source.
///
/// Where both files hold the same rig in the same reference pose, the target takes over what was found about
/// the source, so that evidence which only one of the files has (a clip) parts them nowhere.
///
/// Else, where their corrections differ by less than a dead-band, the difference is noise of the rest poses,
/// and both are taken as alike. Hands, fingers and toes are compared in the frame of the slot above, so
/// that a hand which moved along with its arm stays in line with it.
pub fn align_pair(source: &Aligned<'_>, target: &Aligned<'_>) -> Alignment {
    let (from, mut to) = (source.alignment, target.alignment.clone());
    if to.correction != Correction::Full || from.correction != Correction::Full {
        return to;
    }
    if is_same_rig(source, target) {
        for (slot, turn) in &from.corrections {
            if to.corrections.contains_key(slot) {
                to.corrections.insert(*slot, *turn);
            }
        }
        for (slot, reason) in &from.reasons {
            if to.reasons.contains_key(slot) {
                to.reasons.insert(*slot, *reason);
            }
        }
        return to;
    }
    let own = &target.alignment.corrections;
    for slot in target.map.profile.all() {
        let (Some(theirs), Some(ours)) = (from.corrections.get(&slot), own.get(&slot)) else {
            continue;
        };
        let part = target.map.profile.info(slot).part;
        let above = target
            .map
            .present_parent(slot)
            .filter(|above| hangs_from_parent(part) && from.corrections.contains_key(above));
        let [their_above, own_above, new_above] =
            [&from.corrections, own, &to.corrections].map(|corrections| {
                let above = above.and_then(|above| corrections.get(&above).copied());
                above.unwrap_or(DQuat::IDENTITY)
            });
        let relative = *theirs * their_above.conjugate();
        let own_relative = *ours * own_above.conjugate();
        if relative.angle_apart(own_relative) < dead_band(part) {
            to.corrections.insert(slot, unit(relative * new_above));
        }
    }
    to
}

/// True where both have joints of the same names for the same slots, and these stand alike.
fn is_same_rig(source: &Aligned<'_>, target: &Aligned<'_>) -> bool {
    let same = |slot: Slot| -> Option<bool> {
        let joints = (source.map.joint(slot)?, target.map.joint(slot)?);
        let name = |character: &Character, joint: usize| {
            let joint = character.skeleton.joints().get(joint)?;
            joint.name.rsplit([':', '|']).next().map(str::to_owned)
        };
        let names = [
            name(source.character, joints.0),
            name(target.character, joints.1),
        ];
        let places = [
            source.alignment.reference.get(joints.0)?,
            target.alignment.reference.get(joints.1)?,
        ];
        let turn = places[0].rotation.angle_apart(places[1].rotation);
        Some(names[0] == names[1] && turn < SAME_POSE)
    };
    // A slot that only one of them has is a difference as well.
    let mut slots = source.map.slots.keys();
    source.map.slots.len() == target.map.slots.len()
        && !source.map.slots.is_empty()
        && slots.all(|&slot| same(slot) == Some(true))
}
