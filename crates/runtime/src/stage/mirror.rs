//! The pose as a mirror shows it (S3.5, S3.11): what was done with the left is done with the right.
//!
//! ```text
//! w'_i = (A_p⁻¹ · refl(A_τ(p))) · refl(w_τ) · (refl(A_τ)⁻¹ · A_i)
//! t'_i = t_i,rest + (ℓ_i / ℓ_τ) · K_p · (t_τ − t_τ,rest),   K_p = A_p⁻¹ M A_τ(p)
//! where the twins' parents are no twins:   W'_i = C⁻¹ · refl(C · W_τ) · (refl(A_τ)⁻¹ · A_i),   w'_i = W'_p⁻¹ · W'_i
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | w, t | local rotation and translation; the dash marks the mirrored ones |
//! | W | model-space rotation, file space |
//! | τ(i), p | twin and parent of joint i; on the plane of symmetry a joint is its own twin |
//! | A | rotation in the pose that is its own mirror image, canonical |
//! | C | from file space to canonical space |
//! | M, refl(q) | the reflection across the body's plane of symmetry, and M q M |
//! | ℓ | length of the rest translation |
//!
//! Poses are changed in place: twins exchange. The third line is computed in double precision from rotations alone.
//!
//! Degenerate cases: a joint without twin takes its rest. Where the twins' parents are no twins, a translation beside the
//! rest is turned as if both parents stood. Source: docs/laws.md, "Mirror a pose".

use super::{Frame, Operation};
use crate::check::{Checked, Sizes, ensure, within};
use crate::rig::Rig;
use glam::{DQuat, Mat3, Quat, Vec3};
use rebone_model::Transform;
use rebone_model::rotation::normalized_or_identity;
use serde::{Deserialize, Serialize};

/// The constants that mirror any motion of one rig.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mirror {
    /// C.
    pub canonical_from_file: Quat,
    /// One entry a joint; `None` for joints without twin, which take their rest.
    pub joints: Vec<Option<JointMirror>>,
    /// What tells which foot is ahead. Default `None`: nobody asks.
    pub stride: Option<Stride>,
}

/// How one joint moves when the motion is mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointMirror {
    /// The joint whose motion it takes; itself on the plane of symmetry. Twins name each other.
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

/// Two feet, and where forwards is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stride {
    /// The joint of the hips.
    pub hips: usize,
    /// The joints of the left and the right foot.
    pub feet: [usize; 2],
    /// Forwards, in the axes of the hips.
    pub forward: Vec3,
}

/// Numbers that a joint outside the closed form needs.
const NUMBERS: usize = 4;

impl Mirror {
    /// How many numbers [`mirror_in_place`] needs as scratch.
    pub fn scratch(&self) -> usize {
        NUMBERS * self.not_local().count()
    }

    /// Joints that the closed form does not hold for, parents first.
    fn not_local(&self) -> impl Iterator<Item = (usize, &JointMirror)> {
        let joints = self.joints.iter().enumerate();
        let found = joints.filter_map(|(joint, how)| how.as_ref().map(|how| (joint, how)));
        found.filter(|(_, how)| !how.is_local)
    }

    /// How far the left foot is ahead of the right one, file units; negative where it is behind. Mirrored it is the
    /// opposite. `None` for a rig without two feet.
    pub fn lead(&self, rig: &Rig, pose: &[Transform]) -> Option<f32> {
        let stride = self.stride?;
        let [left, right] = stride
            .feet
            .map(|foot| rig.model_point(pose, foot, Vec3::ZERO));
        let forward = rotation(rig, pose, Some(stride.hips)).as_quat() * stride.forward;
        Some((left - right).dot(forward))
    }
}

/// True where a clip goes on better mirrored, as it begins with the other foot (S3.11).
///
/// `now` are the [leads](Mirror::lead) of the last pose shown and of the one a moment before it, the later one behind;
/// `start` the leads of the clip's first pose after such a moment, in the same order. Both together are a point of the
/// cycle of the stride, which mirroring turns into its opposite.
pub fn begins_with_other_foot(now: [f32; 2], start: [f32; 2]) -> bool {
    now[0] * start[0] + now[1] * start[1] < 0.0
}

/// Mirrors a local pose of the rig. `scratch` has [`Mirror::scratch`] numbers; what they were does not count.
///
/// # Panics
/// Where the pose has fewer joints than the rig, or the scratch fewer numbers.
pub fn mirror_in_place(mirror: &Mirror, rig: &Rig, pose: &mut [Transform], scratch: &mut [f32]) {
    let canonical = mirror.canonical_from_file.as_dquat();
    for ((_, how), kept) in mirror.not_local().zip(scratch.chunks_exact_mut(NUMBERS)) {
        let twin = canonical * rotation(rig, pose, Some(how.twin));
        let seen = canonical.conjugate() * reflected(twin) * how.right.as_dquat();
        kept.copy_from_slice(&seen.as_quat().to_array());
    }
    for (joint, how) in mirror.joints.iter().enumerate() {
        let Some(how) = how else {
            pose[joint] = rig.rest[joint];
            continue;
        };
        // Twins are exchanged when the first of them is met.
        if how.twin < joint {
            continue;
        }
        let (own, twin) = (pose[joint], pose[how.twin]);
        pose[joint] = how.seen(rig, joint, twin);
        if let Some(back) = mirror.joints[how.twin].filter(|_| how.twin != joint) {
            pose[how.twin] = back.seen(rig, how.twin, own);
        }
    }
    for ((joint, _), kept) in mirror.not_local().zip(scratch.chunks_exact(NUMBERS)) {
        let wanted = Quat::from_slice(kept).as_dquat();
        let above = rotation(rig, pose, rig.parents[joint]);
        pose[joint].rotation = normalized_or_identity((above.conjugate() * wanted).as_quat());
    }
}

impl JointMirror {
    /// The joint's local transform for one of its twin.
    fn seen(&self, rig: &Rig, joint: usize, twin: Transform) -> Transform {
        let (rest, twin_rest) = (rig.rest[joint], rig.rest[self.twin]);
        Transform {
            translation: self.translation(rest, twin_rest, twin.translation),
            rotation: self.rotation(twin.rotation),
            scale: self.scale(rest, twin_rest, twin.scale),
        }
    }

    /// w'.
    pub(crate) fn rotation(&self, twin: Quat) -> Quat {
        let seen = Quat::from_xyzw(twin.x, -twin.y, -twin.z, twin.w);
        self.left * seen * self.right
    }

    /// t'.
    pub(crate) fn translation(&self, rest: Transform, twin_rest: Transform, twin: Vec3) -> Vec3 {
        rest.translation + self.linear * (twin - twin_rest.translation)
    }

    /// The scale, against the rest.
    pub(crate) fn scale(&self, rest: Transform, twin_rest: Transform, twin: Vec3) -> Vec3 {
        if twin == twin_rest.scale {
            return rest.scale;
        }
        rest.scale * (self.scale * divided(twin, twin_rest.scale))
    }
}

/// A rotation seen in the mirror across the plane x = 0.
pub fn reflected(rotation: DQuat) -> DQuat {
    DQuat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

/// Component by component; 1 where nothing can be divided by.
pub(crate) fn divided(value: Vec3, by: Vec3) -> Vec3 {
    let one = |value: f32, by: f32| if by.abs() > 1e-12 { value / by } else { 1.0 };
    Vec3::new(one(value.x, by.x), one(value.y, by.y), one(value.z, by.z))
}

/// Model-space rotation of a joint; the identity above the roots.
fn rotation(rig: &Rig, pose: &[Transform], joint: Option<usize>) -> DQuat {
    let up = rig.up_from(joint);
    let rotation = up.fold(DQuat::IDENTITY, |below, joint| {
        pose[joint].rotation.as_dquat() * below
    });
    let length = rotation.length();
    if length > 0.0 {
        rotation * length.recip()
    } else {
        DQuat::IDENTITY
    }
}

impl Operation for Mirror {
    /// All of them: what has no twin takes its rest.
    fn joints(&self) -> Vec<usize> {
        (0..self.joints.len()).collect()
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        mirror_in_place(self, &frame.plan.target, frame.pose, frame.memory);
    }

    fn check(&self, sizes: Sizes) -> Checked {
        ensure(
            self.joints.len() == sizes.target,
            "the mirror has other joints than the target",
        )?;
        within(
            self.joints.iter().flatten().map(|joint| joint.twin),
            sizes.target,
        )?;
        let twin = |joint: usize| self.joints[joint].map(|how| how.twin);
        let is_odd = |joint: usize| twin(joint).is_some_and(|other| twin(other) != Some(joint));
        ensure(
            !(0..self.joints.len()).any(is_odd),
            "the twin of a joint is the twin of another",
        )?;
        let stride = self.stride.iter();
        within(
            stride.flat_map(|own| [own.hips, own.feet[0], own.feet[1]]),
            sizes.target,
        )
    }

    fn memory(&self) -> usize {
        self.scratch()
    }
}
