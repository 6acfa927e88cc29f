//! Arms of a character as tests of hands see them.

use rebone::Rig;
use rebone::model::kinematics::model_pose;
use rebone::model::{ModelPose, Vec3};

pub const SIDES: [&str; 2] = ["left", "right"];

pub fn joint(rig: &Rig, side: &str, part: &str) -> usize {
    rig.map.joint_named(&format!("{side}{part}")).unwrap()
}

pub fn at_rest(rig: &Rig) -> ModelPose {
    let skeleton = &rig.character.skeleton;
    model_pose(skeleton, &skeleton.rest_pose())
}

/// Both arms and the distance of the shoulders.
pub fn span(rig: &Rig) -> f32 {
    let rest = at_rest(rig);
    let at = |side: &str, part: &str| rest.position(joint(rig, side, part));
    let arm = |side: &str| {
        at(side, "UpperArm").distance(at(side, "LowerArm"))
            + at(side, "LowerArm").distance(at(side, "Hand"))
    };
    at("left", "UpperArm").distance(at("right", "UpperArm")) + arm("left") + arm("right")
}

/// The middle of the knuckles; without fingers where they would be.
pub fn palm(rig: &Rig, pose: &ModelPose, side: &str) -> Vec3 {
    let fingers = ["Index", "Middle", "Ring", "Little"];
    let knuckles: Vec<Vec3> = fingers
        .iter()
        .filter_map(|finger| rig.map.joint_named(&format!("{side}{finger}Proximal")))
        .map(|joint| pose.position(joint))
        .collect();
    if !knuckles.is_empty() {
        return knuckles.iter().sum::<Vec3>() / knuckles.len() as f32;
    }
    let (rest, hand) = (at_rest(rig), joint(rig, side, "Hand"));
    let forearm = rest.position(hand) - rest.position(joint(rig, side, "LowerArm"));
    let own = rest.rotation(hand).conjugate() * (forearm * 0.38);
    pose.position(hand) + pose.rotation(hand) * own
}
