//! Body and clothes of the chibi.

use super::joints::hand;
use super::{BOOTS, HOODIE, HOODIE_PIECE, SHORTS, SKIN};
use crate::body::{Piece, part};
use crate::rig::Rig;
use crate::sdf::{behind, cone, ellipsoid, round_box, stroke};
use glam::Vec3;

pub(super) fn hoodie(rig: &Rig) -> Piece {
    let at = |name: &str| rig.at(name);
    let (arm, elbow, wrist) = (
        at("J_Bip_L_UpperArm"),
        at("J_Bip_L_LowerArm"),
        at("J_Bip_L_Hand"),
    );
    let parts = vec![
        part(
            "trunk",
            ellipsoid([0.0, 0.345, -0.002], [0.118, 0.075, 0.100]),
            0.0,
        ),
        part(
            "trunk",
            ellipsoid([0.0, 0.440, -0.004], [0.092, 0.110, 0.080]),
            0.06,
        ),
        part(
            "trunk",
            cone(
                Vec3::new(0.0, 0.52, -0.010),
                Vec3::new(0.050, 0.530, -0.010),
                0.060,
                0.044,
            ),
            0.05,
        )
        .both(),
        part(
            "arm*",
            cone(arm + Vec3::new(-0.015, -0.002, 0.0), elbow, 0.040, 0.038),
            0.03,
        ),
        part(
            "arm*",
            cone(elbow, wrist + Vec3::new(0.0, 0.0, 0.0), 0.038, 0.044),
            0.015,
        ),
        part(
            "leg*",
            cone(at("J_Bip_L_UpperLeg"), at("J_Bip_L_LowerLeg"), 0.058, 0.04),
            0.0,
        )
        .ghost(),
    ];
    Piece::new(HOODIE, 0.0205, parts)
        .within(behind([0.0, 0.305, 0.0], [0.0, -1.0, 0.0]))
        .within(behind([0.262, 0.0, 0.0], [1.0, 0.0, 0.0]))
        .soft(0.022)
}

pub(super) fn shorts(rig: &Rig) -> Piece {
    let (hip, knee) = (rig.at("J_Bip_L_UpperLeg"), rig.at("J_Bip_L_LowerLeg"));
    let parts = vec![
        part(
            "trunk",
            ellipsoid([0.0, 0.310, -0.004], [0.104, 0.060, 0.084]),
            0.0,
        ),
        part(
            "leg*",
            cone(
                hip + Vec3::new(0.0, -0.005, -0.003),
                hip.lerp(knee, 0.72),
                0.060,
                0.062,
            ),
            0.025,
        ),
    ];
    Piece::new(SHORTS, 0.018, parts)
        .within(behind([0.0, 0.196, 0.0], [0.0, -1.0, 0.0]))
        .soft(0.022)
}

pub(super) fn legs(rig: &Rig) -> Piece {
    let (hip, knee, ankle) = (
        rig.at("J_Bip_L_UpperLeg"),
        rig.at("J_Bip_L_LowerLeg"),
        rig.at("J_Bip_L_Foot"),
    );
    let parts = vec![
        part("leg*", cone(hip.lerp(knee, 0.5), knee, 0.046, 0.039), 0.0),
        part("leg*", cone(knee, ankle, 0.039, 0.034), 0.01),
    ];
    Piece::new(SKIN, 0.017, parts)
}

pub(super) fn boots(rig: &Rig) -> Piece {
    let ankle = rig.at("J_Bip_L_Foot");
    let parts = vec![
        part(
            "leg*",
            cone(ankle + Vec3::new(0.0, 0.062, 0.002), ankle, 0.047, 0.042),
            0.0,
        ),
        part(
            "leg*",
            ellipsoid([0.061, 0.040, 0.000], [0.044, 0.046, 0.052]),
            0.02,
        ),
        part(
            "leg*",
            ellipsoid([0.065, 0.034, 0.048], [0.044, 0.036, 0.056]),
            0.025,
        ),
        part(
            "leg*",
            round_box([0.064, 0.002, 0.028], [0.045, 0.022, 0.078], 0.012),
            0.01,
        ),
    ];
    Piece::new(BOOTS, 0.0172, parts)
        .within(behind([0.0, 0.0, 0.0], [0.0, -1.0, 0.0]))
        .tint(behind([0.0, 0.016, 0.0], [0.0, 1.0, 0.0]), 0.004, 0xf5ead8)
        .tint(behind([0.0, 0.118, 0.0], [0.0, -1.0, 0.0]), 0.006, 0xf5ead8)
}

pub(super) fn hands(rig: &Rig) -> Piece {
    let (elbow, wrist) = (rig.at("J_Bip_L_LowerArm"), rig.at("J_Bip_L_Hand"));
    let mut parts = vec![part(
        "arm*",
        cone(elbow.lerp(wrist, 0.7), wrist, 0.022, 0.019),
        0.0,
    )];
    parts.extend(hand().parts());
    Piece::new(SKIN, 0.0083, parts).soft(0.005)
}

/// Hood behind the neck, pocket and a heart.
pub(super) fn trimmings() -> Vec<Piece> {
    let hood = Piece::new(
        0xe3a92f,
        0.0150,
        vec![
            part(
                "trunk",
                ellipsoid([0.0, 0.540, -0.050], [0.078, 0.045, 0.055]),
                0.0,
            ),
            part(
                "trunk",
                cone(
                    Vec3::new(0.030, 0.548, 0.048),
                    Vec3::new(0.062, 0.560, 0.0),
                    0.016,
                    0.022,
                ),
                0.03,
            )
            .both(),
        ],
    );
    let pocket = Piece::new(
        0xe3a92f,
        0.0105,
        vec![part(
            "trunk",
            round_box([0.0, 0.372, 0.10], [0.052, 0.026, 0.06], 0.012),
            0.0,
        )],
    )
    .on(HOODIE_PIECE, 0.0045);
    let heart = Piece::new(
        0xd9536a,
        0.0054,
        vec![
            part(
                "trunk",
                stroke([0.0, 0.446], [0.012, 0.462], [0.0060, 0.0125], [0.03, 0.12]),
                0.001,
            )
            .both(),
        ],
    )
    .on(HOODIE_PIECE, 0.0040);
    vec![hood, pocket, heart]
}
