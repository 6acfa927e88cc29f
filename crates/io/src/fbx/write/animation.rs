//! Clips as FBX objects: a stack and a layer a clip, a curve node a channel, a curve a number.
//!
//! ```text
//! AnimationCurve ──"d|X"──▶ AnimationCurveNode ──▶ AnimationLayer ──▶ AnimationStack
//!                                   └──"Lcl Rotation"──▶ Model
//! ```

use super::clock::Clock;
use super::fit::{self, Curve, Keys, Onward};
use super::motion::{NumberCurve, ScalingCurve, TOLERANCE, TranslationCurve};
use super::objects::{Ids, clean, connection, long, property, text};
use super::target::Target;
use super::turning::{ROTATION_TOLERANCE, RotationCurve};
use crate::fbx::syntax::{Encoding, Node, Value};
use rebone_model::Clamp as _;
use rebone_model::sampling::frame_rate_hz;
use rebone_model::{Clip, Skeleton, Track, Vec3};
use std::rc::Rc;

/// Constant up to the next key.
const CONSTANT: i32 = 0x6002;
/// Straight to the next key.
const LINEAR: i32 = 0x6104;
/// Cubic with a slope on each side of each key.
const CUBIC: i32 = 0x0C08;
/// The weights of tangents that have none of their own: twice 0.3333.
const WEIGHTS: u32 = 0x0D05_0D05;

/// A morph weight of a clip, and the blend shape channel that holds it.
#[derive(Clone, Debug)]
pub(super) struct MorphTarget {
    /// The channel's id in the file.
    pub(super) object: i64,
    /// Index of the curve in the clip.
    pub(super) curve: usize,
}

/// How objects of animation are written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Of the file.
    pub(super) encoding: Encoding,
    /// Of the file.
    pub(super) version: u32,
    /// Units of time a second.
    pub(super) ticks: i64,
}

/// The objects of animation of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Animation {
    /// For the file's `Objects`.
    pub(super) objects: Vec<Node<'static>>,
    /// For the file's `Connections`.
    pub(super) connections: Vec<Node<'static>>,
    /// From the earliest beginning to the latest end of a clip, units of time.
    pub(super) span: Option<(i64, i64)>,
    /// The names of the stacks.
    pub(super) names: Vec<String>,
}

/// Types of the objects of animation.
pub(super) const TYPES: [&str; 4] = [
    "AnimationStack",
    "AnimationLayer",
    "AnimationCurveNode",
    "AnimationCurve",
];

/// Makes the objects of a clip and adds them.
pub(super) fn add_clip(
    animation: &mut Animation,
    clip: &Clip,
    skeleton: &Skeleton,
    targets: &[Target],
    morphs: &[MorphTarget],
    style: Style,
    ids: &mut Ids,
) {
    let mut writer = Writer {
        animation,
        style,
        ids,
        layer: 0,
        clock: Clock::new(style.ticks, frame_rate_hz(clip)),
        times: Rc::default(),
    };
    writer.stack(clip);
    for target in targets {
        let meters = target.channels.translation_factor.abs() * target.magnification.max(1.0);
        if let Some(mut curve) = TranslationCurve::new(target, clip, skeleton) {
            writer.channel(
                &mut curve,
                TOLERANCE / meters.max(1e-9),
                &Channel::of(target.object, "T", "Lcl Translation"),
            );
        }
        if let Some(mut curve) = RotationCurve::new(target, clip) {
            writer.channel(
                &mut curve,
                ROTATION_TOLERANCE.to_degrees(),
                &Channel::of(target.object, "R", "Lcl Rotation"),
            );
        }
        if let Some(mut curve) = ScalingCurve::new(target, clip) {
            writer.channel(
                &mut curve,
                TOLERANCE,
                &Channel::of(target.object, "S", "Lcl Scaling"),
            );
        }
    }
    for morph in morphs {
        if let Some(track) = clip.curves.get(morph.curve).and_then(percent) {
            let channel = Channel {
                object: morph.object,
                name: "DeformPercent",
                property: "DeformPercent",
                numbers: &["d|DeformPercent"],
            };
            writer.channel(&mut NumberCurve::new(&track), TOLERANCE, &channel);
        }
    }
}

/// Weights of 0 to 1 as percent.
fn percent(curve: &rebone_model::Curve) -> Option<Track<Vec3>> {
    if curve.components() != 1 {
        return None;
    }
    let values = curve.values().iter();
    let values = values.map(|weight| Vec3::new(weight * 100.0, 0.0, 0.0));
    Track::new(
        curve.interpolation(),
        std::sync::Arc::clone(curve.shared_times()),
        values.collect(),
    )
    .ok()
}

/// A property of an object that curves move.
struct Channel {
    object: i64,
    name: &'static str,
    property: &'static str,
    numbers: &'static [&'static str],
}

impl Channel {
    fn of(object: i64, name: &'static str, property: &'static str) -> Self {
        Self {
            object,
            name,
            property,
            numbers: &["d|X", "d|Y", "d|Z"],
        }
    }
}

struct Writer<'a> {
    animation: &'a mut Animation,
    style: Style,
    ids: &'a mut Ids,
    layer: i64,
    clock: Clock,
    /// Those of the last channel, which many channels share.
    times: Rc<[i64]>,
}

impl Writer<'_> {
    fn stack(&mut self, clip: &Clip) {
        let stack = self.ids.take();
        self.layer = self.ids.take();
        let (first, last) = clip.time_span();
        let ticks = |time: f32| self.clock.ticks_at(f64::from(time));
        // The clip's zero is the stack's beginning, so a late first key stays late.
        let (start, stop) = (ticks(first.min(0.0)), ticks(last.max(0.0)));
        let span = self.animation.span.get_or_insert((start, stop));
        *span = (span.0.min(start), span.1.max(stop));
        let times = [
            ("LocalStart", start),
            ("LocalStop", stop),
            ("ReferenceStart", start),
            ("ReferenceStop", stop),
        ];
        let times = times.map(|(name, time)| property(name, "KTime", "Time", "", [long(time)]));
        let name = stack_name(&clean(&clip.name), &self.animation.names);
        let header = vec![
            long(stack),
            Value::Name(name.clone().into(), "AnimStack"),
            text(""),
        ];
        self.animation.names.push(name);
        let properties = Node::new("Properties70", Vec::new()).with(times.into());
        self.object(Node::new("AnimationStack", header).with(vec![properties]));
        let header = vec![
            long(self.layer),
            Value::Name("BaseLayer".into(), "AnimLayer"),
            text(""),
        ];
        self.object(Node::new("AnimationLayer", header).with(Vec::new()));
        self.connect(self.layer, stack, None);
    }

    fn object(&mut self, object: Node<'static>) {
        self.animation.objects.push(object);
    }

    fn connect(&mut self, from: i64, to: i64, property: Option<&'static str>) {
        self.animation
            .connections
            .push(connection(from, to, property));
    }

    fn channel(&mut self, curve: &mut impl Curve, tolerance: f64, channel: &Channel) {
        let keys = fit::fit(curve, tolerance, &self.clock);
        let Some(first) = keys.values.first() else {
            return;
        };
        let node = self.ids.take();
        let defaults = channel.numbers.iter().zip(first);
        let defaults = defaults.map(|(name, value)| {
            property(name, "Number", "", "A", [Value::Double(narrow(*value))])
        });
        let defaults = Node::new("Properties70", Vec::new()).with(defaults.collect());
        let header = vec![
            long(node),
            Value::Name(channel.name.into(), "AnimCurveNode"),
            text(""),
        ];
        self.object(Node::new("AnimationCurveNode", header).with(vec![defaults]));
        self.connect(node, self.layer, None);
        self.connect(node, channel.object, Some(channel.property));
        if *self.times != *keys.times {
            self.times = keys.times.as_slice().into();
        }
        for (axis, number) in channel.numbers.iter().enumerate() {
            let curve = self.ids.take();
            let object = self.curve(curve, &keys, axis, tolerance);
            self.object(object);
            self.connect(curve, node, Some(number));
        }
    }

    fn curve(&self, id: i64, keys: &Keys, axis: usize, tolerance: f64) -> Node<'static> {
        let mut values: Vec<f32> = keys
            .values
            .iter()
            .map(|value| single(value[axis]))
            .collect();
        let mut attributes = Attributes::with_capacity(values.len());
        let mut still = values.iter().all(|value| *value == values[0]);
        for (key, onward) in keys.onward.iter().enumerate() {
            let (flags, slopes) = self.attribute(keys, key, *onward, axis, tolerance);
            still &= flags != CUBIC;
            attributes.add(flags, slopes);
        }
        let mut times = Rc::clone(&self.times);
        if still && times.len() > 2 {
            // The last key stays too: it says how long the clip is.
            times = [times[0], times[times.len() - 1]].into();
            values.truncate(2);
            attributes = Attributes::default();
            attributes.add(LINEAR, [0.0; 2]);
            attributes.add(LINEAR, [0.0; 2]);
        }
        let newer = self.style.version >= 7500;
        let data = if self.style.encoding == Encoding::Text && self.style.version >= 7200 {
            // Text files since 7.2 hold the bits of these numbers, because not all of them are numbers.
            let bits = attributes.data.iter();
            Value::Ints(bits.map(|number| number.to_bits().cast_signed()).collect())
        } else {
            Value::Floats(attributes.data)
        };
        let header = vec![long(id), Value::Name("".into(), "AnimCurve"), text("")];
        Node::new("AnimationCurve", header).with(vec![
            Node::new("Default", vec![Value::Double(f64::from(values[0]))]),
            Node::new("KeyVer", vec![Value::Int(if newer { 4009 } else { 4008 })]),
            Node::new("KeyTime", vec![Value::Longs(times)]),
            Node::new("KeyValueFloat", vec![Value::Floats(values)]),
            Node::new("KeyAttrFlags", vec![Value::Ints(attributes.flags)]),
            Node::new("KeyAttrDataFloat", vec![data]),
            Node::new("KeyAttrRefCount", vec![Value::Ints(attributes.counts)]),
        ])
    }

    /// How one number goes on from a key. A cubic that is as good as straight becomes straight.
    fn attribute(
        &self,
        keys: &Keys,
        key: usize,
        onward: Onward,
        axis: usize,
        tolerance: f64,
    ) -> (i32, [f32; 2]) {
        match onward {
            Onward::Constant => (CONSTANT, [0.0; 2]),
            Onward::Straight => (LINEAR, [0.0; 2]),
            Onward::Cubic(slopes) => {
                let (out, into) = (slopes[0][axis], slopes[1][axis]);
                let next = (key + 1).min(keys.times.len() - 1);
                let span = (keys.times[next] - keys.times[key]) as f64 / self.style.ticks as f64;
                let rise = keys.values[next][axis] - keys.values[key][axis];
                let bend = (out * span - rise).abs().max((into * span - rise).abs());
                if bend <= tolerance {
                    (LINEAR, [0.0; 2])
                } else {
                    (CUBIC, [single(out), single(into)])
                }
            }
        }
    }
}

/// What keys have beside time and value; equal ones in a row are stored once.
#[derive(Default)]
struct Attributes {
    flags: Vec<i32>,
    data: Vec<f32>,
    counts: Vec<i32>,
}

impl Attributes {
    fn with_capacity(count: usize) -> Self {
        Self {
            flags: Vec::with_capacity(count),
            data: Vec::with_capacity(4 * count),
            counts: Vec::with_capacity(count),
        }
    }

    fn add(&mut self, flags: i32, slopes: [f32; 2]) {
        if flags != CUBIC && self.flags.last() == Some(&flags) {
            if let Some(count) = self.counts.last_mut() {
                *count += 1;
            }
            return;
        }
        self.flags.push(flags);
        self.data
            .extend_from_slice(&[slopes[0], slopes[1], f32::from_bits(WEIGHTS), 0.0]);
        self.counts.push(1);
    }
}

/// The clip's name, made one that no other stack has.
fn stack_name(name: &str, taken: &[String]) -> String {
    let wanted = if name.is_empty() { "animation" } else { name };
    let mut unique = wanted.to_owned();
    let mut count = 1;
    while taken.contains(&unique) {
        count += 1;
        unique = format!("{wanted}_{count}");
    }
    unique
}

/// A number that is also one in single precision.
fn narrow(value: f64) -> f64 {
    f64::from(single(value))
}

/// In single precision. What is too large for that becomes the largest there is: text files have no
/// infinity, and readers refuse it.
fn single(value: f64) -> f32 {
    (value as f32).clamped(f32::MIN, f32::MAX)
}
