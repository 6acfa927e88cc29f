//! Hands, thumbs and fingers.
//!
//! The hand points along the arm within a cone, because wrists are modelled by taste; the knuckles show the
//! palm. Fingers point along the arm and thumbs half forwards, both within a narrow
//! cone. Source: docs/laws.md, "Hands of the retarget pose".

use super::turns::{beyond, signed_angle, swing_into_cone, twist_angle};
use super::{Body, Evidence, out};
use crate::align::palm::{Across, Knuckles, knuckles};
use crate::align::placement::unit;
use crate::align::plausibility::ramp;
use crate::profile::{Part, Side, Slot};
use glam::{DQuat, DVec3};
use rebone_model::elementary::Angle as _;
use rebone_model::elementary::Turn as _;
use std::collections::BTreeMap;

/// Hands this near the arm's direction are taken as straight, degrees.
const HAND_CONE: f64 = 10.0;

/// The same for hands whose direction only an axis of the joint shows.
const BARE_HAND_CONE: f64 = 15.0;

/// No wrist bends further than this: what looks like knuckles beyond it is none (chains of a prop or a cuff), degrees.
const HAND_FARTHEST: f64 = 100.0;

/// The same for fingers and thumbs: they keep some of their own spread. With 15 degrees the thumbs of two characters could
/// differ by 30.
const DIGIT_CONE: f64 = 3.5;

/// A finger that points further away than this is none (a claw, a handle, a folded finger of another kind).
const FINGER_FARTHEST: f64 = 120.0;

impl Body<'_> {
    pub(super) fn hand(&self, slot: Slot, side: Side, parent: DQuat) -> (DQuat, Evidence) {
        let Some(joint) = self.map.joint(slot) else {
            return (parent, Evidence::None);
        };
        let along = out(side);
        let own = self.placements[joint];
        // Where the pose is a moment of a motion, the hand is held as on average.
        let mean = self.means.hands.get(&joint).copied();
        let parent = match (mean, self.map.joint_of(Part::LowerArm, side)) {
            (Some(mean), Some(forearm)) if self.moves => {
                unit(parent * self.placements[forearm].rotation * mean * own.rotation.conjugate())
            }
            _ => parent,
        };
        let Some(Knuckles { center, across }) = self.knuckles(slot) else {
            return match self.direction_of(slot) {
                Some(direction) if direction.angle_apart(parent.conjugate() * along) < 1.0 => (
                    swing_into_cone(parent, direction, along, BARE_HAND_CONE),
                    Evidence::Direction,
                ),
                _ => (parent, Evidence::None),
            };
        };
        let Some(direction) = (center - own.position).try_normalize() else {
            return (parent, Evidence::None);
        };
        if (parent * direction).angle_apart(along) > HAND_FARTHEST.to_radians() {
            return (parent, Evidence::None);
        }
        let swung = swing_into_cone(parent, direction, along, HAND_CONE);
        let rolled = |roll: f64| DQuat::about(along, roll) * swung;
        match across {
            // Knuckles and thumbs are placed by taste: only a clear difference is one.
            Across::Palm(across) => {
                let roll = signed_angle(swung * across, DVec3::Z, along);
                (rolled(beyond(roll, 8.0, 16.0)), Evidence::Palm)
            }
            Across::Thumb(across) => {
                let roll = signed_angle(swung * across, DVec3::Z, along);
                (rolled(beyond(roll, 30.0, 50.0)), Evidence::Thumb)
            }
            Across::Unknown => (swung, Evidence::Direction),
        }
    }

    pub(super) fn knuckles(&self, hand: Slot) -> Option<Knuckles> {
        knuckles(self.map, hand, &|joint| self.placements[joint].position)
    }

    /// Fingers point along the hand; what little they are spread is their own.
    pub(super) fn finger(&self, slot: Slot, side: Side, parent: DQuat) -> (DQuat, Evidence) {
        self.digit(slot, parent, out(side))
    }

    /// Thumbs point half sideways, half forwards.
    pub(super) fn thumb(&self, slot: Slot, side: Side, parent: DQuat) -> (DQuat, Evidence) {
        let wanted = (out(side) + DVec3::Z) * std::f64::consts::FRAC_1_SQRT_2;
        self.digit(slot, parent, wanted)
    }

    fn digit(&self, slot: Slot, parent: DQuat, wanted: DVec3) -> (DQuat, Evidence) {
        match self.direction_of(slot) {
            Some(direction)
                if (parent * direction).angle_apart(wanted) < FINGER_FARTHEST.to_radians() =>
            {
                let turn = swing_into_cone(parent, direction, wanted, DIGIT_CONE);
                (turn, Evidence::Direction)
            }
            _ => (parent, Evidence::None),
        }
    }

    /// Half of a palm's roll against its forearm belongs to the forearm: a hand alone cannot be turned
    /// that far without wringing the wrist.
    pub(super) fn share_palm_roll(&self, done: &mut BTreeMap<Slot, (DQuat, Evidence)>) {
        for side in [Side::Left, Side::Right] {
            let find = |part: Part| {
                let mut slots = self.map.slots.keys().copied();
                slots.find(|&slot| {
                    let info = self.map.profile.info(slot);
                    info.part == part && info.side == side
                })
            };
            let (Some(lower), Some(hand)) = (find(Part::LowerArm), find(Part::Hand)) else {
                continue;
            };
            let (Some(&(forearm, evidence)), Some(&(palm, shown))) =
                (done.get(&lower), done.get(&hand))
            else {
                continue;
            };
            if evidence == Evidence::Axes || !matches!(shown, Evidence::Palm | Evidence::Thumb) {
                continue;
            }
            let along = out(side);
            let roll = twist_angle(unit(palm * forearm.conjugate()), along);
            let share = 0.5 * roll * ramp(roll.abs().to_degrees(), 10.0, 20.0);
            if share != 0.0 {
                let turn = DQuat::about(along, share) * forearm;
                done.insert(lower, (turn, shown));
            }
        }
    }
}
