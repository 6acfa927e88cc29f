//! Method `parent-delta` (seed 2), with exactly its numbers.
//!
//! difference = A_p⁻¹ · B_p; offset = A_p · w; v = offset · (±difference) · B_p⁻¹
//!
//! | symbol | meaning |
//! |---|---|
//! | w | source joint, local rotation at time t |
//! | A_p, B_p | bind rotation of the source joint's and of the target joint's parent |
//!
//! The sign of `difference` is flipped where offset · A_p < 0 (a quaternion sign: the same rotation).
//!
//! NOTE: the target's parent cancels, v = A_p · w · A_p⁻¹. The result does not depend on the target's
//! bind pose, so it is right only where both rigs have the same axes. Kept because the seed's worked
//! example is well known; use `model-delta`. Source: docs/laws.md, "Other methods of transfer".

use crate::align::Alignment;
use crate::links::Link;
use crate::transfer::rest_delta;
use glam::Quat;
use rebone_model::Character;
use rebone_runtime::RotationOp;

/// Every step of the seed's worked example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// A_p⁻¹ · B_p.
    pub difference: Quat,
    /// A_p · w.
    pub offset: Quat,
    /// True where the sign of `difference` was flipped.
    pub flipped: bool,
    /// offset · (±difference).
    pub combined: Quat,
    /// B_p⁻¹.
    pub inverse_target_parent: Quat,
    /// combined · B_p⁻¹: the target joint's local rotation.
    pub result: Quat,
}

/// The seed's function for one pair of joints.
pub fn steps(source_parent: Quat, target_parent: Quat, animated: Quat) -> Steps {
    let difference = source_parent.conjugate() * target_parent;
    let offset = source_parent * animated;
    let flipped = offset.dot(source_parent) < 0.0;
    let combined = offset * if flipped { -difference } else { difference };
    let inverse_target_parent = target_parent.conjugate();
    Steps {
        difference,
        offset,
        flipped,
        combined,
        inverse_target_parent,
        result: combined * inverse_target_parent,
    }
}

/// One operation a target joint. The sign flip is left out: it never changes the rotation.
pub fn rotations(
    source: (&Character, &Alignment),
    target: (&Character, &Alignment),
    links: &[Link],
) -> Vec<RotationOp> {
    let mut operations = vec![RotationOp::Rest; target.1.reference.len()];
    for link in links {
        for (&from, &to) in link.source.iter().zip(&link.target) {
            let (_, source_parent) = rest_delta::pose(source.0, source.1, from, true);
            let (_, target_parent) = rest_delta::pose(target.0, target.1, to, true);
            operations[to] = RotationOp::Local {
                source: from,
                left: source_parent,
                right: source_parent.conjugate() * target_parent * target_parent.conjugate(),
            };
        }
    }
    operations
}
