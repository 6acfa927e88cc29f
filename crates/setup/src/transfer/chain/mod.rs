//! Chains: the joints of one part of the body, which two rigs may cut into different numbers.
//!
//! | part | `auto` |
//! |---|---|
//! | torso | equal counts one to one, else `spread` |
//! | neck of a person | one to one from the root (a single joint takes that of the source's first) |
//! | neck of an animal | equal counts one to one, else `mid-slerp`, from what carries it where the target has more joints |
//! | ear, trunk, tail, limb | equal counts one to one, else `overlap` |
//! | finger, thumb | one to one from the knuckle; more joints of the target share the last bend by length |
//! | all others | equal counts one to one, else the first joint takes that of the first |
//!
//! Equal counts go one to one in every mode but `match-chain`, `copy-local` and `none`. A finger is one chain over its
//! slots. The files beside this one hold the formulas. Source: docs/laws.md, "Chains of unlike joint counts".

mod fingers;
mod legs;
mod mode;
mod share;
mod stretch;

pub(crate) use mode::SlotModes;
pub use mode::{ChainMode, ChainModes};

use super::Turns;
use super::model_delta::model;
use crate::align::Alignment;
use crate::links::Link;
use crate::mapping::RigMap;
use crate::profile::{Part, Slot, Stance};
use crate::transfer::model_delta::unit;
use glam::DQuat;
use rebone_model::Skeleton;
use rebone_runtime::RotationOp;

pub(super) use legs::{fold_cannons, follow_thighs, halve_wrists};
pub(super) use share::Pair;

/// One chain on both sides.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// Its slots, from root to tip.
    slots: Vec<Slot>,
    /// Source joints, parent to child.
    source: Vec<usize>,
    /// Target joints, parent to child.
    target: Vec<usize>,
    /// The source joint that carries the chain.
    carrier: Option<usize>,
    /// The joint in which the source's chain ends.
    source_tip: Option<usize>,
    /// The joint in which the target's chain ends.
    target_tip: Option<usize>,
}

/// One side of a transfer.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// Its joints.
    pub skeleton: &'a Skeleton,
    /// Its slots, in the words of the target's profile.
    pub map: &'a RigMap,
    /// Its retarget pose.
    pub alignment: &'a Alignment,
}

impl Side<'_> {
    /// Retarget-pose rotation of what a joint hangs from, canonical.
    fn above(&self, joint: usize) -> DQuat {
        let parent = self.skeleton.parent(joint);
        parent.map_or(self.alignment.canonical_from_file, |parent| {
            self.alignment.retarget_rotation(parent)
        })
    }
}

/// The source and the target.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'a> {
    /// Who moves.
    pub source: Side<'a>,
    /// Who is moved.
    pub target: Side<'a>,
}

/// Operations of all chains.
pub(super) fn rotations(sides: Sides<'_>, links: &[Link], modes: &SlotModes, turns: &mut Turns) {
    let map = sides.target.map;
    for chain in chains(sides, links) {
        chain_rotations(sides, &chain, modes.of(map, &chain.slots), turns);
    }
}

fn chain_rotations(sides: Sides<'_>, chain: &Chain, mode: ChainMode, turns: &mut Turns) {
    let (source, target) = (sides.source.alignment, sides.target.alignment);
    let pair = Pair { source, target };
    let map = sides.target.map;
    let Some(&slot) = chain.slots.first() else {
        return;
    };
    let is_equal = chain.source.len() == chain.target.len();
    match (mode, map.profile.info(slot).part) {
        (ChainMode::None, _) => {}
        (ChainMode::CopyLocal, _) => copy_local(sides, chain, turns),
        (ChainMode::MatchChain, _) => share::share(pair, chain, mode, turns),
        (ChainMode::OneToOneReversed, _) => {
            let from = chain.source.iter().rev();
            for (&from, &to) in from.zip(chain.target.iter().rev()) {
                turns.rotations[to] = model(source, target, from, to);
            }
        }
        (ChainMode::Auto, Part::Finger | Part::Thumb) => {
            fingers::finger(pair, chain, turns);
        }
        (ChainMode::OneToOne, _) => one_to_one(pair, chain, turns),
        _ if is_equal => one_to_one(pair, chain, turns),
        (ChainMode::Auto, Part::Torso) => {
            // A torso without hips to bend from is as the joints above leave it.
            if chain.carrier.is_some() {
                share::share(pair, chain, ChainMode::Spread, turns);
            }
        }
        (ChainMode::Auto, Part::Neck) if map.profile.stance == Stance::Upright => {
            one_to_one(pair, chain, turns);
        }
        (ChainMode::Auto, Part::Neck) => share::bend_from_root(pair, chain, turns),
        (ChainMode::Auto, Part::Ear | Part::Trunk | Part::Tail | Part::Limb) => {
            share::share(pair, chain, ChainMode::Overlap, turns);
        }
        (ChainMode::Auto, _) => {
            if let (Some(&from), Some(&to)) = (chain.source.first(), chain.target.first()) {
                turns.rotations[to] = model(source, target, from, to);
            }
        }
        _ => share::share(pair, chain, mode, turns),
    }
}

fn one_to_one(pair: Pair<'_>, chain: &Chain, turns: &mut Turns) {
    for (&from, &to) in chain.source.iter().zip(&chain.target) {
        turns.rotations[to] = model(pair.source, pair.target, from, to);
    }
}

/// v = B_p⁻¹ · A_p · w · A⁻¹ · B: what a joint does against its own parent.
fn copy_local(Sides { source, target }: Sides<'_>, chain: &Chain, turns: &mut Turns) {
    for (&from, &to) in chain.source.iter().zip(&chain.target) {
        let own = |side: &Side<'_>, joint: usize| side.alignment.retarget_rotation(joint);
        turns.rotations[to] = RotationOp::Local {
            source: from,
            left: unit(target.above(to).conjugate() * source.above(from)),
            right: unit(own(&source, from).conjugate() * own(&target, to)),
        };
    }
}

/// Links as chains: the slots of a finger together, each other link alone.
fn chains(Sides { source, target }: Sides<'_>, links: &[Link]) -> Vec<Chain> {
    let map = target.map;
    let mut result: Vec<Chain> = Vec::new();
    for link in links {
        let part = map.profile.info(link.slot).part;
        let above = map.profile.parent(link.slot);
        let is_digit = matches!(part, Part::Finger | Part::Thumb);
        let finger = result
            .iter_mut()
            .find(|chain| is_digit && above.is_some() && chain.slots.last().copied() == above)
            .filter(|chain| map.profile.info(chain.slots[0]).part == part);
        if let Some(finger) = finger {
            finger.slots.push(link.slot);
            finger.source.extend(&link.source);
            finger.target.extend(&link.target);
            continue;
        }
        result.push(Chain {
            slots: slots_of(map, link.slot),
            source: link.source.clone(),
            target: link.target.clone(),
            carrier: carrier(map, links, link.slot),
            source_tip: None,
            target_tip: None,
        });
    }
    for chain in &mut result {
        let part = chain.slots.first().map(|&slot| map.profile.info(slot).part);
        if matches!(part, Some(Part::Finger | Part::Thumb)) {
            chain.take_rest_of_finger(source.map, map);
        }
        chain.source_tip = tip(source.map, &chain.slots);
        chain.target_tip = tip(map, &chain.slots);
    }
    result
}

impl Chain {
    /// Joints of slots further out that one side alone has.
    fn take_rest_of_finger(&mut self, source: &RigMap, target: &RigMap) {
        while let Some(&last) = self.slots.last() {
            let profile = target.profile;
            let part = profile.info(last).part;
            let next = profile.all().find(|&slot| {
                profile.parent(slot) == Some(last) && profile.info(slot).part == part
            });
            let Some(next) = next else {
                return;
            };
            let joints = |map: &RigMap| {
                let found = map.slots.get(&next);
                found.map_or_else(Vec::new, |found| found.joints.clone())
            };
            self.source.extend(joints(source));
            self.target.extend(joints(target));
            self.slots.push(next);
        }
    }
}

/// The slots of a chain: those of a torso are one.
fn slots_of(map: &RigMap, slot: Slot) -> Vec<Slot> {
    if map.profile.info(slot).part != Part::Torso {
        return vec![slot];
    }
    let is_torso = |slot: &Slot| map.profile.info(*slot).part == Part::Torso;
    map.profile.all().filter(is_torso).collect()
}

/// The joint in which a chain ends: the first that hangs from it in another slot.
fn tip(map: &RigMap, slots: &[Slot]) -> Option<usize> {
    let hangs = |slot: &Slot| {
        let above = map.present_parent(*slot);
        !slots.contains(slot) && above.is_some_and(|above| slots.contains(&above))
    };
    let below = map.slots.keys().copied().find(hangs)?;
    map.joint(below)
}

/// The source joint of the nearest slot above a slot: the last of its chain, but the first of the hips.
fn carrier(map: &RigMap, links: &[Link], slot: Slot) -> Option<usize> {
    let mut at = map.profile.parent(slot);
    while let Some(above) = at {
        if let Some(link) = links.iter().find(|link| link.slot == above) {
            let is_hips = map.profile.info(above).part == Part::Hips;
            return if is_hips {
                link.source.first().copied()
            } else {
                link.source.last().copied()
            };
        }
        at = map.profile.parent(above);
    }
    None
}
