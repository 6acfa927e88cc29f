//! What the stages of a plan keep of one character from frame to frame, and what a game sets for it.

use super::{CausalFeet, Given, Placed, Stage, StageOp};
use crate::op::Plan;
use crate::solve::steady::History;
use glam::Vec3;
use rebone_model::Clamp as _;
use rebone_model::Transform;

/// What the stages of a plan know of one character.
#[derive(Clone, Debug)]
pub struct StageState {
    pub(crate) memories: Vec<StageMemory>,
}

/// What one stage keeps between frames.
#[derive(Clone, Debug)]
pub(crate) struct StageMemory {
    pub(super) weight: f32,
    pub(super) point: Option<Vec3>,
    pub(super) joints: Vec<usize>,
    pub(super) before: Vec<Transform>,
    pub(super) memory: Vec<f32>,
    pub(super) scratch: Vec<Placed>,
    pub(super) has_run: bool,
    pub(super) causal: Option<Box<CausalFeet>>,
    pub(super) limbs: History,
    /// How far the stage was from its goals in the last frame: [`Frame::off`](super::Frame::off).
    pub(crate) off: f32,
    /// For [`Frame::given`](super::Frame::given).
    pub(crate) given: Given,
}

impl StageMemory {
    fn new(stage: &Stage) -> Self {
        let joints = stage.op.joints();
        let looked_at = stage.op.operation().kinematics();
        Self {
            weight: stage.weight,
            point: None,
            before: vec![Transform::IDENTITY; joints.len()],
            joints,
            memory: vec![0.0; stage.op.memory()],
            scratch: vec![Placed::ROOT; looked_at.map_or(0, |[_, target]| target.len())],
            has_run: false,
            causal: match &stage.op {
                StageOp::Feet(feet) => CausalFeet::new(feet).map(Box::new),
                _ => None,
            },
            limbs: History::default(),
            off: 0.0,
            given: Given::default(),
        }
    }
}

impl StageState {
    /// Before the first frame.
    pub(crate) fn new(plan: &Plan) -> Self {
        Self {
            memories: plan.stages.iter().map(StageMemory::new).collect(),
        }
    }

    /// Sets how much a stage of the plan counts for this character: 0 off, 1 in full; what is beyond goes to the
    /// nearer of the two. Without effect where the plan has no such stage or the weight is not a number.
    pub fn set_weight(&mut self, stage: usize, weight: f32) {
        if let Some(stage) = self.memories.get_mut(stage).filter(|_| !weight.is_nan()) {
            stage.weight = weight.clamped(0.0, 1.0);
        }
    }

    /// Sets the point at which a stage aims, or to which it pins, for this character, in the target's model space and file units; `None` takes
    /// the stage's own. Without effect where the plan has no such stage or it has no point.
    pub fn set_point(&mut self, stage: usize, point: Option<Vec3>) {
        if let Some(stage) = self.memories.get_mut(stage) {
            stage.point = point.filter(|point| point.is_finite());
        }
    }

    /// Says what time it is in the clip that plays, seconds, for pins that count for a span of it; `None` where nobody
    /// knows, which is the default: then such pins do nothing.
    pub fn set_seconds(&mut self, seconds: Option<f32>) {
        for stage in &mut self.memories {
            stage.given.seconds = seconds.filter(|seconds| seconds.is_finite());
        }
    }

    /// Says how many seconds passed since the frame before, for feet that stay where they touch the floor while a motion
    /// runs; it counts until another is set. `None`, the default, or what is not above zero: such feet are not held.
    pub fn set_elapsed(&mut self, seconds: Option<f32>) {
        for stage in &mut self.memories {
            stage.given.elapsed = seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
        }
    }

    /// Forgets the frames before: the next one is the first of another clip.
    pub fn restart(&mut self) {
        for stage in &mut self.memories {
            stage.has_run = false;
        }
    }
}
