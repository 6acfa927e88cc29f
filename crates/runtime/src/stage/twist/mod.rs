//! Twist joints of limbs, which spread a roll over a segment so that its skin does not wring.
//!
//! ```text
//! forearm, shin:     τ = twist about a of  R · R₀⁻¹,   R = turn of the hand against the forearm
//! upper arm, thigh:  τ = twist about a of  R₀⁻¹ · R,   R = turn of the upper arm against what carries it
//! M'_j = exp(p_j · τ · a_j) · M_j
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | a | from the segment's own joint to the next, in its axes |
//! | R₀ | R in the rest pose, in which the skin is not wrung |
//! | τ | angle of the twist, unwrapped over time: it never jumps by a whole turn |
//! | M_j | rotation of a joint against the segment's own joint, before |
//! | f_j | share of the whole twist that the joint is to have: how far along the segment it is |
//! | p_j | f_j in a forearm or shin, which has none of the hand's twist itself; f_j − 1 in an upper arm or thigh, which has all of it |
//!
//! A joint in line takes everything below it along; so the next joint of the limb gets a new local rotation that
//! keeps it as it was in model space, and a segment's own joint that is one of several in line gives its twist up.
//! Each turns about the line to the next joint, a_j, so that all joints stay in their places.
//!
//! Source: docs/laws.md, "Twist joints". Degenerate cases: where the swing is half a turn
//! the twist is undefined, and that of the frame before is kept (none, on the first frame). A twist of more than
//! three quarters of a turn is no twist of a body and is taken the short way again.

mod lanes;

use super::{Frame, Operation};
use crate::check::{Checked, Sizes, within};
use crate::lanes::limbs::LANES;
use glam::{Quat, Vec3};
use lanes::Four;
use serde::{Deserialize, Serialize};

/// The twist joints of a character's limbs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<TwistSegment>", into = "Vec<TwistSegment>")]
pub struct TwistStage {
    segments: Vec<TwistSegment>,
    fours: Vec<Four>,
}

impl PartialEq for TwistStage {
    fn eq(&self, other: &Self) -> bool {
        self.segments == other.segments
    }
}

impl From<Vec<TwistSegment>> for TwistStage {
    fn from(segments: Vec<TwistSegment>) -> Self {
        Self::new(segments)
    }
}

impl From<TwistStage> for Vec<TwistSegment> {
    fn from(stage: TwistStage) -> Self {
        stage.segments
    }
}

/// One segment of a limb with twist joints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwistSegment {
    /// The joint at its upper end.
    pub joint: usize,
    /// Which twist is shared out.
    pub of: TwistOf,
    /// R₀.
    pub rest: Quat,
    /// a, a unit vector.
    pub axis: Vec3,
    /// p of the segment's own joint; 0 leaves it as it is.
    pub own_share: f32,
    /// Unit vector from it to the joint below it in line, in its axes.
    pub own_axis: Vec3,
    /// Joints to turn, each behind its parent; without leaves each is the parent of the next.
    pub joints: Vec<TwistJoint>,
}

/// Whose twist a segment shares out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TwistOf {
    /// The segment's own joint, against its parent: upper arms and thighs.
    Own,
    /// The joint at the lower end, the last of these; the others lie between: forearms and shins.
    End(Vec<usize>),
}

/// One joint of a [`TwistSegment`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwistJoint {
    /// Target joint.
    pub joint: usize,
    /// True where nothing of the limb hangs from it.
    pub is_leaf: bool,
    /// p: how much of the twist it is turned by; 0 keeps it where it is in model space.
    pub share: f32,
    /// Unit vector from it to the next joint in line, in the axes of the segment's own joint; of a leaf, a.
    pub axis: Vec3,
}

impl TwistStage {
    /// Of these segments, upper ones of a limb before lower ones.
    pub fn new(segments: Vec<TwistSegment>) -> Self {
        Self {
            fours: segments.chunks(LANES).map(Four::new).collect(),
            segments,
        }
    }

    /// The segments.
    pub fn segments(&self) -> &[TwistSegment] {
        &self.segments
    }

    /// The joints whose twist it reads.
    pub(super) fn seen(&self) -> impl Iterator<Item = usize> + '_ {
        self.segments.iter().flat_map(|segment| {
            let ends: &[usize] = match &segment.of {
                TwistOf::Own => &[],
                TwistOf::End(path) => path,
            };
            ends.iter().copied().chain([segment.joint])
        })
    }
}

impl Operation for TwistStage {
    fn joints(&self) -> Vec<usize> {
        let mut joints = Vec::new();
        for segment in &self.segments {
            if segment.own_share != 0.0 {
                joints.push(segment.joint);
            }
            joints.extend(segment.joints.iter().map(|joint| joint.joint));
        }
        joints.sort_unstable();
        joints.dedup();
        joints
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        let memories = frame.memory.as_chunks_mut().0;
        for (four, memory) in self.fours.iter().zip(&mut *memories) {
            four.measure(frame.pose, memory, frame.is_first);
        }
        for (four, memory) in self.fours.iter().zip(memories) {
            four.share(frame.pose, memory);
        }
    }

    fn check(&self, sizes: Sizes) -> Checked {
        for segment in &self.segments {
            let path = match &segment.of {
                TwistOf::Own => [].as_slice(),
                TwistOf::End(path) => path,
            };
            let joints = segment.joints.iter().map(|joint| joint.joint);
            let all = joints.chain(path.iter().copied()).chain([segment.joint]);
            within(all, sizes.target)?;
        }
        Ok(())
    }

    fn memory(&self) -> usize {
        LANES * self.fours.len()
    }

    fn seen(&self) -> Option<Vec<usize>> {
        Some(self.seen().collect())
    }
}
