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
        .map(|chain| trimmed(rig, chain, has_tips))
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
fn trimmed(rig: &Rig, mut chain: Vec<usize>, has_tips: bool) -> Chain {
    if chain.len() > 1 && (has_tips || is_tip(rig, chain[chain.len() - 1])) {
        chain.pop();
    }
    let knuckle = chain
        .len()
        .checked_sub(3)
        .map_or(chain[0], |first| chain[first]);
    Chain {
        joints: chain,
        knuckle,
    }
}

fn order(places: &Places, hand: usize, chains: Vec<Chain>, has_tips: bool) -> Fingers {
    let hand = Hand {
        places,
        wrist: places[hand],
        chains,
    };
    let thumb = hand.thumb();
    let others = match thumb {
        Some(thumb) => hand.across_the_palm(thumb),
        None => hand.chains.iter().collect(),
    };
    Fingers {
        thumb: thumb.map_or_else(Vec::new, |thumb| tail(&hand.chains[thumb].joints)),
        others: others.iter().map(|chain| tail(&chain.joints)).collect(),
        has_tips,
    }
}

/// The chains of a hand in a pose.
struct Hand<'a> {
    places: &'a Places,
    wrist: Vec3,
    chains: Vec<Chain>,
}

impl Hand<'_> {
    /// Where a chain ends.
    fn tip(&self, chain: &Chain) -> Vec3 {
        let last = chain.joints.last();
        last.map_or(self.wrist, |&joint| self.places[joint])
    }

    /// Where a chain leads at its beginning.
    fn direction(&self, chain: &Chain) -> Vec3 {
        let first = self.places[chain.joints[0]];
        match chain.joints.get(1) {
            Some(&next) => (self.places[next] - first).normalize_or_zero(),
            None => (first - self.wrist).normalize_or_zero(),
        }
    }

    /// The chains besides one.
    fn others(&self, index: usize) -> impl Iterator<Item = &Chain> {
        let all = self.chains.iter().enumerate();
        all.filter(move |(other, _)| *other != index)
            .map(|(_, chain)| chain)
    }

    /// How much a chain is a thumb beside the others: it leads elsewhere, starts nearer to the wrist and ends earlier.
    fn likeness_to_thumb(&self, index: usize) -> f32 {
        let axis: Vec3 = self
            .others(index)
            .map(|chain| self.tip(chain) - self.wrist)
            .sum();
        let axis = axis.normalize_or_zero();
        let number = (self.chains.len() - 1).max(1) as f32;
        let along = |point: Vec3| (point - self.wrist).dot(axis);
        let base = self
            .others(index)
            .map(|chain| along(self.places[chain.knuckle]))
            .sum::<f32>()
            / number;
        let end = self
            .others(index)
            .map(|chain| along(self.tip(chain)))
            .sum::<f32>()
            / number;
        let own = &self.chains[index];
        let scale = end.max(f32::MIN_POSITIVE);
        let start = (base - along(self.places[own.joints[0]])) / scale;
        let reach = (end - along(self.tip(own))) / scale;
        let turned = 1.0 - self.direction(own).dot(axis);
        start.clamped(-1.0, 1.0) + reach.clamped(-1.0, 1.0) + 1.5 * turned
    }

    /// The chain that is most of a thumb; `None` if there is only one chain.
    fn thumb(&self) -> Option<usize> {
        let count = self.chains.len();
        let likeness = |index: usize| self.likeness_to_thumb(index);
        (count > 1)
            .then(|| {
                (0..count).max_by(|&a, &b| likeness(a).total_cmp(&likeness(b)).then(b.cmp(&a)))
            })
            .flatten()
    }

    /// The chains besides the thumb in the order in which they follow it: along the line between the two knuckles farthest
    /// apart, from the thumb's side.
    fn across_the_palm(&self, thumb: usize) -> Vec<&Chain> {
        let mut others: Vec<&Chain> = self.others(thumb).collect();
        let knuckle = |chain: &Chain| self.places[chain.knuckle];
        let mut across = Vec3::ZERO;
        for a in &others {
            for b in &others {
                let apart = knuckle(b) - knuckle(a);
                if apart.length() > across.length() {
                    across = apart;
                }
            }
        }
        let sum = others.iter().map(|chain| knuckle(chain)).sum::<Vec3>();
        let centre = sum / others.len().max(1) as f32;
        let thumb = &self.chains[thumb];
        let start = self.places[thumb.joints[0]];
        if ((start + self.tip(thumb)) / 2.0 - centre).dot(across) > 0.0 {
            across = -across;
        }
        others.sort_by(|a, b| {
            let at = |chain: &Chain| knuckle(chain).dot(across);
            at(a).total_cmp(&at(b))
        });
        others
    }
}

/// The last three joints.
fn tail(joints: &[usize]) -> Vec<usize> {
    joints[joints.len().saturating_sub(3)..].to_vec()
}
