//! Bodies that touch the floor with more than their feet: they lie, sit, kneel, crawl as low as the source does, and
//! no end point goes below the floor.
//!
//! ```text
//! w(a) = 1 − smooth((a / T − lo) / (hi − lo))             how much a point of the source counts as on the floor
//! e_i  = κ a_i − b_i                                      what a point of the target is too low
//! W    = 1 − Π (1 − w_i)
//! y    = W Σ e_i exp(r_i / τ) / Σ exp(r_i / τ)            how far the body goes up: nearly the largest e
//! r_i  = e_i − κ T (1 / w_i − 1)
//! y    + (Σ x_i⁸)^⅛,  x_i = soft(min(0, κ a_i) − b_i − y) so that nothing is in the floor
//! foot + down(V (w e + (1 − w) y)),   hand + w e          and neither of them in the floor
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | a, b | height over the floor of a point of the source, of the target behind the stages before |
//! | T | thickness of the source's body: half of the distance of the thighs and half that of the shoulders, mean |
//! | κ | thickness of the target's body over that of the source's |
//! | i | the trunk's points (hips, chest, head) and the knees |
//! | lo, hi | 0.8 and 1.5 for the hips, 0.9 and 1.6 for chest and head, 0.35 and 0.6 for knees, 0.4 and 1 for palms |
//! | V | W of the trunk's points alone: how much the legs are free to go with the body |
//! | τ | 0.05 κ T |
//! | soft(x) | x² / (x + 0.01 κ T), 0 for what is above |
//! | down | ends where the sole is on the floor, slowed on the last 0.01 κ T |
//!
//! A body that stands goes by its legs, so places scale with legs. A body that lies goes by how thick it is: legs say
//! nothing about it. So where the trunk or the knees carry, heights over the floor are those of the source, times κ.
//! The trunk's points, and hands, count the less the more upright the legs are: the hips over the lower ankle by 0.05 to 0.6
//! of what they are when standing, 0.35 to 0.7 for hands, 0.5 to 0.7 for knees. On short
//! legs the hips are always near the floor. And each
//! point counts the less the nearer it is to its height when standing, 0.4 to 0.8 of it, 0.3 to 0.55 for knees.
//!
//! Knees follow from where hips and feet go, so that three rounds are made. The sole's share of an ankle's height is that
//! of the feet (η_B − κ η_A), as far as the foot is level.
//!
//! All of it is a smooth function of the frame alone. A body that stands keeps its bits.
//!
//! Degenerate cases: limbs that are not whole stay out; a hand that is further from the floor than the arm is long goes as
//! near as it can. Sources: floor clamp of the project's algorithm notes (4.10); section 9 of its motion notes, which
//! asks for another rule than F3 where the legs do not carry.

mod causal;
mod clip;
mod low;
mod wants;

pub(super) use causal::MEMORY;
pub(in crate::runtime) use clip::GroundLook;

use super::Frame;
use super::kinematics::{Kinematics, Placed};
use super::limb::Before;
use super::pin::{PinLimb, slide};
use crate::runtime::op::Plan;
use glam::{Quat, Vec3};
use rebone_model::Transform;
use wants::{THERE, Work};

/// How far a body, its feet and its hands go up in a frame, target file units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lift {
    /// y.
    pub rise: f32,
    /// Of each leg, as seen from the floor.
    pub feet: [f32; 4],
    /// Of each arm, as seen from the shoulder, which goes with the body.
    pub hands: [f32; 4],
}

/// Keeps bodies on the floor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroundStage {
    /// Up, in the source's file space, unit, and the height of its floor along it.
    pub source_up: Vec3,
    /// See `source_up`.
    pub source_floor: f32,
    /// Up, in the target's file space, unit, and the height of its floor along it.
    pub up: Vec3,
    /// See `up`.
    pub floor: f32,
    /// T, source file units.
    pub thickness: f32,
    /// κ, target file units a source unit.
    pub scale: f32,
    /// How high the source's hips are over its ankles when it stands.
    pub standing: f32,
    /// What carries the target's body, a place in [`target`](Self::target).
    pub hips: usize,
    /// Points of the trunk, the hips first. At most 4 are looked at.
    pub trunk: Vec<GroundPoint>,
    /// The legs; at most 4.
    pub legs: Vec<GroundLeg>,
    /// The arms.
    pub arms: Vec<GroundArm>,
    /// Target joints that hang beside the body from another joint, carriers before the carried.
    pub attached: Vec<(usize, usize)>,
    /// Source joints looked at.
    pub source: Kinematics,
    /// Target joints looked at.
    pub target: Kinematics,
}

/// A joint of the trunk. Joints are places in [`GroundStage::source`] and [`GroundStage::target`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundPoint {
    /// The source's.
    pub source: usize,
    /// The target's.
    pub target: usize,
    /// lo and hi.
    pub range: [f32; 2],
    /// How high the source's is when the body stands.
    pub standing: f32,
}

/// A leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundLeg {
    /// The source's shin, and how high it begins when the body stands.
    pub source_knee: usize,
    /// See `source_knee`.
    pub standing_knee: f32,
    /// The source's ankle.
    pub source_foot: usize,
    /// The target's.
    pub limb: PinLimb,
    /// Inverse of the target's foot in the retarget pose, file space.
    pub foot_frame: Quat,
    /// η of source and target.
    pub ankle_heights: [f32; 2],
}

/// An arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundArm {
    /// The source's hand.
    pub source_hand: usize,
    /// Its palm, in its axes.
    pub source_palm: Vec3,
    /// The target's.
    pub limb: PinLimb,
    /// The palm of the target's hand, in its axes.
    pub palm: Vec3,
}

impl GroundStage {
    /// Joints in model space that it keeps while it works.
    pub(super) fn scratch(&self) -> usize {
        self.target.len()
    }

    pub(super) fn joints(&self) -> Vec<usize> {
        let limbs = self.legs.iter().map(|leg| &leg.limb);
        let limbs = limbs.chain(self.arms.iter().map(|arm| &arm.limb));
        let places = limbs.flat_map(PinLimb::places).chain([self.hips]);
        let mut all: Vec<usize> = places.map(|place| self.target.joint(place)).collect();
        all.extend(self.attached.iter().map(|&(joint, _)| joint));
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(super) fn apply(&self, frame: &mut Frame<'_>) {
        if !self.is_whole() {
            return;
        }
        let target = &mut *frame.scratch;
        let (lift, is_placed) = match frame.given.lift {
            Some(lift) => (lift, false),
            None => {
                let source = frame.sights.source(&self.source);
                let low = self.low(&source);
                let memory = &mut *frame.memory;
                if frame.is_first {
                    memory.fill(0.0);
                }
                if low.is_upright() && causal::is_still(memory) {
                    return;
                }
                frame.sights.place_target(&self.target, frame.pose, target);
                let want = Work::new(self, source, target, low).want().lift;
                let elapsed = frame.given.elapsed.filter(|_| !frame.is_first);
                (causal::follow(memory, &want, elapsed, self.size()), true)
            }
        };
        if lift == Lift::default() {
            return;
        }
        if !is_placed {
            frame.sights.place_target(&self.target, frame.pose, target);
        }
        self.write(&lift, target, (frame.plan, frame.pose));
    }

    /// True where the stage has what it needs.
    fn is_whole(&self) -> bool {
        !self.trunk.is_empty() && self.legs.len() <= 4 && self.arms.len() <= 4
    }

    /// Brings body, feet and hands up, from where they are: `target` is the pose, placed.
    fn write(&self, lift: &Lift, target: &[Placed], (plan, pose): (&Plan, &mut [Transform])) {
        let room = THERE * self.size();
        let rise = if lift.rise.abs() > room {
            lift.rise
        } else {
            0.0
        };
        let before = Before {
            joints: &self.target,
            placed: target,
        };
        let mut moved = rise != 0.0;
        if rise != 0.0 {
            slide(self.hips, self.up * rise, &before, pose);
        }
        // Feet as seen from the thigh, which has moved already.
        let feet = self.legs.iter().zip(lift.feet);
        let feet = feet.map(|(leg, foot)| (&leg.limb, foot - rise));
        let hands = self.arms.iter().zip(lift.hands);
        let hands = hands.map(|(arm, hand)| (&arm.limb, hand));
        for (limb, way) in feet.chain(hands) {
            if way.abs() > room {
                let goal = target[limb.end].position() + self.up * way;
                moved |= limb.reach(goal, &before, pose).is_some();
            }
        }
        if moved {
            before.attach(&self.attached, plan, pose);
        }
    }
}
