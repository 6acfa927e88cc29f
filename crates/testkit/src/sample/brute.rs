//! The brute: 2 m and broad, names and axes as Unreal gives them, A-pose, five spine joints, twists.

use super::body::{Body, Piece, character, part};
use super::hand::Hand;
use super::rig::{AxisRule, Convention, Hint, Rig, TableRow, build, rows};
use super::sdf::{behind, cone, ellipsoid, round_box, stroke, turned_ellipsoid};
use super::weights::{ChainRow, named};
use glam::{Mat3, Quat, Vec3};
use rebone_model::Character;

/// The arms hang 50° below the horizontal.
const ARM: Vec3 = Vec3::new(0.642_787_6, -0.766_044_4, 0.0);
const SHOULDER: Vec3 = Vec3::new(0.268, 1.545, -0.03);
const UPPER_ARM: f32 = 0.345;
const LOWER_ARM: f32 = 0.325;

const TABLE: &[TableRow] = &[
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
    ("clavicle_*", "spine_05", [0.06, 1.555, -0.03], Hint::Forward),
    ("thigh_*", "pelvis", [0.135, 0.88, 0.0], Hint::Forward),
    ("calf_*", "thigh_*", [0.150, 0.485, 0.014], Hint::Forward),
    ("foot_*", "calf_*", [0.158, 0.095, -0.022], Hint::Up),
    ("ball_*", "foot_*", [0.172, 0.028, 0.125], Hint::Up),
    ("thigh_twist_01_*", "thigh_*", [0.1425, 0.6825, 0.007], Hint::Forward),
    ("calf_twist_01_*", "calf_*", [0.154, 0.290, -0.004], Hint::Forward),
];

const CHAINS: &[ChainRow] = &[
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

const SKIN: u32 = 0xc98a68;
const VEST: u32 = 0x7a3b2e;
const TROUSERS: u32 = 0x4c4a42;
const LEATHER: u32 = 0x3a2a20;
const BEARD: u32 = 0x9c4f22;

const HEAD: usize = 0;
const TROUSERS_PIECE: usize = 1;

fn finger_name(finger: &str, joint: usize) -> String {
    format!("{}_0{}_*", finger.to_lowercase(), joint + 1)
}

fn along_arm(distance: f32) -> Vec3 {
    SHOULDER + ARM * distance
}

fn hand() -> Hand<'static> {
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
fn rig() -> Rig {
    let mut table = rows(TABLE);
    let arm: [(&'static str, &'static str, f32); 5] = [
        ("upperarm_*", "clavicle_*", 0.0),
        ("lowerarm_*", "upperarm_*", UPPER_ARM),
        ("hand_*", "lowerarm_*", UPPER_ARM + LOWER_ARM),
        ("upperarm_twist_01_*", "upperarm_*", 0.5 * UPPER_ARM),
        ("lowerarm_twist_01_*", "lowerarm_*", UPPER_ARM + 0.55 * LOWER_ARM),
    ];
    for (name, parent, distance) in arm {
        table.extend(rows(&[(name, parent, along_arm(distance).to_array(), Hint::Forward)]));
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

/// The brute with its skin.
pub(super) fn brute() -> Character {
    let rig = rig();
    let mut pieces = vec![head(), trousers(&rig), arms(), hands(), vest(&rig), beard()];
    pieces.extend(face());
    pieces.extend(leather());
    let mut chains = named(CHAINS);
    chains.extend(hand().chains());
    character(Body {
        name: "brute",
        rig: &rig,
        chains,
        pieces,
    })
}

fn head() -> Piece {
    let ear = Quat::from_rotation_z(-0.2) * Quat::from_rotation_y(0.4);
    Piece::new(
        SKIN,
        0.0165,
        vec![
            part("head", ellipsoid([0.0, 1.845, 0.02], [0.092, 0.118, 0.112]), 0.0),
            part("head", ellipsoid([0.0, 1.765, 0.05], [0.082, 0.075, 0.082]), 0.05),
            part("head", ellipsoid([0.036, 1.868, 0.112], [0.036, 0.014, 0.020]), 0.025).both(),
            part("head", cone(Vec3::new(0.0, 1.838, 0.122), Vec3::new(0.0, 1.808, 0.146), 0.012, 0.020), 0.02),
            part("head", ellipsoid([0.018, 1.803, 0.132], [0.013, 0.011, 0.014]), 0.012).both(),
            part("head", turned_ellipsoid([0.097, 1.815, 0.018], [0.013, 0.036, 0.025], ear), 0.008).both(),
            part("trunk", cone(Vec3::new(0.0, 1.56, -0.03), Vec3::new(0.0, 1.74, 0.005), 0.094, 0.078), 0.04),
        ],
    )
    .tint(ellipsoid([0.0, 1.803, 0.15], [0.026, 0.022, 0.03]), 0.014, 0xbf6f55)
    .tint(turned_ellipsoid([0.0, 1.99, 0.0], [0.10, 0.07, 0.10], Quat::IDENTITY), 0.05, 0xd29673)
    .soft(0.03)
}

fn face() -> Vec<Piece> {
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

fn beard() -> Piece {
    Piece::new(
        BEARD,
        0.0175,
        vec![
            part("head", ellipsoid([0.0, 1.745, 0.060], [0.088, 0.072, 0.082]), 0.0),
            part("head", ellipsoid([0.0, 1.690, 0.090], [0.056, 0.070, 0.050]), 0.04),
            part("head", cone(Vec3::new(0.0, 1.786, 0.130), Vec3::new(0.052, 1.768, 0.108), 0.017, 0.012), 0.015).both(),
            part("head", cone(Vec3::new(0.086, 1.83, 0.035), Vec3::new(0.078, 1.77, 0.055), 0.013, 0.02), 0.03).both(),
        ],
    )
    .without(ellipsoid([0.0, 1.7625, 0.150], [0.030, 0.012, 0.030]), 0.008)
}

fn vest(rig: &Rig) -> Piece {
    let ring = |y: f32, z: f32, radii: [f32; 3], blend: f32| {
        part("trunk", ellipsoid([0.0, y, z], radii), blend)
    };
    let parts = vec![
        ring(1.00, 0.012, [0.205, 0.15, 0.165], 0.0),
        ring(1.14, 0.030, [0.205, 0.16, 0.178], 0.10),
        ring(1.34, -0.020, [0.242, 0.19, 0.168], 0.12),
        part("trunk", cone(Vec3::new(0.0, 1.48, -0.04), Vec3::new(0.145, 1.52, -0.04), 0.115, 0.088), 0.09).both(),
        part("trunk", ellipsoid([0.098, 1.40, 0.078], [0.112, 0.080, 0.062]), 0.07).both(),
        part("trunk", cone(Vec3::new(0.0, 1.56, -0.035), Vec3::new(0.0, 1.64, -0.02), 0.125, 0.09), 0.06),
        part("arm*", cone(SHOULDER, along_arm(0.2), 0.075, 0.07), 0.0).ghost(),
        part("leg*", cone(rig.at("thigh_l"), rig.at("calf_l"), 0.125, 0.08), 0.0).ghost(),
    ];
    Piece::new(VEST, 0.029, parts)
        .within(behind([0.0, 0.945, 0.0], [0.0, -1.0, 0.0]))
        .without(ellipsoid([0.0, 1.66, 0.060], [0.118, 0.130, 0.120]), 0.02)
        .without(turned_ellipsoid([0.330, 1.49, -0.03], [0.100, 0.165, 0.150], Quat::from_rotation_z(0.30)), 0.02)
        .without(turned_ellipsoid([-0.330, 1.49, -0.03], [0.100, 0.165, 0.150], Quat::from_rotation_z(-0.30)), 0.02)
        .soft(0.05)
}

fn arms() -> Piece {
    let parts = vec![
        part("trunk", ellipsoid([0.0, 1.42, -0.015], [0.205, 0.160, 0.140]), 0.0),
        part("arm*", cone(Vec3::new(0.16, 1.535, -0.03), SHOULDER + Vec3::new(-0.012, -0.008, 0.0), 0.075, 0.092), 0.07),
        part("arm*", cone(along_arm(0.02), along_arm(UPPER_ARM), 0.088, 0.063), 0.05),
        part("arm*", turned_ellipsoid((along_arm(0.19) + Vec3::Z * 0.018).to_array(), [0.088, 0.115, 0.078], Quat::from_rotation_z(0.698)), 0.04),
        part("arm*", cone(along_arm(UPPER_ARM), along_arm(UPPER_ARM + LOWER_ARM), 0.062, 0.042), 0.03),
        part("arm*", turned_ellipsoid(along_arm(UPPER_ARM + 0.10).to_array(), [0.076, 0.125, 0.074], Quat::from_rotation_z(0.698)), 0.04),
    ];
    Piece::new(SKIN, 0.025, parts).soft(0.02)
}

fn hands() -> Piece {
    let wrist = UPPER_ARM + LOWER_ARM;
    let cuff = cone(along_arm(wrist - 0.09), along_arm(wrist), 0.044, 0.036);
    let mut parts = vec![part("arm*", cuff, 0.0)];
    parts.extend(hand().parts());
    Piece::new(SKIN, 0.0125, parts).soft(0.008)
}

fn trousers(rig: &Rig) -> Piece {
    let (hip, knee, ankle) = (rig.at("thigh_l"), rig.at("calf_l"), rig.at("foot_l"));
    let parts = vec![
        part("trunk", ellipsoid([0.0, 0.935, -0.005], [0.200, 0.125, 0.150]), 0.0),
        part("trunk", ellipsoid([0.0, 0.85, -0.01], [0.14, 0.08, 0.115]), 0.05),
        part("leg*", ellipsoid([0.105, 0.865, -0.062], [0.100, 0.100, 0.095]), 0.04),
        part("leg*", cone(hip + Vec3::new(-0.004, -0.03, 0.0), knee, 0.117, 0.084), 0.05),
        part("leg*", cone(knee, ankle + Vec3::new(0.0, 0.03, 0.008), 0.082, 0.066), 0.03),
        part("leg*", ellipsoid([0.155, 0.36, -0.022], [0.080, 0.115, 0.082]), 0.04),
    ];
    Piece::new(TROUSERS, 0.029, parts)
        .within(behind([0.0, 0.2, 0.0], [0.0, -1.0, 0.0]))
        .within(behind([0.0, 0.985, 0.0], [0.0, 1.0, 0.0]))
        .soft(0.05)
}

/// Belt with its buckle, bracers and boots.
fn leather() -> Vec<Piece> {
    let hips = || part("trunk", ellipsoid([0.0, 0.95, 0.0], [0.26, 0.2, 0.24]), 0.0);
    let bracer = |from: f32, to: f32| {
        let start = UPPER_ARM + LOWER_ARM;
        part("arm*", cone(along_arm(start - from), along_arm(start - to), 0.064, 0.052), 0.0)
    };
    let boots = vec![
        part("leg*", cone(Vec3::new(0.156, 0.255, -0.014), Vec3::new(0.158, 0.10, -0.022), 0.083, 0.066), 0.0),
        part("leg*", ellipsoid([0.158, 0.055, -0.034], [0.060, 0.064, 0.066]), 0.03),
        part("leg*", cone(Vec3::new(0.159, 0.082, 0.0), Vec3::new(0.174, 0.052, 0.145), 0.063, 0.052), 0.04),
        part("leg*", ellipsoid([0.178, 0.046, 0.165], [0.067, 0.050, 0.078]), 0.03),
        part("leg*", round_box([0.168, 0.019, 0.067], [0.064, 0.019, 0.160], 0.018), 0.014),
    ];
    vec![
        Piece::new(LEATHER, 0.020, vec![hips()])
            .within(round_box([0.0, 0.925, 0.0], [0.4, 0.028, 0.4], 0.005))
            .on(TROUSERS_PIECE, 0.016),
        Piece::new(0xd9a441, 0.0125, vec![part("trunk", round_box([0.0, 0.925, 0.15], [0.045, 0.034, 0.08], 0.01), 0.0)])
            .on(TROUSERS_PIECE, 0.026),
        Piece::new(LEATHER, 0.0165, vec![bracer(0.150, 0.050)]),
        Piece::new(LEATHER, 0.0195, boots)
            .within(behind([0.0, 0.0, 0.0], [0.0, -1.0, 0.0]))
            .within(behind([0.0, 0.285, 0.0], [0.0, 1.0, 0.0]))
            .tint(behind([0.0, 0.026, 0.0], [0.0, 1.0, 0.0]), 0.005, 0x231a15),
    ]
}
