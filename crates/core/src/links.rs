//! Which joints of the source drive which joints of the target.

use crate::mapping::RigMap;
use crate::profile::{Part, Slot};

/// The joints of one slot on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The slot.
    pub slot: Slot,
    /// Source joints, parent to child.
    pub source: Vec<usize>,
    /// Target joints, parent to child.
    pub target: Vec<usize>,
}

/// One link for every slot that both rigs have, in profile order.
///
/// The torso (spine, chest, upper chest) is one chain: its joints are listed under the first of its
/// slots, because rigs cut it into different numbers of joints.
pub fn links(source: &RigMap, target: &RigMap) -> Vec<Link> {
    let torso_source = torso(source);
    let torso_target = torso(target);
    let mut torso_done = false;
    let mut result = Vec::new();
    for slot in source.profile.all() {
        if source.profile.info(slot).part == Part::Torso {
            if !torso_done && !torso_source.is_empty() && !torso_target.is_empty() {
                result.push(Link {
                    slot,
                    source: torso_source.clone(),
                    target: torso_target.clone(),
                });
            }
            torso_done = true;
            continue;
        }
        if let (Some(from), Some(to)) = (source.slots.get(&slot), target.slots.get(&slot)) {
            result.push(Link {
                slot,
                source: from.joints.clone(),
                target: to.joints.clone(),
            });
        }
    }
    result
}

/// All joints between hips and neck, parent to child.
pub fn torso(map: &RigMap) -> Vec<usize> {
    map.slots
        .iter()
        .filter(|(slot, _)| map.profile.info(**slot).part == Part::Torso)
        .flat_map(|(_, found)| found.joints.iter().copied())
        .collect()
}
