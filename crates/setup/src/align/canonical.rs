//! From a body's own axes to canonical space: +Y up, facing +Z.

use super::body_frame::BodyFrame;
use super::placement::{Placement, unit};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use glam::{DMat3, DQuat, DVec3};
use rebone_model::axes::Axis;
use rebone_model::elementary::{Angle as _, Turn as _};
use rebone_model::{Character, JointKind};

/// Axis systems in which a body may stand: the file's own and those of the nodes above the hips.
pub(super) fn candidate_axes(
    character: &Character,
    map: &RigMap,
    rest: &[Placement],
) -> Vec<DQuat> {
    let mut axes = vec![DQuat::IDENTITY];
    if let Some(hips) = map.joint_of(Part::Hips, Side::Center) {
        let above: Vec<usize> = character.skeleton.ancestors(hips).collect();
        for &ancestor in above.iter().rev() {
            if character.skeleton.joints()[ancestor].kind == JointKind::Ancestor {
                axes.push(rest[ancestor].rotation);
            }
        }
    }
    axes
}

/// The turn to canonical space. Bodies are never quite symmetric, so the body's axes are rounded to
/// the nearest quarter turn of the file or of a node above, if one is within `tolerance_degrees`.
pub(super) fn canonical(
    frame: Option<BodyFrame>,
    stated_up: Option<DVec3>,
    axes: &[DQuat],
    tolerance_degrees: f64,
) -> DQuat {
    let Some(frame) = frame else {
        return stated_up.map_or(DQuat::IDENTITY, |up| rotation_arc(up, DVec3::Y));
    };
    let exact = frame.canonical_from_file();
    let mut best: Option<(f64, DQuat)> = None;
    for base in axes {
        for quarter in quarter_turns() {
            let candidate = quarter * base.conjugate();
            let angle = candidate.angle_apart(exact);
            if best.is_none_or(|(least, _)| angle < least - 1e-4) {
                best = Some((angle, candidate));
            }
        }
    }
    match best {
        Some((angle, rounded)) if angle.to_degrees() <= tolerance_degrees => unit(rounded),
        _ => upright(exact, stated_up),
    }
}

/// The same turn with the stated up direction brought exactly to +Y, if it is near.
pub(super) fn upright(canonical_from_file: DQuat, stated_up: Option<DVec3>) -> DQuat {
    let Some(up) = stated_up else {
        let up = canonical_from_file.conjugate() * DVec3::Y;
        let axis = Axis::nearest(up.as_vec3()).direction().as_dvec3();
        return if up.dot(axis) > 0.8 {
            unit(rotation_arc(canonical_from_file * axis, DVec3::Y) * canonical_from_file)
        } else {
            canonical_from_file
        };
    };
    let turned = canonical_from_file * up;
    if turned.dot(DVec3::Y) < 0.7 {
        return canonical_from_file;
    }
    unit(rotation_arc(turned, DVec3::Y) * canonical_from_file)
}

/// The turn to canonical space of a file with this up axis, facing as it states or as files with that axis usually do: +Z
/// where +Y is up, -Y where +Z is.
pub(super) fn standing(up: DVec3, forward: Option<Axis>) -> DQuat {
    let tilt = if up.dot(DVec3::NEG_Y) > 0.99 {
        DQuat::about(DVec3::X, std::f64::consts::PI)
    } else {
        rotation_arc(DVec3::Y, up)
    };
    let usual = tilt * DVec3::Z;
    let ahead = forward
        .map_or(usual, |axis| axis.direction().as_dvec3())
        .reject_from(up)
        .try_normalize()
        .unwrap_or(usual);
    let file_from_canonical = DMat3::from_cols(up.cross(ahead), up, ahead);
    unit(DQuat::from_mat3(&file_from_canonical).conjugate())
}

/// The shortest rotation between two directions.
pub fn rotation_arc(from: DVec3, to: DVec3) -> DQuat {
    let (from, to) = (from.normalize_or_zero(), to.normalize_or_zero());
    if from == DVec3::ZERO || to == DVec3::ZERO {
        return DQuat::IDENTITY;
    }
    unit(DQuat::from_rotation_arc(from, to))
}

pub(super) fn quarter_turns() -> impl Iterator<Item = DQuat> {
    Axis::ALL.into_iter().flat_map(|up| {
        Axis::ALL.into_iter().filter_map(move |forward| {
            let (up, forward) = (up.direction().as_dvec3(), forward.direction().as_dvec3());
            (up.dot(forward).abs() < 0.5).then(|| {
                let file_from_canonical = DMat3::from_cols(up.cross(forward), up, forward);
                unit(DQuat::from_mat3(&file_from_canonical).conjugate())
            })
        })
    })
}
