//! Whole clips through the mirror: keys, times and splines stay what they are.
//!
//! The map of a joint's keys is linear in the quaternion, so values and tangents of a spline go through it alike. Where
//! the twins' parents are no twins, the joint is computed at every key of the clip. Source: docs/laws.md,
//! "Mirror a pose".

use super::keys::{keep_signs, mapped};
use super::mirror_curves;
use super::op::Plan;
use super::rig::Rig;
use super::stage::{JointMirror, Mirror, StageOp, mirror_in_place};
use rebone_model::rotation::angle_between;
use rebone_model::sampling::sample_joint;
use rebone_model::{Clip, Curve, Interpolation, JointTracks, Quat, Track, Transform};
use std::sync::Arc;

/// Rest rotations that mirroring changes by less than this (radians) need no track.
const NOTHING: f32 = 1e-6;

/// The mirrored clip of a rig: same name, times and interpolation. Sided morph targets and expressions exchange their
/// names, and the gaze is mirrored.
///
/// `clip` has one entry a joint of the rig that `mirror` was made for.
pub fn mirror_clip(rig: &Rig, mirror: &Mirror, clip: &Clip) -> Clip {
    let mut result = Clip::new(clip.name.clone(), 0);
    result.rate_hz = clip.rate_hz;
    result.curves = clip.curves.iter().map(mirror_curves::mirrored).collect();
    result.joints = mirror_tracks(rig, mirror, clip);
    result
}

/// The curves of a clip that a plan runs on: exchanged where more of its mirrors are on than off.
pub(super) fn curves(plan: &Plan, clip: &Clip) -> Vec<Curve> {
    let is_on = |stage: &&super::stage::Stage| {
        matches!(stage.op, StageOp::Mirror(_)) && stage.weight >= MOSTLY
    };
    if plan.stages.iter().filter(is_on).count() % 2 == 0 {
        return clip.curves.clone();
    }
    clip.curves.iter().map(mirror_curves::mirrored).collect()
}

/// Weight from which the face is that of the mirrored motion: names cannot be blended.
const MOSTLY: f32 = 0.5;

/// The mirrored tracks, one entry a joint.
pub(super) fn mirror_tracks(rig: &Rig, mirror: &Mirror, clip: &Clip) -> Vec<JointTracks> {
    let mut baked: Option<Baked> = None;
    let mut one = |(joint, how): (usize, &Option<JointMirror>)| {
        let Some(how) = how else {
            return JointTracks::default();
        };
        let tracks = clip.joints.get(how.twin).cloned().unwrap_or_default();
        let mut made = mirrored_tracks(how, [joint, how.twin].map(|at| rig.rest[at]), &tracks);
        if !how.is_local {
            let baked = baked.get_or_insert_with(|| Baked::new(rig, mirror, clip));
            made.rotation = baked.rotation(joint);
        }
        made
    };
    mirror.joints.iter().enumerate().map(&mut one).collect()
}

fn mirrored_tracks(how: &JointMirror, rests: [Transform; 2], tracks: &JointTracks) -> JointTracks {
    let [rest, twin_rest] = rests;
    let rotation = match &tracks.rotation {
        Some(track) => Some(track.map_linear(|value| how.rotation(value))),
        None => {
            let value = how.rotation(twin_rest.rotation);
            let moved = angle_between(value, rest.rotation) > NOTHING;
            moved.then(|| Track::constant(value))
        }
    };
    let translation = tracks.translation.as_ref().map(|track| {
        let place = |value| how.translation(rest, twin_rest, value);
        mapped(track, place, |tangent| how.linear * tangent)
    });
    JointTracks {
        translation,
        rotation,
        // Linear without an offset, but where nothing can be divided by.
        scale: tracks
            .scale
            .as_ref()
            .map(|track| track.map_linear(|value| how.scale(rest, twin_rest, value))),
    }
}

/// The poses of a clip's keys, mirrored.
struct Baked {
    times: Arc<[f32]>,
    between_keys: Interpolation,
    frames: Vec<Vec<Transform>>,
}

impl Baked {
    fn new(rig: &Rig, mirror: &Mirror, clip: &Clip) -> Self {
        let times: Arc<[f32]> = clip.key_times().into();
        let mut scratch = vec![0.0; mirror.scratch()];
        let mut frame = |&time: &f32| {
            let rests = rig.rest.iter().enumerate();
            let mut pose: Vec<Transform> = rests
                .map(|(joint, rest)| match clip.joints.get(joint) {
                    Some(tracks) => sample_joint(tracks, *rest, time),
                    None => *rest,
                })
                .collect();
            mirror_in_place(mirror, rig, &mut pose, &mut scratch);
            pose
        };
        Self {
            frames: times.iter().map(&mut frame).collect(),
            between_keys: super::apply_clip::between_keys(clip),
            times,
        }
    }

    fn rotation(&self, joint: usize) -> Option<Track<Quat>> {
        let frames = self.frames.iter();
        let mut values: Vec<Quat> = frames.map(|frame| frame[joint].rotation).collect();
        if let Some(&first) = values.first() {
            keep_signs(&mut values, first);
        }
        Track::computed(self.between_keys, Arc::clone(&self.times), values)
    }
}
