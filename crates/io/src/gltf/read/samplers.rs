//! Samplers of animations: key times, shared as the file shares them, and their outputs.

use super::accessor::Accessors;
use super::animation_json::{Interpolation as JsonInterpolation, Sampler};
use crate::Error;
use crate::gltf::EXPORT_AGAIN;
use rebone_model::track::{Separated, separated};
use rebone_model::{Interpolation, Warning};
use std::collections::BTreeMap;
use std::fmt::Arguments;
use std::rc::Rc;
use std::sync::Arc;

/// A key time may lie this much before the one in front of it, seconds: noise of an exporter.
const TIME_NOISE: f32 = 1e-4;

/// Interpolation and key times of a sampler.
pub(super) struct Keys {
    pub interpolation: Interpolation,
    /// Strictly rising.
    pub times: Arc<[f32]>,
    /// Where key times of the file are equal: which keys are kept.
    separated: Option<Rc<Separated>>,
}

impl Keys {
    /// The values of those keys that are kept, of all values of the sampler.
    pub(super) fn values<V: Copy>(&self, values: Vec<V>) -> Vec<V> {
        match &self.separated {
            None => values,
            Some(separated) => separated.pick(&values),
        }
    }
}

/// Key times that were read, and which keys they are.
type KnownTimes = (Arc<[f32]>, Option<Rc<Separated>>);

/// Which sampler it is, for messages.
pub(super) struct SamplerPlace<'n> {
    pub animation: usize,
    pub sampler: usize,
    /// The joint that it moves, if it moves one.
    pub joint: Option<&'n str>,
}

/// Reads samplers, within the limits.
pub(super) struct Samplers<'r, 'a> {
    pub accessors: &'r Accessors<'a>,
    /// Times by accessor, so that tracks share them as the file does.
    times: BTreeMap<usize, KnownTimes>,
    values_read: usize,
}

impl<'r, 'a> Samplers<'r, 'a> {
    /// Nothing read yet.
    pub(super) fn new(accessors: &'r Accessors<'a>) -> Self {
        Self {
            accessors,
            times: BTreeMap::new(),
            values_read: 0,
        }
    }

    /// Interpolation and key times; `None` for a sampler without keys.
    pub(super) fn keys(
        &mut self,
        sampler: &Sampler,
        place: &SamplerPlace<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Keys>, Error> {
        let SamplerPlace {
            animation,
            sampler: index,
            joint,
        } = *place;
        let interpolation = match sampler.interpolation {
            JsonInterpolation::Linear => Interpolation::Linear,
            JsonInterpolation::Step => Interpolation::Step,
            JsonInterpolation::CubicSpline => Interpolation::CubicSpline,
            JsonInterpolation::Other => {
                return Err(Error::malformed(
                    "the interpolation is unknown",
                    format!("animations[{animation}].samplers[{index}].interpolation"),
                    EXPORT_AGAIN,
                ));
            }
        };
        let input = format_args!("animations[{animation}].samplers[{index}].input");
        let accessor = sampler.input.ok_or_else(|| {
            Error::malformed("the sampler has no input", input.to_string(), EXPORT_AGAIN)
        })?;
        if let Some((times, separated)) = self.times.get(&accessor) {
            return Ok(Some(Keys {
                interpolation,
                times: Arc::clone(times),
                separated: separated.clone(),
            }));
        }
        let count = self.accessors.describe(accessor, input)?.count;
        if count == 0 {
            let warning = Warning::new(
                "track-empty",
                "an animation channel has no keys",
                "the channel is left out",
            );
            warnings.push(at(warning, joint));
            return Ok(None);
        }
        self.count(count, animation)?;
        let mut times = self
            .accessors
            .floats(accessor, input, false, |[time]: [f32; 1]| time)?;
        let separated = told_apart(&mut times, joint, warnings).map(Rc::new);
        let times: Arc<[f32]> = match &separated {
            Some(separated) => separated.times.as_slice().into(),
            None => times.into(),
        };
        let known = (Arc::clone(&times), separated.clone());
        self.times.insert(accessor, known);
        Ok(Some(Keys {
            interpolation,
            times,
            separated,
        }))
    }

    /// The output accessor, counted against the limit as elements of `width` numbers.
    pub(super) fn output(
        &mut self,
        sampler: &Sampler,
        width: usize,
        place: Arguments<'_>,
    ) -> Result<usize, Error> {
        let accessor = sampler.output.ok_or_else(|| {
            Error::malformed("the sampler has no output", place.to_string(), EXPORT_AGAIN)
        })?;
        let count = self.accessors.describe(accessor, place)?.count;
        self.count(count.saturating_mul(width), 0)?;
        Ok(accessor)
    }

    /// Counts numbers against the limit.
    pub(super) fn count(&mut self, values: usize, animation: usize) -> Result<(), Error> {
        self.values_read = self.values_read.saturating_add(values);
        if self.values_read > self.accessors.limits.animation_values {
            return Err(Error::limit(
                format!(
                    "the animations hold more than {} numbers",
                    self.accessors.limits.animation_values
                ),
                format!("animations[{animation}]"),
                "raise the limit, or split the file",
            ));
        }
        Ok(())
    }
}

/// Lifts times that fall by a rounding error to the one before them, and tells keys of the same time apart.
/// Other times are left for [`Track::new`](rebone_model::Track::new) to refuse.
fn told_apart(
    times: &mut [f32],
    joint: Option<&str>,
    warnings: &mut Vec<Warning>,
) -> Option<Separated> {
    let (mut lifted, mut equal) = (0usize, 0usize);
    for key in 1..times.len() {
        let fall = times[key - 1] - times[key];
        equal += usize::from(fall == 0.0);
        if fall > 0.0 && fall <= TIME_NOISE {
            times[key] = times[key - 1];
            lifted += 1;
        }
    }
    let is_rising = times.windows(2).all(|pair| pair[0] <= pair[1]);
    if !is_rising || !times.iter().all(|time| time.is_finite()) {
        return None;
    }
    if lifted > 0 {
        let warning = Warning::new(
            "times-fall",
            format!("{lifted} key times lie a rounding error before the key in front of them"),
            "they are moved onto it",
        );
        warnings.push(at(warning, joint));
    }
    if equal > 0 {
        let warning = Warning::new(
            "times-equal",
            format!("{equal} keys have the time of the key before them"),
            "the value jumps there; export the file again if that is not meant",
        );
        warnings.push(at(warning, joint));
    }
    separated(times)
}

fn at(warning: Warning, joint: Option<&str>) -> Warning {
    match joint {
        Some(joint) => warning.at_joint(joint),
        None => warning,
    }
}
