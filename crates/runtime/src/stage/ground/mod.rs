//! Bodies that touch the floor with more than their feet: they lie, sit, kneel, crawl and stand on their hands as the source does, and
//! nothing of them goes below the floor.
//!
//! ```text
//! a    = min over the points p of a part (p · up) − floor  how high its lowest skin is
//! w(a) = 1 − smooth((a / T − lo) / (hi − lo))             how much a part of the source counts as on the floor
//! e_i  = κ max(a_i, 0) − b_i                              what a part of the target is too low
//! W    = 1 − Π (1 − w_i)
//! y    = W Σ e_i exp(r_i / τ) / Σ exp(r_i / τ)            how far the body goes up: nearly the largest e
//! r_i  = e_i − κ T (1 / w_i − 1)
//! y    + (Σ x_i⁸)^⅛,  x_i = soft(l_i (−b_i − y))          so that nothing is in the floor
//! foot + down(V (w e + (1 − w) y)),   hand + w e          and neither of them in the floor, nor the elbow; of a bent body no foot that lies
//! β    = w (v − v') / d                                   the trunk bends by what arms are too short, or too long
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | a, b | height over the floor of the lowest skin of a part, of the source and of the target behind the stages before |
//! | T | thickness of the source's body: the mean of the thighs' distance and half of the shoulders' |
//! | κ | thickness of the target's body over that of the source's |
//! | i | hips, chest, head, both knees, and hands that nothing else carries |
//! | lo, hi | bounds of each, shares of T |
//! | l | how much the source's part is lower than when standing, and its legs are not upright |
//! | V | W of trunk and hands: how much the legs are free to go with the body |
//! | τ | 0.05 κ T |
//! | v, v' | height of the shoulder over the hand, and what it is where the arm is as straight as the source's |
//! | d | how far the shoulder is before the waist, seen from above |
//! | soft(x) | x² / (x + 0.01 κ T), 0 for what is above |
//! | down | ends where the foot is on the floor, slowed on the last 0.01 κ T |
//!
//! A body that stands goes by its legs, so places scale with legs. A body that lies goes by its skin: legs say
//! nothing about it. So where the trunk, the knees or the hands carry, heights over the floor are those of the source, times κ.
//! On short legs the hips are always near the floor, so the trunk counts the less the more upright the legs are, and each part the
//! less the nearer it is to its height when standing. All bounds and their reasons are in `docs/methods/ground.md`.
//!
//! Before all this the trunk tips: see [`tip`].
//!
//! Knees follow from where hips and feet go, so that three rounds are made. A foot that is level is as high as its ankle says, for
//! so the feet before this stage stand. Arms bend by [`steady`](crate::solve::steady).
//!
//! All of it is a smooth function of the frame alone. A body that stands with its hands up keeps its bits.
//!
//! Degenerate cases: limbs that are not whole stay out; a hand that is further from the floor than the arm is long stays as it is.
//! Source: docs/laws.md, "Bodies on the floor".

mod arm;
mod causal;
mod clip;
mod lifting;
mod limbs;
mod low;
mod part;
mod tip;
mod wants;

use crate::check::{Checked, Sizes, ensure, pairs_within, within};
pub(super) use causal::MEMORY;
pub(crate) use clip::{GroundLook, GroundMotion};
pub use part::{GroundPart, MOST_JOINTS, SkinPoint};
use serde::{Deserialize, Serialize};

use super::kinematics::{Kinematics, Placed};
use super::limb::{Before, JointTurn};
use super::pin::{PinLimb, slide};
use super::{Frame, Operation, View};
use crate::op::Plan;
use crate::solve::steady::{History, Moves};
use arm::Bent;
use glam::{Quat, Vec3};
use rebone_model::Transform;
use rebone_model::rotation::exp;
use wants::{THERE, Work};

/// How far a body, its feet and its hands go up in a frame, target file units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lift {
    /// How the trunk tips about its thighs, so that it lies on hips, chest and head: a rotation vector, radians.
    pub tip: Vec3,
    /// How far the body goes up; negative goes down.
    pub rise: f32,
    /// How far the body goes along the floor, so that hands that carry it stay where they are.
    pub shift: Vec3,
    /// How the trunk turns about its lowest joint, so that hands reach the floor: a rotation vector, radians.
    pub lean: Vec3,
    /// Of each leg, as seen from the floor.
    pub feet: [f32; 4],
    /// Of each arm, as seen from the shoulder, which goes with the body.
    pub hands: [f32; 4],
    /// The same of its elbow, when the hand has gone.
    pub elbows: [f32; 4],
}

/// Keeps bodies on the floor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// How high the source's legs begin over its ankles when it stands.
    pub standing: f32,
    /// What carries the target's body, a place in [`target`](Self::target).
    pub hips: usize,
    /// Points of the trunk, the hips first. At most 4 are looked at.
    pub trunk: Vec<GroundPoint>,
    /// What bends for hands that do not reach the floor.
    pub waist: Option<Waist>,
    /// Whether the target's arms are so long that its hands may be in the floor where it stands and they hang.
    pub hands_hang_low: bool,
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

/// Where the trunk bends. Joints are places in [`GroundStage::target`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Waist {
    /// The lowest joint that carries both arms and is not the hips.
    pub joint: usize,
    /// The neck, which keeps its rotation in model space.
    pub kept: Option<usize>,
}

/// A part of the trunk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundPoint {
    /// The source's.
    pub source: GroundPart,
    /// The target's.
    pub target: GroundPart,
    /// How high the source's part is, in thicknesses of its body, up to which it counts in full (lo) and from which on not at all (hi).
    pub range: [f32; 2],
    /// How high the source's joint is when the body stands.
    pub standing: f32,
}

/// A leg.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundLeg {
    /// Where the source's leg begins.
    pub source_thigh: usize,
    /// Where it ends in the axes of its foot (of a leg without, of its shin), source file units.
    pub source_end: Vec3,
    /// The knee of source and target; its joint is the shin.
    pub knees: [GroundPart; 2],
    /// How high the source's shin begins when the body stands.
    pub standing_knee: f32,
    /// The foot of source and target; its joint is the ankle, of a leg without a foot the shin.
    pub feet: [GroundPart; 2],
    /// The target's.
    pub limb: PinLimb,
    /// Inverse of the target's foot in the retarget pose, file space.
    pub foot_frame: Quat,
    /// η of source and target.
    pub ankle_heights: [f32; 2],
}

/// An arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroundArm {
    /// The hand of source and target.
    pub hands: [GroundPart; 2],
    /// The source's upper and lower arm.
    pub source_arm: [usize; 2],
    /// The elbow of the target; its joint is the lower arm.
    pub elbow: GroundPart,
    /// The source's palm, in the hand's axes.
    pub source_palm: Vec3,
    /// How high it is where the body stands and the arm hangs.
    pub hanging: f32,
    /// The target's.
    pub limb: PinLimb,
}

impl GroundLeg {
    /// Where the source's leg ends.
    fn source_ankle(&self, source: &View<'_>) -> Vec3 {
        source.point(self.feet[0].joint, self.source_end)
    }
}

impl GroundStage {
    /// True where the stage has what it needs.
    fn is_whole(&self) -> bool {
        !self.trunk.is_empty() && self.legs.len() <= 4 && self.arms.len() <= 4
    }

    /// Brings body, feet and hands up, from where they are: `target` is the pose, tipped and placed.
    fn write(
        &self,
        lift: &Lift,
        moves: Option<&Moves>,
        target: &[Placed],
        plan: &Plan,
        pose: &mut [Transform],
    ) {
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
        let way = self.up * rise + lift.shift;
        let mut moved = lift.tip != Vec3::ZERO || way != Vec3::ZERO;
        slide(self.hips, way, &before, pose);
        // Feet as seen from the thigh, which has moved already.
        for (leg, foot) in self.legs.iter().zip(lift.feet) {
            let way = foot - rise;
            if way.abs() > room {
                let goal = leg.limb.ends_at(target) + self.up * way;
                moved |= leg.limb.reach(goal, &before, pose).is_some();
            }
        }
        self.turns(lift, moves, target, |turn| {
            before.turn(turn, pose);
            moved = true;
        });
        if moved {
            before.attach(&self.attached, plan, pose);
        }
    }

    /// Tells how joints of waist and arms turn once the trunk has tipped, as `placed` shows.
    fn turns(
        &self,
        lift: &Lift,
        moves: Option<&Moves>,
        placed: &[Placed],
        mut tell: impl FnMut(JointTurn),
    ) {
        let room = THERE * self.size();
        let lean = exp(lift.lean);
        if let Some(waist) = self.waist.as_ref().filter(|_| lift.lean != Vec3::ZERO) {
            tell(JointTurn::new(waist.joint, lean, Quat::IDENTITY));
            if let Some(neck) = waist.kept {
                tell(JointTurn::new(neck, Quat::IDENTITY, lean));
            }
        }
        for (number, arm) in self.arms.iter().enumerate() {
            let elbow = lift.elbows[number];
            if moves.is_some() || elbow > room {
                let bent = Bent::new(number, &arm.limb, placed, lean, moves);
                let turns = bent.raised(self.up, elbow).turns();
                let joints = arm.limb.turns(turns, lean, &self.target);
                joints.into_iter().for_each(&mut tell);
            }
        }
    }
}

/// No stage has more points of the trunk, legs or arms.
const MOST_PARTS: usize = 4;

impl Operation for GroundStage {
    fn joints(&self) -> Vec<usize> {
        let limbs = self.legs.iter().map(|leg| &leg.limb);
        let limbs = limbs.chain(self.arms.iter().map(|arm| &arm.limb));
        let waist = self.waist.iter();
        let waist = waist.flat_map(|waist| std::iter::once(waist.joint).chain(waist.kept));
        let places = limbs
            .flat_map(PinLimb::places)
            .chain([self.hips])
            .chain(waist);
        let mut all: Vec<usize> = places.map(|place| self.target.joint(place)).collect();
        all.extend(self.attached.iter().map(|&(joint, _)| joint));
        all.sort_unstable();
        all.dedup();
        all
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        if !self.is_whole() {
            return;
        }
        let target = &mut *frame.scratch;
        let (lift, moves) = match frame.given.lift {
            Some(lift) if lift == Lift::default() => return,
            Some(lift) => {
                frame.sights.place_target(&self.target, frame.pose, target);
                (lift, frame.given.arms)
            }
            None => {
                let source = frame.sights.source(&self.source);
                let low = self.low(&source);
                let memory = &mut *frame.memory;
                if frame.is_first {
                    memory.fill(0.0);
                }
                if low.is_upright() && causal::is_still(memory) {
                    *frame.limbs = History::default();
                    return;
                }
                frame.sights.place_target(&self.target, frame.pose, target);
                let tip = Work::new(self, source, target, low).tip();
                self.tip_placed(tip, target);
                let work = Work::new(self, source, target, low);
                let mut lift = Lift {
                    tip,
                    ..work.want().lift
                };
                let elapsed = frame.given.elapsed.filter(|_| !frame.is_first);
                causal::follow_body(memory, &mut lift, elapsed, self.size());
                let follow = |arms| {
                    let elapsed = frame.given.elapsed;
                    frame.limbs.follow(&arms, frame.is_first, elapsed)
                };
                let moves = work.arms(&lift).map(follow);
                if moves.is_none() {
                    *frame.limbs = History::default();
                }
                let mut lift = work.with_elbows(lift, moves.as_ref());
                causal::follow_elbows(memory, &mut lift, elapsed, self.size());
                if tip != Vec3::ZERO {
                    frame.sights.place_target(&self.target, frame.pose, target);
                }
                (lift, moves)
            }
        };
        if lift != Lift::default() {
            self.tip(lift.tip, target, frame.pose);
            self.write(&lift, moves.as_ref(), target, frame.plan, frame.pose);
        }
    }

    fn check(&self, sizes: Sizes) -> Checked {
        self.source.check(sizes.source)?;
        self.target.check(sizes.target)?;
        let (sources, targets) = (self.source.len(), self.target.len());
        let counts = [self.trunk.len(), self.legs.len(), self.arms.len()];
        ensure(
            counts.iter().all(|&count| count <= MOST_PARTS),
            "a body touches the floor with too many points",
        )?;
        within([self.hips], targets)?;
        for point in &self.trunk {
            point.source.check(sources)?;
            point.target.check(targets)?;
        }
        if let Some(waist) = &self.waist {
            within(waist.kept.into_iter().chain([waist.joint]), targets)?;
        }
        for leg in &self.legs {
            within([leg.source_thigh], sources)?;
            for [own, other] in [&leg.knees, &leg.feet] {
                own.check(sources)?;
                other.check(targets)?;
            }
            leg.limb.check(targets)?;
        }
        for arm in &self.arms {
            arm.hands[0].check(sources)?;
            arm.hands[1].check(targets)?;
            arm.elbow.check(targets)?;
            within(arm.source_arm, sources)?;
            arm.limb.check(targets)?;
        }
        pairs_within(&self.attached, sizes.target)
    }

    fn kinematics(&self) -> Option<[&Kinematics; 2]> {
        Some([&self.source, &self.target])
    }

    fn memory(&self) -> usize {
        MEMORY
    }
}
