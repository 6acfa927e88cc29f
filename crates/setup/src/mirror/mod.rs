//! Mirroring: what a character does with its left, it does with its right.
//!
//! With M the reflection across the body's plane of symmetry, and τ(i) the twin of joint i (itself on the
//! plane), in model space W'_i = M (W_τ A_τ⁻¹) M · A_i, which is in local space, with p the parent
//! of i:
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
//! Source: docs/laws.md, "Mirror a pose".

pub mod compat;
mod compat_table;
mod named;
mod twins;

pub use named::name_twins;
use rebone_runtime::stage::{JointMirror, Mirror, Stride};
pub use twins::{Twins, find_twins};

use crate::align::{Alignment, limbs, unit};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use crate::values::unknown;
use glam::{DMat3, DQuat, DVec3, Vec3};
use rebone_model::elementary::Angle as _;
use rebone_model::{Character, Clip, JointKind, LocalPose};
use rebone_runtime::Rig;
use rebone_runtime::stage::{mirror_in_place, reflected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Whether a retarget shows its motion in the mirror.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MirrorChoice {
    /// It does not, and cannot.
    #[default]
    Off,
    /// It does; at run time it can be switched off.
    On,
    /// It does not, but at run time it can be switched on.
    Ready,
}

impl MirrorChoice {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Off, Self::On, Self::Ready];

    /// `off`, `on`, `ready`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::On => "on",
            Self::Ready => "ready",
        }
    }

    /// The choice of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

impl Serialize for MirrorChoice {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => writer.serialize_bool(false),
            Self::On => writer.serialize_bool(true),
            Self::Ready => writer.serialize_str(self.name()),
        }
    }
}

impl<'de> Deserialize<'de> for MirrorChoice {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Switch(bool),
            Word(String),
        }
        match Form::deserialize(reader)? {
            Form::Switch(true) => Ok(Self::On),
            Form::Switch(false) => Ok(Self::Off),
            Form::Word(word) => Self::parse(&word).ok_or_else(|| unknown("mirror", &word)),
        }
    }
}

/// The mirrored clip: same name, times and interpolation.
///
/// `clip` has one entry a joint of `character`, which is the one that `mirror` was made for.
pub fn mirror_clip(character: &Character, mirror: &Mirror, clip: &Clip) -> Clip {
    rebone_runtime::mirror_clip(&Rig::new(&character.skeleton), mirror, clip)
}

/// The mirrored pose, local.
pub fn mirror_pose(character: &Character, mirror: &Mirror, pose: &LocalPose) -> LocalPose {
    let mut result = pose.clone();
    let mut scratch = vec![0.0; mirror.scratch()];
    let rig = Rig::new(&character.skeleton);
    mirror_in_place(mirror, &rig, result.transforms_mut(), &mut scratch);
    result
}

/// A point of the model, such as where a prop is, seen in the mirror.
pub fn mirror_point(mirror: &Mirror, point: Vec3) -> Vec3 {
    let canonical = mirror.canonical_from_file.as_dquat();
    let seen = canonical * point.as_dvec3();
    (canonical.conjugate() * DVec3::new(-seen.x, seen.y, seen.z)).as_vec3()
}

/// Twins whose limbs differ by more than this, mirrored, stand in no pose that is its own mirror image.
const ASYMMETRIC_DEGREES: f64 = 8.0;

/// What mirrors a character.
///
/// Where the reference pose is symmetric within 8 degrees it is mapped to itself exactly; else the
/// retarget pose is.
pub fn mirror_for(character: &Character, alignment: &Alignment, twins: &Twins) -> Mirror {
    let joints = character.skeleton.joints();
    let standing = standing(character, alignment, twins);
    let canonical_from_file = alignment.canonical_from_file;
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
    Mirror {
        joints: result.collect(),
        canonical_from_file: unit(canonical_from_file).as_quat(),
        stride: None,
    }
}

/// The same mirror with what tells which foot is ahead, where the body has hips and two feet; `map` and `alignment` are
/// those of the character.
pub fn with_stride(mirror: Mirror, map: &RigMap, alignment: &Alignment) -> Mirror {
    let stride = |hips: usize| {
        let how = mirror.joints[hips]
            .as_ref()
            .filter(|how| how.twin == hips)?;
        let forward = alignment.retarget_rotation(hips).conjugate() * DVec3::Z;
        // M · refl(A)⁻¹ · A is the reflection in the joint's own axes: forwards is on its plane.
        let seen = how.right.as_dquat() * forward;
        let on_plane = forward + DVec3::new(-seen.x, seen.y, seen.z);
        Some(Stride {
            hips,
            feet: limbs::both(map, Part::Foot)?,
            forward: on_plane.try_normalize()?.as_vec3(),
        })
    };
    let hips = map.joint_of(Part::Hips, Side::Center);
    Mirror {
        stride: hips.and_then(stride),
        ..mirror
    }
}

/// A of each joint.
pub(super) fn standing(character: &Character, alignment: &Alignment, twins: &Twins) -> Vec<DQuat> {
    let joints = character.skeleton.joints();
    let is_symmetric = asymmetry_degrees(character, alignment, twins) <= ASYMMETRIC_DEGREES;
    let rest = crate::align::placements(character, &character.skeleton.rest_pose());
    let canonical_from_file = alignment.canonical_from_file;
    (0..joints.len())
        .map(|joint| match joints[joint].kind {
            // What stands above the body stays where it is.
            JointKind::Ancestor => canonical_from_file * rest[joint].rotation,
            JointKind::Joint if is_symmetric => alignment.reference[joint].rotation,
            JointKind::Joint => alignment.retarget_rotation(joint),
        })
        .collect()
}

/// K = A_i⁻¹ M A_τ: from the twin's axes to the joint's, through the mirror.
fn reflected_axes(own: DQuat, twin: DQuat) -> DMat3 {
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    DMat3::from_quat(own).transpose() * mirror * DMat3::from_quat(twin)
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
        Some(own.angle_apart(mirrored).to_degrees())
    };
    (0..joints.len())
        .filter(|&joint| joints[joint].kind == JointKind::Joint)
        .filter_map(angle)
        .fold(0.0, f64::max)
}
