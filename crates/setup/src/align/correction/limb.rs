//! Upper arms and thighs: direction and roll.

use super::turns::{beyond, signed_angle, swing};
use super::{Body, Evidence, hinge, out};
use crate::align::plausibility::ramp;
use crate::profile::{Part, Side, Slot};
use glam::{DQuat, DVec3};
use rebone_model::elementary::Angle as _;
use rebone_model::elementary::Turn as _;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

/// Rolls of both sides that a clip shows and that differ from mirror images by less than this are alike.
const ALIKE_DEGREES: f64 = 40.0;

/// From and to which angles a roll that a clip shows is believed, degrees: an elbow that bends in one plane may turn with the
/// upper arm while it does, which shows as a roll of up to 21 degrees in one clip and of none in the next.
const BELIEVED_DEGREES: [f64; 2] = [22.0, 32.0];

impl Body<'_> {
    /// Upper segment of a limb: swung to where it points in the retarget pose, then rolled so that its hinge
    /// is where it belongs, as far as something shows it.
    pub(super) fn limb(&self, slot: Slot, parent: DQuat) -> (DQuat, Evidence) {
        let side = self.map.profile.info(slot).side;
        let Some(limb) = Limb::of(self.map.profile.info(slot).part, side) else {
            return (parent, Evidence::None);
        };
        let [first, second, third] = limb.parts;
        let Some(upper) = self.between(first, second, side) else {
            return (parent, Evidence::None);
        };
        let swung = swing(parent, upper, limb.along);
        let rolled = |roll: f64| DQuat::about(limb.along, roll) * swung;
        let lower = self.between(second, third, side);
        let shown = lower.map_or(0.0, |lower| limb.shown(upper, lower));
        if shown < 1.0
            && let Some(roll) = self.roll_of_clip(slot, parent)
        {
            let [from, full] = BELIEVED_DEGREES;
            return (rolled(beyond(roll, from, full)), Evidence::HingeOfClip);
        }
        let geometry = lower
            .map(|lower| signed_angle(swung * upper.cross(lower), limb.hinge, limb.along))
            // Bent against the hinge: a matter of posture, not of roll.
            .filter(|roll| shown > 0.0 && roll.abs() < 100f64.to_radians());
        match geometry {
            Some(roll) => (rolled(roll * shown), Evidence::Hinge),
            None => (swung, Evidence::Direction),
        }
    }

    /// The bending axes of all limbs that are too straight to show them.
    pub(super) fn learnt_hinges(&self) -> BTreeMap<Slot, DVec3> {
        let axis = |slot: Slot| {
            let info = self.map.profile.info(slot);
            let limb = Limb::of(info.part, info.side)?;
            let [first, second, third] = limb.parts.map(|part| self.map.joint_of(part, info.side));
            let joints = [first?, second?, third?];
            let [first, second, third] = joints.map(|joint| self.placements[joint].position);
            if limb.shown(second - first, third - second) >= 1.0 {
                return None;
            }
            hinge::hinge_of_clips(self.character, self.clips, joints)
        };
        let slots = self.map.slots.keys().copied();
        slots.filter_map(|slot| Some((slot, axis(slot)?))).collect()
    }

    /// The roll that the clip shows. Skeletons are built alike on both sides: what one side alone shows does not count, and
    /// nothing counts where the sides contradict each other.
    fn roll_of_clip(&self, slot: Slot, parent: DQuat) -> Option<f64> {
        let own = self.one_roll_of_clip(slot, parent)?;
        let twin = self.map.profile.twin(slot);
        let other = self.one_roll_of_clip(twin, self.turn_above(twin))?;
        let sum = (own + other + PI).rem_euclid(TAU) - PI;
        (sum.abs() < ALIKE_DEGREES.to_radians()).then_some(own)
    }

    fn one_roll_of_clip(&self, slot: Slot, parent: DQuat) -> Option<f64> {
        let info = self.map.profile.info(slot);
        let (axis, limb) = (self.hinges.get(&slot)?, Limb::of(info.part, info.side)?);
        let upper = self.between(limb.parts[0], limb.parts[1], info.side)?;
        let own = self.placements[self.map.joint(slot)?].rotation;
        let axis = swing(parent, upper, limb.along) * (own * *axis);
        Some(signed_angle(axis, limb.hinge, limb.along))
    }

    /// The correction of the slot above, found on its own.
    fn turn_above(&self, slot: Slot) -> DQuat {
        match self.map.present_parent(slot) {
            Some(above) => self.correction(above, self.turn_above(above)).0,
            None => DQuat::IDENTITY,
        }
    }
}

/// What a limb is like in the retarget pose.
struct Limb {
    parts: [Part; 3],
    along: DVec3,
    /// Axis about which its joint bends.
    hinge: DVec3,
    /// Bend of the reference pose from which it shows the hinge at all, and fully.
    shown_degrees: [f64; 2],
}

impl Limb {
    /// The limb of which this is the upper part.
    fn of(part: Part, side: Side) -> Option<Self> {
        match part {
            Part::UpperArm => Some(Self {
                parts: [Part::UpperArm, Part::LowerArm, Part::Hand],
                along: out(side),
                hinge: out(side).cross(DVec3::Z),
                shown_degrees: [8.0, 18.0],
            }),
            Part::UpperLeg => Some(Self {
                parts: [Part::UpperLeg, Part::LowerLeg, Part::Foot],
                along: DVec3::NEG_Y,
                hinge: DVec3::X,
                // Knees are often modelled a little inwards.
                shown_degrees: [12.0, 24.0],
            }),
            _ => None,
        }
    }

    /// How clearly a bend shows the hinge, 0 to 1.
    fn shown(&self, upper: DVec3, lower: DVec3) -> f64 {
        let [from, full] = self.shown_degrees;
        ramp(upper.angle_apart(lower).to_degrees(), from, full)
    }
}
