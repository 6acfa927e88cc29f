//! Animation stacks to clips.

use super::channel_values::{ChannelValues, NodeValues};
use super::keys::{KeyValue, SharedTimes, Tolerance, track};
use super::local_transform::vector_property;
use super::morphs::read_morphs;
use super::nodes::Places;
use super::sources::{NodeSources, Property, Source, StackSources, curves};
use super::timing::{Range, Straight, Timing};
use crate::{Error, Limits};
use glam::DVec3;
use rebone_model::{
    Character, Clip, JointKind, JointTracks, Quat, Skeleton, Track, TrackError, Transform, Warning,
};
use std::cell::Cell;
use std::sync::Arc;
use ufbx::{AnimValue, Node, Scene};

/// Frames a second that are looked at where the file states none.
const DEFAULT_RATE: f64 = 30.0;
/// Frames a second that are looked at, at most; a file's higher rate is divided.
const MOST_RATE: f64 = 240.0;
/// Values that are computed, at most; keeps a broken file from taking all time and memory.
const MOST_VALUES: usize = 6_000_000;
/// Values that may be computed for each key that the file holds, where it holds so many.
const VALUES_PER_KEY: usize = 2;
/// Keys that are looked through in the time of computing one value.
const KEYS_A_VALUE: usize = 16;
/// How far a straight line may be off on whole frames: radians, factors, and of the skeleton's size.
const ON_FRAMES: f64 = 1e-6;
/// How far it may be off between frames: radians, factors.
const BETWEEN_FRAMES: f64 = 1e-3;
/// The same for places, of the skeleton's size.
const BETWEEN_PLACES: f64 = 1e-4;
/// Least change in a frame for which the curve is looked at between frames: radians, factors, and of the
/// skeleton's size. A turn by an angle leaves the straight one by an eighth of the angle's square.
const STEP: f64 = 0.05;

/// Gives each character a clip for every stack that moves it or its morph targets.
pub(super) fn read_clips(
    scene: &Scene,
    stacks: &[StackSources<'_>],
    places: &Places,
    characters: &mut [Character],
    limits: &Limits,
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    let stated = rate(scene);
    let rate = stated.unwrap_or(DEFAULT_RATE);
    let sizes: Vec<f64> = characters
        .iter()
        .map(|character| size(scene, &character.skeleton))
        .collect();
    let held: usize = (&scene.anim_curves)
        .into_iter()
        .map(|curve| curve.keyframes.count)
        .sum();
    let most = MOST_VALUES.max(held.saturating_mul(VALUES_PER_KEY));
    let left = Cell::new(most.min(limits.animation_values));
    for (index, stack) in stacks.iter().enumerate() {
        let (begin, end) = stack.range;
        let range = Range {
            begin,
            end,
            frame: (rate / MOST_RATE).ceil().max(1.0) / rate,
        };
        let mut reader = ClipReader {
            scene,
            stack,
            range,
            size: 1.0,
            left: &left,
            shared: SharedTimes::default(),
        };
        let name = match stack.name {
            "" => format!("animation_{index}"),
            name => name.to_owned(),
        };
        for (place, character) in characters.iter_mut().enumerate() {
            let mut clip = Clip::new(name.clone(), character.skeleton.len());
            clip.rate_hz = stated;
            reader.size = sizes[place];
            reader.read_joints(&character.skeleton, &mut clip, warnings);
            clip.curves = read_morphs(scene, stack, &range, places, place);
            if left.get() == 0 {
                return Err(Error::limit(
                    format!("animation stack \"{name}\" takes the keys beyond {most}"),
                    "AnimationStack",
                    "split the file, or export fewer frames",
                ));
            }
            if !clip.is_empty() {
                hold_to_the_end(&mut clip, last_key(stack, &range));
                character.clips.push(clip);
            }
        }
    }
    Ok(())
}

/// Frames a second, where the file states it.
pub(super) fn rate(scene: &Scene) -> Option<f64> {
    let settings = &scene.settings;
    settings.props.find_prop("TimeMode")?;
    let rate = settings.frames_per_second;
    (rate.is_finite() && rate >= 1.0).then_some(rate)
}

/// The greatest distance of two joints of the rest pose along an axis, metres; 1 cm at least.
fn size(scene: &Scene, skeleton: &Skeleton) -> f64 {
    let (mut least, mut most) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for joint in skeleton.joints() {
        let Some(node) = scene.nodes.as_ref().get(joint.node as usize) else {
            continue;
        };
        let matrix = &node.node_to_world;
        let point = DVec3::new(matrix.m03, matrix.m13, matrix.m23);
        if point.is_finite() && joint.kind == JointKind::Joint {
            least = least.min(point);
            most = most.max(point);
        }
    }
    let size = (most - least).max_element();
    if size.is_finite() {
        size.max(1e-2)
    } else {
        1e-2
    }
}

/// Clip time of the last key of the stack within its range, seconds.
fn last_key(stack: &StackSources<'_>, range: &Range) -> f32 {
    let values = stack.nodes.values().flat_map(|node| &node.own);
    let last = values
        .flat_map(|source| curves(source.value))
        .fold(range.begin, |last, curve| last.max(curve.max_time));
    (last.min(range.end) - range.begin) as f32
}

/// A clip lasts as long as the stack has keys, also where the last of them change nothing.
fn hold_to_the_end(clip: &mut Clip, end: f32) {
    if !end.is_finite() || clip.seconds() >= end - 1e-4 {
        return;
    }
    for tracks in &mut clip.joints {
        let held = held_rotation(tracks, end);
        if held.is_some() {
            tracks.rotation = held;
            return;
        }
    }
    for tracks in &mut clip.joints {
        let held = tracks.translation.as_ref();
        if let Some(held) = held.and_then(|track| held_track(track, end)) {
            tracks.translation = Some(held);
            return;
        }
    }
}

fn held_rotation(tracks: &JointTracks, end: f32) -> Option<Track<Quat>> {
    held_track(tracks.rotation.as_ref()?, end)
}

fn held_track<V: rebone_model::track::TrackValue>(track: &Track<V>, end: f32) -> Option<Track<V>> {
    let mut times = track.times().to_vec();
    let mut values = track.values().to_vec();
    times.push(end);
    values.push(track.key_value(track.key_count() - 1));
    Track::new(track.interpolation(), Arc::from(times), values).ok()
}

struct ClipReader<'a, 'l> {
    scene: &'a Scene,
    stack: &'a StackSources<'a>,
    range: Range,
    size: f64,
    /// Values that may still be computed.
    left: &'l Cell<usize>,
    shared: SharedTimes,
}

impl<'a> ClipReader<'a, '_> {
    fn read_joints(&mut self, skeleton: &Skeleton, clip: &mut Clip, warnings: &mut Vec<Warning>) {
        let scene = self.scene;
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let place = joint.node as usize;
            let sources = self.stack.nodes.get(&place);
            let node = scene.nodes.as_ref().get(place).map(AsRef::as_ref);
            let (Some(sources), Some(node)) = (sources, node) else {
                continue;
            };
            if self.left.get() == 0 {
                return;
            }
            match self.read_joint(node, sources, &joint.rest) {
                Ok(tracks) => clip.joints[index] = tracks,
                Err(error) => warnings.push(
                    Warning::new(
                        "fbx-damaged",
                        format!("clip \"{}\" cannot move the joint: {error}", clip.name),
                        "the joint rests; export the file again",
                    )
                    .at_joint(skeleton.unique_name(index)),
                ),
            }
        }
    }

    fn read_joint(
        &mut self,
        node: &'a Node,
        sources: &NodeSources<'a>,
        rest: &Transform,
    ) -> Result<JointTracks, TrackError> {
        let values = NodeValues::of(self.stack.anim, node, sources);
        let (linear, has_pivots) = match &values.plain {
            Some(plain) => (Straight::Linear, plain.constants.has_pivots()),
            None => (Straight::Never, moves_with_pivots(node, sources)),
        };
        let bent = Straight::Never;
        let of = |used: &[(Property, Straight)]| self.timing(sources, used);
        let translation = if has_pivots {
            of(&[
                (Property::Translation, linear),
                (Property::Rotation, bent),
                (Property::Scaling, linear),
                (Property::Frame, bent),
                (Property::Pivot, bent),
            ])
        } else {
            of(&[(Property::Translation, linear), (Property::Pivot, bent)])
        };
        let rotation = of(&[(Property::Rotation, bent), (Property::Frame, bent)]);
        let scale = of(&[(Property::Scaling, linear)]);
        let tolerance = |between, unit| Tolerance {
            frames: ON_FRAMES * unit,
            between: between * unit,
            step: STEP * unit,
        };
        let places = tolerance(BETWEEN_PLACES, self.size);
        let turns = tolerance(BETWEEN_FRAMES, 1.0);
        let left = self.left;
        Ok(JointTracks {
            translation: self.track(
                translation,
                places,
                rest.translation,
                values.translation(left),
            )?,
            rotation: self.track(rotation, turns, rest.rotation, values.rotation(left))?,
            scale: self.track(scale, turns, rest.scale, values.scale(left))?,
        })
    }

    /// The track of a channel; `None` where nothing moves it.
    fn track<V: KeyValue>(
        &mut self,
        timing: Option<Timing>,
        tolerance: Tolerance,
        rest: V::Single,
        mut values: ChannelValues<'_, '_, V>,
    ) -> Result<Option<Track<V::Single>>, TrackError> {
        let Some(timing) = timing else {
            return Ok(None);
        };
        let (range, shared) = (&self.range, &mut self.shared);
        track(&timing, range, tolerance, rest, shared, &mut values)
    }

    /// The timing of a channel; `None` where nothing moves it.
    fn timing(&self, sources: &NodeSources<'a>, used: &[(Property, Straight)]) -> Option<Timing> {
        if sources.linked {
            return Some(Timing::every_frame(&self.range));
        }
        let straight_of = |property| {
            let found = used.iter().find(|(other, _)| *other == property);
            found.map(|&(_, straight)| straight)
        };
        let own = sources.own.iter().filter_map(|source| {
            straight_of(source.property).map(|straight| (source.value, straight))
        });
        let is_turn = straight_of(Property::Rotation).is_some();
        let is_move = straight_of(Property::Translation).is_some();
        let helpers = sources.helpers.iter().filter(|_| is_move || !is_turn);
        let mixed = sources.weights.iter().chain(helpers);
        let mut values: Vec<(&AnimValue, Straight)> = own.collect();
        let is_scaled_aside = !sources.helpers.is_empty() && (is_move || !is_turn);
        if values.is_empty() && !is_scaled_aside {
            return None;
        }
        values.extend(mixed.map(|&value| (value, Straight::Never)));
        // A broken file may give one long curve to very many nodes.
        let keys = values.iter().flat_map(|(value, _)| curves(value));
        let keys: usize = keys.map(|curve| curve.keyframes.count).sum();
        let left = self.left.get().saturating_sub(keys / KEYS_A_VALUE);
        self.left.set(left);
        Some(Timing::of(values.into_iter(), &self.range))
    }
}

/// True where turning or scaling a node that ufbx evaluates also moves it.
fn moves_with_pivots(node: &Node, sources: &NodeSources<'_>) -> bool {
    let is_pivot = |source: &Source<'_>| source.property == Property::Pivot;
    let has = |name| vector_property(node, name, DVec3::ZERO) != DVec3::ZERO;
    sources.own.iter().any(is_pivot)
        || has("RotationPivot")
        || has("ScalingPivot")
        || has("ScalingOffset")
}
