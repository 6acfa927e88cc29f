//! How many frames baking may make of a clip. A file of two keys may claim a clip of years.

use crate::Error;
use rebone_model::{Clip, JointTracks};

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
    /// [`Error::TooManyFrames`] beyond the limits.
    pub fn check(&self, clip: &Clip, frames: u64, joints: usize) -> Result<(), Error> {
        let held = (keys(clip) as u64).saturating_mul(FRAMES_PER_KEY);
        let bytes_per_frame = BYTES_PER_JOINT.saturating_mul(joints as u64).max(1);
        let most = self.frames.max(held).min(self.bytes / bytes_per_frame);
        if frames <= most {
            return Ok(());
        }
        let (start, end) = clip.time_span();
        let seconds = f64::from(end) - f64::from(start);
        Err(Error::TooManyFrames {
            clip: clip.name.clone(),
            seconds,
            frames,
            most,
            fits_hz: most.saturating_sub(1) as f64 / seconds.max(1e-9),
        })
    }
}

/// Keys of the track that has most of them.
fn keys(clip: &Clip) -> usize {
    let of_joint = |tracks: &JointTracks| {
        let counts = [
            tracks
                .translation
                .as_ref()
                .map_or(0, |track| track.key_count()),
            tracks
                .rotation
                .as_ref()
                .map_or(0, |track| track.key_count()),
            tracks.scale.as_ref().map_or(0, |track| track.key_count()),
        ];
        counts.into_iter().max().unwrap_or(0)
    };
    clip.joints.iter().map(of_joint).max().unwrap_or(0)
}

/// What to do about a clip that would need too many frames, given the highest rate that fits.
pub(crate) fn remedy(fits_hz: f64) -> String {
    match fits_hz {
        rate if rate >= 1.0 => format!(
            "ask for at most {} frames per second, or shorten the clip",
            rate.floor()
        ),
        rate if rate >= 0.01 => format!(
            "ask for at most {} frames per second, or shorten the clip",
            (rate * 100.0).floor() / 100.0
        ),
        _ => "check its key times and shorten the clip".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::{Interpolation, Quat, Track};

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
            Err(Error::TooManyFrames { most: 5, .. })
        ));
    }
}
