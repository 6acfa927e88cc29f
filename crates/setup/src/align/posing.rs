//! The retarget pose turned by hand: a further turn of a slot, the same on the other side, and the T-pose, as calibrations.
//!
//! ```text
//! local   A' = A · C      a further turn D:   C' = C · A'⁻¹ · D · A'
//! world   A' = C · A      a further turn D:   C' = D · C
//! the same turn about the other axes:         C_world = A' · C_local · A'⁻¹
//! on the other side:                          C_world = (w, x, −y, −z) of the turn (w, x, y, z)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | A, A' | retarget-pose rotation of the slot's joint without and with its own calibration C, canonical |
//! | D | a turn about canonical axes (+X the body's left, +Y up, +Z ahead) |
//!
//! In the T-pose upper arms, forearms and hands point straight out with the palms down, fingers along the hand, thumbs half ahead,
//! thighs and shins straight down, toes ahead; feet keep their pitch, trunk, neck, head and collar bones are as they are.
//! What hangs from a slot that is turned goes along, and is turned by what it then lacks.
//!
//! Degenerate cases: a slot without joint has no turn; one whose direction nothing shows is left as it is; a body that does not stand
//! upright has no T-pose. At ±90 degrees about x the angles about y and z mean the same, and that about z has all of it.

use super::calibration::{Calibration, CalibrationAxes, Calibrations};
use super::palm::{Across, knuckles};
use super::placement::{Placement, unit};
use super::{Alignment, retarget_placements, rotation_arc};
use crate::mapping::RigMap;
use crate::profile::{Part, Slot, Stance};
use glam::{DMat3, DQuat, DVec3};
use rebone_model::Character;
use rebone_model::elementary::{Elementary as _, Turn as _};
use std::collections::BTreeMap;

/// Turns smaller than this are none, radians.
const NOTHING: f64 = 1e-6;

/// Angles about x, y and z whose turn Rz · Rx · Ry is this one, degrees.
pub fn angles_of(turn: DQuat) -> [f64; 3] {
    let turn = DMat3::from_quat(unit(turn));
    let [first, second, third] = [turn.x_axis, turn.y_axis, turn.z_axis];
    let across = second.x.hypotenuse(second.y);
    let x = second.z.arc_tangent(across);
    let (y, z) = if across > 1e-9 {
        (
            (-first.z).arc_tangent(third.z),
            (-second.x).arc_tangent(second.y),
        )
    } else {
        (0.0, first.y.arc_tangent(first.x))
    };
    // No minus zeros in somebody's file.
    [x, y, z].map(|angle| angle.to_degrees() + 0.0)
}

/// The calibration of a slot after a further turn about canonical axes. `alignment` has `own`, the slot's calibration, in it already.
///
/// The identity gives the same pose about other axes. `None` where the rig has no joint for the slot.
pub fn turned(
    alignment: &Alignment,
    map: &RigMap,
    slot: Slot,
    own: Option<&Calibration>,
    by: DQuat,
    axes: CalibrationAxes,
) -> Option<Calibration> {
    let now = alignment.retarget_rotation(map.joint(slot)?);
    let before = without(now, own);
    Some(between(before, by * now, axes, own))
}

/// The calibration of the slot on the other side that mirrors this slot's. `None` where a slot has no twin with a joint.
pub fn mirrored(
    alignment: &Alignment,
    map: &RigMap,
    calibrations: &Calibrations,
    slot: Slot,
) -> Option<(Slot, Option<Calibration>)> {
    let twin = map.profile.twin(slot);
    if twin == slot {
        return None;
    }
    let (joint, other) = (map.joint(slot)?, map.joint(twin)?);
    let Some(own) = calibrations.get(&slot) else {
        return Some((twin, None));
    };
    let now = alignment.retarget_rotation(joint);
    let turn = now * without(now, Some(own)).conjugate();
    let turn = DQuat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w);
    let before = without(alignment.retarget_rotation(other), calibrations.get(&twin));
    Some((
        twin,
        Some(between(before, turn * before, own.turns().0, Some(own))),
    ))
}

/// Calibrations that bring slots into the T-pose, all where none is named; those that stand so already are not in it.
///
/// `alignment` has the calibrations in it already. What is new turns about the axes of the slot's calibration, else about the joint's own.
pub fn t_pose(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
    calibrations: &Calibrations,
    slots: &[Slot],
) -> Calibrations {
    let mut result = Calibrations::new();
    if map.profile.stance != Stance::Upright {
        return result;
    }
    let places = retarget_placements(character, map, alignment);
    let standing = Standing {
        map,
        places: &places,
    };
    // How far each slot was moved at it or above it.
    let mut moved: BTreeMap<Slot, DQuat> = BTreeMap::new();
    for &slot in map.slots.keys() {
        let above = map.present_parent(slot);
        let carry = above
            .and_then(|above| moved.get(&above).copied())
            .unwrap_or(DQuat::IDENTITY);
        let is_asked = slots.is_empty() || slots.contains(&slot);
        let turn = is_asked.then(|| standing.turn(slot, carry)).flatten();
        moved.insert(slot, turn.unwrap_or(carry));
        let (Some(turn), Some(joint)) = (turn, map.joint(slot)) else {
            continue;
        };
        let further = unit(turn * carry.conjugate());
        if 2.0 * further.xyz().length() < NOTHING {
            continue;
        }
        let own = calibrations.get(&slot);
        let now = alignment.retarget_rotation(joint);
        let axes = own.map_or(CalibrationAxes::Local, |own| own.turns().0);
        let before = carry * without(now, own);
        result.insert(slot, between(before, turn * now, axes, own));
    }
    result
}

/// A: a joint's rotation without its slot's calibration.
fn without(now: DQuat, own: Option<&Calibration>) -> DQuat {
    match own {
        None => now,
        Some(own) if own.turns().0 == CalibrationAxes::Local => now * own.turn().conjugate(),
        Some(own) => own.turn().conjugate() * now,
    }
}

/// The calibration that turns one rotation to another.
fn between(
    before: DQuat,
    after: DQuat,
    axes: CalibrationAxes,
    own: Option<&Calibration>,
) -> Calibration {
    let turn = match axes {
        CalibrationAxes::Local => before.conjugate() * after,
        CalibrationAxes::World => after * before.conjugate(),
    };
    Calibration {
        replace: own.is_some_and(|own| own.replace),
        ..Calibration::about(axes, angles_of(turn))
    }
}

/// A body in its retarget pose.
struct Standing<'a> {
    map: &'a RigMap,
    places: &'a [Placement],
}

impl Standing<'_> {
    fn at(&self, slot: Slot) -> Option<DVec3> {
        Some(self.places[self.map.joint(slot)?].position)
    }

    /// Slots of a part that hang from a slot.
    fn below(&self, slot: Slot, part: Part) -> impl Iterator<Item = Slot> {
        let slots = self.map.slots.keys().copied();
        slots.filter(move |&below| {
            self.map.profile.info(below).part == part
                && self.map.present_parent(below) == Some(slot)
        })
    }

    /// From a slot's joint to the middle of those of a part that hang from it.
    fn way(&self, slot: Slot, part: Part) -> Option<DVec3> {
        let ends: Vec<DVec3> = self
            .below(slot, part)
            .filter_map(|below| self.at(below))
            .collect();
        let middle = ends.iter().sum::<DVec3>() / ends.len().max(1) as f64;
        (!ends.is_empty()).then_some(middle)?;
        (middle - self.at(slot)?).try_normalize()
    }

    /// How far a slot is turned from where it stands, for the T-pose, where what it hangs from was turned by `carry`.
    fn turn(&self, slot: Slot, carry: DQuat) -> Option<DQuat> {
        let info = self.map.profile.info(slot);
        let out = DVec3::X * f64::from(info.side.sign());
        let (next, wanted) = match info.part {
            Part::UpperArm => (Part::LowerArm, out),
            Part::LowerArm => (Part::Hand, out),
            Part::Hand => (Part::Finger, out),
            Part::Finger => (Part::Finger, out),
            Part::Thumb => (Part::Thumb, (out + DVec3::Z) * 0.5f64.sqrt()),
            Part::UpperLeg => (Part::LowerLeg, DVec3::NEG_Y),
            Part::LowerLeg => (Part::Foot, DVec3::NEG_Y),
            Part::Foot => {
                let way = self.way(slot, Part::Toes)?;
                let ahead = DVec3::new(way.x, 0.0, way.z).try_normalize()?;
                return Some(rotation_arc(ahead, DVec3::Z));
            }
            _ => return None,
        };
        let now = carry * self.way(slot, next)?;
        let swung = rotation_arc(now, wanted) * carry;
        if info.part != Part::Hand {
            return Some(swung);
        }
        let roll = self.palm(slot).map_or(0.0, |across| {
            let across = (swung * across).reject_from_normalized(out);
            out.dot(across.cross(DVec3::Z))
                .arc_tangent(across.dot(DVec3::Z))
        });
        Some(DQuat::about(out, roll) * swung)
    }

    /// Across the palm towards the index finger, where two knuckles show it.
    fn palm(&self, hand: Slot) -> Option<DVec3> {
        match knuckles(self.map, hand, &|joint| self.places[joint].position)?.across {
            Across::Palm(across) => Some(across),
            Across::Thumb(_) | Across::Unknown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_turn() {
        for degrees in [
            [0.0, 0.0, 0.0],
            [20.0, 30.0, 40.0],
            [-70.0, 170.0, -120.0],
            [89.9, 12.0, -33.0],
            [90.0, 0.0, 25.0],
            [-90.0, 0.0, -140.0],
        ] {
            let calibration = Calibration::about(CalibrationAxes::World, degrees);
            let found = angles_of(calibration.turn());
            let off = (0..3).map(|axis| (found[axis] - degrees[axis]).abs());
            assert!(off.fold(0.0, f64::max) < 1e-6, "{degrees:?}: {found:?}");
        }
        assert!(
            angles_of(DQuat::IDENTITY)
                .iter()
                .all(|angle| angle.is_sign_positive())
        );
    }
}
