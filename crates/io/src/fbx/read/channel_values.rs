//! Values of a node's channels at any time, by our own arithmetic where it does, else by ufbx.

use super::keys::{KeyValue, Values as KeyValues};
use super::local_transform::{Constants, Local, Part, Values, evaluate};
use super::sources::{NodeSources, Property};
use glam::{DQuat, DVec3};
use std::cell::Cell;
use ufbx::{Anim, AnimCurve, AnimValue, Node};

/// Values of a node whose three properties alone move, each on one layer.
pub(super) struct Plain<'a> {
    pub constants: Constants,
    rest: Values,
    translation: Option<&'a AnimValue>,
    rotation: Option<&'a AnimValue>,
    scaling: Option<&'a AnimValue>,
}

impl<'a> Plain<'a> {
    /// `None` where ufbx has to evaluate the node.
    fn of(node: &Node, sources: &NodeSources<'a>) -> Option<Self> {
        let is_mixed = sources.linked || !sources.helpers.is_empty() || !sources.weights.is_empty();
        let constants = Constants::of(node).filter(|_| !is_mixed)?;
        let mut plain = Self {
            constants,
            rest: Values::of(node),
            translation: None,
            rotation: None,
            scaling: None,
        };
        for source in &sources.own {
            let slot = match source.property {
                Property::Translation => &mut plain.translation,
                Property::Rotation => &mut plain.rotation,
                Property::Scaling => &mut plain.scaling,
                Property::Frame | Property::Pivot => return None,
            };
            if slot.is_some() || !source.sets {
                return None;
            }
            *slot = Some(source.value);
        }
        Some(plain)
    }

    fn translation(&self, cursor: &mut Cursor, time: f64) -> DVec3 {
        let mut values = self.rest;
        values.translation = cursor.of(0, self.translation, values.translation, time);
        if self.constants.has_pivots() {
            values.rotation = cursor.of(1, self.rotation, values.rotation, time);
            values.scale = cursor.of(2, self.scaling, values.scale, time);
        }
        self.constants.translation(&values)
    }

    fn rotation(&self, cursor: &mut Cursor, time: f64) -> DQuat {
        let degrees = cursor.of(1, self.rotation, self.rest.rotation, time);
        self.constants.rotation(degrees)
    }

    fn scale(&self, cursor: &mut Cursor, time: f64) -> DVec3 {
        let factors = cursor.of(2, self.scaling, self.rest.scale, time);
        self.constants.scale(factors)
    }
}

/// Places in the curves of three properties; times rise, so only the first is searched for.
#[derive(Default)]
pub(super) struct Cursor {
    keys: [[Option<usize>; 3]; 3],
}

impl Cursor {
    fn of(&mut self, slot: usize, value: Option<&AnimValue>, rest: DVec3, time: f64) -> DVec3 {
        let Some(value) = value else { return rest };
        let otherwise = value.default_value;
        let mut found = [otherwise.x, otherwise.y, otherwise.z];
        for (axis, number) in found.iter_mut().enumerate() {
            if let Some(curve) = value.curves[axis].as_ref() {
                *number = curve_value(curve, &mut self.keys[slot][axis], time, *number);
            }
        }
        DVec3::from_array(found)
    }
}

fn curve_value(curve: &AnimCurve, at: &mut Option<usize>, time: f64, otherwise: f64) -> f64 {
    let keys = curve.keyframes.as_ref();
    let mut key = at.unwrap_or_else(|| {
        let after = keys.partition_point(|key| key.time <= time);
        after.saturating_sub(1)
    });
    while keys.get(key + 1).is_some_and(|next| next.time <= time) {
        key += 1;
    }
    *at = Some(key);
    match keys.get(key) {
        Some(here) if here.time == time => here.value,
        _ => ufbx::evaluate_curve(curve, time, otherwise),
    }
}

/// Values of one channel of a [`Plain`] node.
pub(super) struct PlainChannel<'p, 'a, V> {
    plain: &'p Plain<'a>,
    left: &'p Cell<usize>,
    value: fn(&Plain<'a>, &mut Cursor, f64) -> V,
}

impl<V: KeyValue> KeyValues<V> for PlainChannel<'_, '_, V> {
    fn at(&mut self, time: f64) -> V {
        self.left.set(self.left.get().saturating_sub(1));
        (self.value)(self.plain, &mut Cursor::default(), time)
    }

    fn at_all(&mut self, times: &[f64]) -> Vec<V> {
        let mut cursor = Cursor::default();
        let count = times.len().min(self.left.get());
        self.left.set(self.left.get() - count);
        times
            .iter()
            .map(|&time| (self.value)(self.plain, &mut cursor, time))
            .collect()
    }

    fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }
}

/// Values of one channel of a node that ufbx evaluates.
pub(super) struct Evaluated<'e, V> {
    anim: &'e Anim,
    node: &'e Node,
    part: Part,
    left: &'e Cell<usize>,
    value: fn(&Local) -> V,
}

impl<V> KeyValues<V> for Evaluated<'_, V> {
    fn at(&mut self, time: f64) -> V {
        self.left.set(self.left.get().saturating_sub(1));
        (self.value)(&evaluate(self.anim, self.node, self.part, time))
    }

    fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }
}

/// Where the values of a node come from.
pub(super) struct NodeValues<'a> {
    /// `None` where ufbx has to evaluate the node.
    pub plain: Option<Plain<'a>>,
    anim: &'a Anim,
    node: &'a Node,
}

impl<'a> NodeValues<'a> {
    pub(super) fn of(anim: &'a Anim, node: &'a Node, sources: &NodeSources<'a>) -> Self {
        Self {
            plain: Plain::of(node, sources),
            anim,
            node,
        }
    }

    /// The local translation; `left` counts the values that may still be computed.
    pub(super) fn translation<'p>(&'p self, left: &'p Cell<usize>) -> ChannelValues<'p, 'a, DVec3> {
        self.channel(left, Plain::translation, Part::Translation, |local| {
            local.translation
        })
    }

    /// The local rotation.
    pub(super) fn rotation<'p>(&'p self, left: &'p Cell<usize>) -> ChannelValues<'p, 'a, DQuat> {
        self.channel(left, Plain::rotation, Part::Rotation, |local| {
            local.rotation
        })
    }

    /// The local scale.
    pub(super) fn scale<'p>(&'p self, left: &'p Cell<usize>) -> ChannelValues<'p, 'a, DVec3> {
        self.channel(left, Plain::scale, Part::Scale, |local| local.scale)
    }

    fn channel<'p, V>(
        &'p self,
        left: &'p Cell<usize>,
        plain_value: fn(&Plain<'a>, &mut Cursor, f64) -> V,
        part: Part,
        value: fn(&Local) -> V,
    ) -> ChannelValues<'p, 'a, V> {
        match &self.plain {
            Some(plain) => ChannelValues::Plain(PlainChannel {
                plain,
                left,
                value: plain_value,
            }),
            None => ChannelValues::Evaluated(Evaluated {
                anim: self.anim,
                node: self.node,
                part,
                left,
                value,
            }),
        }
    }
}

/// Values of one channel of a node.
pub(super) enum ChannelValues<'p, 'a, V> {
    Plain(PlainChannel<'p, 'a, V>),
    Evaluated(Evaluated<'p, V>),
}

impl<V: KeyValue> KeyValues<V> for ChannelValues<'_, '_, V> {
    fn at(&mut self, time: f64) -> V {
        match self {
            Self::Plain(channel) => channel.at(time),
            Self::Evaluated(channel) => channel.at(time),
        }
    }

    fn at_all(&mut self, times: &[f64]) -> Vec<V> {
        match self {
            Self::Plain(channel) => channel.at_all(times),
            Self::Evaluated(channel) => channel.at_all(times),
        }
    }

    fn is_exhausted(&self) -> bool {
        match self {
            Self::Plain(channel) => channel.is_exhausted(),
            Self::Evaluated(channel) => channel.is_exhausted(),
        }
    }
}
