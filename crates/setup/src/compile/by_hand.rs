//! What a person's own links change in a plan.
//!
//! A linked joint turns by the same law as a joint of a slot (V = W · A⁻¹ · B), whatever slot it is in.
//! Where neither rig has hips, pairs of topmost joints carry the travel: p_B = k · T · p_A + c, with T the
//! turn between the files' axes, c such that the reference poses fall together, and k by the law of the
//! motion scale; laws that speak of a body fall back to the quotient of the linked chains' lengths.

use super::{Both, Mapped, above_at_rest, hips_of, places};
use crate::align::{Alignment, unit};
use crate::by_hand::HandLinks;
use crate::root::RootScale;
use crate::transfer::model_delta;
use glam::{DMat3, DQuat};
use rebone_model::{Clip, JointKind};
use rebone_runtime::{LinearOp, RotationOp};

/// Rotations as a person wants them.
pub(super) fn rotations(
    from: &Alignment,
    to: &Alignment,
    links: &HandLinks,
    rotations: &mut [RotationOp],
) {
    for &(source, target) in &links.pairs {
        rotations[target] = model_delta::model(from, to, source, target);
    }
    for middle in &links.middles {
        let [first, last] = middle.sources;
        rotations[middle.target] = RotationOp::Spread {
            first,
            last,
            first_inverse: unit(from.retarget_rotation(first).conjugate()).as_quat(),
            last_inverse: unit(from.retarget_rotation(last).conjugate()).as_quat(),
            frame: unit(to.retarget_rotation(middle.target)).as_quat(),
            fraction: 0.5,
        };
    }
    for &target in &links.left_out {
        rotations[target] = RotationOp::Rest;
    }
}

/// The joints that carry the travel: those of the hips' slots, or what a person put in their place.
pub(super) fn hips(both: &Both<'_>, links: &HandLinks) -> Option<(usize, usize)> {
    let target = hips_of(both.target.map)?;
    if links.left_out.contains(&target) {
        return None;
    }
    let source = links.source_of(target);
    Some((source.or(hips_of(both.source.map))?, target))
}

/// Travel of rigs that are no bodies, and its ratio in target file units a source file unit: linked joints
/// that have no joint above them on either side.
pub(super) fn travel(
    both: &Both<'_>,
    clips: &[&Clip],
    links: &HandLinks,
    scale: RootScale,
) -> (Vec<LinearOp>, f64) {
    let (from, to) = (both.from, both.to);
    let ratio = match scale {
        RootScale::None | RootScale::Factor(_) | RootScale::Axes(_) => both.ratio,
        _ => lengths_ratio(both, links),
    };
    let turn: DQuat = to.canonical_from_file.conjugate() * from.canonical_from_file;
    let mut result = Vec::new();
    for &(source, target) in &links.pairs {
        let above = above_topmost(both.source, source).zip(above_topmost(both.target, target));
        let Some((above, target_above)) = above else {
            continue;
        };
        let linear = target_above.inverse() * DMat3::from_quat(turn) * ratio * above;
        // A container may have scale 0; then nothing can be carried through it.
        if !linear.is_finite() {
            continue;
        }
        let linear = linear.as_mat3();
        let own = places::reference_translation(both, clips, source);
        let rest = both.target.character.skeleton.joints()[target].rest;
        result.push(LinearOp {
            source,
            target,
            linear,
            offset: rest.translation - linear * own,
        });
    }
    (result, ratio)
}

/// What the nodes above a joint make of its translation, where none of them is a joint.
fn above_topmost(side: &Mapped<'_>, joint: usize) -> Option<DMat3> {
    let skeleton = &side.character.skeleton;
    let is_container = |above: usize| skeleton.joints()[above].kind == JointKind::Ancestor;
    let is_topmost = skeleton.ancestors(joint).all(is_container);
    is_topmost.then(|| above_at_rest(side, joint).matrix3)
}

/// How much longer the target's linked joints lie apart: sums of the distances from each linked joint to
/// the nearest one above it. 1 where nothing can be compared.
fn lengths_ratio(both: &Both<'_>, links: &HandLinks) -> f64 {
    let (mut source_sum, mut target_sum) = (0.0, 0.0);
    for &(source, target) in &links.pairs {
        let skeleton = &both.target.character.skeleton;
        let above = skeleton
            .ancestors(target)
            .find_map(|above| Some((links.source_of(above)?, above)));
        if let Some((source_above, target_above)) = above {
            let distance = |side: &Alignment, a: usize, b: usize| {
                side.reference[a]
                    .position
                    .distance(side.reference[b].position)
            };
            source_sum += distance(both.from, source, source_above);
            target_sum += distance(both.to, target, target_above);
        }
    }
    if source_sum > 1e-9 && target_sum > 1e-9 {
        target_sum / source_sum
    } else {
        1.0
    }
}
