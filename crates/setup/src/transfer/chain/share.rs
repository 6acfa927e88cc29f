//! The modes of chains: from n deltas to m.
//!
//! D_k = W_k · A_k⁻¹ is the delta of bone k of the source, D_0 that of the joint that carries the chain. Bone k covers
//! [s_k, s_{k+1}] of the source's chain, bone l covers [t_l, t_{l+1}] of the target's (`stretch.rs`). The target's
//! joint takes V_l = D_l · B_l.
//!
//! | mode | D_l |
//! |---|---|
//! | overlap | chordal mean of D_k, weights \|[s_k,s_{k+1}] ∩ [t_l,t_{l+1}]\| |
//! | mid-slerp | the curve through (s_k + s_{k+1})/2 ↦ D_k, at (t_l + t_{l+1})/2; constant beyond its ends |
//! | end-exact | the curve through 0 ↦ D_0, s_{k+1} ↦ D_k, at t_{l+1} |
//! | spread-by-length | D_0 · exp(t_{l+1} · log(D_0⁻¹ · D_n)) |
//! | spread | D_0 · exp((2l − 1)/(2m − 1) · log(D_0⁻¹ · D_n)), l = 1..m |
//! | match-chain | that of overlap, swung so that B's bone lies along Σ weight · D_k · u_k |
//!
//! All are independent of the joints' own axes: a delta is. Degenerate cases: without a joint that carries the chain,
//! D_0 is D_1; a bone without length has the weight of what surrounds it. Source: docs/laws.md, "Chains of unlike joint counts".

use super::Chain;
use super::mode::ChainMode;
use super::stretch::{Bone, bones};
use crate::align::Alignment;
use crate::transfer::Turns;
use crate::transfer::model_delta::{model, unit};
use glam::DVec3;
use rebone_runtime::{BlendOp, BlendTerm, RotationOp};

/// Shares of one joint below this are none.
const LEAST: f64 = 1e-6;

/// A source joint by where it stands along the chain.
type Knot = (f64, usize);

/// The retarget poses of source and target.
#[derive(Clone, Copy)]
pub(in crate::transfer) struct Pair<'a> {
    pub(in crate::transfer) source: &'a Alignment,
    pub(in crate::transfer) target: &'a Alignment,
}

pub(super) fn share(pair: Pair<'_>, chain: &Chain, mode: ChainMode, turns: &mut Turns) {
    let from = bones(pair.source, &chain.source, chain.source_tip);
    let to = bones(pair.target, &chain.target, chain.target_tip);
    let (Some(&first), Some(&last)) = (chain.source.first(), chain.source.last()) else {
        return;
    };
    let carrier = chain.carrier.unwrap_or(first);
    let count = to.len();
    for (index, bone) in to.iter().enumerate() {
        let operation = match mode {
            ChainMode::Overlap => overlap(pair, &from, bone, false, turns),
            ChainMode::MatchChain => overlap(pair, &from, bone, true, turns),
            ChainMode::MidSlerp => {
                let knots = from.iter().map(|bone| (bone.middle(), bone.joint));
                pair.on_curve(knots.collect(), bone.joint, bone.middle())
            }
            ChainMode::EndExact => {
                let ends = from.iter().map(|bone| (bone.end, bone.joint));
                let knots = std::iter::once((0.0, carrier)).chain(ends).collect();
                let at = if index + 1 == count { 1.0 } else { bone.end };
                pair.on_curve(knots, bone.joint, at)
            }
            ChainMode::SpreadByLength => {
                let fraction = if index + 1 == count { 1.0 } else { bone.end };
                pair.between([carrier, last], bone.joint, fraction)
            }
            _ => {
                let fraction = (2 * index + 1) as f64 / (2 * count - 1) as f64;
                pair.between([carrier, last], bone.joint, fraction)
            }
        };
        turns.rotations[bone.joint] = operation;
    }
}

/// A chain of an animal's neck: where the target has more joints it bends all along, from what carries it.
pub(super) fn bend_from_root(pair: Pair<'_>, chain: &Chain, turns: &mut Turns) {
    let from = bones(pair.source, &chain.source, chain.source_tip);
    let mut knots: Vec<Knot> = from
        .iter()
        .map(|bone| (bone.middle(), bone.joint))
        .collect();
    if chain.target.len() > chain.source.len()
        && let Some(carrier) = chain.carrier
    {
        knots.insert(0, (0.0, carrier));
    }
    for bone in bones(pair.target, &chain.target, chain.target_tip) {
        turns.rotations[bone.joint] = pair.on_curve(knots.clone(), bone.joint, bone.middle());
    }
}

fn overlap(
    pair: Pair<'_>,
    from: &[Bone],
    bone: &Bone,
    is_along: bool,
    turns: &mut Turns,
) -> RotationOp {
    let Pair { source, target } = pair;
    let mut parts: Vec<(&Bone, f64)> = from
        .iter()
        .map(|other| (other, other.overlap(bone)))
        .collect();
    let total: f64 = parts.iter().map(|part| part.1).sum();
    parts.retain(|part| part.1 > LEAST * total.max(LEAST));
    if parts.is_empty() {
        // A bone without length: what lies at its place.
        let at = bone.middle();
        let nearest = from
            .iter()
            .min_by(|a, b| (a.middle() - at).abs().total_cmp(&(b.middle() - at).abs()));
        parts.extend(nearest.map(|other| (other, 1.0)));
    }
    let total: f64 = parts.iter().map(|part| part.1).sum();
    let along = (is_along && bone.direction != DVec3::ZERO).then(|| bone.direction.as_vec3());
    if let (&[(other, _)], None) = (parts.as_slice(), along) {
        return model(source, target, other.joint, bone.joint);
    }
    turns.blends.push(BlendOp {
        terms: parts
            .iter()
            .map(|(other, part)| BlendTerm {
                source: other.joint,
                inverse: unit(source.retarget_rotation(other.joint).conjugate()),
                weight: (part / total) as f32,
                bone: other.direction.as_vec3(),
            })
            .collect(),
        frame: unit(target.retarget_rotation(bone.joint)),
        along,
    });
    RotationOp::Blend {
        blend: turns.blends.len() - 1,
    }
}

impl Pair<'_> {
    /// The curve through some knots, at a place between them; constant beyond.
    fn on_curve(self, knots: Vec<Knot>, to: usize, place: f64) -> RotationOp {
        let after = knots.iter().position(|knot| knot.0 > place);
        let (joints, fraction) = match after {
            Some(0) => ([knots[0].1; 2], 0.0),
            Some(after) => {
                let (low, high) = (knots[after - 1], knots[after]);
                let fraction = (place - low.0) / (high.0 - low.0).max(1e-9);
                ([low.1, high.1], fraction)
            }
            None => match knots.last() {
                Some(&(_, last)) => ([last; 2], 0.0),
                None => return RotationOp::Rest,
            },
        };
        self.between(joints, to, fraction)
    }

    /// V = D · B with D between those of two source joints.
    pub(super) fn between(self, [first, last]: [usize; 2], to: usize, fraction: f64) -> RotationOp {
        let Pair { source, target } = self;
        if first == last || fraction < LEAST {
            return model(source, target, first, to);
        }
        if fraction > 1.0 - LEAST {
            return model(source, target, last, to);
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
}
