//! Arms that were turned so that they leave the body: the source's arms are turned by as much before both are compared.

use super::Performance;
use super::sampled::Sampled;
use crate::mapping::RigMap;
use crate::profile::{Part, Slot};
use crate::runtime::TurnedArms;
use glam::DQuat;
use rebone_model::rotation::exp;

/// The joints of the upper arm, the forearm and the hand to which a slot belongs.
fn arm(map: &RigMap, slot: Slot) -> impl Iterator<Item = usize> {
    let slots = std::iter::successors(Some(slot), |slot| map.present_parent(*slot));
    let above: Vec<Slot> = slots.collect();
    let joint = move |part: Part| {
        let is = |slot: &&Slot| map.profile.info(**slot).part == part;
        above.iter().find(is).and_then(|slot| map.joint(*slot))
    };
    [Part::UpperArm, Part::LowerArm, Part::Hand]
        .into_iter()
        .filter_map(joint)
}

/// How a part of an arm was turned on purpose, first about the shoulder, then about the elbow and the wrist.
pub(super) struct TurnedPart<'a> {
    turned: &'a TurnedArms,
    /// The joints that were turned, each with its parent.
    joints: Vec<[usize; 2]>,
}

impl<'a> TurnedPart<'a> {
    /// Of the part of a slot.
    pub(super) fn new(turned: &'a TurnedArms, side: &Performance<'_>, slot: Slot) -> Self {
        let joints = arm(side.map, slot);
        let joints =
            joints.filter_map(|joint| Some([joint, side.character.skeleton.parent(joint)?]));
        Self {
            turned,
            joints: joints.collect(),
        }
    }

    /// The turn in a frame, canonical. The parents must be among the sampled joints.
    pub(super) fn at(&self, sampled: &Sampled, (frame, seconds): (usize, f32)) -> DQuat {
        let turns = self.joints.iter().map(|&[joint, above]| {
            let above = sampled.rotations[above][frame].as_dquat();
            above * exp(self.turned.turn(joint, seconds)).as_dquat() * above.conjugate()
        });
        turns.fold(DQuat::IDENTITY, |whole, turn| turn * whole)
    }
}

/// What carries the joints of arms.
pub(super) fn above_arms<'a>(side: &'a Performance<'_>) -> impl Iterator<Item = usize> + 'a {
    let joints = side.map.slots.keys().flat_map(|slot| arm(side.map, *slot));
    joints.filter_map(|joint| side.character.skeleton.parent(joint))
}
