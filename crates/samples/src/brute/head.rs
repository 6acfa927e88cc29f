//! Head of the brute: skull, face, hair.

use super::{BEARD, HEAD, SKIN};
use crate::body::{Piece, part};
use crate::sdf::{cone, ellipsoid, stroke, turned_ellipsoid};
use glam::{Quat, Vec3};

pub(super) fn head() -> Piece {
    let ear = Quat::from_rotation_z(-0.2) * Quat::from_rotation_y(0.4);
    Piece::new(
        SKIN,
        0.0175,
        vec![
            part(
                "head",
                ellipsoid([0.0, 1.845, 0.02], [0.092, 0.118, 0.112]),
                0.0,
            ),
            part(
                "head",
                ellipsoid([0.0, 1.765, 0.05], [0.082, 0.075, 0.082]),
                0.05,
            ),
            part(
                "head",
                ellipsoid([0.036, 1.868, 0.112], [0.036, 0.014, 0.020]),
                0.025,
            )
            .both(),
            part(
                "head",
                cone(
                    Vec3::new(0.0, 1.838, 0.122),
                    Vec3::new(0.0, 1.808, 0.146),
                    0.012,
                    0.020,
                ),
                0.02,
            ),
            part(
                "head",
                ellipsoid([0.018, 1.803, 0.132], [0.013, 0.011, 0.014]),
                0.012,
            )
            .both(),
            part(
                "head",
                turned_ellipsoid([0.097, 1.815, 0.018], [0.013, 0.036, 0.025], ear),
                0.008,
            )
            .both(),
            part(
                "trunk",
                cone(
                    Vec3::new(0.0, 1.56, -0.03),
                    Vec3::new(0.0, 1.74, 0.005),
                    0.094,
                    0.078,
                ),
                0.04,
            ),
        ],
    )
    .tint(
        ellipsoid([0.0, 1.803, 0.15], [0.026, 0.022, 0.03]),
        0.014,
        0xbf6f55,
    )
    .tint(
        turned_ellipsoid([0.0, 1.99, 0.0], [0.10, 0.07, 0.10], Quat::IDENTITY),
        0.05,
        0xd29673,
    )
    .soft(0.03)
}

pub(super) fn face() -> Vec<Piece> {
    let oval = |x: f32, y: f32, wide: f32, high: f32| {
        part("head", ellipsoid([x, y, 0.115], [wide, high, 0.05]), 0.0).both()
    };
    let line = |from: [f32; 2], to: [f32; 2], radii: [f32; 2]| {
        part("head", stroke(from, to, radii, [0.06, 0.18]), 0.004).both()
    };
    let brows = vec![
        line([0.016, 1.868], [0.040, 1.878], [0.0075, 0.0088]),
        line([0.040, 1.878], [0.066, 1.868], [0.0088, 0.0052]),
    ];
    let mouth = vec![line([0.0, 1.7600], [0.024, 1.7650], [0.0062, 0.0044])];
    vec![
        Piece::new(0xf6f2ea, 0.0046, vec![oval(0.037, 1.844, 0.0180, 0.0135)]).on(HEAD, 0.0016),
        Piece::new(0x2f4a52, 0.0036, vec![oval(0.0365, 1.844, 0.0102, 0.0112)]).on(HEAD, 0.0028),
        Piece::new(0xffffff, 0.0024, vec![oval(0.0400, 1.848, 0.0034, 0.0034)]).on(HEAD, 0.0038),
        Piece::new(BEARD, 0.0060, brows).on(HEAD, 0.0060),
        Piece::new(0x7d3a30, 0.0050, mouth).on(HEAD, 0.0125),
    ]
}

pub(super) fn beard() -> Piece {
    Piece::new(
        BEARD,
        0.0185,
        vec![
            part(
                "head",
                ellipsoid([0.0, 1.745, 0.060], [0.088, 0.072, 0.082]),
                0.0,
            ),
            part(
                "head",
                ellipsoid([0.0, 1.690, 0.090], [0.056, 0.070, 0.050]),
                0.04,
            ),
            part(
                "head",
                cone(
                    Vec3::new(0.0, 1.786, 0.130),
                    Vec3::new(0.052, 1.768, 0.108),
                    0.017,
                    0.012,
                ),
                0.015,
            )
            .both(),
            part(
                "head",
                cone(
                    Vec3::new(0.086, 1.83, 0.035),
                    Vec3::new(0.078, 1.77, 0.055),
                    0.013,
                    0.02,
                ),
                0.03,
            )
            .both(),
        ],
    )
    .without(
        ellipsoid([0.0, 1.7625, 0.150], [0.030, 0.012, 0.030]),
        0.008,
    )
}
