//! Joints of the adult, the chains that move its skin, and its hands.

use crate::hand::Hand;
use crate::rig::{AxisRule, Convention, Hint, Rig, Row, TableRow, build, rows};
use crate::weights::ChainRow;
use glam::{Mat3, Vec3};

pub(super) const TABLE: &[TableRow] = &[
    ("mixamorig:Hips", "", [0.0, 0.975, 0.0], Hint::Forward),
    (
        "mixamorig:Spine",
        "mixamorig:Hips",
        [0.0, 1.075, -0.004],
        Hint::Forward,
    ),
    (
        "mixamorig:Spine1",
        "mixamorig:Spine",
        [0.0, 1.19, -0.012],
        Hint::Forward,
    ),
    (
        "mixamorig:Spine2",
        "mixamorig:Spine1",
        [0.0, 1.31, -0.02],
        Hint::Forward,
    ),
    (
        "mixamorig:Neck",
        "mixamorig:Spine2",
        [0.0, 1.475, -0.028],
        Hint::Forward,
    ),
    (
        "mixamorig:Head",
        "mixamorig:Neck",
        [0.0, 1.56, -0.005],
        Hint::Forward,
    ),
    (
        "mixamorig:HeadTop_End",
        "mixamorig:Head",
        [0.0, 1.8, 0.0],
        Hint::Forward,
    ),
    (
        "mixamorig:*Shoulder",
        "mixamorig:Spine2",
        [0.05, 1.425, -0.022],
        Hint::Down,
    ),
    (
        "mixamorig:*Arm",
        "mixamorig:*Shoulder",
        [0.175, 1.42, -0.028],
        Hint::Down,
    ),
    (
        "mixamorig:*ForeArm",
        "mixamorig:*Arm",
        [0.45, 1.42, -0.032],
        Hint::Down,
    ),
    (
        "mixamorig:*Hand",
        "mixamorig:*ForeArm",
        [0.70, 1.42, -0.024],
        Hint::Down,
    ),
    (
        "mixamorig:*UpLeg",
        "mixamorig:Hips",
        [0.095, 0.925, 0.0],
        Hint::Forward,
    ),
    (
        "mixamorig:*Leg",
        "mixamorig:*UpLeg",
        [0.095, 0.505, 0.014],
        Hint::Forward,
    ),
    (
        "mixamorig:*Foot",
        "mixamorig:*Leg",
        [0.095, 0.085, -0.018],
        Hint::Up,
    ),
    (
        "mixamorig:*ToeBase",
        "mixamorig:*Foot",
        [0.095, 0.022, 0.108],
        Hint::Up,
    ),
    (
        "mixamorig:*Toe_End",
        "mixamorig:*ToeBase",
        [0.095, 0.022, 0.19],
        Hint::Up,
    ),
];

pub(super) const CHAINS: &[ChainRow] = &[
    (
        "trunk",
        &[
            ("mixamorig:Hips", 0.0),
            ("mixamorig:Spine", 0.06),
            ("mixamorig:Spine1", 0.06),
            ("mixamorig:Spine2", 0.06),
            ("mixamorig:Neck", 0.035),
            ("mixamorig:Head", 0.03),
        ],
    ),
    ("head", &[("mixamorig:Head", 0.0)]),
    (
        "arm*",
        &[
            ("mixamorig:Spine2", 0.0),
            ("mixamorig:*Shoulder", 0.04),
            ("mixamorig:*Arm", 0.055),
            ("mixamorig:*ForeArm", 0.045),
            ("mixamorig:*Hand", 0.025),
        ],
    ),
    (
        "leg*",
        &[
            ("mixamorig:Hips", 0.0),
            ("mixamorig:*UpLeg", 0.07),
            ("mixamorig:*Leg", 0.06),
            ("mixamorig:*Foot", 0.035),
            ("mixamorig:*ToeBase", 0.025),
        ],
    ),
];

pub(super) fn finger_name(finger: &str, joint: usize) -> String {
    format!("mixamorig:*Hand{finger}{}", joint + 1)
}

pub(super) fn hand() -> Hand<'static> {
    Hand {
        joint: "mixamorig:*Hand",
        arm_chain: "arm*",
        wrist: Vec3::new(0.70, 1.42, -0.024),
        axes: Mat3::from_cols(Vec3::X, Vec3::Y, Vec3::Z),
        size: 1.0,
        thickness: 1.06,
        names: finger_name,
        hint: Hint::Down,
    }
}

/// The skeleton of the adult.
pub(crate) fn rig() -> Rig {
    let mut table: Vec<Row> = rows(TABLE);
    table.extend(hand().rows());
    build(
        &table,
        Convention {
            sides: ["Left", "Right"],
            axes: AxisRule::AlongY,
        },
    )
}
