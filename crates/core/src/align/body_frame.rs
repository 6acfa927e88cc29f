//! The body's own axes (E27), found from the joints' positions.
//!
//! left = (leftUpperLeg − rightUpperLeg) + (leftUpperArm − rightUpperArm), up = shoulders − hips,
//! forward = left × up. Which side is left comes from the map; toes confirm it.

use super::placement::Placement;
use crate::mapping::RigMap;
use glam::{DMat3, DQuat, DVec3};

/// Orthonormal axes of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyFrame {
    /// Towards the body's own left.
    pub left: DVec3,
    /// From hips to shoulders.
    pub up: DVec3,
    /// Where the body looks.
    pub forward: DVec3,
    /// Mean direction ankle to toe along `forward`, -1 to 1; `None` without toes. Negative means
    /// that left and right are swapped or the toes point backwards.
    pub toes_forward: Option<f64>,
}

impl BodyFrame {
    /// The rotation that brings left to +X, up to +Y and forward to +Z.
    pub fn canonical_from_file(&self) -> DQuat {
        let file_from_canonical =
            DQuat::from_mat3(&DMat3::from_cols(self.left, self.up, self.forward));
        super::placement::unit(file_from_canonical.conjugate())
    }
}

/// The body's axes in a pose; `None` where the joints that define them are missing or coincide.
pub fn body_frame(map: &RigMap, placements: &[Placement]) -> Option<BodyFrame> {
    let position = |slot: &str| {
        map.joint_named(slot)
            .map(|joint| placements[joint].position)
    };
    let across = |left: &str, right: &str| Some(position(left)? - position(right)?);
    let middle = |left: &str, right: &str| Some((position(left)? + position(right)?) * 0.5);

    let legs = across("leftUpperLeg", "rightUpperLeg");
    let arms = across("leftUpperArm", "rightUpperArm");
    let left = legs.unwrap_or(DVec3::ZERO) + arms.unwrap_or(DVec3::ZERO);
    let low = middle("leftUpperLeg", "rightUpperLeg").or_else(|| position("hips"))?;
    let high = middle("leftUpperArm", "rightUpperArm")
        .or_else(|| position("neck"))
        .or_else(|| position("head"))?;
    let up = (high - low).try_normalize()?;
    let size = (high - low).length();
    if left.length() < 0.02 * size {
        return None;
    }
    let left = left.reject_from(up).try_normalize()?;
    let forward = left.cross(up);
    let toe = |foot: &str, toes: &str| (position(toes)? - position(foot)?).try_normalize();
    let toes: Vec<DVec3> = [toe("leftFoot", "leftToes"), toe("rightFoot", "rightToes")]
        .into_iter()
        .flatten()
        .collect();
    let toes_forward = (!toes.is_empty())
        .then(|| toes.iter().map(|toe| toe.dot(forward)).sum::<f64>() / toes.len() as f64);
    Some(BodyFrame {
        left,
        up,
        forward,
        toes_forward,
    })
}
