//! Fewer keys within a stated error.

use crate::clip::Clip;
use crate::track::{Interpolation, Track, TrackValue};
use glam::{Quat, Vec3};

/// The largest error that key reduction may make at any removed key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReductionOptions {
    /// Metres. Default 0.0001; 0 removes only keys that change nothing.
    pub translation: f32,
    /// Radians. Default 0.001 (0.06 degrees).
    pub rotation: f32,
    /// Factor. Default 0.0001.
    pub scale: f32,
}

impl Default for ReductionOptions {
    fn default() -> Self {
        Self {
            translation: 1e-4,
            rotation: 1e-3,
            scale: 1e-4,
        }
    }
}

/// Removes keys from linear tracks as long as each removed key stays within the stated error of the
/// remaining curve. Step and cubic-spline tracks stay as they are.
pub fn reduce_clip(clip: &mut Clip, options: &ReductionOptions) {
    let distance = |a: Vec3, b: Vec3| a.distance(b);
    let angle = |a: Quat, b: Quat| crate::rotation::angle_between(a, b);
    for tracks in &mut clip.joints {
        if let Some(track) = &mut tracks.translation {
            reduce_track(track, options.translation, distance);
        }
        if let Some(track) = &mut tracks.rotation {
            reduce_track(track, options.rotation, angle);
        }
        if let Some(track) = &mut tracks.scale {
            reduce_track(track, options.scale, distance);
        }
    }
}

/// Removes keys of one linear track (Douglas-Peucker over time).
///
/// `difference` measures how far two values are apart, in the unit of `tolerance`.
pub fn reduce_track<V: TrackValue>(
    track: &mut Track<V>,
    tolerance: f32,
    difference: impl Fn(V, V) -> f32,
) {
    let count = track.key_count();
    if track.interpolation() != Interpolation::Linear || count < 3 {
        return;
    }
    let (times, values) = (track.times(), track.values());
    let mut keep = vec![false; count];
    keep[0] = true;
    keep[count - 1] = true;
    let mut open = vec![(0, count - 1)];
    while let Some((first, last)) = open.pop() {
        let span = times[last] - times[first];
        let mut worst = (tolerance, None);
        for key in first + 1..last {
            let fraction = if span > 0.0 {
                (times[key] - times[first]) / span
            } else {
                0.0
            };
            let line = V::interpolate(values[first], values[last], fraction);
            let error = difference(line, values[key]);
            if error > worst.0 {
                worst = (error, Some(key));
            }
        }
        if let Some(key) = worst.1 {
            keep[key] = true;
            open.push((first, key));
            open.push((key, last));
        }
    }
    let kept = |index: &usize| keep[*index];
    let new_times: Vec<f32> = (0..count).filter(kept).map(|key| times[key]).collect();
    let new_values: Vec<V> = (0..count).filter(kept).map(|key| values[key]).collect();
    if let Ok(reduced) = Track::new(Interpolation::Linear, new_times.into(), new_values) {
        *track = reduced;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::sample_track;

    #[test]
    fn error_stays_within_the_bound() {
        let times: Vec<f32> = (0..500).map(|i| i as f32 / 60.0).collect();
        let values: Vec<Vec3> = times.iter().map(|t| Vec3::new(t.sin(), *t, 0.0)).collect();
        let original = Track::new(Interpolation::Linear, times.into(), values).unwrap();
        let mut reduced = original.clone();
        reduce_track(&mut reduced, 1e-3, |a: Vec3, b: Vec3| a.distance(b));
        assert!(reduced.key_count() < 120, "{}", reduced.key_count());
        for (time, value) in original.times().iter().zip(original.values()) {
            assert!(sample_track(&reduced, *time).distance(*value) <= 1e-3 + 1e-6);
        }
    }

    #[test]
    fn constant_tracks_keep_two_keys() {
        let mut track = Track::new(
            Interpolation::Linear,
            (0..1_000).map(|i| i as f32).collect(),
            vec![Quat::IDENTITY; 1_000],
        )
        .unwrap();
        reduce_track(&mut track, 0.0, crate::rotation::angle_between);
        assert_eq!(track.key_count(), 2);
    }
}
