//! Layers: motions told as differences, added to others, and motions blended (S3.13).
//!
//! ```text
//! δ = b⁻¹ · v            v = v_base · δ^λ            δ' = C⁻¹ · δ · C
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | v, b | local rotation of a joint, and in the base pose that its layer is told against |
//! | δ | the layer's: what the joint does on top, in its own axes |
//! | λ | weight of the layer, 0 to 1 or more |
//! | C = A⁻¹ · B | turns the source joint's axes to the target's, in the retarget pose |
//!
//! Translations are differences in the axes of the parent and are added; scales are factors and are multiplied.
//! δ against the rest pose is near the identity most of the time and is the same for every character with equal joint
//! axes, whatever its rest pose: so one layer serves many characters, and packs well.
//!
//! A layer is retargeted by the plan's rotations and slides alone; the travel, the way of the root and all stages are left out
//! ([`retarget_layer`]). Where a target joint follows one source joint this is the third equation. In chains of unlike
//! numbers of joints δ' is what the chain does when the source goes from its rest pose to it.
//!
//! Degenerate cases: a base scale of 0 along an axis has no factor; it counts as 1. Weights of rotations go the shorter
//! way, so a layer of exactly half a turn has no unique half. Source: docs/laws.md, "Motion layers".

use crate::Error;
use crate::stage::blended;
use crate::{BakeLimits, ClipOptions, Plan, apply_clip};
use rebone_model::rotation::{angle_between, normalized_or_identity, same_hemisphere, slerp};
use rebone_model::sampling::{RegularTimes, regular_times, sample_joint};
use rebone_model::track::TrackValue;
use rebone_model::{Clip, Interpolation, JointTracks, LocalPose, Quat, Track, Transform, Vec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Frames a second at which splines are baked where they cannot be kept.
const BAKED_HZ: f64 = 60.0;

/// What a layer's clip is told against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerBase {
    /// The rest pose of its rig.
    #[default]
    Rest,
    /// Its own first frame.
    First,
}

impl LayerBase {
    /// The clip as a layer: told as differences.
    pub fn layer(self, clip: &Clip, rest: &[Transform]) -> Clip {
        let first = clip.time_span().0;
        let at_first =
            |(tracks, rest): (&JointTracks, &Transform)| sample_joint(tracks, *rest, first);
        match self {
            Self::Rest => relative_clip(clip, rest, rest),
            Self::First => {
                let base: Vec<Transform> = clip.joints.iter().zip(rest).map(at_first).collect();
                relative_clip(clip, rest, &base)
            }
        }
    }
}

/// The difference between two local transforms: what happens on top of `base`.
pub fn difference(base: Transform, pose: Transform) -> Transform {
    Transform {
        translation: pose.translation - base.translation,
        rotation: normalized_or_identity(base.rotation.conjugate() * pose.rotation),
        scale: quotient(pose.scale, base.scale),
    }
}

/// A local transform with a difference on top. Weight 0 leaves every bit, 1 adds it in full.
pub fn added(base: Transform, layer: Transform, weight: f32) -> Transform {
    if weight == 0.0 {
        return base;
    }
    let turn = if weight == 1.0 {
        layer.rotation
    } else {
        slerp(Quat::IDENTITY, layer.rotation, weight)
    };
    Transform {
        translation: base.translation + layer.translation * weight,
        rotation: normalized_or_identity(base.rotation * turn),
        scale: base.scale * Vec3::ONE.lerp(layer.scale, weight),
    }
}

/// Adds a layer to a pose of the same rig, joint by joint; takes no memory.
pub fn add_pose(base: &mut LocalPose, layer: &LocalPose, weight: f32) {
    let layers = layer.transforms();
    for (local, &layer) in base.transforms_mut().iter_mut().zip(layers) {
        *local = added(*local, layer, weight);
    }
}

/// Blends two poses of one rig into the first: weight 0 keeps it, 1 takes the second. One weight a joint; joints
/// without weight are kept. Takes no memory.
pub fn blend_poses(first: &mut LocalPose, second: &LocalPose, weights: &[f32]) {
    let pairs = first.transforms_mut().iter_mut().zip(second.transforms());
    for ((local, &other), &weight) in pairs.zip(weights) {
        *local = mixed(*local, other, weight);
    }
}

fn mixed(first: Transform, second: Transform, weight: f32) -> Transform {
    match weight {
        0.0 => first,
        1.0 => second,
        _ => blended(first, second, weight),
    }
}

/// A clip told as differences to a base pose, usually the rest pose. Keys, times, interpolation and tangents
/// stay. A joint without track has the difference of `rest`, which is none where that is the base.
pub fn relative_clip(clip: &Clip, rest: &[Transform], base: &[Transform]) -> Clip {
    let mut result = like(clip);
    let poses = rest.iter().zip(base);
    let all = result.joints.iter_mut().zip(&clip.joints).zip(poses);
    for ((made, tracks), (&rest, &base)) in all {
        let still = difference(base, rest);
        let back = base.rotation.conjugate();
        made.rotation = match &tracks.rotation {
            Some(track) => Some(track.map_linear(|value| back * value)),
            None => (rest.rotation != base.rotation).then(|| Track::constant(still.rotation)),
        };
        made.translation = match &tracks.translation {
            Some(track) => Some(offset_track(track, -base.translation)),
            None => (still.translation != Vec3::ZERO).then(|| Track::constant(still.translation)),
        };
        made.scale = match &tracks.scale {
            Some(track) => Some(track.map_linear(|value| quotient(value, base.scale))),
            None => (rest.scale != base.scale).then(|| Track::constant(still.scale)),
        };
    }
    result
}

/// The clip that a layer makes of a base pose that stands still; the inverse of [`relative_clip`] with that base, for a
/// rig that rests in it.
pub fn absolute_clip(layer: &Clip, base: &[Transform]) -> Clip {
    let mut result = like(layer);
    for ((made, tracks), &base) in result.joints.iter_mut().zip(&layer.joints).zip(base) {
        let map = |track: &Track<Quat>| track.map_linear(|value| base.rotation * value);
        made.rotation = tracks.rotation.as_ref().map(map);
        let moved = |track: &Track<Vec3>| offset_track(track, base.translation);
        made.translation = tracks.translation.as_ref().map(moved);
        let sized = |track: &Track<Vec3>| track.map_linear(|value| value * base.scale);
        made.scale = tracks.scale.as_ref().map(sized);
    }
    result
}

/// Adds a layer to a clip of the same rig. A joint that the layer does not move keeps its tracks to the bit, as
/// all do at weight 0; the others are baked at the keys of both.
///
/// # Errors
///
/// [`Error::TooManyFrames`] where a spline is baked over more frames than [`BakeLimits`] allow by default.
pub fn add_clips(
    base: &Clip,
    layer: &Clip,
    rest: &[Transform],
    weight: f32,
) -> Result<Clip, Error> {
    combined(base, layer, rest, |_, tracks, local, time| {
        if weight == 0.0 || tracks.is_empty() {
            return None;
        }
        let layer = sample_joint(tracks, Transform::IDENTITY, time);
        Some(added(local, layer, weight))
    })
}

/// Blends two clips of one rig, second by second: weight 0 keeps a joint's tracks of the first to the bit, 1 takes those
/// of the second; between the two it is baked at the keys of both. Joints without weight are kept.
///
/// # Errors
///
/// As [`add_clips`].
pub fn blend_clips(
    first: &Clip,
    second: &Clip,
    rest: &[Transform],
    weights: &[f32],
) -> Result<Clip, Error> {
    let weight = |joint: usize| weights.get(joint).copied().unwrap_or(0.0);
    let mut result = combined(first, second, rest, |joint, tracks, local, time| {
        let weight = weight(joint);
        if weight == 0.0 || weight == 1.0 {
            return None;
        }
        Some(mixed(
            local,
            sample_joint(tracks, rest[joint], time),
            weight,
        ))
    })?;
    for (joint, tracks) in result.joints.iter_mut().enumerate() {
        if weight(joint) == 1.0 {
            *tracks = second.joints.get(joint).cloned().unwrap_or_default();
        }
    }
    Ok(result)
}

/// Retargets a layer of the plan's source rig, told against its rest pose; the result is a layer of the target against
/// its own rest pose.
///
/// # Errors
///
/// As [`apply_clip`].
pub fn retarget_layer(plan: &Plan, layer: &Clip, options: &ClipOptions) -> Result<Clip, Error> {
    let mut plan = plan.clone();
    plan.stages.clear();
    if let Some(travel) = plan.travel.take() {
        let above = plan.target.parents[travel.target];
        let roots: Vec<usize> = plan.target.up_from(above).collect();
        plan.slides.retain(|slide| !roots.contains(&slide.target));
    }
    let mut nothing = Clip::new("", plan.source.len());
    // One key, so that there is a frame to bake.
    for (tracks, rest) in nothing.joints.iter_mut().zip(&plan.source.rest).take(1) {
        tracks.rotation = Some(Track::constant(rest.rotation));
    }
    let still = apply_clip(&plan, &nothing, &ClipOptions::default())?;
    let rest = &plan.target.rest;
    let base: Vec<Transform> = (0..rest.len())
        .map(|joint| sample_joint(&still.joints[joint], rest[joint], 0.0))
        .collect();
    let made = apply_clip(&plan, &absolute_clip(layer, &plan.source.rest), options)?;
    let mut result = relative_clip(&made, rest, &base);
    for (tracks, rest) in result.joints.iter_mut().zip(rest) {
        leave_out_nothing(tracks, rest.translation.length());
    }
    Ok(result)
}

/// Differences that are none are no tracks.
fn leave_out_nothing(tracks: &mut JointTracks, size: f32) {
    fn is_nothing<V: TrackValue>(
        track: &Option<Track<V>>,
        off: impl Fn(V) -> f32,
        most: f32,
    ) -> bool {
        let constant = track.as_ref().filter(|track| track.is_constant());
        constant.is_some_and(|track| off(track.key_value(0)) <= most)
    }
    let turn = |value: Quat| angle_between(value, Quat::IDENTITY);
    if is_nothing(&tracks.rotation, turn, 2e-6) {
        tracks.rotation = None;
    }
    if is_nothing(&tracks.translation, Vec3::length, 1e-5 * size) {
        tracks.translation = None;
    }
    if is_nothing(&tracks.scale, |value| value.distance(Vec3::ONE), 1e-5) {
        tracks.scale = None;
    }
}

/// A clip with the names, curves and rate of another and no tracks.
fn like(clip: &Clip) -> Clip {
    Clip {
        joints: vec![JointTracks::default(); clip.joints.len()],
        ..clip.clone()
    }
}

/// Bakes the joints of `base` for which `make` (joint, the other's tracks, local transform, time) gives anything.
fn combined(
    base: &Clip,
    other: &Clip,
    rest: &[Transform],
    make: impl Fn(usize, &JointTracks, Transform, f32) -> Option<Transform>,
) -> Result<Clip, Error> {
    let mut result = base.clone();
    let names: Vec<_> = base
        .curves
        .iter()
        .map(|curve| curve.target().clone())
        .collect();
    let more = other
        .curves
        .iter()
        .filter(|curve| !names.contains(curve.target()));
    result.curves.extend(more.cloned());
    let times = union(base, other)?;
    let Some(&first) = times.first() else {
        return Ok(result);
    };
    let nothing = JointTracks::default();
    for (joint, tracks) in result.joints.iter_mut().enumerate() {
        let Some(&rest) = rest.get(joint) else {
            continue;
        };
        let theirs = other.joints.get(joint).unwrap_or(&nothing);
        let own = |time: f32| sample_joint(&base.joints[joint], rest, time);
        if make(joint, theirs, own(first), first).is_none() {
            continue;
        }
        let poses: Vec<Transform> = times
            .iter()
            .filter_map(|&time| make(joint, theirs, own(time), time))
            .collect();
        let mut before = rest.rotation;
        let rotations = poses.iter().map(|pose| {
            before = same_hemisphere(pose.rotation, before);
            before
        });
        *tracks = JointTracks {
            rotation: baked(&times, rotations.collect(), rest.rotation),
            translation: baked(
                &times,
                poses.iter().map(|pose| pose.translation).collect(),
                rest.translation,
            ),
            scale: baked(
                &times,
                poses.iter().map(|pose| pose.scale).collect(),
                rest.scale,
            ),
        };
    }
    Ok(result)
}

/// A track of these values; none where they are the rest value throughout.
fn baked<V: TrackValue>(times: &Arc<[f32]>, values: Vec<V>, rest: V) -> Option<Track<V>> {
    if values.iter().all(|value| *value == rest) {
        return None;
    }
    Track::computed(Interpolation::Linear, Arc::clone(times), values)
}

/// Key times of both clips; where one has splines, also times between.
fn union(first: &Clip, second: &Clip) -> Result<Arc<[f32]>, Error> {
    let (mut times, others) = (first.key_times(), second.key_times());
    times.extend(others);
    let both = || first.joints.iter().chain(&second.joints);
    let is_spline = |tracks: &JointTracks| {
        let cubic = Interpolation::CubicSpline;
        tracks
            .rotation
            .as_ref()
            .is_some_and(|track| track.interpolation() == cubic)
            || tracks
                .translation
                .as_ref()
                .is_some_and(|track| track.interpolation() == cubic)
            || tracks
                .scale
                .as_ref()
                .is_some_and(|track| track.interpolation() == cubic)
    };
    if both().any(is_spline) {
        let start = times.iter().copied().fold(f32::INFINITY, f32::min);
        let end = times.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let between = RegularTimes::new(start, end, BAKED_HZ).len() as u64;
        BakeLimits::default().check(first, between, first.joints.len())?;
        times.extend(regular_times(start, end, BAKED_HZ));
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    Ok(times.into())
}

/// A translation track moved by an offset; tangents stay.
fn offset_track(track: &Track<Vec3>, offset: Vec3) -> Track<Vec3> {
    let cubic = track.interpolation() == Interpolation::CubicSpline;
    let mut index = 0;
    track.map_linear(|value| {
        let tangent = cubic && index % 3 != 1;
        index += 1;
        if tangent { value } else { value + offset }
    })
}

/// Factor by factor; 1 where the base is 0.
fn quotient(value: Vec3, base: Vec3) -> Vec3 {
    let one = |value: f32, base: f32| {
        if base.abs() > 1e-12 {
            value / base
        } else {
            1.0
        }
    };
    Vec3::new(
        one(value.x, base.x),
        one(value.y, base.y),
        one(value.z, base.z),
    )
}
