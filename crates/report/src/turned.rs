//! Parts that were turned on purpose, so that arms leave the body and bodies rest on the floor: what the source shows of them
//! is turned by as much before both are compared.

use super::Performance;
use super::sampled::Sampled;
use glam::DQuat;
use rebone_model::rotation::exp;
use rebone_runtime::TurnedJoints;
use rebone_setup::profile::Slot;

/// How a part was turned, by its own joint and those above it.
pub(super) struct TurnedPart<'a> {
    turned: &'a TurnedJoints,
    side: &'a Performance<'a>,
    /// The joints that were turned, from the trunk outwards.
    joints: Vec<usize>,
}

impl<'a> TurnedPart<'a> {
    /// Of the part of a slot.
    pub(super) fn new(turned: &'a TurnedJoints, side: &'a Performance<'_>, slot: Slot) -> Self {
        let skeleton = &side.character.skeleton;
        let own = side.map.joint(slot);
        let with_above = own
            .into_iter()
            .flat_map(|own| std::iter::once(own).chain(skeleton.ancestors(own)));
        let is_turned = |joint: &usize| turned.joints.iter().any(|(own, _)| own == joint);
        let mut joints: Vec<usize> = with_above.filter(is_turned).collect();
        joints.reverse();
        Self {
            turned,
            side,
            joints,
        }
    }

    /// The canonical turn in a frame, which lies at `seconds` of the target's clip. The part must be among the sampled joints.
    pub(super) fn at(&self, sampled: &Sampled, frame: usize, seconds: f32) -> DQuat {
        let turns = self.joints.iter().map(|&joint| {
            let above = self.side.character.skeleton.parent(joint);
            let above = match above {
                Some(above) => sampled.rotations[above][frame].as_dquat(),
                None => self.side.alignment.canonical_from_file,
            };
            above * exp(self.turned.turn(joint, seconds)).as_dquat() * above.conjugate()
        });
        turns.fold(DQuat::IDENTITY, |whole, turn| turn * whole)
    }
}
