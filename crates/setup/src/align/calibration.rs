//! A person's own turns of the retarget pose, slot by slot.
//!
//! | symbol | meaning |
//! |---|---|
//! | A, A' | retarget-pose rotation of the slot's joint before and after |
//! | C | the turn: Rz · Rx · Ry of the three angles |
//! | A' = A · C | about the joint's own axes |
//! | A' = C · A | about those of canonical space: +X the body's left, +Y up, +Z forward |
//!
//! What hangs from a calibrated slot moves along, as when a limb is posed by hand. Calibration is the last
//! step of alignment, so that no dead-band swallows a turn that somebody asked for.

use super::evidence::{Evidence, Reason};
use super::placement::unit;
use super::{Alignment, Correction};
use crate::mapping::RigMap;
use crate::profile::{Part, Slot};
use glam::DQuat;
use rebone_model::elementary::Turn as _;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which axes a calibration turns about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrationAxes {
    /// The joint's own.
    Local,
    /// Those of canonical space: +X the body's left, +Y up, +Z where the body looks.
    World,
}

/// One turn of a slot in the retarget pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(transform = crate::values::forms::local_or_world))]
pub struct Calibration {
    /// Degrees about the joint's own x, y and z.
    ///
    /// The turn about z comes first, then that about x, then that about y, each about axes that have moved along (ZXY).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<[f64; 3]>,
    /// Degrees about the axes of the body: x to its left, y up, z forward.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub world: Option<[f64; 3]>,
    /// Start from the file's own pose of the slot instead of the one that was found.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub replace: bool,
}

impl Calibration {
    /// A turn about these axes, on top of what was found.
    pub fn about(axes: CalibrationAxes, degrees: [f64; 3]) -> Self {
        let (mut local, mut world) = (None, None);
        match axes {
            CalibrationAxes::Local => local = Some(degrees),
            CalibrationAxes::World => world = Some(degrees),
        }
        Self {
            local,
            world,
            replace: false,
        }
    }

    /// Which axes it turns about, and the degrees about x, y and z.
    pub fn turns(&self) -> (CalibrationAxes, [f64; 3]) {
        match (self.local, self.world) {
            (None, Some(degrees)) => (CalibrationAxes::World, degrees),
            (local, _) => (CalibrationAxes::Local, local.unwrap_or_default()),
        }
    }

    /// What is wrong with it, and what would be right.
    pub(crate) fn check(&self) -> Result<(), (&'static str, &'static str)> {
        match (self.local, self.world) {
            (Some(_), Some(_)) => Err((
                "a calibration turns about one set of axes",
                "give local or world, not both",
            )),
            (None, None) => Err((
                "a calibration needs angles",
                "give local = [x, y, z] or world = [x, y, z], in degrees",
            )),
            _ => Ok(()),
        }
    }

    /// C.
    pub(super) fn turn(&self) -> DQuat {
        let [x, y, z] = self.turns().1.map(f64::to_radians);
        unit(DQuat::about_z(z) * DQuat::about_x(x) * DQuat::about_y(y))
    }
}

/// Calibrations by slot.
pub type Calibrations = BTreeMap<Slot, Calibration>;

/// Turns slots of the retarget pose, and everything below them. Slots that the rig lacks are passed over.
pub fn calibrate(alignment: &mut Alignment, map: &RigMap, calibrations: &Calibrations) {
    if calibrations.is_empty() {
        return;
    }
    let found = std::mem::take(&mut alignment.corrections);
    // How far each slot was moved by what was calibrated at it or above it.
    let mut moved: BTreeMap<Slot, DQuat> = BTreeMap::new();
    for &slot in map.slots.keys() {
        let Some(joint) = map.joint(slot) else {
            continue;
        };
        let above = map.present_parent(slot);
        let carry = above.and_then(|above| moved.get(&above).copied());
        let own = found.get(&slot).copied();
        let mut turn = carry.unwrap_or(DQuat::IDENTITY) * own.unwrap_or(DQuat::IDENTITY);
        if let Some(calibration) = calibrations.get(&slot) {
            if calibration.replace {
                // As in the reference pose: feet and hips by themselves, the others with the slot above.
                let part = map.profile.info(slot).part;
                let along = above.filter(|_| !matches!(part, Part::Foot | Part::Hips));
                turn = along
                    .and_then(|above| alignment.corrections.get(&above).copied())
                    .unwrap_or(DQuat::IDENTITY);
            }
            let rotation = alignment.reference[joint].rotation;
            turn = match calibration.turns().0 {
                CalibrationAxes::Local => {
                    turn * rotation * calibration.turn() * rotation.conjugate()
                }
                CalibrationAxes::World => calibration.turn() * turn,
            };
            let before = alignment.reasons.get(&slot);
            alignment.reasons.insert(
                slot,
                Reason {
                    swing_degrees: before.map_or(0.0, |reason| reason.swing_degrees),
                    roll_degrees: before.map_or(0.0, |reason| reason.roll_degrees),
                    evidence: Evidence::Calibration,
                },
            );
        }
        let turn = unit(turn);
        let by = unit(turn * own.unwrap_or(DQuat::IDENTITY).conjugate());
        moved.insert(slot, by);
        if own.is_some() || alignment.correction == Correction::None || by != DQuat::IDENTITY {
            alignment.corrections.insert(slot, turn);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_turn_about_z_then_x_then_y() {
        let calibration = Calibration::about(CalibrationAxes::World, [20.0, 30.0, 40.0]);
        let [x, y, z] = [20f64, 30.0, 40.0].map(f64::to_radians);
        let wanted =
            DQuat::from_rotation_z(z) * DQuat::from_rotation_x(x) * DQuat::from_rotation_y(y);
        assert!(calibration.turn().angle_between(wanted) < 1e-12);
    }
}
