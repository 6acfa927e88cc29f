//! Joints that turn no further than a body can (S3.4).
//!
//! ```text
//! q = before · (rotations between the joints) · v · after          what the joint does, in the axes of the limit
//! ball:   q = swing · twist_x(τ),  swing = exp(0, β, γ)            (β, γ) into four quarter ellipses, τ into a range
//! hinge:  q = turn_y(β) · turn_z(γ) · twist_x(τ)                   each into its range
//! beyond a limit l:  x' = l + s · (1 − e^(−(x − l)/s))             never further than l + s
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | v | local rotation of the joint |
//! | before, after | constants: retarget pose of the joint above and of the joint, axes of the limit, its middle |
//! | β, γ, τ | bend about y, side about z, twist about x; 0 in the middle of the limit |
//! | s | soft zone: what is beyond the limit is squeezed into it; 0 stops hard |
//!
//! Source: docs/laws.md, "Joint limits".
//!
//! What is inside its limits keeps its bits. Outside, bend and side of a ball joint go to the nearest place of
//! the ellipse, which moves no faster than they do.
//!
//! Degenerate cases. Angles end somewhere: a swing of 180 degrees has no direction, a twist beyond 180 degrees comes
//! back from the other side, and of a hinge that points along its own axis nobody knows the bend. Near there,
//! on the far side of the limits, the result goes smoothly to the middle, so that a small step of the motion is a small
//! step of the result everywhere.

use super::{Frame, Operation};
use crate::check::{Checked, Sizes, ensure, is_range, within};
use crate::solve::smooth;
use glam::{Quat, Vec2, Vec3};
use rebone_model::Clamp as _;
use rebone_model::elementary::{Elementary as _, Turn as _};
use rebone_model::rotation::{exp, log, normalized_or_identity, swing_twist};
use serde::{Deserialize, Serialize};
use std::f32::consts::PI;

/// Nearer than this (radians) to a limit is inside: what was limited stays as it is.
const INSIDE: f32 = 5e-6;

/// Width of the region on the far side in which results go to the middle, radians.
pub(super) const FOLD: f32 = std::f32::consts::FRAC_PI_6;

/// The limits of some joints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitStage {
    /// Each joint once.
    pub joints: Vec<LimitedJoint>,
}

/// Which shape the limits of a joint have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitKind {
    /// A cone around a direction, and a range of twist: hips, shoulders.
    Ball,
    /// One axis, with some play across: knees, elbows.
    Hinge,
}

/// The limits of one joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LimitedJoint {
    /// Target joint.
    pub joint: usize,
    /// The joint above, against which it turns; `None` for the model space.
    pub above: Option<usize>,
    /// From the axes of the joint above to those of the limit.
    pub before: Quat,
    /// From the axes of the limit to those of the joint.
    pub after: Quat,
    /// Its shape.
    pub kind: LimitKind,
    /// Least and most turn about y, radians.
    pub bend: [f32; 2],
    /// Least and most turn about z, radians.
    pub side: [f32; 2],
    /// Least and most turn about x, radians; a whole turn wide for none.
    pub twist: [f32; 2],
    /// Width of the soft zone, radians.
    pub soft: f32,
    /// A child that is asked for what this joint cannot do, so that it stands as before in model space: the next motor of a
    /// robot's hip. Listed behind this one.
    pub rest_to: Option<usize>,
}

impl LimitedJoint {
    /// Bend, side and twist of a rotation in the axes of the limit, radians.
    pub fn angles(&self, turn: Quat) -> [f32; 3] {
        match self.kind {
            LimitKind::Ball => {
                let (swing, twist) = swing_twist(turn, Vec3::X);
                let swing = log(swing);
                [
                    swing.y,
                    swing.z,
                    wrapped(2.0 * twist.x.arc_tangent(twist.w)),
                ]
            }
            LimitKind::Hinge => {
                let along = turn * Vec3::X;
                let bend = (-along.z).arc_tangent(along.x);
                let side = along.y.clamped(-1.0, 1.0).arc_sine();
                let twist = (turn_y(bend) * turn_z(side)).conjugate() * turn;
                [bend, side, wrapped(2.0 * twist.x.arc_tangent(twist.w))]
            }
        }
    }

    /// The rotation of these angles, the reverse of [`Self::angles`].
    pub fn turn(&self, [bend, side, twist]: [f32; 3]) -> Quat {
        let twist = Quat::about_x(twist);
        match self.kind {
            LimitKind::Ball => exp(Vec3::new(0.0, bend, side)) * twist,
            LimitKind::Hinge => turn_y(bend) * turn_z(side) * twist,
        }
    }

    /// How far beyond the limits these angles are, radians: of bend and side together, and of the twist. 0 inside.
    pub fn excess(&self, [bend, side, twist]: [f32; 3]) -> [f32; 2] {
        let outside = |angle: f32, range: [f32; 2]| match range {
            _ if is_free(range) => 0.0,
            _ => off_middle(angle, range).abs() - 0.5 * (range[1] - range[0]),
        };
        let swing = match self.kind {
            LimitKind::Hinge => outside(bend, self.bend).max(outside(side, self.side)),
            LimitKind::Ball => {
                let swing = Vec2::new(bend, side);
                (swing - nearest(swing, self.bend, self.side)).length()
            }
        };
        [swing.max(0.0), outside(twist, self.twist).max(0.0)]
    }

    /// The rotation brought inside the limits; `None` where it is inside.
    pub fn limited(&self, turn: Quat) -> Option<Quat> {
        let angles = self.angles(turn);
        if self.excess(angles).iter().all(|&excess| excess <= INSIDE) {
            return None;
        }
        let [bend, side, twist] = angles;
        let twist = held(twist, self.twist, self.soft);
        // How much is known about the direction of the swing: 0 on the far side, where it could be any.
        let (swing, known) = match self.kind {
            LimitKind::Hinge => {
                let across = side.cosine() / FOLD.sine();
                let swing = [
                    held(bend, self.bend, self.soft),
                    soft(side, self.side, self.soft),
                ];
                (swing, smooth(across))
            }
            LimitKind::Ball => {
                let swing = Vec2::new(bend, side);
                let inside = nearest(swing, self.bend, self.side);
                let beyond = swing - inside;
                let kept = inside + beyond * squeezed_share(beyond.length(), self.soft);
                (kept.to_array(), smooth((PI - swing.length()) / FOLD))
            }
        };
        let middle = [self.bend, self.side, self.twist].map(nearest_to_zero);
        let folded = |value: f32, middle: f32| middle + known * (value - middle);
        Some(self.turn([
            folded(swing[0], middle[0]),
            folded(swing[1], middle[1]),
            folded(twist, middle[2]),
        ]))
    }
}

/// An angle that comes back from the other side after a whole turn, brought into its range; on the far side it goes
/// smoothly to the place of the range that is nearest to 0.
pub(super) fn held(angle: f32, range: [f32; 2], zone: f32) -> f32 {
    if is_free(range) {
        return angle;
    }
    let off = off_middle(angle, range);
    let half = 0.5 * (range[1] - range[0]);
    let kept = 0.5 * (range[0] + range[1]) + soft(off, [-half, half], zone);
    let known = smooth((PI - off.abs()) / FOLD.min(PI - half));
    let home = nearest_to_zero(range);
    home + known * (kept - home)
}

fn nearest_to_zero([least, most]: [f32; 2]) -> f32 {
    0f32.min(most).max(least)
}

/// True for a range that leaves out less than a sliver of the circle.
fn is_free(range: [f32; 2]) -> bool {
    range[1] - range[0] >= 2.0 * PI - 0.1
}

/// How far an angle is from the middle of a range, -π to π.
fn off_middle(angle: f32, range: [f32; 2]) -> f32 {
    wrapped(angle - 0.5 * (range[0] + range[1]))
}

/// The same angle between -π and π.
fn wrapped(angle: f32) -> f32 {
    let turns = (angle / (2.0 * PI)).round();
    if turns == 0.0 {
        angle
    } else {
        angle - turns * 2.0 * PI
    }
}

/// A value brought into a range, with a soft zone behind it.
fn soft(value: f32, [least, most]: [f32; 2], zone: f32) -> f32 {
    let inside = value.min(most).max(least);
    let beyond = value - inside;
    inside + beyond * squeezed_share(beyond.abs(), zone)
}

/// What a soft zone leaves of a distance beyond a limit, as a share of that distance.
fn squeezed_share(beyond: f32, zone: f32) -> f32 {
    if zone <= 0.0 {
        return 0.0;
    }
    if beyond < 1e-6 {
        return 1.0;
    }
    zone * -(-beyond / zone).exponential_less_one() / beyond
}

/// The nearest place of the region made of four quarter ellipses around 0, whose half-axes are the ends of the ranges.
fn nearest(place: Vec2, bend: [f32; 2], side: [f32; 2]) -> Vec2 {
    let half = |range: [f32; 2], value: f32| {
        if value < 0.0 { -range[0] } else { range[1] }
    };
    let axes = Vec2::new(half(bend, place.x), half(side, place.y)).max(Vec2::ZERO);
    let sign = Vec2::new(1f32.copysign(place.x), 1f32.copysign(place.y));
    sign * nearest_in_quarter(place.abs(), axes)
}

/// The nearest place of the quarter ellipse x²/a² + y²/b² ≤ 1 with x, y ≥ 0.
///
/// The nearest place on the curve is (a² x / (t + a²), b² y / (t + b²)) for the one t ≥ 0 at which it lies on the curve; the
/// equation falls in t and is convex, so Newton's method from below goes up to it.
fn nearest_in_quarter(place: Vec2, axes: Vec2) -> Vec2 {
    const FLAT: f32 = 1e-4;
    if axes.x < FLAT || axes.y < FLAT {
        return place.min(axes);
    }
    let (x, y) = (f64::from(place.x), f64::from(place.y));
    let (a, b) = (f64::from(axes.x), f64::from(axes.y));
    if (x / a).powi(2) + (y / b).powi(2) <= 1.0 {
        return place;
    }
    let (mut t, (p, q)) = (0.0f64, (a * x, b * y));
    for _ in 0..40 {
        let (u, v) = (p / (t + a * a), q / (t + b * b));
        let off = u * u + v * v - 1.0;
        let fall = 2.0 * (u * u / (t + a * a) + v * v / (t + b * b));
        let step = off / fall;
        t += step;
        if step.abs() <= 1e-12 * (1.0 + t) {
            break;
        }
    }
    Vec2::new((a * p / (t + a * a)) as f32, (b * q / (t + b * b)) as f32)
}

fn turn_y(angle: f32) -> Quat {
    Quat::about_y(angle)
}

fn turn_z(angle: f32) -> Quat {
    Quat::about_z(angle)
}

impl Operation for LimitStage {
    fn joints(&self) -> Vec<usize> {
        let both = |joint: &LimitedJoint| [Some(joint.joint), joint.rest_to];
        let mut joints: Vec<usize> = self.joints.iter().flat_map(both).flatten().collect();
        joints.sort_unstable();
        joints.dedup();
        joints
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        for joint in &self.joints {
            let rig = &frame.plan.target;
            let above = rig.up_from(rig.parents[joint.joint]);
            let between = above
                .take_while(|above| Some(*above) != joint.above)
                .fold(Quat::IDENTITY, |below, above| {
                    frame.pose[above].rotation * below
                });
            let before = joint.before * between;
            let own = frame.pose[joint.joint].rotation;
            if let Some(limited) = joint.limited(before * own * joint.after) {
                let local = before.conjugate() * limited * joint.after.conjugate();
                let local = normalized_or_identity(local);
                frame.pose[joint.joint].rotation = local;
                if let Some(next) = joint.rest_to {
                    let left = local.conjugate() * own;
                    frame.pose[next].rotation = left * frame.pose[next].rotation;
                }
            }
        }
    }

    fn check(&self, sizes: Sizes) -> Checked {
        for joint in &self.joints {
            let all = joint
                .above
                .into_iter()
                .chain(joint.rest_to)
                .chain([joint.joint]);
            within(all, sizes.target)?;
            [joint.bend, joint.side, joint.twist]
                .into_iter()
                .try_for_each(is_range)?;
            ensure(joint.soft >= 0.0, "a soft zone has no width")?;
        }
        Ok(())
    }
}
