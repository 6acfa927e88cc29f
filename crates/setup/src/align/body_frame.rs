//! The body's own axes, found from the joints' positions.
//!
//! An upright body: left = (left − right thigh) + (left − right upper arm), up = shoulders − hips,
//! forward = left × up. A level one on four legs: the same left, forward = shoulders − hips,
//! up = forward × left. A body of no known stance: left as the sum over all slots with sides, up the axis
//! of the file that is most square to it, +Y before others. Which side is left comes from the map; toes
//! confirm it. Source: docs/laws.md, "Body axes".

use super::limbs::{SIDES, below, both, joint};
use super::placement::Placement;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use glam::{DMat3, DQuat, DVec3};

/// Orthonormal axes of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyFrame {
    /// Towards the body's own left.
    pub left: DVec3,
    /// From hips to shoulders; of a level body, square to it and away from the ground.
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
    let position = |joint: usize| placements[joint].position;
    let (left, up, forward) = match map.profile.stance {
        Stance::Free => free_axes(map, placements)?,
        stance => {
            let pair = |part| both(map, part).map(|pair| pair.map(position));
            let across = |pair: Option<[DVec3; 2]>| pair.map_or(DVec3::ZERO, |[l, r]| l - r);
            let middle = |pair: Option<[DVec3; 2]>| pair.map(|[l, r]| (l + r) * 0.5);
            let center = |part| joint(map, part, Side::Center).map(position);
            let (legs, arms) = (pair(Part::UpperLeg), pair(Part::UpperArm));
            let left = across(legs) + across(arms);
            let low = middle(legs).or_else(|| center(Part::Hips))?;
            let high = middle(arms)
                .or_else(|| center(Part::Neck))
                .or_else(|| center(Part::Head))?;
            let trunk = (high - low).try_normalize()?;
            if left.length() < 0.02 * (high - low).length() {
                return None;
            }
            let left = left.reject_from(trunk).try_normalize()?;
            if stance == Stance::FourLegged {
                (left, trunk.cross(left), trunk)
            } else {
                (left, trunk, left.cross(trunk))
            }
        }
    };
    let toes: Vec<DVec3> = SIDES
        .into_iter()
        .filter_map(|side| {
            let foot = joint(map, Part::Foot, side)?;
            let toes = below(map, Part::Foot, Part::Toes, side)?;
            (position(toes) - position(foot)).try_normalize()
        })
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

/// Left, up and forward of a body that stands in no known way.
fn free_axes(map: &RigMap, placements: &[Placement]) -> Option<(DVec3, DVec3, DVec3)> {
    let sided = map.slots.keys().filter_map(|&slot| {
        let twin = map.profile.twin(slot);
        let is_left = map.profile.info(slot).side == Side::Left && twin != slot;
        let pair = is_left.then(|| map.joint(slot).zip(map.joint(twin)));
        let (left, right) = pair.flatten()?;
        Some(placements[left].position - placements[right].position)
    });
    let left = sided.sum::<DVec3>().try_normalize()?;
    let up = [DVec3::Y, DVec3::Z, DVec3::X]
        .into_iter()
        .find(|axis| axis.dot(left).abs() < 0.6)?;
    let up = up.reject_from(left).try_normalize()?;
    Some((left, up, left.cross(up)))
}
