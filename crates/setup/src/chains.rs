//! Chains between characters of different kinds: an arm moves a front leg, a leg a hind leg.
//!
//! The source's slots are put into the words of the target's profile; from there on both are of one kind.
//! Slots go together by name, else by what they do in the body, side by side and in order: arms and front
//! legs, legs and hind legs, spine, neck, head. A person may say otherwise.
//!
//! A person stands with the trunk upright and an animal with the trunk level, and each moves from its own
//! stance: where one bends forwards the other lowers its shoulders. Arms have to hang for that, as front legs
//! do; in the retarget pose of such a pair they are turned down from wherever they were.

use crate::align::{Aligned, Alignment, rotation_arc, unit};
use crate::error::Error;
use crate::forelegs;
use crate::mapping::{Kind, RigMap};
use crate::profile::{Part, Profile, Slot, Stance};
use glam::{DQuat, DVec3};
use rebone_model::skeleton::edit_distance;
use rebone_model::{Clip, Remedy};
use std::collections::BTreeMap;

/// The kind of a character of which nothing was recognised.
const UNKNOWN_KIND: &str = "body of an unknown kind";

/// Confidence of a map from which chains by parts are advised. Guesses by shape alone are below it unless they are clear.
const SURE: f32 = 0.6;

/// What a person says about chains: target slot to source slot. An empty source slot leaves the target's
/// chain without source.
pub type ChainChoices = BTreeMap<String, String>;

/// Which slots of the source move which of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Chains {
    source: &'static Profile,
    target: &'static Profile,
    /// Source and target slot; a source slot may move several.
    pairs: Vec<(Slot, Slot)>,
}

impl Chains {
    /// The chains between two rigs; `None` where both are of one profile and nobody said otherwise.
    ///
    /// Fails with [`Error::KindsDiffer`] where the profiles differ and `choices` is `None`, and with
    /// [`Error::Recipe`] where a choice names no slot.
    pub fn between(
        source: &RigMap,
        target: &RigMap,
        choices: Option<&ChainChoices>,
    ) -> Result<Option<Self>, Error> {
        let (from, to) = (source.profile, target.profile);
        let Some(choices) = choices else {
            return if std::ptr::eq(from, to) {
                Ok(None)
            } else {
                Err(Error::KindsDiffer {
                    source_kind: kind_name(source),
                    target_kind: kind_name(target),
                    can_connect: can_connect(source, target),
                })
            };
        };
        if std::ptr::eq(from, to) && choices.is_empty() {
            return Ok(None);
        }
        Self::chosen(by_part(source, target), from, to, choices).map(Some)
    }

    /// The chains between two aligned bodies: those that a person chose or that bodies of different kinds need, as
    /// [`between`](Self::between) says; else those of forelegs that the two rigs cut in different ways. `clips` are the
    /// source's.
    pub fn between_bodies(
        source: &Aligned<'_>,
        target: &Aligned<'_>,
        clips: &[&Clip],
        choices: Option<&ChainChoices>,
    ) -> Result<Option<Self>, Error> {
        let chosen = Self::between(source.map, target.map, choices)?;
        let target_clips: Vec<&Clip> = target.character.clips.iter().collect();
        Ok(chosen.or_else(|| {
            let pairs = forelegs::pairs((source, clips), (target, &target_clips))?;
            Some(Self {
                source: source.map.profile,
                target: target.map.profile,
                pairs,
            })
        }))
    }

    fn chosen(
        mut pairs: Vec<(Slot, Slot)>,
        from: &'static Profile,
        to: &'static Profile,
        choices: &ChainChoices,
    ) -> Result<Self, Error> {
        for (target_name, source_name) in choices {
            let slot = find(to, target_name, "target")?;
            pairs.retain(|pair| pair.1 != slot);
            if !source_name.is_empty() {
                pairs.push((find(from, source_name, "source")?, slot));
            }
        }
        pairs.sort_by_key(|pair| (pair.1, pair.0));
        Ok(Self {
            source: from,
            target: to,
            pairs,
        })
    }

    /// No chain at all: what goes together is linked by hand.
    pub fn none(source: &RigMap, target: &RigMap) -> Self {
        Self {
            source: source.profile,
            target: target.profile,
            pairs: Vec::new(),
        }
    }

    /// Target slot and source slot of each chain, by name.
    pub fn names(&self) -> Vec<(&'static str, &'static str)> {
        let name =
            |&(from, to): &(Slot, Slot)| (self.target.info(to).name, self.source.info(from).name);
        self.pairs.iter().map(name).collect()
    }

    /// The source's map in the words of the target's profile. Slots that move nothing are left out; of
    /// several that move one, the joints are strung together.
    pub fn map(&self, source: &RigMap) -> RigMap {
        let mut slots: BTreeMap<Slot, crate::mapping::SlotMatch> = BTreeMap::new();
        for (from, to) in &self.pairs {
            let Some(found) = source.slots.get(from) else {
                continue;
            };
            match slots.get_mut(to) {
                None => {
                    slots.insert(*to, found.clone());
                }
                Some(known) => {
                    known.joints.extend(&found.joints);
                    known.confidence = known.confidence.min(found.confidence);
                }
            }
        }
        let used = |joint: &usize| slots.values().any(|found| found.joints.contains(joint));
        let mut unmapped = source.unmapped.clone();
        let left = source.slots.values().flat_map(|found| &found.joints);
        unmapped.extend(left.filter(|joint| !used(joint)));
        unmapped.sort_unstable();
        RigMap {
            profile: self.target,
            slots,
            unmapped,
            ..source.clone()
        }
    }

    /// The source's alignment in the words of the target's profile.
    pub fn alignment(&self, source: &Alignment) -> Alignment {
        let to = |slot: Slot| {
            let pair = self.pairs.iter().find(|pair| pair.0 == slot);
            pair.map(|pair| pair.1)
        };
        let mut result = source.clone();
        result.corrections.clear();
        for (&slot, &correction) in &source.corrections {
            if let Some(slot) = to(slot) {
                result.corrections.entry(slot).or_insert(correction);
            }
        }
        for slot in &mut result.slot_of_joint {
            *slot = slot.and_then(to);
        }
        result
    }
}

/// Brings an upright and a four-legged body into stances that go together: the arms of the upright one hang.
/// `maps` and `alignments` are those of source and target, each in its own words.
pub fn stand_alike(maps: (&RigMap, &RigMap), alignments: (&mut Alignment, &mut Alignment)) {
    match (maps.0.profile.stance, maps.1.profile.stance) {
        (Stance::Upright, Stance::FourLegged) => hang_arms(maps.0, alignments.0),
        (Stance::FourLegged, Stance::Upright) => hang_arms(maps.1, alignments.1),
        _ => {}
    }
}

/// Turns each whole arm of the retarget pose by the shortest arc that brings its upper part down.
fn hang_arms(map: &RigMap, alignment: &mut Alignment) {
    let old = alignment.corrections.clone();
    let correction = |slot: Slot| old.get(&slot).copied().unwrap_or(DQuat::IDENTITY);
    let of = |part: Part, side| {
        map.slots.keys().copied().find(|&slot| {
            let info = map.profile.info(slot);
            info.part == part && info.side == side
        })
    };
    for &slot in map.slots.keys() {
        let info = map.profile.info(slot);
        let is_arm = matches!(
            info.part,
            Part::UpperArm | Part::LowerArm | Part::Hand | Part::Thumb | Part::Finger
        );
        let (Some(upper), Some(lower)) =
            (of(Part::UpperArm, info.side), of(Part::LowerArm, info.side))
        else {
            continue;
        };
        let (Some(shoulder), Some(elbow)) = (map.joint(upper), map.joint(lower)) else {
            continue;
        };
        if is_arm {
            let place = |joint: usize| alignment.reference[joint].position;
            let along = correction(upper) * (place(elbow) - place(shoulder));
            let down = rotation_arc(along, DVec3::NEG_Y);
            alignment
                .corrections
                .insert(slot, unit(down * correction(slot)));
        }
    }
}

/// What a person calls the kind of a body.
fn kind_name(map: &RigMap) -> &'static str {
    // A body that was not recognised has the words of people and none of their slots.
    if map.slots.is_empty() {
        UNKNOWN_KIND
    } else {
        map.profile.name
    }
}

/// Whether chains by parts are worth to be advised: both bodies are surely known, and the chains drive all that the target must
/// have.
fn can_connect(source: &RigMap, target: &RigMap) -> bool {
    let is_known = |map: &RigMap| {
        map.confidence >= SURE && map.missing_required().is_empty() && map.kind != Kind::Other
    };
    let driven = by_part(source, target);
    let must_move = |slot: &Slot| target.profile.info(*slot).required;
    let is_driven = |slot: &Slot| driven.iter().any(|pair| pair.1 == *slot);
    let mut moved = target.slots.keys().filter(|slot| must_move(slot));
    is_known(source) && is_known(target) && moved.all(is_driven)
}

/// Slots of equal names, and those that do the same in the body.
fn by_part(source: &RigMap, target: &RigMap) -> Vec<(Slot, Slot)> {
    let (from, to) = (source.profile, target.profile);
    let mut pairs: Vec<(Slot, Slot)> = Vec::new();
    let mut rest: Vec<Slot> = Vec::new();
    for &slot in source.slots.keys() {
        match to.find(from.info(slot).name) {
            Some(twin) if role(to, twin) == role(from, slot) => pairs.push((slot, twin)),
            _ => rest.push(slot),
        }
    }
    for slot in rest {
        let wanted = role(from, slot);
        // A paw pushes off the ground; the hand of somebody who walks upright hangs.
        let is_paw = wanted.0 == Part::Hand;
        if is_paw && from.stance == Stance::FourLegged && to.stance == Stance::Upright {
            continue;
        }
        let alike = || to.all().filter(|&other| role(to, other) == wanted);
        let free = alike().find(|&other| !pairs.iter().any(|pair| pair.1 == other));
        // The torso is one chain, however many words each profile has for it.
        let last = alike()
            .filter(|&other| to.info(other).part == Part::Torso)
            .last();
        pairs.extend(free.or(last).map(|other| (slot, other)));
    }
    pairs
}

/// What a slot does, with what it hangs from where that tells more: toes of a foot, toes of a hand.
fn role(profile: &Profile, slot: Slot) -> (Part, f32, Option<Part>) {
    let info = profile.info(slot);
    let hangs = matches!(info.part, Part::Toes | Part::Cannon | Part::Limb);
    let limb = || {
        let mut at = profile.parent(slot);
        while let Some(above) = at {
            let part = profile.info(above).part;
            let is_end = matches!(
                part,
                Part::Hand
                    | Part::Foot
                    | Part::LowerArm
                    | Part::LowerLeg
                    | Part::Hips
                    | Part::Torso
            );
            if is_end {
                return Some(part);
            }
            at = profile.parent(above);
        }
        None
    };
    (info.part, info.side.sign(), hangs.then(limb).flatten())
}

fn find(profile: &Profile, name: &str, side: &str) -> Result<Slot, Error> {
    profile.find(name).ok_or_else(|| {
        let distance = |slot: &crate::profile::SlotInfo| {
            edit_distance(&name.to_lowercase(), &slot.name.to_lowercase())
        };
        let nearest = profile.slots.iter().min_by_key(|slot| distance(slot));
        Error::Recipe {
            what: format!(
                "the {side} is a {} and has no slot \"{name}\"",
                profile.name
            ),
            place: "chains".to_owned(),
            remedy: nearest.map_or_else(Remedy::default, |slot| {
                format!("did you mean \"{}\"?", slot.name).into()
            }),
        }
    })
}
