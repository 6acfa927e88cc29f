//! Which side of the body a joint is on.

use glam::Vec3;
use rebone_model::Skeleton;
use rebone_setup::profile::Side;

/// Colour of a bone, sRGB: left cool, right warm, centre grey.
pub(crate) fn bone_color(side: Side) -> [u8; 3] {
    match side {
        Side::Left => [44, 138, 222],
        Side::Right => [242, 130, 38],
        Side::Center => [150, 158, 172],
    }
}

/// Colour of a joint, sRGB.
pub(crate) fn joint_color(side: Side) -> [u8; 3] {
    match side {
        Side::Left => [22, 96, 178],
        Side::Right => [204, 92, 12],
        Side::Center => [104, 113, 130],
    }
}

/// For each joint the side of its slot, or of the nearest slot above; `None` unless a slot is on a side.
pub(crate) fn sides_of_slots(skeleton: &Skeleton, slots: &[Option<Side>]) -> Option<Vec<Side>> {
    let is_sided = |side: &&Option<Side>| matches!(side, Some(Side::Left | Side::Right));
    slots.iter().find(is_sided)?;
    let mut sides: Vec<Side> = Vec::with_capacity(skeleton.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        // Parents stand before their children.
        let above = joint.parent.and_then(|parent| sides.get(parent).copied());
        let own = slots.get(index).copied().flatten();
        sides.push(own.or(above).unwrap_or(Side::Center));
    }
    Some(sides)
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
    use rebone_model::{NewJoint, SkeletonBuilder, Transform};

    #[test]
    fn slots_tell_sides_whatever_names_and_places_say() {
        let mut builder = SkeletonBuilder::new();
        let hips = builder.add(NewJoint::new("Left hips", None, Transform::IDENTITY));
        let foot = NewJoint::new("foot_r", Some(hips), Transform::from_translation(-Vec3::X));
        let foot = builder.add(foot);
        builder.add(NewJoint::new("toe_r", Some(foot), Transform::IDENTITY));
        let (skeleton, _) = builder.build().unwrap();
        let slots = [Some(Side::Center), Some(Side::Left), None];
        let sides = sides_of_slots(&skeleton, &slots).unwrap();
        assert_eq!(sides, [Side::Center, Side::Left, Side::Left]);
        // Slots of which none is on a side, as of a creature, say nothing.
        assert!(sides_of_slots(&skeleton, &[Some(Side::Center), None, None]).is_none());
        assert!(sides_of_slots(&skeleton, &[]).is_none());
    }

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
