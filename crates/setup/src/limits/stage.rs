//! From limits by slot to the stage that keeps them.
//!
//! ```text
//! q = B_p · (v_p⁻¹ ... v) · B⁻¹            the slot's turn away from the retarget pose, in the body's axes
//! before = C⁻¹ · F⁻¹ · B_p                  after = B⁻¹ · F
//! ```
//!
//! B and B_p are the retarget-pose rotations of the joint and of the joint above, F the slot's axes, C the direction from which
//! a ball joint's limits count. How the character faces drops out, and so do all joints' own axes.
//!
//! A chain of n joints shares the limits of its slot. Bends are never spread evenly, so each joint may take
//! 2 / (n + 1) of it: the largest share where the bend grows evenly from nothing along the chain. Of an arm's or a leg's segment that is
//! cut in parts the first bends alone, so each may take the whole.

use super::{JointLimit, Limits, SlotAxes, WIDEST_DEGREES};
use crate::align::{Alignment, unit};
use crate::links::torso;
use crate::mapping::RigMap;
use crate::profile::custom::custom_profile;
use crate::profile::{Part, Slot};
use glam::{DQuat, DVec3};
use rebone_model::Clamp as _;
use rebone_model::elementary::Turn as _;
use rebone_model::{Character, Skeleton};
use rebone_runtime::stage::{LimitKind, LimitStage, LimitedJoint};

/// The stage for these limits. Joints beside the limb that they belong to are left out.
pub(crate) fn stage(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
    limits: &Limits,
) -> LimitStage {
    let joint_above = |slot, joint| joint_above(&character.skeleton, map, slot, joint);
    LimitStage {
        joints: limited(map, alignment, limits, joint_above),
    }
}

/// The joints of these limits as they are seen: one beside the limb that it belongs to, as an ankle that hangs from the root, turns
/// against the slot above.
pub fn seen(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
    limits: &Limits,
) -> Vec<LimitedJoint> {
    limited(map, alignment, limits, |slot, joint| {
        let beside = || map.joint(map.present_parent(slot)?);
        joint_above(&character.skeleton, map, slot, joint).or_else(beside)
    })
}

/// The limits of all joints for which `above` says against which joint they turn.
fn limited(
    map: &RigMap,
    alignment: &Alignment,
    limits: &Limits,
    above: impl Fn(Slot, usize) -> Option<usize>,
) -> Vec<LimitedJoint> {
    let mut joints = Vec::new();
    for (&slot, limit) in limits {
        for_joints(
            map,
            slot,
            |joint| above(slot, joint),
            |joint, above, share| {
                let built = Built::new(map, alignment, slot, &limit.share(share));
                joints.push(built.joint(alignment, joint, above));
            },
        );
    }
    joints.sort_by_key(|joint| joint.joint);
    joints
}

/// Calls `each` for the joints of a slot that turn against a joint `above`: joint, joint above, share.
pub(super) fn for_joints(
    map: &RigMap,
    slot: Slot,
    above: impl Fn(usize) -> Option<usize>,
    mut each: impl FnMut(usize, usize, f64),
) {
    let Some(found) = map.slots.get(&slot) else {
        return;
    };
    let count = match map.profile.info(slot).part {
        Part::Torso => torso(map).len(),
        Part::UpperArm | Part::LowerArm | Part::UpperLeg | Part::LowerLeg => 1,
        _ => found.joints.len(),
    };
    for &joint in &found.joints {
        if let Some(above) = above(joint) {
            each(joint, above, 2.0 / (count as f64 + 1.0));
        }
    }
}

/// The joint against which a joint turns: the nearest above it that is in a slot, if that is its own slot or the slot above.
pub(super) fn joint_above(
    skeleton: &Skeleton,
    map: &RigMap,
    slot: Slot,
    joint: usize,
) -> Option<usize> {
    let slot_of = |joint: usize| {
        let mut slots = map.slots.iter();
        slots.find(|(_, found)| found.joints.contains(&joint))
    };
    let is_trunk = |slot: Slot| {
        let part = map.profile.info(slot).part;
        matches!(part, Part::Hips | Part::Torso)
    };
    let (above, (&own, _)) = skeleton
        .ancestors(joint)
        .find_map(|above| Some((above, slot_of(above)?)))?;
    let wanted = map.present_parent(slot)?;
    let belongs = own == slot || own == wanted || (is_trunk(own) && is_trunk(wanted));
    belongs.then_some(above)
}

/// One limit in radians, with its axes.
pub(super) struct Built {
    axes: SlotAxes,
    middle: DQuat,
    limit: LimitedJoint,
}

impl Built {
    pub(super) fn new(map: &RigMap, alignment: &Alignment, slot: Slot, limit: &JointLimit) -> Self {
        let hinge = custom_profile(map.profile).and_then(|custom| custom.hinge(slot));
        let axes = SlotAxes::of(map, alignment, slot, hinge);
        let mut limit = *limit;
        if limit.hinge {
            limit.from = [0.0; 2];
        } else {
            // The cone is made of ellipses around 0, so 0 has to be inside.
            let [bend, side] = &mut limit.from;
            for (from, range) in [(bend, &mut limit.bend), (side, &mut limit.side)] {
                let middle = 0.5 * (range[0] + range[1]);
                if range[0] > 0.0 || range[1] < 0.0 {
                    *from += middle;
                    *range = range.map(|end| end - middle);
                }
                *range = range.map(|end| end.clamped(-WIDEST_DEGREES, WIDEST_DEGREES));
            }
        }
        let radians = |range: [f64; 2]| range.map(|angle| angle.to_radians() as f32);
        let across = |[least, most]: [f64; 2]| match axes.side < 0.0 {
            true => [-most, -least],
            false => [least, most],
        };
        let from = DVec3::new(0.0, limit.from[0], axes.side * limit.from[1]);
        Self {
            axes,
            middle: DQuat::about_scaled(from.map(f64::to_radians)),
            limit: LimitedJoint {
                joint: 0,
                above: None,
                before: glam::Quat::IDENTITY,
                after: glam::Quat::IDENTITY,
                kind: if limit.hinge {
                    LimitKind::Hinge
                } else {
                    LimitKind::Ball
                },
                bend: radians(limit.bend),
                side: radians(across(limit.side)),
                twist: radians(limit.twist),
                soft: limit.soft.to_radians() as f32,
                rest_to: None,
            },
        }
    }

    /// The limit of a joint.
    pub(super) fn joint(&self, alignment: &Alignment, joint: usize, above: usize) -> LimitedJoint {
        let frame = self.axes.frame;
        let before =
            self.middle.conjugate() * frame.conjugate() * alignment.retarget_rotation(above);
        let after = alignment.retarget_rotation(joint).conjugate() * frame;
        LimitedJoint {
            joint,
            above: Some(above),
            before: unit(before).as_quat(),
            after: unit(after).as_quat(),
            ..self.limit
        }
    }

    /// 1, or -1 where positive to the side is against the limit's z axis.
    pub(super) fn side(&self) -> f64 {
        self.axes.side
    }
}
