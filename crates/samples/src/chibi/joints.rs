//! Joints of the chibi, the chains that move its skin, and its hands.

use crate::hand::Hand;
use crate::rig::{AxisRule, Convention, Hint, Rig, TableRow, build, rows};
use crate::weights::ChainRow;
use glam::{Mat3, Vec3};
use rebone_model::JointLabel;

pub(super) const TABLE: &[TableRow] = &[
    ("Root", "", [0.0, 0.0, 0.0], Hint::Model),
    ("J_Bip_C_Hips", "Root", [0.0, 0.325, 0.0], Hint::Model),
    (
        "J_Bip_C_Spine",
        "J_Bip_C_Hips",
        [0.0, 0.375, -0.002],
        Hint::Model,
    ),
    (
        "J_Bip_C_Chest",
        "J_Bip_C_Spine",
        [0.0, 0.445, -0.006],
        Hint::Model,
    ),
    (
        "J_Bip_C_Neck",
        "J_Bip_C_Chest",
        [0.0, 0.565, -0.008],
        Hint::Model,
    ),
    (
        "J_Bip_C_Head",
        "J_Bip_C_Neck",
        [0.0, 0.600, -0.004],
        Hint::Model,
    ),
    (
        "J_Adj_*_FaceEye",
        "J_Bip_C_Head",
        [0.062, 0.725, 0.085],
        Hint::Model,
    ),
    (
        "J_Sec_*_Ear1",
        "J_Bip_C_Head",
        [0.085, 0.895, -0.01],
        Hint::Model,
    ),
    (
        "J_Sec_*_Ear2",
        "J_Sec_*_Ear1",
        [0.105, 0.945, -0.012],
        Hint::Model,
    ),
    (
        "J_Sec_*_Hair1",
        "J_Bip_C_Head",
        [0.150, 0.790, -0.075],
        Hint::Model,
    ),
    (
        "J_Sec_*_Hair2",
        "J_Sec_*_Hair1",
        [0.205, 0.700, -0.090],
        Hint::Model,
    ),
    (
        "J_Sec_*_Hair3",
        "J_Sec_*_Hair2",
        [0.222, 0.590, -0.090],
        Hint::Model,
    ),
    (
        "J_Bip_*_Shoulder",
        "J_Bip_C_Chest",
        [0.022, 0.540, -0.008],
        Hint::Model,
    ),
    (
        "J_Bip_*_UpperArm",
        "J_Bip_*_Shoulder",
        [0.075, 0.535, -0.010],
        Hint::Model,
    ),
    (
        "J_Bip_*_LowerArm",
        "J_Bip_*_UpperArm",
        [0.175, 0.535, -0.012],
        Hint::Model,
    ),
    (
        "J_Bip_*_Hand",
        "J_Bip_*_LowerArm",
        [0.268, 0.535, -0.008],
        Hint::Model,
    ),
    (
        "J_Bip_*_UpperLeg",
        "J_Bip_C_Hips",
        [0.055, 0.300, 0.0],
        Hint::Model,
    ),
    (
        "J_Bip_*_LowerLeg",
        "J_Bip_*_UpperLeg",
        [0.058, 0.170, 0.006],
        Hint::Model,
    ),
    (
        "J_Bip_*_Foot",
        "J_Bip_*_LowerLeg",
        [0.060, 0.048, -0.012],
        Hint::Model,
    ),
    (
        "J_Bip_*_ToeBase",
        "J_Bip_*_Foot",
        [0.064, 0.016, 0.048],
        Hint::Model,
    ),
];

pub(super) const CHAINS: &[ChainRow] = &[
    (
        "trunk",
        &[
            ("J_Bip_C_Hips", 0.0),
            ("J_Bip_C_Spine", 0.035),
            ("J_Bip_C_Chest", 0.04),
            ("J_Bip_C_Neck", 0.02),
            ("J_Bip_C_Head", 0.015),
        ],
    ),
    ("head", &[("J_Bip_C_Head", 0.0)]),
    ("eye*", &[("J_Adj_*_FaceEye", 0.0)]),
    (
        "ear*",
        &[
            ("J_Bip_C_Head", 0.0),
            ("J_Sec_*_Ear1", 0.012),
            ("J_Sec_*_Ear2", 0.02),
        ],
    ),
    (
        "hair*",
        &[
            ("J_Bip_C_Head", 0.0),
            ("J_Sec_*_Hair1", 0.02),
            ("J_Sec_*_Hair2", 0.04),
            ("J_Sec_*_Hair3", 0.04),
        ],
    ),
    (
        "arm*",
        &[
            ("J_Bip_C_Chest", 0.0),
            ("J_Bip_*_Shoulder", 0.02),
            ("J_Bip_*_UpperArm", 0.03),
            ("J_Bip_*_LowerArm", 0.025),
            ("J_Bip_*_Hand", 0.015),
        ],
    ),
    (
        "leg*",
        &[
            ("J_Bip_C_Hips", 0.0),
            ("J_Bip_*_UpperLeg", 0.04),
            ("J_Bip_*_LowerLeg", 0.035),
            ("J_Bip_*_Foot", 0.022),
            ("J_Bip_*_ToeBase", 0.018),
        ],
    ),
];

/// Label of VRM 1.0 (`*` stands for left or right) and joint (`*` stands for L or R).
pub(super) const LABELS: &[(&str, &str)] = &[
    ("hips", "J_Bip_C_Hips"),
    ("spine", "J_Bip_C_Spine"),
    ("chest", "J_Bip_C_Chest"),
    ("neck", "J_Bip_C_Neck"),
    ("head", "J_Bip_C_Head"),
    ("*Eye", "J_Adj_*_FaceEye"),
    ("*Shoulder", "J_Bip_*_Shoulder"),
    ("*UpperArm", "J_Bip_*_UpperArm"),
    ("*LowerArm", "J_Bip_*_LowerArm"),
    ("*Hand", "J_Bip_*_Hand"),
    ("*UpperLeg", "J_Bip_*_UpperLeg"),
    ("*LowerLeg", "J_Bip_*_LowerLeg"),
    ("*Foot", "J_Bip_*_Foot"),
    ("*Toes", "J_Bip_*_ToeBase"),
    ("*ThumbMetacarpal", "J_Bip_*_Thumb1"),
    ("*ThumbProximal", "J_Bip_*_Thumb2"),
    ("*ThumbDistal", "J_Bip_*_Thumb3"),
    ("*IndexProximal", "J_Bip_*_Index1"),
    ("*IndexIntermediate", "J_Bip_*_Index2"),
    ("*IndexDistal", "J_Bip_*_Index3"),
    ("*MiddleProximal", "J_Bip_*_Middle1"),
    ("*MiddleIntermediate", "J_Bip_*_Middle2"),
    ("*MiddleDistal", "J_Bip_*_Middle3"),
    ("*RingProximal", "J_Bip_*_Ring1"),
    ("*RingIntermediate", "J_Bip_*_Ring2"),
    ("*RingDistal", "J_Bip_*_Ring3"),
    ("*LittleProximal", "J_Bip_*_Little1"),
    ("*LittleIntermediate", "J_Bip_*_Little2"),
    ("*LittleDistal", "J_Bip_*_Little3"),
];

pub(super) fn finger_name(finger: &str, joint: usize) -> String {
    let finger = if finger == "Pinky" { "Little" } else { finger };
    format!("J_Bip_*_{finger}{}", joint + 1)
}

pub(super) fn hand() -> Hand<'static> {
    Hand {
        joint: "J_Bip_*_Hand",
        arm_chain: "arm*",
        wrist: Vec3::new(0.268, 0.535, -0.008),
        axes: Mat3::IDENTITY,
        size: 0.46,
        thickness: 1.5,
        names: finger_name,
        hint: Hint::Model,
    }
}

pub(super) fn rig() -> Rig {
    let mut table = rows(TABLE);
    table.extend(hand().rows());
    build(
        &table,
        Convention {
            sides: ["L", "R"],
            axes: AxisRule::Model,
        },
    )
}

pub(super) fn labels(rig: &Rig) -> Vec<JointLabel> {
    let mut labels = Vec::new();
    for (label, joint) in LABELS {
        let sides: &[(&str, &str)] = if label.contains('*') {
            &[("left", "L"), ("right", "R")]
        } else {
            &[("", "")]
        };
        for (side, letter) in sides {
            labels.push(JointLabel {
                joint: rig.joint(&joint.replace('*', letter)),
                label: label.replace('*', side),
            });
        }
    }
    labels
}
