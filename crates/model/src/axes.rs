//! Axes and units: how a file's space relates to Rebone's own (+Y up, +Z forward, metres).

use crate::clip::Clip;
use crate::skeleton::Skeleton;
use glam::{Mat3, Quat, Vec3};

/// A signed coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// +X
    PositiveX,
    /// -X
    NegativeX,
    /// +Y
    PositiveY,
    /// -Y
    NegativeY,
    /// +Z
    PositiveZ,
    /// -Z
    NegativeZ,
}

impl Axis {
    /// All six.
    pub const ALL: [Self; 6] = [
        Self::PositiveX,
        Self::NegativeX,
        Self::PositiveY,
        Self::NegativeY,
        Self::PositiveZ,
        Self::NegativeZ,
    ];

    /// The unit vector.
    pub fn direction(self) -> Vec3 {
        match self {
            Self::PositiveX => Vec3::X,
            Self::NegativeX => Vec3::NEG_X,
            Self::PositiveY => Vec3::Y,
            Self::NegativeY => Vec3::NEG_Y,
            Self::PositiveZ => Vec3::Z,
            Self::NegativeZ => Vec3::NEG_Z,
        }
    }

    /// The axis nearest to a direction.
    pub fn nearest(direction: Vec3) -> Self {
        let mut best = (f32::NEG_INFINITY, Self::PositiveY);
        for axis in Self::ALL {
            let along = axis.direction().dot(direction);
            if along > best.0 {
                best = (along, axis);
            }
        }
        best.1
    }

    /// Reads `+Y`, `-Z`, also in small letters, and `y` for `+Y`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_uppercase();
        Self::ALL
            .into_iter()
            .find(|axis| axis.name() == text || axis.name().strip_prefix('+') == Some(&text))
    }

    /// `+X`, `-X` and so on.
    pub fn name(self) -> &'static str {
        match self {
            Self::PositiveX => "+X",
            Self::NegativeX => "-X",
            Self::PositiveY => "+Y",
            Self::NegativeY => "-Y",
            Self::PositiveZ => "+Z",
            Self::NegativeZ => "-Z",
        }
    }
}

impl std::fmt::Display for Axis {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The rotation that brings `up` to +Y and `forward` to +Z; `None` where they are parallel.
///
/// `forward` is made perpendicular to `up` first.
pub fn canonical_from_axes(up: Vec3, forward: Vec3) -> Option<Quat> {
    let up = up.try_normalize()?;
    let forward = forward.reject_from_normalized(up).try_normalize()?;
    let right = up.cross(forward);
    let file_from_canonical = Quat::from_mat3(&Mat3::from_cols(right, up, forward));
    Some(file_from_canonical.conjugate())
}

/// Re-expresses a skeleton and its clips in turned and scaled axes.
///
/// Every local axis system turns with the space, so a rest without rotations stays one without
/// rotations: `new = turn * old * turn⁻¹`, lengths times `scale`. The motion seen from outside is
/// the old one, turned and scaled.
pub fn change_axes(skeleton: &mut Skeleton, clips: &mut [Clip], turn: Quat, scale: f32) {
    let turned = |rotation: Quat| turn * rotation * turn.conjugate();
    let moved = |translation: Vec3| turn * translation * scale;
    let turn_scale = |factors: Vec3| permuted(factors, turn);
    for joint in &mut skeleton.joints {
        joint.rest.rotation = turned(joint.rest.rotation);
        joint.rest.translation = moved(joint.rest.translation);
        joint.rest.scale = turn_scale(joint.rest.scale);
        joint.end = joint.end.map(moved);
    }
    for tracks in clips.iter_mut().flat_map(|clip| &mut clip.joints) {
        if let Some(track) = &mut tracks.translation {
            *track = track.map_linear(moved);
        }
        // Clips share their tracks with others, so a changed track is a copy: none is made for a change of units.
        if turn == Quat::IDENTITY {
            continue;
        }
        if let Some(track) = &mut tracks.rotation {
            *track = track.map_linear(turned);
        }
        if let Some(track) = &mut tracks.scale {
            *track = track.map_linear(turn_scale);
        }
    }
}

/// Scale factors in axes turned by a quarter-turn rotation: permuted, with their signs kept.
fn permuted(factors: Vec3, turn: Quat) -> Vec3 {
    let matrix = Mat3::from_quat(turn);
    let mut result = Vec3::ONE;
    for row in 0..3 {
        let weights = matrix.row(row).abs();
        let largest = weights.max_position();
        result[row] = factors[largest];
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_24_axis_systems_become_canonical() {
        let mut count = 0;
        for up in Axis::ALL {
            for forward in Axis::ALL {
                let Some(turn) = canonical_from_axes(up.direction(), forward.direction()) else {
                    continue;
                };
                count += 1;
                assert!((turn * up.direction()).abs_diff_eq(Vec3::Y, 1e-6));
                assert!((turn * forward.direction()).abs_diff_eq(Vec3::Z, 1e-6));
                assert_eq!(Axis::nearest(up.direction() + 0.1), up);
            }
        }
        assert_eq!(count, 24);
    }
}
