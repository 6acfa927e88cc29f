//! Limbs by what they do in the body, whatever a profile calls them.

use crate::mapping::RigMap;
use crate::profile::{Part, Side, Slot};

/// Both sides, left first.
pub const SIDES: [Side; 2] = [Side::Left, Side::Right];

/// The parts of a leg to stand on: hip, knee, ankle.
pub const LEG: [Part; 3] = [Part::UpperLeg, Part::LowerLeg, Part::Foot];

/// The parts of an arm or of a front leg: shoulder, elbow, wrist.
pub const ARM: [Part; 3] = [Part::UpperArm, Part::LowerArm, Part::Hand];

/// The joint of the first slot of a part.
pub fn joint(map: &RigMap, part: Part, side: Side) -> Option<usize> {
    map.joint_of(part, side)
}

/// Both joints of a part, left and right.
pub fn both(map: &RigMap, part: Part) -> Option<[usize; 2]> {
    Some([
        joint(map, part, Side::Left)?,
        joint(map, part, Side::Right)?,
    ])
}

/// The slot of this part that the rig has, nearest below the slot of another part: the toes of a foot.
pub fn below(map: &RigMap, above: Part, part: Part, side: Side) -> Option<usize> {
    let is = |slot: Slot, wanted: Part| {
        let info = map.profile.info(slot);
        info.part == wanted && info.side == side
    };
    let slot = map
        .slots
        .keys()
        .copied()
        .filter(|&slot| is(slot, part))
        .find(|&slot| map.present_parent(slot).is_some_and(|over| is(over, above)))?;
    map.joint(slot)
}

/// The feet and, of a four-legged body, the front paws.
pub fn feet(map: &RigMap) -> Vec<usize> {
    let mut result: Vec<usize> = SIDES
        .into_iter()
        .filter_map(|side| joint(map, Part::Foot, side))
        .collect();
    if map.profile.stance != crate::profile::Stance::Upright {
        result.extend(
            SIDES
                .into_iter()
                .filter_map(|side| joint(map, Part::Hand, side)),
        );
    }
    result
}
