//! Motions through the mirror.

use super::{JointMirror, Mirror, curves, reflected, reflected_point, reflected_single};
use crate::align::unit;
use glam::DQuat;
use rebone_model::kinematics::model_pose;
use rebone_model::rotation::{angle_between, same_hemisphere};
use rebone_model::sampling::sample_clip;
use rebone_model::{
    Character, Clip, Interpolation, JointTracks, LocalPose, Quat, Track, Transform, Vec3,
};
use std::sync::Arc;

/// Rest rotations that mirroring changes by less than this (radians) need no track.
const NOTHING: f32 = 1e-6;

/// The mirrored clip: same name, times and interpolation.
///
/// `clip` has one entry a joint of `character`, which is the one that `mirror` was made for.
pub fn mirror_clip(character: &Character, mirror: &Mirror, clip: &Clip) -> Clip {
    let mut result = Clip::new(clip.name.clone(), clip.joints.len());
    result.rate_hz = clip.rate_hz;
    result.curves = clip.curves.iter().map(curves::mirrored).collect();
    let mut baked: Option<Baked> = None;
    for (joint, made) in result.joints.iter_mut().enumerate() {
        let Some(Some(how)) = mirror.joints.get(joint) else {
            continue;
        };
        let rests = [joint, how.twin].map(|at| character.skeleton.joints()[at].rest);
        let tracks = clip.joints.get(how.twin).cloned().unwrap_or_default();
        *made = mirrored_tracks(how, rests, &tracks);
        if !how.is_local {
            let baked = baked.get_or_insert_with(|| Baked::new(character, mirror, clip));
            made.rotation = baked.rotation(character, joint);
        }
    }
    result
}

/// The mirrored pose, local.
pub fn mirror_pose(character: &Character, mirror: &Mirror, pose: &LocalPose) -> LocalPose {
    let joints = character.skeleton.joints();
    let transforms = pose.transforms();
    let model = model_rotations(character, mirror, pose);
    let mirrored = joints.iter().enumerate().map(|(joint, own)| {
        let Some(Some(how)) = mirror.joints.get(joint) else {
            return own.rest;
        };
        let (twin, twin_rest) = (transforms[how.twin], joints[how.twin].rest);
        let rotation = if how.is_local {
            how.left * reflected_single(twin.rotation) * how.right
        } else {
            local_rotation(character, &model, joint)
        };
        Transform {
            translation: own.rest.translation
                + how.linear * (twin.translation - twin_rest.translation),
            rotation,
            scale: mirrored_scale(how, own.rest.scale, twin_rest.scale, twin.scale),
        }
    });
    LocalPose::new(mirrored.collect())
}

/// A point of the model, such as where a prop is, seen in the mirror.
pub fn mirror_point(mirror: &Mirror, point: Vec3) -> Vec3 {
    reflected_point(mirror.canonical_from_file, point)
}

fn mirrored_tracks(how: &JointMirror, rests: [Transform; 2], tracks: &JointTracks) -> JointTracks {
    let [rest, twin_rest] = rests;
    let through = |rotation: Quat| how.left * reflected_single(rotation) * how.right;
    let rotation = match &tracks.rotation {
        Some(track) => Some(track.map_linear(through)),
        None => {
            let value = through(twin_rest.rotation);
            let moved = angle_between(value, rest.rotation) > NOTHING;
            moved.then(|| Track::constant(value))
        }
    };
    let translation = tracks.translation.as_ref().map(|track| {
        // Tangents are differences: they are turned, but not moved.
        let is_spline = track.interpolation() == Interpolation::CubicSpline;
        let mut place = 0usize;
        track.map_linear(|value| {
            let is_tangent = is_spline && place % 3 != 1;
            place += 1;
            if is_tangent {
                how.linear * value
            } else {
                rest.translation + how.linear * (value - twin_rest.translation)
            }
        })
    });
    let scale = tracks.scale.as_ref().map(|track| {
        let is_spline = track.interpolation() == Interpolation::CubicSpline;
        let mut place = 0usize;
        track.map_linear(|value| {
            let is_tangent = is_spline && place % 3 != 1;
            place += 1;
            if is_tangent {
                rest.scale * (how.scale * divided(value, twin_rest.scale))
            } else {
                mirrored_scale(how, rest.scale, twin_rest.scale, value)
            }
        })
    });
    JointTracks {
        translation,
        rotation,
        scale,
    }
}

fn mirrored_scale(how: &JointMirror, rest: Vec3, twin_rest: Vec3, twin: Vec3) -> Vec3 {
    rest * (how.scale * divided(twin, twin_rest))
}

/// Component by component; 1 where nothing can be divided by.
fn divided(value: Vec3, by: Vec3) -> Vec3 {
    let one = |value: f32, by: f32| if by.abs() > 1e-12 { value / by } else { 1.0 };
    Vec3::new(one(value.x, by.x), one(value.y, by.y), one(value.z, by.z))
}

/// Mirrored model-space rotations W' of a pose, in the file's space; joints without twin move with their
/// parent.
fn model_rotations(character: &Character, mirror: &Mirror, pose: &LocalPose) -> Vec<DQuat> {
    let model = model_pose(&character.skeleton, pose);
    let canonical = mirror.canonical_from_file;
    let mut result: Vec<DQuat> = Vec::with_capacity(model.len());
    for (joint, at) in character.skeleton.joints().iter().enumerate() {
        result.push(match mirror.joints.get(joint) {
            Some(Some(how)) => {
                let twin = unit(model.rotation(how.twin).as_dquat());
                let delta = canonical * twin * mirror.standing[how.twin].conjugate();
                unit(canonical.conjugate() * reflected(delta) * mirror.standing[joint])
            }
            _ => {
                let above = at.parent.map_or(DQuat::IDENTITY, |parent| result[parent]);
                above * at.rest.rotation.as_dquat()
            }
        });
    }
    result
}

fn local_rotation(character: &Character, model: &[DQuat], joint: usize) -> Quat {
    let parent = character.skeleton.parent(joint);
    let above = parent.map_or(DQuat::IDENTITY, |parent| model[parent]);
    unit(above.conjugate() * model[joint]).as_quat()
}

/// Model-space rotations at every key of a clip.
struct Baked {
    times: Arc<[f32]>,
    frames: Vec<Vec<DQuat>>,
}

impl Baked {
    fn new(character: &Character, mirror: &Mirror, clip: &Clip) -> Self {
        let times = clip.key_times();
        let frame = |&time: &f32| {
            let pose = sample_clip(&character.skeleton, clip, time);
            model_rotations(character, mirror, &pose)
        };
        Self {
            frames: times.iter().map(frame).collect(),
            times: times.into(),
        }
    }

    fn rotation(&self, character: &Character, joint: usize) -> Option<Track<Quat>> {
        let mut values: Vec<Quat> = Vec::with_capacity(self.frames.len());
        for frame in &self.frames {
            let value = local_rotation(character, frame, joint);
            let before = values.last().copied().unwrap_or(value);
            values.push(same_hemisphere(value, before));
        }
        Track::new(Interpolation::Linear, Arc::clone(&self.times), values).ok()
    }
}
