//! Keys over time for one channel of one joint.

use crate::elementary::Turn as _;
use crate::usable::{is_usable, is_usable_vector};
use glam::{Quat, Vec3};
use std::sync::Arc;

/// How values between two keys are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The earlier key's value.
    Step,
    /// A straight line; for rotations the shortest arc at constant speed (slerp).
    Linear,
    /// Hermite spline with an in-tangent and an out-tangent a key, per second.
    CubicSpline,
}

impl Interpolation {
    /// Stored values a key: three for a cubic spline (in-tangent, value, out-tangent), else one.
    pub fn values_per_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::CubicSpline => 3,
        }
    }
}

/// Keys of one channel: times, and values in glTF's own layout.
///
/// Tracks of one clip may share their times, and copies of a track share its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<V> {
    interpolation: Interpolation,
    times: Arc<[f32]>,
    // Shared, so that a copy of a clip takes no memory for its keys.
    values: Arc<Vec<V>>,
}

/// Why keys do not make a track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrackError {
    /// No key at all.
    Empty,
    /// The number of values does not fit the number of times.
    Count {
        /// Number of key times.
        times: usize,
        /// Number of values that they need.
        expected: usize,
        /// Number of values given.
        values: usize,
    },
    /// A key time is not finite, or not after the key before it.
    Time {
        /// Index of the key.
        key: usize,
    },
    /// A value is NaN, infinite or beyond [`LARGEST`](crate::usable::LARGEST).
    Value {
        /// Index among the stored values.
        value: usize,
    },
}

impl std::fmt::Display for TrackError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => formatter.write_str("the track has no keys"),
            Self::Count {
                times,
                expected,
                values,
            } => write!(
                formatter,
                "{times} key times need {expected} values, but there are {values}"
            ),
            Self::Time { key } => write!(
                formatter,
                "the time of key {key} is not finite or not after that of the key before it"
            ),
            Self::Value { value } => {
                write!(formatter, "value {value} is not finite or beyond 1e18")
            }
        }
    }
}

impl std::error::Error for TrackError {}

/// A value that a track can hold.
pub trait TrackValue: Copy + PartialEq + std::fmt::Debug + sealed::Sealed {
    /// False where a part is NaN, infinite or beyond [`LARGEST`](crate::usable::LARGEST).
    fn is_usable(self) -> bool;
    /// Value at `fraction` of the way from `from` to `to`.
    fn interpolate(from: Self, to: Self, fraction: f32) -> Self;
    /// `a * wa + b * wb + c * wc + d * wd`, made a valid value again (rotations are normalised).
    fn hermite(values: [Self; 4], weights: [f32; 4]) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for glam::Vec3 {}
    impl Sealed for glam::Quat {}
}

impl TrackValue for Vec3 {
    fn is_usable(self) -> bool {
        is_usable_vector(self)
    }
    fn interpolate(from: Self, to: Self, fraction: f32) -> Self {
        from + (to - from) * fraction
    }
    fn hermite(values: [Self; 4], weights: [f32; 4]) -> Self {
        values[0] * weights[0]
            + values[1] * weights[1]
            + values[2] * weights[2]
            + values[3] * weights[3]
    }
}

impl TrackValue for Quat {
    fn is_usable(self) -> bool {
        let parts = self.to_array();
        parts.into_iter().all(is_usable)
    }
    fn interpolate(from: Self, to: Self, fraction: f32) -> Self {
        from.arc_to(to, fraction)
    }
    fn hermite(values: [Self; 4], weights: [f32; 4]) -> Self {
        let sum = values[0] * weights[0]
            + values[1] * weights[1]
            + values[2] * weights[2]
            + values[3] * weights[3];
        crate::rotation::normalized_or_identity(sum)
    }
}

/// Keys with times that were equal, told apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Separated {
    /// Strictly rising.
    pub times: Vec<f32>,
    /// Indices of the keys that are kept, rising, one for each time.
    pub kept: Vec<usize>,
    /// Number of keys that there were.
    pub of: usize,
}

impl Separated {
    /// The values of the kept keys, of equally many values for each of the old keys. All of them where their number
    /// does not fit, so that [`Track::new`] finds that.
    pub fn pick<V: Copy>(&self, values: &[V]) -> Vec<V> {
        let per_key = values.len() / self.of.max(1);
        if per_key * self.of != values.len() {
            return values.to_vec();
        }
        let of_key = |key: &usize| values[key * per_key..(key + 1) * per_key].iter().copied();
        self.kept.iter().flat_map(of_key).collect()
    }
}

/// Tells keys of the same time apart, for times that do not fall; `None` where all times differ.
///
/// Two keys of one time say that a value jumps there. The first of them moves to the nearest earlier time, the last
/// one stays, and those between, which never show, are left out. At time 0, before which there is nothing, only the
/// last one is kept.
pub fn separated(times: &[f32]) -> Option<Separated> {
    if times.windows(2).all(|pair| pair[0] < pair[1]) {
        return None;
    }
    let mut result = Separated {
        times: Vec::with_capacity(times.len()),
        kept: Vec::with_capacity(times.len()),
        of: times.len(),
    };
    for (key, &time) in times.iter().enumerate() {
        if let Some(last) = result.times.last_mut().filter(|last| **last >= time) {
            let before = time.next_down();
            *last = before;
            let [.., other, _] = result.times.as_slice() else {
                // The first key of all.
                if time == 0.0 {
                    result.times.clear();
                    result.kept.clear();
                }
                result.push(time, key);
                continue;
            };
            if *other >= before {
                result.times.pop();
                result.kept.pop();
            }
        }
        result.push(time, key);
    }
    Some(result)
}

impl Separated {
    fn push(&mut self, time: f32, key: usize) {
        self.times.push(time);
        self.kept.push(key);
    }
}

impl<V: TrackValue> Track<V> {
    /// A track from key times (seconds, each after the one before it) and values
    /// ([`Interpolation::values_per_key`] a key). A spline of one key becomes a step.
    pub fn new(
        interpolation: Interpolation,
        times: Arc<[f32]>,
        values: Vec<V>,
    ) -> Result<Self, TrackError> {
        if times.is_empty() {
            return Err(TrackError::Empty);
        }
        let expected = times.len() * interpolation.values_per_key();
        if values.len() != expected {
            return Err(TrackError::Count {
                times: times.len(),
                expected,
                values: values.len(),
            });
        }
        let mut before = f32::NEG_INFINITY;
        for (key, &time) in times.iter().enumerate() {
            if !time.is_finite() || time <= before {
                return Err(TrackError::Time { key });
            }
            before = time;
        }
        if let Some(value) = values.iter().position(|value| !value.is_usable()) {
            return Err(TrackError::Value { value });
        }
        Ok(Self::of_checked(interpolation, times, values))
    }

    /// A track of computed values at times that rise, without a look at the values, which may have overflowed:
    /// [`check_clip`](crate::check::check_clip) finds those. `None` without keys, or where the numbers of times and
    /// values do not fit.
    pub fn computed(
        interpolation: Interpolation,
        times: Arc<[f32]>,
        values: Vec<V>,
    ) -> Option<Self> {
        let fits = values.len() == times.len() * interpolation.values_per_key();
        (fits && !times.is_empty()).then(|| Self::of_checked(interpolation, times, values))
    }

    /// A spline of one key is a step: it has no stretch for its tangents, and glTF knows no such splines.
    fn of_checked(interpolation: Interpolation, times: Arc<[f32]>, mut values: Vec<V>) -> Self {
        let is_point = interpolation == Interpolation::CubicSpline && times.len() == 1;
        if is_point {
            values = vec![values[1]];
        }
        Self {
            interpolation: if is_point {
                Interpolation::Step
            } else {
                interpolation
            },
            times,
            values: Arc::new(values),
        }
    }

    /// The same keys, each later by so many seconds. Keys that get the same time by rounding are told apart as by
    /// [`separated`]. `None` where a time is not finite any more.
    pub fn shifted(&self, by: f64) -> Option<Self> {
        let later = |time: &f32| (f64::from(*time) + by) as f32;
        let times: Vec<f32> = self.times.iter().map(later).collect();
        let (times, values) = match separated(&times) {
            None => (times, self.values.to_vec()),
            Some(told_apart) => {
                let values = told_apart.pick(&self.values);
                (told_apart.times, values)
            }
        };
        Self::new(self.interpolation, times.into(), values).ok()
    }

    /// A track of one key at time 0.
    pub fn constant(value: V) -> Self {
        Self {
            interpolation: Interpolation::Step,
            times: Arc::from([0.0]),
            values: Arc::new(vec![value]),
        }
    }

    /// How values between keys are found.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Key times, seconds, each after the one before it.
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// Key times, shared.
    pub fn shared_times(&self) -> &Arc<[f32]> {
        &self.times
    }

    /// Stored values: one a key, or in-tangent, value, out-tangent a key for a cubic spline.
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// Number of keys; at least 1.
    pub fn key_count(&self) -> usize {
        self.times.len()
    }

    /// The value of a key, without its tangents.
    pub fn key_value(&self, key: usize) -> V {
        match self.interpolation {
            Interpolation::Step | Interpolation::Linear => self.values[key],
            Interpolation::CubicSpline => self.values[3 * key + 1],
        }
    }

    /// True where every key has the same value, to the bit, and tangents play no part.
    pub fn is_constant(&self) -> bool {
        self.interpolation != Interpolation::CubicSpline
            && self.values.iter().all(|value| *value == self.values[0])
            || self.key_count() == 1
    }

    /// The same keys with every stored value (tangents included) replaced by `map(value)`.
    ///
    /// Exact for linear maps: interpolation commutes with them. Source: docs/laws.md, "Keys that stay keys".
    pub fn map_linear<W: TrackValue>(&self, map: impl FnMut(V) -> W) -> Track<W> {
        Track {
            interpolation: self.interpolation,
            times: Arc::clone(&self.times),
            values: Arc::new(self.values.iter().copied().map(map).collect()),
        }
    }

    /// The same keys with other computed values, in the same layout; see [`Track::computed`].
    pub fn with_values<W: TrackValue>(&self, values: Vec<W>) -> Option<Track<W>> {
        Track::computed(self.interpolation, Arc::clone(&self.times), values)
    }
}

/// True for two lists of the same times: most tracks of a clip have their keys together.
pub fn same_times(a: &[f32], b: &[f32]) -> bool {
    // All are compared, which is faster than to stop at the first that differs.
    let pairs = || a.iter().zip(b);
    std::ptr::eq(a, b) || a.len() == b.len() && pairs().fold(true, |all, (a, b)| all & (a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_must_rise() {
        let make = |times: &[f32]| {
            let values = vec![Vec3::ZERO; times.len()];
            Track::new(Interpolation::Linear, times.into(), values).map(|_| ())
        };
        assert_eq!(make(&[0.0, 1.0]), Ok(()));
        for times in [[1.0, 1.0], [1.0, 0.5], [-0.0, 0.0], [0.0, f32::NAN]] {
            assert_eq!(make(&times), Err(TrackError::Time { key: 1 }), "{times:?}");
        }
    }

    #[test]
    fn a_spline_of_one_key_is_a_step() {
        let values = vec![Vec3::X, Vec3::Y, Vec3::Z];
        let track = Track::new(Interpolation::CubicSpline, [1.0].into(), values).unwrap();
        assert_eq!(track.interpolation(), Interpolation::Step);
        assert_eq!(track.values(), [Vec3::Y]);
    }

    #[test]
    fn equal_times_are_told_apart() {
        let kept = |times: &[f32]| separated(times).map(|found| (found.times, found.kept));
        let before = 1.0_f32.next_down();
        assert_eq!(kept(&[0.0, 1.0]), None);
        assert_eq!(
            kept(&[0.0, 1.0, 1.0]),
            Some((vec![0.0, before, 1.0], vec![0, 1, 2]))
        );
        assert_eq!(
            kept(&[0.0, 1.0, 1.0, 1.0, 2.0]),
            Some((vec![0.0, before, 1.0, 2.0], vec![0, 1, 3, 4]))
        );
        assert_eq!(kept(&[0.0, 0.0, 1.0]), Some((vec![0.0, 1.0], vec![1, 2])));
        assert_eq!(kept(&[-0.0, 0.0]), Some((vec![0.0], vec![1])));
        assert_eq!(kept(&[1.0, 1.0]), Some((vec![before, 1.0], vec![0, 1])));
        assert_eq!(
            kept(&[before, 1.0, 1.0]),
            Some((vec![before, 1.0], vec![0, 2]))
        );
        let picked = separated(&[0.0, 0.0, 1.0]).unwrap();
        assert_eq!(picked.pick(&[1, 2, 3, 4, 5, 6]), [3, 4, 5, 6]);
        assert_eq!(picked.pick(&[1, 2]), [1, 2]);
    }

    #[test]
    fn shifted_keys_stay_apart() {
        let values = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        let track = Track::new(Interpolation::Linear, [-0.5, 0.0, 1e-9].into(), values).unwrap();
        let later = track.shifted(0.5).unwrap();
        assert_eq!(later.times(), [0.0, 0.5_f32.next_down(), 0.5]);
        assert!(track.shifted(f64::MAX).is_none());
    }
}
