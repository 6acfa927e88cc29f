//! From a character to its map.

use super::body::{check_sides, is_on_all_fours, kind_of, stands_at_rest, stands_in_clips};
use super::by_label::map_by_label;
use super::by_name::map_by_name;
use super::by_vocabulary::map_by_vocabulary;
use super::draft::Draft;
use super::quadruped::map_quadruped;
use super::rig::Rig;
use super::shape::map_by_shape;
use super::{Kind, RigMap};
use crate::profile::dialects::FILES;
use crate::profile::{HUMANOID, QUADRUPED, Stance};
use rebone_model::axes::Axis;
use rebone_model::{Character, JointKind, Warning};

/// Which ways of mapping are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapOptions {
    /// Trust what the file says its joints are (VRM). Default true; false where a file's labels are
    /// wrong.
    pub labels: bool,
    /// Recognise known naming conventions. Default true.
    pub dialects: bool,
    /// Understand words for parts of the body in names of no known convention. Default true.
    pub words: bool,
    /// Guess from the shape where names mean nothing. Default true; false to be left without slots
    /// rather than with guesses.
    pub shape: bool,
    /// Where bodies of this file look, by the file. It tells left from right if nothing in names and shape does. Default `None`:
    /// +Z.
    pub forward: Option<Axis>,
}

impl Default for MapOptions {
    fn default() -> Self {
        Self {
            labels: true,
            dialects: true,
            words: true,
            shape: true,
            forward: None,
        }
    }
}

/// Finds the slots of a character.
///
/// Never fails: where nothing is recognised the map is empty and its kind is [`Kind::Other`]. Doubts
/// are in the map's warnings: `slot-missing`, `sides-swapped`, `sides-unsure`, `mapped-by-shape`,
/// `duplicate-joint`, `label-unknown`, `label-contradicts-skeleton`.
pub fn map_character(character: &Character) -> RigMap {
    map_character_with(character, &MapOptions::default())
}

/// Like [`map_character`], with some ways of mapping switched off.
pub fn map_character_with(character: &Character, options: &MapOptions) -> RigMap {
    let rig = Rig::new(character);
    let labelled = options.labels.then(|| map_by_label(&rig)).flatten();
    let stated = labelled.is_some();
    let by = |wanted: bool, find: &dyn Fn(&Rig) -> Option<Draft>| {
        let draft = if wanted { find(&rig) } else { None };
        draft.filter(|draft| kind_of(&rig, draft) == Kind::Humanoid)
    };
    // Names that make a whole person who stands upright in the clips decide, whatever the rest pose looks like.
    let named = options
        .dialects
        .then(|| map_by_name(&rig, &FILES))
        .flatten();
    let person = || named.clone().filter(|draft| stands_in_clips(&rig, draft));
    // A level body on four legs cannot be a person's, whatever words its joints have.
    let animal = || {
        let is_hidden = named
            .as_ref()
            .is_some_and(|draft| !stands_at_rest(&rig, draft));
        let found = options.shape.then(|| map_quadruped(&rig, is_hidden));
        found.flatten()
    };
    let mut draft = labelled
        .or_else(person)
        .or_else(animal)
        .or_else(|| by(options.dialects, &|_| named.clone()))
        .or_else(|| by(options.words, &|rig| map_by_vocabulary(rig, options.shape)))
        .or_else(|| by(options.shape, &|rig| map_by_shape(rig, options.forward)))
        .or_else(|| named.clone().filter(|draft| !is_on_all_fours(&rig, draft)))
        .unwrap_or_else(|| Draft::new(&HUMANOID, "none", "none"));
    let kind = if stated {
        Kind::Humanoid
    } else if draft.profile.stance == Stance::FourLegged {
        Kind::Quadruped
    } else {
        kind_of(&rig, &draft)
    };
    if !stated && draft.profile.stance == Stance::Upright {
        draft.lower_hips(&rig);
    }
    if !draft.evidence.starts_with("shape") && draft.profile.stance == Stance::Upright {
        draft.warnings.extend(check_sides(&rig, &draft));
    }
    draft.finished(character, kind)
}

/// Brings everything that follows from the slots up to date.
pub(crate) fn finish(map: &mut RigMap, character: &Character) {
    map.unmapped = (0..character.skeleton.len())
        .filter(|joint| character.skeleton.joints()[*joint].kind == JointKind::Joint)
        .filter(|joint| !map.slots.values().any(|found| found.joints.contains(joint)))
        .collect();
    let required = map
        .slots
        .iter()
        .filter(|(slot, _)| map.profile.info(**slot).required);
    map.confidence = required
        .map(|(_, found)| found.confidence)
        .fold(f32::INFINITY, f32::min);
    if !map.confidence.is_finite() {
        map.confidence = 0.0;
    }
    map.warnings
        .retain(|warning| warning.code != "slot-missing");
    let is_built_in = [&HUMANOID, &QUADRUPED]
        .iter()
        .any(|profile| std::ptr::eq(map.profile, *profile));
    // What is no whole body need not have its slots, unless a person's own profile asks for them.
    if map.kind == Kind::Other && is_built_in {
        return;
    }
    let hint = if is_built_in {
        "if the character has one, name it in a recipe"
    } else {
        "add the joint's name to the slot's joints in the profile, or name it in a recipe"
    };
    for slot in map.missing_required() {
        let message = format!("no joint was found for {slot}");
        map.warnings
            .push(Warning::new("slot-missing", message, hint));
    }
}
