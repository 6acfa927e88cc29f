//! What happens to the target's pose behind the transfer: stages, one after another, on every frame.
//!
//! A stage reads the source's pose and changes some joints of the target's. Its weight goes from 0, where it
//! is skipped and the pose keeps its bits, to 1, where it counts in full; between the two its result is
//! blended with what was there before. What a stage must remember from frame to frame is in the
//! [`Workspace`](super::Workspace), so one plan serves any number of characters.

mod aim;
mod body;
mod feet;
mod ground;
mod kinematics;
mod limb;
mod limits;
mod mirror;
mod operation;
mod pin;
mod placed_frames;
mod reach;
mod root_motion;
mod sight;
mod spacing;
mod state;
mod tips;
mod twist;
mod weights;

use crate::check::{Checked, Sizes, ensure, is_share};
pub use aim::{AimChain, AimJoint, AimStage};
pub(crate) use body::ArmTurns;
pub(super) use body::HeldHands;
pub use body::{
    ALONG, AROUND, BodyArm, BodyPart, BodyPoint, BodyStage, PartKind, PartPair, PointLanes,
    PosedSolid, SkinLanes, Solid, SolidBlock, SolidFace, SolidLanes, TouchingHand,
};
use feet::CausalFeet;
pub use feet::{
    Anchor, AnkleMotion, FeetStage, FloorRule, Foot, FootStand, Free, Held, Hold, Leg, Legs,
    MOST_LEGS, SoleEdge, Stand,
};
pub(super) use feet::{
    LawLegs, LegMoves, floor_levels, gentle_pitches, touch_shares, without_jumps,
};
pub use ground::{
    GroundArm, GroundLeg, GroundPart, GroundPoint, GroundStage, Lift, MOST_JOINTS, SkinPoint, Waist,
};
pub(super) use ground::{GroundLook, GroundMotion};
pub use kinematics::{Kinematics, Placed};
pub(super) use kinematics::{Shape, even_size, is_even};
pub use limits::{LimitKind, LimitStage, LimitedJoint};
use serde::{Deserialize, Serialize};

pub use mirror::{JointMirror, Mirror, Stride, begins_with_other_foot, mirror_in_place, reflected};
pub(super) use operation::Operation;
pub use pin::{PinEnd, PinGoal, PinLimb, PinSpan, PinStage, PinStretch};
pub(crate) use placed_frames::PlacedFrames;
pub(super) use placed_frames::Sights;
pub use reach::{Arm, Chest, GripRule, MOST_ARMS, ReachStage, Touch};
pub(super) use reach::{GripMotion, faded};
pub use root_motion::{RootMotionStage, RootPlace};
pub(super) use sight::Sight;
pub(crate) use sight::View;
pub use spacing::{SpacingStage, SpreadLimb};
pub use state::StageState;
pub(super) use tips::MOST_TIPS;
pub use tips::{Tip, TipKind, TipsStage};
pub use twist::{TwistJoint, TwistOf, TwistSegment, TwistStage};
pub use weights::{JointWeight, WeightStage};

pub(super) use state::StageMemory;

use super::op::Plan;
use super::rig::Rig;
use crate::solve::steady::{History, Moves};
use glam::{Quat, Vec3};
use rebone_model::Transform;
use rebone_model::rotation::normalized_or_identity;

/// One stage of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// How much it counts, 0 to 1. A workspace may set another.
    pub weight: f32,
    /// What it does.
    pub op: StageOp,
}

/// What a stage does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StageOp {
    /// Feet where they belong, hips and legs with them.
    Feet(FeetStage),
    /// Hands that meet as they do in the source.
    Reach(ReachStage),
    /// Bodies that lie, sit, kneel or crawl on the floor as the source's does.
    Ground(GroundStage),
    /// Arms that stay out of trunk and head.
    Body(BodyStage),
    /// Tips of feet, and of what hands hold, that turn out of the floor.
    Tips(TipsStage),
    /// An end of the body where a person wants it.
    Pin(PinStage),
    /// Weakens or exaggerates joints.
    Weights(WeightStage),
    /// Joints turn no further than a body can.
    Limits(LimitStage),
    /// Neck, head and eyes look at a point.
    Aim(AimStage),
    /// Arms and legs further from the body, or nearer.
    Spacing(SpacingStage),
    /// Shows the pose as in a mirror.
    Mirror(Mirror),
    /// Gives the path over the ground to the root, or takes it out.
    RootMotion(RootMotionStage),
    /// Spreads the roll of limbs over twist joints.
    Twist(TwistStage),
}

impl Stage {
    pub(crate) fn check(&self, sizes: Sizes) -> Checked {
        ensure(
            is_share(self.weight),
            "the weight of a stage is not between 0 and 1",
        )?;
        self.op.operation().check(sizes)
    }
}

/// One frame, as a stage sees it.
#[derive(Debug)]
pub struct Frame<'a> {
    /// The plan that runs.
    pub plan: &'a Plan,
    /// The target's pose, local, to be changed.
    pub pose: &'a mut [Transform],
    /// The stage's own numbers, as the frame before left them.
    pub memory: &'a mut [f32],
    /// Room for joints in model space; means nothing beforehand.
    pub scratch: &'a mut [Placed],
    /// The point that was set for this character, in the target's model space.
    pub point: Option<Vec3>,
    /// True on the first frame, where `memory` means nothing yet.
    pub is_first: bool,
    /// What is known of the frame beforehand.
    pub given: &'a Given,
    /// What is known of model space, the source's above all.
    pub(crate) sights: Sights<'a>,
    /// What feet remember where the clip is not known as a whole.
    pub(crate) causal: Option<&'a mut CausalFeet>,
    /// How limbs have moved so far, where the clip is not known as a whole.
    pub(crate) limbs: &'a mut History,
    /// Told by stages that solve for goals: how far the worst of what it moved is from its goal, as a share of the limb. 0
    /// beforehand.
    pub off: f32,
}

/// What a stage is told about a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Given {
    /// When the frame is, seconds of the clip.
    pub seconds: Option<f32>,
    /// Seconds since the frame before, where a motion runs.
    pub elapsed: Option<f32>,
    /// The point of the path, for [`StageOp::RootMotion`].
    pub place: Option<RootPlace>,
    /// Where feet touch, for [`StageOp::Feet`].
    pub holds: Option<Held>,
    /// How much two hands hold on to each other, for [`StageOp::Reach`], 0 to 1.
    pub held: Option<f32>,
    /// How arms turn that reach for something, for [`StageOp::Reach`] and [`StageOp::Ground`].
    pub(crate) arms: Option<Moves>,
    /// How shoulders and elbows turn, in the axes of what carries each, for [`StageOp::Body`]: rotation vectors.
    pub(crate) turns: Option<ArmTurns>,
    /// How far body, feet and hands go up, for [`StageOp::Ground`].
    pub lift: Option<Lift>,
    /// How far each tip turns up, radians, for [`StageOp::Tips`].
    pub tips: Option<[f32; MOST_TIPS]>,
}

impl StageOp {
    pub(super) fn operation(&self) -> &dyn Operation {
        match self {
            Self::Feet(stage) => stage,
            Self::Reach(stage) => stage,
            Self::Ground(stage) => stage,
            Self::Body(stage) => stage,
            Self::Tips(stage) => stage,
            Self::Pin(stage) => stage,
            Self::Weights(stage) => stage,
            Self::Limits(stage) => stage,
            Self::Aim(stage) => stage,
            Self::Spacing(stage) => stage,
            Self::Mirror(stage) => stage,
            Self::RootMotion(stage) => stage,
            Self::Twist(stage) => stage,
        }
    }

    /// The target's joints that it may change, each once.
    pub fn joints(&self) -> Vec<usize> {
        self.operation().joints()
    }

    /// How many numbers it remembers from frame to frame.
    pub fn memory(&self) -> usize {
        self.operation().memory()
    }

    /// Marks the joints whose pose it looks at, of the source and of the target.
    pub(super) fn see(&self, plan: &Plan, source: &mut [bool], target: &mut [bool]) {
        let operation = self.operation();
        match operation.seen() {
            Some(joints) => mark(&plan.target, joints, target),
            None => target.fill(true),
        }
        if let Self::Feet(stage) = self {
            mark(&plan.source, stage.contacts.joints(), source);
        }
        if let Some([of_source, of_target]) = operation.kinematics() {
            mark(&plan.source, of_source.joints(), source);
            mark(&plan.target, of_target.joints(), target);
        }
        mark(&plan.target, operation.joints(), target);
    }
}

/// The joints of the source and of the target that stages look at in model space before any of them changes the pose.
pub(super) fn looked_at(stages: &[Stage]) -> [Vec<usize>; 2] {
    let [mut source, mut target] = [Vec::new(), Vec::new()];
    let active = stages.iter().filter(|stage| stage.weight > 0.0);
    for (index, stage) in active.enumerate() {
        let Some([of_source, of_target]) = stage.op.operation().kinematics() else {
            continue;
        };
        source.extend(of_source.joints());
        let feet = match &stage.op {
            StageOp::Feet(feet) => Some(feet),
            _ => None,
        };
        source.extend(feet.iter().flat_map(|feet| feet.contacts.joints()));
        if index == 0 || matches!(stage.op, StageOp::Feet(_) | StageOp::Body(_)) {
            target.extend(of_target.joints());
        }
    }
    [source, target]
}

/// Marks joints and all above them.
pub(super) fn mark(rig: &Rig, joints: impl IntoIterator<Item = usize>, marks: &mut [bool]) {
    for joint in joints {
        for joint in rig.up_from(Some(joint)) {
            if std::mem::replace(&mut marks[joint], true) {
                break;
            }
        }
    }
}

/// Where a plan's first mirror stands that counts in full: keys go through it as they are.
pub(super) fn full_mirror(plan: &Plan) -> Option<(usize, &Mirror)> {
    let mut stages = plan.stages.iter().enumerate();
    stages.find_map(|(index, stage)| match &stage.op {
        StageOp::Mirror(mirror) if stage.weight >= 1.0 => Some((index, mirror)),
        _ => None,
    })
}

/// What all stages of a plan look at in the source, for so many poses at a time.
pub(super) fn sight_of_poses(plan: &Plan, width: usize) -> Sight {
    let looks = plan
        .stages
        .iter()
        .filter_map(|stage| stage.op.operation().kinematics());
    let wanted = looks.flat_map(|[source, _]| source.joints());
    let kinematics = Kinematics::new(&plan.source, wanted);
    Sight::of_poses(&kinematics, plan.source.len(), width)
}

/// Runs all stages of a plan on a single pose; `sight` holds where the source's joints are, in its frame `frame`.
pub(super) fn run_pose(
    plan: &Plan,
    pose: &mut [Transform],
    memories: &mut [StageMemory],
    sight: &Sight,
    frame: usize,
) {
    let sights = Sights {
        source: (sight, frame),
        target: None,
    };
    run(plan, &plan.stages, pose, memories, sights);
}

/// Runs stages of a plan on one frame, each with what it remembers.
pub(super) fn run(
    plan: &Plan,
    stages: &[Stage],
    pose: &mut [Transform],
    memories: &mut [StageMemory],
    mut sights: Sights<'_>,
) {
    for (stage, kept) in stages.iter().zip(memories) {
        let weight = kept.weight;
        kept.off = 0.0;
        if weight <= 0.0 {
            kept.has_run = false;
            continue;
        }
        if weight < 1.0 {
            for (before, &joint) in kept.before.iter_mut().zip(&kept.joints) {
                *before = pose[joint];
            }
        }
        let mut frame = Frame {
            plan,
            pose,
            memory: &mut kept.memory,
            scratch: &mut kept.scratch,
            point: kept.point,
            is_first: !kept.has_run,
            given: &kept.given,
            sights,
            causal: kept.causal.as_deref_mut(),
            limbs: &mut kept.limbs,
            off: 0.0,
        };
        stage.op.operation().apply(&mut frame);
        kept.off = frame.off;
        kept.has_run = true;
        sights.target = None;
        if weight < 1.0 {
            for (before, &joint) in kept.before.iter().zip(&kept.joints) {
                pose[joint] = blended(*before, pose[joint], weight);
            }
        }
    }
}

/// From one local transform to another: along the shorter arc, and along lines.
pub(crate) fn blended(from: Transform, to: Transform, weight: f32) -> Transform {
    Transform {
        translation: from.translation.lerp(to.translation, weight),
        rotation: rebone_model::rotation::slerp(from.rotation, to.rotation, weight),
        scale: from.scale.lerp(to.scale, weight),
    }
}

impl Frame<'_> {
    /// Rotation of a target joint in model space; the identity above the roots.
    fn rotation(&self, joint: Option<usize>) -> Quat {
        self.plan.target.model_rotation(self.pose, joint)
    }

    /// A point in a target joint's axes, in model space.
    fn place(&self, joint: usize, point: Vec3) -> Vec3 {
        self.plan.target.model_point(self.pose, joint, point)
    }

    /// Turns a joint and what hangs from it by a rotation of the model space.
    fn turn(&mut self, joint: usize, by: Quat) {
        let above = self.rotation(self.plan.target.parents[joint]);
        let local = above.conjugate() * by * above * self.pose[joint].rotation;
        self.pose[joint].rotation = normalized_or_identity(local);
    }
}
