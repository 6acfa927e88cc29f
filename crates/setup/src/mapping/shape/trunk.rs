//! The trunk between the limbs: pelvis, spine, neck and head, by the tree and by where things are.

use super::poses::{Places, Poses};
use super::stance::{Frame, Limbs, frame};
use super::tree::Tree;
use crate::mapping::rig::Rig;

/// Joints of the trunk.
#[derive(Clone, Debug, Default)]
pub(super) struct Trunk {
    pub(super) hips: Option<usize>,
    /// From below.
    pub(super) torso: Vec<usize>,
    pub(super) neck: Vec<usize>,
    pub(super) head: Option<usize>,
}

/// What is known of the rig besides its limbs.
pub(super) struct Known<'a> {
    pub(super) places: &'a Places,
    /// Whether leaves mark ends of joints (`HeadTop_End`), where fingers or toes tell.
    pub(super) has_tips: Option<bool>,
}

/// Finds the trunk that carries legs and arms.
pub(super) fn trunk(rig: &Rig, tree: &Tree, poses: &Poses, limbs: &Limbs, known: &Known) -> Trunk {
    let (legs, arms) = (limbs.legs, limbs.arms);
    let (Some(hips), Some(frame)) = (hips(rig, tree, poses, limbs), frame(limbs, known.places))
    else {
        return Trunk::default();
    };
    let way = Upward {
        rig,
        tree,
        limbs,
        places: known.places,
        frame,
    };
    let Line {
        mut torso,
        mut above,
    } = way.line(hips);
    let shoulders = (way.height(arms.1.upper[0]) + way.height(arms.1.upper[1])) / 2.0;
    if !torso.contains(&arms.0.parent) {
        // No joint of the way carries the arms: what lies below the shoulders is torso.
        while above.len() > 1 && way.height(above[0]) < shoulders {
            torso.push(above.remove(0));
        }
    }
    // Arms that hang from the neck hang down from it.
    if torso.len() > 1 && torso.last() == Some(&arms.0.parent) && above.len() < 3 {
        let roots = arms.0.roots.map(|root| way.height(root));
        let lower = (roots[0] + roots[1]) / 2.0;
        if way.height(arms.0.parent) > lower + 0.03 * legs.1.length
            && let Some(neck) = torso.pop()
        {
            above.insert(0, neck);
        }
    }
    drop_tip(rig, tree, known, &mut above);
    let mut neck = above;
    let mut head = neck.pop();
    if head.is_none() && torso.len() > 1 {
        let is_head = |last: &mut usize| *last != arms.0.parent || way.height(*last) > shoulders;
        head = torso.pop_if(is_head);
    }
    Trunk {
        hips: Some(hips),
        torso,
        neck,
        head,
    }
}

/// The joint between the hips: the one that carries all limbs, or, if none does, the topmost.
fn hips(rig: &Rig, tree: &Tree, poses: &Poses, limbs: &Limbs) -> Option<usize> {
    let (legs, arms) = (limbs.legs.1.upper, limbs.arms.1.upper);
    let carrier = rig
        .common_ancestor(&[legs[0], legs[1], arms[0], arms[1]])
        .filter(|&joint| rig.is_joint(joint));
    match carrier {
        Some(joint) => at_the_hips(rig, poses, limbs, joint),
        None => top_of(rig, limbs.arms.0.parent, tree),
    }
}

/// Of the joint that carries the limbs and those above it the one between the hips.
fn at_the_hips(rig: &Rig, poses: &Poses, limbs: &Limbs, carrier: usize) -> Option<usize> {
    let [left, right] = limbs.legs.1.upper;
    let away = |joint: usize| {
        let mut all: Vec<f32> = poses
            .all()
            .map(|places| places[joint].distance((places[left] + places[right]) / 2.0))
            .collect();
        all.sort_by(f32::total_cmp);
        all.get(all.len() / 2).copied().unwrap_or(0.0)
    };
    let own = away(carrier);
    if own < 0.04 * limbs.legs.1.length {
        return Some(carrier);
    }
    let above = rig
        .skeleton
        .ancestors(carrier)
        .filter(|&joint| rig.is_joint(joint));
    let nearest = above
        .map(|joint| (away(joint), joint))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((distance, joint)) if distance < 0.4 * own => Some(joint),
        _ => Some(carrier),
    }
}

/// The topmost joint above another.
fn top_of(rig: &Rig, joint: usize, tree: &Tree) -> Option<usize> {
    if joint == tree.top() {
        return None;
    }
    let mut above = rig.up_from(joint).into_iter();
    above.rfind(|&at| rig.is_joint(at))
}

/// The search for the way from the shoulders to the head.
struct Upward<'a> {
    rig: &'a Rig<'a>,
    tree: &'a Tree,
    limbs: &'a Limbs<'a>,
    places: &'a Places,
    frame: Frame,
}

/// The joints of the trunk above the hips, from below.
struct Line {
    /// Up to the joint that carries the arms.
    torso: Vec<usize>,
    /// From there on to the head.
    above: Vec<usize>,
}

impl Upward<'_> {
    /// Height of a joint above the hips.
    fn height(&self, joint: usize) -> f32 {
        (self.places[joint] - self.frame.hips).dot(self.frame.up)
    }

    /// The joints that lead from `bottom` up to `top`; `bottom` is left out.
    fn path(&self, bottom: usize, top: usize) -> Vec<usize> {
        let mut path = self.tree.path(self.rig, bottom, top);
        path.remove(0);
        path
    }

    /// The way from the hips to the head, through the joint that carries the arms if it hangs from the hips.
    fn line(&self, hips: usize) -> Line {
        let carrier = self.limbs.arms.0.parent;
        let is_above = carrier != self.tree.top() && self.rig.is_within(hips, carrier);
        let base = if is_above { carrier } else { hips };
        let mut torso = self.path(hips, base);
        let mut above = self.chain(base);
        if above.is_empty() && base != hips {
            // The arms hang beside the spine: look for the head's own way up.
            let starts: Vec<usize> = std::iter::once(hips).chain(torso.clone()).collect();
            for at in starts {
                let chain = self.chain(at);
                if chain.len() > above.len() {
                    torso = self.path(hips, at);
                    above = chain;
                }
            }
        }
        Line { torso, above }
    }

    /// The joints that lead up from `base`, which is left out.
    fn chain(&self, base: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = base;
        while let Some(next) = self.next(at, chain.len()) {
            chain.push(next);
            at = next;
        }
        chain
    }

    fn next(&self, at: usize, found: usize) -> Option<usize> {
        let free = |child: &usize| {
            let limb =
                |roots: [usize; 2]| roots.iter().any(|&root| self.rig.is_within(*child, root));
            !limb(self.limbs.arms.0.roots) && !limb(self.limbs.legs.0.roots)
        };
        let children: Vec<usize> = self.tree.children[at]
            .iter()
            .copied()
            .filter(free)
            .collect();
        let central = children
            .iter()
            .copied()
            .filter(|&child| !self.has_twin(child, &children));
        let (merit, best) = central
            .map(|child| (self.merit(at, child), child))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
        let several = children.len() > 1;
        let carried: usize = children
            .iter()
            .map(|&child| self.rig.below[child] + 1)
            .sum();
        let main = (self.rig.below[best] + 1) * 2 > carried;
        // A head has hair, eyes and horns; a neck has a head and little else.
        let ends = found > 0 && several && (found > 1 || !main || self.rig.below[best] == 0);
        (merit > 0.3 && !ends && found < 6).then_some(best)
    }

    fn has_twin(&self, child: usize, siblings: &[usize]) -> bool {
        siblings.iter().any(|&other| {
            let apart = (self.places[child] - self.places[other]).length();
            let length = self.tree.length[child].max(f32::MIN_POSITIVE);
            let even = (self.tree.length[child] - self.tree.length[other]).abs() < 0.05 * length;
            let alike = || {
                let twins = self.tree.twins(child, other);
                twins.is_some_and(|(likeness, _)| likeness > 0.9)
            };
            other != child
                && even
                && (apart > 0.1 * length || self.mirrored(child, other))
                && alike()
        })
    }

    /// True for branches that lead apart from the same place.
    fn mirrored(&self, a: usize, b: usize) -> bool {
        let end = |joint: usize| {
            self.tree.children[joint]
                .first()
                .map(|&child| self.places[child])
        };
        match (end(a), end(b)) {
            (Some(a), Some(b)) => {
                (a - b).dot(self.frame.across).abs() > 0.5 * a.distance(b) && a != b
            }
            _ => false,
        }
    }

    fn merit(&self, at: usize, child: usize) -> f32 {
        let way = self.places[child] - self.places[at];
        // A joint in its parent's place leads nowhere yet.
        let way = if way.length() < 1e-3 * self.limbs.legs.1.length {
            self.frame.up
        } else {
            way.normalize_or_zero()
        };
        let rise = way.dot(self.frame.up);
        let aside = way.dot(self.frame.across).abs();
        rise - aside + 0.05 * self.rig.below[child].min(10) as f32
    }
}

/// Takes the end point above the head out.
fn drop_tip(rig: &Rig, tree: &Tree, known: &Known, above: &mut Vec<usize>) {
    let Some(&last) = above.last() else {
        return;
    };
    let leaf = rig.below[last] == 0 && rig.skeleton.joints()[last].end.is_none();
    if !leaf || above.len() < 3 {
        return;
    }
    // The skull is longer than a joint of the neck.
    let head = above[above.len() - 2];
    let skull = tree.length[last] > 1.4 * tree.length[head];
    if known.has_tips.unwrap_or(skull) {
        above.pop();
    }
}
