//! Objects of a file that stand for joints, and where their scale comes from.

use super::channels::Channels;
use rebone_model::{Skeleton, Vec3};

/// A scale of a clip: that of a joint, or one that stands still.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScaleSource {
    /// The joint whose scale it is.
    pub(super) joint: Option<usize>,
    /// The scale at rest.
    pub(super) rest: Vec3,
}

/// Where `Lcl Scaling` comes from: `own / divisor`, times each `factor / factor at rest`.
#[derive(Clone, Debug)]
pub(super) struct Scaling {
    /// The joint's own scale, or that of its scale helper.
    pub(super) own: ScaleSource,
    /// True where it is that of a helper, whose scale is the object's as it stands.
    pub(super) is_helper: bool,
    /// The scale that the helper inherits.
    pub(super) divisor: Option<ScaleSource>,
    /// The parent's scale, which the object does not inherit although the joint does; and that of the
    /// joint above, where the parent does not inherit it either; and so on.
    pub(super) factors: Vec<ScaleSource>,
}

/// An FBX object that a joint of the character stands for.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The object's id in the file.
    pub(super) object: i64,
    /// The joint.
    pub(super) joint: usize,
    /// How its numbers make the local transform.
    pub(super) channels: Channels,
    /// Where its scale comes from.
    pub(super) scaling: Scaling,
    /// The scale by which the reader multiplies the object's translation.
    pub(super) parent_factors: Option<ScaleSource>,
    /// How much larger than in the joint's parent a length is in model space, at rest.
    pub(super) magnification: f64,
}

/// How much larger than in its parent's space a length is in model space at rest, for each joint.
pub(super) fn magnifications(skeleton: &Skeleton) -> Vec<f64> {
    let mut inside: Vec<f64> = Vec::with_capacity(skeleton.len());
    let mut of_joints = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let parent = joint.parent.and_then(|parent| inside.get(parent));
        let parent = parent.copied().unwrap_or(1.0);
        of_joints.push(parent);
        inside.push(parent * f64::from(joint.rest.scale.abs().max_element()));
    }
    of_joints
}

impl Target {
    /// For a joint that is an object without peculiarities.
    pub(super) fn plain(
        object: i64,
        joint: usize,
        skeleton: &Skeleton,
        meters_per_unit: f64,
    ) -> Self {
        let own = ScaleSource {
            joint: Some(joint),
            rest: skeleton.joints()[joint].rest.scale,
        };
        Self {
            object,
            joint,
            channels: Channels::plain(meters_per_unit),
            scaling: Scaling {
                own,
                is_helper: false,
                divisor: None,
                factors: Vec::new(),
            },
            parent_factors: None,
            magnification: 1.0,
        }
    }
}
