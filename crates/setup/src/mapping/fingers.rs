//! Fingers and face by their words.

use super::draft::{Draft, FINGERS, SIDES};
use super::rig::Rig;
use super::words::{FINGER_WORDS, PALM_WORDS, Said};
use crate::names::NameSide;
use crate::profile::dialect::{finger_parts, sided_name};

const SIDE_NAMES: [NameSide; 2] = [NameSide::Left, NameSide::Right];

/// Words that say that a joint is of a finger, but not of which.
const ANY_FINGER_WORDS: [&str; 5] = ["finger", "fingers", "fing", "digit", "digits"];

/// A first bone this many times as long as the second lies inside the palm.
const PALM_BONE: f32 = 1.3;

/// Fills the fingers of each hand that has none yet: chains of two or more joints below the lower
/// arm whose names say which finger they are, by a word or by a number.
pub(super) fn find_fingers(rig: &Rig, said: &[Said], draft: &mut Draft) {
    for (side, stated) in SIDES.into_iter().zip(SIDE_NAMES) {
        let taken = FINGERS.iter().any(|finger| {
            let parts = finger_parts(finger);
            parts
                .iter()
                .any(|part| draft.sided(side, &format!("{finger}{part}")).is_some())
        });
        let Some(arm) = draft.sided(side, "LowerArm").filter(|_| !taken) else {
            continue;
        };
        let of_hand: Vec<usize> = (0..rig.len())
            .filter(|&joint| {
                rig.skeleton.is_ancestor(arm, joint)
                    && said[joint].side.is_none_or(|side| side == stated)
                    && !said[joint].helper
                    && !draft.uses(joint)
            })
            .collect();
        let mut chains = named_chains(rig, &of_hand);
        if chains[1..].iter().all(Vec::is_empty) {
            add_numbered_chains(rig, &of_hand, &mut chains);
        }
        for (finger, chain) in FINGERS.into_iter().zip(chains) {
            for (part, joint) in finger_parts(finger).into_iter().zip(chain) {
                let name = sided_name(side, &format!("{finger}{part}"));
                draft.put(&name, vec![joint], 0.85);
            }
        }
    }
}

/// True if a name says that a joint is of a finger.
pub(super) fn speaks_of_fingers(rig: &Rig, joint: usize) -> bool {
    has_word(rig, joint, &ANY_FINGER_WORDS)
}

fn has_word(rig: &Rig, joint: usize, words: &[&str]) -> bool {
    let mut tokens = rig.tokens[joint].iter();
    tokens.any(|token| words.contains(&token.as_str()))
}

/// The joints of each finger that a word names, in the order of [`FINGERS`]; empty if fewer than two.
fn named_chains(rig: &Rig, of_hand: &[usize]) -> [Vec<usize>; 5] {
    let mut chains: [Vec<usize>; 5] = Default::default();
    for ((finger, words), chain) in FINGERS.into_iter().zip(FINGER_WORDS).zip(&mut chains) {
        for &joint in of_hand {
            let fits = has_word(rig, joint, words)
                && (finger == "Thumb" || !has_word(rig, joint, &PALM_WORDS));
            let follows = chain
                .last()
                .is_none_or(|&last| rig.skeleton.is_ancestor(last, joint));
            if fits && follows && chain.len() < 3 {
                chain.push(joint);
            }
        }
        if chain.len() < 2 {
            chain.clear();
        }
    }
    chains
}

/// Adds fingers whose names tell them apart by number only, counted from the thumb: `finger3-2`, `Finger2Medial`,
/// `Finger32`. Leaves everything as it is if the numbers do not tell the fingers apart.
fn add_numbered_chains(rig: &Rig, of_hand: &[usize], chains: &mut [Vec<usize>; 5]) {
    let is_finger = |joint: &usize| has_word(rig, *joint, &ANY_FINGER_WORDS);
    let has_thumb = !chains[0].is_empty();
    let joints: Vec<usize> = of_hand.iter().copied().filter(is_finger).collect();
    let children = |joint: usize| {
        let below = joints.iter().copied();
        below.filter(move |&child| rig.skeleton.parent(child) == Some(joint))
    };
    let mut numbered: Vec<(u32, Vec<usize>)> = Vec::new();
    for &first in &joints {
        let above = rig.skeleton.parent(first);
        let goes_on =
            above.is_some_and(|above| joints.contains(&above) && children(above).count() == 1);
        // A joint that carries several fingers is the palm.
        if goes_on || children(first).count() > 1 {
            continue;
        }
        let mut chain = vec![first];
        while let [next] = children(chain[chain.len() - 1]).collect::<Vec<_>>()[..] {
            chain.push(next);
        }
        if chain.len() < 2 {
            continue;
        }
        let Some(number) = number_of(rig, &chain) else {
            return;
        };
        numbered.push((number, without_palm(rig, chain)));
    }
    numbered.sort_unstable();
    let distinct = numbered.windows(2).all(|pair| pair[0].0 != pair[1].0);
    // Four fingers counted from one may begin with the thumb or with the index finger.
    let begins_with_thumb =
        numbered.len() == 5 || numbered.first().is_some_and(|(number, _)| *number == 0);
    let free = if has_thumb {
        &mut chains[1..]
    } else {
        &mut chains[..]
    };
    if distinct && numbered.len() <= free.len() && (has_thumb || begins_with_thumb) {
        for (slot, (_, chain)) in free.iter_mut().zip(numbered) {
            *slot = chain;
        }
    }
}

/// The number that all joints of a finger share.
fn number_of(rig: &Rig, chain: &[usize]) -> Option<u32> {
    let numbers = |joint: usize| -> Vec<&str> {
        let tokens = rig.tokens[joint].iter().map(String::as_str);
        tokens
            .filter(|token| token.bytes().all(|c| c.is_ascii_digit()))
            .collect()
    };
    let all: Vec<Vec<&str>> = chain.iter().map(|&joint| numbers(joint)).collect();
    let shared = |place: usize| {
        let first = *all[0].get(place)?;
        let is_shared = all.iter().all(|one| one.get(place) == Some(&first));
        is_shared.then(|| first.parse().ok()).flatten()
    };
    // Finger and joint run together: Finger3, Finger31, Finger32.
    let leading = || {
        let first = all[0].first()?.get(..1)?;
        let run_together =
            |one: &Vec<&str>| one.len() == 1 && one[0].len() <= 2 && one[0].starts_with(first);
        let is_joint = |one: &Vec<&str>| one[0].len() == 2;
        (all.iter().all(run_together) && all[1..].iter().all(is_joint))
            .then(|| first.parse().ok())
            .flatten()
            // The joints 01, 02, 03 of a finger without a number look alike on every finger.
            .filter(|_| all[0][0].len() == 1 || first != "0")
    };
    shared(0).or_else(|| shared(1)).or_else(leading)
}

/// At most three joints of a finger; of four or more, those from the knuckle on.
fn without_palm(rig: &Rig, mut chain: Vec<usize>) -> Vec<usize> {
    if let [first, second, third, _, ..] = chain[..] {
        let bone = |from: usize, to: usize| rig.rest[from].distance(rig.rest[to]);
        if bone(first, second) > PALM_BONE * bone(second, third) {
            chain.remove(0);
        }
    }
    chain.truncate(3);
    chain
}

/// Fills eyes and jaw where joints below the head are called so.
pub(super) fn find_face(rig: &Rig, said: &[Said], draft: &mut Draft) {
    let Some(head) = draft.first("head") else {
        return;
    };
    let find = |side: Option<NameSide>, words: &[&str]| {
        (0..rig.len()).find(|&joint| {
            let says = &said[joint];
            says.side == side
                && !says.helper
                && words.contains(&says.core.as_str())
                && rig.skeleton.is_ancestor(head, joint)
        })
    };
    let jaw = find(None, &["jaw", "lowerjaw", "jawlower"]);
    let eyes = SIDE_NAMES.map(|side| find(Some(side), &["eye", "eyeball", "faceeye"]));
    if draft.first("jaw").is_none() {
        draft.put("jaw", jaw.into_iter().collect(), 0.85);
    }
    for (side, eye) in SIDES.into_iter().zip(eyes) {
        if draft.sided(side, "Eye").is_none() {
            draft.put(&sided_name(side, "Eye"), eye.into_iter().collect(), 0.85);
        }
    }
}
