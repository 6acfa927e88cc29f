//! The trunk of an animal: pelvis, spine, neck, head with ears, jaw and eyes, tail.

use super::draft::Draft;
use super::quadruped_legs::{Animal, LegPair, chain_from};
use super::quadruped_words::{Word, is};
use super::rig::Rig;

/// So many joints that hang from a head without a name are a trunk: a jaw or a nose has fewer.
const TRUNK_JOINTS: usize = 3;
/// A joint hangs if the cosine between its way and up is below this: about 45 degrees from straight down.
const FALLS: f32 = -0.7;

/// The joints between the legs.
#[derive(Clone, Debug)]
pub(super) struct Trunk {
    pub(super) hips: usize,
    /// From behind the hips to the joint that carries the front legs.
    pub(super) spine: Vec<usize>,
}

/// Pelvis and spine between two pairs of legs; `None` where the legs do not hang from one body.
pub(super) fn trunk_of(rig: &Rig, hind: &LegPair, front: &LegPair) -> Option<Trunk> {
    let above = |pair: &LegPair| {
        let tops = pair.legs.each_ref().map(|leg| leg[0]);
        rig.common_ancestor(&tops)
    };
    let (behind, ahead) = (above(hind)?, above(front)?);
    let hips = rig.common_ancestor(&[behind, ahead])?;
    if !rig.is_joint(hips) {
        return None;
    }
    let mut spine = rig.between(hips, ahead).unwrap_or_default();
    if ahead != hips {
        spine.push(ahead);
    }
    Some(Trunk { hips, spine })
}

/// Confidence in a slot, by whether a name confirms it.
fn sure(named: bool) -> f32 {
    if named { 0.95 } else { 0.75 }
}

/// Fills the slots of the trunk and of what hangs from it.
pub(super) fn put_trunk(animal: &Animal<'_>, trunk: &Trunk, draft: &mut Draft) {
    let rig = animal.rig;
    let hips_named = is(rig, trunk.hips, Word::Hips) || is(rig, trunk.hips, Word::Spine);
    draft.put("hips", vec![trunk.hips], sure(hips_named));

    let last = trunk.spine.last().copied().unwrap_or(trunk.hips);
    let onwards = animal.onwards(last);
    let mut beyond = onwards.map_or_else(Vec::new, |first| animal.centre_chain(first));
    let withers = beyond.len().min(animal.withers_in(&beyond));
    let mut spine = trunk.spine.clone();
    spine.extend(beyond.drain(..withers));
    let spine_named = spine
        .iter()
        .any(|&joint| is(rig, joint, Word::Spine) || is(rig, joint, Word::Chest));
    if spine.len() > 1
        && let Some(chest) = spine.pop_if(|last| is(rig, *last, Word::Chest))
    {
        draft.put("chest", vec![chest], 0.95);
    }
    draft.put("spine", spine, sure(spine_named));

    if !beyond.is_empty() {
        animal.put_head(&beyond, draft);
    }
    // The tail hangs from the pelvis, or from a joint beside it.
    let tail = animal.tail(trunk.hips, |joint| {
        rig.is_within(joint, last) || draft.uses(joint)
    });
    if let Some(tail) = tail {
        let named = is(rig, tail, Word::Tail);
        draft.put("tail", animal.centre_chain(tail), sure(named));
    }
}

impl Animal<'_> {
    /// True for joints near the plane of symmetry.
    fn on_plane(&self, joint: usize) -> bool {
        let middle = self.hind.top(self.positions);
        let aside = (self.positions[joint] - middle).dot(self.hind.across);
        aside.abs() < 0.06 * self.rig.size_in(self.positions)
    }

    /// The children of a joint that are no legs.
    fn ways(&self, from: usize) -> impl Iterator<Item = usize> {
        let children = self.rig.children[from].iter().copied();
        children.filter(|&child| {
            let is_leg = self.hind.uses(child) || self.front.uses(child);
            self.rig.is_joint(child) && !is_leg
        })
    }

    /// The joint with which the trunk goes on from the joint that carries the front legs: towards the head.
    fn onwards(&self, last: usize) -> Option<usize> {
        let rank = |joint: usize| {
            let named = is(self.rig, joint, Word::Neck) || is(self.rig, joint, Word::Head);
            let way = self.positions[joint] - self.positions[last];
            (named, self.rig.below[joint], way.dot(self.ground.forward))
        };
        self.ways(last)
            .filter(|&child| self.on_plane(child))
            .max_by(|&a, &b| {
                let (a, b) = (rank(a), rank(b));
                a.0.cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2))
            })
    }

    /// The first joint of the tail: one that is called so, or leads backwards from the hips.
    fn tail(&self, hips: usize, is_other: impl Fn(usize) -> bool) -> Option<usize> {
        let is_tail = |child: &usize| {
            let chain = self.centre_chain(*child);
            let end = chain.last().copied().unwrap_or(*child);
            let way = self.positions[end] - self.hind.top(self.positions);
            let leads_back = way.dot(self.ground.forward) < 0.0;
            self.on_plane(*child) && (is(self.rig, *child, Word::Tail) || leads_back)
        };
        self.ways(hips)
            .filter(|&child| !is_other(child))
            .filter(is_tail)
            .max_by_key(|&child| {
                (
                    is(self.rig, child, Word::Tail),
                    self.rig.below[child],
                    usize::MAX - child,
                )
            })
    }

    /// Down the plane of symmetry from a joint, always into the largest branch.
    fn centre_chain(&self, first: usize) -> Vec<usize> {
        let rig = self.rig;
        let mut chain = vec![first];
        let mut at = first;
        loop {
            let children = rig.children[at].iter().copied();
            let central = children.filter(|&child| {
                let side = rig.own_keys[child].side.is_some();
                rig.is_joint(child) && !side && self.on_plane(child) && !self.has_twin(child)
            });
            let own = |joint: usize| is(rig, joint, Word::Head) || is(rig, joint, Word::Neck);
            let Some(next) = central
                .filter(|&child| !is(rig, child, Word::Ear) && !is(rig, child, Word::Eye))
                .max_by_key(|&child| (own(child), rig.below[child], usize::MAX - child))
            else {
                return chain;
            };
            chain.push(next);
            at = next;
        }
    }

    /// How many joints of the chain beyond the front legs still belong to the spine: those before the first that
    /// is called neck; where none is, those whose way onward lies behind the front legs.
    fn withers_in(&self, chain: &[usize]) -> usize {
        let (rig, positions, forward) = (self.rig, self.positions, self.ground.forward);
        if let Some(neck) = chain.iter().position(|&joint| is(rig, joint, Word::Neck)) {
            return neck;
        }
        let top = self.front.top(positions).dot(forward);
        let behind = |pair: &[usize]| {
            let middle = (positions[pair[0]] + positions[pair[1]]) / 2.0;
            middle.dot(forward) < top && !is(rig, pair[0], Word::Head)
        };
        chain.windows(2).take_while(|pair| behind(pair)).count()
    }

    /// True where a sibling with as much below it stands beside the joint: an ear, an eye, a horn.
    fn has_twin(&self, joint: usize) -> bool {
        let (rig, positions) = (self.rig, self.positions);
        let Some(parent) = rig.skeleton.parent(joint) else {
            return false;
        };
        rig.children[parent].iter().any(|&other| {
            let middle = (positions[joint] + positions[other]) / 2.0 - positions[parent];
            let apart = positions[joint] - positions[other];
            other != joint
                && rig.below[other] == rig.below[joint]
                && apart.length() > 0.01 * rig.size_in(positions)
                && middle.dot(apart).abs() < 0.3 * apart.length_squared()
        })
    }

    /// The first joint of a trunk: a neck leads up or ahead, and from its end several joints lead straight down.
    fn trunk_in(&self, chain: &[usize]) -> Option<usize> {
        let falls = |place: usize| {
            let way = self.positions[chain[place]] - self.positions[chain[place - 1]];
            way.normalize_or_zero().dot(self.ground.up) < FALLS
        };
        let hanging = (1..chain.len())
            .rev()
            .take_while(|&place| falls(place))
            .count();
        let first = chain.len() - hanging;
        (hanging >= TRUNK_JOINTS && first > 1).then_some(first)
    }

    /// Neck and head out of the chain beyond the front legs, and what hangs from the head.
    fn put_head(&self, chain: &[usize], draft: &mut Draft) {
        let (rig, positions) = (self.rig, self.positions);
        let named = chain.iter().position(|&joint| is(rig, joint, Word::Head));
        let hanging = self.trunk_in(chain);
        let place = named.or(hanging.map(|trunk| trunk - 1)).unwrap_or_else(|| {
            let length = |at: usize| positions[chain[at]].distance(positions[chain[at - 1]]);
            let last = chain.len() - 1;
            // A jaw, a nose or an end point behind the head is short, or moves no skin.
            let is_tip = last > 1
                && (is(rig, chain[last], Word::Jaw)
                    || !rig.in_skin[chain[last]] && rig.in_skin[chain[last - 1]]
                    || length(last) < 0.35 * length(last - 1));
            if is_tip { last - 1 } else { last }
        });
        let sure = if named.is_some() { 0.95 } else { 0.7 };
        let head = chain[place];
        draft.put("neck", chain[..place].to_vec(), sure);
        draft.put("head", vec![head], sure);
        let jaw =
            (0..rig.len()).find(|&joint| rig.is_within(head, joint) && is(rig, joint, Word::Jaw));
        draft.put("jaw", jaw.into_iter().collect(), 0.95);
        let trunk = (0..rig.len())
            .find(|&joint| rig.skeleton.is_ancestor(head, joint) && is(rig, joint, Word::Trunk));
        if let Some(trunk) = trunk {
            draft.put("trunk", chain_from(rig, trunk), 0.95);
        } else if let Some(trunk) = hanging.filter(|trunk| *trunk == place + 1) {
            draft.put("trunk", chain[trunk..].to_vec(), 0.7);
        }
        self.put_ears(chain, place, draft);
    }

    /// Pairs that hang from the head, or from the neck just below it: ears, which rise or are chains, and eyes.
    fn put_ears(&self, chain: &[usize], place: usize, draft: &mut Draft) {
        let (rig, positions) = (self.rig, self.positions);
        let head = chain[place];
        let near: Vec<usize> = chain[place.saturating_sub(1)..=place].to_vec();
        let plane = draft
            .sided("left", "FrontUpperLeg")
            .zip(draft.sided("right", "FrontUpperLeg"));
        let Some((left, right)) = plane else { return };
        let across = (positions[left] - positions[right]).normalize_or_zero();
        let children: Vec<usize> = near
            .iter()
            .flat_map(|&joint| rig.children[joint].iter().copied())
            .filter(|&child| rig.is_joint(child) && !draft.uses(child))
            .collect();
        for (slot, word) in [("Ear", Word::Ear), ("Eye", Word::Eye)] {
            let mut best: [Option<(usize, bool)>; 2] = [None; 2];
            for &child in &children {
                let chain = chain_from(rig, child);
                let end = chain.last().copied().unwrap_or(child);
                let named = is(rig, child, word);
                let other = is(rig, child, Word::Ear) || is(rig, child, Word::Eye);
                // Without a word only a chain is an ear; a single joint may be anything of a face.
                let shaped = word == Word::Ear && !other && chain.len() > 1;
                let side = (positions[end] - positions[head]).dot(across);
                if (named || shaped) && side.abs() > 1e-3 * rig.size_in(positions) {
                    let place = usize::from(side < 0.0);
                    if best[place].is_none_or(|(_, known)| named && !known) {
                        best[place] = Some((child, named));
                    }
                }
            }
            if let [Some(left), Some(right)] = best {
                let sure = if left.1 && right.1 { 0.95 } else { 0.5 };
                draft.put(&format!("left{slot}"), chain_from(rig, left.0), sure);
                draft.put(&format!("right{slot}"), chain_from(rig, right.0), sure);
            }
        }
    }
}
