//! Body and clothes of the adult.

use super::joints::hand;
use super::{SHIRT, SHIRT_PIECE, SHOES, SKIN, TROUSERS, TROUSERS_PIECE};
use crate::body::{Part, Piece, part};
use crate::rig::Rig;
use crate::sdf::{behind, cone, ellipsoid, round_box};
use glam::Vec3;

/// Hips, waist and ribs, `over` metres wider than the body.
pub(super) fn trunk(over: f32) -> Vec<Part> {
    let ring = |y: f32, z: f32, x_radius: f32, y_radius: f32, z_radius: f32| {
        ellipsoid([0.0, y, z], [x_radius + over, y_radius, z_radius + over])
    };
    vec![
        part("trunk", ring(0.965, -0.012, 0.148, 0.125, 0.104), 0.0),
        part("trunk", ring(1.10, -0.004, 0.132, 0.150, 0.092), 0.09),
        part("trunk", ring(1.275, -0.018, 0.158, 0.165, 0.108), 0.09),
    ]
}

pub(super) fn shirt(rig: &Rig) -> Piece {
    let at = |name: &str| rig.at(name);
    let (arm, elbow, wrist) = (
        at("mixamorig:LeftArm"),
        at("mixamorig:LeftForeArm"),
        at("mixamorig:LeftHand"),
    );
    let mut parts = trunk(0.012);
    parts.extend([
        part(
            "trunk",
            cone(
                Vec3::new(0.0, 1.385, -0.03),
                Vec3::new(0.0, 1.45, -0.034),
                0.088,
                0.066,
            ),
            0.07,
        ),
        part(
            "trunk",
            ellipsoid([0.066, 1.325, 0.052], [0.075, 0.062, 0.040]),
            0.06,
        )
        .both(),
        part(
            "arm*",
            cone(
                Vec3::new(0.075, 1.405, -0.03),
                arm + Vec3::new(-0.015, -0.006, 0.0),
                0.066,
                0.066,
            ),
            0.06,
        ),
        part("arm*", cone(arm, elbow, 0.063, 0.049), 0.03),
        part(
            "arm*",
            cone(elbow, wrist + Vec3::new(-0.035, 0.0, 0.0), 0.048, 0.041),
            0.02,
        ),
        part(
            "leg*",
            cone(
                at("mixamorig:LeftUpLeg"),
                at("mixamorig:LeftLeg"),
                0.095,
                0.06,
            ),
            0.0,
        )
        .ghost(),
    ]);
    Piece::new(SHIRT, 0.029, parts)
        .within(behind([0.0, 0.995, 0.0], [0.0, -1.0, 0.0]))
        .within(behind([0.668, 0.0, 0.0], [1.0, 0.0, 0.0]))
        .without(ellipsoid([0.0, 1.51, 0.012], [0.068, 0.050, 0.085]), 0.012)
        .soft(0.035)
}

pub(super) fn stripe() -> Piece {
    let band = round_box([0.0, 1.272, 0.0], [0.178, 0.020, 0.2], 0.004);
    let ribs = ellipsoid([0.0, 1.275, -0.018], [0.2, 0.2, 0.2]);
    Piece::new(0xf0e6d2, 0.022, vec![part("trunk", ribs, 0.0)])
        .within(band)
        .on(SHIRT_PIECE, 0.004)
}

pub(super) fn trousers(rig: &Rig) -> Piece {
    let at = |name: &str| rig.at(name);
    let (hip, knee, ankle) = (
        at("mixamorig:LeftUpLeg"),
        at("mixamorig:LeftLeg"),
        at("mixamorig:LeftFoot"),
    );
    let hem = ankle + Vec3::new(0.0, -0.03, 0.006);
    let mut parts = vec![
        part(
            "trunk",
            ellipsoid([0.0, 0.965, -0.012], [0.154, 0.110, 0.110]),
            0.0,
        ),
        part(
            "trunk",
            ellipsoid([0.0, 0.90, -0.012], [0.115, 0.07, 0.095]),
            0.04,
        ),
    ];
    parts.extend([
        part(
            "leg*",
            ellipsoid([0.080, 0.905, -0.050], [0.080, 0.088, 0.080]),
            0.03,
        ),
        part(
            "leg*",
            cone(hip + Vec3::new(-0.003, -0.02, -0.004), knee, 0.088, 0.064),
            0.045,
        ),
        part("leg*", cone(knee, hem, 0.063, 0.052), 0.02),
        part(
            "leg*",
            ellipsoid([0.097, 0.385, -0.018], [0.056, 0.110, 0.060]),
            0.03,
        ),
    ]);
    Piece::new(TROUSERS, 0.030, parts)
        .within(behind([0.0, 1.02, 0.0], [0.0, 1.0, 0.0]))
        .within(behind([0.0, 0.072, 0.0], [0.0, -1.0, 0.0]))
        .soft(0.04)
}

pub(super) fn belt() -> Piece {
    let hips = ellipsoid([0.0, 0.985, -0.010], [0.2, 0.16, 0.2]);
    Piece::new(0x5b3a24, 0.020, vec![part("trunk", hips, 0.0)])
        .within(round_box([0.0, 0.984, 0.0], [0.3, 0.017, 0.3], 0.004))
        .on(TROUSERS_PIECE, 0.007)
}

pub(super) fn hands(rig: &Rig) -> Piece {
    let (elbow, wrist) = (
        rig.at("mixamorig:LeftForeArm"),
        rig.at("mixamorig:LeftHand"),
    );
    let mut parts = vec![part(
        "arm*",
        cone(elbow.lerp(wrist, 0.72), wrist, 0.031, 0.0245),
        0.0,
    )];
    parts.extend(hand().parts());
    Piece::new(SKIN, 0.0103, parts).soft(0.006)
}

pub(super) fn shoes() -> Piece {
    let parts = vec![
        part(
            "leg*",
            cone(
                Vec3::new(0.095, 0.115, -0.018),
                Vec3::new(0.095, 0.060, -0.022),
                0.040,
                0.042,
            ),
            0.0,
        ),
        part(
            "leg*",
            ellipsoid([0.095, 0.042, -0.026], [0.042, 0.050, 0.052]),
            0.02,
        ),
        part(
            "leg*",
            cone(
                Vec3::new(0.095, 0.062, 0.0),
                Vec3::new(0.096, 0.038, 0.120),
                0.042,
                0.036,
            ),
            0.03,
        ),
        part(
            "leg*",
            ellipsoid([0.099, 0.034, 0.135], [0.048, 0.038, 0.068]),
            0.03,
        ),
        part(
            "leg*",
            round_box([0.097, 0.006, 0.058], [0.046, 0.026, 0.130], 0.016),
            0.012,
        ),
    ];
    Piece::new(SHOES, 0.0165, parts)
        .within(behind([0.0, 0.0, 0.0], [0.0, -1.0, 0.0]))
        .tint(behind([0.0, 0.022, 0.0], [0.0, 1.0, 0.0]), 0.004, 0xffffff)
        .tint(
            ellipsoid([0.095, 0.062, 0.045], [0.06, 0.03, 0.034]),
            0.006,
            0xd9643a,
        )
}
