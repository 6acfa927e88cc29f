//! Joints of the brute, the chains that move its skin, and its hands.

use crate::hand::Hand;
use crate::rig::{AxisRule, Convention, Hint, Rig, TableRow, build, rows};
use crate::weights::ChainRow;
use glam::{Mat3, Vec3};

/// The arms hang 50° below the horizontal.
pub(super) const ARM: Vec3 = Vec3::new(0.642_787_6, -0.766_044_4, 0.0);
pub(super) const SHOULDER: Vec3 = Vec3::new(0.268, 1.545, -0.03);
pub(super) const UPPER_ARM: f32 = 0.345;
pub(super) const LOWER_ARM: f32 = 0.325;

pub(super) const TABLE: &[TableRow] = &[
    ("root", "", [0.0, 0.0, 0.0], Hint::Model),
    ("pelvis", "root", [0.0, 0.93, 0.0], Hint::Forward),
    ("spine_01", "pelvis", [0.0, 1.01, -0.005], Hint::Forward),
    ("spine_02", "spine_01", [0.0, 1.10, -0.015], Hint::Forward),
    ("spine_03", "spine_02", [0.0, 1.20, -0.025], Hint::Forward),
    ("spine_04", "spine_03", [0.0, 1.32, -0.035], Hint::Forward),
    ("spine_05", "spine_04", [0.0, 1.45, -0.04], Hint::Forward),
    ("neck_01", "spine_05", [0.0, 1.60, -0.025], Hint::Forward),
    ("neck_02", "neck_01", [0.0, 1.66, -0.005], Hint::Forward),
    ("head", "neck_02", [0.0, 1.715, 0.015], Hint::Forward),
    (
        "clavicle_*",
        "spine_05",
        [0.06, 1.555, -0.03],
        Hint::Forward,
    ),
    ("thigh_*", "pelvis", [0.135, 0.88, 0.0], Hint::Forward),
    ("calf_*", "thigh_*", [0.150, 0.485, 0.014], Hint::Forward),
    ("foot_*", "calf_*", [0.158, 0.095, -0.022], Hint::Up),
    ("ball_*", "foot_*", [0.172, 0.028, 0.125], Hint::Up),
    (
        "thigh_twist_01_*",
        "thigh_*",
        [0.1425, 0.6825, 0.007],
        Hint::Forward,
    ),
    (
        "calf_twist_01_*",
        "calf_*",
        [0.154, 0.290, -0.004],
        Hint::Forward,
    ),
];

pub(super) const CHAINS: &[ChainRow] = &[
    (
        "trunk",
        &[
            ("pelvis", 0.0),
            ("spine_01", 0.05),
            ("spine_02", 0.05),
            ("spine_03", 0.06),
            ("spine_04", 0.07),
            ("spine_05", 0.07),
            ("neck_01", 0.04),
            ("neck_02", 0.03),
            ("head", 0.03),
        ],
    ),
    ("head", &[("head", 0.0)]),
    (
        "arm*",
        &[
            ("spine_05", 0.0),
            ("clavicle_*", 0.06),
            ("upperarm_*", 0.07),
            ("upperarm_twist_01_*", 0.08),
            ("lowerarm_*", 0.05),
            ("lowerarm_twist_01_*", 0.07),
            ("hand_*", 0.03),
        ],
    ),
    (
        "leg*",
        &[
            ("pelvis", 0.0),
            ("thigh_*", 0.08),
            ("thigh_twist_01_*", 0.09),
            ("calf_*", 0.065),
            ("calf_twist_01_*", 0.07),
            ("foot_*", 0.04),
            ("ball_*", 0.03),
        ],
    ),
];

pub(super) fn finger_name(finger: &str, joint: usize) -> String {
    format!("{}_0{}_*", finger.to_lowercase(), joint + 1)
}

pub(super) fn along_arm(distance: f32) -> Vec3 {
    SHOULDER + ARM * distance
}

pub(super) fn hand() -> Hand<'static> {
    Hand {
        joint: "hand_*",
        arm_chain: "arm*",
        wrist: along_arm(UPPER_ARM + LOWER_ARM),
        axes: Mat3::from_cols(ARM, Vec3::new(-ARM.y, ARM.x, 0.0), Vec3::Z),
        size: 1.18,
        thickness: 1.32,
        names: finger_name,
        hint: Hint::Forward,
    }
}

/// The skeleton of the brute.
pub(super) fn rig() -> Rig {
    let mut table = rows(TABLE);
    let arm: [(&'static str, &'static str, f32); 5] = [
        ("upperarm_*", "clavicle_*", 0.0),
        ("lowerarm_*", "upperarm_*", UPPER_ARM),
        ("hand_*", "lowerarm_*", UPPER_ARM + LOWER_ARM),
        ("upperarm_twist_01_*", "upperarm_*", 0.5 * UPPER_ARM),
        (
            "lowerarm_twist_01_*",
            "lowerarm_*",
            UPPER_ARM + 0.55 * LOWER_ARM,
        ),
    ];
    for (name, parent, distance) in arm {
        table.extend(rows(&[(
            name,
            parent,
            along_arm(distance).to_array(),
            Hint::Forward,
        )]));
    }
    table.extend(hand().rows());
    build(
        &table,
        Convention {
            sides: ["l", "r"],
            axes: AxisRule::AlongX,
        },
    )
}
