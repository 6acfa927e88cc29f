//! The rotation of a joint as Euler angles of its FBX object.

use super::channels::{Channels, from_degrees};
use super::fit::{Curve, Shape};
use super::follow::{Follower, times_of};
use super::target::Target;
use crate::euler::EulerSolver;
use glam::{DQuat, DVec3};
use rebone_model::{Clip, Interpolation, Quat};
use std::borrow::Cow;

/// Largest error of a rotation between keys, radians.
pub(super) const ROTATION_TOLERANCE: f64 = 1e-6;
/// Below this cosine of the second angle the speeds of the angles are not used: gimbal lock is near.
const NEAR_LOCK: f64 = 0.02;

/// `Lcl Rotation` in degrees.
pub(super) struct RotationCurve<'a> {
    channels: &'a Channels,
    times: Cow<'a, [f32]>,
    rotation: Follower<'a, Quat>,
    solver: EulerSolver,
}

impl<'a> RotationCurve<'a> {
    /// `None` where the clip does not turn the joint.
    pub(super) fn new(target: &'a Target, clip: &'a Clip) -> Option<Self> {
        let track = clip.joints.get(target.joint)?.rotation.as_ref()?;
        let rotation = Follower::new(Some(track), Quat::IDENTITY);
        let mut this = Self {
            channels: &target.channels,
            times: times_of(&[rotation.times()]),
            rotation,
            solver: EulerSolver::new(&target.channels.order),
        };
        this.resume_at(target.channels.rotation.to_array());
        Some(this)
    }

    fn lcl_at(&self, time: f64) -> DQuat {
        self.channels.lcl_rotation(self.rotation.at(time))
    }
}

impl Curve for RotationCurve<'_> {
    fn times(&self) -> &[f32] {
        &self.times
    }

    fn jumps(&self) -> bool {
        self.rotation.jumps()
    }

    fn enter(&mut self, index: usize) {
        self.rotation.enter(self.times[index]);
    }

    fn shape(&self) -> Shape {
        match self.rotation.change() {
            None => Shape::Straight,
            Some(Interpolation::Step) => Shape::Held,
            Some(_) => Shape::Bent,
        }
    }

    fn at(&mut self, time: f64) -> [f64; 3] {
        let rotation = self.lcl_at(time);
        let mut solved = [0.0; 3];
        self.solver.solve(rotation, &mut solved);
        let mut degrees = [0.0; 3];
        for (axis, angle) in self.channels.order.iter().zip(solved) {
            degrees[*axis] = angle;
        }
        degrees
    }

    fn resume_at(&mut self, value: [f64; 3]) {
        self.solver
            .resume_at(&self.channels.order.map(|axis| value[axis]));
    }

    /// Angles that change evenly make an angular velocity that changes by at most the products of their
    /// speeds, and a turn that is off from the even one by at most an eighth of that.
    fn is_straight(&self, from: [f64; 3], to: [f64; 3]) -> bool {
        let [x, y, z] = [0, 1, 2].map(|axis| (to[axis] - from[axis]).to_radians().abs());
        self.rotation.change() == Some(Interpolation::Linear)
            && x + y + z < 0.5
            && (x * y + y * z + z * x) / 8.0 < ROTATION_TOLERANCE
    }

    /// With R = R_a(α) R_b(β) R_c(γ), e as in [`EulerSolver`] and ω the constant angular velocity, turned
    /// by R_a(-α):
    ///
    /// ```text
    /// ω = (α' + e γ' sin β) a + β' b + γ' cos β c
    /// ```
    fn slopes(&self, start: (f64, [f64; 3]), end: (f64, [f64; 3])) -> Option<[[f64; 3]; 2]> {
        if self.rotation.change() != Some(Interpolation::Linear) {
            return None;
        }
        let [from, to] = [start.0, end.0].map(|time| self.lcl_at(time));
        let turn = to * from.conjugate();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let sine = turn.xyz().length();
        if sine < 1e-12 {
            return Some([[0.0; 3]; 2]);
        }
        let speed = 2.0 * sine.atan2(turn.w) / (end.0 - start.0);
        let velocity = turn.xyz() * (speed / sine);
        let [a, b, c] = self.channels.order;
        let (next, last) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if next == b { 1.0 } else { -1.0 };
        let mut slopes = [[0.0; 3]; 2];
        for (slope, (_, value)) in slopes.iter_mut().zip([start, end]) {
            let (sine, cosine) = value[a].to_radians().sin_cos();
            let mut turned = velocity;
            turned[next] = cosine * velocity[next] + sine * velocity[last];
            turned[last] = cosine * velocity[last] - sine * velocity[next];
            let (sine, cosine) = value[b].to_radians().sin_cos();
            if cosine.abs() < NEAR_LOCK {
                return None;
            }
            let gamma = turned[c] / cosine;
            slope[a] = (turned[a] - sign * sine * gamma).to_degrees();
            slope[b] = turned[b].to_degrees();
            slope[c] = gamma.to_degrees();
        }
        Some(slopes)
    }

    fn error_at(&self, time: f64, value: [f64; 3]) -> f64 {
        let found = from_degrees(DVec3::from_array(value), self.channels.order);
        let off = found.conjugate() * self.lcl_at(time);
        (2.0 * off.xyz().length().atan2(off.w.abs())).to_degrees()
    }
}
