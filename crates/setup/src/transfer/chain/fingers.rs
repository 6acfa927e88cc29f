//! Fingers of unlike numbers of joints.
//!
//! Joints go one to one from the knuckle on. A target with fewer joints leaves out the last ones: what they bend is
//! lost, and the finger stays where its knuckle points. Where the target has more, the last joint of the source bends
//! all that are left, by length: D_l = D_{n−1} · exp(f_l · log(D_{n−1}⁻¹ · D_n)), l = n..m, with f_l the length of the
//! target's bones n..l over that of n..m, so that the tip is exact. D_{n−1} is the delta of the joint above.

use super::share::Pair;
use super::stretch::bones;
use super::{Chain, one_to_one};
use crate::transfer::Turns;

pub(super) fn finger(pair: Pair<'_>, chain: &Chain, turns: &mut Turns) {
    one_to_one(pair, chain, turns);
    let count = chain.source.len();
    if chain.target.len() <= count {
        return;
    }
    let Some(&last) = chain.source.last() else {
        return;
    };
    let above = count.checked_sub(2).map(|above| chain.source[above]);
    let above = above.or(chain.carrier).unwrap_or(last);
    let rest = &chain.target[count - 1..];
    for bone in bones(pair.target, rest, chain.target_tip) {
        let is_tip = Some(&bone.joint) == rest.last();
        let fraction = if is_tip { 1.0 } else { bone.end };
        turns.rotations[bone.joint] = pair.between([above, last], bone.joint, fraction);
    }
}
