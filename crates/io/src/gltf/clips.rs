//! Animations to clips.

use super::accessor::Accessors;
use super::json::{Animation, Interpolation as JsonInterpolation, Path, Sampler};
use super::{DECOMPRESS, EXPORT_AGAIN};
use crate::Error;
use rebone_model::rotation::normalized_or_identity;
use rebone_model::track::TrackValue;
use rebone_model::{
    Character, Clip, Interpolation, JointTracks, Quat, Track, TrackError, Vec3, Warning,
};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Arguments;
use std::sync::Arc;

/// A key time may lie this much before the one in front of it, seconds: noise of an exporter.
const TIME_NOISE: f32 = 1e-4;
/// Rotations whose squared length is off by more are normalised; others keep their bits.
const LENGTH_SQUARED_TOLERANCE: f32 = 2e-4;

/// Where a node lives: character and joint.
pub(super) type JointOfNode = [Option<(usize, usize)>];

/// Reads all animations and gives each character the clips that move it. Compressed ones are left out
/// with a warning, for a file can be written into whatever its own clips are.
pub(super) fn read_clips(
    animations: &[Animation],
    accessors: &Accessors<'_>,
    joint_of_node: &JointOfNode,
    characters: &mut [Character],
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    let mut reader = Reader {
        accessors,
        times: BTreeMap::new(),
        values_read: 0,
    };
    let mut compressed = Vec::new();
    for (index, animation) in animations.iter().enumerate() {
        let known_warnings = warnings.len();
        match reader.clips((index, animation), joint_of_node, characters, warnings) {
            Ok(clips) => {
                for (character, clip) in clips {
                    if !clip.is_empty() {
                        characters[character].clips.push(clip);
                    }
                }
            }
            Err(Error::Unsupported(_)) => {
                warnings.truncate(known_warnings);
                compressed.push(clip_name(index, animation));
            }
            Err(other) => return Err(other),
        }
    }
    warnings.extend(left_out(&compressed));
    Ok(())
}

/// The file's own name, or `animation_N`.
fn clip_name(index: usize, animation: &Animation) -> String {
    match animation.name.as_deref() {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => format!("animation_{index}"),
    }
}

/// One warning for all compressed clips.
fn left_out(names: &[String]) -> Option<Warning> {
    const NAMED: usize = 3;
    let first = names.first()?;
    let mut message = format!("clip \"{first}\"");
    for name in names.iter().take(NAMED).skip(1) {
        message.push_str(&format!(", \"{name}\""));
    }
    if names.len() > NAMED {
        message.push_str(&format!(" and {} more", names.len() - NAMED));
    }
    Some(Warning::new(
        "animation-compressed",
        format!("{message} cannot be read, for the data is compressed with meshopt"),
        format!("to use such a clip, {DECOMPRESS}"),
    ))
}

/// Interpolation and key times of a sampler.
type Keys = (Interpolation, Arc<[f32]>);

struct SamplerPlace<'n> {
    animation: usize,
    sampler: usize,
    joint: &'n str,
}

struct Reader<'r, 'a> {
    accessors: &'r Accessors<'a>,
    /// Times by accessor, so that tracks share them as the file does.
    times: BTreeMap<usize, Arc<[f32]>>,
    values_read: usize,
}

impl Reader<'_, '_> {
    /// The clips of one animation, by character.
    fn clips(
        &mut self,
        (index, animation): (usize, &Animation),
        joint_of_node: &JointOfNode,
        characters: &[Character],
        warnings: &mut Vec<Warning>,
    ) -> Result<BTreeMap<usize, Clip>, Error> {
        let mut clips: BTreeMap<usize, Clip> = BTreeMap::new();
        for (place, channel) in animation.channels.iter().enumerate() {
            let Some(node) = channel.target.node else {
                continue;
            };
            if channel.target.path == Path::Other {
                continue;
            }
            let Some(&joint) = joint_of_node.get(node) else {
                return Err(Error::malformed(
                    format!("node {node} does not exist"),
                    format!("animations[{index}].channels[{place}].target.node"),
                    EXPORT_AGAIN,
                ));
            };
            let Some((character, joint)) = joint else {
                continue;
            };
            let sampler = channel
                .sampler
                .and_then(|sampler| Some((sampler, animation.samplers.get(sampler)?)));
            let Some((sampler_index, sampler)) = sampler else {
                return Err(Error::malformed(
                    "the sampler does not exist",
                    format!("animations[{index}].channels[{place}].sampler"),
                    EXPORT_AGAIN,
                ));
            };
            let skeleton = &characters[character].skeleton;
            let clip = match clips.entry(character) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    self.count(skeleton.len() * (size_of::<JointTracks>() / 4), index)?;
                    entry.insert(Clip::new(clip_name(index, animation), skeleton.len()))
                }
            };
            let place = SamplerPlace {
                animation: index,
                sampler: sampler_index,
                joint: skeleton.unique_name(joint),
            };
            let tracks = &mut clip.joints[joint];
            match channel.target.path {
                Path::Translation if tracks.translation.is_none() => {
                    tracks.translation = self.vector(sampler, &place, warnings)?;
                }
                Path::Rotation if tracks.rotation.is_none() => {
                    tracks.rotation = self.rotation(sampler, &place, warnings)?;
                }
                Path::Scale if tracks.scale.is_none() => {
                    tracks.scale = self.vector(sampler, &place, warnings)?;
                }
                _ => {}
            }
        }
        Ok(clips)
    }

    fn vector(
        &mut self,
        sampler: &Sampler,
        place: &SamplerPlace<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Track<Vec3>>, Error> {
        let Some((interpolation, times)) = self.keys(sampler, place, warnings)? else {
            return Ok(None);
        };
        let SamplerPlace {
            animation,
            sampler: index,
            ..
        } = *place;
        let output = format_args!("animations[{animation}].samplers[{index}].output");
        let accessor = self.output(sampler, 3, output)?;
        let values = self
            .accessors
            .floats(accessor, output, false, Vec3::from_array)?;
        track(interpolation, times, values, output).map(Some)
    }

    fn rotation(
        &mut self,
        sampler: &Sampler,
        place: &SamplerPlace<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Track<Quat>>, Error> {
        let Some((interpolation, times)) = self.keys(sampler, place, warnings)? else {
            return Ok(None);
        };
        let SamplerPlace {
            animation,
            sampler: index,
            joint,
        } = *place;
        let output = format_args!("animations[{animation}].samplers[{index}].output");
        let accessor = self.output(sampler, 4, output)?;
        // Some exporters forget `normalized` on quantised rotations, where nothing else has a meaning.
        let mut values = self
            .accessors
            .floats(accessor, output, true, Quat::from_array)?;
        let (first, step) = match interpolation {
            Interpolation::CubicSpline => (1, 3),
            Interpolation::Step | Interpolation::Linear => (0, 1),
        };
        let mut zeros = 0usize;
        for value in values.iter_mut().skip(first).step_by(step) {
            let length_squared = value.length_squared();
            if (length_squared - 1.0).abs() > LENGTH_SQUARED_TOLERANCE {
                zeros += usize::from(length_squared == 0.0);
                *value = normalized_or_identity(*value);
            }
        }
        if zeros > 0 {
            warnings.push(
                Warning::new(
                    "zero-rotation",
                    format!("{zeros} rotation keys are zero, which is no rotation"),
                    "no rotation is assumed there; export the file again",
                )
                .at_joint(joint),
            );
        }
        track(interpolation, times, values, output).map(Some)
    }

    /// Interpolation and key times; `None` for a sampler without keys.
    fn keys(
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
            warnings.push(
                Warning::new(
                    "track-empty",
                    "an animation channel has no keys",
                    "the channel is left out",
                )
                .at_joint(joint),
            );
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

    fn output(
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

    fn count(&mut self, values: usize, animation: usize) -> Result<(), Error> {
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
fn smooth_noise(times: &mut [f32], joint: &str, warnings: &mut Vec<Warning>) {
    let mut lifted = 0usize;
    for key in 1..times.len() {
        let fall = times[key - 1] - times[key];
        if fall > 0.0 && fall <= TIME_NOISE {
            times[key] = times[key - 1];
            lifted += 1;
        }
    }
    if lifted > 0 {
        warnings.push(
            Warning::new(
                "times-fall",
                format!("{lifted} key times lie a rounding error before the key in front of them"),
                "they are moved onto it",
            )
            .at_joint(joint),
        );
    }
}

fn track<V: TrackValue>(
    interpolation: Interpolation,
    times: Arc<[f32]>,
    values: Vec<V>,
    output: Arguments<'_>,
) -> Result<Track<V>, Error> {
    Track::new(interpolation, times, values).map_err(|error| {
        let place = output.to_string();
        let place = match error {
            TrackError::Time { .. } | TrackError::Empty => place.replace(".output", ".input"),
            TrackError::Count { .. } | TrackError::Value { .. } => place,
        };
        Error::malformed(error.to_string(), place, EXPORT_AGAIN)
    })
}
