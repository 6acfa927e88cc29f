//! Which way the motion stands up, where the file does not say.

use super::AlignOptions;
use super::body_frame::body_frame;
use super::canonical::rotation_arc;
use super::limbs::{feet, joint};
use super::placement::{Placement, clip_placements, unit};
use crate::mapping::RigMap;
use crate::profile::{Part, Side};
use glam::{DQuat, DVec3};
use rebone_model::Clamp as _;
use rebone_model::axes::Axis;
use rebone_model::{Character, Clip, Warning};

/// Where the clip's bodies stand upright about another axis than the rest pose does, and the file does
/// not state its up axis, the motion is right.
pub(super) fn motion_up(
    character: &Character,
    map: &RigMap,
    clips: &[&Clip],
    canonical_from_rest: DQuat,
    options: &AlignOptions,
    warnings: &mut Vec<Warning>,
) -> DQuat {
    if options.chosen_up.or(options.up).is_some() {
        return canonical_from_rest;
    }
    let poses: Vec<Vec<Placement>> = sampled(clips)
        .map(|(clip, time)| clip_placements(character, clip, time))
        .collect();
    let ups: Vec<DVec3> = poses
        .iter()
        .filter_map(|pose| body_frame(map, pose))
        .map(|frame| frame.up)
        .collect();
    let mean = ups.iter().sum::<DVec3>() / ups.len().max(1) as f64;
    let rest_up = canonical_from_rest.conjugate() * DVec3::Y;
    let Some(direction) = mean.try_normalize() else {
        return canonical_from_rest;
    };
    let axis = Axis::nearest(direction.as_vec3());
    let stands = poses
        .iter()
        .filter(|pose| stands_along(map, pose, axis.direction().as_dvec3(), rest_up))
        .count();
    if mean.length() < 0.7 || direction.dot(rest_up) > 0.5 || 2 * stands < poses.len() {
        return canonical_from_rest;
    }
    warnings.push(Warning::new(
        "motion-up-differs",
        format!(
            "the rest pose stands along {}, but the motion along {axis}; the motion decides",
            Axis::nearest(rest_up.as_vec3())
        ),
        "check that the result stands upright",
    ));
    unit(canonical_from_rest * rotation_arc(axis.direction().as_dvec3(), rest_up))
}

/// How much the axes +Y and +Z are favoured, of 1: hardly any file has another up.
const USUAL: f64 = 0.3;

/// How much better than the next axis one must be, of 1.
const CLEARLY: f64 = 0.25;

/// The axis along which heads are above hips, and hips above feet, for most of the clips. `None` where another is about as
/// likely.
pub(super) fn up_of_motion(character: &Character, map: &RigMap, clips: &[&Clip]) -> Option<Axis> {
    let mut scores = Axis::ALL.map(|axis| (0.0, axis));
    let usual = |axis| {
        if axis == Axis::PositiveY || axis == Axis::PositiveZ {
            USUAL
        } else {
            0.0
        }
    };
    let mut count = 0;
    for (clip, time) in sampled(clips) {
        let pose = clip_placements(character, clip, time);
        let Some(frame) = body_frame(map, &pose) else {
            continue;
        };
        let hips = joint(map, Part::Hips, Side::Center).map(|hips| pose[hips].position);
        let feet = feet(map);
        let sum: DVec3 = feet.iter().map(|&foot| pose[foot].position).sum();
        let legs = hips.map(|hips| hips - sum / feet.len().max(1) as f64);
        let legs = legs.and_then(DVec3::try_normalize).unwrap_or(frame.up);
        count += 1;
        for (score, axis) in &mut scores {
            let axis = axis.direction().as_dvec3();
            *score += 0.5 * (frame.up.dot(axis) + legs.dot(axis));
        }
    }
    for (score, axis) in &mut scores {
        *score += usual(*axis) * f64::from(count);
    }
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    let clear = count > 0 && scores[0].0 - scores[1].0 > CLEARLY * f64::from(count);
    clear.then_some(scores[0].1)
}

/// Where the lowest joint of a body that stands on the zero plane is, over the length from hips to feet.
const ON_SOLES: std::ops::Range<f64> = -0.02..0.15;

/// True where a body stands with its feet about on the origin's plane across `axis`, and does not rather lie on the floor of its
/// rest pose. Where it could do either, and its lowest joint is on the zero plane, it counts as standing: most bodies stand.
fn stands_along(map: &RigMap, pose: &[Placement], axis: DVec3, rest_up: DVec3) -> bool {
    let Some(hips) = joint(map, Part::Hips, Side::Center) else {
        return false;
    };
    let standing = feet(map);
    if standing.len() < 2 {
        return false;
    }
    let hips = pose[hips].position;
    let sum: DVec3 = standing.iter().map(|&foot| pose[foot].position).sum();
    let feet = sum / standing.len() as f64;
    let length = (hips - feet).dot(axis);
    let height = hips.dot(rest_up);
    let lowest = |up: DVec3| {
        let joints = map.slots.values().flat_map(|found| &found.joints);
        let heights = joints.map(|&joint| pose[joint].position.dot(up));
        heights.fold(f64::INFINITY, f64::min)
    };
    let lies = (0.03..0.45).contains(&(height / length)) && lowest(rest_up) > -0.05 * length;
    let is_on_soles = ON_SOLES.contains(&(lowest(axis) / length));
    length > 0.0 && feet.dot(axis).abs() < 0.35 * length && (is_on_soles || !lies)
}

/// Up to 48 times spread over the clips.
pub(crate) fn sampled<'a>(clips: &'a [&'a Clip]) -> impl Iterator<Item = (&'a Clip, f32)> {
    let each = (48 / clips.len().max(1)).clamped(1, 48);
    clips.iter().flat_map(move |clip| {
        let (start, end) = clip.time_span();
        let steps = if end > start { each } else { 1 };
        (0..steps).map(move |step| (*clip, start + (end - start) * step as f32 / steps as f32))
    })
}
