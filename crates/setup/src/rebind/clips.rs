//! The source's clips for the re-based skeleton: its own keys of rotation, and places.
//!
//! | symbol | meaning |
//! |---|---|
//! | a(t), a | the source's hips now, and in its retarget pose, its own model space |
//! | b_j(t), b_j | the target's joint j as a retarget places it now, and in the retarget pose |
//! | T | turn between the files' axes |
//! | F | turn of the target's file axes to left, up, forward |
//! | s | factors of the three axes |
//!
//! `Raw`: the source's own keys for the hips and what is above them, which the container scales by k; every other
//! offset is constant. `Fitted`: each node that stands for joint j is at b_j(t). `Scaled`: the hips h are at b_h +
//! F⁻¹ · diag(s) · F · T · (a(t) − a), all others as far from them as in a retarget. Where the raw keys already
//! say so, within 1e-5 of the body's height, they stay; else the node gets keys of translation of its own. Degenerate cases: below a node without size the raw keys stay.

use super::build::RetargetedBind;
use super::character::Rebound;
use super::tree::affine;
use crate::align::Alignment;
use crate::compile::Compiled;
use glam::{DAffine3, DVec3, Vec3};
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;
use rebone_model::reduction::reduce_track;
use rebone_model::sampling::{sample_clip, sample_joint};
use rebone_model::{Clip, Interpolation, JointTracks, Skeleton, Track};
use rebone_runtime::{ClipOptions, Error, Plan, apply_clip};
use std::sync::Arc;

/// Where keys of translation come from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PlaceKeys {
    /// From the source as they are, for the hips and above; the container's scale fits them to the target.
    Raw,
    /// From a retarget, wherever it places a joint elsewhere than the raw keys do: hips above legs of another
    /// length, joints that slide, joints that hang from other joints in the source.
    #[default]
    Fitted,
    /// As `Fitted`, but the hips travel by so many target units a source unit to the left, up and forward, in
    /// file units.
    Scaled([f64; 3]),
}

/// Closer than this (of the body's height) is the same place.
const SAME: f64 = 1e-5;

/// Keys of places are at most so far apart, before those are left out that lie on a line.
const STEP_SECONDS: f32 = 1.0 / 120.0;
/// But at most so many between two keys of the source.
const MOST_PARTS: f32 = 64.0;

/// One clip of the source for the re-based skeleton. `source` is the source's skeleton.
///
/// # Errors
///
/// As [`apply_clip`].
pub fn rebound_clip(
    source: &Skeleton,
    clip: &Clip,
    compiled: &Compiled,
    bind: &RetargetedBind,
    rebound: &Rebound,
    keys: PlaceKeys,
) -> Result<Clip, Error> {
    let mut result = Clip {
        joints: vec![JointTracks::default(); rebound.character.skeleton.len()],
        ..clip.clone()
    };
    for (node, &joint) in bind.rebind.nodes.iter().zip(&rebound.joint_of_node) {
        let Some(own) = node.source.and_then(|source| clip.joints.get(source)) else {
            continue;
        };
        result.joints[joint] = JointTracks {
            translation: own.translation.clone().filter(|_| node.takes_translation),
            rotation: own.rotation.clone(),
            scale: own.scale.clone().filter(|_| node.takes_scale),
        };
    }
    let times = dense_times(clip);
    if keys == PlaceKeys::Raw || times.is_empty() {
        return Ok(result);
    }
    let mut wanted = retargeted(compiled, clip, &times)?;
    if let PlaceKeys::Scaled(factors) = keys {
        scale_travel(source, clip, compiled, bind, factors, &times, &mut wanted);
    }
    let mut target_of: Vec<Option<usize>> = vec![None; result.joints.len()];
    for (target, bound) in bind.rebind.joints.iter().enumerate() {
        if bound.is_driven {
            target_of[rebound.joint_of_node[bound.node]] = Some(target);
        }
    }
    let near = SAME * compiled.target.measures.height;
    fit(
        &rebound.character.skeleton,
        &mut result,
        &target_of,
        &times,
        &wanted,
        near,
    );
    Ok(result)
}

/// Gives nodes that are not where they should be keys of translation, parents first.
fn fit(
    skeleton: &Skeleton,
    clip: &mut Clip,
    target_of: &[Option<usize>],
    times: &Arc<[f32]>,
    wanted: &[Vec<DVec3>],
    near: f64,
) {
    let mut last_child: Vec<usize> = (0..skeleton.len()).collect();
    for (joint, own) in skeleton.joints().iter().enumerate() {
        if let Some(parent) = own.parent {
            last_child[parent] = joint;
        }
    }
    let mut model: Vec<Vec<DAffine3>> = Vec::with_capacity(skeleton.len());
    for (joint, own) in skeleton.joints().iter().enumerate() {
        let sampled = |tracks: &JointTracks| -> Vec<DAffine3> {
            let placed = times.iter().enumerate().map(|(frame, &time)| {
                let local = affine(&sample_joint(tracks, own.rest, time));
                own.parent
                    .map_or(local, |parent| model[parent][frame] * local)
            });
            placed.collect()
        };
        let mut placed = sampled(&clip.joints[joint]);
        if let Some(target) = target_of[joint] {
            let is_off = |(matrix, places): (&DAffine3, &Vec<DVec3>)| {
                matrix.translation.distance(places[target]) > near
            };
            let above = |frame: usize| own.parent.map(|parent| model[parent][frame]);
            if placed.iter().zip(wanted).any(is_off)
                && let Some(track) = placing_track(times, wanted, target, above, near)
            {
                clip.joints[joint].translation = Some(track);
                placed = sampled(&clip.joints[joint]);
            }
        }
        model.push(placed);
        // What has no more children to come is not needed again; long clips take much memory.
        if let Some(parent) = own.parent.filter(|&parent| last_child[parent] == joint) {
            model[parent] = Vec::new();
        }
        if last_child[joint] == joint {
            model[joint] = Vec::new();
        }
    }
}

/// Keys that put a joint to its wanted places; as few as keep it near them. `None` below a node without size.
fn placing_track(
    times: &Arc<[f32]>,
    wanted: &[Vec<DVec3>],
    target: usize,
    above: impl Fn(usize) -> Option<DAffine3>,
    near: f64,
) -> Option<Track<Vec3>> {
    let mut values = Vec::with_capacity(times.len());
    let mut size = 0.0f64;
    for (frame, places) in wanted.iter().enumerate() {
        let above = above(frame).unwrap_or(DAffine3::IDENTITY);
        let place = above.inverse().transform_point3(places[target]);
        if !place.is_finite() {
            return None;
        }
        size = size.max(above.matrix3.determinant().abs().cube_root());
        values.push(place.as_vec3());
    }
    let mut track = Track::new(Interpolation::Linear, Arc::clone(times), values).ok()?;
    let tolerance = (near / size.max(1e-12)) as f32;
    reduce_track(&mut track, tolerance, Vec3::distance);
    Some(track)
}

/// The clip's key times, and more between them where they are far apart: places that arcs lead to are no lines.
fn dense_times(clip: &Clip) -> Arc<[f32]> {
    let keys = clip.key_times();
    let mut times = Vec::with_capacity(2 * keys.len());
    for pair in keys.windows(2) {
        let parts = ((pair[1] - pair[0]) / STEP_SECONDS)
            .ceil()
            .clamped(1.0, MOST_PARTS);
        let step = (pair[1] - pair[0]) / parts;
        times.extend((0..parts as usize).map(|part| pair[0] + step * part as f32));
    }
    times.extend(keys.last());
    times.into()
}

/// Model-space places of the target's joints in a retargeted clip, a list a frame.
fn retargeted(compiled: &Compiled, clip: &Clip, times: &[f32]) -> Result<Vec<Vec<DVec3>>, Error> {
    let plan = Plan {
        stages: Vec::new(),
        ..compiled.plan.clone()
    };
    let made = apply_clip(&plan, clip, &ClipOptions::default())?;
    let rig = &plan.target;
    let mut model: Vec<DAffine3> = Vec::with_capacity(rig.len());
    let frames = times.iter().map(|&time| {
        model.clear();
        for (joint, rest) in rig.rest.iter().enumerate() {
            let local = affine(&sample_joint(&made.joints[joint], *rest, time));
            model.push(rig.parents[joint].map_or(local, |parent| model[parent] * local));
        }
        model.iter().map(|matrix| matrix.translation).collect()
    });
    Ok(frames.collect())
}

/// Moves all places so that the hips are at b + F⁻¹ · diag(s) · F · T · (a(t) − a).
fn scale_travel(
    source: &Skeleton,
    clip: &Clip,
    compiled: &Compiled,
    bind: &RetargetedBind,
    factors: [f64; 3],
    times: &[f32],
    places: &mut [Vec<DVec3>],
) {
    let Some(travel) = compiled.plan.travel else {
        return;
    };
    let reference = bind.pose_retarget[travel.target].translation;
    let own = place(source, bind.source_pose.transforms(), travel.source);
    let turn = compiled.plan.target_from_source.as_dquat();
    for (&time, places) in times.iter().zip(places) {
        let pose = sample_clip(source, clip, time);
        let way = turn * (place(source, pose.transforms(), travel.source) - own);
        let wanted = reference + along_axes(&compiled.target, way, factors);
        let shift = wanted - places[travel.target];
        for place in places {
            *place += shift;
        }
    }
}

/// F⁻¹ · diag(factors) · F · way.
fn along_axes(target: &Alignment, way: DVec3, factors: [f64; 3]) -> DVec3 {
    let turn = target.canonical_from_file;
    turn.conjugate() * ((turn * way) * DVec3::from_array(factors))
}

/// Where a joint is in model space.
fn place(skeleton: &Skeleton, pose: &[rebone_model::Transform], joint: usize) -> DVec3 {
    let mut product = affine(&pose[joint]);
    for above in skeleton.ancestors(joint) {
        product = affine(&pose[above]) * product;
    }
    product.translation
}
