//! Four segments with twist joints at a time, one a lane. No segment reads what another one writes; a joint that two of them
//! write is turned from the left by the one and from the right by the other.

use super::{TwistOf, TwistSegment};
use crate::lanes::limbs::{LANES, Mask, Numbers, Rotations, Vectors};
use crate::lanes::{Lanes, arc_tangent};
use glam::{Quat, Vec3};
use rebone_model::Transform;
use std::f32::consts::{PI, TAU};

/// Cosine of half the swing below which a twist is undefined.
const LEAST: f32 = 1e-3;

/// Twists beyond this are no longer followed, radians.
const FARTHEST: f32 = 1.5 * PI;

/// Less than single precision can tell from no twist at all, radians: the pose keeps its bits.
const NONE: f32 = 1e-6;

/// Up to four segments.
#[derive(Clone, Debug)]
pub(super) struct Four {
    /// Of each lane the joints whose product shows the twist.
    paths: Vec<Vec<usize>>,
    /// What brings that from R₀: from the left of upper segments, from the right of lower ones.
    before: Rotations,
    behind: Rotations,
    /// a.
    axes: Vectors,
    /// The segments' own joints, where any of them gives its twist up.
    own: Option<Step>,
    steps: Vec<Step>,
    /// True where a joint hangs from one that is turned.
    has_chains: bool,
}

/// One joint of each of them.
#[derive(Clone, Debug)]
struct Step {
    /// `None`: nothing to turn.
    joints: [Option<usize>; LANES],
    /// p.
    shares: Numbers,
    axes: Vectors,
    /// Those that carry the next joint.
    carries: Mask,
    /// Lanes that go together, one round after another: all in one, but where two of them turn the same joint.
    rounds: Vec<Mask>,
}

impl Step {
    /// Of each segment a joint, p, its axis, and whether it carries the next one.
    fn new(
        segments: &[TwistSegment],
        of: impl Fn(&TwistSegment) -> Option<(usize, f32, Vec3, bool)>,
    ) -> Self {
        let mut step = Self {
            joints: [None; LANES],
            shares: Numbers::ZERO,
            axes: Vectors::ZERO,
            carries: Mask::FALSE,
            rounds: vec![Mask::TRUE],
        };
        let (mut shares, mut carriers) = ([0.0; LANES], [false; LANES]);
        for (lane, segment) in segments.iter().enumerate() {
            if let Some((joint, share, axis, carries)) = of(segment) {
                step.joints[lane] = Some(joint);
                shares[lane] = share;
                step.axes.set_lane(lane, axis);
                carriers[lane] = carries;
            }
        }
        (step.shares, step.carries) = (Lanes(shares), Mask::new(carriers));
        let mut joints: Vec<usize> = step.joints.iter().flatten().copied().collect();
        let count = joints.len();
        joints.sort_unstable();
        joints.dedup();
        if joints.len() < count {
            let alone = |lane: usize| std::array::from_fn(|other| other == lane);
            let alone = |lane: usize| Mask::new(alone(lane));
            step.rounds = (0..LANES).map(alone).collect();
        }
        step
    }

    /// By what the joints are turned.
    #[inline]
    fn turns(&self, angles: Numbers) -> Rotations {
        Rotations::about(self.axes, self.shares * angles)
    }

    #[inline]
    fn read(&self, pose: &[Transform]) -> Rotations {
        let local = |joint: Option<usize>| joint.map_or(Quat::IDENTITY, |at| pose[at].rotation);
        Rotations::gather(self.joints.map(local))
    }

    #[inline]
    fn write(&self, rotations: Rotations, which: Mask, pose: &mut [Transform]) {
        let rotations = rotations.normalized().scattered();
        for (lane, (joint, rotation)) in self.joints.iter().zip(rotations).enumerate() {
            if let Some(joint) = joint.filter(|_| which.test(lane)) {
                pose[joint].rotation = rotation;
            }
        }
    }
}

impl Four {
    pub(super) fn new(segments: &[TwistSegment]) -> Self {
        let (mut before, mut behind) = ([Quat::IDENTITY; LANES], [Quat::IDENTITY; LANES]);
        let mut axes = [Vec3::ZERO; LANES];
        let mut paths = Vec::new();
        for (lane, segment) in segments.iter().enumerate() {
            axes[lane] = segment.axis;
            let inverse = segment.rest.conjugate();
            match &segment.of {
                TwistOf::Own => {
                    before[lane] = inverse;
                    paths.push(vec![segment.joint]);
                }
                TwistOf::End(path) => {
                    behind[lane] = inverse;
                    paths.push(path.clone());
                }
            }
        }
        let own = Step::new(segments, |segment| {
            let gives = segment.own_share != 0.0;
            gives.then_some((segment.joint, segment.own_share, segment.own_axis, true))
        });
        let most = segments.iter().map(|segment| segment.joints.len()).max();
        let step = |at: usize| {
            Step::new(segments, |segment| {
                let joint = segment.joints.get(at)?;
                Some((joint.joint, joint.share, joint.axis, !joint.is_leaf))
            })
        };
        let steps: Vec<Step> = (0..most.unwrap_or(0)).map(step).collect();
        Self {
            paths,
            before: Rotations::gather(before),
            behind: Rotations::gather(behind),
            axes: Vectors::gather(axes),
            has_chains: own.carries.any() || steps.iter().any(|step| step.carries.any()),
            own: own.carries.any().then_some(own),
            steps,
        }
    }

    /// Brings the twists from the frame before to this one.
    pub(super) fn measure(&self, pose: &[Transform], memory: &mut [f32; LANES], is_first: bool) {
        let mut turns = [Quat::IDENTITY; LANES];
        for (turn, path) in turns.iter_mut().zip(&self.paths) {
            *turn = match path[..] {
                [joint] => pose[joint].rotation,
                _ => path
                    .iter()
                    .fold(Quat::IDENTITY, |turn, &joint| turn * pose[joint].rotation),
            };
        }
        let turns = self.before * Rotations::gather(turns) * self.behind;
        let (short, is_known) = twist_angles(turns, self.axes);
        let before = (!is_first).then_some(Lanes(*memory));
        *memory = unwrapped(short, is_known, before).0;
    }

    /// Shares these twists out.
    pub(super) fn share(&self, pose: &mut [Transform], twists: &[f32; LANES]) {
        let angles = Lanes(*twists);
        let is_none = angles.abs().cmplt(Numbers::splat(NONE));
        if is_none.all() {
            return;
        }
        let which = !is_none;
        // What the joint above was and is in the axes of the segment.
        let mut above = (Rotations::IDENTITY, Rotations::IDENTITY);
        if let Some(own) = &self.own {
            let turns = own.turns(angles);
            for &round in &own.rounds {
                own.write(own.read(pose) * turns, which & round, pose);
            }
            above.1 = turns;
        }
        for step in &self.steps {
            let turns = step.turns(angles);
            for &round in &step.rounds {
                let local = step.read(pose);
                if !self.has_chains {
                    step.write(turns * local, which & round, pose);
                    continue;
                }
                let was = above.0 * local;
                let is = turns * was;
                step.write(above.1.conjugate() * is, which & round, pose);
                let carries = step.carries & round;
                above.0 = Rotations::select(carries, was, above.0);
                above.1 = Rotations::select(carries, is, above.1);
            }
        }
    }
}

/// Angles by which rotations twist about unit axes, by the short way; and where that is defined.
#[inline]
fn twist_angles(turns: Rotations, axes: Vectors) -> (Numbers, Mask) {
    let [along, w] = turns.twist(axes);
    let is_known = (along * along + w * w).cmpge(Numbers::splat(LEAST * LEAST));
    // Of the two quaternions of a turn the one with positive w has the short angle.
    let along = Numbers::select(w.cmplt(Numbers::ZERO), -along, along);
    (arc_tangent(along, w.abs()) * 2.0, is_known)
}

/// Twists, as near as can be to those of the frame before.
#[inline]
fn unwrapped(short: Numbers, is_known: Mask, before: Option<Numbers>) -> Numbers {
    let Some(before) = before else {
        return Numbers::select(is_known, short, Numbers::ZERO);
    };
    // Nearly always, and sooner found than a whole number of turns.
    let is_near = (before - short).abs().cmplt(Numbers::splat(0.999 * PI));
    if (is_near & is_known).all() {
        return short;
    }
    let near = short + ((before - short) * (1.0 / TAU)).round() * TAU;
    let near = Numbers::select(near.abs().cmpgt(Numbers::splat(FARTHEST)), short, near);
    let near = Numbers::select(is_near, short, near);
    Numbers::select(is_known, near, before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::rotation::exp;

    fn twist_angle(turn: Quat, axis: Vec3, before: Option<f32>) -> f32 {
        let axes = Vectors::gather([axis; LANES]);
        let (short, is_known) = twist_angles(Rotations::gather([turn; LANES]), axes);
        unwrapped(short, is_known, before.map(Numbers::splat))[0]
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
