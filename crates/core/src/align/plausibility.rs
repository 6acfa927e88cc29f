//! How much a pose looks like a person standing (E28).

use super::body_frame::{BodyFrame, body_frame};
use super::placement::Placement;
use crate::mapping::RigMap;
use glam::DVec3;

/// How much a pose looks like a person standing with arms anywhere from T to down, 0 to 1 (E28).
pub(crate) fn plausibility(map: &RigMap, placements: &[Placement]) -> f64 {
    let Some(frame) = body_frame(map, placements) else {
        return 0.0;
    };
    let position = |slot: &str| {
        map.joint_named(slot)
            .map(|joint| placements[joint].position)
    };
    let mut score = 1.0;
    for side in ["left", "right"] {
        let at = |part: &str| position(&format!("{side}{part}"));
        if let (Some(hip), Some(knee), Some(ankle)) = (at("UpperLeg"), at("LowerLeg"), at("Foot")) {
            let (thigh, shin) = (knee - hip, ankle - knee);
            if thigh.length() * 1e3 < shin.length() || shin.length() * 1e3 < thigh.length() {
                return 0.0;
            }
            let down = |bone: DVec3| -bone.normalize_or_zero().dot(frame.up);
            // cos 40° counts nothing, cos 10° counts full.
            score *= ramp(down(thigh).min(down(shin)), 0.6, 0.95).max(0.02);
        }
        let sign = if side == "left" { 1.0 } else { -1.0 };
        if let (Some(shoulder), Some(elbow)) = (at("UpperArm"), at("LowerArm")) {
            let arm = (at("Hand").unwrap_or(elbow) - shoulder).normalize_or_zero();
            let out = arm.dot(frame.left) * sign;
            let front = arm.dot(frame.forward).abs();
            // Outwards is best, down is good, forwards or across the body is bad.
            let down = -arm.dot(frame.up);
            score *= (ramp(out, -0.1, 0.6) * 0.4 + 0.6)
                * ramp(front, 0.95, 0.3).max(0.2)
                * ramp(down, -0.8, -0.2).max(0.2);
        }
    }
    score * symmetry(map, placements, &frame)
}

/// 1 for a mirror-symmetric pose, less the more the sides differ.
fn symmetry(map: &RigMap, placements: &[Placement], frame: &BodyFrame) -> f64 {
    let Some(hips) = map.joint_named("hips") else {
        return 1.0;
    };
    let origin = placements[hips].position;
    let (mut difference, mut size) = (0.0, 0.0);
    for part in [
        "UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand",
    ] {
        let at = |side: &str| {
            map.joint_named(&format!("{side}{part}"))
                .map(|joint| placements[joint].position - origin)
        };
        if let (Some(left), Some(right)) = (at("left"), at("right")) {
            let mirrored = right - 2.0 * right.dot(frame.left) * frame.left;
            difference += left.distance(mirrored);
            size += left.length() + right.length();
        }
    }
    if size > 0.0 {
        ramp(difference / size, 0.35, 0.03)
    } else {
        1.0
    }
}

/// 0 at `from`, 1 at `to`, linear between and clamped outside.
pub(crate) fn ramp(value: f64, from: f64, to: f64) -> f64 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}
