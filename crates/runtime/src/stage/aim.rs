//! Neck, head and eyes look at a point (S3.6, S4.12).
//!
//! ```text
//! f, g: where the last joint looks, and where the point is, in the axes that the body carries
//! (yaw, pitch) of g held in their ranges;  C = turn(yaw, pitch of g) · turn(yaw, pitch of f)⁻¹
//! joint i turns by exp(share_i · log C),  Σ share_i = 1
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | yaw | about the body's up, positive to its left, 0 forwards |
//! | pitch | about the body's left, positive downwards |
//! | turn(yaw, pitch) | turn_y(yaw) · turn_x(pitch): keeps the head's tilt as the motion has it |
//!
//! Source: the usual look-at of game engines, on the retarget pose's axes, so that no joint axis is assumed. The eyes move
//! while the neck turns, so the step is taken three times.
//!
//! Degenerate cases. A point behind the body: the gaze goes smoothly back to straight ahead over the last 30 degrees before
//! straight behind. A point or a gaze straight above or below has no yaw: yaw fades to 0 over the last 30 degrees. A point in the eye
//! changes nothing. No point set: nothing happens. Source: docs/laws.md, "Gaze and spacing".

use super::limits::{FOLD, held};
use super::{Frame, Operation};
use crate::check::{Checked, Sizes, ensure, is_range, within};
use crate::solve::smooth;
use glam::{Quat, Vec3};
use rebone_model::elementary::{Elementary as _, Turn as _};
use rebone_model::rotation::{exp, log};
use serde::{Deserialize, Serialize};

/// How often the step is taken.
const STEPS: usize = 3;

/// What looks at a point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AimStage {
    /// The point, in the target's model space, file units; a workspace may set another. `None`: nothing happens
    /// until one is set.
    pub point: Option<Vec3>,
    /// Head before eyes.
    pub chains: Vec<AimChain>,
}

/// Joints that together turn the last of them towards the point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AimChain {
    /// Target joint that carries the body's axes: chest, or head for an eye. `None` for the model space.
    pub body: Option<usize>,
    /// From the body's axes (x left, y up, z forwards) to those of `body`.
    pub body_axes: Quat,
    /// Parents first, shares adding up to 1.
    pub joints: Vec<AimJoint>,
    /// From the body's axes to those of the last joint: z is where it looks in the retarget pose.
    pub gaze: Quat,
    /// From the last joint to the eye, in the joint's axes, units of the model space.
    pub eye: Vec3,
    /// Least and most yaw, radians.
    pub yaw: [f32; 2],
    /// Least and most pitch, radians.
    pub pitch: [f32; 2],
    /// Width of the soft zone behind both, radians.
    pub soft: f32,
}

/// One joint of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AimJoint {
    /// Target joint.
    pub joint: usize,
    /// Its share of the turn.
    pub share: f32,
}

impl AimChain {
    /// Where the last joint looks and where the point is, in the axes that the body carries.
    fn directions(&self, frame: &Frame<'_>, point: Vec3) -> Option<(Quat, Vec3, Vec3)> {
        let last = self.joints.last()?.joint;
        let body = frame.rotation(self.body) * self.body_axes;
        let own = frame.rotation(Some(last));
        let gaze = own * self.gaze * Vec3::Z;
        let eye = frame.place(last, Vec3::ZERO) + own * self.eye;
        let way = (point - eye).try_normalize()?;
        Some((body, body.conjugate() * gaze, body.conjugate() * way))
    }

    fn step(&self, frame: &mut Frame<'_>, point: Vec3) {
        let Some((body, gaze, way)) = self.directions(frame, point) else {
            return;
        };
        let ([yaw, pitch, sure], [own_yaw, own_pitch, own_sure]) = (angles(way), angles(gaze));
        let yaw = held(yaw, self.yaw, self.soft);
        let pitch = held(pitch, self.pitch, self.soft);
        let own = turn(own_yaw, own_pitch);
        let correction = turn(yaw * sure, pitch) * own.conjugate();
        let vector = body * log(correction) * own_sure;
        // From the last joint upwards: what is above has not moved yet.
        for joint in self.joints.iter().rev() {
            frame.turn(joint.joint, exp(vector * joint.share));
        }
    }
}

fn turn(yaw: f32, pitch: f32) -> Quat {
    Quat::about_y(yaw) * Quat::about_x(pitch)
}

/// Yaw and pitch of a direction, and how sure its yaw is, 0 straight above and below.
fn angles(direction: Vec3) -> [f32; 3] {
    let level = direction.x.hypotenuse(direction.z);
    [
        direction.x.arc_tangent(direction.z),
        (-direction.y).arc_tangent(level),
        smooth(level / FOLD.sine()),
    ]
}

impl Operation for AimStage {
    fn joints(&self) -> Vec<usize> {
        let joints = self.chains.iter().flat_map(|chain| &chain.joints);
        joints.map(|joint| joint.joint).collect()
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        let Some(point) = frame.point.or(self.point) else {
            return;
        };
        for chain in &self.chains {
            for _ in 0..STEPS {
                chain.step(frame, point);
            }
        }
    }

    fn check(&self, sizes: Sizes) -> Checked {
        for chain in &self.chains {
            let joints = chain.joints.iter().map(|joint| joint.joint);
            within(joints.chain(chain.body), sizes.target)?;
            [chain.yaw, chain.pitch]
                .into_iter()
                .try_for_each(is_range)?;
            ensure(chain.soft >= 0.0, "a soft zone has no width")?;
        }
        Ok(())
    }
}
