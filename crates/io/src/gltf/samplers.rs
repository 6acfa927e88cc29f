//! Samplers of animations: key times, shared as the file shares them, and their outputs.

use super::EXPORT_AGAIN;
use super::accessor::Accessors;
use super::animation_json::{Interpolation as JsonInterpolation, Sampler};
use crate::Error;
use rebone_model::{Interpolation, Warning};
use std::collections::BTreeMap;
use std::fmt::Arguments;
use std::sync::Arc;

/// A key time may lie this much before the one in front of it, seconds: noise of an exporter.
const TIME_NOISE: f32 = 1e-4;

/// Interpolation and key times of a sampler.
pub(super) type Keys = (Interpolation, Arc<[f32]>);

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
    times: BTreeMap<usize, Arc<[f32]>>,
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
        if let Some(times) = self.times.get(&accessor) {
            return Ok(Some((interpolation, Arc::clone(times))));
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
        smooth_noise(&mut times, joint, warnings);
        let times: Arc<[f32]> = times.into();
        self.times.insert(accessor, Arc::clone(&times));
        Ok(Some((interpolation, times)))
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

/// Lifts times that fall by a rounding error to the one in front of them.
fn smooth_noise(times: &mut [f32], joint: Option<&str>, warnings: &mut Vec<Warning>) {
    let mut lifted = 0usize;
    for key in 1..times.len() {
        let fall = times[key - 1] - times[key];
        if fall > 0.0 && fall <= TIME_NOISE {
            times[key] = times[key - 1];
            lifted += 1;
        }
    }
    if lifted > 0 {
        let warning = Warning::new(
            "times-fall",
            format!("{lifted} key times lie a rounding error before the key in front of them"),
            "they are moved onto it",
        );
        warnings.push(at(warning, joint));
    }
}

fn at(warning: Warning, joint: Option<&str>) -> Warning {
    match joint {
        Some(joint) => warning.at_joint(joint),
        None => warning,
    }
}
