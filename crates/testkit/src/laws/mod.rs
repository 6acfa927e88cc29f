//! The motion laws a second time: naive, in double precision, from the equations alone.
//!
//! Of the code under test only inputs are used: skeletons, which joint is which slot, the clip, and of an alignment
//! without corrections the turn to canonical space and the stance. No equation is shared with what is tested.
//!
//! | law | says | file |
//! |---|---|---|
//! | scale | k = K_B / K_A, K = ℓ + w | `measures` |
//! | turns | V = D · B; a spine of n joints moves one of m; arms by ±X | `turns` |
//! | slides | joints that slide in the source slide in the target | `slides` |
//! | sole, ball, floor | where the ankles go | `goals` |
//! | hips along the legs, pull | where the hips go | `hips` |
//! | leg | how the knees bend | `knee` |
//!
//! Order: deltas, slides → scale → sole or ball → floor → hips along the legs → pull → hips → leg → feet and toes as copied.
//! Each has a section in docs/laws.md.
//!
//! What the laws leave open is decided so:
//!
//! - Heights of ankle, toes and thighs at rest count from the floor of the stance, those in motion from the floor of
//!   the motion; both floors are inputs. X and Y are those of the body that stands, not lines through its joints.
//! - η is the larger ankle height also for the floor's limit of the ankle; the limit of the toe base is each foot's own. Where
//!   the source has no toe base, that limit is the rest height.
//! - H is where the thigh joints are in this frame, of source and target: J and f of the pull and the bones of the leg are those of
//!   the copied pose, slides included. Where thighs hang from the hips joint and stay there, that is the hips turned and
//!   D_hips · (thigh − H) of the rest pose; where they slide, or hang from another joint of the pelvis, it is not.
//! - The toe base of ball and floor is as far from the ankle as in the copied pose.
//! - A leg is straight if the knee is less than 2 % of the thigh off the line. The forward axis is D_thigh · e_z, turned
//!   along with the leg. ℓ of the limit is thigh + shin of this leg; the lower limit is |thigh − shin|.
//! - A leg whose end is at its goal already is not bent: else a straight leg whose knee is a little off sideways, or one
//!   that is longer than 0.9999 ℓ, would change where source and target are one character.
//! - A spine of unlike counts shares the bend by `spread` in both presets: nothing was measured of Mixamo there.
//! - A second neck joint of the target, and every slot that the source lacks, rests on the joint above it. Joints in no
//!   slot rest.
//! - The ball's foot yaw is the turn of D_foot about the vertical (swing and twist).
//!
//! Scales that change within a clip are left out, and so are joints that do not hang from the body.

mod frame;
mod goals;
mod hips;
mod knee;
mod measures;
mod side;
mod slides;
mod turns;

pub use frame::{LegOutcome, Posed, retarget_pose};
pub use measures::{Constants, Measures, measure};
pub use side::{Leg, Side, legs, model};
pub use turns::{arm_turn, delta};

use glam::{DQuat, DVec3};

/// How high the middle of the thigh joints stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// As in the stance.
    Rest,
    /// ℓ + η.
    LegAndAnkle,
}

/// Which laws hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laws {
    /// υ: height of the thigh joints when standing.
    pub standing: Standing,
    /// a: the share of the over-stretch that pulls the hips.
    pub pull: f64,
    /// Whether legs that are too short push the hips as well (p without max).
    pub signed_pull: bool,
    /// Whether arms are calibrated.
    pub arms: bool,
    /// Whether feet stay out of the floor.
    pub floor: bool,
    /// Whether the ball takes over from the sole.
    pub toes: bool,
    /// Whether feet have goals, which legs reach and which pull the hips. False leaves the copied legs below Ĥ.
    pub legs: bool,
}

impl Laws {
    /// Preset `humanik`.
    pub const HUMANIK: Self = Self {
        standing: Standing::LegAndAnkle,
        pull: 0.4,
        signed_pull: false,
        arms: false,
        floor: false,
        toes: false,
        legs: true,
    };

    /// Preset `mixamo`.
    pub const MIXAMO: Self = Self {
        standing: Standing::Rest,
        pull: 0.42,
        signed_pull: true,
        arms: true,
        floor: true,
        toes: false,
        legs: true,
    };
}

/// The shortest turn from one direction to another; none where one of them is zero.
fn arc(from: DVec3, to: DVec3) -> DQuat {
    let lengths = from.length() * to.length();
    if lengths < 1e-300 {
        return DQuat::IDENTITY;
    }
    let (axis, cosine) = (from.cross(to) / lengths, from.dot(to) / lengths);
    if cosine > -1.0 + 1e-12 {
        return crate::oracle::unit(DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + cosine));
    }
    // A half turn about whatever is across.
    let across = if from.x.abs() < 0.5 * from.length() {
        from.cross(DVec3::X)
    } else {
        from.cross(DVec3::Y)
    };
    DQuat::from_axis_angle(across / across.length(), std::f64::consts::PI)
}
