//! Limbs: twin branches, cut into an upper part, a lower part and an end.
//!
//! A cut is judged by lengths and branching alone, so that it is the same in every pose:
//!
//! `fit = (U + L) / total - |log2(U / L)| - inline - unevenness - branches - middle + end`
//!
//! | symbol | meaning |
//! |---|---|
//! | `U`, `L` | lengths of the upper and the lower part, means of both sides |
//! | `total` | the longest way down the branch from its first joint |
//! | `inline` | cost of joints inside the parts: little where they stay straight (twist joints), much where they bend |
//! | `unevenness` | how much the sides differ in `U` and `L` |
//! | `branches` | cost of leading past other branches as long: a limb does not lead through a hand |
//! | `middle` | cost of an upper joint near its twin: clavicles and dummies lie inside the body |
//! | `end` | what speaks for a hand or a foot: fingers, toes, a clavicle before the arm |
//!
//! Degenerate: a limb of two joints has no end; it counts with its upper part alone.

use super::poses::Poses;
use super::tree::Tree;
use crate::mapping::rig::Rig;
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;

/// Least length of a limb, as a share of the longest twin branch.
const LEAST_REACH: f32 = 0.12;

/// Most pairs that are kept of one joint's branches.
const MOST_AT_ONE: usize = 30;

/// Most pairs that are kept at all.
const MOST_PAIRS: usize = 80;

/// Most cuts that are kept of one limb.
const MOST_CUTS: usize = 4;

/// Two branches that mirror each other.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// The node that both hang from.
    pub(super) parent: usize,
    /// First joints.
    pub(super) roots: [usize; 2],
    /// 0 to 1.
    pub(super) likeness: f32,
    /// From the first joint to the farthest.
    pub(super) reach: f32,
    /// Joints of the first branch with their twins.
    twins: Vec<(usize, usize)>,
    pub(super) legs: Vec<Cut>,
    pub(super) arms: Vec<Cut>,
}

/// A limb cut into its parts, the first branch's joints before the second's.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// Hip or shoulder, knee or elbow.
    pub(super) upper: [usize; 2],
    pub(super) lower: [usize; 2],
    /// Ankle or wrist, where there is one.
    pub(super) end: Option<[usize; 2]>,
    /// Joints before the upper one: clavicles, dummies.
    pub(super) before: [Vec<usize>; 2],
    /// Length of both parts.
    pub(super) length: f32,
    pub(super) fit: f32,
}

impl Cut {
    /// The joints of one side: upper, lower, end.
    pub(super) fn joints(&self, side: usize) -> [Option<usize>; 3] {
        [
            Some(self.upper[side]),
            Some(self.lower[side]),
            self.end.map(|end| end[side]),
        ]
    }
}

/// Every pair of twin branches that is long enough for a limb, longest first.
pub(super) fn pairs(rig: &Rig, poses: &Poses, tree: &Tree) -> Vec<Pair> {
    let mut found: Vec<Pair> = Vec::new();
    let longest_below = |joint: usize| tree.below(joint);
    let mut longest: f32 = 0.0;
    for (parent, children) in tree.children.iter().enumerate() {
        for (at, &a) in children.iter().enumerate() {
            for &b in &children[at + 1..] {
                let reach = longest_below(a).min(longest_below(b));
                if reach <= LEAST_REACH * longest {
                    continue;
                }
                let Some((likeness, twins)) = tree.twins(a, b) else {
                    continue;
                };
                if coincide(poses, &twins, reach) {
                    continue;
                }
                longest = longest.max(if likeness > 0.8 { reach } else { 0.0 });
                found.push(Pair {
                    parent,
                    roots: [a, b],
                    likeness,
                    reach,
                    twins,
                    legs: Vec::new(),
                    arms: Vec::new(),
                });
            }
        }
    }
    found.retain(|pair| pair.reach > LEAST_REACH * longest);
    let mut found = foremost(found);
    for pair in &mut found {
        let cuts = cuts(rig, poses, tree, pair);
        // A leg that ends in its knee still starts at the hip.
        let mut legs = cuts.clone();
        legs.retain(|cut| cut.end.is_some() || cut.before[0].is_empty());
        pair.legs = best(&legs, |cut| cut.fit + foot(rig, tree, cut));
        pair.arms = best(&cuts, |cut| cut.fit + hand(tree, cut));
    }
    found.retain(|pair| !pair.arms.is_empty());
    found
}

/// The longest pairs, longest first; of many at one joint (strands of hair, of a skirt) only a few.
fn foremost(mut found: Vec<Pair>) -> Vec<Pair> {
    let merit = |pair: &Pair| pair.reach * pair.likeness;
    found.sort_by(|x, y| merit(y).total_cmp(&merit(x)));
    let mut kept: Vec<Pair> = Vec::new();
    for pair in found {
        let of_parent = kept.iter().filter(|known| known.parent == pair.parent);
        if of_parent.count() < MOST_AT_ONE && kept.len() < MOST_PAIRS {
            kept.push(pair);
        }
    }
    kept.sort_by(|x, y| y.reach.total_cmp(&x.reach));
    kept
}

/// True for copies of one limb, made for controls: their joints lie on each other.
fn coincide(poses: &Poses, twins: &[(usize, usize)], reach: f32) -> bool {
    twins
        .iter()
        .all(|&(a, b)| poses.distance(a, b) < 0.05 * reach)
}

fn best(cuts: &[Cut], fit: impl Fn(&Cut) -> f32) -> Vec<Cut> {
    let mut judged: Vec<Cut> = cuts.to_vec();
    for cut in &mut judged {
        cut.fit = fit(cut);
    }
    judged.sort_by(|x, y| y.fit.total_cmp(&x.fit));
    judged.truncate(MOST_CUTS);
    judged
}

fn cuts(rig: &Rig, poses: &Poses, tree: &Tree, pair: &Pair) -> Vec<Cut> {
    let twin = |joint: usize| {
        let found = pair.twins.iter().find(|(a, _)| *a == joint);
        found.map(|(_, b)| *b)
    };
    let mut result = Vec::new();
    for &(last, last_twin) in &pair.twins {
        let path = tree.path(rig, pair.roots[0], last);
        let other = tree.path(rig, pair.roots[1], last_twin);
        let joints: Vec<(usize, usize)> = path
            .iter()
            .filter_map(|&joint| Some((joint, twin(joint)?)))
            .collect();
        let place = |path: &[usize], joint: usize| path.iter().position(|&at| at == joint);
        for (first, &(upper, upper_twin)) in joints.iter().enumerate() {
            let (Some(from), Some(from_twin)) = (place(&path, upper), place(&other, upper_twin))
            else {
                continue;
            };
            let before = [path[..from].to_vec(), other[..from_twin].to_vec()];
            let mut cut = Cut {
                upper: [upper, upper_twin],
                lower: [last, last_twin],
                end: None,
                before,
                length: 0.0,
                fit: 0.0,
            };
            if first + 1 < joints.len() {
                let parts = [&path[from..], &other[from_twin..]];
                if let Some(fit) = fit_without_end(poses, tree, pair, parts) {
                    cut.length = tree.way(parts[0]);
                    cut.fit = fit;
                    result.push(cut.clone());
                }
            }
            for &(lower, lower_twin) in joints.iter().skip(first + 1) {
                if lower == last {
                    continue;
                }
                let (Some(to), Some(to_twin)) = (place(&path, lower), place(&other, lower_twin))
                else {
                    continue;
                };
                let uppers = [&path[from..=to], &other[from_twin..=to_twin]];
                let lowers = [&path[to..], &other[to_twin..]];
                if let Some(fit) = fit_with_end(poses, tree, pair, uppers, lowers) {
                    cut.length = tree.way(uppers[0]) + tree.way(lowers[0]);
                    cut.fit = fit;
                    cut.lower = [lower, lower_twin];
                    cut.end = Some([last, last_twin]);
                    result.push(cut.clone());
                }
            }
        }
    }
    result
}

fn unevenness(a: f32, b: f32) -> f32 {
    let sum = a + b;
    if sum > 0.0 { (a - b).abs() / sum } else { 1.0 }
}

/// What the joints inside a part of a limb cost: parts are straight.
fn bends(poses: &Poses, path: &[usize]) -> f32 {
    let inside = path.windows(3).map(|joints| {
        let angles = poses.all().map(|places| {
            let before = places[joints[1]] - places[joints[0]];
            let after = places[joints[2]] - places[joints[1]];
            let sine = before.cross(after).length();
            sine.arc_tangent(before.dot(after))
        });
        let count = poses.still.len() + poses.moving.len();
        0.2 + (angles.sum::<f32>() / count as f32).min(1.0)
    });
    inside.sum()
}

/// How much of a limb's branch is a side branch within the path: a limb does not lead through a hand.
fn side_branches(tree: &Tree, path: &[usize]) -> f32 {
    let length = tree.way(path);
    let inside = path.windows(2).skip(1);
    inside
        .map(|step| {
            let others = tree.children[step[0]]
                .iter()
                .filter(|&&child| child != step[1]);
            let deep = others.filter(|&&child| tree.reach[child] > 0.3 * length);
            0.3 * deep.count().min(3) as f32
        })
        .sum()
}

fn fit_with_end(
    poses: &Poses,
    tree: &Tree,
    pair: &Pair,
    uppers: [&[usize]; 2],
    lowers: [&[usize]; 2],
) -> Option<f32> {
    let [upper, upper_twin] = uppers.map(|path| tree.way(path));
    let [lower, lower_twin] = lowers.map(|path| tree.way(path));
    let (u, l) = ((upper + upper_twin) / 2.0, (lower + lower_twin) / 2.0);
    if u <= 0.02 * pair.reach || l <= 0.02 * pair.reach {
        return None;
    }
    let inline = bends(poses, uppers[0]) + bends(poses, lowers[0]);
    let branches = side_branches(tree, uppers[0]) + side_branches(tree, lowers[0]);
    // A limb goes on where most goes on.
    let last = lowers[0].last().map_or(0.0, |&last| tree.total[last]);
    let lesser = tree.children[lowers[0][0]]
        .iter()
        .any(|&child| !lowers[0].contains(&child) && tree.total[child] > 1.01 * last);
    let aside = if lesser { 0.3 } else { 0.0 };
    // Joints of both sides close together lie inside the body: clavicles, dummies.
    let apart = poses.distance(uppers[0][0], uppers[1][0]) / pair.reach;
    let shared = 0.4 * ((0.15 - apart) / 0.1).clamped(0.0, 1.0);
    Some(
        (u + l) / pair.reach
            - (u / l).binary_logarithm().abs().min(1.2)
            - inline
            - unevenness(upper, upper_twin)
            - unevenness(lower, lower_twin)
            - branches
            - aside
            - shared,
    )
}

fn fit_without_end(poses: &Poses, tree: &Tree, pair: &Pair, parts: [&[usize]; 2]) -> Option<f32> {
    let [first, last] = *parts[0] else {
        return None;
    };
    let [upper, upper_twin] = parts.map(|path| tree.way(path));
    // A limb that goes on is cut elsewhere.
    let goes_on = tree.below(last) > 0.3 * upper;
    // What lies before an arm begins near the middle of the body.
    let wide = poses.distance(pair.roots[0], pair.roots[1]) > 0.25 * pair.reach;
    let before = match (pair.roots[0] == first, wide) {
        (true, _) => 0.0,
        (false, false) => 0.3,
        (false, true) => 0.6,
    };
    (upper > 0.02 * pair.reach && !goes_on).then(|| {
        (upper + upper_twin) / 2.0 / pair.reach
            - 0.3
            - before
            - if chains(tree, first) > 2 { 0.6 } else { 0.0 }
            - unevenness(upper, upper_twin)
    })
}

/// How many chains start at a joint.
fn chains(tree: &Tree, joint: usize) -> usize {
    let starts = |child: &&usize| !tree.children[**child].is_empty();
    tree.children[joint].iter().filter(starts).count()
}

/// What speaks for a hand at a limb's end: several chains that start there.
fn hand(tree: &Tree, cut: &Cut) -> f32 {
    let Some([end, _]) = cut.end else {
        return 0.0;
    };
    let fingers = chains(tree, end);
    let clavicles = cut.before[0].len() as f32;
    // A clavicle before the arm, something to grasp with after it.
    let whole = [cut.before[0].len() == 1, tree.children[end].len() > 1];
    let whole = 0.15 * whole.iter().filter(|is_so| **is_so).count() as f32;
    let lengthened = (tree.below(end) / cut.length.max(f32::MIN_POSITIVE) - 0.8).max(0.0);
    whole + [0.0, 0.1, 0.4, 0.6][fingers.min(3)] - 0.15 * (clavicles - 1.0).max(0.0) - lengthened
}

/// What speaks for a foot at a limb's end: something that goes on from there, and not far.
fn foot(rig: &Rig, tree: &Tree, cut: &Cut) -> f32 {
    let Some([end, _]) = cut.end else {
        return 0.0;
    };
    let toes = if tree.children[end].is_empty() {
        0.0
    } else {
        0.3
    };
    let dummies = cut.before[0].len() as f32;
    let tip = if is_tip(rig, end) { 0.5 } else { 0.0 };
    let lengthened = (tree.below(end) / cut.length.max(f32::MIN_POSITIVE) - 0.6).max(0.0);
    toes - 0.2 * dummies - tip - lengthened
}

/// True for a joint that only marks where its parent ends: a leaf outside the skin that holds the rest.
pub(super) fn is_tip(rig: &Rig, joint: usize) -> bool {
    let parent = rig.skeleton.parent(joint);
    rig.below[joint] == 0 && !rig.in_skin[joint] && parent.is_some_and(|parent| rig.in_skin[parent])
}
