//! Joints of robots: each turns about its motor's axis, as far as the motor goes, and in no other way.
//!
//! ```text
//! q = 2 · atan2(v · a, w) of b⁻¹ · v, held in [least, most]
//! ```
//!
//! with a the axis, b the rest rotation and (v, w) the local rotation: a ball joint without any swing. What a joint cannot
//! do, the next of its slot's chain is asked for: three motors in a hip share the turn of a thigh in this order. Source:
//! docs/laws.md, "Joint limits".

use crate::mapping::RigMap;
use glam::Vec3;
use rebone_model::Character;
use rebone_model::rotation::{normalized_or_identity, shortest_arc};
use rebone_runtime::stage::{LimitKind, LimitStage, LimitedJoint};
use std::f32::consts::PI;

/// The stage for a robot; without joints for anything else.
pub(crate) fn hinges(character: &Character, map: &RigMap) -> LimitStage {
    let skeleton = &character.skeleton;
    let slot_of = |joint: usize| {
        let mut slots = map.slots.iter();
        slots.find(|(_, found)| found.joints.contains(&joint))
    };
    let next = |joint: usize| {
        let (_, found) = slot_of(joint)?;
        let mut below = found.joints.iter().copied();
        below.find(|&below| skeleton.parent(below) == Some(joint))
    };
    let joints = character.hinges.iter().map(|hinge| {
        let frame = shortest_arc(Vec3::X, hinge.axis, Vec3::Y);
        let rest = skeleton.joints()[hinge.joint].rest.rotation;
        LimitedJoint {
            joint: hinge.joint,
            above: skeleton.parent(hinge.joint),
            before: frame.conjugate() * rest.conjugate(),
            after: frame,
            kind: LimitKind::Ball,
            bend: [0.0; 2],
            side: [0.0; 2],
            twist: hinge.range.unwrap_or([-PI, PI]),
            soft: 0.0,
            rest_to: next(hinge.joint),
        }
    });
    let mut joints: Vec<LimitedJoint> = joints
        .filter(|joint| joint.above.is_some())
        .map(|joint| LimitedJoint {
            before: normalized_or_identity(joint.before),
            after: normalized_or_identity(joint.after),
            ..joint
        })
        .collect();
    joints.sort_by_key(|joint| joint.joint);
    LimitStage { joints }
}
