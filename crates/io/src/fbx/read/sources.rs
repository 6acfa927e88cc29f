//! Which curves of an animation stack move which nodes.

use std::collections::BTreeMap;
use ufbx::{Anim, AnimCurve, AnimLayer, AnimValue, ElementType, Node, PropFlags, Scene};

/// The properties that a local transform is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Property {
    Translation,
    Rotation,
    Scaling,
    /// `PreRotation`, `PostRotation`, `RotationOrder`.
    Frame,
    /// Pivots and offsets.
    Pivot,
}

impl Property {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "Lcl Translation" => Self::Translation,
            "Lcl Rotation" => Self::Rotation,
            "Lcl Scaling" => Self::Scaling,
            "PreRotation" | "PostRotation" | "RotationOrder" => Self::Frame,
            "RotationOffset" | "RotationPivot" | "ScalingOffset" | "ScalingPivot" => Self::Pivot,
            _ => return None,
        })
    }
}

/// Curves of one property on one layer.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub property: Property,
    pub value: &'a AnimValue,
    /// True where the layer sets the property, instead of mixing with the layers below it.
    pub sets: bool,
}

/// All that moves one node in one stack.
#[derive(Clone, Default)]
pub(super) struct NodeSources<'a> {
    pub own: Vec<Source<'a>>,
    /// Scales of scale helpers above, which scale the node's translation (or its own scale, for a helper).
    pub helpers: Vec<&'a AnimValue>,
    /// Weights of layers that mix into this node.
    pub weights: Vec<&'a AnimValue>,
    /// Takes values of other objects' properties; which, and when they change, is not looked up.
    pub linked: bool,
}

/// An animation stack: what moves, by index of the node.
pub(super) struct StackSources<'a> {
    pub name: &'a str,
    pub anim: &'a Anim,
    pub nodes: BTreeMap<usize, NodeSources<'a>>,
    /// Blend channels (index among the scene's) with the curves of each.
    pub morphs: BTreeMap<usize, Vec<&'a AnimValue>>,
    /// Begin and end, seconds: what the stack states where any key lies in it, else that of its keys.
    pub range: (f64, f64),
}

/// The curves that a value has.
pub(super) fn curves(value: &AnimValue) -> impl Iterator<Item = &AnimCurve> {
    value
        .curves
        .iter()
        .filter_map(|curve| curve.as_ref().map(AsRef::as_ref))
        .filter(|curve| curve.keyframes.count > 0)
}

/// All stacks with keys. A file without a stack has its layers as one.
pub(super) fn read_stacks(scene: &Scene) -> Vec<StackSources<'_>> {
    let bindings = Bindings {
        helped: nodes_with_helpers(scene),
        linked: linked_nodes(scene),
    };
    let mut stacks: Vec<StackSources<'_>> = (&scene.anim_stacks)
        .into_iter()
        .filter_map(|stack| {
            let stated = (stack.time_begin, stack.time_end);
            read_stack(&bindings, &stack.element.name, &stack.anim, stated)
        })
        .collect();
    if scene.anim_stacks.count == 0 {
        stacks.extend(read_stack(&bindings, "", &scene.anim, (0.0, 0.0)));
    }
    stacks
}

/// How nodes hang on other objects, whatever the stack.
struct Bindings {
    /// Nodes whose transform depends on scale helpers, with those.
    helped: Vec<(usize, Vec<usize>)>,
    /// Nodes that take a value from another object's property.
    linked: Vec<usize>,
}

fn read_stack<'a>(
    bindings: &Bindings,
    name: &'a str,
    anim: &'a Anim,
    stated: (f64, f64),
) -> Option<StackSources<'a>> {
    let mut nodes: BTreeMap<usize, NodeSources<'a>> = BTreeMap::new();
    let mut morphs: BTreeMap<usize, Vec<&'a AnimValue>> = BTreeMap::new();
    for (index, layer) in anim.layers.into_iter().enumerate() {
        let sets = index == 0 || !(layer.blended || layer.additive);
        let weight = layer_weight(layer);
        for animated in &layer.anim_props {
            let value = animated.anim_value.as_ref();
            if curves(value).next().is_none() {
                continue;
            }
            let target = animated.element.as_ref();
            let place = target.typed_id as usize;
            match target.type_ {
                ElementType::Node => {
                    let Some(property) = Property::of(&animated.prop_name) else {
                        continue;
                    };
                    let node = nodes.entry(place).or_default();
                    node.own.push(Source {
                        property,
                        value,
                        sets,
                    });
                    node.weights.extend(weight.filter(|_| !sets));
                }
                ElementType::BlendChannel if &*animated.prop_name == "DeformPercent" => {
                    let values = morphs.entry(place).or_default();
                    values.push(value);
                    values.extend(weight.filter(|_| !sets));
                }
                _ => {}
            }
        }
    }
    add_helpers(&bindings.helped, &mut nodes);
    for &node in &bindings.linked {
        nodes.entry(node).or_default().linked = true;
    }
    let values = nodes
        .values()
        .flat_map(|node| node.own.iter().map(|source| source.value))
        .chain(morphs.values().flatten().copied());
    let span = values.flat_map(curves).fold(None, |span, curve| {
        let (first, last): (f64, f64) = span.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
        Some((first.min(curve.min_time), last.max(curve.max_time)))
    });
    let span = span.filter(|(first, last)| first.is_finite() && last.is_finite())?;
    let is_usable = stated.0.is_finite()
        && stated.1.is_finite()
        && stated.1 > stated.0
        && span.0 <= stated.1
        && span.1 >= stated.0;
    Some(StackSources {
        name,
        anim,
        nodes,
        morphs,
        range: if is_usable { stated } else { span },
    })
}

/// The curve of a layer's weight, where it has one.
fn layer_weight(layer: &AnimLayer) -> Option<&AnimValue> {
    let is_used = layer.weight_is_animated && layer.blended;
    let own = layer.find_anim_props(&layer.element);
    let own = own.first().filter(|_| is_used)?;
    Some(own.anim_value.as_ref())
}

/// What moves a scale helper also moves what hangs beside it.
fn add_helpers<'a>(helped: &[(usize, Vec<usize>)], nodes: &mut BTreeMap<usize, NodeSources<'a>>) {
    for (node, helpers) in helped {
        let mut found: Vec<&'a AnimValue> = Vec::new();
        for helper in helpers.iter().filter_map(|helper| nodes.get(helper)) {
            found.extend(helper.own.iter().map(|source| source.value));
        }
        if !found.is_empty() {
            nodes.entry(*node).or_default().helpers = found;
        }
    }
}

fn nodes_with_helpers(scene: &Scene) -> Vec<(usize, Vec<usize>)> {
    if !(&scene.nodes).into_iter().any(|node| node.is_scale_helper) {
        return Vec::new();
    }
    let place = |node: &Node| node.element.typed_id as usize;
    (&scene.nodes)
        .into_iter()
        .map(|node| {
            (
                place(node),
                helpers_above(node).into_iter().map(place).collect(),
            )
        })
        .filter(|(_, helpers): &(usize, Vec<usize>)| !helpers.is_empty())
        .collect()
}

/// The scale helpers on which a node's local transform depends, itself excepted.
fn helpers_above(node: &Node) -> Vec<&Node> {
    let mut helpers = Vec::new();
    let Some(parent) = node.parent.as_ref() else {
        return helpers;
    };
    if !node.is_scale_helper {
        helpers.extend(parent.scale_helper.as_ref().map(AsRef::as_ref));
    }
    let mut at = parent.inherit_scale_node.as_ref().map(AsRef::as_ref);
    while let Some(above) = at {
        helpers.extend(above.scale_helper.as_ref().map(AsRef::as_ref));
        at = above.inherit_scale_node.as_ref().map(AsRef::as_ref);
        if helpers.len() > rebone_model::SkeletonBuilder::MAX_DEPTH {
            break;
        }
    }
    helpers
}

fn linked_nodes(scene: &Scene) -> Vec<usize> {
    let is_linked = |node: &&Node| {
        (&node.element.props.props).into_iter().any(|property| {
            property.flags.has_any(PropFlags::CONNECTED) && Property::of(&property.name).is_some()
        })
    };
    (&scene.nodes)
        .into_iter()
        .filter(is_linked)
        .map(|node| node.element.typed_id as usize)
        .collect()
}

/// For each node whether a stack moves it away from where it rests.
pub(super) fn animated_nodes(scene: &Scene, stacks: &[StackSources<'_>]) -> Vec<bool> {
    let mut animated = vec![false; scene.nodes.count];
    for (&place, sources) in stacks.iter().flat_map(|stack| &stack.nodes) {
        let Some(flag) = animated.get_mut(place) else {
            continue;
        };
        *flag |= sources.linked || sources.own.iter().any(moves);
    }
    animated
}

fn moves(source: &Source<'_>) -> bool {
    let value = source.value;
    let rest = [
        value.default_value.x,
        value.default_value.y,
        value.default_value.z,
    ];
    value.curves.iter().zip(rest).any(|(curve, rest)| {
        let Some(curve) = curve.as_ref().filter(|curve| curve.keyframes.count > 0) else {
            return false;
        };
        let slack = 1e-5 * rest.abs().max(1e-3);
        (curve.min_value - rest).abs() > slack || (curve.max_value - rest).abs() > slack
    })
}
