//! Arms and legs further from the body, or nearer: for characters that are wider or thinner than the source (S4.10).
//!
//! ```text
//! r = δ · (d × o)        the limb turns by the rotation vector r; hand or foot turn back by it
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | d | direction of the upper arm or thigh now, model space, unit |
//! | o | outwards: the body's own left or right now, as the trunk carries it |
//! | δ | the angle asked for, radians; negative brings the limb nearer |
//!
//! A limb that hangs, or points forwards, turns outwards by δ. The more it points sideways already, the less it turns: a
//! T-pose keeps its arms. d × o is never divided by its length, so no pose is special.
//!
//! Hand and foot keep their rotation in model space. Feet that were apart by b on legs of length ℓ are apart by
//! b + 2 ℓ sin δ, and ℓ (1 − cos δ) higher: 0.06 % of the leg at 2 degrees. Source: docs/laws.md, "Gaze and spacing".

use super::{Frame, Operation};
use crate::check::{Checked, Sizes, within};
use glam::Vec3;
use rebone_model::rotation::exp;
use serde::{Deserialize, Serialize};

/// Limbs that are spread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpacingStage {
    /// Each limb once.
    pub limbs: Vec<SpreadLimb>,
}

/// One limb.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpreadLimb {
    /// Target joint that turns: upper arm, thigh.
    pub joint: usize,
    /// Target joint towards which it points: lower arm, shin.
    pub next: usize,
    /// Target joint that keeps its rotation in model space: hand, foot.
    pub end: Option<usize>,
    /// Target joint that carries the trunk; `None` for the model space.
    pub body: Option<usize>,
    /// Outwards, in the axes of `body`, unit.
    pub out: Vec3,
    /// δ, radians.
    pub angle: f32,
}

impl Operation for SpacingStage {
    fn joints(&self) -> Vec<usize> {
        let both = |limb: &SpreadLimb| [Some(limb.joint), limb.end];
        self.limbs.iter().flat_map(both).flatten().collect()
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        for limb in &self.limbs {
            let place = frame.place(limb.joint, Vec3::ZERO);
            let along = (frame.place(limb.next, Vec3::ZERO) - place).normalize_or_zero();
            let out = frame.rotation(limb.body) * limb.out;
            let turn = exp(along.cross(out) * limb.angle);
            if let Some(end) = limb.end {
                frame.turn(end, turn.conjugate());
            }
            frame.turn(limb.joint, turn);
        }
    }

    fn check(&self, sizes: Sizes) -> Checked {
        let joints = self.limbs.iter().flat_map(|limb| {
            let beside = limb.end.into_iter().chain(limb.body);
            beside.chain([limb.joint, limb.next])
        });
        within(joints, sizes.target)
    }
}
