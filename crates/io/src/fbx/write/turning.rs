//! The rotation of a joint as Euler angles of its FBX object.
//!
//! With R = R_a(α) R_b(β) R_c(γ), e = ±1 as in [`angles_after`], and ω the constant angular velocity of a
//! stretch, turned by R_a(-α):
//!
//! ```text
//! ω = (α' + e γ' sin β) a + β' b + γ' cos β c
//! ```
//!
//! gives the speeds of the angles. None of them exceeds w = |ω| / |cos β|, and their derivatives are sums of
//! products of them, so a cubic with these slopes is off by at most C (w h)⁴ on a stretch of length h.
//! Near gimbal lock, cos β = 0, that says nothing, and the cubic is compared with the turn itself.

use super::channels::{Channels, from_degrees};
use super::fit::{Curve, Shape, Timed, mix};
use super::follow::{Follower, times_of};
use super::target::Target;
use crate::angles::{Angles, angles_after, arcsine_by_sine};
use glam::{DQuat, DVec3};
use rebone_model::elementary::Elementary as _;
use rebone_model::{Clip, Interpolation, Quat};
use std::borrow::Cow;

/// Largest error of a rotation between keys, radians.
pub(super) const ROTATION_TOLERANCE: f64 = 2e-6;
/// C, radians; more than thrice what turns of all kinds need.
const CUBIC_ERROR: f64 = 0.03;
/// Below this cosine of β the speeds of the angles are not used: gimbal lock is near.
const NEAR_LOCK: f64 = 0.02;
/// `Lcl Rotation` in degrees.
pub(super) struct RotationCurve<'a> {
    channels: &'a Channels,
    times: Cow<'a, [f32]>,
    rotation: Follower<'a, Quat>,
}

impl<'a> RotationCurve<'a> {
    /// `None` where the clip does not turn the joint.
    pub(super) fn new(target: &'a Target, clip: &'a Clip) -> Option<Self> {
        let track = clip.joints.get(target.joint)?.rotation.as_ref()?;
        let rotation = Follower::new(Some(track), Quat::IDENTITY);
        Some(Self {
            channels: &target.channels,
            times: times_of(&[rotation.times()]),
            rotation,
        })
    }

    fn lcl_at(&self, time: f64) -> DQuat {
        self.channels.lcl_rotation(self.rotation.at(time))
    }

    fn degrees(&self, by_place: [f64; 3]) -> [f64; 3] {
        let mut degrees = [0.0; 3];
        for (axis, angle) in self.channels.order.iter().zip(by_place) {
            degrees[*axis] = angle.to_degrees();
        }
        degrees
    }

    /// The speeds of the angles, radians, at constant angular velocity.
    fn speeds(&self, velocity: [f64; 3], angles: &Angles) -> [f64; 3] {
        let [a, b, c] = self.channels.order;
        let sign = if (a + 1) % 3 == b { 1.0 } else { -1.0 };
        let (sine, cosine) = (sign * angles.sines[0], angles.cosines[0]);
        let turned_b = cosine * velocity[b] + sine * velocity[c];
        let turned_c = cosine * velocity[c] - sine * velocity[b];
        let gamma = turned_c / angles.cosines[1];
        [
            velocity[a] - sign * angles.sines[1] * gamma,
            turned_b,
            gamma,
        ]
    }
}

/// A rotation and its angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    lcl: DQuat,
    angles: Angles,
}

impl Curve for RotationCurve<'_> {
    type Point = Turn;

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

    fn rest(&self) -> Turn {
        let degrees = self.channels.rotation;
        let radians = self.channels.order.map(|axis| degrees[axis].to_radians());
        Turn {
            lcl: from_degrees(degrees, self.channels.order),
            angles: Angles::of(radians),
        }
    }

    fn at(&self, time: f64, near: &Turn) -> Turn {
        let lcl = self.lcl_at(time);
        Turn {
            lcl,
            angles: angles_after(lcl, self.channels.order, &near.angles),
        }
    }

    fn values(&self, point: &Turn) -> [f64; 3] {
        self.degrees(point.angles.radians)
    }

    fn error_at(&self, time: f64, values: [f64; 3], _: &Turn) -> f64 {
        let found = from_degrees(DVec3::from_array(values), self.channels.order);
        let off = found.conjugate() * self.lcl_at(time);
        (2.0 * off.xyz().length().arc_tangent(off.w.abs())).to_degrees()
    }

    /// Angles that change evenly make an angular velocity that changes by at most the products of their
    /// speeds, and a turn that is off from the even one by at most an eighth of that.
    fn is_straight(&self, from: &Turn, to: &Turn) -> bool {
        let (from, to) = (from.angles.radians, to.angles.radians);
        let turned = |place: usize| (to[place] - from[place]).abs();
        let (x, y, z) = (turned(0), turned(1), turned(2));
        self.rotation.change() == Some(Interpolation::Linear)
            && x + y + z < 0.5
            && x * y + y * z + z * x < 8.0 * ROTATION_TOLERANCE
    }

    fn slopes(
        &self,
        start: Timed<'_, Self::Point>,
        end: Timed<'_, Self::Point>,
    ) -> Option<[[f64; 3]; 2]> {
        if self.rotation.change() != Some(Interpolation::Linear) {
            return None;
        }
        let (from, to) = (start.point, end.point);
        let turn = to.lcl * from.lcl.conjugate();
        let axis = if turn.w < 0.0 { -turn } else { turn }.xyz();
        let square = axis.length_squared();
        let cosines = (from.angles.cosines[1].abs(), to.angles.cosines[1].abs());
        if square < 1e-24 || cosines.0.min(cosines.1) < NEAR_LOCK {
            return None;
        }
        let angle_by_sine = 2.0 * arcsine_by_sine(square, turn.w.abs());
        let span = end.seconds - start.seconds;
        let velocity = (axis * (angle_by_sine / span)).to_array();
        let slopes = [
            self.degrees(self.speeds(velocity, &from.angles)),
            self.degrees(self.speeds(velocity, &to.angles)),
        ];
        // β changes by no more than the whole turns.
        let angle = angle_by_sine * square.sqrt();
        let cosine = 0.5 * (cosines.0 + cosines.1 - angle);
        if cosine > 0.0 && CUBIC_ERROR * angle.powi(4) <= ROTATION_TOLERANCE * cosine.powi(4) {
            return Some(slopes);
        }
        let ends = [self.values(from), self.values(to)];
        let bend = span / 8.0;
        let middle = mix(
            [ends[0], ends[1], slopes[0], slopes[1]],
            [0.5, 0.5, bend, -bend],
        );
        let error = self.error_at(start.seconds + 0.5 * span, middle, from);
        (error <= ROTATION_TOLERANCE.to_degrees()).then_some(slopes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::Track;

    /// Numbers from -1 to 1.
    struct Random(u64);

    impl Random {
        fn number(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        }

        fn vector(&mut self) -> DVec3 {
            DVec3::new(self.number(), self.number(), self.number())
        }

        /// Two rotations, up to 0.3 radians apart.
        fn turn(&mut self, order: [usize; 3]) -> [DQuat; 2] {
            let start = from_degrees(self.vector() * 180.0, order);
            let axis = self.vector();
            let angle = 0.3 * self.vector().x.abs();
            let (sine, cosine) = (0.5 * angle).sin_cos();
            let part = axis * (sine / axis.length().max(1e-9));
            let end = DQuat::from_xyzw(part.x, part.y, part.z, cosine) * start;
            [start, end]
        }
    }

    /// How far a cubic from time 0 to 1 is off from the turn itself, radians.
    fn worst_error(curve: &RotationCurve<'_>, ends: [&Turn; 2], slopes: [[f64; 3]; 2]) -> f64 {
        let [from, to] = ends.map(|end| curve.values(end));
        let [out, into] = slopes;
        let mut worst = 0.0f64;
        for step in 0..=16 {
            let t = f64::from(step) / 16.0;
            let (t2, t3) = (t * t, t * t * t);
            let weights = [
                2.0 * t3 - 3.0 * t2 + 1.0,
                3.0 * t2 - 2.0 * t3,
                t3 - 2.0 * t2 + t,
                t3 - t2,
            ];
            let values = mix([from, to, out, into], weights);
            worst = worst.max(curve.error_at(t, values, ends[0]).to_radians());
        }
        worst
    }

    /// Where cubics are taken without a look at the turn itself, the turn is near.
    #[test]
    fn cubics_follow_turns_of_all_kinds() {
        let mut random = Random(0x2545_F491_4F6C_DD1D);
        let orders = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ];
        let (mut cubics, mut worst) = (0, 0.0f64);
        for round in 0..60_000 {
            let mut channels = Channels::plain(1.0);
            channels.order = orders[round % 6];
            let keys = random.turn(channels.order).map(DQuat::as_quat);
            let track = Track::new(Interpolation::Linear, [0.0, 1.0].into(), keys.to_vec());
            let track = track.unwrap();
            let mut rotation = Follower::new(Some(&track), Quat::IDENTITY);
            rotation.enter(0.0);
            let curve = RotationCurve {
                channels: &channels,
                times: Cow::Borrowed(&[0.0, 1.0]),
                rotation,
            };
            let from = curve.at(0.0, &curve.rest());
            let to = curve.at(1.0, &from);
            let is_straight = curve.is_straight(&from, &to);
            let slopes = if is_straight {
                let (from, to) = (curve.values(&from), curve.values(&to));
                let slope = mix([from, to], [-1.0, 1.0]);
                Some([slope, slope])
            } else {
                curve.slopes(Timed::new(0.0, &from), Timed::new(1.0, &to))
            };
            let Some(slopes) = slopes else { continue };
            cubics += usize::from(!is_straight);
            worst = worst.max(worst_error(&curve, [&from, &to], slopes));
        }
        assert!(cubics > 5_000, "{cubics}");
        assert!(worst < 1.05 * ROTATION_TOLERANCE, "{worst:e} of {cubics}");
    }
}
