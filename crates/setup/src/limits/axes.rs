//! The three axes about which a slot turns, in the axes of the body (x to its left, y up, z forwards).
//!
//! | slots | twist, positive | bend, positive | side, positive |
//! |---|---|---|---|
//! | torso, neck, head | to the left | forwards | to the left |
//! | collar bone, upper arm, forearm | inwards, thumb down | forwards | upwards |
//! | hand, fingers | thumb down | towards the palm | towards the thumb |
//! | thumb | | towards the little finger | away from the palm |
//! | thigh | inwards | forwards | outwards |
//! | shin | inwards | heel backwards | outwards |
//! | foot, toes | sole inwards | downwards | outwards |
//! | jaw, eyes | | downwards | outwards, of the jaw to the left |
//!
//! The right side is the mirror image of the left. Slots of bodies that do not stand upright, and those that no table
//! knows, turn about their own length (twist), about the body's left made square to it (bend: what points forwards goes
//! down, what points down goes backwards), and about what is square to both.

use crate::align::{Alignment, unit};
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Slot, Stance};
use glam::{DMat3, DQuat, DVec3};
use rebone_model::elementary::Turn as _;

/// Axes of a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotAxes {
    /// Its x is the axis of the twist, its y that of the bend, its z that of the side, all in the body's axes.
    pub frame: DQuat,
    /// -1 where positive to the side is against the frame's z.
    pub side: f64,
}

impl SlotAxes {
    /// The axes of a slot of an aligned character. `hinge` is the axis about which its left twin bends, where a profile
    /// states it.
    pub fn of(map: &RigMap, alignment: &Alignment, slot: Slot, hinge: Option<DVec3>) -> Self {
        let info = map.profile.info(slot);
        let known = match hinge {
            None if map.profile.stance == Stance::Upright => of_part(info.part),
            _ => None,
        };
        let (twist, bend, side) = known.unwrap_or_else(|| {
            let own = direction(map, alignment, slot).unwrap_or(DVec3::NEG_Y);
            let left = match info.side {
                Side::Right => DVec3::new(-own.x, own.y, own.z),
                _ => own,
            };
            (left, hinge.unwrap_or(DVec3::X), 1.0)
        });
        let bend = bend
            .reject_from(twist)
            .normalize_or(twist.any_orthonormal_vector());
        let frame = unit(DQuat::from_mat3(&DMat3::from_cols(
            twist,
            bend,
            twist.cross(bend),
        )));
        let mirrored = DQuat::about_x(std::f64::consts::PI);
        let frame = match info.side {
            Side::Right => unit(mirrored * frame),
            _ => frame,
        };
        Self { frame, side }
    }
}

/// Axes of twist and bend of the left side, and the sign of the side.
fn of_part(part: Part) -> Option<(DVec3, DVec3, f64)> {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    Some(match part {
        Part::Torso | Part::Neck | Part::Head => (DVec3::Y, DVec3::X, 1.0),
        Part::Shoulder | Part::UpperArm | Part::LowerArm => (DVec3::X, DVec3::NEG_Y, -1.0),
        Part::Hand | Part::Finger => (DVec3::X, DVec3::NEG_Z, -1.0),
        Part::Thumb => (
            DVec3::new(half, 0.0, half),
            DVec3::new(0.5, half, -0.5),
            1.0,
        ),
        Part::UpperLeg => (DVec3::NEG_Y, DVec3::NEG_X, -1.0),
        Part::LowerLeg => (DVec3::NEG_Y, DVec3::X, 1.0),
        Part::Foot | Part::Toes => (DVec3::NEG_Z, DVec3::X, -1.0),
        Part::Face => (DVec3::Z, DVec3::X, 1.0),
        Part::Hips | Part::Cannon | Part::Ear | Part::Trunk | Part::Tail | Part::Limb => {
            return None;
        }
    })
}

/// Where a slot points in the retarget pose: to the last joint of its chain, or to the first of a slot below.
fn direction(map: &RigMap, alignment: &Alignment, slot: Slot) -> Option<DVec3> {
    let joints = &map.slots.get(&slot)?.joints;
    let first = *joints.first()?;
    let last = joints.last().filter(|&&last| last != first).copied();
    let below = || {
        let mut slots = map.slots.keys().copied();
        slots
            .find(|&below| map.present_parent(below) == Some(slot))
            .and_then(|below| map.joint(below))
    };
    let next = last.or_else(below)?;
    let reference = &alignment.reference;
    let way = reference.get(next)?.position - reference.get(first)?.position;
    let turn = alignment.retarget_rotation(first) * reference.get(first)?.rotation.conjugate();
    (turn * way).try_normalize()
}
