//! Legs of a known clip that follow the motion laws to the letter, but where these jump.
//!
//! ```text
//! added(t)  = angle of V from frame t − 1 to t  −  the same of the transferred leg          thigh or shin, the larger one
//! jumps     = frames with added > 5 degrees, with the frame before each; and from there on both ways, as long as the laws'
//!             leg and the steady one are more than 15 degrees apart
//! share     = smooth(1 − d / 0.15 s),  d = time to the nearest of them
//! leg       = slerp(law, steady, share)
//! ```
//!
//! V is the rotation in model space. Where nothing jumps the bits are those of the laws.
//! Source: docs/laws.md, "Two-bone limb".

use super::lanes::{HoldLanes, rotations};
use super::legs::LegMoves;
use super::{FeetStage, Placed, View, Work};
use crate::lanes::limbs::{LANES, Rotations};
use crate::solve::smooth;
use crate::solve::steady::{SteadyLimbs, settle};
use glam::Vec3;
use rebone_model::rotation::angle_between;

/// Most that a thigh or shin turns in a frame beyond the transferred one, radians.
const MOST: f32 = 0.087;

/// How far apart laws and steady legs may be where one goes over into the other, radians.
const APART: f32 = 0.26;

/// How long that takes, seconds.
const FADE: f32 = 0.15;

/// Frames further apart than this do not follow each other, seconds.
const LONGEST_STEP: f32 = 1.0;

/// A frame of a clip: its legs by the laws, and what steady ones are found from.
pub(crate) struct LawLegs {
    moves: LegMoves,
    limbs: SteadyLimbs,
    shift: Vec3,
    /// Thighs and shins as transferred, model space.
    own: [Rotations; 2],
}

impl FeetStage {
    /// The legs of a frame by the laws.
    pub(crate) fn by_law(&self, source: View<'_>, target: &[Placed]) -> LawLegs {
        let work = Work::new(self, source, target, HoldLanes::NONE.pitch);
        let holds = HoldLanes::NONE;
        let goals = work.goals(&holds);
        let raw = work.raw();
        let shift = work.shift(raw + work.carried(&goals, &holds, raw));
        LawLegs {
            moves: work.legs(&goals, &holds, shift),
            limbs: work.steady(&goals, &holds, shift),
            shift,
            own: [
                rotations(&self.legs, |leg| target[leg.thigh].rotation),
                rotations(&self.legs, |leg| target[leg.shin].rotation),
            ],
        }
    }
}

impl LawLegs {
    /// By how much a thigh or shin turns more than the transferred one since the frame before, radians.
    fn added(&self, before: &Self) -> f32 {
        let mut most = 0.0f32;
        for leg in 0..LANES {
            for part in [0, 1] {
                let [old, new] = [before, self].map(|frame| {
                    let own = frame.own[part].lane(leg);
                    (own, frame.moves.turn(part, leg) * own)
                });
                most = most.max(angle_between(old.1, new.1) - angle_between(old.0, new.0));
            }
        }
        most
    }

    /// How far these legs are from others, radians.
    fn apart(&self, other: &LegMoves) -> f32 {
        let all = (0..LANES).flat_map(|leg| [(0, leg), (1, leg)]);
        let apart = |(part, leg)| angle_between(self.moves.turn(part, leg), other.turn(part, leg));
        all.map(apart).fold(0.0, f32::max)
    }
}

/// How the legs of a clip move: by the laws, and steadily around jumps.
pub(crate) fn without_jumps(times: &[f32], frames: &[LawLegs]) -> Vec<LegMoves> {
    let mut legs: Vec<LegMoves> = frames.iter().map(|frame| frame.moves).collect();
    let mut jumps = vec![false; frames.len()];
    for frame in 1..frames.len() {
        // Behind a jump of the source times begin later: what its legs do there is no fault of the laws.
        let is_step = times[frame] - times[frame - 1] < LONGEST_STEP;
        if is_step && frames[frame].added(&frames[frame - 1]) > MOST {
            jumps[frame - 1..=frame].fill(true);
        }
    }
    if !jumps.contains(&true) {
        return legs;
    }
    let limbs: Vec<SteadyLimbs> = frames.iter().map(|frame| frame.limbs).collect();
    let moves = settle(times, &limbs);
    let steady: Vec<LegMoves> = frames
        .iter()
        .zip(&moves)
        .map(|(frame, moves)| LegMoves::new(&frame.limbs, moves, frame.shift))
        .collect();
    let is_apart = |frame: usize| frames[frame].apart(&steady[frame]) > APART;
    for frame in 1..frames.len() {
        jumps[frame] |= jumps[frame - 1] && is_apart(frame);
    }
    for frame in (1..frames.len()).rev() {
        jumps[frame - 1] |= jumps[frame] && is_apart(frame - 1);
    }
    let mut near = f32::NEG_INFINITY;
    let mut shares: Vec<f32> = Vec::with_capacity(frames.len());
    for (time, is_jump) in times.iter().zip(&jumps) {
        near = if *is_jump { *time } else { near };
        shares.push(1.0 - (time - near) / FADE);
    }
    near = f32::INFINITY;
    for ((time, is_jump), share) in times.iter().zip(&jumps).zip(&mut shares).rev() {
        near = if *is_jump { *time } else { near };
        *share = smooth(share.max(1.0 - (near - time) / FADE));
    }
    for ((legs, steady), share) in legs.iter_mut().zip(&steady).zip(shares) {
        if share > 0.0 {
            *legs = legs.towards(steady, share);
        }
    }
    legs
}
