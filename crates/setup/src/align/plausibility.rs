//! How much a pose looks like a person or an animal standing. Source: docs/laws.md, "Plausibility of a pose".

use super::body_frame::{BodyFrame, body_frame};
use super::limbs::{ARM, LEG, SIDES, joint};
use super::placement::Placement;
use crate::mapping::RigMap;
use crate::profile::{Part, Side, Stance};
use glam::DVec3;
use rebone_model::Clamp as _;

/// Below this plausibility no pose is trusted if the clip has a better one.
pub(super) const TRUSTED: f64 = 0.35;

/// Below this plausibility nobody stands: then the arms tell no kind of pose, and a rest pose does not show
/// the axes in which the file's motion stands.
pub(super) const STANDS: f64 = 0.05;

/// From this plausibility on, a moment of a clip is one in which somebody stands still.
pub(super) const STILL: f64 = 0.85;

/// How much a pose looks like a body standing as those of its profile do, 0 to 1.
pub(crate) fn plausibility(map: &RigMap, placements: &[Placement]) -> f64 {
    let Some(frame) = body_frame(map, placements) else {
        return 0.0;
    };
    let score = match map.profile.stance {
        Stance::Upright => on_two_legs(map, placements, &frame),
        Stance::FourLegged => on_four_legs(map, placements, &frame),
        // Nothing is known of how it stands: the poses are told apart by their symmetry.
        Stance::Free => 1.0,
    };
    score * symmetry(map, placements, &frame)
}

/// Legs straight down, arms anywhere from T to down.
fn on_two_legs(map: &RigMap, placements: &[Placement], frame: &BodyFrame) -> f64 {
    let mut score = 1.0;
    for side in SIDES {
        let at = |part: Part| joint(map, part, side).map(|joint| placements[joint].position);
        let [hip, knee, ankle] = LEG.map(at);
        if let (Some(hip), Some(knee), Some(ankle)) = (hip, knee, ankle) {
            let (thigh, shin) = (knee - hip, ankle - knee);
            if thigh.length() * 1e3 < shin.length() || shin.length() * 1e3 < thigh.length() {
                return 0.0;
            }
            let down = |bone: DVec3| -bone.normalize_or_zero().dot(frame.up);
            // cos 40° counts nothing, cos 10° counts full.
            score *= ramp(down(thigh).min(down(shin)), 0.6, 0.95).max(0.02);
        }
        let sign = f64::from(side.sign());
        let [shoulder, elbow, hand] = ARM.map(at);
        if let (Some(shoulder), Some(elbow)) = (shoulder, elbow) {
            let arm = (hand.unwrap_or(elbow) - shoulder).normalize_or_zero();
            let out = arm.dot(frame.left) * sign;
            let front = arm.dot(frame.forward).abs();
            // Outwards is best, down is good, forwards or across the body is bad.
            let down = -arm.dot(frame.up);
            score *= (ramp(out, -0.1, 0.6) * 0.4 + 0.6)
                * ramp(front, 0.95, 0.3).max(0.2)
                * ramp(down, -0.8, -0.2).max(0.2);
        }
    }
    score
}

/// All paws below where their legs hang, in the way that the joints between fold: hips to paw is most of the
/// leg. The front paws are on the ground of the hind ones.
fn on_four_legs(map: &RigMap, placements: &[Placement], frame: &BodyFrame) -> f64 {
    let mut score = 1.0;
    let mut paws = Vec::new();
    let mut tallest: f64 = 0.0;
    for side in SIDES {
        for limb in [LEG, ARM] {
            let at = |part: Part| joint(map, part, side).map(|joint| placements[joint].position);
            let [top, middle, paw] = limb.map(at);
            let (Some(top), Some(middle), Some(paw)) = (top, middle, paw) else {
                continue;
            };
            let (upper, lower) = (middle - top, paw - middle);
            if upper.length() * 1e3 < lower.length() || lower.length() * 1e3 < upper.length() {
                return 0.0;
            }
            let leg = paw - top;
            let down = -leg.normalize_or_zero().dot(frame.up);
            score *= ramp(down, 0.5, 0.9).max(0.02);
            tallest = tallest.max(leg.length());
            paws.push((limb == LEG, paw.dot(frame.up)));
        }
    }
    let mean = |hind: bool| {
        let heights = paws.iter().filter(|paw| paw.0 == hind);
        let (sum, count) = heights.fold((0.0, 0), |(sum, count), paw| (sum + paw.1, count + 1));
        (count > 0).then(|| sum / f64::from(count))
    };
    if let (Some(hind), Some(front)) = (mean(true), mean(false)) {
        score *= ramp((hind - front).abs() / tallest.max(1e-9), 0.7, 0.3).max(0.05);
    }
    score
}

/// 1 for a mirror-symmetric pose, less the more the sides differ.
fn symmetry(map: &RigMap, placements: &[Placement], frame: &BodyFrame) -> f64 {
    asymmetry(map, placements, frame).map_or(1.0, |apart| ramp(apart, 0.35, 0.03))
}

/// How far arms and legs are from those of the other side, mirrored, over how far they are from the hips. `None` where no
/// two can be compared.
pub(super) fn asymmetry(map: &RigMap, placements: &[Placement], frame: &BodyFrame) -> Option<f64> {
    let hips = joint(map, Part::Hips, Side::Center)?;
    let origin = placements[hips].position;
    let (mut difference, mut size) = (0.0, 0.0);
    for part in LEG.into_iter().chain(ARM) {
        let at =
            |side: Side| joint(map, part, side).map(|joint| placements[joint].position - origin);
        if let (Some(left), Some(right)) = (at(Side::Left), at(Side::Right)) {
            let mirrored = right - 2.0 * right.dot(frame.left) * frame.left;
            difference += left.distance(mirrored);
            size += left.length() + right.length();
        }
    }
    (size > 0.0).then(|| difference / size)
}

/// 0 at `from`, 1 at `to`, linear between and clamped outside.
pub(crate) fn ramp(value: f64, from: f64, to: f64) -> f64 {
    ((value - from) / (to - from)).clamped(0.0, 1.0)
}
