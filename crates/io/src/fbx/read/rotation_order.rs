//! Turns the three angles of a node into a rotation, in the rotation order that the node states.

use glam::{DQuat, DVec3};
use rebone_model::elementary::Elementary as _;
use rebone_model::{Character, Warning};
use ufbx::{RotationOrder, Scene};

/// The rotation of three angles; in order XYZ, X turns first.
pub(super) fn from_degrees(degrees: DVec3, order: RotationOrder) -> DQuat {
    if degrees == DVec3::ZERO {
        return DQuat::IDENTITY;
    }
    let half = degrees * (0.5 * std::f64::consts::PI / 180.0);
    let x = || about(DVec3::X, half.x);
    let y = || about(DVec3::Y, half.y);
    let z = || about(DVec3::Z, half.z);
    match order {
        RotationOrder::Xyz | RotationOrder::Spheric => z() * y() * x(),
        RotationOrder::Xzy => y() * z() * x(),
        RotationOrder::Yzx => x() * z() * y(),
        RotationOrder::Yxz => z() * x() * y(),
        RotationOrder::Zxy => y() * x() * z(),
        RotationOrder::Zyx => x() * y() * z(),
    }
}

/// One warning for the joints whose rotation order has no public definition.
pub(super) fn add_spheric(scene: &Scene, characters: &[Character], warnings: &mut Vec<Warning>) {
    let mut found: Vec<&str> = Vec::new();
    for character in characters {
        for (index, joint) in character.skeleton.joints().iter().enumerate() {
            let node = scene.nodes.as_ref().get(joint.node as usize);
            let is_spheric = |node: &&ufbx::Node| {
                node.rotation_order == RotationOrder::Spheric && node.use_rotation_space
            };
            if node.map(AsRef::as_ref).filter(is_spheric).is_some() {
                found.push(character.skeleton.unique_name(index));
            }
        }
    }
    if !found.is_empty() {
        warnings.push(Warning::new(
            "fbx-rotation-order",
            format!(
                "{} joints have the rotation order \"spheric XYZ\" and are read as not turned: {}",
                found.len(),
                found.join(", ")
            ),
            "give them another rotation order where the file was made, and export it again",
        ));
    }
}

fn about(axis: DVec3, half_angle: f64) -> DQuat {
    let (sine, cosine) = half_angle.sine_cosine();
    let part = axis * sine;
    DQuat::from_xyzw(part.x, part.y, part.z, cosine)
}

#[cfg(test)]
mod tests {
    use super::super::local_transform::quaternion;
    use super::*;

    #[test]
    fn all_orders_are_those_of_ufbx() {
        let degrees = DVec3::new(31.0, -72.0, 113.0);
        let angles = ufbx::Vec3 {
            x: degrees.x,
            y: degrees.y,
            z: degrees.z,
        };
        for order in [
            RotationOrder::Xyz,
            RotationOrder::Xzy,
            RotationOrder::Yzx,
            RotationOrder::Yxz,
            RotationOrder::Zxy,
            RotationOrder::Zyx,
        ] {
            let expected = quaternion(ufbx::euler_to_quat(angles, order));
            let ours = from_degrees(degrees, order);
            assert!(ours.dot(expected).abs() > 1.0 - 1e-12, "{order:?}");
        }
    }
}
