//! What a person's own links change in a plan.
//!
//! A linked joint turns by the same law as a joint of a slot (V = W · A⁻¹ · B), whatever slot it is in.
//! Where neither rig has hips, the pair of topmost joints carries the travel: p_B = k · T · p_A + c, with T
//! the turn between the files' axes, c such that the reference poses fall together, and k by the law of the
//! motion scale; laws that speak of a body fall back to the quotient of the linked chains' lengths.

use super::{Both, Mapped};
use crate::align::Alignment;
use crate::by_hand::HandLinks;
use crate::root::RootScale;
use crate::runtime::{RotationOp, TravelOp};
use crate::transfer::model_delta;
use glam::{DMat3, DQuat};
use rebone_model::JointKind;

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
    for &target in &links.left_out {
        rotations[target] = RotationOp::Rest;
    }
}

/// The joints that carry the travel: those of the hips' slots, or what a person put in their place.
pub(super) fn hips(both: &Both<'_>, links: &HandLinks) -> Option<(usize, usize)> {
    let target = both.target.map.joint_named("hips")?;
    if links.left_out.contains(&target) {
        return None;
    }
    let source = links.source_of(target);
    Some((source.or(both.source.map.joint_named("hips"))?, target))
}

/// Travel of rigs that are no bodies: of a linked pair that has no joint above it on either side.
pub(super) fn travel(both: &Both<'_>, links: &HandLinks, scale: RootScale) -> Option<TravelOp> {
    let topmost = |side: &Mapped<'_>, joint: usize| {
        let skeleton = &side.character.skeleton;
        skeleton
            .ancestors(joint)
            .all(|above| skeleton.joints()[above].kind == JointKind::Ancestor)
    };
    let &(source, target) = links
        .pairs
        .iter()
        .find(|&&(source, target)| topmost(both.source, source) && topmost(both.target, target))?;
    let ratio = match scale {
        RootScale::None | RootScale::Factor(_) => both.ratio,
        _ => lengths_ratio(both, links),
    };
    let (from, to) = (both.from, both.to);
    let turn: DQuat = to.canonical_from_file.conjugate() * from.canonical_from_file;
    let linear = DMat3::from_quat(turn) * ratio;
    let place = |side: &Alignment, joint: usize| {
        side.canonical_from_file.conjugate() * side.reference[joint].position
    };
    Some(TravelOp {
        source,
        target,
        linear: linear.as_mat3(),
        offset: (place(to, target) - linear * place(from, source)).as_vec3(),
        legs: None,
        parent_size: super::places::size_above(both.source.character, source),
    })
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
