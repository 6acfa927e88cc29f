//! Objects and connections of a new file, and what goes into them again and again.

use crate::fbx::syntax::{Node, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Units of the new file a metre: its unit is the centimetre.
pub(super) const UNITS_PER_METER: f64 = 100.0;

/// Ids for new objects, that no old object has.
#[derive(Clone, Debug)]
pub(super) struct Ids {
    used: BTreeSet<i64>,
    next: i64,
}

impl Ids {
    /// New ids beside those that are taken.
    pub(super) fn beside(used: BTreeSet<i64>) -> Self {
        Self {
            used,
            next: 1_000_000_000,
        }
    }

    pub(super) fn take(&mut self) -> i64 {
        while self.used.contains(&self.next) {
            self.next += 1;
        }
        self.next += 1;
        self.next - 1
    }
}

/// What a new file is made of.
pub(super) struct Objects<'a> {
    /// For `Objects`.
    pub(super) nodes: Vec<Node<'a>>,
    /// For `Connections`.
    pub(super) connections: Vec<Node<'a>>,
    /// For further objects.
    pub(super) ids: Ids,
}

impl<'a> Objects<'a> {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            connections: Vec::new(),
            ids: Ids::beside([0].into()),
        }
    }

    /// Adds an object and returns its id.
    pub(super) fn add(
        &mut self,
        kind: &'static str,
        name: &'a str,
        class: &'static str,
        subclass: &'static str,
        children: Vec<Node<'a>>,
    ) -> i64 {
        let id = self.ids.take();
        let header = vec![long(id), Value::Name(clean(name), class), text(subclass)];
        self.nodes.push(Node::new(kind, header).with(children));
        id
    }

    /// Puts an object into another one, or into a property of it.
    pub(super) fn connect(&mut self, from: i64, to: i64, property: Option<&'static str>) {
        self.connections.push(connection(from, to, property));
    }

    /// How many objects there are of each kind.
    pub(super) fn counts(&self) -> BTreeMap<&'a [u8], i32> {
        let mut counts = BTreeMap::new();
        for node in &self.nodes {
            *counts.entry(node.name).or_insert(0) += 1;
        }
        counts
    }
}

/// A name without zero bytes, which would end it.
pub(super) fn clean(name: &str) -> std::borrow::Cow<'_, str> {
    if name.contains('\0') {
        name.replace('\0', "").into()
    } else {
        name.into()
    }
}

/// A node with one value.
pub(super) fn leaf<'a>(name: &'a str, value: Value<'a>) -> Node<'a> {
    Node::new(name, vec![value])
}

/// A node with a whole number.
pub(super) fn number(name: &'static str, value: i32) -> Node<'static> {
    leaf(name, Value::Int(value))
}

/// A node with a text.
pub(super) fn word(name: &'static str, value: &'static str) -> Node<'static> {
    leaf(name, text(value))
}

/// `Properties70`.
pub(super) fn properties<'a>(lines: Vec<Node<'a>>) -> Node<'a> {
    Node::new("Properties70", Vec::new()).with(lines)
}

/// A property of three numbers.
pub(super) fn vector(
    name: &'static str,
    kind: &'static str,
    flags: &'static str,
    value: [f64; 3],
) -> Node<'static> {
    property(name, kind, "", flags, value.map(Value::Double))
}

/// A property of one whole number.
pub(super) fn integer(name: &'static str, value: i32) -> Node<'static> {
    property(name, "int", "Integer", "", [Value::Int(value)])
}

/// A property of one number.
pub(super) fn real(name: &'static str, value: f64) -> Node<'static> {
    property(name, "double", "Number", "", [Value::Double(value)])
}

/// A text.
pub(super) fn text(text: &'static str) -> Value<'static> {
    Value::from_text(text)
}

/// A whole number of 64 bits.
pub(super) fn long(number: i64) -> Value<'static> {
    Value::Long(number)
}

/// A line of `Properties70`.
pub(super) fn property<const N: usize>(
    name: &'static str,
    kind: &'static str,
    label: &'static str,
    flags: &'static str,
    values: [Value<'static>; N],
) -> Node<'static> {
    let mut all = vec![text(name), text(kind), text(label), text(flags)];
    all.extend(values);
    Node::new("P", all)
}

/// A line of `Connections`; with a property, to that property of the object.
pub(super) fn connection(from: i64, to: i64, property: Option<&'static str>) -> Node<'static> {
    let kind = if property.is_some() { "OP" } else { "OO" };
    let mut values = vec![text(kind), long(from), long(to)];
    values.extend(property.map(text));
    Node::new("C", values)
}
