//! Which side of the body a joint is on.

use glam::Vec3;
use rebone_model::Skeleton;

/// Side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Center,
}

impl Side {
    /// Colour of a bone, sRGB: left cool, right warm, centre grey.
    pub(crate) fn color(self) -> [u8; 3] {
        match self {
            Self::Left => [44, 138, 222],
            Self::Right => [242, 130, 38],
            Self::Center => [150, 158, 172],
        }
    }

    /// Colour of a joint, sRGB.
    pub(crate) fn joint_color(self) -> [u8; 3] {
        match self {
            Self::Left => [22, 96, 178],
            Self::Right => [204, 92, 12],
            Self::Center => [104, 113, 130],
        }
    }
}

/// Sides of bones from the middles of their rest positions (+X is left), `middle` being the body's.
///
/// A rest pose that has one side only (all limbs laid along one axis) says nothing; then the names of
/// the joints decide.
pub(crate) fn sides(
    skeleton: &Skeleton,
    bones: &[(usize, Vec3)],
    middle: f32,
    height: f32,
) -> Vec<Side> {
    let tolerance = 0.012 * height;
    let by_place: Vec<Side> = bones
        .iter()
        .map(|(_, place)| match place.x - middle {
            x if x > tolerance => Side::Left,
            x if x < -tolerance => Side::Right,
            _ => Side::Center,
        })
        .collect();
    let count = |side| by_place.iter().filter(|&&other| other == side).count();
    let (left, right) = (count(Side::Left), count(Side::Right));
    if left.min(right) * 3 >= left.max(right) {
        return by_place;
    }
    let by_name: Vec<Side> = bones
        .iter()
        .map(|&(joint, _)| {
            let joint = skeleton.joints().get(joint);
            joint.map_or(Side::Center, |joint| side_of_name(&joint.name))
        })
        .collect();
    if by_name.iter().all(|&side| side == Side::Center) {
        return by_place;
    }
    by_name
}

fn side_of_name(name: &str) -> Side {
    let lower = name.to_ascii_lowercase();
    if lower.contains("left") {
        return Side::Left;
    }
    if lower.contains("right") {
        return Side::Right;
    }
    let mut words = lower.split(|letter: char| !letter.is_ascii_alphabetic());
    match words.find(|word| matches!(*word, "l" | "r")) {
        Some("l") => Side::Left,
        Some(_) => Side::Right,
        None => {
            // `LHipJoint`: a capital L or R in front of another capital.
            let mut letters = name.chars();
            match (letters.next(), letters.next()) {
                (Some('L'), Some(next)) if next.is_ascii_uppercase() => Side::Left,
                (Some('R'), Some(next)) if next.is_ascii_uppercase() => Side::Right,
                _ => Side::Center,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_sides() {
        for (name, side) in [
            ("mixamorig:LeftArm", Side::Left),
            ("upper_arm.R", Side::Right),
            ("thigh_l", Side::Left),
            ("LHipJoint", Side::Left),
            ("RThumb", Side::Right),
            ("Lower", Side::Center),
            ("Root", Side::Center),
            ("spine", Side::Center),
        ] {
            assert_eq!(side_of_name(name), side, "{name}");
        }
    }
}
