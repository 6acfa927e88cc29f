//! Chains of animals that two rigs cut into different numbers of joints: necks, tails, ears, trunks, and legs
//! with or without the cannon bone.
//!
//! D(s) is the rotation delta W · A⁻¹ along the source's chain, known at the middle of each of its bones and
//! interpolated between; s runs from 0 at the root to 1 at the tip, by length. Joint j of the target takes
//! V_j = D(t_j) · B_j, t_j the middle of its bone (E13).
//!
//! | symbol | meaning |
//! |---|---|
//! | s_k, t_j | middle of bone k of the source, of bone j of the target |
//! | D_0 | delta of what carries the chain, at s = 0; used where the target has more joints, so that a neck of one joint bends one of three all along instead of in its root |
//!
//! A target leg without cannon bone lets its lower leg take D between the source's lower leg and cannon, by
//! their lengths: it points about where both together point. A source without one moves the target's cannon
//! with its lower leg; a person moves it half with
//! the thigh. Degenerate cases: beyond the first and last middle D is constant; bones without length
//! count equally.

use super::model_delta::{model, unit};
use crate::align::{Alignment, RestKind};
use crate::links::Link;
use crate::mapping::RigMap;
use crate::profile::{Part, Slot};
use crate::runtime::RotationOp;

/// Both alignments, the source's first.
type Pair<'a> = (&'a Alignment, &'a Alignment);

/// True for parts that are chains of any number of joints in animals.
pub(super) fn is_chain(part: Part) -> bool {
    matches!(
        part,
        Part::Neck | Part::Ear | Part::Trunk | Part::Tail | Part::Limb
    )
}

/// Operations of the target's joints of one chain.
pub(super) fn rotations(
    pair: Pair<'_>,
    map: &RigMap,
    links: &[Link],
    link: &Link,
    operations: &mut [RotationOp],
) {
    let (source, target) = pair;
    if link.source.len() == link.target.len() {
        for (&from, &to) in link.source.iter().zip(&link.target) {
            operations[to] = model(source, target, from, to);
        }
        return;
    }
    let beyond = links
        .iter()
        .find(|other| map.present_parent(other.slot) == Some(link.slot));
    let tip =
        |joints: fn(&Link) -> &Vec<usize>| beyond.and_then(|link| joints(link).first().copied());
    let knots = middles(source, &link.source, tip(|link| &link.source));
    let wanted = middles(target, &link.target, tip(|link| &link.target));
    let mut curve: Vec<(f64, usize)> = knots.into_iter().zip(link.source.iter().copied()).collect();
    if link.target.len() > link.source.len()
        && let Some(carrier) = carrier(map, links, link.slot)
    {
        curve.insert(0, (0.0, carrier));
    }
    for (&to, t) in link.target.iter().zip(wanted) {
        let after = curve.iter().position(|&(s, _)| s > t);
        let (first, last, fraction) = match after {
            Some(0) => (curve[0].1, curve[0].1, 0.0),
            Some(after) => {
                let (low, high) = (curve[after - 1], curve[after]);
                let fraction = (t - low.0) / (high.0 - low.0).max(1e-9);
                (low.1, high.1, fraction)
            }
            None => match curve.last() {
                Some(&(_, last)) => (last, last, 0.0),
                None => continue,
            },
        };
        operations[to] = between(pair, (first, last), to, fraction);
    }
}

/// Lower legs of a target without the cannon bone that the source has.
pub(super) fn fold_cannons(
    pair: Pair<'_>,
    map: &RigMap,
    links: &[Link],
    operations: &mut [RotationOp],
) {
    let (source, _) = pair;
    let linked = |slot: Slot| links.iter().find(|link| link.slot == slot);
    for slot in map.profile.all() {
        if map.profile.info(slot).part != Part::Cannon || linked(slot).is_some() {
            continue;
        }
        let Some(lower) = map.profile.parent(slot).and_then(linked) else {
            continue;
        };
        let paw = map
            .profile
            .all()
            .find(|&below| map.profile.parent(below) == Some(slot))
            .and_then(linked);
        let cannon = source
            .slot_of_joint
            .iter()
            .position(|&own| own == Some(slot));
        let (Some(&from), Some(&to), Some(cannon), Some(paw)) = (
            lower.source.first(),
            lower.target.first(),
            cannon,
            paw.and_then(|link| link.source.first().copied()),
        ) else {
            continue;
        };
        let length = |a: usize, b: usize| {
            source.reference[a]
                .position
                .distance(source.reference[b].position)
        };
        let (upper, below) = (length(from, cannon), length(cannon, paw));
        let fraction = below / (upper + below).max(1e-9);
        operations[to] = between(pair, (from, cannon), to, fraction);
    }
}

/// Cannon bones of an animal that a person moves: in a hind leg stifle and hock fold together, which keeps the
/// cannon near the thigh's direction. It takes the middle between thigh and shin, so that the hoof comes up
/// under the croup instead of kicking out, and a foot that stands still about stands.
pub(super) fn follow_thighs(
    pair: Pair<'_>,
    map: &RigMap,
    links: &[Link],
    operations: &mut [RotationOp],
) {
    if pair.0.rest_kind == RestKind::FourLegged {
        return;
    }
    for (&slot, found) in &map.slots {
        let above = map.profile.parent(slot);
        let thigh = above.and_then(|lower| map.profile.parent(lower));
        let of_hind_leg = thigh.is_some_and(|slot| map.profile.info(slot).part == Part::UpperLeg);
        let has_source = links.iter().any(|link| link.slot == slot);
        if map.profile.info(slot).part != Part::Cannon || !of_hind_leg || has_source {
            continue;
        }
        let source_of = |slot: Option<Slot>| {
            let link = links.iter().find(|link| Some(link.slot) == slot)?;
            link.source.first().copied()
        };
        if let (Some(thigh), Some(shin), Some(&to)) =
            (source_of(thigh), source_of(above), found.joints.first())
        {
            operations[to] = between(pair, (thigh, shin), to, 0.5);
        }
    }
}

/// V = D · B with D between those of two source joints.
fn between(pair: Pair<'_>, joints: (usize, usize), to: usize, fraction: f64) -> RotationOp {
    let (source, target) = pair;
    let (first, last) = joints;
    if first == last || fraction < 1e-6 {
        return model(source, target, first, to);
    }
    RotationOp::Spread {
        first,
        last,
        first_inverse: unit(source.retarget_rotation(first).conjugate()),
        last_inverse: unit(source.retarget_rotation(last).conjugate()),
        frame: unit(target.retarget_rotation(to)),
        fraction: fraction as f32,
    }
}

/// The source joint of the nearest slot above a slot, the last of its chain.
fn carrier(map: &RigMap, links: &[Link], slot: Slot) -> Option<usize> {
    let mut at = map.profile.parent(slot);
    while let Some(above) = at {
        if let Some(link) = links.iter().find(|link| link.slot == above) {
            return link.source.last().copied();
        }
        at = map.profile.parent(above);
    }
    None
}

/// Middles of a chain's bones, 0 to 1 by length. The last bone leads to `tip`; without one it is as long as
/// the mean of those before.
fn middles(alignment: &Alignment, joints: &[usize], tip: Option<usize>) -> Vec<f64> {
    let place = |joint: usize| alignment.reference[joint].position;
    let mut lengths: Vec<f64> = joints
        .windows(2)
        .map(|pair| place(pair[0]).distance(place(pair[1])))
        .collect();
    let mean = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
    let last = joints.last().zip(tip);
    lengths.push(last.map_or(mean, |(&joint, tip)| place(joint).distance(place(tip))));
    let total: f64 = lengths.iter().sum();
    if total < 1e-9 {
        lengths.fill(1.0);
    }
    let total: f64 = lengths.iter().sum();
    let mut below = 0.0;
    lengths
        .iter()
        .map(|length| {
            let middle = (below + length / 2.0) / total;
            below += length;
            middle
        })
        .collect()
}
