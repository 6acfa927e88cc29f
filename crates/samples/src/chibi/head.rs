//! Head of the chibi: skull, face, hair.

use super::{HAIR, HEAD, SKIN};
use crate::body::{Piece, part};
use crate::rig::Rig;
use crate::sdf::{behind, cone, ellipsoid, stroke, turned_ellipsoid};
use glam::{Quat, Vec3};

pub(super) fn head() -> Piece {
    Piece::new(
        SKIN,
        0.0150,
        vec![
            part(
                "head",
                ellipsoid([0.0, 0.770, -0.004], [0.152, 0.158, 0.148]),
                0.0,
            ),
            part(
                "head",
                ellipsoid([0.0, 0.680, 0.022], [0.118, 0.086, 0.110]),
                0.08,
            ),
            part(
                "head",
                ellipsoid([0.075, 0.680, 0.050], [0.052, 0.048, 0.055]),
                0.05,
            )
            .both(),
            part(
                "head",
                ellipsoid([0.0, 0.693, 0.136], [0.010, 0.008, 0.011]),
                0.014,
            ),
            part(
                "trunk",
                cone(
                    Vec3::new(0.0, 0.53, -0.010),
                    Vec3::new(0.0, 0.62, -0.006),
                    0.036,
                    0.034,
                ),
                0.02,
            ),
        ],
    )
    .tint(
        ellipsoid([0.092, 0.673, 0.10], [0.030, 0.020, 0.05]),
        0.016,
        0xf2a097,
    )
    .soft(0.015)
}

pub(super) fn face() -> Vec<Piece> {
    let oval = |x: f32, y: f32, wide: f32, high: f32| {
        part("eye*", ellipsoid([x, y, 0.115], [wide, high, 0.07]), 0.0)
    };
    let line = |from: [f32; 2], to: [f32; 2], radii: [f32; 2]| {
        part("head", stroke(from, to, radii, [0.06, 0.17]), 0.004).both()
    };
    let lashes = vec![
        line([0.042, 0.7635], [0.062, 0.7675], [0.0022, 0.0050]),
        line([0.062, 0.7675], [0.086, 0.7590], [0.0050, 0.0056]),
        line([0.086, 0.7590], [0.1000, 0.7480], [0.0056, 0.0026]),
    ];
    let brows = vec![line([0.036, 0.797], [0.082, 0.800], [0.0036, 0.0034])];
    let mouth = vec![
        line([0.0, 0.6520], [0.012, 0.6540], [0.0042, 0.0040]),
        line([0.012, 0.6540], [0.022, 0.6605], [0.0040, 0.0026]),
    ];
    vec![
        Piece::new(0xfffdfa, 0.0085, vec![oval(0.062, 0.724, 0.030, 0.036)]).on(HEAD, 0.0018),
        Piece::new(0x3f7fa6, 0.0072, vec![oval(0.0600, 0.724, 0.0215, 0.0315)])
            .on(HEAD, 0.0032)
            .tint(behind([0.0, 0.726, 0.0], [0.0, -1.0, 0.0]), 0.014, 0x1e3f63),
        Piece::new(0x16202e, 0.0044, vec![oval(0.0595, 0.726, 0.0110, 0.0170)]).on(HEAD, 0.0044),
        Piece::new(0xffffff, 0.0034, vec![oval(0.0680, 0.738, 0.0068, 0.0080)]).on(HEAD, 0.0056),
        Piece::new(0x5a2b3a, 0.0062, lashes).on(HEAD, 0.0050),
        Piece::new(0xc26f82, 0.0054, brows).on(HEAD, 0.0034),
        Piece::new(0xb0514f, 0.0054, mouth).on(HEAD, 0.0024),
    ]
}

pub(super) fn hair(rig: &Rig) -> Vec<Piece> {
    let at = |name: &str| rig.at(name);
    let tail = [
        at("J_Sec_L_Hair1") + Vec3::new(0.012, -0.01, 0.0),
        at("J_Sec_L_Hair2"),
        at("J_Sec_L_Hair3"),
        at("J_Sec_L_Hair3") + Vec3::new(-0.012, -0.085, 0.004),
    ];
    let (ear, tip) = (at("J_Sec_L_Ear1"), at("J_Sec_L_Ear2"));
    let fringe = |x: f32, y: f32, lean: f32, both: bool| {
        let turn = Quat::from_rotation_z(lean)
            * Quat::from_rotation_y(2.2 * x)
            * Quat::from_rotation_x(-0.48);
        let lock = part(
            "head",
            turned_ellipsoid([x, y, 0.116 - 0.6 * x * x], [0.036, 0.070, 0.026], turn),
            0.012,
        );
        if both { lock.both() } else { lock }
    };
    let cap = Piece::new(
        HAIR,
        0.0185,
        vec![
            part(
                "head",
                ellipsoid([0.0, 0.790, -0.018], [0.172, 0.170, 0.166]),
                0.0,
            ),
            part(
                "head",
                ellipsoid([0.0, 0.705, -0.085], [0.130, 0.095, 0.075]),
                0.05,
            ),
            part(
                "head",
                cone(
                    Vec3::new(0.140, 0.76, 0.055),
                    Vec3::new(0.134, 0.655, 0.060),
                    0.026,
                    0.010,
                ),
                0.02,
            )
            .both(),
        ],
    )
    .without(ellipsoid([0.0, 0.710, 0.140], [0.128, 0.122, 0.115]), 0.02);
    let locks = Piece::new(
        HAIR,
        0.0125,
        vec![
            fringe(0.0, 0.840, 0.12, false),
            fringe(0.055, 0.845, 0.22, true),
            fringe(0.100, 0.830, 0.34, true),
        ],
    );
    let tails = Piece::new(
        HAIR,
        0.0195,
        vec![
            part("hair*", cone(tail[0], tail[1], 0.030, 0.047), 0.0),
            part("hair*", cone(tail[1], tail[2], 0.047, 0.040), 0.03),
            part("hair*", cone(tail[2], tail[3], 0.040, 0.006), 0.03),
        ],
    );
    let bands = Piece::new(
        0xf7f3ea,
        0.0145,
        vec![part(
            "hair*",
            ellipsoid(tail[0].to_array(), [0.034, 0.026, 0.034]),
            0.0,
        )],
    );
    let lean = Quat::from_rotation_z(-0.38);
    let center = ear.lerp(tip, 0.45);
    let ears = Piece::new(
        HAIR,
        0.0120,
        vec![part(
            "ear*",
            turned_ellipsoid(center.to_array(), [0.048, 0.078, 0.028], lean),
            0.0,
        )],
    )
    .tint(
        turned_ellipsoid(
            (center + Vec3::new(0.0, 0.006, 0.034)).to_array(),
            [0.026, 0.048, 0.022],
            lean,
        ),
        0.006,
        0xfbd9d6,
    );
    vec![cap, locks, tails, bands, ears]
}
