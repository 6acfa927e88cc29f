//! Values of tracks and clips at any time.

use crate::clip::{Clip, JointTracks};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use crate::track::{Interpolation, Track, TrackValue, same_times};
use crate::transform::Transform;
use std::sync::Arc;

/// The track's value at `time`; before the first and after the last key it holds that key's value.
pub fn sample_track<V: TrackValue>(track: &Track<V>, time: f32) -> V {
    let times = track.times();
    let after = times.partition_point(|&key_time| key_time <= time);
    sample_between(track, time, after)
}

/// The track's values at rising `times`, in one pass over the keys.
///
/// Where `times` are the track's own key times, the values are the keys' own, to the bit.
pub fn sample_track_at<V: TrackValue>(track: &Track<V>, times: &[f32]) -> Vec<V> {
    if same_times(track.times(), times) && track.interpolation() != Interpolation::CubicSpline {
        return track.values().to_vec();
    }
    let key_times = track.times();
    let mut after = 0;
    times
        .iter()
        .map(|&time| {
            while after < key_times.len() && key_times[after] <= time {
                after += 1;
            }
            sample_between(track, time, after)
        })
        .collect()
}

/// Value at `time`, where `after` is the index of the first key later than `time`.
fn sample_between<V: TrackValue>(track: &Track<V>, time: f32, after: usize) -> V {
    let times = track.times();
    if after == 0 {
        return track.key_value(0);
    }
    let before = after - 1;
    if after == times.len() || times[before] == time {
        return track.key_value(before);
    }
    let span = times[after] - times[before];
    let fraction = (time - times[before]) / span;
    match track.interpolation() {
        Interpolation::Step => track.key_value(before),
        Interpolation::Linear => {
            V::interpolate(track.key_value(before), track.key_value(after), fraction)
        }
        Interpolation::CubicSpline => {
            let values = track.values();
            let (t, t2, t3) = (
                fraction,
                fraction * fraction,
                fraction * fraction * fraction,
            );
            V::hermite(
                [
                    values[3 * before + 1],
                    values[3 * before + 2],
                    values[3 * after + 1],
                    values[3 * after],
                ],
                [
                    2.0 * t3 - 3.0 * t2 + 1.0,
                    span * (t3 - 2.0 * t2 + t),
                    -2.0 * t3 + 3.0 * t2,
                    span * (t3 - t2),
                ],
            )
        }
    }
}

/// The clip's pose at `time`: the skeleton's rest pose where the clip has no track.
pub fn sample_clip(skeleton: &Skeleton, clip: &Clip, time: f32) -> LocalPose {
    let mut pose = skeleton.rest_pose();
    sample_clip_into(clip, time, &mut pose);
    pose
}

/// Overwrites the channels of `pose` for which the clip has tracks. Allocates nothing.
pub fn sample_clip_into(clip: &Clip, time: f32, pose: &mut LocalPose) {
    for (tracks, transform) in clip.joints.iter().zip(pose.transforms_mut()) {
        *transform = sample_joint(tracks, *transform, time);
    }
}

/// One joint's local transform at `time`; channels without track keep their value of `rest`.
pub fn sample_joint(tracks: &JointTracks, rest: Transform, time: f32) -> Transform {
    Transform {
        translation: tracks
            .translation
            .as_ref()
            .map_or(rest.translation, |track| sample_track(track, time)),
        rotation: tracks
            .rotation
            .as_ref()
            .map_or(rest.rotation, |track| sample_track(track, time)),
        scale: tracks
            .scale
            .as_ref()
            .map_or(rest.scale, |track| sample_track(track, time)),
    }
}

/// Frames a second of a clip: what it states, if most of its keys are such frames; the spacing of its keys,
/// if that is even; what it states, if most such frames have a key; else the usual spacing of its keys.
/// `None` for fewer than two keys and no stated rate.
pub fn frame_rate_hz(clip: &Clip) -> Option<f64> {
    let times = clip.key_times();
    let stated = clip
        .rate_hz
        .filter(|rate_hz| rate_hz.is_finite() && *rate_hz > 0.0);
    let own = key_rate_hz(&times);
    let (Some(stated), Some((own, is_even))) = (stated, own) else {
        return stated.or(own.map(|(rate_hz, _)| rate_hz));
    };
    let first = times.first().copied().map_or(0.0, f64::from);
    let frames = || times.iter().map(|&time| (f64::from(time) - first) * stated);
    let with_key = frames().filter(|at| (at - at.round()).abs() < 0.02).count();
    let most_keys = 2 * with_key >= times.len();
    let most_frames = 2.0 * with_key as f64 >= frames().next_back().unwrap_or(0.0);
    Some(if most_keys || (most_frames && !is_even) {
        stated
    } else {
        own
    })
}

/// One over the usual time from key to key (the median, made exact by the length of the clip, and a whole
/// number of frames a second where it is nearly one), and whether most keys are so far apart.
fn key_rate_hz(times: &[f32]) -> Option<(f64, bool)> {
    let (first, last) = (f64::from(*times.first()?), f64::from(*times.last()?));
    let mut steps: Vec<f64> = times
        .windows(2)
        .map(|pair| f64::from(pair[1]) - f64::from(pair[0]))
        .collect();
    steps.sort_by(f64::total_cmp);
    let median = *steps.get(steps.len() / 2)?;
    let count = ((last - first) / median).round();
    if count < 1.0 || !count.is_finite() {
        return None;
    }
    let alike = steps
        .iter()
        .filter(|step| (*step / median - 1.0).abs() < 0.02);
    let is_even = 10 * alike.count() >= 8 * steps.len();
    let even = (last - first) / count;
    let is_whole_clip = (even / median - 1.0).abs() < 1e-3;
    let rate_hz = 1.0 / if is_whole_clip { even } else { median };
    let is_whole = rate_hz >= 1.0 && (rate_hz.round() / rate_hz - 1.0).abs() < 1e-4;
    Some((if is_whole { rate_hz.round() } else { rate_hz }, is_even))
}

/// Times from `start` to `end` at `rate_hz`, both ends included.
///
/// The last step may be shorter, so that the clip keeps its length.
///
/// Takes memory for all of them: check [`RegularTimes::len`] before, where the span comes from a file. Frames that are
/// one time in single precision come once.
pub fn regular_times(start: f32, end: f32, rate_hz: f64) -> Vec<f32> {
    let regular = RegularTimes::new(start, end, rate_hz);
    let mut times: Vec<f32> = (0..regular.len()).map(|frame| regular.at(frame)).collect();
    times.dedup();
    times
}

/// Times from a start to an end at a rate, both ends included, without a list of them.
///
/// The last step may be shorter. Far from 0, neighbouring frames may be one time in single precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegularTimes {
    start: f32,
    end: f32,
    rate_hz: f64,
    /// Whole frames after the first one.
    whole: usize,
    /// True where the end lies between whole frames.
    ends_between: bool,
}

impl RegularTimes {
    /// Times from `start` to `end`, seconds, at `rate_hz`.
    pub fn new(start: f32, end: f32, rate_hz: f64) -> Self {
        let frames = (f64::from(end) - f64::from(start)) * rate_hz;
        let whole = (frames + 1e-4).floor().max(0.0);
        Self {
            start,
            end,
            rate_hz,
            whole: whole as usize,
            ends_between: frames - whole > 1e-3,
        }
    }

    /// Number of times; at least 1.
    #[allow(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        self.whole
            .saturating_add(1 + usize::from(self.ends_between))
    }

    /// The time of a frame, counted from 0; the end behind the last one.
    pub fn at(&self, frame: usize) -> f32 {
        if frame > self.whole {
            return self.end;
        }
        let time = match frame {
            0 => self.start,
            _ => (f64::from(self.start) + frame as f64 / self.rate_hz) as f32,
        };
        if frame == self.whole && !self.ends_between {
            return time.min(self.end);
        }
        time
    }
}

/// The clip with linear keys at `times` (rising) in every channel that it animates.
pub fn resample(clip: &Clip, times: &[f32]) -> Clip {
    let shared: Arc<[f32]> = times.into();
    fn channel<V: TrackValue>(track: &Option<Track<V>>, times: &Arc<[f32]>) -> Option<Track<V>> {
        let track = track.as_ref()?;
        let values = sample_track_at(track, times);
        Track::computed(Interpolation::Linear, Arc::clone(times), values)
    }
    Clip {
        name: clip.name.clone(),
        joints: clip
            .joints
            .iter()
            .map(|tracks| JointTracks {
                translation: channel(&tracks.translation, &shared),
                rotation: channel(&tracks.rotation, &shared),
                scale: channel(&tracks.scale, &shared),
            })
            .collect(),
        curves: clip.curves.clone(),
        rate_hz: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};

    fn track(interpolation: Interpolation, values: Vec<Vec3>) -> Track<Vec3> {
        Track::new(interpolation, [0.0, 2.0].into(), values).unwrap()
    }

    #[test]
    fn step_linear_and_outside() {
        let step = track(Interpolation::Step, vec![Vec3::ZERO, Vec3::X]);
        assert_eq!(sample_track(&step, 1.9), Vec3::ZERO);
        assert_eq!(sample_track(&step, 2.0), Vec3::X);
        let linear = track(Interpolation::Linear, vec![Vec3::ZERO, Vec3::X]);
        assert_eq!(sample_track(&linear, 0.5), Vec3::X * 0.25);
        assert_eq!(sample_track(&linear, -1.0), Vec3::ZERO);
        assert_eq!(sample_track(&linear, 9.0), Vec3::X);
    }

    #[test]
    fn cubic_spline_follows_its_polynomial() {
        // f(t) = t² over [0, 2]: tangents 0 and 4 a second.
        let cubic = track(
            Interpolation::CubicSpline,
            vec![
                Vec3::ZERO,
                Vec3::ZERO,
                Vec3::ZERO,
                Vec3::X * 4.0,
                Vec3::X * 4.0,
                Vec3::ZERO,
            ],
        );
        for time in [0.0, 0.3, 1.0, 1.7, 2.0] {
            assert!((sample_track(&cubic, time).x - time * time).abs() < 1e-5);
        }
    }

    #[test]
    fn rotations_take_the_short_way() {
        let rotation = Track::new(
            Interpolation::Linear,
            [0.0, 1.0].into(),
            vec![Quat::IDENTITY, -Quat::from_rotation_x(1.0)],
        )
        .unwrap();
        let middle = sample_track(&rotation, 0.5);
        assert!(crate::rotation::angle_between(middle, Quat::from_rotation_x(0.5)) < 1e-6);
    }

    #[test]
    fn one_pass_equals_single_samples() {
        let linear = track(Interpolation::Linear, vec![Vec3::ZERO, Vec3::X]);
        let times = [-1.0, 0.0, 0.1, 1.9, 2.0, 3.0];
        let single: Vec<Vec3> = times.iter().map(|&t| sample_track(&linear, t)).collect();
        assert_eq!(sample_track_at(&linear, &times), single);
    }

    #[test]
    fn a_stated_rate_counts_where_the_keys_are_such_frames() {
        let clip = |times: &[f32], rate_hz| {
            let mut clip = Clip::new("clip", 1);
            let values = vec![Vec3::ZERO; times.len()];
            let track = Track::new(Interpolation::Linear, times.into(), values);
            clip.joints[0].translation = track.ok();
            clip.rate_hz = rate_hz;
            clip
        };
        let at = |rate: f32| -> Vec<f32> { (0..20).map(|key| 0.5 + key as f32 / rate).collect() };
        assert_eq!(frame_rate_hz(&clip(&at(24.0), None)), Some(24.0));
        assert_eq!(frame_rate_hz(&clip(&at(24.0), Some(30.0))), Some(24.0));
        assert_eq!(frame_rate_hz(&clip(&at(15.0), Some(30.0))), Some(30.0));
        assert_eq!(frame_rate_hz(&clip(&at(120.0), Some(30.0))), Some(120.0));
        assert_eq!(frame_rate_hz(&clip(&[0.0, 1.0], Some(30.0))), Some(30.0));
        let mut between: Vec<f32> = (0..90).map(|key| (key as f32 / 60.0).powi(2)).collect();
        between.extend((0..67).map(|key| key as f32 / 30.0));
        between.sort_by(f32::total_cmp);
        assert_eq!(frame_rate_hz(&clip(&between, Some(30.0))), Some(30.0));
        assert_eq!(frame_rate_hz(&clip(&[0.0], Some(30.0))), Some(30.0));
        assert_eq!(frame_rate_hz(&clip(&[0.0], None)), None);
    }

    #[test]
    fn regular_times_keep_both_ends() {
        assert_eq!(regular_times(0.0, 1.0, 4.0), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(regular_times(0.0, 1.1, 2.0), [0.0, 0.5, 1.0, 1.1]);
        assert_eq!(regular_times(0.5, 0.5, 30.0), [0.5]);
        assert_eq!(regular_times(0.5, 1.5, 0.0), [0.5]);
    }

    #[test]
    fn regular_times_are_counted_without_a_list() {
        let long = RegularTimes::new(0.0, 1e9, 240.0);
        assert_eq!(long.len(), 240_000_000_001);
        assert_eq!((long.at(0), long.at(240_000_000_000)), (0.0, 1e9));
        assert_eq!(RegularTimes::new(0.0, f32::MAX, f64::MAX).len(), usize::MAX);
        // Single precision knows times of 0.0625 s there.
        let far = regular_times(1e6, 1e6 + 1.0, 30.0);
        assert_eq!(far.len(), 17);
        assert!(far.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
