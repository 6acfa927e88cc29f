//! A small humanoid, as the beginning of bodies that a fuzzer changes.

use crate::raw_glb::RawNode;

/// Name, parent and place relative to the parent, metres.
const JOINTS: [(&str, Option<usize>, [f32; 3]); 22] = [
    ("Hips", None, [0.0, 1.0, 0.0]),
    ("Spine", Some(0), [0.0, 0.15, 0.0]),
    ("Chest", Some(1), [0.0, 0.2, 0.0]),
    ("Neck", Some(2), [0.0, 0.2, 0.0]),
    ("Head", Some(3), [0.0, 0.1, 0.02]),
    ("LeftShoulder", Some(2), [0.05, 0.15, 0.0]),
    ("LeftArm", Some(5), [0.13, 0.0, 0.0]),
    ("LeftForeArm", Some(6), [0.27, 0.0, 0.0]),
    ("LeftHand", Some(7), [0.25, 0.0, 0.0]),
    ("RightShoulder", Some(2), [-0.05, 0.15, 0.0]),
    ("RightArm", Some(9), [-0.13, 0.0, 0.0]),
    ("RightForeArm", Some(10), [-0.27, 0.0, 0.0]),
    ("RightHand", Some(11), [-0.25, 0.0, 0.0]),
    ("LeftUpLeg", Some(0), [0.1, -0.05, 0.0]),
    ("LeftLeg", Some(13), [0.0, -0.43, 0.0]),
    ("LeftFoot", Some(14), [0.0, -0.43, 0.0]),
    ("LeftToeBase", Some(15), [0.0, -0.07, 0.14]),
    ("RightUpLeg", Some(0), [-0.1, -0.05, 0.0]),
    ("RightLeg", Some(17), [0.0, -0.43, 0.0]),
    ("RightFoot", Some(18), [0.0, -0.43, 0.0]),
    ("RightToeBase", Some(19), [0.0, -0.07, 0.14]),
    ("LeftHandIndex1", Some(8), [0.08, 0.0, 0.02]),
];

/// The humanoid, standing in a T.
pub(crate) fn humanoid() -> Vec<RawNode> {
    let nodes = JOINTS.iter().map(|(name, parent, translation)| RawNode {
        name: (*name).to_owned(),
        parent: *parent,
        translation: *translation,
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
    });
    nodes.collect()
}
