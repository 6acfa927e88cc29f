//! Fingers by shape: chains that start at a hand, the thumb the one that leads most aside, the others in
//! their order across the palm.

use super::limbs::is_tip;
use super::poses::Places;
use super::tree::Tree;
use crate::mapping::rig::Rig;
use rebone_model::Clamp as _;
use rebone_model::Vec3;

/// Most chains a hand may have; more are something else.
const MOST_FINGERS: usize = 5;

/// The fingers of one hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Fingers {
    /// From the metacarpal on, at most three joints.
    pub(super) thumb: Vec<usize>,
    /// In their order from the thumb on; from the knuckle on, at most three joints each.
    pub(super) others: Vec<Vec<usize>>,
    /// True where the chains end in joints that only mark finger tips.
    pub(super) has_tips: bool,
}

struct Chain {
    joints: Vec<usize>,
    /// First joint that moves on the palm.
    knuckle: usize,
}

/// The fingers that start at `hand`, or beside it at the joint that carries it.
pub(super) fn fingers(rig: &Rig, tree: &Tree, places: &Places, hand: usize, arm: usize) -> Fingers {
    let mut chains = Vec::new();
    for &child in &tree.children[hand] {
        collect(tree, child, &mut chains);
    }
    if chains.len() < 2 {
        // Palms that hang beside the hand from the lower arm.
        let near = 0.5 * places[hand].distance(places[arm]);
        let beside = tree.children[arm].iter().copied().filter(|&child| {
            !rig.is_within(child, hand)
                && places[child].distance(places[hand]) < near
                && !tree.children[child].is_empty()
        });
        for child in beside {
            collect(tree, child, &mut chains);
        }
    }
    chains.retain(|chain| chain.len() > 1 || !is_tip(rig, chain[0]));
    // Props and end points have no joints of their own; where there are fingers, they are the longer ones.
    if chains.iter().any(|chain| chain.len() > 1) {
        chains.retain(|chain| chain.len() > 1);
    }
    if chains.len() < 2 || chains.len() > MOST_FINGERS || chains.iter().all(|chain| chain.len() < 2)
    {
        return Fingers::default();
    }
    let has_tips = tips(rig, tree, &chains);
    let chains: Vec<Chain> = chains
        .into_iter()
        .map(|chain| trimmed(rig, tree, chain, has_tips))
        .filter(|chain| !chain.joints.is_empty())
        .collect();
    order(places, hand, chains, has_tips)
}

/// The ways down from a joint without branches: what lies before the last branching is palm.
fn collect(tree: &Tree, first: usize, chains: &mut Vec<Vec<usize>>) {
    let mut chain = vec![first];
    let mut at = first;
    loop {
        match tree.children[at].as_slice() {
            [] => break,
            [only] => {
                chain.push(*only);
                at = *only;
            }
            several => {
                let deep: Vec<usize> = several
                    .iter()
                    .copied()
                    .filter(|&c| !tree.children[c].is_empty())
                    .collect();
                if let [only] = deep.as_slice() {
                    chain.push(*only);
                    at = *only;
                    continue;
                }
                for &child in several {
                    collect(tree, child, chains);
                }
                return;
            }
        }
    }
    chains.push(chain);
}

/// Whether the last joints of fingers only mark their tips: they do where every finger, the thumb too, has
/// four joints or more of falling length, or where the skin leaves them out.
fn tips(rig: &Rig, tree: &Tree, chains: &[Vec<usize>]) -> bool {
    let marked = |chain: &Vec<usize>| chain.last().is_some_and(|&last| is_tip(rig, last));
    if chains.iter().all(marked) {
        return true;
    }
    let longest = chains.iter().map(Vec::len).max().unwrap_or(0);
    let shortest = chains.iter().map(Vec::len).min().unwrap_or(0);
    let stub = |chain: &Vec<usize>| {
        chain
            .last()
            .is_some_and(|&last| tree.length[last] < 0.1 * tree.length[chain[chain.len() - 2]])
    };
    (chains.len() > 1 && shortest > 3) || (longest > 3 && chains.iter().all(stub)) || (longest > 4)
}

/// A chain without end point and without joints inside the palm.
fn trimmed(rig: &Rig, tree: &Tree, mut chain: Vec<usize>, has_tips: bool) -> Chain {
    if chain.len() > 1 && (has_tips || is_tip(rig, chain[chain.len() - 1])) {
        chain.pop();
    }
    let knuckle = chain
        .len()
        .checked_sub(3)
        .map_or(chain[0], |first| chain[first]);
    let _ = tree;
    Chain {
        joints: chain,
        knuckle,
    }
}

fn order(places: &Places, hand: usize, chains: Vec<Chain>, has_tips: bool) -> Fingers {
    let origin = places[hand];
    let last = |chain: &Chain| chain.joints.last().map_or(origin, |&joint| places[joint]);
    let direction = |chain: &Chain| {
        let first = places[chain.joints[0]];
        let next = chain.joints.get(1).map_or(origin, |&joint| places[joint]);
        if chain.joints.len() > 1 {
            (next - first).normalize_or_zero()
        } else {
            (first - origin).normalize_or_zero()
        }
    };
    let count = chains.len();
    let aside = |index: usize| {
        // Against the others: a thumb leads elsewhere, starts nearer to the wrist and ends earlier.
        let others = || {
            (0..count)
                .filter(|&other| other != index)
                .map(|other| &chains[other])
        };
        let axis: Vec3 = others().map(|chain| last(chain) - origin).sum();
        let axis = axis.normalize_or_zero();
        let number = (count - 1).max(1) as f32;
        let along = |point: Vec3| (point - origin).dot(axis);
        let base = others()
            .map(|chain| along(places[chain.knuckle]))
            .sum::<f32>()
            / number;
        let end = others().map(|chain| along(last(chain))).sum::<f32>() / number;
        let own = &chains[index];
        let scale = end.max(f32::MIN_POSITIVE);
        let start = (base - along(places[own.joints[0]])) / scale;
        let reach = (end - along(last(own))) / scale;
        let turned = 1.0 - direction(own).dot(axis);
        start.clamped(-1.0, 1.0) + reach.clamped(-1.0, 1.0) + 1.5 * turned
    };
    let thumb = (count > 1)
        .then(|| (0..count).max_by(|&a, &b| aside(a).total_cmp(&aside(b)).then(b.cmp(&a))))
        .flatten();
    let mut fingers = Fingers {
        has_tips,
        ..Fingers::default()
    };
    let Some(thumb) = thumb else {
        fingers.others = chains
            .into_iter()
            .map(|chain| tail(&chain.joints))
            .collect();
        return fingers;
    };
    let mut others: Vec<&Chain> = (0..count)
        .filter(|&at| at != thumb)
        .map(|at| &chains[at])
        .collect();
    // Across the palm: along the line between the two knuckles farthest apart, from the thumb's side.
    let mut across = Vec3::ZERO;
    for a in &others {
        for b in &others {
            let apart = places[b.knuckle] - places[a.knuckle];
            if apart.length() > across.length() {
                across = apart;
            }
        }
    }
    let centre = others
        .iter()
        .map(|chain| places[chain.knuckle])
        .sum::<Vec3>()
        / others.len().max(1) as f32;
    let tip = last(&chains[thumb]);
    let start = places[chains[thumb].joints[0]];
    if ((start + tip) / 2.0 - centre).dot(across) > 0.0 {
        across = -across;
    }
    others.sort_by(|a, b| {
        let at = |chain: &Chain| places[chain.knuckle].dot(across);
        at(a).total_cmp(&at(b))
    });
    fingers.thumb = tail(&chains[thumb].joints);
    fingers.others = others
        .into_iter()
        .map(|chain| tail(&chain.joints))
        .collect();
    fingers
}

/// The last three joints.
fn tail(joints: &[usize]) -> Vec<usize> {
    joints[joints.len().saturating_sub(3)..].to_vec()
}
