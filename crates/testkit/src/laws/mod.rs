//! The motion laws a second time: naive, in double precision, from the equations alone.
//!
//! Of the code under test only inputs are used: skeletons, which joint is which slot, the clip, and of an alignment
//! without corrections the turn to canonical space and the stance. No equation is shared with what is tested.
//!
//! | law | says | file |
//! |---|---|---|
//! | F1 | k = K_B / K_A, K = ℓ + w | `measures` |
//! | E4, F6 to F8 | V = D · B; a spine of n joints moves one of m; arms by ±X | `turns` |
//! | E24 | joints that slide in the source slide in the target | `slides` |
//! | F2, F9, F10 | where the ankles go | `goals` |
//! | F3, F4 | where the hips go | `hips` |
//! | F5 | how the knees bend | `knee` |
//!
//! Order: deltas, slides → F1 → F2 or F10 → F9 → F3 → F4 → hips → F5 → feet and toes as copied.
//!
//! What the laws leave open is decided so:
//!
//! - Heights of ankle, toes and thighs at rest count from the floor of the stance, those in motion from the floor of
//!   the motion; both floors are inputs. X and Y are those of the body that stands, not lines through its joints.
//! - η is the larger ankle height also for F9's limit of the ankle; the limit of the toe base is each foot's own. Where
//!   the source has no toe base, that limit is the rest height.
//! - H is where the thigh joints are in this frame, of source and target: J and f of F4 and the bones of F5 are those of
//!   the copied pose, slides included. Where thighs hang from the hips joint and stay there, that is the hips turned and
//!   D_hips · (thigh − H) of the rest pose; where they slide, or hang from another joint of the pelvis, it is not.
//! - The toe base of F9 and F10 is as far from the ankle as in the copied pose.
//! - "Straight" in F5: the knee is less than 2 % of the thigh off the line. The forward axis is D_thigh · e_z, turned
//!   along with the leg. ℓ of the limit is thigh + shin of this leg; the lower limit is |thigh − shin|.
//! - A leg whose end is at its goal already is not bent: else a straight leg whose knee is a little off sideways, or one
//!   that is longer than 0.9999 ℓ, would change where source and target are one character.
//! - A spine of unlike counts follows F7 in both presets: nothing was measured of Mixamo there.
//! - A second neck joint of the target, and every slot that the source lacks, rests on the joint above it. Joints in no
//!   slot rest.
//! - F10's foot yaw is the turn of D_foot about the vertical (swing and twist).
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
    /// υ of F3.
    pub standing: Standing,
    /// a of F4.
    pub pull: f64,
    /// Whether legs that are too short push the hips as well (F4 without max).
    pub signed_pull: bool,
    /// F8.
    pub arms: bool,
    /// F9.
    pub floor: bool,
    /// F10 instead of F2 alone.
    pub toes: bool,
    /// F2, F4, F5, F9, F10. False leaves the copied legs below the hips of F3.
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
