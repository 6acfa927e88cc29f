//! Body and clothes of the brute.

use super::joints::{ARM, LOWER_ARM, SHOULDER, UPPER_ARM, along_arm, hand};
use super::{LEATHER, SKIN, TROUSERS, TROUSERS_PIECE, VEST};
use crate::body::{Piece, part};
use crate::rig::Rig;
use crate::sdf::{behind, cone, ellipsoid, round_box, turned_ellipsoid};
use glam::{Quat, Vec3};

pub(super) fn vest(rig: &Rig) -> Piece {
    let ring = |y: f32, z: f32, radii: [f32; 3], blend: f32| {
        part("trunk", ellipsoid([0.0, y, z], radii), blend)
    };
    let parts = vec![
        ring(0.99, 0.010, [0.205, 0.16, 0.162], 0.0),
        ring(1.14, 0.030, [0.205, 0.16, 0.178], 0.10),
        ring(1.34, -0.020, [0.242, 0.19, 0.168], 0.12),
        part(
            "trunk",
            cone(
                Vec3::new(0.0, 1.48, -0.04),
                Vec3::new(0.145, 1.52, -0.04),
                0.115,
                0.088,
            ),
            0.09,
        )
        .both(),
        part(
            "trunk",
            ellipsoid([0.098, 1.40, 0.078], [0.112, 0.080, 0.062]),
            0.07,
        )
        .both(),
        part(
            "trunk",
            cone(
                Vec3::new(0.0, 1.56, -0.035),
                Vec3::new(0.0, 1.64, -0.02),
                0.125,
                0.09,
            ),
            0.06,
        ),
        part("arm*", cone(SHOULDER, along_arm(0.2), 0.075, 0.07), 0.0).ghost(),
        part(
            "leg*",
            cone(rig.at("thigh_l"), rig.at("calf_l"), 0.125, 0.08),
            0.0,
        )
        .ghost(),
    ];
    Piece::new(VEST, 0.036, parts)
        .within(behind([0.0, 0.922, 0.0], [0.0, -1.0, 0.0]))
        .without(ellipsoid([0.0, 1.66, 0.060], [0.118, 0.130, 0.120]), 0.02)
        .without(
            turned_ellipsoid(
                [0.330, 1.49, -0.03],
                [0.100, 0.165, 0.150],
                Quat::from_rotation_z(0.30),
            ),
            0.02,
        )
        .soft(0.05)
}

pub(super) fn arms() -> Piece {
    let parts = vec![
        part(
            "trunk",
            ellipsoid([0.0, 1.42, -0.015], [0.205, 0.160, 0.140]),
            0.0,
        ),
        part(
            "arm*",
            cone(
                Vec3::new(0.16, 1.535, -0.03),
                SHOULDER + Vec3::new(-0.012, -0.008, 0.0),
                0.075,
                0.092,
            ),
            0.07,
        ),
        part(
            "arm*",
            cone(along_arm(0.02), along_arm(UPPER_ARM), 0.088, 0.063),
            0.05,
        ),
        part(
            "arm*",
            turned_ellipsoid(
                (along_arm(0.19) + Vec3::Z * 0.018).to_array(),
                [0.088, 0.115, 0.078],
                Quat::from_rotation_z(0.698),
            ),
            0.04,
        ),
        part(
            "arm*",
            cone(
                along_arm(UPPER_ARM),
                along_arm(UPPER_ARM + LOWER_ARM),
                0.062,
                0.042,
            ),
            0.03,
        ),
        part(
            "arm*",
            turned_ellipsoid(
                along_arm(UPPER_ARM + 0.10).to_array(),
                [0.076, 0.125, 0.074],
                Quat::from_rotation_z(0.698),
            ),
            0.04,
        ),
    ];
    Piece::new(SKIN, 0.031, parts).soft(0.02)
}

pub(super) fn hands() -> Piece {
    let wrist = UPPER_ARM + LOWER_ARM;
    let cuff = cone(along_arm(wrist - 0.09), along_arm(wrist), 0.044, 0.036);
    let mut parts = vec![part("arm*", cuff, 0.0)];
    parts.extend(hand().parts());
    Piece::new(SKIN, 0.0132, parts).soft(0.008)
}

pub(super) fn trousers(rig: &Rig) -> Piece {
    let (hip, knee, ankle) = (rig.at("thigh_l"), rig.at("calf_l"), rig.at("foot_l"));
    let parts = vec![
        part(
            "trunk",
            ellipsoid([0.0, 0.935, -0.005], [0.200, 0.125, 0.150]),
            0.0,
        ),
        part(
            "trunk",
            ellipsoid([0.0, 0.85, -0.01], [0.14, 0.08, 0.115]),
            0.05,
        ),
        part(
            "leg*",
            ellipsoid([0.105, 0.865, -0.062], [0.100, 0.100, 0.095]),
            0.04,
        ),
        part(
            "leg*",
            cone(hip + Vec3::new(-0.004, -0.03, 0.0), knee, 0.117, 0.084),
            0.05,
        ),
        part(
            "leg*",
            cone(knee, ankle + Vec3::new(0.0, 0.03, 0.008), 0.082, 0.066),
            0.03,
        ),
        part(
            "leg*",
            ellipsoid([0.155, 0.36, -0.022], [0.080, 0.115, 0.082]),
            0.04,
        ),
    ];
    Piece::new(TROUSERS, 0.037, parts)
        .within(behind([0.0, 0.2, 0.0], [0.0, -1.0, 0.0]))
        .within(behind([0.0, 0.955, 0.0], [0.0, 1.0, 0.0]))
        .soft(0.05)
}

/// Belt with its buckle, bracers and boots.
pub(super) fn leather() -> Vec<Piece> {
    let hips = || part("trunk", ellipsoid([0.0, 0.95, 0.0], [0.26, 0.2, 0.24]), 0.0);
    let wrist = UPPER_ARM + LOWER_ARM;
    let bracer = |from: f32, to: f32| {
        part(
            "arm*",
            cone(along_arm(wrist - from), along_arm(wrist - to), 0.080, 0.050),
            0.0,
        )
    };
    let boots = vec![
        part(
            "leg*",
            cone(
                Vec3::new(0.156, 0.30, -0.012),
                Vec3::new(0.158, 0.10, -0.022),
                0.099,
                0.067,
            ),
            0.0,
        ),
        part(
            "leg*",
            ellipsoid([0.158, 0.055, -0.034], [0.060, 0.064, 0.066]),
            0.03,
        ),
        part(
            "leg*",
            cone(
                Vec3::new(0.159, 0.082, 0.0),
                Vec3::new(0.174, 0.052, 0.145),
                0.063,
                0.052,
            ),
            0.04,
        ),
        part(
            "leg*",
            ellipsoid([0.178, 0.046, 0.165], [0.067, 0.050, 0.078]),
            0.03,
        ),
        part(
            "leg*",
            round_box([0.168, 0.006, 0.067], [0.064, 0.032, 0.160], 0.018),
            0.014,
        ),
    ];
    vec![
        Piece::new(LEATHER, 0.030, vec![hips()])
            .within(round_box([0.0, 0.925, 0.0], [0.4, 0.028, 0.4], 0.005))
            .on(TROUSERS_PIECE, 0.016),
        Piece::new(
            0xd9a441,
            0.0125,
            vec![part(
                "trunk",
                round_box([0.0, 0.925, 0.15], [0.045, 0.034, 0.08], 0.01),
                0.0,
            )],
        )
        .on(TROUSERS_PIECE, 0.026),
        Piece::new(LEATHER, 0.022, vec![bracer(0.200, 0.0)])
            .within(behind(
                along_arm(wrist - 0.150).to_array(),
                (-ARM).to_array(),
            ))
            .within(behind(along_arm(wrist - 0.035).to_array(), ARM.to_array())),
        Piece::new(LEATHER, 0.0275, boots)
            .within(behind([0.0, 0.0, 0.0], [0.0, -1.0, 0.0]))
            .within(behind([0.0, 0.285, 0.0], [0.0, 1.0, 0.0]))
            .tint(behind([0.0, 0.026, 0.0], [0.0, 1.0, 0.0]), 0.005, 0x231a15),
    ]
}
