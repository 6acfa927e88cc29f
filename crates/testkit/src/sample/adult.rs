//! The adult: 1.76 m, names and axes as Mixamo gives them, T-pose.

use super::body::{Body, Part, Piece, character, part};
use super::hand::Hand;
use super::rig::{AxisRule, Convention, Hint, Rig, Row, TableRow, build, rows};
use super::sdf::{behind, cone, ellipsoid, round_box, stroke, turned_ellipsoid};
use super::weights::{ChainRow, named};
use glam::{Mat3, Quat, Vec3};
use rebone_model::Character;

const TABLE: &[TableRow] = &[
    ("mixamorig:Hips", "", [0.0, 0.975, 0.0], Hint::Forward),
    ("mixamorig:Spine", "mixamorig:Hips", [0.0, 1.075, -0.004], Hint::Forward),
    ("mixamorig:Spine1", "mixamorig:Spine", [0.0, 1.19, -0.012], Hint::Forward),
    ("mixamorig:Spine2", "mixamorig:Spine1", [0.0, 1.31, -0.02], Hint::Forward),
    ("mixamorig:Neck", "mixamorig:Spine2", [0.0, 1.475, -0.028], Hint::Forward),
    ("mixamorig:Head", "mixamorig:Neck", [0.0, 1.56, -0.005], Hint::Forward),
    ("mixamorig:HeadTop_End", "mixamorig:Head", [0.0, 1.765, 0.0], Hint::Forward),
    ("mixamorig:*Shoulder", "mixamorig:Spine2", [0.05, 1.425, -0.022], Hint::Down),
    ("mixamorig:*Arm", "mixamorig:*Shoulder", [0.175, 1.42, -0.028], Hint::Down),
    ("mixamorig:*ForeArm", "mixamorig:*Arm", [0.45, 1.42, -0.032], Hint::Down),
    ("mixamorig:*Hand", "mixamorig:*ForeArm", [0.70, 1.42, -0.024], Hint::Down),
    ("mixamorig:*UpLeg", "mixamorig:Hips", [0.095, 0.925, 0.0], Hint::Forward),
    ("mixamorig:*Leg", "mixamorig:*UpLeg", [0.095, 0.505, 0.014], Hint::Forward),
    ("mixamorig:*Foot", "mixamorig:*Leg", [0.095, 0.085, -0.018], Hint::Up),
    ("mixamorig:*ToeBase", "mixamorig:*Foot", [0.095, 0.022, 0.108], Hint::Up),
    ("mixamorig:*Toe_End", "mixamorig:*ToeBase", [0.095, 0.022, 0.19], Hint::Up),
];

const CHAINS: &[ChainRow] = &[
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

const SKIN: u32 = 0xe3a883;
const SHIRT: u32 = 0x2f8f8b;
const TROUSERS: u32 = 0x35405e;
const SHOES: u32 = 0xe9e4da;
const HAIR: u32 = 0x4a2c1d;

fn finger_name(finger: &str, joint: usize) -> String {
    format!("mixamorig:*Hand{finger}{}", joint + 1)
}

fn hand() -> Hand<'static> {
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
pub(super) fn rig() -> Rig {
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

/// The adult with its skin.
pub(super) fn adult() -> Character {
    let rig = rig();
    let mut pieces = vec![head(), shirt(&rig), trousers(&rig)];
    pieces.push(hair());
    pieces.extend(face());
    for piece in pieces.iter_mut().filter(|piece| piece.is_of("head")) {
        *piece = piece.clone().scaled([0.0, 1.53, -0.01], 1.1);
    }
    pieces.extend([stripe(), belt(), hands(&rig), shoes()]);
    let mut chains = named(CHAINS);
    chains.extend(hand().chains());
    character(Body {
        name: "adult",
        rig: &rig,
        chains,
        pieces,
    })
}

/// Places among the pieces of those on which others lie.
const HEAD: usize = 0;
const SHIRT_PIECE: usize = 1;
const TROUSERS_PIECE: usize = 2;

fn head() -> Piece {
    let ear = Quat::from_rotation_z(-0.15) * Quat::from_rotation_y(0.35);
    Piece::new(
        SKIN,
        0.0135,
        vec![
            part("head", ellipsoid([0.0, 1.662, -0.004], [0.083, 0.104, 0.099]), 0.0),
            part("head", ellipsoid([0.0, 1.594, 0.022], [0.064, 0.066, 0.072]), 0.05),
            part("head", ellipsoid([0.0, 1.551, 0.060], [0.028, 0.020, 0.024]), 0.035),
            part("head", ellipsoid([0.045, 1.612, 0.052], [0.026, 0.026, 0.026]), 0.03).both(),
            part("head", cone(Vec3::new(0.0, 1.648, 0.086), Vec3::new(0.0, 1.620, 0.103), 0.007, 0.0115), 0.016),
            part("head", ellipsoid([0.011, 1.616, 0.096], [0.008, 0.007, 0.009]), 0.01).both(),
            part("head", turned_ellipsoid([0.084, 1.628, -0.004], [0.010, 0.030, 0.020], ear), 0.006).both(),
            part("trunk", cone(Vec3::new(0.0, 1.42, -0.034), Vec3::new(0.0, 1.56, -0.012), 0.060, 0.052), 0.03),
        ],
    )
    .tint(ellipsoid([0.050, 1.606, 0.080], [0.022, 0.016, 0.03]), 0.012, 0xdc8d72)
    .tint(ellipsoid([-0.050, 1.606, 0.080], [0.022, 0.016, 0.03]), 0.012, 0xdc8d72)
    .soft(0.02)
}

fn face() -> Vec<Piece> {
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
        Piece::new(0xfaf8f4, 0.0042, vec![oval(0.034, 1.652, 0.0185, 0.0165)]).on(HEAD, 0.0014),
        Piece::new(0x4b2f1c, 0.0034, vec![oval(0.0335, 1.651, 0.0112, 0.0138)]).on(HEAD, 0.0026),
        Piece::new(0xffffff, 0.0022, vec![oval(0.0375, 1.656, 0.0036, 0.0036)]).on(HEAD, 0.0036),
        Piece::new(HAIR, 0.0046, brows).on(HEAD, 0.0038),
        Piece::new(0x9c4a42, 0.0042, mouth).on(HEAD, 0.0020),
    ]
}

fn hair() -> Piece {
    Piece::new(
        HAIR,
        0.0165,
        vec![
            part("head", ellipsoid([0.0, 1.683, -0.020], [0.096, 0.104, 0.107]), 0.0),
            part("head", ellipsoid([0.0, 1.640, -0.060], [0.080, 0.080, 0.060]), 0.03),
            part("head", turned_ellipsoid([0.030, 1.752, 0.050], [0.055, 0.026, 0.050], Quat::from_rotation_z(-0.25)), 0.03),
            part("head", ellipsoid([-0.040, 1.744, 0.046], [0.036, 0.024, 0.046]), 0.03),
        ],
    )
    .without(ellipsoid([0.0, 1.622, 0.085], [0.078, 0.086, 0.085]), 0.016)
    .without(ellipsoid([0.085, 1.620, 0.020], [0.03, 0.050, 0.036]), 0.014)
    .without(ellipsoid([-0.085, 1.620, 0.020], [0.03, 0.050, 0.036]), 0.014)
}

/// Hips, waist and ribs, `over` metres wider than the body.
fn trunk(over: f32) -> Vec<Part> {
    let ring = |y: f32, z: f32, x_radius: f32, y_radius: f32, z_radius: f32| {
        ellipsoid([0.0, y, z], [x_radius + over, y_radius, z_radius + over])
    };
    vec![
        part("trunk", ring(0.965, -0.012, 0.148, 0.125, 0.104), 0.0),
        part("trunk", ring(1.10, -0.004, 0.132, 0.150, 0.092), 0.09),
        part("trunk", ring(1.275, -0.018, 0.158, 0.165, 0.108), 0.09),
    ]
}

fn shirt(rig: &Rig) -> Piece {
    let at = |name: &str| rig.at(name);
    let (arm, elbow, wrist) = (
        at("mixamorig:LeftArm"),
        at("mixamorig:LeftForeArm"),
        at("mixamorig:LeftHand"),
    );
    let mut parts = trunk(0.012);
    parts.extend([
        part("trunk", cone(Vec3::new(0.0, 1.385, -0.03), Vec3::new(0.0, 1.45, -0.034), 0.088, 0.066), 0.07),
        part("trunk", ellipsoid([0.066, 1.325, 0.052], [0.075, 0.062, 0.040]), 0.06).both(),
        part("arm*", cone(Vec3::new(0.075, 1.405, -0.03), arm + Vec3::new(-0.015, -0.006, 0.0), 0.066, 0.066), 0.06),
        part("arm*", cone(arm, elbow, 0.063, 0.049), 0.03),
        part("arm*", cone(elbow, wrist + Vec3::new(-0.035, 0.0, 0.0), 0.048, 0.041), 0.02),
        part("leg*", cone(at("mixamorig:LeftUpLeg"), at("mixamorig:LeftLeg"), 0.095, 0.06), 0.0).ghost(),
    ]);
    Piece::new(SHIRT, 0.0235, parts)
        .within(behind([0.0, 0.995, 0.0], [0.0, -1.0, 0.0]))
        .within(behind([0.668, 0.0, 0.0], [1.0, 0.0, 0.0]))
        .within(behind([-0.668, 0.0, 0.0], [-1.0, 0.0, 0.0]))
        .without(ellipsoid([0.0, 1.51, 0.012], [0.068, 0.050, 0.085]), 0.012)
        .soft(0.035)
}

fn stripe() -> Piece {
    let band = round_box([0.0, 1.272, 0.0], [0.178, 0.020, 0.2], 0.004);
    let ribs = ellipsoid([0.0, 1.275, -0.018], [0.2, 0.2, 0.2]);
    Piece::new(0xf0e6d2, 0.0135, vec![part("trunk", ribs, 0.0)])
        .within(band)
        .on(SHIRT_PIECE, 0.004)
}

fn trousers(rig: &Rig) -> Piece {
    let at = |name: &str| rig.at(name);
    let (hip, knee, ankle) = (
        at("mixamorig:LeftUpLeg"),
        at("mixamorig:LeftLeg"),
        at("mixamorig:LeftFoot"),
    );
    let hem = ankle + Vec3::new(0.0, -0.03, 0.006);
    let mut parts = vec![
        part("trunk", ellipsoid([0.0, 0.965, -0.012], [0.154, 0.110, 0.110]), 0.0),
        part("trunk", ellipsoid([0.0, 0.90, -0.012], [0.115, 0.07, 0.095]), 0.04),
    ];
    parts.extend([
        part("leg*", ellipsoid([0.080, 0.905, -0.050], [0.080, 0.088, 0.080]), 0.03),
        part("leg*", cone(hip + Vec3::new(-0.003, -0.02, -0.004), knee, 0.088, 0.064), 0.045),
        part("leg*", cone(knee, hem, 0.063, 0.052), 0.02),
        part("leg*", ellipsoid([0.097, 0.385, -0.018], [0.056, 0.110, 0.060]), 0.03),
    ]);
    Piece::new(TROUSERS, 0.0235, parts)
        .within(behind([0.0, 1.02, 0.0], [0.0, 1.0, 0.0]))
        .within(behind([0.0, 0.072, 0.0], [0.0, -1.0, 0.0]))
        .soft(0.04)
}

fn belt() -> Piece {
    let hips = ellipsoid([0.0, 0.985, -0.010], [0.2, 0.16, 0.2]);
    Piece::new(0x5b3a24, 0.0135, vec![part("trunk", hips, 0.0)])
        .within(round_box([0.0, 0.984, 0.0], [0.3, 0.017, 0.3], 0.004))
        .on(TROUSERS_PIECE, 0.007)
}

fn hands(rig: &Rig) -> Piece {
    let (elbow, wrist) = (rig.at("mixamorig:LeftForeArm"), rig.at("mixamorig:LeftHand"));
    let mut parts = vec![part("arm*", cone(elbow.lerp(wrist, 0.72), wrist, 0.031, 0.0245), 0.0)];
    parts.extend(hand().parts());
    Piece::new(SKIN, 0.0092, parts).soft(0.006)
}

fn shoes() -> Piece {
    let parts = vec![
        part("leg*", cone(Vec3::new(0.095, 0.115, -0.018), Vec3::new(0.095, 0.060, -0.022), 0.040, 0.042), 0.0),
        part("leg*", ellipsoid([0.095, 0.042, -0.026], [0.042, 0.050, 0.052]), 0.02),
        part("leg*", cone(Vec3::new(0.095, 0.062, 0.0), Vec3::new(0.096, 0.038, 0.120), 0.042, 0.036), 0.03),
        part("leg*", ellipsoid([0.099, 0.034, 0.135], [0.048, 0.038, 0.068]), 0.03),
        part("leg*", round_box([0.097, 0.016, 0.058], [0.046, 0.016, 0.130], 0.016), 0.012),
    ];
    Piece::new(SHOES, 0.0155, parts)
        .within(behind([0.0, 0.0, 0.0], [0.0, -1.0, 0.0]))
        .tint(behind([0.0, 0.022, 0.0], [0.0, 1.0, 0.0]), 0.004, 0xffffff)
        .tint(ellipsoid([0.095, 0.062, 0.045], [0.06, 0.03, 0.034]), 0.006, 0xd9643a)
        .tint(ellipsoid([-0.095, 0.062, 0.045], [0.06, 0.03, 0.034]), 0.006, 0xd9643a)
}
