//! Which way every joint of the target points.
//!
//! | law | formula |
//! |---|---|
//! | transfer | D = W · A⁻¹, V = D · B |
//! | torso, n = m | one to one |
//! | torso, n ≠ m | D_i = D_hips · exp((2i − 1)/(2m − 1) · log(D_hips⁻¹ · D_last)), i = 1..m |
//! | arms | V = D · X_A⁻¹ · X_B · B, X the shortest arc from the bone at rest to ±X |
//!
//! W, A: rotation of a source joint now and in the stance; B: of a target joint in the stance; V: of a target joint now;
//! all canonical. Degenerate cases: an arm without the joint at its end has X = 1; a slot that the source lacks has no V.
//! Source: docs/laws.md, "Model-space transfer", "Torso of another joint count" and "Arm calibration".

use super::{Laws, Side, arc};
use crate::oracle::{Placed, power, unit};
use glam::{DQuat, DVec3};
use rebone_setup::mapping::RigMap;
use rebone_setup::profile::{Part, Slot};

/// D of a joint.
pub fn delta(side: &Side<'_>, pose: &[Placed], joint: usize) -> DQuat {
    unit(pose[joint].rotation * side.turned(joint).conjugate())
}

/// Calibration X of a slot, the identity for all but upper arms and forearms.
pub fn arm_turn(side: &Side<'_>, slot: Slot) -> DQuat {
    let info = side.map.profile.info(slot);
    let end = match info.part {
        Part::UpperArm => Part::LowerArm,
        Part::LowerArm => Part::Hand,
        _ => return DQuat::IDENTITY,
    };
    let joints = side.map.joint(slot).zip(side.joint(end, info.side));
    joints.map_or(DQuat::IDENTITY, |(from, to)| {
        let bone = side.stance[to].position - side.stance[from].position;
        arc(bone, DVec3::X * f64::from(info.side.sign()))
    })
}

/// Calibration X of the nearest slot at or above a joint.
pub(super) fn calibration(side: &Side<'_>, laws: &Laws, joint: usize) -> DQuat {
    let own = |joint: usize| {
        let slots = side.map.slots.iter();
        let mut holding = slots.filter(|(_, found)| found.joints.contains(&joint));
        holding.next().map(|(slot, _)| *slot)
    };
    let mut at = Some(joint);
    while let Some(here) = at.filter(|_| laws.arms) {
        if let Some(slot) = own(here) {
            return arm_turn(side, slot);
        }
        at = side.skeleton.parent(here);
    }
    DQuat::IDENTITY
}

/// V of every target joint that has one.
pub(super) fn turns(
    source: &Side<'_>,
    target: &Side<'_>,
    laws: &Laws,
    pose: &[Placed],
) -> Vec<Option<DQuat>> {
    let mut result = vec![None; target.skeleton.len()];
    let (from_torso, to_torso) = (torso(source.map), torso(target.map));
    for (&slot, found) in &target.map.slots {
        let Some(from) = source.map.slots.get(&slot) else {
            continue;
        };
        if target.map.profile.info(slot).part == Part::Torso {
            continue;
        }
        let arms = |side| {
            if laws.arms {
                arm_turn(side, slot)
            } else {
                DQuat::IDENTITY
            }
        };
        let between = arms(source).conjugate() * arms(target);
        // A slot of several joints is one bone cut into pieces; unlike cuts follow the first piece.
        let is_alike = from.joints.len() == found.joints.len();
        let takes_all = is_alike || target.map.profile.info(slot).part == Part::Neck;
        let count = if takes_all { usize::MAX } else { 1 };
        for (&from, &to) in from.joints.iter().zip(&found.joints).take(count) {
            let turn = delta(source, pose, from) * between;
            result[to] = Some(unit(turn * target.turned(to)));
        }
    }
    let hips = source
        .map
        .slots
        .iter()
        .find(|(slot, _)| source.map.profile.info(**slot).part == Part::Hips);
    let hips = hips.and_then(|(_, found)| found.joints.first());
    if let (Some(&hips), Some(&last)) = (hips, from_torso.last()) {
        let (low, high) = (delta(source, pose, hips), delta(source, pose, last));
        for (place, &joint) in to_torso.iter().enumerate() {
            let turn = if from_torso.len() == to_torso.len() {
                delta(source, pose, from_torso[place])
            } else {
                let share = (2 * place + 1) as f64 / (2 * to_torso.len() - 1) as f64;
                low * power(low.conjugate() * high, share)
            };
            result[joint] = Some(unit(turn * target.turned(joint)));
        }
    }
    result
}

/// The joints between hips and neck, from below.
pub(super) fn torso(map: &RigMap) -> Vec<usize> {
    let slots = map.slots.iter();
    let of_torso = slots.filter(|(slot, _)| map.profile.info(**slot).part == Part::Torso);
    of_torso
        .flat_map(|(_, found)| found.joints.clone())
        .collect()
}
