//! Mapping by shape alone, for rigs whose names mean nothing.
//!
//! A humanoid has two mirrored pairs of chains: the legs, which end lowest, and above them, on a
//! branch of the same tree, the arms. The pelvis is where the legs branch off, the chest where the
//! arms do; what goes on above the chest is neck and head. Animals, whose trunk lies across their
//! legs, and creatures with more limbs are left alone.

use super::body::{facing, frame_of};
use super::draft::{ARM, Draft, LEG, SIDES, fill_chains};
use super::rig::Rig;
use super::trunk::{Limbs, put_trunk};
use crate::profile::HUMANOID;
use crate::profile::dialect::sided_name;
use rebone_model::{Vec3, Warning};

/// How sure a mapping by shape is at most.
const CONFIDENCE: f32 = 0.7;

/// Two chains that mirror each other.
#[derive(Clone, Debug)]
struct Pair {
    /// The joint that both hang from.
    parent: usize,
    chains: [Vec<usize>; 2],
    /// From the second chain to the first, a unit vector.
    across: Vec3,
    /// From the first joint along the chain to the last.
    length: f32,
}

/// The mapping that the shape suggests; `None` where it is no humanoid's.
pub(super) fn map_by_shape(rig: &Rig) -> Option<Draft> {
    [&rig.rest, &rig.bind]
        .into_iter()
        .find_map(|positions| map_positions(rig, positions))
}

fn map_positions(rig: &Rig, positions: &[Vec3]) -> Option<Draft> {
    let size = rig.size();
    let pairs = mirrored_pairs(rig, positions, size);
    let mut best: Option<(f32, &Pair, &Pair)> = None;
    for legs in &pairs {
        for arms in &pairs {
            let reach = legs.length + arms.length;
            if best.is_none_or(|(known, ..)| reach > known) && is_body(rig, positions, legs, arms) {
                best = Some((reach, legs, arms));
            }
        }
    }
    let (_, legs, arms) = best?;
    let has_more_limbs = pairs.iter().any(|pair| {
        let on_trunk =
            rig.is_within(legs.parent, pair.parent) && rig.is_within(pair.parent, arms.parent);
        let another = [legs, arms].iter().all(|known| {
            let joints = known.chains.concat();
            !pair
                .chains
                .iter()
                .flatten()
                .any(|joint| joints.contains(joint))
        });
        on_trunk && another && pair.length > 0.5 * legs.length
    });
    if has_more_limbs {
        return None;
    }
    let legs_split = split(rig, positions, legs, true);
    let arms_split = split(rig, positions, arms, false);
    let draft = fill(rig, [legs, arms], [legs_split, arms_split], false)?;
    let frame = frame_of(&draft, positions)?;
    let forward = facing(rig, &draft, positions, frame.up);
    let sure = forward.length() > 0.3;
    // Without a sign of the front: the direction that formats look along.
    let forward = if sure { forward } else { Vec3::Z };
    let swap = frame.up.cross(forward).dot(frame.left) < 0.0;
    let mut draft = fill(rig, [legs, arms], [legs_split, arms_split], swap)?;
    fill_chains(rig, &mut draft);
    draft.warnings.push(Warning::new(
        "mapped-by-shape",
        "no name says what a joint is; the slots were guessed from the shape",
        "check the map, and write what is wrong into a recipe",
    ));
    if !sure {
        draft.warnings.push(Warning::new(
            "sides-unsure",
            "nothing in the shape tells front from back, so left and right may be swapped",
            "if they are, swap the slots of both sides in a recipe",
        ));
    }
    Some(draft)
}

fn fill(
    rig: &Rig,
    pairs: [&Pair; 2],
    splits: [Option<[usize; 3]>; 2],
    swap: bool,
) -> Option<Draft> {
    let mut draft = Draft::new(&HUMANOID, "none", "shape");
    let mut limbs = Limbs::default();
    for (index, side) in SIDES.into_iter().enumerate() {
        let of = if swap { 1 - index } else { index };
        for (pair, split, is_leg) in [(pairs[0], splits[0], true), (pairs[1], splits[1], false)] {
            let chain = &pair.chains[of];
            let places = split?;
            let slots = if is_leg { &LEG[..3] } else { &ARM[1..] };
            for (slot, place) in slots.iter().zip(places) {
                draft.put(&sided_name(side, slot), vec![chain[place]], CONFIDENCE);
            }
            if is_leg {
                let toes: Vec<usize> = chain.get(places[2] + 1).copied().into_iter().collect();
                draft.put(&sided_name(side, "Toes"), toes, CONFIDENCE);
                limbs.legs[index] = Some(chain[0]);
            } else {
                if let Some(before) = places[0].checked_sub(1) {
                    let name = sided_name(side, "Shoulder");
                    draft.put(&name, vec![chain[before]], CONFIDENCE);
                }
                limbs.arms[index] = Some(chain[0]);
            }
        }
    }
    put_trunk(rig, None, limbs, CONFIDENCE, &mut draft)?;
    Some(draft)
}

/// Whether two pairs can be the legs and arms of a humanoid.
fn is_body(rig: &Rig, positions: &[Vec3], legs: &Pair, arms: &Pair) -> bool {
    let middle = |pair: &Pair, last: bool| {
        let ends = pair.chains.each_ref().map(|chain| {
            let end = if last { chain.last() } else { chain.first() };
            end.map_or(Vec3::ZERO, |&joint| positions[joint])
        });
        (ends[0] + ends[1]) / 2.0
    };
    let (hips, chest) = (middle(legs, false), middle(arms, false));
    let (feet, hands) = (middle(legs, true), middle(arms, true));
    let (Some(up), Some(down)) = (
        (chest - hips).try_normalize(),
        (feet - hips).try_normalize(),
    ) else {
        return false;
    };
    let leg = legs.length;
    let joints = (0..rig.len()).filter(|&joint| rig.is_joint(joint));
    let lowest = joints
        .map(|joint| positions[joint])
        .min_by(|a, b| a.dot(up).total_cmp(&b.dot(up)))
        .unwrap_or(feet);
    let goes_on_up = rig.children[arms.parent].iter().any(|&child| {
        let is_arm = arms.chains.iter().any(|chain| chain[0] == child);
        !is_arm && (positions[child] - positions[arms.parent]).dot(up) >= 0.0
    });
    let in_leg = legs
        .chains
        .iter()
        .any(|chain| rig.is_within(chain[0], arms.parent));
    rig.skeleton.is_ancestor(legs.parent, arms.parent)
        && rig.is_joint(legs.parent)
        && !in_leg
        && goes_on_up
        && legs.across.dot(arms.across).abs() > 0.9
        && up.dot(down) < -0.7
        && (chest - hips).length() > 0.2 * leg
        && (0.35..2.5).contains(&(arms.length / leg))
        && (hands - feet).dot(up) > 0.25 * leg
        && (hands - chest).dot(up) < 0.5 * arms.length
        && (feet - lowest).dot(up) < 0.25 * leg
        && legs.chains.iter().all(|chain| chain.len() >= 3)
        && arms.chains.iter().all(|chain| chain.len() >= 3)
}

/// All pairs of sibling chains that mirror each other.
fn mirrored_pairs(rig: &Rig, positions: &[Vec3], size: f32) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for parent in 0..rig.len() {
        let chains: Vec<Vec<usize>> = rig.children[parent]
            .iter()
            .filter(|&&child| rig.is_joint(child))
            .map(|&child| limb_chain(rig, child))
            .filter(|chain| chain.len() >= 2)
            .collect();
        for (at, first) in chains.iter().enumerate() {
            for second in &chains[at + 1..] {
                pairs.extend(mirrored(positions, parent, [first, second], size));
            }
        }
    }
    pairs
}

fn mirrored(
    positions: &[Vec3],
    parent: usize,
    chains: [&Vec<usize>; 2],
    size: f32,
) -> Option<Pair> {
    // One side may have something more at its end.
    let count = chains[0].len().min(chains[1].len());
    if chains[0].len().abs_diff(chains[1].len()) > 2 {
        return None;
    }
    let chains = chains.map(|chain| chain[..count].to_vec());
    let points: Vec<(Vec3, Vec3)> = chains[0]
        .iter()
        .zip(&chains[1])
        .map(|(&a, &b)| (positions[a], positions[b]))
        .collect();
    let across = points
        .iter()
        .map(|(a, b)| *a - *b)
        .sum::<Vec3>()
        .try_normalize()?;
    let plane = points
        .iter()
        .map(|(a, b)| (*a + *b).dot(across) / 2.0)
        .sum::<f32>()
        / points.len() as f32;
    let tolerance = 0.05 * size;
    let fits = points.iter().all(|(a, b)| {
        let apart = *a - *b;
        let sideways = apart.reject_from_normalized(across).length();
        let middle = (*a + *b).dot(across) / 2.0;
        sideways < tolerance && (middle - plane).abs() < tolerance && apart.dot(across) > -tolerance
    });
    let length = path_length(positions, &chains[0]);
    (fits && length > 0.02 * size).then_some(Pair {
        parent,
        chains,
        across,
        length,
    })
}

/// The joints of a limb: down from its first joint for as long as one way leads on. Children without
/// children of their own (twist joints, end points) do not count as ways.
fn limb_chain(rig: &Rig, first: usize) -> Vec<usize> {
    let mut chain = vec![first];
    let mut at = first;
    loop {
        let children = rig.children[at]
            .iter()
            .copied()
            .filter(|&child| rig.is_joint(child));
        let children: Vec<usize> = children.collect();
        let deep: Vec<usize> = children
            .iter()
            .copied()
            .filter(|&child| rig.below[child] > 0)
            .collect();
        at = match (deep.as_slice(), children.as_slice()) {
            ([only], _) | ([], [only]) => *only,
            _ => break,
        };
        chain.push(at);
    }
    chain
}

/// Places of the three joints that cut a limb into two long parts of about equal length.
///
/// A first joint on the plane of symmetry is a dummy. A leg of four joints or more has toes after
/// the foot, an arm of five or more has something after the hand; unless the last joint branches,
/// which is what hands and feet do, or a leg's last stretch is its shin.
fn split(rig: &Rig, positions: &[Vec3], pair: &Pair, is_leg: bool) -> Option<[usize; 3]> {
    let chain = &pair.chains[0];
    let count = chain.len();
    let apart = |place: usize| {
        let other = pair.chains[1].get(place)?;
        Some(
            (positions[chain[place]] - positions[*other])
                .dot(pair.across)
                .abs(),
        )
    };
    let start = (0..count.saturating_sub(3))
        .find(|&place| apart(place).is_none_or(|apart| apart > 0.02 * rig.size()))
        .unwrap_or(0);
    let branches = rig.below[chain[count - 1]] > 0;
    let enough = count - start >= if is_leg { 4 } else { 5 };
    let beyond = usize::from(enough && !branches && !(is_leg && ends_in_shin(positions, chain)));
    let mut best: Option<(f32, [usize; 3])> = None;
    for first in start..count {
        for middle in first + 1..count {
            for last in middle + 1..count - beyond {
                let upper = positions[chain[first]].distance(positions[chain[middle]]);
                let lower = positions[chain[middle]].distance(positions[chain[last]]);
                let skipped = (last - first - 2) as f32;
                let score = (upper + lower) * (1.0 - 0.1 * skipped) - 2.0 * (upper - lower).abs();
                if best.is_none_or(|(known, _)| score > known) {
                    best = Some((score, [first, middle, last]));
                }
            }
        }
    }
    best.map(|(_, places)| places)
}

/// True where the last stretch of a chain goes straight on and is about as long as the one before: a shin
/// below a thigh, and no toes beyond a foot.
fn ends_in_shin(positions: &[Vec3], chain: &[usize]) -> bool {
    let [.., above, before, last] = *chain else {
        return false;
    };
    let upper = positions[before] - positions[above];
    let lower = positions[last] - positions[before];
    lower.length() > 0.6 * upper.length()
        && lower.dot(upper) > 0.9 * lower.length() * upper.length()
}

fn path_length(positions: &[Vec3], chain: &[usize]) -> f32 {
    chain
        .windows(2)
        .map(|pair| positions[pair[0]].distance(positions[pair[1]]))
        .sum()
}
