//! Twist joints of limbs, which spread a roll over a segment so that its skin does not wring (E17 to E19).
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
//! Source: equations E17 to E19 of the project's algorithm notes. Degenerate cases: where the swing is half a turn
//! the twist is undefined, and that of the frame before is kept (none, on the first frame). A twist of more than
//! three quarters of a turn is no twist of a body and is taken the short way again.

use super::Frame;
use glam::{Quat, Vec3};
use rebone_model::elementary::{Elementary as _, Turn as _};
use rebone_model::rotation::normalized_or_identity;
use std::f32::consts::{PI, TAU};

/// Cosine of half the swing below which a twist is undefined.
const LEAST: f32 = 1e-3;

/// Twists beyond this are no longer followed, radians.
const FARTHEST: f32 = 1.5 * PI;

/// The twist joints of a character's limbs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TwistStage {
    /// Upper segments of a limb before lower ones.
    pub segments: Vec<TwistSegment>,
}

/// One segment of a limb with twist joints.
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TwistOf {
    /// The segment's own joint, against its parent: upper arms and thighs.
    Own,
    /// The joint at the lower end, the last of these; the others lie between: forearms and shins.
    End(Vec<usize>),
}

/// One joint of a [`TwistSegment`].
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// The joints that it may change, each once.
    pub(super) fn joints(&self) -> Vec<usize> {
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

    pub(super) fn apply(&self, frame: &mut Frame<'_>) {
        for (index, segment) in self.segments.iter().enumerate() {
            let before = (!frame.is_first).then(|| frame.memory[index]);
            let turn = match &segment.of {
                TwistOf::Own => segment.rest.conjugate() * frame.pose[segment.joint].rotation,
                TwistOf::End(path) => {
                    let turn = path.iter().fold(Quat::IDENTITY, |turn, &joint| {
                        turn * frame.pose[joint].rotation
                    });
                    turn * segment.rest.conjugate()
                }
            };
            let angle = twist_angle(turn, segment.axis, before);
            frame.memory[index] = angle;
            segment.share(angle, frame);
        }
    }
}

impl TwistSegment {
    fn share(&self, angle: f32, frame: &mut Frame<'_>) {
        // Less than single precision can tell from no twist at all: the pose keeps its bits.
        if angle.abs() < 1e-6 {
            return;
        }
        let (mut before, mut after) = (Quat::IDENTITY, Quat::IDENTITY);
        if self.own_share != 0.0 {
            after = Quat::about(self.own_axis, self.own_share * angle);
            let own = &mut frame.pose[self.joint].rotation;
            *own = normalized_or_identity(*own * after);
        }
        for joint in &self.joints {
            let local = &mut frame.pose[joint.joint].rotation;
            let was = before * *local;
            let is = Quat::about(joint.axis, joint.share * angle) * was;
            *local = normalized_or_identity(after.conjugate() * is);
            if !joint.is_leaf {
                (before, after) = (was, is);
            }
        }
    }
}

/// The angle by which a rotation twists about a unit axis, as near as can be to that of the frame before.
fn twist_angle(turn: Quat, axis: Vec3, before: Option<f32>) -> f32 {
    let along = turn.xyz().dot(axis);
    if along * along + turn.w * turn.w < LEAST * LEAST {
        return before.unwrap_or(0.0);
    }
    // Of the two quaternions of a turn the one with positive w has the short angle.
    let short = 2.0 * if turn.w < 0.0 { -along } else { along }.arc_tangent(turn.w.abs());
    match before {
        // Nearly always, and sooner found than a whole number of turns.
        Some(before) if (before - short).abs() < 0.999 * PI => short,
        Some(before) => {
            let near = short + TAU * ((before - short) / TAU).round();
            if near.abs() > FARTHEST { short } else { near }
        }
        None => short,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::rotation::exp;

    /// A roll that goes through half a turn and on is followed, in even steps.
    #[test]
    fn a_twist_is_unwrapped_over_time() {
        let mut before = None;
        for step in 0..=50 {
            let degrees = 5.0 * step as f32;
            let turn = exp(Vec3::X * degrees.to_radians());
            // Its sign says nothing, and neither does a swing.
            let turn = exp(Vec3::new(0.0, 0.5, 0.3)) * if step % 2 == 0 { turn } else { -turn };
            let angle = twist_angle(turn, Vec3::X, before);
            assert!(
                (angle.to_degrees() - degrees).abs() < 1e-2,
                "{degrees}: {angle}"
            );
            before = Some(angle);
        }
        let far = twist_angle(exp(Vec3::X * 280f32.to_radians()), Vec3::X, before);
        assert!((far.to_degrees() + 80.0).abs() < 1e-2, "{far}");
    }

    #[test]
    fn half_a_turn_of_swing_keeps_the_twist_of_before() {
        let flip = Quat::from_xyzw(0.0, 1.0, 0.0, 0.0);
        assert_eq!(twist_angle(flip, Vec3::X, Some(0.4)), 0.4);
        assert_eq!(twist_angle(flip, Vec3::X, None), 0.0);
    }
}
