//! Motions of other things than joints: morph weights, expressions, gaze, properties.
//!
//! A retarget carries them over as they are; who writes a file looks in it for what they name.

use crate::track::{Interpolation, separated};
use crate::usable::is_usable;
use std::sync::Arc;

/// What a [`Curve`] moves, by names, so that it finds its counterpart in another file.
#[derive(Clone, Debug, PartialEq)]
pub enum CurveTarget {
    /// The weight of a morph target, 0 to 1.
    Morph {
        /// Name of the mesh (or of its node, where the mesh has none).
        mesh: String,
        /// The morph target's own name; `morph_N` where the file gives none.
        name: String,
    },
    /// The weight of a VRM expression (`happy`, `aa`), 0 to 1.
    Expression {
        /// The expression's own name.
        name: String,
        /// True for one that the VRM specification names.
        preset: bool,
    },
    /// Where a VRM avatar looks: a rotation (x, y, z, w) relative to the head.
    LookAt {
        /// Where the eyes are, in the space of the head, metres.
        offset_from_head: [f32; 3],
    },
    /// Another property: a JSON pointer of `KHR_animation_pointer` with names in place of indices
    /// (`/materials/Eyes/emissiveFactor`).
    Property {
        /// The pointer.
        path: String,
    },
}

/// Why numbers do not make a curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveError {
    /// The number of values is not times × values per key × components, or one of these is zero.
    Count,
    /// A key time is not finite, or not after the key before it.
    Time,
    /// A value is NaN, infinite or beyond [`LARGEST`](crate::usable::LARGEST).
    Value,
}

impl std::fmt::Display for CurveError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Count => "the number of values does not fit the number of key times",
            Self::Time => "a key time is not finite or not after that of the key before it",
            Self::Value => "a value is not finite or beyond 1e18",
        })
    }
}

impl std::error::Error for CurveError {}

/// Keys over time of something that is no joint's channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    target: CurveTarget,
    interpolation: Interpolation,
    components: usize,
    times: Arc<[f32]>,
    values: Vec<f32>,
}

impl Curve {
    /// A curve of `components` numbers a value, in glTF's own layout: for a cubic spline
    /// in-tangent, value and out-tangent a key.
    pub fn new(
        target: CurveTarget,
        interpolation: Interpolation,
        components: usize,
        times: Arc<[f32]>,
        values: Vec<f32>,
    ) -> Result<Self, CurveError> {
        let expected = times.len() * interpolation.values_per_key() * components;
        if expected == 0 || values.len() != expected {
            return Err(CurveError::Count);
        }
        let rises = times.windows(2).all(|pair| pair[0] < pair[1]);
        if !rises || !times.iter().all(|time| time.is_finite()) {
            return Err(CurveError::Time);
        }
        if !values.iter().all(|value| is_usable(*value)) {
            return Err(CurveError::Value);
        }
        // A spline of one key has no stretch for its tangents, and glTF knows no such splines.
        let is_point = interpolation == Interpolation::CubicSpline && times.len() == 1;
        let (interpolation, values) = match is_point {
            true => (
                Interpolation::Step,
                values[components..2 * components].to_vec(),
            ),
            false => (interpolation, values),
        };
        Ok(Self {
            target,
            interpolation,
            components,
            times,
            values,
        })
    }

    /// What it moves.
    pub fn target(&self) -> &CurveTarget {
        &self.target
    }

    /// How values between keys are found.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Numbers a value.
    pub fn components(&self) -> usize {
        self.components
    }

    /// Key times, seconds, each after the one before it.
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// Key times, shared.
    pub fn shared_times(&self) -> &Arc<[f32]> {
        &self.times
    }

    /// All numbers, key after key.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The same keys, each later by so many seconds; see [`Track::shifted`](crate::Track::shifted).
    pub fn shifted(&self, by: f64) -> Option<Self> {
        let later = |time: &f32| (f64::from(*time) + by) as f32;
        let times: Vec<f32> = self.times.iter().map(later).collect();
        let (times, values) = match separated(&times) {
            None => (times, self.values.clone()),
            Some(told_apart) => {
                let values = told_apart.pick(&self.values);
                (told_apart.times, values)
            }
        };
        let target = self.target.clone();
        Self::new(
            target,
            self.interpolation,
            self.components,
            times.into(),
            values,
        )
        .ok()
    }

    /// The same keys for something else.
    #[must_use]
    pub fn with_target(mut self, target: CurveTarget) -> Self {
        self.target = target;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_times_and_values_are_checked() {
        let make = |components, times: &[f32], values: &[f32]| {
            let target = CurveTarget::Expression {
                name: "happy".to_owned(),
                preset: true,
            };
            Curve::new(
                target,
                Interpolation::Linear,
                components,
                Arc::from(times),
                values.to_vec(),
            )
        };
        assert!(make(1, &[0.0, 1.0], &[0.0, 1.0]).is_ok());
        assert!(make(2, &[0.0], &[0.0, 1.0]).is_ok());
        assert_eq!(make(1, &[], &[]), Err(CurveError::Count));
        assert_eq!(make(0, &[0.0], &[]), Err(CurveError::Count));
        assert_eq!(make(1, &[0.0], &[0.0, 1.0]), Err(CurveError::Count));
        assert_eq!(make(1, &[1.0, 0.0], &[0.0, 1.0]), Err(CurveError::Time));
        assert_eq!(make(1, &[1.0, 1.0], &[0.0, 1.0]), Err(CurveError::Time));
        assert_eq!(make(1, &[f32::NAN], &[0.0]), Err(CurveError::Time));
        assert_eq!(make(1, &[0.0], &[f32::INFINITY]), Err(CurveError::Value));
    }
}
