//! Mapping by words for parts of the body and the tree of joints, for unknown conventions.

use super::RunnerUp;
use super::draft::{ARM, Draft, LEG, SIDES, fill_chains};
use super::fingers::{find_face, find_fingers};
use super::rig::Rig;
use super::shape::add_fingers;
use super::topology::violations;
use super::trunk::{Limbs, put_trunk};
use super::words::{ARM_WORDS, LEG_WORDS, Said, read_words};
use crate::names::NameSide;
use crate::profile::HUMANOID;
use crate::profile::dialect::sided_name;
use rebone_model::Clamp as _;

/// Most joints that are considered for one slot of a limb.
const MOST_CANDIDATES: usize = 8;

/// The mapping that the words of the names suggest, with `shape` fingers without words too; `None` where they
/// do not make a body.
pub(super) fn map_by_vocabulary(rig: &Rig, shape: bool) -> Option<Draft> {
    let said = read_words(rig);
    let mut draft = Draft::new(&HUMANOID, "none", "words");
    let mut limbs = Limbs::default();
    for (index, side) in [NameSide::Left, NameSide::Right].into_iter().enumerate() {
        for (slots, words, of_leg) in [(ARM, &ARM_WORDS, false), (LEG, &LEG_WORDS, true)] {
            let candidates = limb_candidates(rig, &said, side, words, of_leg);
            let limb = find_limb(rig, &candidates, of_leg);
            for (place, slot) in slots.iter().enumerate() {
                if let Some((joint, fit)) = limb[place] {
                    let name = sided_name(SIDES[index], slot);
                    draft.put(&name, vec![joint], 0.6 + 0.3 * fit);
                    draft.rival(&name, rival(&candidates[place], &limb, fit));
                }
            }
            let upper = usize::from(!of_leg);
            let root = limb[upper].map(|(joint, _)| joint);
            if of_leg {
                limbs.legs[index] = root;
            } else {
                limbs.arms[index] = limb[0].map(|(joint, _)| joint).or(root);
            }
        }
    }
    put_trunk(rig, Some(&said), limbs, 0.85, &mut draft)?;
    find_fingers(rig, &said, &mut draft);
    if shape {
        add_fingers(rig, &said, &mut draft);
    }
    find_face(rig, &said, &mut draft);
    if !violations(rig, &draft).is_empty() {
        return None;
    }
    fill_chains(rig, &mut draft);
    Some(draft)
}

/// Joints that may be each slot of a limb by their words, the best first, with their fits.
type Candidates = [Vec<(usize, f32)>; 4];

/// What the words allow for the slots of a limb.
fn limb_candidates(
    rig: &Rig,
    said: &[Said],
    side: NameSide,
    words: &[(&str, [f32; 4])],
    of_leg: bool,
) -> Candidates {
    let size = rig.size();
    let mut candidates = Candidates::default();
    for (joint, says) in said.iter().enumerate() {
        if says.helper || says.side != Some(side) {
            continue;
        }
        if let Some((_, fits)) = words.iter().find(|(word, _)| *word == says.core) {
            // A joint in its parent's place moves nothing of its own.
            let parent = rig.skeleton.parent(joint);
            let is_dummy = parent
                .is_some_and(|parent| rig.rest[parent].distance(rig.rest[joint]) < 1e-4 * size);
            let worth = if of_leg && is_dummy { 0.8 } else { 1.0 };
            for (list, fit) in candidates.iter_mut().zip(fits) {
                if *fit > 0.0 {
                    list.push((joint, worth * *fit));
                }
            }
        }
    }
    for list in &mut candidates {
        list.sort_by(|a, b| {
            let skin = |joint: usize| rig.in_skin[joint];
            b.1.total_cmp(&a.1)
                .then(skin(b.0).cmp(&skin(a.0)))
                .then(a.0.cmp(&b.0))
        });
        list.truncate(MOST_CANDIDATES);
    }
    candidates
}

/// The second choice for a slot: the best that is no other slot of the limb.
fn rival(
    candidates: &[(usize, f32)],
    limb: &[Option<(usize, f32)>; 4],
    fit: f32,
) -> Option<RunnerUp> {
    let free = |joint: usize| limb.iter().flatten().all(|(taken, _)| *taken != joint);
    let (joint, second) = *candidates.iter().find(|(joint, _)| free(*joint))?;
    Some(RunnerUp {
        joint,
        margin: (fit - second).clamped(0.0, 1.0),
    })
}

/// The joints of a limb with their fits: of all ways to give words to slots along the tree the one
/// with the greatest sum. Slots that every body has count three times.
fn find_limb(rig: &Rig, candidates: &Candidates, of_leg: bool) -> [Option<(usize, f32)>; 4] {
    let weights = if of_leg {
        [3.0, 3.0, 3.0, 1.0]
    } else {
        [1.0, 3.0, 3.0, 3.0]
    };
    let mut best = Choice::default();
    choose(rig, candidates, weights, 0, Choice::default(), &mut best);
    best.joints
}

#[derive(Clone, Copy, Debug, Default)]
struct Choice {
    joints: [Option<(usize, f32)>; 4],
    score: f32,
}

fn choose(
    rig: &Rig,
    candidates: &Candidates,
    weights: [f32; 4],
    slot: usize,
    so_far: Choice,
    best: &mut Choice,
) {
    if slot == candidates.len() {
        if so_far.score > best.score + 1e-6 {
            *best = so_far;
        }
        return;
    }
    let above = so_far.joints[..slot].iter().rev().find_map(|found| *found);
    for &(joint, fit) in &candidates[slot] {
        let mut gain = weights[slot] * fit;
        if let Some((above, _)) = above {
            if above == joint || rig.is_within(joint, above) {
                continue;
            }
            if !rig.skeleton.is_ancestor(above, joint) {
                // Hands, feet and toes may hang from helper joints beside the limb.
                if slot < 2 || (slot == 2 && weights[0] < 2.0) {
                    continue;
                }
                gain -= 0.9 * weights[slot] * fit;
            }
        }
        let mut next = so_far;
        next.joints[slot] = Some((joint, fit));
        next.score += gain;
        choose(rig, candidates, weights, slot + 1, next, best);
    }
    choose(rig, candidates, weights, slot + 1, so_far, best);
}
