//! Legs that reach their goals, and what hangs from them. Source: docs/laws.md, "Two-bone limb" and "Steady limbs".

use super::lanes::{HoldLanes, rotations};
use super::{AnkleMotion, FeetStage, Goals, Leg, Placed, Work};
use crate::lanes::limbs::{LANES, Mask, Numbers, Rotations, Vectors};
use crate::op::Plan;
use crate::solve::steady::{Moves, SteadyLimbs, Wanted};
use crate::solve::two_bone::{Limbs, solve_lanes};
use crate::stage::limb::Before;
use glam::{Quat, Vec3};
use rebone_model::Transform;
use rebone_model::elementary::Elementary as _;
use rebone_model::rotation::slerp;

/// A foot that is nearer to its goal than this share of its leg stays.
const THERE: f32 = 1e-6;

/// Weight of a foot high in the air.
const AIR: f32 = 300.0;

/// Logarithm of the quotient of the weights of a foot near the floor (10,000) and high in the air.
const AIR_TO_LOW: f32 = 3.5;

/// The same of a foot that stands (3,000,000).
const AIR_TO_HELD: f32 = 9.2;

/// From this weight on a foot stands: one in the air gives way for the sake of an even motion.
const STANDS: f32 = 1e5;

/// Weight of hips that stay where they were brought.
const HIPS: f32 = 300.0;

impl Work<'_> {
    /// How legs that are solved one by one move, once the hips have shifted.
    pub(super) fn legs(&self, goals: &Goals, holds: &HoldLanes, hips_shift: Vec3) -> LegMoves {
        let (stage, own) = (self.stage, &self.own);
        let thighs = rotations(&stage.legs, |leg| self.target[leg.thigh].rotation);
        let mut limbs = Limbs {
            upper: own.shin - own.thigh,
            lower: own.foot - own.shin,
            forward: thighs.turned(stage.legs.lanes.forward),
        };
        let shift = Vectors::splat(hips_shift);
        let goals = self.reached(goals, holds, shift);
        let ways = goals - (own.thigh + shift);
        let whole = own.bones[0] + own.bones[1];
        let off = (goals - (own.foot + shift)).length();
        // A limb without bones is left as it is.
        let stays = off.cmple(whole * THERE);
        limbs.upper = Vectors::select(stays, Vectors::ZERO, limbs.upper);
        limbs.lower = Vectors::select(stays, Vectors::ZERO, limbs.lower);
        let turns = solve_lanes(&limbs, ways, &stage.reach);
        let end = Vectors::select(turns.can_be, turns.end, limbs.upper + limbs.lower);
        let off = (ways - end).length() / whole;
        let counts = whole.cmpgt(Numbers::ZERO) & !stays;
        LegMoves {
            shift: hips_shift,
            upper: turns.upper,
            lower: turns.lower,
            turns: turns.can_be,
            off: Numbers::select(counts, off, Numbers::ZERO).largest(),
        }
    }

    /// The legs of this frame, and where their feet shall be, for [`Bend::Steady`].
    pub(super) fn steady(&self, goals: &Goals, holds: &HoldLanes, shift: Vec3) -> SteadyLimbs {
        let (stage, own) = (self.stage, &self.own);
        let thighs = rotations(&stage.legs, |leg| self.target[leg.thigh].rotation);
        let shift = Vectors::splat(shift);
        let places = self.reached(goals, holds, shift);
        let bones = [own.shin - own.thigh, own.foot - own.shin];
        let whole = own.bones[0] + own.bones[1];
        let is_there = (places - (own.foot + shift)).length().cmple(whole * THERE);
        let ways = Vectors::select(is_there, bones[0] + bones[1], places - (own.thigh + shift));
        let firm =
            goals.shares * (Numbers::ONE - holds.hold) * AIR_TO_LOW + holds.hold * AIR_TO_HELD;
        let weights = firm.map(f32::exponential) * AIR;
        let thigh = self.height(own.thigh + shift);
        // A shrunk foot does not get out of the floor.
        let low = self.height(own.foot + shift) - thigh;
        let lowest = self.lowest(holds) - thigh;
        let lowest = low.min(lowest) * (Numbers::ONE - self.there) + lowest * self.there;
        let forward = thighs.turned(stage.legs.lanes.forward);
        SteadyLimbs::new(&Wanted {
            bones,
            forward,
            one_way: stage.one_way,
            goals: ways,
            weights,
            up: stage.up,
            lowest,
            stiffness: HIPS,
        })
    }
}

/// How legs and hips move in a frame, target file units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LegMoves {
    /// How the hips shift.
    shift: Vec3,
    /// How thighs and shins turn, and which do.
    upper: Rotations,
    lower: Rotations,
    turns: Mask,
    /// How far the worst foot stays from its goal, as a share of the longest leg; of steady legs, the worst that stands.
    pub(super) off: f32,
}

impl LegMoves {
    /// By these moves, where the hips had shifted before.
    pub(crate) fn new(limbs: &SteadyLimbs, moves: &Moves, shift: Vec3) -> Self {
        let [upper, lower] = moves.rotations();
        Self {
            shift: shift + limbs.shift(moves),
            upper,
            lower,
            turns: Mask::new(std::array::from_fn(|leg| moves.is_turned(leg))),
            off: limbs.missed(moves, STANDS),
        }
    }

    /// How a thigh (0) or a shin (1) turns in model space.
    pub(super) fn turn(&self, part: usize, leg: usize) -> Quat {
        match (self.turns.test(leg), part) {
            (false, _) => Quat::IDENTITY,
            (true, 0) => self.upper.lane(leg),
            (true, _) => self.lower.lane(leg),
        }
    }

    /// These moves, brought nearer to others: 0 leaves them, 1 gives the others.
    pub(super) fn towards(&self, other: &Self, share: f32) -> Self {
        let between = |part: usize| {
            Rotations::gather(std::array::from_fn(|leg| {
                slerp(self.turn(part, leg), other.turn(part, leg), share)
            }))
        };
        Self {
            shift: self.shift.lerp(other.shift, share),
            upper: between(0),
            lower: between(1),
            turns: self.turns | other.turns,
            off: self.off + (other.off - self.off) * share,
        }
    }
}

/// What is needed to put moved legs into a pose: the stage, and the target's joints as they were.
pub(super) struct LegWriter<'a> {
    /// [`Hold::pitch`](super::Hold::pitch) of each foot.
    pub(super) pitches: Numbers,
    pub(super) stage: &'a FeetStage,
    pub(super) target: &'a [Placed],
}

impl LegWriter<'_> {
    /// Puts it all into the pose.
    pub(super) fn write(&self, legs: &LegMoves, plan: &Plan, pose: &mut [Transform]) {
        let (stage, shift) = (self.stage, legs.shift);
        let moves = shift.length() > THERE * stage.size;
        if moves {
            let above = stage
                .target
                .find(stage.hips)
                .and_then(|hips| stage.target.above(hips));
            let local = match above {
                Some(above) => self.target[above].local_way(shift),
                None => shift,
            };
            pose[stage.hips].translation += local;
        }
        if legs.turns.any() || stage.turns_soles(self.pitches) {
            self.turn(legs, pose);
        }
        if moves || legs.turns.any() {
            let before = Before {
                joints: &stage.target,
                placed: self.target,
            };
            before.attach(&stage.attached, plan, pose);
        }
    }

    /// Turns thighs, shins and feet in model space: each against what it hangs from, which has turned with the joint above it.
    fn turn(&self, moves: &LegMoves, pose: &mut [Transform]) {
        let lanes =
            |part: usize| Rotations::gather(std::array::from_fn(|leg| moves.turn(part, leg)));
        let (mut upper, mut lower) = (moves.upper, moves.lower);
        let mut level = None;
        if self.stage.turns_soles(self.pitches) {
            (upper, lower) = (lanes(0), lanes(1));
            level = Some(self.stage.level(self.target, self.pitches));
        }
        let local = |of: fn(&Leg) -> usize, above: Option<Rotations>, by: Option<Rotations>| {
            let legs = &self.stage.legs;
            let mut parents = rotations(legs, |leg| self.parent(of(leg)));
            if let Some(mut above) = above {
                // What hangs beside the body does not turn with it.
                for (lane, leg) in legs.iter().enumerate().take(LANES) {
                    if self.is_beside(of(leg)) {
                        above.set_lane(lane, Quat::IDENTITY);
                    }
                }
                parents = above * parents;
            }
            let own = rotations(legs, |leg| self.target[of(leg)].rotation);
            let own = by.map_or(own, |by| by * own);
            (parents.conjugate() * own).normalized().scattered()
        };
        let thighs = local(|leg| leg.thigh, None, Some(upper));
        let shins = local(|leg| leg.shin, Some(upper), Some(lower));
        let feet = local(|leg| leg.foot, Some(lower), level);
        let joint = |place: usize| self.stage.target.joint(place);
        for (lane, leg) in self.stage.legs.iter().enumerate().take(LANES) {
            let turns = moves.turns.test(lane);
            if turns {
                pose[joint(leg.thigh)].rotation = thighs[lane];
                pose[joint(leg.shin)].rotation = shins[lane];
            }
            let levels = level.is_some_and(|level| level.lane(lane) != Quat::IDENTITY);
            if (turns || levels) && leg.ankle != AnkleMotion::Absent {
                pose[joint(leg.foot)].rotation = feet[lane];
            }
        }
    }

    /// How what a joint hangs from is turned.
    fn parent(&self, place: usize) -> Quat {
        let parent = self.stage.target.above(place);
        parent.map_or(Quat::IDENTITY, |parent| self.target[parent].rotation)
    }

    fn is_beside(&self, place: usize) -> bool {
        let joint = self.stage.target.joint(place);
        self.stage.attached.iter().any(|&(other, _)| other == joint)
    }
}
