//! Joints other than the hips that slide in the source.
//!
//! t_B = t_B0 + ρ · R · (t_A − t_A0)
//!
//! | symbol | meaning |
//! |---|---|
//! | t, t_0 | local translation now and at rest |
//! | ρ | length of t_B0 over that of t_A0 |
//! | R | B_p⁻¹ · A_p, between the axes of both parents in the stance, arms calibrated |
//!
//! Degenerate cases: where a bone has no length, ρ is k in local units; joints that do not hang from the slot above
//! keep their place. Source: docs/laws.md, "Sliding joints".

use super::turns::{calibration, torso};
use super::{Laws, Side};
use crate::oracle::{Local, model, rest};
use glam::DVec3;
use rebone_setup::profile::Part;

/// Local translations of the target.
pub(super) fn translations(
    source: &Side<'_>,
    target: &Side<'_>,
    laws: &Laws,
    ratio: f64,
    locals: &[Local],
) -> Vec<DVec3> {
    let (from_rest, to_rest) = (rest(source.skeleton), rest(target.skeleton));
    let mut result: Vec<DVec3> = to_rest.iter().map(|local| local.translation).collect();
    for (from, to) in pairs(source, target) {
        let parents = source.skeleton.parent(from).zip(target.skeleton.parent(to));
        let moved = locals[from].translation - from_rest[from].translation;
        let Some(above) = parents.filter(|_| moved.length() > 0.0) else {
            continue;
        };
        if !hangs(source, from) || !hangs(target, to) {
            continue;
        }
        let (own, other) = (from_rest[from].translation, to_rest[to].translation);
        let size = |side: &Side<'_>, joint: usize| {
            let pose = model(side.skeleton, &rest(side.skeleton));
            pose[joint].affine.matrix3.determinant().abs().cbrt()
        };
        let has_length = own.length() * size(source, above.0) > 1e-5 * height(source)
            && other.length() * size(target, above.1) > 1e-5 * height(target);
        let share = if has_length {
            other.length() / own.length()
        } else {
            ratio * size(source, above.0) / size(target, above.1)
        };
        let axes =
            |side: &Side<'_>, joint: usize| calibration(side, laws, joint) * side.turned(joint);
        let turn = axes(target, above.1).conjugate() * axes(source, above.0);
        result[to] += share * (turn * moved);
    }
    result
}

/// Joints that go together one to one, but for the hips.
fn pairs(source: &Side<'_>, target: &Side<'_>) -> Vec<(usize, usize)> {
    let mut result = Vec::new();
    let mut add = |from: &[usize], to: &[usize]| {
        if from.len() == to.len() {
            result.extend(from.iter().copied().zip(to.iter().copied()));
        }
    };
    add(&torso(source.map), &torso(target.map));
    for (slot, found) in &target.map.slots {
        let part = target.map.profile.info(*slot).part;
        let own = source.map.slots.get(slot);
        if let Some(own) = own.filter(|_| !matches!(part, Part::Hips | Part::Torso)) {
            add(&own.joints, &found.joints);
        }
    }
    result
}

/// True where a joint hangs from the slot above its own; a foot beside the leg (moved by IK) does not, and its local
/// place says nothing about the leg.
fn hangs(side: &Side<'_>, joint: usize) -> bool {
    let slots = side.map.slots.iter();
    let mut own = slots.filter(|(_, found)| found.joints.contains(&joint));
    let above = own
        .next()
        .and_then(|(&slot, _)| side.map.present_parent(slot));
    above.is_none_or(|above| {
        let carriers = &side.map.slots[&above].joints;
        let is_below = |&above: &usize| side.skeleton.is_ancestor(above, joint);
        carriers.iter().any(is_below)
    })
}

/// From the lowest to the highest joint in a slot.
fn height(side: &Side<'_>) -> f64 {
    let joints = side.map.slots.values().flat_map(|found| &found.joints);
    let heights = joints.map(|&joint| side.stance[joint].position.y);
    let span = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
        (low.min(at), high.max(at))
    });
    span.1 - span.0
}
