//! The chibi: 1 m tall, a third of it head, VRM 1.0: no joint is turned, the file labels them. T-pose.

use super::body::{Body, Piece, character, part};
use super::hand::Hand;
use super::rig::{AxisRule, Convention, Hint, Rig, TableRow, build, rows};
use super::sdf::{behind, cone, ellipsoid, round_box, stroke, turned_ellipsoid};
use super::weights::{ChainRow, named};
use glam::{Mat3, Quat, Vec3};
use rebone_model::{Character, JointLabel};

const TABLE: &[TableRow] = &[
    ("Root", "", [0.0, 0.0, 0.0], Hint::Model),
    ("J_Bip_C_Hips", "Root", [0.0, 0.325, 0.0], Hint::Model),
    ("J_Bip_C_Spine", "J_Bip_C_Hips", [0.0, 0.375, -0.002], Hint::Model),
    ("J_Bip_C_Chest", "J_Bip_C_Spine", [0.0, 0.445, -0.006], Hint::Model),
    ("J_Bip_C_Neck", "J_Bip_C_Chest", [0.0, 0.565, -0.008], Hint::Model),
    ("J_Bip_C_Head", "J_Bip_C_Neck", [0.0, 0.600, -0.004], Hint::Model),
    ("J_Adj_*_FaceEye", "J_Bip_C_Head", [0.062, 0.725, 0.085], Hint::Model),
    ("J_Sec_*_Ear1", "J_Bip_C_Head", [0.085, 0.895, -0.01], Hint::Model),
    ("J_Sec_*_Ear2", "J_Sec_*_Ear1", [0.105, 0.945, -0.012], Hint::Model),
    ("J_Sec_*_Hair1", "J_Bip_C_Head", [0.150, 0.790, -0.075], Hint::Model),
    ("J_Sec_*_Hair2", "J_Sec_*_Hair1", [0.205, 0.700, -0.090], Hint::Model),
    ("J_Sec_*_Hair3", "J_Sec_*_Hair2", [0.222, 0.590, -0.090], Hint::Model),
    ("J_Bip_*_Shoulder", "J_Bip_C_Chest", [0.022, 0.540, -0.008], Hint::Model),
    ("J_Bip_*_UpperArm", "J_Bip_*_Shoulder", [0.075, 0.535, -0.010], Hint::Model),
    ("J_Bip_*_LowerArm", "J_Bip_*_UpperArm", [0.175, 0.535, -0.012], Hint::Model),
    ("J_Bip_*_Hand", "J_Bip_*_LowerArm", [0.268, 0.535, -0.008], Hint::Model),
    ("J_Bip_*_UpperLeg", "J_Bip_C_Hips", [0.055, 0.300, 0.0], Hint::Model),
    ("J_Bip_*_LowerLeg", "J_Bip_*_UpperLeg", [0.058, 0.170, 0.006], Hint::Model),
    ("J_Bip_*_Foot", "J_Bip_*_LowerLeg", [0.060, 0.048, -0.012], Hint::Model),
    ("J_Bip_*_ToeBase", "J_Bip_*_Foot", [0.064, 0.016, 0.048], Hint::Model),
];

const CHAINS: &[ChainRow] = &[
    (
        "trunk",
        &[
            ("J_Bip_C_Hips", 0.0),
            ("J_Bip_C_Spine", 0.035),
            ("J_Bip_C_Chest", 0.04),
            ("J_Bip_C_Neck", 0.02),
            ("J_Bip_C_Head", 0.015),
        ],
    ),
    ("head", &[("J_Bip_C_Head", 0.0)]),
    ("eye*", &[("J_Adj_*_FaceEye", 0.0)]),
    (
        "ear*",
        &[("J_Bip_C_Head", 0.0), ("J_Sec_*_Ear1", 0.012), ("J_Sec_*_Ear2", 0.02)],
    ),
    (
        "hair*",
        &[
            ("J_Bip_C_Head", 0.0),
            ("J_Sec_*_Hair1", 0.02),
            ("J_Sec_*_Hair2", 0.04),
            ("J_Sec_*_Hair3", 0.04),
        ],
    ),
    (
        "arm*",
        &[
            ("J_Bip_C_Chest", 0.0),
            ("J_Bip_*_Shoulder", 0.02),
            ("J_Bip_*_UpperArm", 0.03),
            ("J_Bip_*_LowerArm", 0.025),
            ("J_Bip_*_Hand", 0.015),
        ],
    ),
    (
        "leg*",
        &[
            ("J_Bip_C_Hips", 0.0),
            ("J_Bip_*_UpperLeg", 0.04),
            ("J_Bip_*_LowerLeg", 0.035),
            ("J_Bip_*_Foot", 0.022),
            ("J_Bip_*_ToeBase", 0.018),
        ],
    ),
];

/// Label of VRM 1.0 (`*` stands for left or right) and joint (`*` stands for L or R).
const LABELS: &[(&str, &str)] = &[
    ("hips", "J_Bip_C_Hips"),
    ("spine", "J_Bip_C_Spine"),
    ("chest", "J_Bip_C_Chest"),
    ("neck", "J_Bip_C_Neck"),
    ("head", "J_Bip_C_Head"),
    ("*Eye", "J_Adj_*_FaceEye"),
    ("*Shoulder", "J_Bip_*_Shoulder"),
    ("*UpperArm", "J_Bip_*_UpperArm"),
    ("*LowerArm", "J_Bip_*_LowerArm"),
    ("*Hand", "J_Bip_*_Hand"),
    ("*UpperLeg", "J_Bip_*_UpperLeg"),
    ("*LowerLeg", "J_Bip_*_LowerLeg"),
    ("*Foot", "J_Bip_*_Foot"),
    ("*Toes", "J_Bip_*_ToeBase"),
    ("*ThumbMetacarpal", "J_Bip_*_Thumb1"),
    ("*ThumbProximal", "J_Bip_*_Thumb2"),
    ("*ThumbDistal", "J_Bip_*_Thumb3"),
    ("*IndexProximal", "J_Bip_*_Index1"),
    ("*IndexIntermediate", "J_Bip_*_Index2"),
    ("*IndexDistal", "J_Bip_*_Index3"),
    ("*MiddleProximal", "J_Bip_*_Middle1"),
    ("*MiddleIntermediate", "J_Bip_*_Middle2"),
    ("*MiddleDistal", "J_Bip_*_Middle3"),
    ("*RingProximal", "J_Bip_*_Ring1"),
    ("*RingIntermediate", "J_Bip_*_Ring2"),
    ("*RingDistal", "J_Bip_*_Ring3"),
    ("*LittleProximal", "J_Bip_*_Little1"),
    ("*LittleIntermediate", "J_Bip_*_Little2"),
    ("*LittleDistal", "J_Bip_*_Little3"),
];

const SKIN: u32 = 0xf6cdb0;
const HAIR: u32 = 0xe58fa0;
const HOODIE: u32 = 0xf2c14e;
const SHORTS: u32 = 0x3f5d8a;
const BOOTS: u32 = 0x8a5a44;

const HEAD: usize = 0;
const HOODIE_PIECE: usize = 1;

fn finger_name(finger: &str, joint: usize) -> String {
    let finger = if finger == "Pinky" { "Little" } else { finger };
    format!("J_Bip_*_{finger}{}", joint + 1)
}

fn hand() -> Hand<'static> {
    Hand {
        joint: "J_Bip_*_Hand",
        arm_chain: "arm*",
        wrist: Vec3::new(0.268, 0.535, -0.008),
        axes: Mat3::IDENTITY,
        size: 0.46,
        thickness: 1.5,
        names: finger_name,
        hint: Hint::Model,
    }
}

fn rig() -> Rig {
    let mut table = rows(TABLE);
    table.extend(hand().rows());
    build(
        &table,
        Convention {
            sides: ["L", "R"],
            axes: AxisRule::Model,
        },
    )
}

/// The chibi with its skin and labels.
pub(super) fn chibi() -> Character {
    let rig = rig();
    let mut pieces = vec![head(), hoodie(&rig), shorts(&rig), legs(&rig), boots(&rig), hands(&rig)];
    pieces.extend(hair(&rig));
    pieces.extend(face());
    pieces.extend(trimmings());
    let mut chains = named(CHAINS);
    chains.extend(hand().chains());
    let labels = labels(&rig);
    let mut character = character(Body {
        name: "chibi",
        rig: &rig,
        chains,
        pieces,
    });
    character.label_system = "vrm-1".to_owned();
    character.labels = labels;
    character
}

fn labels(rig: &Rig) -> Vec<JointLabel> {
    let mut labels = Vec::new();
    for (label, joint) in LABELS {
        let sides: &[(&str, &str)] = if label.contains('*') {
            &[("left", "L"), ("right", "R")]
        } else {
            &[("", "")]
        };
        for (side, letter) in sides {
            labels.push(JointLabel {
                joint: rig.joint(&joint.replace('*', letter)),
                label: label.replace('*', side),
            });
        }
    }
    labels
}

fn head() -> Piece {
    Piece::new(
        SKIN,
        0.0135,
        vec![
            part("head", ellipsoid([0.0, 0.770, -0.004], [0.152, 0.158, 0.148]), 0.0),
            part("head", ellipsoid([0.0, 0.680, 0.022], [0.118, 0.086, 0.110]), 0.08),
            part("head", ellipsoid([0.075, 0.680, 0.050], [0.052, 0.048, 0.055]), 0.05).both(),
            part("head", ellipsoid([0.0, 0.693, 0.136], [0.010, 0.008, 0.011]), 0.014),
            part("trunk", cone(Vec3::new(0.0, 0.53, -0.010), Vec3::new(0.0, 0.62, -0.006), 0.036, 0.034), 0.02),
        ],
    )
    .tint(ellipsoid([0.092, 0.673, 0.10], [0.030, 0.020, 0.05]), 0.016, 0xf2a097)
    .tint(ellipsoid([-0.092, 0.673, 0.10], [0.030, 0.020, 0.05]), 0.016, 0xf2a097)
    .soft(0.015)
}

fn face() -> Vec<Piece> {
    let oval = |x: f32, y: f32, wide: f32, high: f32| {
        part("eye*", ellipsoid([x, y, 0.115], [wide, high, 0.07]), 0.0)
    };
    let line = |from: [f32; 2], to: [f32; 2], radii: [f32; 2]| {
        part("head", stroke(from, to, radii, [0.06, 0.17]), 0.004).both()
    };
    let lashes = vec![
        line([0.034, 0.752], [0.058, 0.766], [0.0048, 0.0068]),
        line([0.058, 0.766], [0.088, 0.754], [0.0068, 0.0050]),
        line([0.088, 0.754], [0.096, 0.746], [0.0050, 0.0026]),
    ];
    let brows = vec![line([0.036, 0.797], [0.082, 0.800], [0.0036, 0.0034])];
    let mouth = vec![
        line([0.0, 0.6520], [0.012, 0.6540], [0.0042, 0.0040]),
        line([0.012, 0.6540], [0.022, 0.6605], [0.0040, 0.0026]),
    ];
    vec![
        Piece::new(0xfffdfa, 0.0068, vec![oval(0.062, 0.724, 0.030, 0.036)]).on(HEAD, 0.0018),
        Piece::new(0x3f7fa6, 0.0052, vec![oval(0.0600, 0.724, 0.0215, 0.0315)])
            .on(HEAD, 0.0032)
            .tint(behind([0.0, 0.726, 0.0], [0.0, -1.0, 0.0]), 0.014, 0x1e3f63),
        Piece::new(0x16202e, 0.0044, vec![oval(0.0595, 0.726, 0.0110, 0.0170)]).on(HEAD, 0.0044),
        Piece::new(0xffffff, 0.0034, vec![oval(0.0680, 0.738, 0.0068, 0.0080)]).on(HEAD, 0.0056),
        Piece::new(0x5a2b3a, 0.0062, lashes).on(HEAD, 0.0050),
        Piece::new(0xc26f82, 0.0054, brows).on(HEAD, 0.0034),
        Piece::new(0xb0514f, 0.0054, mouth).on(HEAD, 0.0024),
    ]
}

fn hair(rig: &Rig) -> Vec<Piece> {
    let at = |name: &str| rig.at(name);
    let tail = [
        at("J_Sec_L_Hair1") + Vec3::new(0.012, -0.01, 0.0),
        at("J_Sec_L_Hair2"),
        at("J_Sec_L_Hair3"),
        at("J_Sec_L_Hair3") + Vec3::new(-0.012, -0.085, 0.004),
    ];
    let (ear, tip) = (at("J_Sec_L_Ear1"), at("J_Sec_L_Ear2"));
    let fringe = |x: f32, y: f32, lean: f32, both: bool| {
        let turn = Quat::from_rotation_z(lean) * Quat::from_rotation_x(-0.30);
        let lock = part("head", turned_ellipsoid([x, y, 0.118], [0.036, 0.062, 0.026], turn), 0.012);
        if both { lock.both() } else { lock }
    };
    let cap = Piece::new(
        HAIR,
        0.0150,
        vec![
            part("head", ellipsoid([0.0, 0.790, -0.018], [0.172, 0.170, 0.166]), 0.0),
            part("head", ellipsoid([0.0, 0.705, -0.085], [0.130, 0.095, 0.075]), 0.05),
            part("head", cone(Vec3::new(0.140, 0.76, 0.055), Vec3::new(0.134, 0.655, 0.060), 0.026, 0.010), 0.02).both(),
        ],
    )
    .without(ellipsoid([0.0, 0.710, 0.140], [0.128, 0.122, 0.115]), 0.02);
    let locks = Piece::new(
        HAIR,
        0.0125,
        vec![
            fringe(0.0, 0.835, 0.15, false),
            fringe(0.055, 0.838, 0.30, true),
            fringe(0.098, 0.825, 0.45, true),
        ],
    );
    let tails = Piece::new(
        HAIR,
        0.0165,
        vec![
            part("hair*", cone(tail[0], tail[1], 0.030, 0.047), 0.0),
            part("hair*", cone(tail[1], tail[2], 0.047, 0.040), 0.03),
            part("hair*", cone(tail[2], tail[3], 0.040, 0.006), 0.03),
        ],
    );
    let bands = Piece::new(
        0xf7f3ea,
        0.0125,
        vec![part("hair*", ellipsoid(tail[0].to_array(), [0.034, 0.026, 0.034]), 0.0)],
    );
    let lean = Quat::from_rotation_z(-0.38);
    let center = ear.lerp(tip, 0.45);
    let ears = Piece::new(
        HAIR,
        0.0120,
        vec![
            part("ear*", turned_ellipsoid(center.to_array(), [0.048, 0.078, 0.028], lean), 0.0),
        ],
    )
    .tint(turned_ellipsoid((center + Vec3::new(0.0, 0.006, 0.034)).to_array(), [0.026, 0.048, 0.022], lean), 0.006, 0xfbd9d6);
    vec![cap, locks, tails, bands, ears]
}

fn hoodie(rig: &Rig) -> Piece {
    let at = |name: &str| rig.at(name);
    let (arm, elbow, wrist) = (
        at("J_Bip_L_UpperArm"),
        at("J_Bip_L_LowerArm"),
        at("J_Bip_L_Hand"),
    );
    let parts = vec![
        part("trunk", ellipsoid([0.0, 0.345, -0.002], [0.118, 0.075, 0.100]), 0.0),
        part("trunk", ellipsoid([0.0, 0.440, -0.004], [0.092, 0.110, 0.080]), 0.06),
        part("trunk", cone(Vec3::new(0.0, 0.52, -0.010), Vec3::new(0.050, 0.530, -0.010), 0.060, 0.044), 0.05).both(),
        part("arm*", cone(arm + Vec3::new(-0.015, -0.002, 0.0), elbow, 0.040, 0.038), 0.03),
        part("arm*", cone(elbow, wrist + Vec3::new(0.0, 0.0, 0.0), 0.038, 0.044), 0.015),
        part("leg*", cone(at("J_Bip_L_UpperLeg"), at("J_Bip_L_LowerLeg"), 0.058, 0.04), 0.0).ghost(),
    ];
    Piece::new(HOODIE, 0.0160, parts)
        .within(behind([0.0, 0.305, 0.0], [0.0, -1.0, 0.0]))
        .within(behind([0.262, 0.0, 0.0], [1.0, 0.0, 0.0]))
        .within(behind([-0.262, 0.0, 0.0], [-1.0, 0.0, 0.0]))
        .soft(0.022)
}

fn shorts(rig: &Rig) -> Piece {
    let (hip, knee) = (rig.at("J_Bip_L_UpperLeg"), rig.at("J_Bip_L_LowerLeg"));
    let parts = vec![
        part("trunk", ellipsoid([0.0, 0.310, -0.004], [0.104, 0.060, 0.084]), 0.0),
        part("leg*", cone(hip + Vec3::new(0.0, -0.005, -0.003), hip.lerp(knee, 0.72), 0.060, 0.062), 0.025),
    ];
    Piece::new(SHORTS, 0.0160, parts)
        .within(behind([0.0, 0.196, 0.0], [0.0, -1.0, 0.0]))
        .soft(0.022)
}

fn legs(rig: &Rig) -> Piece {
    let (hip, knee, ankle) = (
        rig.at("J_Bip_L_UpperLeg"),
        rig.at("J_Bip_L_LowerLeg"),
        rig.at("J_Bip_L_Foot"),
    );
    let parts = vec![
        part("leg*", cone(hip.lerp(knee, 0.5), knee, 0.046, 0.039), 0.0),
        part("leg*", cone(knee, ankle, 0.039, 0.034), 0.01),
    ];
    Piece::new(SKIN, 0.0150, parts)
}

fn boots(rig: &Rig) -> Piece {
    let ankle = rig.at("J_Bip_L_Foot");
    let parts = vec![
        part("leg*", cone(ankle + Vec3::new(0.0, 0.062, 0.002), ankle, 0.047, 0.042), 0.0),
        part("leg*", ellipsoid([0.061, 0.040, 0.000], [0.044, 0.046, 0.052]), 0.02),
        part("leg*", ellipsoid([0.065, 0.034, 0.048], [0.044, 0.036, 0.056]), 0.025),
        part("leg*", round_box([0.064, 0.012, 0.028], [0.045, 0.012, 0.078], 0.012), 0.01),
    ];
    Piece::new(BOOTS, 0.0130, parts)
        .within(behind([0.0, 0.0, 0.0], [0.0, -1.0, 0.0]))
        .tint(behind([0.0, 0.016, 0.0], [0.0, 1.0, 0.0]), 0.004, 0xf5ead8)
        .tint(behind([0.0, 0.118, 0.0], [0.0, -1.0, 0.0]), 0.006, 0xf5ead8)
}

fn hands(rig: &Rig) -> Piece {
    let (elbow, wrist) = (rig.at("J_Bip_L_LowerArm"), rig.at("J_Bip_L_Hand"));
    let mut parts = vec![part("arm*", cone(elbow.lerp(wrist, 0.7), wrist, 0.022, 0.019), 0.0)];
    parts.extend(hand().parts());
    Piece::new(SKIN, 0.0062, parts).soft(0.005)
}

/// Hood behind the neck, pocket and a heart.
fn trimmings() -> Vec<Piece> {
    let hood = Piece::new(
        0xe3a92f,
        0.0150,
        vec![
            part("trunk", ellipsoid([0.0, 0.540, -0.050], [0.078, 0.045, 0.055]), 0.0),
            part("trunk", cone(Vec3::new(0.0, 0.545, 0.050), Vec3::new(0.062, 0.560, 0.0), 0.018, 0.022), 0.03).both(),
        ],
    );
    let pocket = Piece::new(
        0xe3a92f,
        0.0105,
        vec![part("trunk", round_box([0.0, 0.372, 0.10], [0.052, 0.026, 0.06], 0.012), 0.0)],
    )
    .on(HOODIE_PIECE, 0.0045);
    let heart = Piece::new(
        0xd9536a,
        0.0054,
        vec![
            part("trunk", stroke([0.0, 0.446], [0.012, 0.462], [0.0060, 0.0125], [0.03, 0.12]), 0.001).both(),
        ],
    )
    .on(HOODIE_PIECE, 0.0040);
    vec![hood, pocket, heart]
}
