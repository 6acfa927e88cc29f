//! A skeleton with everything a file knows about it.

use crate::clip::Clip;
use crate::hull::HullPoint;
use crate::kinematics::model_pose;
use crate::skeleton::{JointKind, Skeleton};
use glam::{Affine3A, Vec3};
use std::collections::BTreeSet;

use crate::skin::{ImageData, Material, Mesh, Skin};

/// What a file says a joint is, in the file's own words (VRM: `leftFoot`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointLabel {
    /// The joint.
    pub joint: usize,
    /// The label, as written in the file.
    pub label: String,
}

/// The motor of a robot's joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// The joint that it turns against its parent.
    pub joint: usize,
    /// The axis, in the joint's own space, unit.
    pub axis: Vec3,
    /// Least and most angle from the rest pose, radians; both 0 where it is fixed, `None` where it turns all the way around.
    pub range: Option<[f32; 2]>,
}

/// A pose that the file stores beside the rest pose (FBX `Pose`).
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPose {
    /// The file's own name.
    pub name: String,
    /// Model space from joint space, one entry a joint of the skeleton; `None` for joints without.
    pub model_from_joint: Vec<Option<Affine3A>>,
}

/// One skeleton of a file with its skins, meshes, labels and clips.
#[derive(Clone, Debug, Default)]
pub struct Character {
    /// Name of the skeleton: its topmost joint or node.
    pub name: String,
    /// The hierarchy.
    pub skeleton: Skeleton,
    /// Skins over the skeleton.
    pub skins: Vec<Skin>,
    /// Poses that the file stores beside the rest pose.
    pub poses: Vec<StoredPose>,
    /// Meshes, where the reader was asked for them.
    pub meshes: Vec<Mesh>,
    /// Points of the skin that stand out ([`hull_of`](crate::hull_of)), whether or not the meshes were read; empty without a skin.
    pub hull: Vec<HullPoint>,
    /// The file has meshes, but no vertex of them could be read that moves with a joint: `hull` is empty for that.
    pub is_unbound: bool,
    /// Materials of the meshes.
    pub materials: Vec<Material>,
    /// Images of the materials.
    pub images: Vec<ImageData>,
    /// What of the looks is in the file but not in these fields (`morph targets`, `normal maps`), where the
    /// reader was asked for meshes.
    pub left_out: BTreeSet<&'static str>,
    /// The system of the labels: `vrm-0`, `vrm-1` or `vrma`; empty where there are none.
    pub label_system: String,
    /// What the file says its joints are.
    pub labels: Vec<JointLabel>,
    /// What motors between joints can do, where the file is of a robot: one entry a joint that has no other freedom.
    pub hinges: Vec<Hinge>,
    /// Motions of this skeleton.
    pub clips: Vec<Clip>,
}

impl Character {
    /// Height of the rest pose along `up`, metres: from the lowest to the highest joint or end point.
    pub fn extent_along(&self, up: Vec3) -> f32 {
        let model = model_pose(&self.skeleton, &self.skeleton.rest_pose());
        let mut range = (f32::INFINITY, f32::NEG_INFINITY);
        for (index, joint) in self.skeleton.joints().iter().enumerate() {
            if joint.kind == JointKind::Ancestor {
                continue;
            }
            let tip = joint
                .end
                .map(|end| model.model_from_joint(index).transform_point3(end));
            for point in [Some(model.position(index)), tip].into_iter().flatten() {
                let height = point.dot(up);
                range = (range.0.min(height), range.1.max(height));
            }
        }
        (range.1 - range.0).max(0.0)
    }
}
