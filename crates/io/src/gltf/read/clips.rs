//! Animations to clips.

use super::accessor::Accessors;
use super::animation_json::{Animation, Channel, Path, Sampler};
use super::curves::CurveReader;
use super::samplers::{Keys, SamplerPlace, Samplers};
use crate::Error;
use crate::gltf::{DECOMPRESS, EXPORT_AGAIN};
use rebone_model::rotation::normalized_or_identity;
use rebone_model::track::TrackValue;
use rebone_model::{
    Character, Clip, Interpolation, JointTracks, Quat, Track, TrackError, Vec3, Warning,
};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Arguments;

/// Rotations whose squared length is off by more are normalised; others keep their bits.
const LENGTH_SQUARED_TOLERANCE: f32 = 2e-4;

/// Where a node lives: character and joint.
pub(super) type JointOfNode = [Option<(usize, usize)>];

/// Reads all animations and gives each character the clips that move it. Compressed ones are left out
/// with a warning, for a file can be written into whatever its own clips are.
pub(super) fn read_clips(
    animations: &[Animation],
    accessors: &Accessors<'_>,
    curves: &CurveReader<'_>,
    characters: &mut [Character],
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    let mut reader = Reader {
        samplers: Samplers::new(accessors),
        curves,
    };
    let mut compressed = Vec::new();
    for (index, animation) in animations.iter().enumerate() {
        let known_warnings = warnings.len();
        match reader.clips(
            NumberedAnimation { index, animation },
            curves.joint_of_node,
            characters,
            warnings,
        ) {
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

struct Reader<'r, 'a, 'c> {
    samplers: Samplers<'r, 'a>,
    curves: &'r CurveReader<'c>,
}

impl Reader<'_, '_, '_> {
    /// The clips of one animation, by character.
    fn clips(
        &mut self,
        of: NumberedAnimation<'_>,
        joint_of_node: &JointOfNode,
        characters: &[Character],
        warnings: &mut Vec<Warning>,
    ) -> Result<BTreeMap<usize, Clip>, Error> {
        let mut clips: BTreeMap<usize, Clip> = BTreeMap::new();
        let NumberedAnimation { index, animation } = of;
        for (place, channel) in animation.channels.iter().enumerate() {
            let Some(node) = channel.target.node else {
                continue;
            };
            if !channel.target.path.is_of_joint() {
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
            let (sampler_index, sampler) = of.sampler(place, channel)?;
            let skeleton = &characters[character].skeleton;
            let clip = self.clip(of, character, skeleton.len(), &mut clips)?;
            let place = SamplerPlace {
                animation: index,
                sampler: sampler_index,
                joint: Some(skeleton.unique_name(joint)),
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
        self.curves(of, characters, &mut clips, warnings)?;
        begin_at_zero(&mut clips, warnings);
        Ok(clips)
    }

    /// The clip of a character, made when it is first wanted.
    fn clip<'c>(
        &mut self,
        NumberedAnimation { index, animation }: NumberedAnimation<'_>,
        character: usize,
        joints: usize,
        clips: &'c mut BTreeMap<usize, Clip>,
    ) -> Result<&'c mut Clip, Error> {
        Ok(match clips.entry(character) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                self.samplers
                    .count(joints * (size_of::<JointTracks>() / 4), index)?;
                entry.insert(Clip::new(clip_name(index, animation), joints))
            }
        })
    }

    /// What an animation moves besides joints. What is broken there is left out with a warning.
    fn curves(
        &mut self,
        of: NumberedAnimation<'_>,
        characters: &[Character],
        clips: &mut BTreeMap<usize, Clip>,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), Error> {
        for (place, channel) in of.animation.channels.iter().enumerate() {
            let Some(source) = self.curves.source(&channel.target) else {
                continue;
            };
            let moved = clips.keys().next().copied();
            let owner = self.curves.owner(&source, moved);
            let Some(character) = owner.filter(|&owner| owner < characters.len()) else {
                continue;
            };
            let read = of.sampler(place, channel).and_then(|(number, sampler)| {
                let place = SamplerPlace {
                    animation: of.index,
                    sampler: number,
                    joint: None,
                };
                self.curves
                    .read(&source, sampler, &place, &mut self.samplers, warnings)
            });
            match read {
                Ok(curves) if curves.is_empty() => {}
                Ok(curves) => {
                    let joints = characters[character].skeleton.len();
                    let clip = self.clip(of, character, joints, clips)?;
                    clip.curves.extend(curves);
                }
                Err(Error::Malformed(problem)) => warnings.push(Warning::new(
                    "curve-unreadable",
                    format!(
                        "{} cannot be read: {problem}",
                        self.curves.describe(&source)
                    ),
                    "it is left out",
                )),
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    fn vector(
        &mut self,
        sampler: &Sampler,
        place: &SamplerPlace<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Track<Vec3>>, Error> {
        let Some(keys) = self.samplers.keys(sampler, place, warnings)? else {
            return Ok(None);
        };
        let SamplerPlace {
            animation,
            sampler: index,
            ..
        } = *place;
        let output = format_args!("animations[{animation}].samplers[{index}].output");
        let accessor = self.samplers.output(sampler, 3, output)?;
        let values = self
            .samplers
            .accessors
            .floats(accessor, output, false, Vec3::from_array)?;
        track(keys, values, output).map(Some)
    }

    fn rotation(
        &mut self,
        sampler: &Sampler,
        place: &SamplerPlace<'_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<Track<Quat>>, Error> {
        let Some(keys) = self.samplers.keys(sampler, place, warnings)? else {
            return Ok(None);
        };
        let SamplerPlace {
            animation,
            sampler: index,
            joint,
        } = *place;
        let output = format_args!("animations[{animation}].samplers[{index}].output");
        let accessor = self.samplers.output(sampler, 4, output)?;
        // Some exporters forget `normalized` on quantised rotations, where nothing else has a meaning.
        let mut values =
            self.samplers
                .accessors
                .floats(accessor, output, true, Quat::from_array)?;
        let (first, step) = match keys.interpolation {
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
                .at_joint(joint.unwrap_or_default()),
            );
        }
        track(keys, values, output).map(Some)
    }
}

/// glTF counts time from 0. Where keys lie before that, all that the animation moves is later by the same time.
fn begin_at_zero(clips: &mut BTreeMap<usize, Clip>, warnings: &mut Vec<Warning>) {
    let starts = clips.values().map(|clip| clip.time_span().0);
    let start = starts.fold(0.0, f32::min);
    if start == 0.0 {
        return;
    }
    for clip in clips.values_mut() {
        *clip = clip.shifted(-f64::from(start));
        warnings.push(Warning::new(
            "times-negative",
            format!(
                "clip \"{}\" has keys at {start} s, but glTF counts time from 0",
                clip.name
            ),
            format!("the whole clip is later by {} s", -start),
        ));
    }
}

/// An animation, and its place in the file.
#[derive(Clone, Copy)]
struct NumberedAnimation<'a> {
    index: usize,
    animation: &'a Animation,
}

impl<'a> NumberedAnimation<'a> {
    /// The sampler of the channel at a place, with its number.
    fn sampler(&self, place: usize, channel: &Channel) -> Result<(usize, &'a Sampler), Error> {
        let samplers = &self.animation.samplers;
        let sampler = channel
            .sampler
            .and_then(|sampler| Some((sampler, samplers.get(sampler)?)));
        sampler.ok_or_else(|| {
            let index = self.index;
            Error::malformed(
                "the sampler does not exist",
                format!("animations[{index}].channels[{place}].sampler"),
                EXPORT_AGAIN,
            )
        })
    }
}

fn track<V: TrackValue>(
    keys: Keys,
    values: Vec<V>,
    output: Arguments<'_>,
) -> Result<Track<V>, Error> {
    let values = keys.values(values);
    Track::new(keys.interpolation, keys.times, values).map_err(|error| {
        let place = output.to_string();
        let place = match error {
            TrackError::Time { .. } | TrackError::Empty => place.replace(".output", ".input"),
            TrackError::Count { .. } | TrackError::Value { .. } => place,
        };
        Error::malformed(error.to_string(), place, EXPORT_AGAIN)
    })
}
