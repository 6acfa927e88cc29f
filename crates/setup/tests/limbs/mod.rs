//! Stages that move limbs, on any joints of a plan, for laws that all stages keep.

use glam::Mat3;
use rebone_model::hull::DIRECTIONS;
use rebone_model::{HullPart, HullPoint, Quat, Vec3};
use rebone_runtime::stage::{
    Arm, BodyArm, BodyPart, BodyPoint, BodyStage, Chest, Kinematics, PartKind, PartPair, PinEnd,
    PinGoal, PinLimb, PinStage, PinStretch, ReachStage, Solid, SolidBlock, SolidFace, StageOp,
    Touch, TouchingHand,
};
use rebone_runtime::{Plan, Rig};

/// Ends of two bones: the last joints of a rig with two above them, deepest first; upper, lower, end.
fn limbs(rig: &Rig) -> Vec<[usize; 3]> {
    let above = |joint: usize| rig.parents[joint];
    let limb = |end: usize| Some([above(above(end)?)?, above(end)?, end]);
    (0..rig.len()).rev().filter_map(limb).collect()
}

/// A ball of skin around a joint, as a body.
fn ball(joint: usize, radius: f32) -> Solid {
    let face = |way: Vec3| {
        let mut point = HullPoint {
            parts: [HullPart::default(); 4],
        };
        point.parts[0] = HullPart {
            joint,
            weight: 1.0,
            place: way * radius,
        };
        SolidFace {
            point,
            is_outer: true,
        }
    };
    let faces = DIRECTIONS.map(face);
    Solid {
        blocks: vec![SolidBlock { joint, faces }],
    }
}

/// A hand that touches the first joint.
fn touching_hand(source: &Kinematics, target: &Kinematics) -> TouchingHand {
    let part = BodyPart {
        joint: 0,
        axes: Quat::IDENTITY,
        origin: Vec3::new(0.1, 0.2, 0.3),
        axis: Vec3::Y,
        length: 0.5,
        radii: [[0.1; 12]; 5],
    };
    TouchingHand {
        arm: 0,
        source_hand: source.len() - 1,
        source_palm: Vec3::X * 0.1,
        palm: Vec3::Y * 0.1,
        parts: vec![PartPair {
            kind: PartKind::Thigh,
            source: part,
            target: BodyPart {
                joint: target.len() - 1,
                ..part
            },
        }],
    }
}

/// Hands that always hold on to each other, a limb that stays out of a ball, and a pin of each kind.
pub(crate) fn limb_stages(plan: &Plan) -> Vec<StageOp> {
    let ends = limbs(&plan.target);
    let own = ends[0];
    let other = ends
        .iter()
        .find(|limb| !limb.contains(&own[2]) && limb[1] != own[1]);
    let other = *other.unwrap();
    let root = (0..plan.target.len()).find(|joint| plan.target.parents[*joint].is_none());
    let chest = root.unwrap();
    let hands = [plan.source.len() - 1, plan.source.len() / 2];
    // Goals within reach: where a limb is straight, a little of the goal is much of the angle.
    let length = |rig: &Rig, joint: usize| rig.rest[joint].translation.length();
    let size = length(&plan.target, own[1]) + length(&plan.target, own[2]);
    let rest: f32 = (0..plan.source.len())
        .map(|joint| length(&plan.source, joint))
        .sum();
    let source = Kinematics::new(&plan.source, hands);
    let joints = own.into_iter().chain(other).chain([chest]);
    let target = Kinematics::new(&plan.target, joints);
    let place = |joint: usize| target.find(joint).unwrap();
    let arm = |[upper, lower, hand]: [usize; 3], source_hand: usize| Arm {
        source_hand: source.find(source_hand).unwrap(),
        source_upper: 0,
        source_palm: Vec3::new(0.1, 0.0, 0.02),
        source_facing: Vec3::NEG_Y,
        source_props: vec![0],
        clavicle: None,
        upper: place(upper),
        lower: place(lower),
        hand: place(hand),
        palm: Vec3::new(0.0, 0.1, 0.0),
        forward: Vec3::Z,
    };
    let reach = ReachStage {
        linear: Mat3::from_quat(plan.target_from_source) * (0.1 * size / rest),
        near: f32::MAX,
        far: f32::MAX,
        arms: vec![arm(own, hands[0]), arm(other, hands[1])],
        hold: Some(0.4),
        touches: vec![Touch {
            arm: 1,
            source: 0,
            target: place(chest),
        }],
        chest: Some(Chest {
            joint: place(chest),
            kept: Vec::new(),
        }),
        assist: 0.7,
        source: source.clone(),
        target: target.clone(),
        ..ReachStage::default()
    };
    let limb = |[upper, lower, end]: [usize; 3]| PinLimb {
        upper: place(upper),
        lower: place(lower),
        end: place(end),
        tip: Vec3::ZERO,
        forward: Vec3::X,
    };
    let pin = PinStage {
        end: PinEnd::Limb(limb(own)),
        point: Vec3::new(0.0, 0.05, 0.0),
        goal: PinGoal::Own,
        offset: Vec3::new(0.1, 0.15, -0.1) * size,
        stretch: None,
        span: None,
        attached: Vec::new(),
        source: source.clone(),
        target: target.clone(),
    };
    let to_joint = PinStage {
        end: PinEnd::Joint {
            joint: place(own[2]),
        },
        goal: PinGoal::Joint(place(other[0])),
        offset: Vec3::X,
        ..pin.clone()
    };
    let stretched = PinStage {
        end: PinEnd::Hips {
            hips: place(chest),
            legs: vec![limb(other)],
        },
        goal: PinGoal::Source {
            joint: 0,
            point: Vec3::Y,
            linear: reach.linear,
            shift: Vec3::X,
        },
        stretch: Some(PinStretch {
            scale: Mat3::from_diagonal(Vec3::new(1.0, 1.2, 0.8)),
            hips: place(chest),
            hips_frame: Quat::from_rotation_x(0.3),
            up: Vec3::Y,
            floor: 0.1,
        }),
        ..pin.clone()
    };
    // The end is in the ball of its own root where the limb is folded.
    let solid = ball(place(own[0]), size);
    let end = ball(place(own[2]), 0.0).blocks[0].faces[0].point;
    let body = BodyStage {
        arms: vec![BodyArm {
            joints: own.map(place),
            points: vec![BodyPoint {
                point: end,
                share: 1.0,
            }],
        }],
        legs: solid.clone(),
        solid,
        height: 4.0 * size,
        hands: vec![touching_hand(&source, &target)],
        source_height: 4.0 * size,
        attached: Vec::new(),
        source: source.clone(),
        target: target.clone(),
    };
    vec![
        StageOp::Reach(reach),
        StageOp::Body(body),
        StageOp::Pin(pin),
        StageOp::Pin(to_joint),
        StageOp::Pin(stretched),
    ]
}
