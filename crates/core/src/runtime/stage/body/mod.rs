//! Forearms and hands that stay out of trunk and head.
//!
//! ```text
//! p(t) = argmin |p|² + τ/h |p − p(t − 1)|² + W Σ max(0, d(x + s p))²     frame by frame
//! o    = argmin Σ h |o − p|² + T⁶ Σ h |o‴|²                              all frames together
//! g    = e + o                                                           where a wrist goes
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | e, o | the wrist as it was; by how much it moves |
//! | x, s | points of the skin of forearm and hand that are outside in the retarget pose; how far each goes along with the wrist: 1 of the hand, less along the forearm, 0 at the elbow |
//! | d | how deep a point is in the body, 0 outside; and how much longer an arm is than it may be |
//! | h, τ, W | seconds from frame to frame; [`NEAR`](outside::NEAR); [`FIRM`](outside::FIRM) |
//! | T, ‴ | as in [`calm`](crate::solve::calm); T is [`SECONDS`](outside::SECONDS) |
//!
//! How deep a point is, and the way out, is known from convex blocks around the skin ([`solid`]). Each frame begins where the frame before
//! left the body: so a hand that came in at the belly does not come out at the hip. Where no way out is within reach, points are as little
//! inside as they can be together.
//! Arms then turn as little as they can, steadily over time ([`steady`](crate::solve::steady)); hands keep their rotation. As elbows move
//! too, it is done [`ROUNDS`](outside::ROUNDS) times.
//!
//! It needs to know the whole clip: single poses are left as they are. Where no point is inside, a pose keeps its bits.
//!
//! Source: the project's notes on contact with the skin; the blocks are its own.

mod outside;
mod solid;

pub use solid::{Solid, SolidBlock, SolidFace};

use super::Frame;
use super::kinematics::{Kinematics, Placed};
use super::limb::Before;
use super::pin::PinLimb;
use glam::Quat;
use rebone_model::HullPoint;

/// Keeps forearms and hands out of trunk and head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyStage {
    /// Trunk and head; joints are places in [`target`](Self::target).
    pub solid: Solid,
    /// The arms; at most 4.
    pub arms: Vec<BodyArm>,
    /// The body's height, target file units.
    pub height: f32,
    /// Target joints that hang beside the body from another joint, carriers before the carried.
    pub attached: Vec<(usize, usize)>,
    /// Target joints looked at.
    pub target: Kinematics,
}

/// An arm; joints are places in [`BodyStage::target`].
#[derive(Clone, Debug, PartialEq)]
pub struct BodyArm {
    /// Its bones.
    pub limb: PinLimb,
    /// What of it stays outside.
    pub points: Vec<BodyPoint>,
}

/// A point of an arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyPoint {
    /// Where it is.
    pub point: HullPoint,
    /// s: how far it goes along with the wrist.
    pub share: f32,
}

impl BodyStage {
    /// Joints in model space that it keeps while it works.
    pub(super) fn scratch(&self) -> usize {
        self.target.len()
    }

    pub(super) fn joints(&self) -> Vec<usize> {
        let places = self.arms.iter().flat_map(|arm| arm.limb.places());
        let mut all: Vec<usize> = places.map(|place| self.target.joint(place)).collect();
        all.extend(self.attached.iter().map(|&(joint, _)| joint));
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(super) fn apply(&self, frame: &mut Frame<'_>) {
        let Some(moves) = frame.given.arms else {
            return;
        };
        let target = &mut *frame.scratch;
        frame.sights.place_target(&self.target, frame.pose, target);
        let target: &[Placed] = target;
        let before = Before {
            joints: &self.target,
            placed: target,
        };
        for (number, arm) in self.arms.iter().enumerate() {
            if moves.is_turned(number) {
                let turns = (moves.rotations_of(number), Quat::IDENTITY);
                arm.limb.turn(turns, &before, frame.pose);
            }
        }
        before.attach(&self.attached, frame.plan, frame.pose);
    }
}
