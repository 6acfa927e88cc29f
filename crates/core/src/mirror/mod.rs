//! Mirroring: what a character does with its left, it does with its right.
//!
//! With M the reflection across the body's plane of symmetry, and τ(i) the twin of joint i (itself on the
//! plane), in model space W'_i = M (W_τ A_τ⁻¹) M · A_i (E47), which is in local space, with p the parent
//! of i (E21):
//!
//! ```text
//! w'_i = (A_p⁻¹ · refl(A_τ(p))) · refl(w_τ) · (refl(A_τ)⁻¹ · A_i)
//! t'_i = t_i,rest + (ℓ_i / ℓ_τ) · K_p · (t_τ − t_τ,rest),   K_p = A_p⁻¹ M A_τ(p)
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | w, t | local rotation and translation |
//! | A | rotation of a joint, in model space, in the pose that is its own mirror image |
//! | refl(q) | M q M: the rotation seen in the mirror |
//! | ℓ | length of the rest translation |
//!
//! All constants are known beforehand, so keys, times and splines stay what they are. It is exact for any
//! joint axes; where the twins' parents are no twins, the joint is computed in model space at every key.
//! Source: equations E21 and E47 of the project's algorithm notes.

mod apply;
mod curves;
mod twins;

pub use apply::{mirror_clip, mirror_point, mirror_pose};
pub use twins::{Twins, find_twins};

use crate::align::{Alignment, unit};
use glam::{DMat3, DQuat, DVec3, Mat3, Quat, Vec3};
use rebone_model::{Character, JointKind};

/// How one joint moves when the motion is mirrored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointMirror {
    /// The joint whose motion it takes; itself on the plane of symmetry.
    pub twin: usize,
    /// A_p⁻¹ · refl(A_τ(p)).
    pub left: Quat,
    /// refl(A_τ)⁻¹ · A_i.
    pub right: Quat,
    /// (ℓ_i / ℓ_τ) · K_p.
    pub linear: Mat3,
    /// Weights with which the twin's scale axes become this joint's: the squares of K_i.
    pub scale: Mat3,
    /// False where the twin hangs from another joint than the parent's twin: then `left` does not hold.
    pub is_local: bool,
}

/// The constants that mirror any motion of one character.
#[derive(Clone, Debug, PartialEq)]
pub struct Mirror {
    /// One entry a joint; `None` for joints without twin, which keep their rest.
    pub joints: Vec<Option<JointMirror>>,
    /// A of each joint, canonical.
    standing: Vec<DQuat>,
    canonical_from_file: DQuat,
}

/// Twins whose limbs differ by more than this, mirrored, stand in no pose that is its own mirror image.
const ASYMMETRIC_DEGREES: f64 = 8.0;

impl Mirror {
    /// The constants of a character.
    ///
    /// Where the reference pose is symmetric within 8 degrees it is mapped to itself exactly; else the
    /// retarget pose is.
    pub fn new(character: &Character, alignment: &Alignment, twins: &Twins) -> Self {
        let joints = character.skeleton.joints();
        let is_symmetric = asymmetry_degrees(character, alignment, twins) <= ASYMMETRIC_DEGREES;
        let rest = crate::align::placements(character, &character.skeleton.rest_pose());
        let canonical_from_file = alignment.canonical_from_file;
        let standing: Vec<DQuat> = (0..joints.len())
            .map(|joint| match joints[joint].kind {
                // What stands above the body stays where it is.
                JointKind::Ancestor => canonical_from_file * rest[joint].rotation,
                JointKind::Joint if is_symmetric => alignment.reference[joint].rotation,
                JointKind::Joint => alignment.retarget_rotation(joint),
            })
            .collect();
        let above = |joint: Option<usize>| joint.map_or(canonical_from_file, |at| standing[at]);
        let result = (0..joints.len()).map(|joint| {
            let twin = twins.of(joint)?;
            let (parent, twin_parent) = (joints[joint].parent, joints[twin].parent);
            let mirrored_parent = match parent {
                Some(parent) => twins.of(parent),
                None => None,
            };
            let (over, twin_over) = (above(parent), above(twin_parent));
            let own = standing[joint];
            let lengths = [joint, twin].map(|at| f64::from(joints[at].rest.translation.length()));
            let ratio = if joint != twin && lengths.iter().all(|length| *length > 1e-9) {
                lengths[0] / lengths[1]
            } else {
                1.0
            };
            let axes = reflected_axes(own, standing[twin]);
            Some(JointMirror {
                twin,
                left: unit(over.conjugate() * reflected(twin_over)).as_quat(),
                right: unit(reflected(standing[twin]).conjugate() * own).as_quat(),
                linear: (reflected_axes(over, twin_over) * ratio).as_mat3(),
                scale: DMat3::from_cols(
                    axes.x_axis * axes.x_axis,
                    axes.y_axis * axes.y_axis,
                    axes.z_axis * axes.z_axis,
                )
                .as_mat3(),
                is_local: mirrored_parent == twin_parent,
            })
        });
        Self {
            joints: result.collect(),
            standing,
            canonical_from_file,
        }
    }
}

/// A rotation seen in the mirror across the plane x = 0.
fn reflected(rotation: DQuat) -> DQuat {
    DQuat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

/// K = A_i⁻¹ M A_τ: from the twin's axes to the joint's, through the mirror.
fn reflected_axes(own: DQuat, twin: DQuat) -> DMat3 {
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    DMat3::from_quat(own).transpose() * mirror * DMat3::from_quat(twin)
}

/// The same reflection of a rotation in single precision.
fn reflected_single(rotation: Quat) -> Quat {
    Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

/// The greatest angle between a joint's direction from its parent and the mirrored one of its twin, in the
/// reference pose; joints that lie on their parents show none.
pub fn asymmetry_degrees(character: &Character, alignment: &Alignment, twins: &Twins) -> f64 {
    let joints = character.skeleton.joints();
    let least = 0.02 * alignment.measures.height;
    let direction = |joint: usize| {
        let parent = joints[joint].parent?;
        let from = alignment.reference[parent].position;
        let way = alignment.reference[joint].position - from;
        (way.length() > least).then_some(way)
    };
    let angle = |joint: usize| {
        alignment.slot_of_joint[joint]?;
        let twin = twins.of(joint).filter(|twin| *twin > joint)?;
        let (own, other) = (direction(joint)?, direction(twin)?);
        let mirrored = DVec3::new(-other.x, other.y, other.z);
        Some(own.angle_between(mirrored).to_degrees())
    };
    (0..joints.len())
        .filter(|&joint| joints[joint].kind == JointKind::Joint)
        .filter_map(angle)
        .fold(0.0, f64::max)
}

/// A point of the file's space seen in the mirror.
fn reflected_point(canonical_from_file: DQuat, point: Vec3) -> Vec3 {
    let seen = canonical_from_file * point.as_dvec3();
    (canonical_from_file.conjugate() * DVec3::new(-seen.x, seen.y, seen.z)).as_vec3()
}
