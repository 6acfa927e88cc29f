//! Characters with other legs.

use glam::Vec3;
use rebone::Rig;
use rebone::io::{FileSpace, Format};
use rebone::model::kinematics::model_pose;
use rebone::model::{Character, SkeletonBuilder};
use rebone::setup::profile::{Part, Side};

/// A character whose thighs and shins are this many times as long, standing on its floor.
pub fn with_legs(character: &Character, times: f32) -> Character {
    let plain = Rig::from_character(character.clone(), Format::Glb, metres(), Vec::new());
    let of =
        |part: Part| [Side::Left, Side::Right].map(|side| plain.map.joint_of(part, side).unwrap());
    let (shins, feet) = (of(Part::LowerLeg), of(Part::Foot));
    let hips = plain.map.joint_of(Part::Hips, Side::Center).unwrap();
    let skeleton = &character.skeleton;
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let leg = rest.position(of(Part::UpperLeg)[0]).y - rest.position(feet[0]).y;
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let mut rest = joint.rest;
        if shins.contains(&index) || feet.contains(&index) {
            rest.translation *= times;
        }
        if index == hips {
            rest.translation += Vec3::Y * leg * (times - 1.0);
        }
        let mut new = rebone::model::NewJoint::new(joint.name.clone(), joint.parent, rest);
        new.kind = joint.kind;
        builder.add(new);
    }
    let (skeleton, order) = builder.build().unwrap();
    assert!(order.iter().enumerate().all(|(old, &new)| old == new));
    Character {
        skeleton,
        skins: Vec::new(),
        clips: Vec::new(),
        ..character.clone()
    }
}

/// +Y up, in metres.
pub fn metres() -> FileSpace {
    FileSpace {
        meters_per_unit: Some(1.0),
        up: Some(rebone::model::axes::Axis::PositiveY),
        ..FileSpace::default()
    }
}
