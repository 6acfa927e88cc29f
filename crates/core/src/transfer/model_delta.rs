//! Method `model-delta`, the default.
//!
//! V_j(t) = W_i(t) · A_i⁻¹ · B_j  (E4), v_j = V_p(j)⁻¹ · V_j with the target's actual, animated parent.
//!
//! | symbol | meaning |
//! |---|---|
//! | W_i | source joint i, model-space rotation at time t |
//! | A_i, B_j | retarget-pose rotations of source joint i and target joint j |
//! | V_j, v_j | target joint j, model space and local |
//!
//! A slot's chain of as many joints on both sides goes one to one; otherwise its first joint carries it.
//! A torso cut into n joints on one side and m ≠ n on the other follows F7:
//! D_i = D_hips · exp(T · (2i − 1)/(2m − 1)), T = log(D_hips⁻¹ · D_last), i = 1..m, so its last joint is
//! exact. Equal counts go one to one. Necks and tails of animals, and legs of which one side lacks the
//! cannon bone, are shared out along the chain (`chain.rs`).
//!
//! Degenerate cases: a joint without partner keeps its local rest rotation and moves with its parent; a
//! rig without torso joints is rigid between hips and neck. Source: this project's motion laws.

use super::chain;
use crate::align::Alignment;
use crate::links::Link;
use crate::mapping::RigMap;
use crate::profile::{Part, Stance};
use crate::runtime::RotationOp;
use glam::DQuat;

/// One operation a target joint.
pub fn rotations(
    source: &Alignment,
    target: &Alignment,
    map: &RigMap,
    links: &[Link],
    named: &[(usize, usize)],
) -> Vec<RotationOp> {
    let mut operations = vec![RotationOp::Rest; target.reference.len()];
    for &(from, to) in named {
        operations[to] = model(source, target, from, to);
    }
    let hips = links
        .iter()
        .find(|link| map.profile.info(link.slot).part == Part::Hips)
        .and_then(|link| link.source.first().copied());
    for link in links {
        match map.profile.info(link.slot).part {
            Part::Torso => torso(source, target, hips, link, &mut operations),
            part if map.profile.stance != Stance::Upright && chain::is_chain(part) => {
                chain::rotations((source, target), map, links, link, &mut operations);
            }
            Part::Neck => {
                for (&from, &to) in link.source.iter().zip(&link.target) {
                    operations[to] = model(source, target, from, to);
                }
            }
            _ if link.source.len() == link.target.len() => {
                for (&from, &to) in link.source.iter().zip(&link.target) {
                    operations[to] = model(source, target, from, to);
                }
            }
            _ => {
                if let (Some(&from), Some(&to)) = (link.source.first(), link.target.first()) {
                    operations[to] = model(source, target, from, to);
                }
            }
        }
    }
    chain::fold_cannons((source, target), map, links, &mut operations);
    if map.profile.stance == Stance::FourLegged {
        chain::follow_thighs((source, target), map, links, &mut operations);
    }
    operations
}

/// The operation by which one target joint follows one source joint.
pub(crate) fn model(source: &Alignment, target: &Alignment, from: usize, to: usize) -> RotationOp {
    let frame = source.retarget_rotation(from).conjugate() * target.retarget_rotation(to);
    RotationOp::Model {
        source: from,
        frame: unit(frame),
    }
}

fn torso(
    source: &Alignment,
    target: &Alignment,
    hips: Option<usize>,
    link: &Link,
    operations: &mut [RotationOp],
) {
    let (count, wanted) = (link.source.len(), link.target.len());
    let (Some(first), Some(&last)) = (hips, link.source.last()) else {
        return;
    };
    if count == wanted {
        for (&from, &to) in link.source.iter().zip(&link.target) {
            operations[to] = model(source, target, from, to);
        }
        return;
    }
    for (index, &to) in link.target.iter().enumerate() {
        operations[to] = RotationOp::Spread {
            first,
            last,
            first_inverse: unit(source.retarget_rotation(first).conjugate()),
            last_inverse: unit(source.retarget_rotation(last).conjugate()),
            frame: unit(target.retarget_rotation(to)),
            fraction: (2 * index + 1) as f32 / (2 * wanted - 1) as f32,
        };
    }
}

pub(super) fn unit(rotation: DQuat) -> glam::Quat {
    crate::align::unit(rotation).as_quat()
}
