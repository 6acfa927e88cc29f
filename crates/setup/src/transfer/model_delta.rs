//! Method `model-delta`, the default.
//!
//! V_j(t) = W_i(t) · A_i⁻¹ · B_j, v_j = V_p(j)⁻¹ · V_j with the target's actual, animated parent.
//!
//! | symbol | meaning |
//! |---|---|
//! | W_i | source joint i, model-space rotation at time t |
//! | A_i, B_j | retarget-pose rotations of source joint i and target joint j |
//! | V_j, v_j | target joint j, model space and local |
//!
//! Chains of which the two rigs have unlike numbers of joints are shared out as `chain` says.
//!
//! Degenerate cases: a joint without partner keeps its local rest rotation and moves with its parent; a
//! rig without torso joints is rigid between hips and neck. Source: docs/laws.md, "Model-space transfer".

use super::Turns;
use super::chain::{self, Pair, Sides, SlotModes};
use crate::align::Alignment;
use crate::links::Link;
use crate::profile::Stance;
use glam::DQuat;
use rebone_runtime::RotationOp;

/// What each of the target's joints follows.
pub(crate) fn rotations(
    sides: Sides<'_>,
    links: &[Link],
    named: &[(usize, usize)],
    modes: &SlotModes,
) -> Turns {
    let pair = Pair {
        source: sides.source.alignment,
        target: sides.target.alignment,
    };
    let map = sides.target.map;
    let mut turns = Turns::from(vec![RotationOp::Rest; pair.target.reference.len()]);
    for &(from, to) in named {
        turns.rotations[to] = model(pair.source, pair.target, from, to);
    }
    chain::rotations(sides, links, modes, &mut turns);
    chain::fold_cannons(pair, map, links, &mut turns.rotations);
    if map.profile.stance == Stance::FourLegged {
        chain::follow_thighs(pair, map, links, &mut turns.rotations);
        chain::halve_wrists(pair, map, links, &mut turns.rotations);
    }
    turns
}

/// The operation by which one target joint follows one source joint.
pub(crate) fn model(source: &Alignment, target: &Alignment, from: usize, to: usize) -> RotationOp {
    let frame = source.retarget_rotation(from).conjugate() * target.retarget_rotation(to);
    RotationOp::Model {
        source: from,
        frame: unit(frame),
    }
}

pub(super) fn unit(rotation: DQuat) -> glam::Quat {
    crate::align::unit(rotation).as_quat()
}
