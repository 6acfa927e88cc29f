//! Head of the adult: skull, face, hair.

use super::{HAIR, HEAD, SKIN};
use crate::body::{Piece, part};
use crate::sdf::{cone, ellipsoid, stroke, turned_ellipsoid};
use glam::{Quat, Vec3};

pub(super) fn head() -> Piece {
    let ear = Quat::from_rotation_z(-0.15) * Quat::from_rotation_y(0.35);
    Piece::new(
        SKIN,
        0.0135,
        vec![
            part(
                "head",
                ellipsoid([0.0, 1.662, -0.004], [0.083, 0.104, 0.099]),
                0.0,
            ),
            part(
                "head",
                ellipsoid([0.0, 1.594, 0.022], [0.064, 0.066, 0.072]),
                0.05,
            ),
            part(
                "head",
                ellipsoid([0.0, 1.551, 0.060], [0.028, 0.020, 0.024]),
                0.035,
            ),
            part(
                "head",
                ellipsoid([0.045, 1.612, 0.052], [0.026, 0.026, 0.026]),
                0.03,
            )
            .both(),
            part(
                "head",
                cone(
                    Vec3::new(0.0, 1.648, 0.086),
                    Vec3::new(0.0, 1.620, 0.103),
                    0.007,
                    0.0115,
                ),
                0.016,
            ),
            part(
                "head",
                ellipsoid([0.011, 1.616, 0.096], [0.008, 0.007, 0.009]),
                0.01,
            )
            .both(),
            part(
                "head",
                turned_ellipsoid([0.084, 1.628, -0.004], [0.010, 0.030, 0.020], ear),
                0.006,
            )
            .both(),
            part(
                "trunk",
                cone(
                    Vec3::new(0.0, 1.42, -0.034),
                    Vec3::new(0.0, 1.56, -0.012),
                    0.060,
                    0.052,
                ),
                0.03,
            ),
        ],
    )
    .tint(
        ellipsoid([0.050, 1.606, 0.080], [0.022, 0.016, 0.03]),
        0.012,
        0xdc8d72,
    )
    .soft(0.02)
}

pub(super) fn face() -> Vec<Piece> {
    let oval = |x: f32, y: f32, wide: f32, high: f32| {
        part("head", ellipsoid([x, y, 0.085], [wide, high, 0.05]), 0.0).both()
    };
    let line = |from: [f32; 2], to: [f32; 2], radii: [f32; 2]| {
        part("head", stroke(from, to, radii, [0.04, 0.12]), 0.004).both()
    };
    let brows = vec![
        line([0.019, 1.682], [0.034, 1.687], [0.0034, 0.0046]),
        line([0.034, 1.687], [0.053, 1.681], [0.0046, 0.0028]),
    ];
    let mouth = vec![
        line([0.0, 1.5810], [0.0145, 1.5830], [0.0036, 0.0034]),
        line([0.0145, 1.5830], [0.0265, 1.5895], [0.0034, 0.0024]),
    ];
    vec![
        Piece::new(0xfaf8f4, 0.0055, vec![oval(0.034, 1.652, 0.0185, 0.0165)]).on(HEAD, 0.0014),
        Piece::new(0x4b2f1c, 0.0044, vec![oval(0.0335, 1.651, 0.0112, 0.0138)]).on(HEAD, 0.0026),
        Piece::new(0xffffff, 0.0022, vec![oval(0.0375, 1.656, 0.0036, 0.0036)]).on(HEAD, 0.0036),
        Piece::new(HAIR, 0.0046, brows).on(HEAD, 0.0038),
        Piece::new(0x9c4a42, 0.0042, mouth).on(HEAD, 0.0020),
    ]
}

pub(super) fn hair() -> Piece {
    Piece::new(
        HAIR,
        0.018,
        vec![
            part(
                "head",
                ellipsoid([0.0, 1.683, -0.020], [0.096, 0.104, 0.107]),
                0.0,
            ),
            part(
                "head",
                ellipsoid([0.0, 1.640, -0.060], [0.080, 0.080, 0.060]),
                0.03,
            ),
            part(
                "head",
                turned_ellipsoid(
                    [0.030, 1.752, 0.050],
                    [0.055, 0.026, 0.050],
                    Quat::from_rotation_z(-0.25),
                ),
                0.03,
            ),
            part(
                "head",
                ellipsoid([-0.040, 1.744, 0.046], [0.036, 0.024, 0.046]),
                0.03,
            ),
        ],
    )
    .without(ellipsoid([0.0, 1.622, 0.085], [0.078, 0.086, 0.085]), 0.016)
    .without(
        ellipsoid([0.085, 1.620, 0.020], [0.03, 0.050, 0.036]),
        0.014,
    )
}
