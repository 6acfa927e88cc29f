//! Hands that meet as they do in the source: claps, folded hands, a staff in both hands.
//!
//! ```text
//! d  = R k_h (b − a)                          between the palms, as the target should have it
//! δ  = |b − a| (1 + 0.35 (1 + n·m))           or from a palm to what the other hand holds, if that is less
//! w  = smooth((far − δ) / (far − near)) · (1 − smooth((c / far − 0.1) / 0.25))
//! e  = d − (q − p)                            what is missing
//! p' = p − s w e,   q' = q + (1 − s) w e      both hands share it
//! t' = t + w (R k_h (a − o) + o_B − t)        a palm on a prop that hangs from no hand
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | a, b | palms of the source's left and right hand; p, q those of the target as transferred |
//! | n, m | where the source's palms face, unit |
//! | c | how far the palms have passed each other, from shoulder to shoulder of the source; 0 where they have not |
//! | R | the source's file space to the target's, as a turn |
//! | k_h | span of the target's arms over that of the source's: both arms and the distance of the shoulders |
//! | near, far | distances of the palms at which it counts in full and not at all, of the source's span |
//! | s | the share of the left hand |
//! | o, o_B, t | a prop's joint in source and target, and the target's palm |
//!
//! Palms that face each other hold something between them. Palms that face the same way, on the thighs, on a table, are
//! less likely to belong together, so their distance counts 1.7 times.
//!
//! Arms that are crossed show hands that are near each other and do not belong together, so w goes to 0 where the palms
//! have passed each other.
//!
//! The palm is the middle of the knuckles, so that palms meet on hands of unlike size. Hands keep their rotations in model
//! space, which are the source's: so the two hands of a hold stay turned to each other as they were. Arms turn as little as they
//! can ([`steady`](crate::solve::steady)), and steadily over time: the plane of an arm that is nearly straight is noise, and one that
//! bends in it would roll about itself from frame to frame.
//!
//! A shoulder from which a goal is further than 0.95 of the arm, and further than the hand is, comes nearer: first the chest turns,
//! then the collar bone, each within a bound that is approached softly; a neck keeps its rotation in model space. What one hand
//! still cannot reach the other makes up for.
//!
//! w comes and goes over 0.2 s: where the clip is known as the mean of the frames around, at run time from the frame before on. The
//! rest is a smooth function of the frame alone. Where w is 0 the pose keeps its bits. Degenerate cases: arms without length stay; a
//! collar bone shorter than 0.2 of the arm helps less, one without length not at all. Source: docs/laws.md,
//! "Hands that belong together".

mod arms;
mod goals;
mod grip;
mod named;

use crate::check::{Checked, Sizes, ensure, is_share, pairs_within, within};
pub use grip::GripRule;
pub(crate) use grip::faded_over;
pub(crate) use grip::{GripMotion, faded};
use serde::{Deserialize, Serialize};

use super::View;
use super::kinematics::{Kinematics, Placed};
use super::limb::Before;
use super::{Frame, Operation};
use crate::solve::smooth;
use crate::solve::steady::{History, SteadyLimbs};
use crate::solve::two_bone::Reach;
use glam::{Mat3, Quat, Vec3};
use rebone_model::Clamp as _;

/// Numbers that the stage keeps from frame to frame: how much hands held on to each other.
pub(super) const MEMORY: usize = 1;

/// No body has more arms that reach.
pub const MOST_ARMS: usize = 4;

/// Brings hands to what they touch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReachStage {
    /// R k_h.
    pub linear: Mat3,
    /// Distance at which a touch counts in full, source file units.
    pub near: f32,
    /// Distance from which on it does not count, source file units. At most `near`: it counts in full or not at all, also
    /// of crossed arms.
    pub far: f32,
    /// The arms.
    pub arms: Vec<Arm>,
    /// Whether the first two arms hold on to each other, with the share of the first.
    pub hold: Option<f32>,
    /// What tells that hands far from each other hold one thing. `None`: only their distance does.
    pub grip: Option<GripRule>,
    /// Palms on props.
    pub touches: Vec<Touch>,
    /// What turns towards goals that are far from the shoulders.
    pub chest: Option<Chest>,
    /// How much chest and collar bones help, 0 to 1.
    pub assist: f32,
    /// How far arms stretch and fold.
    pub reach: Reach,
    /// Target joints that hang beside the body from another joint, carriers before the carried.
    pub attached: Vec<(usize, usize)>,
    /// Source joints looked at.
    pub source: Kinematics,
    /// Target joints looked at.
    pub target: Kinematics,
}

/// One arm. Joints are places in [`ReachStage::source`] and [`ReachStage::target`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arm {
    /// The source's hand.
    pub source_hand: usize,
    /// The source's upper arm, which shows where the shoulder is.
    pub source_upper: usize,
    /// The palm in the source hand's axes, source file units.
    pub source_palm: Vec3,
    /// Where it faces, in the source hand's axes, unit.
    pub source_facing: Vec3,
    /// Source joints that this hand holds: props that hang from it.
    pub source_props: Vec<usize>,
    /// The target's collar bone.
    pub clavicle: Option<usize>,
    /// The target's upper arm, lower arm and hand.
    pub upper: usize,
    /// See `upper`.
    pub lower: usize,
    /// See `upper`.
    pub hand: usize,
    /// The palm in the target hand's axes, target file units.
    pub palm: Vec3,
    /// Where the elbow points to when the arm is straight, in the upper arm's axes, unit.
    pub forward: Vec3,
}

/// A palm on a prop that no hand carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touch {
    /// Which arm.
    pub arm: usize,
    /// The prop in [`ReachStage::source`].
    pub source: usize,
    /// The prop in [`ReachStage::target`].
    pub target: usize,
}

/// The joint that carries the shoulders, in [`ReachStage::target`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Chest {
    /// It.
    pub joint: usize,
    /// What hangs from it and keeps its rotation in model space: the neck.
    pub kept: Vec<usize>,
}

/// What the stage works with in a frame.
struct Work<'a> {
    stage: &'a ReachStage,
    source: View<'a>,
    target: &'a [Placed],
}

/// Where each arm's palm shall be; `None` for an arm that stays.
type Goals = [Option<Vec3>; MOST_ARMS];

impl ReachStage {
    /// True where two hands can hold on to each other.
    pub(crate) fn can_hold(&self) -> bool {
        self.hold.is_some() && self.arms.len() >= 2
    }

    /// True where the first two hands shall hold on to each other whatever their distance.
    pub(crate) fn holds_at_any_distance(&self) -> bool {
        self.can_hold() && self.near >= f32::MAX
    }

    /// The target joints of the first two hands, and the palms in their axes.
    pub(crate) fn palms(&self) -> Option<[(usize, Vec3); 2]> {
        let palm = |arm: &Arm| (self.target.joint(arm.hand), arm.palm);
        match self.arms.as_slice() {
            [one, other, ..] => Some([palm(one), palm(other)]),
            _ => None,
        }
    }

    /// True where it makes use of a clip that is known as a whole.
    pub(crate) fn looks_ahead(&self) -> bool {
        self.can_hold() || !self.touches.is_empty()
    }

    /// How much the hands hold on to each other in this frame. It comes and goes over [`grip::FADE`] seconds: where the clip is
    /// not known, from the frame before on.
    fn held_in(&self, frame: &mut Frame<'_>, source: &View<'_>) -> f32 {
        if let Some(held) = frame.given.held {
            return held;
        }
        let own = self.held(source);
        let before = frame.memory.first_mut();
        let (Some(before), Some(seconds)) = (before, frame.given.elapsed) else {
            return own;
        };
        if frame.is_first {
            *before = own;
        }
        let most = seconds / grip::FADE;
        *before += (own - *before).clamped(-most, most);
        smooth(*before)
    }

    /// True where a hand has something to reach for.
    pub(crate) fn is_asked(&self, held: f32, source: &View<'_>) -> bool {
        held > 0.0 || self.touches_anything(source)
    }

    /// The arms of a frame and their goals, where it is known how much the hands hold on to each other; `None` where all is where
    /// it shall be.
    pub(crate) fn steady(
        &self,
        source: View<'_>,
        target: &[Placed],
        held: f32,
    ) -> Option<SteadyLimbs> {
        let work = Work {
            stage: self,
            source,
            target,
        };
        work.reaching(held).map(|reaching| reaching.limbs)
    }
}

/// A point in a joint's axes, in model space; the joint's scale does not count.
pub(super) fn point_of(placed: &Placed, point: Vec3) -> Vec3 {
    placed.position() + placed.rotation * point
}

/// The arms of a frame that reach for something.
struct Reaching {
    /// How the chest turns in model space.
    chest: Quat,
    /// How collar bones turn, on top of the chest, and where their shoulders then are; `None` of an arm that stays.
    shoulders: [Option<(Quat, Vec3)>; MOST_ARMS],
    /// Where wrists should be.
    wanted: Goals,
    /// How much the first two hands hold on to each other.
    held: f32,
    limbs: SteadyLimbs,
}

/// How an arm turns in model space.
#[derive(Clone, Copy)]
struct ArmTurns {
    clavicle: Quat,
    upper: Quat,
    lower: Quat,
}

/// How everything turns: the chest, and the arms.
struct Turns {
    chest: Quat,
    arms: [Option<ArmTurns>; MOST_ARMS],
}

impl Operation for ReachStage {
    fn joints(&self) -> Vec<usize> {
        let arm = |arm: &Arm| {
            [
                arm.clavicle,
                Some(arm.upper),
                Some(arm.lower),
                Some(arm.hand),
            ]
        };
        let mut all: Vec<usize> = self.arms.iter().flat_map(arm).flatten().collect();
        if let Some(chest) = &self.chest {
            all.push(chest.joint);
            all.extend(&chest.kept);
        }
        for place in &mut all {
            *place = self.target.joint(*place);
        }
        all.extend(self.attached.iter().map(|&(joint, _)| joint));
        all.sort_unstable();
        all.dedup();
        all
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        let source = frame.sights.source(&self.source);
        // What nobody touches needs no look at the target.
        let held = self.held_in(frame, &source);
        if !self.is_asked(held, &source) {
            *frame.limbs = History::default();
            return;
        }
        let target = &mut *frame.scratch;
        frame.sights.place_target(&self.target, frame.pose, target);
        let work = Work {
            stage: self,
            source,
            target,
        };
        let Some(reaching) = work.reaching(held) else {
            return;
        };
        let (is_first, elapsed) = (frame.is_first, frame.given.elapsed);
        let known = frame.given.arms;
        let follow = || frame.limbs.follow(&reaching.limbs, is_first, elapsed);
        let moves = known.unwrap_or_else(follow);
        let (turns, off) = work.turned(&reaching, &moves);
        frame.off = off;
        work.write(&turns, frame.pose);
        let before = Before {
            joints: &self.target,
            placed: target,
        };
        before.attach(&self.attached, frame.plan, frame.pose);
    }

    fn check(&self, sizes: Sizes) -> Checked {
        self.source.check(sizes.source)?;
        self.target.check(sizes.target)?;
        let (sources, targets) = (self.source.len(), self.target.len());
        let holds = self.hold.unwrap_or_default();
        ensure(
            self.near >= 0.0 && self.far >= 0.0 && is_share(self.assist) && is_share(holds),
            "hands hold on to each other in no way that there is",
        )?;
        self.reach.check()?;
        ensure(self.arms.len() <= MOST_ARMS, "a body has too many arms")?;
        for arm in &self.arms {
            let props = arm.source_props.iter().copied();
            within(props.chain([arm.source_hand, arm.source_upper]), sources)?;
            let own = [arm.upper, arm.lower, arm.hand];
            within(arm.clavicle.into_iter().chain(own), targets)?;
        }
        for touch in &self.touches {
            within([touch.arm], self.arms.len())?;
            within([touch.source], sources)?;
            within([touch.target], targets)?;
        }
        if let Some(chest) = &self.chest {
            within(chest.kept.iter().copied().chain([chest.joint]), targets)?;
        }
        if let Some(grip) = &self.grip {
            let hips = grip.hips.map(|(joint, _)| joint);
            within(hips.into_iter().chain([grip.chest]), sources)?;
        }
        ensure(
            self.arms.len() > 1 || (self.hold.is_none() && self.grip.is_none()),
            "a single hand holds on to another",
        )?;
        pairs_within(&self.attached, sizes.target)
    }

    fn kinematics(&self) -> Option<[&Kinematics; 2]> {
        Some([&self.source, &self.target])
    }

    fn has_goals(&self) -> bool {
        true
    }

    fn memory(&self) -> usize {
        MEMORY
    }
}
