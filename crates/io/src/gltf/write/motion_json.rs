//! Clips as JSON and bytes: what both writers append.
//!
//! All key times lie in one buffer view and all values in a second one, so that the JSON stays small.

use crate::gltf::curve_places::CurveChannel;
use crate::gltf::splice::quoted;
use rebone_model::track::TrackValue;
use rebone_model::{Clip, Interpolation, Quat, Track, Vec3};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write;

const FLOAT: usize = 5126;
const UNSIGNED_BYTE: usize = 5121;

/// Where the new elements go.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placement {
    /// Number of accessors in front of the new ones.
    pub first_accessor: usize,
    /// Number of buffer views in front of the new ones.
    pub first_view: usize,
}

/// New elements, each list as text with commas between its elements, and the bytes behind them.
#[derive(Default)]
pub(super) struct MotionJson<'c> {
    pub accessors: String,
    pub animations: String,
    placement: Placement,
    accessor_count: usize,
    times: Vec<&'c [f32]>,
    time_bytes: usize,
    values: Vec<Values<'c>>,
    value_bytes: usize,
    known_times: BTreeMap<Times<'c>, usize>,
}

#[derive(Clone, Copy)]
enum Values<'c> {
    Vectors(&'c [Vec3]),
    Rotations(&'c [Quat]),
    Numbers(&'c [f32], usize),
    /// True or false, from numbers, a byte each.
    Flags(&'c [f32]),
}

/// How the values of a channel are described.
struct Described {
    count: usize,
    shape: &'static str,
    bytes: usize,
    component: usize,
}

impl Values<'_> {
    fn describe(&self) -> Described {
        let floats = |count: usize, width: usize, shape| Described {
            count,
            shape,
            bytes: count * width * size_of::<f32>(),
            component: FLOAT,
        };
        match *self {
            Self::Vectors(values) => floats(values.len(), 3, "VEC3"),
            Self::Rotations(values) => floats(values.len(), 4, "VEC4"),
            Self::Numbers(values, width) => {
                let (width, shape) = match width {
                    2 => (2, "VEC2"),
                    3 => (3, "VEC3"),
                    4 => (4, "VEC4"),
                    9 => (9, "MAT3"),
                    16 => (16, "MAT4"),
                    _ => (1, "SCALAR"),
                };
                floats(values.len() / width, width, shape)
            }
            Self::Flags(values) => Described {
                count: values.len(),
                shape: "SCALAR",
                bytes: values.len().next_multiple_of(4),
                component: UNSIGNED_BYTE,
            },
        }
    }
}

impl<'c> MotionJson<'c> {
    /// Describes clips, each with the channels of its curves; `node_of` gives the node of a joint.
    pub(super) fn new(
        clips: &'c [Clip],
        curves: &'c [Vec<CurveChannel>],
        placement: Placement,
        node_of: impl Fn(usize) -> usize,
    ) -> Self {
        let mut motion = Self {
            placement,
            ..Self::default()
        };
        for (index, clip) in clips.iter().enumerate() {
            let curves = curves.get(index).map_or(&[][..], Vec::as_slice);
            motion.add(&clip.name, &channels(clip, curves, &node_of));
        }
        motion
    }

    /// Adds an animation; none without channels.
    fn add(&mut self, name: &str, channels: &[Channel<'c>]) {
        if channels.is_empty() {
            return;
        }
        let mut channel_list = String::new();
        let mut samplers = String::new();
        for (index, channel) in channels.iter().enumerate() {
            let (input, output) = self.accessors_of(channel);
            let comma = if index == 0 { "" } else { "," };
            let interpolation = match channel.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            let target = &channel.target;
            // Writing into a String cannot fail, here and below.
            let _ = write!(
                samplers,
                r#"{comma}{{"input":{input},"interpolation":"{interpolation}","output":{output}}}"#
            );
            let _ = write!(
                channel_list,
                r#"{comma}{{"sampler":{index},"target":{target}}}"#
            );
        }
        let comma = if self.animations.is_empty() { "" } else { "," };
        let _ = write!(
            self.animations,
            r#"{comma}{{"channels":[{channel_list}],"name":{},"samplers":[{samplers}]}}"#,
            quoted(name)
        );
    }

    /// Describes times and values of a channel; returns its input and output accessor.
    fn accessors_of(&mut self, channel: &Channel<'c>) -> (usize, usize) {
        let times = channel.times;
        let first_view = self.placement.first_view;
        let input = match self.known_times.get(&Times(times)) {
            Some(&known) => known,
            None => {
                let first = times.first().copied().unwrap_or_default();
                let last = times.last().copied().unwrap_or_default();
                let extremes = format!(r#","max":[{last}],"min":[{first}]"#);
                let described = Described {
                    count: times.len(),
                    shape: "SCALAR",
                    bytes: size_of_val(times),
                    component: FLOAT,
                };
                let input = self.accessor(first_view, self.time_bytes, &described, &extremes);
                self.time_bytes += described.bytes;
                self.times.push(times);
                self.known_times.insert(Times(times), input);
                input
            }
        };
        let described = channel.values.describe();
        let output = self.accessor(first_view + 1, self.value_bytes, &described, "");
        self.value_bytes += described.bytes;
        self.values.push(channel.values);
        (input, output)
    }

    fn accessor(
        &mut self,
        view: usize,
        offset: usize,
        described: &Described,
        extremes: &str,
    ) -> usize {
        let comma = if self.accessor_count == 0 { "" } else { "," };
        let Described {
            count,
            shape,
            component,
            ..
        } = described;
        let _ = write!(
            self.accessors,
            r#"{comma}{{"bufferView":{view},"byteOffset":{offset},"componentType":{component},"count":{count}{extremes},"type":"{shape}"}}"#
        );
        self.accessor_count += 1;
        self.placement.first_accessor + self.accessor_count - 1
    }

    /// The two buffer views over the bytes, which begin at `offset` of `buffer`; empty without tracks.
    pub(super) fn views(&self, buffer: usize, offset: usize) -> String {
        if self.accessor_count == 0 {
            return String::new();
        }
        format!(
            r#"{{"buffer":{buffer},"byteLength":{},"byteOffset":{offset}}},{{"buffer":{buffer},"byteLength":{},"byteOffset":{}}}"#,
            self.time_bytes,
            self.value_bytes,
            offset + self.time_bytes
        )
    }

    /// Number of bytes; a multiple of 4.
    pub(super) fn byte_len(&self) -> usize {
        self.time_bytes + self.value_bytes
    }

    /// Appends the bytes.
    pub(super) fn append_bytes(&self, out: &mut Vec<u8>) {
        out.reserve(self.byte_len());
        for times in &self.times {
            append_floats(out, times.iter().map(|time| [*time]));
        }
        for values in &self.values {
            match values {
                Values::Vectors(values) => append_floats(out, values.iter().map(Vec3::to_array)),
                Values::Rotations(values) => {
                    append_floats(out, values.iter().map(Quat::to_array));
                }
                Values::Numbers(values, _) => {
                    append_floats(out, values.iter().map(|value| [*value]));
                }
                Values::Flags(values) => {
                    let start = out.len();
                    out.extend(values.iter().map(|&value| u8::from(value > 0.5)));
                    out.resize(start + values.len().next_multiple_of(4), 0);
                }
            }
        }
    }
}

/// What moves one property.
struct Channel<'c> {
    /// The target as JSON.
    target: Cow<'c, str>,
    interpolation: Interpolation,
    times: &'c [f32],
    values: Values<'c>,
}

impl<'c> Channel<'c> {
    fn of_track<V: TrackValue>(
        track: &'c Track<V>,
        node: usize,
        path: &str,
        values: impl Fn(&'c [V]) -> Values<'c>,
    ) -> Self {
        Self {
            target: format!(r#"{{"node":{node},"path":"{path}"}}"#).into(),
            interpolation: track.interpolation(),
            times: track.times(),
            values: values(track.values()),
        }
    }
}

/// The channels of a clip: those of its joints, then those of its curves.
fn channels<'c>(
    clip: &'c Clip,
    curves: &'c [CurveChannel],
    node_of: &impl Fn(usize) -> usize,
) -> Vec<Channel<'c>> {
    let mut channels = Vec::new();
    for (joint, tracks) in clip.joints.iter().enumerate() {
        let node = node_of(joint);
        if let Some(track) = &tracks.translation {
            channels.push(Channel::of_track(
                track,
                node,
                "translation",
                Values::Vectors,
            ));
        }
        if let Some(track) = &tracks.rotation {
            channels.push(Channel::of_track(
                track,
                node,
                "rotation",
                Values::Rotations,
            ));
        }
        if let Some(track) = &tracks.scale {
            channels.push(Channel::of_track(track, node, "scale", Values::Vectors));
        }
    }
    channels.extend(curves.iter().map(|curve| Channel {
        target: curve.target.as_str().into(),
        interpolation: curve.interpolation,
        times: &curve.times,
        values: match curve.is_flag {
            true => Values::Flags(&curve.values),
            false => Values::Numbers(&curve.values, curve.components),
        },
    }));
    channels
}

/// Appends numbers in glTF's byte order.
pub(super) fn append_floats<const N: usize>(
    out: &mut Vec<u8>,
    elements: impl Iterator<Item = [f32; N]>,
) {
    for element in elements {
        out.extend_from_slice(element.map(f32::to_le_bytes).as_flattened());
    }
}

/// Key times, ordered by their bits, so that equal ones are written once.
#[derive(Clone, Copy)]
struct Times<'c>(&'c [f32]);

impl Ord for Times<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if std::ptr::eq(self.0, other.0) {
            return Ordering::Equal;
        }
        self.0.len().cmp(&other.0.len()).then_with(|| {
            let pairs = self.0.iter().zip(other.0);
            pairs
                .map(|(a, b)| a.total_cmp(b))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    }
}

impl PartialOrd for Times<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Times<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Times<'_> {}
