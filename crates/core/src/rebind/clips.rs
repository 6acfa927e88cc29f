//! The source's clips for the re-based skeleton: its own keys of rotation and scale, and the hips' way.
//!
//! | symbol | meaning |
//! |---|---|
//! | a(t), a | the source's hips now, and in its retarget pose, its own model space |
//! | b(t), b | the target's hips as a retarget puts them, and in the retarget pose |
//! | T | turn between the files' axes |
//! | F | turn of the target's file axes to left, up, forward |
//!
//! `Raw`: the source's own keys, which the container scales by k. `Fitted`: b(t). `Scaled`: b + F⁻¹ · diag(s) · F
//! · T · (a(t) − a). The last two are brought below the hips' parent node, at the source's own key times; where
//! they say what the raw keys say these stay. Degenerate cases: a container or parent without size leaves the raw
//! keys.

use super::build::RetargetedBind;
use super::character::Rebound;
use super::tree::affine;
use crate::align::Alignment;
use crate::compile::Compiled;
use crate::runtime::{ClipOptions, LinearOp, Plan, apply_clip};
use glam::{DAffine3, DVec3, Vec3};
use rebone_model::sampling::{sample_clip, sample_clip_into};
use rebone_model::{Clip, Interpolation, JointTracks, Skeleton, Track};

/// Where the keys of the hips' translation come from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum HipsKeys {
    /// From the source as they are; the container's scale fits them to the target.
    Raw,
    /// From a retarget, which also knows the length of the legs in every frame.
    #[default]
    Fitted,
    /// From the source, about the retarget pose: so many target units a source unit to the left, up and
    /// forward, in file units.
    Scaled([f64; 3]),
}

/// Closer than this (of the body's height) is the same place.
const SAME: f64 = 1e-6;

/// One clip of the source for the re-based skeleton. `source` is the source's skeleton.
pub fn rebound_clip(
    source: &Skeleton,
    clip: &Clip,
    compiled: &Compiled,
    bind: &RetargetedBind,
    rebound: &Rebound,
    keys: HipsKeys,
) -> Clip {
    let skeleton = &rebound.character.skeleton;
    let mut result = Clip {
        joints: vec![JointTracks::default(); skeleton.len()],
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
    for slide in &compiled.plan.slides {
        if let Some((node, track)) = slid(slide, clip, &compiled.plan, bind) {
            result.joints[rebound.joint_of_node[node]].translation = Some(track);
        }
    }
    if keys != HipsKeys::Raw
        && let Some(track) = hips_track(source, clip, compiled, bind, rebound, &result, keys)
        && let Some(hips) = bind.hips
    {
        result.joints[rebound.joint_of_node[hips]].translation = Some(track);
    }
    result
}

/// Keys of a joint that slides in the source, and the node that takes them: the first of those between the
/// joint and what carries it, which all lie at one place.
fn slid(
    slide: &LinearOp,
    clip: &Clip,
    plan: &Plan,
    bind: &RetargetedBind,
) -> Option<(usize, Track<Vec3>)> {
    let track = clip.joints.get(slide.source)?.translation.as_ref()?;
    let rest = plan.source.rest[slide.source].translation;
    let near = 1e-5 * rest.length().max(1e-6);
    if (0..track.key_count()).all(|key| track.key_value(key).distance(rest) <= near) {
        return None;
    }
    let joints = &bind.rebind.joints;
    let above = &joints[plan.target.parents[slide.target]?];
    let own = &joints[slide.target];
    if !own.is_driven || own.node == bind.hips {
        return None;
    }
    let mut node = own.node?;
    while bind.rebind.nodes[node].parent != above.node {
        node = bind.rebind.nodes[node].parent?;
    }
    let frame = above.node_from_joint;
    let linear = glam::Mat3::from(frame.matrix3) * slide.linear;
    let offset = frame.transform_point3(slide.offset);
    let is_cubic = track.interpolation() == Interpolation::CubicSpline;
    let mut index = 0;
    let track = track.map_linear(|value: Vec3| {
        let is_tangent = is_cubic && index % 3 != 1;
        index += 1;
        linear * value + if is_tangent { Vec3::ZERO } else { offset }
    });
    Some((node, track))
}

fn hips_track(
    source: &Skeleton,
    clip: &Clip,
    compiled: &Compiled,
    bind: &RetargetedBind,
    rebound: &Rebound,
    raw: &Clip,
    keys: HipsKeys,
) -> Option<Track<Vec3>> {
    let travel = compiled.plan.travel?;
    let joint = rebound.joint_of_node[bind.hips?];
    let times = clip.key_times();
    let skeleton = &rebound.character.skeleton;
    let wanted = match keys {
        HipsKeys::Raw => return None,
        HipsKeys::Fitted => retargeted(compiled, clip, travel.target, &times),
        HipsKeys::Scaled(factors) => {
            let reference = bind.pose_retarget[travel.target].translation;
            let own = place(source, bind.source_pose.transforms(), travel.source);
            let ways = times.iter().map(|&time| {
                let pose = sample_clip(source, clip, time);
                place(source, pose.transforms(), travel.source) - own
            });
            let turn = compiled.plan.target_from_source.as_dquat();
            let scaled = |way: DVec3| reference + along_axes(&compiled.target, turn * way, factors);
            ways.map(scaled).collect()
        }
    };
    let mut values = Vec::with_capacity(times.len());
    let mut off = 0.0f64;
    for (&time, &place) in times.iter().zip(&wanted) {
        let pose = sample_clip(skeleton, raw, time);
        let above = matrix(skeleton, pose.transforms(), skeleton.parent(joint));
        let local = pose.transforms()[joint].translation.as_dvec3();
        off = off.max(above.transform_point3(local).distance(place));
        values.push(above.inverse().transform_point3(place).as_vec3());
    }
    if off <= SAME * compiled.target.measures.height {
        return None;
    }
    Track::new(Interpolation::Linear, times.into(), values).ok()
}

/// Model-space places of a joint in a retargeted clip.
fn retargeted(compiled: &Compiled, clip: &Clip, joint: usize, times: &[f32]) -> Vec<DVec3> {
    let plan = Plan {
        stages: Vec::new(),
        ..compiled.plan.clone()
    };
    let made = apply_clip(&plan, clip, &ClipOptions::default());
    let mut pose = plan.target.rest_pose();
    let rest = plan.target.rest_pose();
    let places = times.iter().map(|&time| {
        pose.transforms_mut().copy_from_slice(rest.transforms());
        sample_clip_into(&made, time, &mut pose);
        let mut product = DAffine3::IDENTITY;
        let mut at = Some(joint);
        while let Some(here) = at {
            product = affine(&pose.transforms()[here]) * product;
            at = plan.target.parents[here];
        }
        product.translation
    });
    places.collect()
}

/// F⁻¹ · diag(factors) · F · way.
fn along_axes(target: &Alignment, way: DVec3, factors: [f64; 3]) -> DVec3 {
    let turn = target.canonical_from_file;
    turn.conjugate() * ((turn * way) * DVec3::from_array(factors))
}

fn place(skeleton: &Skeleton, pose: &[rebone_model::Transform], joint: usize) -> DVec3 {
    matrix(skeleton, pose, Some(joint)).translation
}

/// Model space from a joint.
fn matrix(skeleton: &Skeleton, pose: &[rebone_model::Transform], joint: Option<usize>) -> DAffine3 {
    let mut product = DAffine3::IDENTITY;
    let mut at = joint;
    while let Some(here) = at {
        product = affine(&pose[here]) * product;
        at = skeleton.parent(here);
    }
    product
}
