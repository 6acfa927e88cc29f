//! How many frames baking may make of a clip. A file of two keys may claim a clip of years.

use crate::clip::{Clip, JointTracks};
use crate::remedy::{Action, Remedy};
use crate::track::Track;

/// Bytes of one joint in one frame: translation, rotation and scale.
const BYTES_PER_JOINT: u64 = 40;

/// Bounds on what baking makes of a clip, checked before memory is taken for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BakeLimits {
    /// Frames that a clip may be baked to. A clip may always have [`FRAMES_PER_KEY`] frames for each of its keys.
    /// Default 50,000: 28 minutes at 30 frames per second.
    pub frames: u64,
    /// Bytes that a baked clip may take: 40 for each joint of the target in each frame. Default 4 GiB.
    pub bytes: u64,
}

/// Frames that baking may always make of each key that a clip holds.
pub const FRAMES_PER_KEY: u64 = 8;

impl Default for BakeLimits {
    fn default() -> Self {
        Self {
            frames: 50_000,
            bytes: 4 << 30,
        }
    }
}

impl BakeLimits {
    /// Checks that a clip may become so many frames of so many joints.
    ///
    /// # Errors
    ///
    /// [`TooManyFrames`] beyond the limits.
    pub fn check(&self, clip: &Clip, frames: u64, joints: usize) -> Result<(), TooManyFrames> {
        let held = (keys(clip) as u64).saturating_mul(FRAMES_PER_KEY);
        let bytes_per_frame = BYTES_PER_JOINT.saturating_mul(joints as u64).max(1);
        let most = self.frames.max(held).min(self.bytes / bytes_per_frame);
        if frames <= most {
            return Ok(());
        }
        let (start, end) = clip.time_span();
        let seconds = f64::from(end) - f64::from(start);
        Err(TooManyFrames {
            clip: clip.name.clone(),
            seconds,
            frames,
            most,
            fits_hz: rounded_down(most.saturating_sub(1) as f64 / seconds.max(1e-9)),
        })
    }
}

/// Keys of the track that has most of them.
fn keys(clip: &Clip) -> usize {
    let of_joint = |tracks: &JointTracks| {
        let counts = [
            tracks.translation.as_ref().map_or(0, Track::key_count),
            tracks.rotation.as_ref().map_or(0, Track::key_count),
            tracks.scale.as_ref().map_or(0, Track::key_count),
        ];
        counts.into_iter().max().unwrap_or(0)
    };
    clip.joints.iter().map(of_joint).max().unwrap_or(0)
}

/// A rate that a person would type; 0 where there is none.
fn rounded_down(rate_hz: f64) -> f64 {
    if rate_hz >= 1.0 {
        rate_hz.floor()
    } else {
        (rate_hz * 100.0).floor() / 100.0
    }
}

/// A clip that baking would make more frames of than [`BakeLimits`] allow.
#[derive(Clone, Debug, PartialEq)]
pub struct TooManyFrames {
    /// Name of the clip.
    pub clip: String,
    /// From its first key to its last.
    pub seconds: f64,
    /// Frames that it would need.
    pub frames: u64,
    /// Frames that are allowed.
    pub most: u64,
    /// The highest rate, frames per second and rounded down, at which it would fit; 0 where none of at least 0.01 does.
    pub fits_hz: f64,
}

impl TooManyFrames {
    /// What is wrong: the clip, its length and how many frames it would need.
    pub fn what(&self) -> String {
        let Self {
            clip,
            seconds,
            frames,
            most,
            ..
        } = self;
        format!(
            "the clip \"{clip}\" lasts {seconds} s and would need {frames} frames, but the limit is {most}"
        )
    }

    /// What to do about it.
    pub fn remedy(&self) -> Remedy {
        if self.fits_hz > 0.0 {
            let rate = self.fits_hz;
            let text = format!("ask for at most {rate} frames per second, or shorten the clip");
            Remedy::new(text, &[Action::LowerRate])
        } else {
            "check its key times and shorten the clip".into()
        }
    }
}

impl std::fmt::Display for TooManyFrames {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for TooManyFrames {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::track::Interpolation;
    use glam::Quat;

    fn clip(times: Vec<f32>) -> Clip {
        let mut clip = Clip::new("long", 1);
        let values = vec![Quat::IDENTITY; times.len()];
        clip.joints[0].rotation = Track::new(Interpolation::Linear, times.into(), values).ok();
        clip
    }

    #[test]
    fn what_a_file_claims_is_limited_and_what_it_holds_is_not() {
        let limits = BakeLimits::default();
        let gap = clip(vec![0.0, 1e5]);
        assert_eq!(limits.check(&gap, 50_000, 60), Ok(()));
        let error = limits.check(&gap, 3_000_001, 60).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the clip \"long\" lasts 100000 s and would need 3000001 frames, but the limit is 50000; \
             ask for at most 0.49 frames per second, or shorten the clip"
        );
        let held = clip((0..60_000usize).map(|key| key as f32).collect());
        assert_eq!(limits.check(&held, 8 * 60_000, 60), Ok(()));
    }

    #[test]
    fn bytes_are_limited() {
        let limits = BakeLimits {
            bytes: 40 * 10 * 5,
            ..BakeLimits::default()
        };
        let clip = clip(vec![0.0, 1.0]);
        assert_eq!(limits.check(&clip, 5, 10), Ok(()));
        assert!(matches!(
            limits.check(&clip, 6, 10),
            Err(TooManyFrames { most: 5, .. })
        ));
    }
}
