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
use crate::solve::four::{LANES, Rotations, Vectors, arc_tangent};
use glam::{BVec4A, Quat, Vec3, Vec4};
use rebone_model::Transform;
use rebone_model::rotation::renormalized;
use std::f32::consts::{PI, TAU};

/// Cosine of half the swing below which a twist is undefined.
const LEAST: f32 = 1e-3;

/// Twists beyond this are no longer followed, radians.
const FARTHEST: f32 = 1.5 * PI;

/// Less than single precision can tell from no twist at all, radians: the pose keeps its bits.
const NONE: f32 = 1e-6;

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
        for (index, four) in self.segments.chunks(LANES).enumerate() {
            share(four, index * LANES, frame);
        }
    }
}

impl TwistSegment {
    /// R, as seen from R₀.
    fn turn(&self, pose: &[Transform]) -> Quat {
        match &self.of {
            TwistOf::Own => self.rest.conjugate() * pose[self.joint].rotation,
            TwistOf::End(path) => {
                let turns = path.iter().map(|&joint| pose[joint].rotation);
                turns.fold(Quat::IDENTITY, |turn, local| turn * local) * self.rest.conjugate()
            }
        }
    }
}

/// Shares the twists of up to four segments out, whose numbers begin with `first`. No segment reads what another one writes; a
/// joint that two of them write is turned from the left by the one and from the right by the other.
fn share(segments: &[TwistSegment], first: usize, frame: &mut Frame<'_>) {
    let (mut turns, mut axes) = ([Quat::IDENTITY; LANES], [Vec3::ZERO; LANES]);
    for (lane, segment) in segments.iter().enumerate() {
        (turns[lane], axes[lane]) = (segment.turn(frame.pose), segment.axis);
    }
    let (short, is_known) = twist_angles(turns, axes);
    let memory = &mut frame.memory[first..first + segments.len()];
    let mut before = [0.0; LANES];
    before[..segments.len()].copy_from_slice(memory);
    let before = (!frame.is_first).then_some(Vec4::from(before));
    let angles = unwrapped(short, is_known, before);
    memory.copy_from_slice(&angles.to_array()[..segments.len()]);
    let is_none = angles.abs().cmplt(Vec4::splat(NONE));
    let angles = Vec4::select(is_none, Vec4::ZERO, angles);
    let has_angle = <[bool; LANES]>::from(!is_none);
    // What the joint above was and is in the axes of the segment, where it has moved.
    let mut above: [Option<(Quat, Quat)>; LANES] = [None; LANES];
    let lanes = || {
        segments
            .iter()
            .enumerate()
            .filter(|(lane, _)| has_angle[*lane])
    };
    if segments.iter().any(|segment| segment.own_share != 0.0) {
        let turns = about(segments, angles, |segment| {
            (segment.own_share, segment.own_axis)
        });
        for (lane, segment) in lanes().filter(|(_, segment)| segment.own_share != 0.0) {
            let after = turns[lane];
            let own = &mut frame.pose[segment.joint].rotation;
            *own = renormalized(*own * after);
            above[lane] = Some((Quat::IDENTITY, after));
        }
    }
    let most = segments.iter().map(|segment| segment.joints.len()).max();
    for step in 0..most.unwrap_or(0) {
        let turns = about(segments, angles, |segment| {
            let joint = segment.joints.get(step);
            joint.map_or((0.0, Vec3::ZERO), |joint| (joint.share, joint.axis))
        });
        for (lane, segment) in lanes() {
            let Some(joint) = segment.joints.get(step) else {
                continue;
            };
            let local = &mut frame.pose[joint.joint].rotation;
            let was = above[lane].map_or(*local, |(was, _)| was * *local);
            let is = turns[lane] * was;
            let now = above[lane].map_or(is, |(_, above)| above.conjugate() * is);
            *local = renormalized(now);
            if !joint.is_leaf {
                above[lane] = Some((was, is));
            }
        }
    }
}

/// Turns by shares of angles.
#[inline]
fn about(
    segments: &[TwistSegment],
    angles: Vec4,
    of: impl Fn(&TwistSegment) -> (f32, Vec3),
) -> [Quat; LANES] {
    let (mut shares, mut axes) = ([0.0; LANES], [Vec3::ZERO; LANES]);
    for (lane, segment) in segments.iter().enumerate() {
        (shares[lane], axes[lane]) = of(segment);
    }
    let angles = Vec4::from(shares) * angles;
    Rotations::about(Vectors::new(axes), angles).scattered()
}

/// Angles by which rotations twist about unit axes, by the short way; and where that is defined.
#[inline]
fn twist_angles(turns: [Quat; LANES], axes: [Vec3; LANES]) -> (Vec4, BVec4A) {
    let (along, w) = Rotations::new(turns).twist(Vectors::new(axes));
    let is_known = (along * along + w * w).cmpge(Vec4::splat(LEAST * LEAST));
    // Of the two quaternions of a turn the one with positive w has the short angle.
    let along = Vec4::select(w.cmplt(Vec4::ZERO), -along, along);
    (arc_tangent(along, w.abs()) * 2.0, is_known)
}

/// Twists, as near as can be to those of the frame before.
#[inline]
fn unwrapped(short: Vec4, is_known: BVec4A, before: Option<Vec4>) -> Vec4 {
    let Some(before) = before else {
        return Vec4::select(is_known, short, Vec4::ZERO);
    };
    // Nearly always, and sooner found than a whole number of turns.
    let is_near = (before - short).abs().cmplt(Vec4::splat(0.999 * PI));
    if (is_near & is_known).all() {
        return short;
    }
    let near = short + ((before - short) * (1.0 / TAU)).round() * TAU;
    let near = Vec4::select(near.abs().cmpgt(Vec4::splat(FARTHEST)), short, near);
    let near = Vec4::select(is_near, short, near);
    Vec4::select(is_known, near, before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::rotation::exp;

    fn twist_angle(turn: Quat, axis: Vec3, before: Option<f32>) -> f32 {
        let (short, is_known) = twist_angles([turn; LANES], [axis; LANES]);
        unwrapped(short, is_known, before.map(Vec4::splat)).x
    }

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
