//! Keys over time for one channel of one joint.

use crate::elementary::Turn as _;
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
/// Tracks of one clip may share their times.
#[derive(Clone, Debug, PartialEq)]
pub struct Track<V> {
    interpolation: Interpolation,
    times: Arc<[f32]>,
    values: Vec<V>,
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
    /// A key time is NaN, infinite or before the key in front of it.
    Time {
        /// Index of the key.
        key: usize,
    },
    /// A value is NaN or infinite.
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
                "the time of key {key} is not finite or lies before the key in front of it"
            ),
            Self::Value { value } => write!(formatter, "value {value} is not finite"),
        }
    }
}

impl std::error::Error for TrackError {}

/// A value that a track can hold.
pub trait TrackValue: Copy + PartialEq + std::fmt::Debug + sealed::Sealed {
    /// False where a part is NaN or infinite.
    fn is_finite(self) -> bool;
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
    fn is_finite(self) -> bool {
        Vec3::is_finite(self)
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
    fn is_finite(self) -> bool {
        Quat::is_finite(self)
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

impl<V: TrackValue> Track<V> {
    /// A track from key times (seconds, not falling) and values
    /// ([`Interpolation::values_per_key`] a key).
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
            if !time.is_finite() || time < before {
                return Err(TrackError::Time { key });
            }
            before = time;
        }
        if let Some(value) = values.iter().position(|value| !value.is_finite()) {
            return Err(TrackError::Value { value });
        }
        Ok(Self {
            interpolation,
            times,
            values,
        })
    }

    /// A track of one key at time 0.
    pub fn constant(value: V) -> Self {
        Self {
            interpolation: Interpolation::Step,
            times: Arc::from([0.0]),
            values: vec![value],
        }
    }

    /// How values between keys are found.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Key times, seconds, not falling.
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
    /// Exact for linear maps: interpolation commutes with them (E44).
    pub fn map_linear<W: TrackValue>(&self, map: impl FnMut(V) -> W) -> Track<W> {
        Track {
            interpolation: self.interpolation,
            times: Arc::clone(&self.times),
            values: self.values.iter().copied().map(map).collect(),
        }
    }

    /// The same keys with other stored values, in the same layout.
    pub fn with_values<W: TrackValue>(&self, values: Vec<W>) -> Result<Track<W>, TrackError> {
        Track::new(self.interpolation, Arc::clone(&self.times), values)
    }
}
