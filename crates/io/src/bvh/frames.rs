//! The regular frames at which a clip is written, and its values there.

use super::read::DEFAULT_FRAME_TIME;
use super::write::WriteOptions;
use crate::error::Error;
use rebone_model::sampling::{frame_rate_hz, sample_track_at};
use rebone_model::track::TrackValue;
use rebone_model::{Clip, Track};

/// Regular frames from a clip's first key to its last.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    /// Seconds a frame.
    pub(super) frame_time: f64,
    /// Times of the frames in the clip, seconds; at least one.
    pub(super) times: Vec<f32>,
}

impl Frames {
    /// At the frame time of the options, else the clip's own frame rate.
    pub(super) fn of(clip: Option<&Clip>, options: &WriteOptions) -> Result<Self, Error> {
        let key_times = clip.map(Clip::key_times).unwrap_or_default();
        let own = clip.and_then(frame_rate_hz).map(|rate_hz| 1.0 / rate_hz);
        let frame_time = options.frame_time.or(own).unwrap_or(DEFAULT_FRAME_TIME);
        if !(frame_time.is_finite() && frame_time > 0.0) {
            return Err(Error::caller(
                format!("a frame time of {frame_time} s cannot be written"),
                "frame_time",
                "choose a time above zero, such as 1/30",
            ));
        }
        let (first, last) = match key_times.as_slice() {
            [first, .., last] => (f64::from(*first), f64::from(*last)),
            [only] => (f64::from(*only), f64::from(*only)),
            [] => (0.0, 0.0),
        };
        // Key times are rounded to single precision: by that much the last key may lie behind its frame.
        let rounding = 1e-3 + last.abs().max(first.abs()) * f64::from(f32::EPSILON) / frame_time;
        let steps = ((last - first) / frame_time - rounding).ceil().max(0.0);
        if let Some(clip) = clip {
            let frames = (steps as u64).saturating_add(1);
            let checked = options.limits.check(clip, frames, clip.joints.len());
            checked.map_err(|error| match options.frame_time {
                Some(_) => Error::caller(error.what(), "frame_time", error.remedy().text),
                None => Error::limit(error.what(), "frame_time", error.remedy().text),
            })?;
        }
        let times = (0..=steps as u64)
            .map(|frame| (first + frame as f64 * frame_time) as f32)
            .collect();
        Ok(Self { frame_time, times })
    }
}

/// A channel's values at the frames.
#[derive(Clone, Debug)]
pub(super) enum Sampled<V> {
    /// The same at all frames.
    Constant(V),
    /// One a frame.
    Frames(Vec<V>),
}

impl<V: TrackValue> Sampled<V> {
    /// Samples a track; without one the value is `rest` throughout.
    pub(super) fn new(track: Option<&Track<V>>, rest: V, times: &[f32]) -> Self {
        match track {
            None => Self::Constant(rest),
            Some(track) if track.is_constant() => Self::Constant(track.key_value(0)),
            Some(track) => Self::Frames(sample_track_at(track, times)),
        }
    }

    /// The value at a frame.
    pub(super) fn at(&self, frame: usize) -> V {
        match self {
            Self::Constant(value) => *value,
            Self::Frames(values) => values[frame],
        }
    }

    /// The values, one where they are all the same.
    pub(super) fn values(&self) -> &[V] {
        match self {
            Self::Constant(value) => std::slice::from_ref(value),
            Self::Frames(values) => values,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::{Interpolation, Vec3};

    fn clip(times: &[f32]) -> Clip {
        let mut clip = Clip::new("clip", 1);
        let values = vec![Vec3::ZERO; times.len()];
        clip.joints[0].translation =
            Some(Track::new(Interpolation::Linear, times.into(), values).unwrap());
        clip
    }

    #[test]
    fn rate_comes_from_the_keys() {
        let times: Vec<f32> = (0..100).map(|key| 0.5 + key as f32 / 30.0).collect();
        let frames = Frames::of(Some(&clip(&times)), &WriteOptions::default()).unwrap();
        assert_eq!(frames.frame_time, 1.0 / 30.0);
        assert_eq!(frames.times.len(), 100);
        assert_eq!(frames.times[0], 0.5);
    }

    #[test]
    fn last_key_is_covered() {
        let options = WriteOptions {
            frame_time: Some(0.3),
            ..WriteOptions::default()
        };
        let frames = Frames::of(Some(&clip(&[0.0, 1.0])), &options).unwrap();
        assert_eq!(frames.times, [0.0, 0.3, 0.6, 0.9, 1.2]);
        let frames = Frames::of(None, &WriteOptions::default()).unwrap();
        assert_eq!(frames.times, [0.0]);
    }

    #[test]
    fn impossible_frame_times_are_errors() {
        for frame_time in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9] {
            let options = WriteOptions {
                frame_time: Some(frame_time),
                ..WriteOptions::default()
            };
            let result = Frames::of(Some(&clip(&[0.0, 1.0])), &options);
            assert!(matches!(result, Err(Error::Caller(_))), "{frame_time}");
        }
    }

    #[test]
    fn years_are_refused_before_memory_is_taken() {
        let years = clip(&[0.0, 0.1, 0.2, 1e9]);
        let error = Frames::of(Some(&years), &WriteOptions::default()).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, Error::Limit(_)), "{text}");
        assert!(text.contains("\"clip\" lasts 1000000000 s"), "{text}");
    }
}
