//! Forearms and hands that stay out of trunk and head, and touch what they touched.
//!
//! ```text
//! x(r) = s + exp(r) (x − s)                                                       an arm turns about its shoulder, then the forearm about its elbow
//! p(t) = argmin |r|² + S rᵀ N r + τ/h |r − p(t − 1)|² + W Σ (w max(0, d(x(r))) / l)²      frame by frame
//!               + K g⁴ |y(r) − y′|² / l² + C q² |y(r) − t|² / l²
//!        with |p(t) − p(t − 1)| ≤ c (h v + a |e(t) − e(t − 1)|), |p| ≤ f
//! N    = (n × u) (n × u)ᵀ,   n = u × z                                               of an elbow; 0 of a shoulder
//! r    = argmin Σ h |r − p|² + T⁶ Σ h |r‴|²                                       all frames together
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | r | rotation vector of the arm or forearm, in the axes of what carries it |
//! | s, e, l | the shoulder or the elbow; the way from there to the wrist, in lengths of the arm or forearm; that length |
//! | u, z, S | directions of upper arm and forearm; [`SIDEWAYS`](outside::SIDEWAYS): how stiff an elbow is sideways |
//! | x, w | points of the skin of forearm and hand that are outside in the retarget pose; how much each counts: 1 of the hand, less along the forearm; those near the elbow are left out |
//! | d | how deep a point is in the body, 0 outside |
//! | h, τ, W | seconds from frame to frame; [`NEAR`](clip::NEAR); [`FIRM`](outside::FIRM) |
//! | y, y′, g | by how much the palm moves, and that of the other arm; how much the two hands hold on to each other |
//! | t, q | by how much the palm moves to touch what the source's touches, and how much that counts ([`touch`]) |
//! | K, C, f | [`TIED`](outside::TIED); [`TOUCHING`](outside::TOUCHING); [`FURTHEST`](clip::FURTHEST) |
//! | v, a, c | [`SLOW`](arm_clip::SLOW); [`SPEED_SHARE`](arm_clip::SPEED_SHARE); 1 of a shoulder, [`ELBOW_PACE`](clip::ELBOW_PACE) of an elbow |
//! | T, ‴ | [`SECONDS`](clip::SECONDS); third difference, as in [`calm`](crate::solve::calm) |
//!
//! How deep a point is, and the way out, is known from convex blocks around the skin ([`solid`]). Each frame begins where the frame before
//! left the body: so a hand that came in at the belly does not come out at the hip. p is found forwards and backwards in time, and the
//! larger of the two counts more, so that an arm leaves before it has to. Where no way out is within reach, points are as little inside as
//! they can be together.
//!
//! The arm turns as a whole; only where that is not enough the forearm turns about its elbow, too: it opens, closes or turns about the upper
//! arm. In an earlier form the wrist moved and the arm followed by inverse kinematics; arms that were folded or straight then jumped by up
//! to 170 degrees in a frame.
//!
//! Hands that hold on to each other move alike: the arms are solved one after the other, each towards the other's palm. Where they stay in
//! the body all the same ([`LET_GO`](clip::LET_GO)), they let go of each other, and each turns further by itself.
//! Hands that grip one thing do so too, and they keep their rotations in model space: so what they grip goes along as it is.
//! A hand that touches a prop stays, and its arm turns no faster than elsewhere before and after.
//!
//! It needs to know the whole clip: single poses are left as they are. Where no point of an arm is inside, nor of the arm to whose hand it holds on, a pose
//! keeps its bits. A hand that touches the body in the source is an arm near it, too. Legs are in the way where a hand touches one, and where
//! the source's is drawn up.
//!
//! Source: docs/laws.md, "Arms outside the body".

mod arm_clip;
mod clip;
mod near;
mod outside;
mod posed;
mod skin;
mod solid;

impl Operation for BodyStage {
    fn joints(&self) -> Vec<usize> {
        let attached = self.attached.iter().map(|&(joint, _)| joint);
        let mut all: Vec<usize> = self.turning().chain(attached).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        let Some(turns) = frame.given.turns else {
            return;
        };
        let target = &mut *frame.scratch;
        frame.sights.place_target(&self.target, frame.pose, target);
        let before = Before {
            joints: &self.target,
            placed: target,
        };
        for (joint, turn) in self.turning().zip(turns) {
            if turn != Vec3::ZERO {
                let rotation = &mut frame.pose[joint].rotation;
                *rotation = renormalized(exp(turn) * *rotation);
            }
        }
        before.attach(&self.attached, frame.plan, frame.pose);
    }

    fn check(&self, sizes: Sizes) -> Checked {
        self.source.check(sizes.source)?;
        self.target.check(sizes.target)?;
        let (sources, targets) = (self.source.len(), self.target.len());
        self.solid.check(targets)?;
        self.legs.check(targets)?;
        ensure(self.arms.len() <= MOST_ARMS, "a body has too many arms")?;
        for arm in &self.arms {
            let parts = arm.points.iter().flat_map(|point| point.point.parts);
            within(parts.map(|part| part.joint).chain(arm.joints), targets)?;
        }
        for hand in &self.hands {
            within([hand.arm], self.arms.len())?;
            within([hand.source_hand], sources)?;
            within(hand.parts.iter().map(|pair| pair.source.joint), sources)?;
            within(hand.parts.iter().map(|pair| pair.target.joint), targets)?;
        }
        pairs_within(&self.attached, sizes.target)
    }

    fn kinematics(&self) -> Option<[&Kinematics; 2]> {
        Some([&self.source, &self.target])
    }
}

#[cfg(test)]
mod tests;
mod touch;

use crate::check::{Checked, Sizes, ensure, pairs_within, within};
pub(crate) use clip::HeldHands;
pub use posed::{PosedSolid, SolidLanes};
use serde::{Deserialize, Serialize};
pub use skin::{PointLanes, SkinLanes};
pub use solid::{Solid, SolidBlock, SolidFace};
pub(crate) use touch::Touches;
pub use touch::{ALONG, AROUND, BodyPart, PartKind, PartPair, TouchingHand};

use super::kinematics::Kinematics;
use super::limb::Before;
use super::reach::MOST_ARMS;
use super::{Frame, Operation};
use glam::Vec3;
use rebone_model::HullPoint;
use rebone_model::rotation::{exp, renormalized};

/// Joints of an arm that turn: shoulder, elbow and wrist.
const JOINTS: usize = 3;

/// How the arms of a body turn: of each arm the shoulder, the elbow, then the wrist; rotation vectors, in the axes of what carries each.
pub(crate) type ArmTurns = [Vec3; JOINTS * MOST_ARMS];

/// Keeps forearms and hands out of trunk and head.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyStage {
    /// Trunk and head; joints are places in [`target`](Self::target).
    pub solid: Solid,
    /// Legs, which arms leave that touch them, and where one is drawn up.
    pub legs: Solid,
    /// The arms; at most [`MOST_ARMS`].
    pub arms: Vec<BodyArm>,
    /// The body's height, target file units.
    pub height: f32,
    /// The hands that may touch the body.
    pub hands: Vec<TouchingHand>,
    /// The source's height, source file units.
    pub source_height: f32,
    /// Target joints that hang beside the body from another joint, carriers before the carried.
    pub attached: Vec<(usize, usize)>,
    /// Source joints looked at.
    pub source: Kinematics,
    /// Target joints looked at.
    pub target: Kinematics,
}

/// An arm; joints are places in [`BodyStage::target`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyArm {
    /// Upper arm, forearm and hand.
    pub joints: [usize; 3],
    /// What of it stays outside.
    pub points: Vec<BodyPoint>,
}

/// A point of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyPoint {
    /// Where it is.
    pub point: HullPoint,
    /// How much it counts, 0 to 1.
    pub share: f32,
}

impl BodyStage {
    /// The target joints that turn, in the order of [`ArmTurns`].
    pub(crate) fn turning(&self) -> impl Iterator<Item = usize> {
        let turning = self.arms.iter().flat_map(|arm| arm.joints);
        turning.map(|place| self.target.joint(place))
    }
}
