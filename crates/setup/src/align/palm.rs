//! What the joints of the fingers show of a palm.

use crate::mapping::RigMap;
use crate::profile::{Part, Slot};
use glam::DVec3;

/// The knuckles of a hand.
pub struct Knuckles {
    /// The middle of them.
    pub center: DVec3,
    /// The direction across the palm towards the index finger.
    pub across: Across,
}

/// The direction across the palm towards the index finger, and what shows it.
pub enum Across {
    /// Two knuckles or more.
    Palm(DVec3),
    /// The thumb alone.
    Thumb(DVec3),
    /// Nothing.
    Unknown,
}

/// The knuckles of a hand, with its joints at the given places. `None` where the rig has no fingers.
pub fn knuckles(map: &RigMap, hand: Slot, place: &dyn Fn(usize) -> DVec3) -> Option<Knuckles> {
    let wrist = place(map.joint(hand)?);
    // In the order of the profile, from index to little finger.
    let knuckles: Vec<DVec3> = first_joints(map, hand, Part::Finger).map(place).collect();
    let (&first, &last) = (knuckles.first()?, knuckles.last()?);
    let center = knuckles.iter().sum::<DVec3>() / knuckles.len() as f64;
    let along = (center - wrist).try_normalize()?;
    let across = (first - last).reject_from_normalized(along);
    if across.length() > 0.1 * (center - wrist).length() {
        let across = Across::Palm(across);
        return Some(Knuckles { center, across });
    }
    let thumb = first_joints(map, hand, Part::Thumb).next();
    let across = thumb.and_then(|thumb| {
        let tip = place(thumb_tip(map, hand).unwrap_or(thumb));
        (tip - wrist).reject_from_normalized(along).try_normalize()
    });
    let across = across.map_or(Across::Unknown, Across::Thumb);
    Some(Knuckles { center, across })
}

/// The first joint of each finger or thumb of a hand: the slot above it is none.
pub fn first_joints(map: &RigMap, hand: Slot, part: Part) -> impl Iterator<Item = usize> + '_ {
    let side = map.profile.info(hand).side;
    let is_of = move |slot: Slot| {
        let info = map.profile.info(slot);
        info.part == part && info.side == side
    };
    let firsts = map.slots.keys().copied().filter(move |&slot| {
        let above = map.present_parent(slot);
        is_of(slot) && above.is_none_or(|above| map.profile.info(above).part != part)
    });
    firsts.filter_map(|slot| map.joint(slot))
}

/// The last joint of the thumb.
fn thumb_tip(map: &RigMap, hand: Slot) -> Option<usize> {
    let side = map.profile.info(hand).side;
    let last = map.slots.iter().rfind(|(slot, _)| {
        let info = map.profile.info(**slot);
        info.part == Part::Thumb && info.side == side
    });
    last?.1.joints.last().copied()
}
