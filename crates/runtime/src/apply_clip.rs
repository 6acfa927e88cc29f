//! A whole clip at once: the transfer, then the stages.

use super::apply_stages::{apply_stages, frames_between};
use super::keys::KeyTimes;
use super::mirror_clip;
use super::notes::ClipNotes;
use super::op::Plan;
use super::program::Program;
use super::transfer_clip::transfer_clip;
use crate::Error;
use rebone_model::bake::BakeLimits;
use rebone_model::check::check_clip;
use rebone_model::sampling::{RegularTimes, regular_times};
use rebone_model::track::{TrackValue, same_times};
use rebone_model::{Clip, Interpolation, JointTracks, Track};
use std::sync::Arc;

/// How to apply a plan to a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClipOptions {
    /// Frames a second of the result, whose frames then have the bits of [`apply_pose`](super::apply_pose()). Default:
    /// the source's own keys.
    pub rate_hz: Option<f64>,
    /// How many frames baking may make. Default: see [`BakeLimits`].
    pub limits: BakeLimits,
}

/// Retargets a clip of the plan's source rig; the result is a clip of its target rig.
///
/// # Errors
///
/// [`Error::TooManyFrames`] where more frames would be baked than `options.limits` allow; [`Error::Unusable`] where the
/// numbers of clip and plan are so odd that the result has none that a file could hold.
pub fn apply_clip(plan: &Plan, clip: &Clip, options: &ClipOptions) -> Result<Clip, Error> {
    Ok(apply_clip_noted(plan, clip, options)?.0)
}

/// Like [`apply_clip`], and tells what was seen on the way.
///
/// # Errors
///
/// As [`apply_clip`].
pub fn apply_clip_noted(
    plan: &Plan,
    clip: &Clip,
    options: &ClipOptions,
) -> Result<(Clip, ClipNotes), Error> {
    let mut notes = ClipNotes::default();
    let joints = plan.target.len();
    let times = match options.rate_hz {
        Some(rate_hz) => {
            let (start, end) = clip.time_span();
            let frames = RegularTimes::new(start, end, rate_hz).len() as u64;
            options.limits.check(clip, frames, joints)?;
            regular_times(start, end, rate_hz).into()
        }
        None => shared_key_times(clip),
    };
    let keys = KeyTimes {
        times: &times,
        between: between_keys(clip),
        keeps_source: options.rate_hz.is_none(),
    };
    let frames = frames_between(&plan.stages, keys);
    options.limits.check(clip, frames, joints)?;
    let mut result = Clip {
        joints: transfer_clip(plan, &Program::new(plan), clip, keys),
        curves: mirror_clip::curves(plan, clip),
        rate_hz: options.rate_hz.or(clip.rate_hz),
        ..Clip::new(clip.name.clone(), 0)
    };
    apply_stages(plan, clip, keys, &mut result, &mut notes);
    check(&result)?;
    Ok((result, notes))
}

/// Numbers that overflowed on the way are no motion.
fn check(clip: &Clip) -> Result<(), Error> {
    check_clip(clip).map_err(|problem| Error::Unusable(Box::new(problem)))
}

/// How baked tracks of a clip go from key to key.
pub(super) fn between_keys(clip: &Clip) -> Interpolation {
    if is_held(clip) {
        Interpolation::Step
    } else {
        Interpolation::Linear
    }
}

/// True where every track of a clip holds its keys, so that a baked one must not glide between them.
fn is_held(clip: &Clip) -> bool {
    fn held<V: TrackValue>(track: &Option<Track<V>>) -> bool {
        let moves = track.as_ref().filter(|track| !track.is_constant());
        moves.is_none_or(|track| track.interpolation() == Interpolation::Step)
    }
    let held = |tracks: &JointTracks| {
        held(&tracks.rotation) && held(&tracks.translation) && held(&tracks.scale)
    };
    clip.joints.iter().all(held)
}

fn shared_key_times(clip: &Clip) -> Arc<[f32]> {
    let times = clip.key_times();
    let existing = clip.joints.iter().find_map(|tracks| {
        let rotation = tracks.rotation.as_ref()?;
        same_times(rotation.times(), &times).then(|| Arc::clone(rotation.shared_times()))
    });
    existing.unwrap_or_else(|| times.into())
}
