//! Arms that were turned so that they leave the body: what the source's arms show is compared turned as far.

use super::Performance;
use super::sampled::Sampled;
use crate::mapping::RigMap;
use crate::profile::{Part, Slot};
use crate::runtime::TurnedArms;
use glam::{DQuat, Vec3};
use rebone_model::rotation::exp;

/// The joints of the upper arm and the forearm to which a slot belongs.
pub(super) fn arm(map: &RigMap, slot: Slot) -> impl Iterator<Item = usize> {
    let slots = std::iter::successors(Some(slot), |slot| map.present_parent(*slot));
    let above: Vec<Slot> = slots.collect();
    let joint = move |part: Part| {
        let is = |slot: &&Slot| map.profile.info(**slot).part == part;
        above.iter().find(is).and_then(|slot| map.joint(*slot))
    };
    [Part::UpperArm, Part::LowerArm]
        .into_iter()
        .filter_map(joint)
}

/// How a part of an arm was turned on purpose in a frame, first about the shoulder, then about the elbow; canonical. What carries them
/// must be among the sampled joints.
pub(super) fn turn_on_purpose(
    turned: &TurnedArms,
    (side, sampled): (&Performance<'_>, &Sampled),
    slot: Slot,
    (frame, seconds): (usize, f32),
) -> DQuat {
    arm(side.map, slot).fold(DQuat::IDENTITY, |whole, joint| {
        let turn = turned.turn(joint, seconds);
        let above = side.character.skeleton.parent(joint);
        match above.filter(|_| turn != Vec3::ZERO) {
            Some(above) => {
                let above = sampled.rotations[above][frame].as_dquat();
                above * exp(turn).as_dquat() * above.conjugate() * whole
            }
            None => whole,
        }
    })
}

/// What carries the joints of arms.
pub(super) fn above_arms<'a>(side: &'a Performance<'_>) -> impl Iterator<Item = usize> + 'a {
    let joints = side.map.slots.keys().flat_map(|slot| arm(side.map, *slot));
    joints.filter_map(|joint| side.character.skeleton.parent(joint))
}
