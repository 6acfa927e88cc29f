//! From local to model space.

use crate::pose::{LocalPose, ModelPose};
use crate::skeleton::Skeleton;

/// The model-space pose of a local pose.
///
/// # Panics
/// Where the pose has fewer joints than the skeleton.
pub fn model_pose(skeleton: &Skeleton, local: &LocalPose) -> ModelPose {
    let mut model = ModelPose::default();
    update_model_pose(skeleton, local, &mut model);
    model
}

/// Like [`model_pose`], into an existing pose; allocates only where that one is too small.
pub fn update_model_pose(skeleton: &Skeleton, local: &LocalPose, model: &mut ModelPose) {
    model.rotations.clear();
    model.affines.clear();
    for (joint, transform) in skeleton.joints().iter().zip(local.transforms()) {
        let parent_from_joint = transform.to_affine();
        let (rotation, affine) = match joint.parent {
            None => (transform.rotation, parent_from_joint),
            Some(parent) => (
                model.rotations[parent] * transform.rotation,
                model.affines[parent] * parent_from_joint,
            ),
        };
        model.rotations.push(rotation);
        model.affines.push(affine);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton_builder::{NewJoint, SkeletonBuilder};
    use crate::transform::Transform;
    use glam::{Quat, Vec3};

    #[test]
    fn children_follow_their_parents() {
        let mut builder = SkeletonBuilder::new();
        let root = builder.add(NewJoint::new(
            "root",
            None,
            Transform {
                rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
                scale: Vec3::splat(2.0),
                ..Transform::IDENTITY
            },
        ));
        builder.add(NewJoint::new(
            "tip",
            Some(root),
            Transform::from_translation(Vec3::X),
        ));
        let (skeleton, _) = builder.build().unwrap();
        let model = model_pose(&skeleton, &skeleton.rest_pose());
        assert!(
            model
                .position(1)
                .abs_diff_eq(Vec3::new(0.0, 2.0, 0.0), 1e-6)
        );
    }
}
