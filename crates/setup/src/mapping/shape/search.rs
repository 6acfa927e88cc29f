//! The best pair of legs and pair of arms: an exact search over all twin branches and all their cuts.
//!
//! A body is a tree of slots whose parts meet only where they hang from each other. So the score of a guess
//! is a sum over its parts, and only the last two terms need both limbs:
//!
//! `score = fit_legs + fit_arms + 3 (likeness_legs + likeness_arms) + 2 (reach_legs + reach_arms) / longest
//!          + carried + 2 stand + 2 order - 2 low`
//!
//! | symbol | meaning |
//! |---|---|
//! | `fit` | how well a cut makes a leg or an arm |
//! | `likeness` | how alike the twin branches are |
//! | `reach` | length of the branches; `longest` that of the longest twins |
//! | `carried` | how arms and legs hang from the trunk |
//! | `stand` | cosine between trunk and legs turned round |
//! | `low` | how far below the feet something else lies, in legs |
//! | `order` | hands above feet, hips beside each other below the shoulders |

use super::limbs::{Cut, Pair, is_tip};
use super::poses::Poses;
use super::stance::{Limbs, Stance, frame, loose_feet, stance};
use super::tree::Tree;
use crate::mapping::rig::Rig;
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;

/// Most pairs that are tried as legs or as arms.
const MOST_PAIRS: usize = 12;

/// Least cosine between trunk and legs of a body that stands.
const LEAST_STAND: f32 = 0.7;

/// Cosine between trunk and legs from which on a body plainly stands.
const PLAIN_STAND: f32 = 0.97;

/// Least score of a body.
const LEAST_SCORE: f32 = 11.0;

/// Greatest ratio of arms to legs, or legs to arms, as a power of two.
const MOST_RATIO: f32 = 1.4;

/// One guess with its score.
#[derive(Clone, Copy)]
pub(super) struct Guess<'a> {
    pub(super) limbs: Limbs<'a>,
    pub(super) stance: Stance,
    pub(super) score: f32,
}

/// All guesses that stand, best first.
pub(super) fn guesses<'a>(
    rig: &Rig,
    tree: &Tree,
    poses: &Poses,
    pairs: &'a [Pair],
) -> Vec<Guess<'a>> {
    let longest = pairs
        .iter()
        .filter(|pair| pair.likeness > 0.8)
        .map(|pair| pair.reach)
        .fold(f32::MIN_POSITIVE, f32::max);
    let tried = &pairs[..pairs.len().min(MOST_PAIRS)];
    let mut found = Vec::new();
    for legs in tried {
        for (leg_place, leg) in legs.legs.iter().enumerate() {
            let feet = feet(rig, poses, leg);
            for arms in tried {
                let apart = disjoint(rig, poses, legs, arms);
                for (arm_place, arm) in arms.arms.iter().enumerate() {
                    // Of second choices only those of one limb at a time matter.
                    if !apart || (leg_place > 0 && arm_place > 0) {
                        continue;
                    }
                    let limbs = Limbs {
                        legs: (legs, leg),
                        arms: (arms, arm),
                        feet,
                    };
                    found.extend(judge(rig, tree, poses, limbs, longest));
                }
            }
        }
    }
    found.sort_by(|x, y| y.score.total_cmp(&x.score));
    found
}

/// Feet beside the legs, where the legs end in their knees.
fn feet(rig: &Rig, poses: &Poses, leg: &Cut) -> Option<[usize; 2]> {
    let ends = leg.lower.iter().all(|&knee| rig.below[knee] == 0);
    (leg.end.is_none() && ends)
        .then(|| loose_feet(rig, poses, leg, leg.length))
        .flatten()
}

/// Legs and arms may hang from each other's trunk, but not from each other, and a copy of the legs for
/// controls is no pair of arms.
fn disjoint(rig: &Rig, poses: &Poses, legs: &Pair, arms: &Pair) -> bool {
    let roots = || {
        let both = |a: usize| arms.roots.iter().map(move |b| (a, *b));
        legs.roots.iter().flat_map(move |a| both(*a))
    };
    roots().all(|(a, b)| {
        !rig.is_within(a, b)
            && !rig.is_within(b, a)
            && (legs.parent != arms.parent || poses.distance(a, b) > 0.02 * legs.reach)
    })
}

fn judge<'a>(
    rig: &Rig,
    tree: &Tree,
    poses: &Poses,
    limbs: Limbs<'a>,
    longest: f32,
) -> Option<Guess<'a>> {
    let (legs, leg) = limbs.legs;
    let (arms, arm) = limbs.arms;
    let leg_length = leg.length
        + limbs
            .feet
            .map_or(0.0, |feet| poses.distance(feet[0], leg.lower[0]));
    let ratio = (arm.length / leg_length.max(f32::MIN_POSITIVE))
        .binary_logarithm()
        .abs();
    if ratio > MOST_RATIO {
        return None;
    }
    let within = |above: usize, below: usize| {
        above == tree.top() || (below != tree.top() && rig.is_within(above, below))
    };
    if arms.parent == tree.top() && legs.parent != tree.top() {
        return None;
    }
    let carried = if legs.parent == arms.parent {
        0.0
    } else if within(legs.parent, arms.parent) {
        0.5
    } else if within(arms.parent, legs.parent) {
        -0.3
    } else {
        -1.0
    };
    // What carries the arms goes on to a head.
    let goes_on = tree.children[arms.parent].iter().any(|child| {
        !arms.roots.contains(child) && !legs.roots.contains(child) && !is_tip(rig, *child)
    });
    let carried = carried + if goes_on { 0.5 } else { -0.3 };
    let stance = stance(&limbs, poses);
    if stance.stand < LEAST_STAND {
        return None;
    }
    let low = low(rig, poses, &limbs, &stance);
    let feet = if limbs.feet.is_some() { 0.8 } else { 0.0 };
    let score = leg.fit
        + feet
        + arm.fit
        + 3.0 * (legs.likeness + arms.likeness)
        + 2.0 * (legs.reach + arms.reach) / longest
        + carried
        - 0.5 * (ratio - 0.8).max(0.0)
        + 2.0 * stance.stand.min(PLAIN_STAND)
        + 2.0 * stance.order
        - 2.0 * low;
    (score > LEAST_SCORE).then_some(Guess {
        limbs,
        stance,
        score,
    })
}

/// How far below the feet other joints lie, as a share of the legs: a body stands on its feet.
fn low(rig: &Rig, poses: &Poses, limbs: &Limbs, stance: &Stance) -> f32 {
    let places = &poses.still[stance.best];
    let Some(frame) = frame(limbs, places).filter(|frame| frame.stand >= LEAST_STAND) else {
        return 0.0;
    };
    let height = |joint: usize| (places[joint] - frame.hips).dot(frame.up);
    let joints = (0..rig.len()).filter(|&joint| rig.is_joint(joint));
    let lowest = joints.map(height).fold(f32::INFINITY, f32::min);
    let feet = (height(limbs.foot(0)) + height(limbs.foot(1))) / 2.0;
    // Where the legs end in their knees, the rest of them lies below.
    let known = limbs.legs.1.end.is_some() || limbs.feet.is_some();
    let allowed = if known { 0.3 } else { 1.6 };
    let leg = limbs.legs.1.length.max(f32::MIN_POSITIVE);
    ((feet - lowest) / leg - allowed).clamped(0.0, 2.0)
}

/// True where a third pair of limbs stands on the ground too: four-legged animals, insects, centaurs.
pub(super) fn has_more_legs(rig: &Rig, poses: &Poses, pairs: &[Pair], best: &Guess) -> bool {
    let limbs = &best.limbs;
    let (legs, arms) = (limbs.legs.0, limbs.arms.0);
    let places = &poses.still[best.stance.best];
    let Some(frame) = frame(limbs, places) else {
        return false;
    };
    let height = |joint: usize| (places[joint] - frame.hips).dot(frame.up);
    let floor = (height(limbs.foot(0)) + height(limbs.foot(1))) / 2.0;
    let leg = limbs.legs.1.length;
    let without_spine = legs.parent == arms.parent;
    pairs.iter().any(|pair| {
        let within = |a: usize, b: usize| rig.is_within(a, b) || rig.is_within(b, a);
        // Many legs on one body joint.
        let another = without_spine && pair.parent == legs.parent;
        let apart = |root: usize| {
            let mut known = legs.roots.iter().chain(&arms.roots);
            known.all(|&other| poses.distance(root, other) > 0.05 * leg)
        };
        let free = |root: usize| {
            let mut known = legs.roots.iter().chain(&arms.roots);
            known.all(|&other| !within(root, other))
        };
        let stands = |root: usize| {
            let below = (root..rig.len()).filter(|&joint| rig.is_within(root, joint));
            let lowest = below.map(height).fold(f32::INFINITY, f32::min);
            lowest < floor + 0.15 * leg && height(root) > floor + 0.4 * leg
        };
        pair.likeness > 0.9
            && pair.reach > 0.2 * leg
            && pair.roots.iter().all(|&root| free(root) && apart(root))
            && (another || pair.roots.iter().all(|&root| stands(root)))
    })
}
