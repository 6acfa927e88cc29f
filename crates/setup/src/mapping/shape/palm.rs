//! Fingers by shape for hands that were found by their words, where no word says which finger is which.

use super::hand::fingers;
use super::poses::Poses;
use super::tree::Tree;
use crate::mapping::draft::{Draft, FINGERS, SIDES};
use crate::mapping::rig::Rig;
use crate::mapping::words::Said;
use crate::profile::dialect::{finger_parts, sided_name};

/// How sure such fingers are.
const CONFIDENCE: f32 = 0.6;

/// Fills the fingers of each hand that has none.
pub(in crate::mapping) fn add_fingers(rig: &Rig, said: &[Said], draft: &mut Draft) {
    let slots_of = |side: &'static str| {
        let slots = |finger: &'static str| {
            finger_parts(finger).map(|part| sided_name(side, &format!("{finger}{part}")))
        };
        FINGERS.map(slots)
    };
    let poses = Poses::still_only(rig);
    let tree = Tree::new(rig, &poses);
    for side in SIDES {
        let slots = slots_of(side);
        let taken = slots
            .iter()
            .flatten()
            .any(|slot| draft.first(slot).is_some());
        let (Some(hand), Some(arm)) = (draft.sided(side, "Hand"), draft.sided(side, "LowerArm"))
        else {
            continue;
        };
        if taken {
            continue;
        }
        let found = fingers(rig, &tree, &rig.rest, hand, arm);
        let chains = || std::iter::once(&found.thumb).chain(&found.others);
        let strange = |joint: &usize| said[*joint].helper || draft.uses(*joint);
        if chains().flatten().any(strange) {
            continue;
        }
        for (slots, chain) in slots.iter().zip(chains()) {
            for (slot, &joint) in slots.iter().zip(chain) {
                draft.put(slot, vec![joint], CONFIDENCE);
                draft.rests_on(slot, "shape");
            }
        }
    }
}
