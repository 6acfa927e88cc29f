//! Finds in a file what the curves of clips move, by name.
//!
//! Both writers use it, and so does [`shown_curves`], for programs that draw a file.

mod expressions;
mod shown;
mod sum;

pub use shown::{NodeWeights, ShownCurves, shown_curves};

use crate::Error;
use crate::gltf::json::TopLevel;
use crate::gltf::morphs::{MorphMesh, MorphNode, morph_mesh, morph_nodes};
use crate::gltf::pointers::Pointers;
use crate::gltf::splice::quoted;
use crate::gltf::vrm::{VrmData, read_vrm};
use crate::morph_names::plain_name;
use expressions::{Expression, Shown, expressions, find};
use rebone_model::Clamp as _;
use rebone_model::{Clip, Curve, CurveTarget, Interpolation, Warning};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use sum::{Slot, sum, switched};

/// Curves named in a warning.
const NAMED: usize = 6;

/// A channel of an animation that moves no joint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CurveChannel {
    /// The channel's target as JSON.
    pub target: String,
    pub interpolation: Interpolation,
    pub times: Arc<[f32]>,
    /// In glTF's own layout.
    pub values: Vec<f32>,
    /// Numbers an element.
    pub components: usize,
    /// True where the property is true or false.
    pub is_flag: bool,
}

impl CurveChannel {
    /// A VRM animation's expression: the x of its node.
    pub(super) fn expression(node: usize, curve: &Curve) -> Self {
        let values = curve.values().iter().flat_map(|&x| [x, 0.0, 0.0]).collect();
        let target = format!(r#"{{"node":{node},"path":"translation"}}"#);
        Self::of(curve, target, values, 3)
    }

    /// A VRM animation's gaze: the rotation of its node.
    pub(super) fn look_at(node: usize, curve: &Curve) -> Self {
        let target = format!(r#"{{"node":{node},"path":"rotation"}}"#);
        Self::of(curve, target, curve.values().to_vec(), 4)
    }

    fn of(curve: &Curve, target: String, values: Vec<f32>, components: usize) -> Self {
        Self {
            target,
            interpolation: curve.interpolation(),
            times: Arc::clone(curve.shared_times()),
            values,
            components,
            is_flag: false,
        }
    }

    /// True for a channel that needs `KHR_animation_pointer`.
    pub(super) fn is_pointer(&self) -> bool {
        self.target.ends_with(r#""path":"pointer"}"#)
    }
}

/// What of a file curves can move.
pub(super) struct CurvePlaces<'a> {
    meshes: Vec<MorphMesh>,
    nodes: Vec<MorphNode>,
    expressions: Vec<Expression>,
    vrma: VrmData,
    pointers: Pointers<'a>,
}

impl<'a> CurvePlaces<'a> {
    /// Looks through the file's meshes and its VRM data.
    pub(super) fn new(top: &'a TopLevel<'a>) -> Result<Self, Error> {
        let nodes = top.elements("nodes")?;
        let meshes: Vec<MorphMesh> = top
            .elements("meshes")?
            .into_iter()
            .map(morph_mesh)
            .collect();
        Ok(Self {
            nodes: morph_nodes(&nodes, &meshes),
            meshes,
            expressions: expressions(top),
            vrma: read_vrm(top, nodes.len(), &mut Vec::new())?,
            pointers: Pointers::new(top),
        })
    }

    /// The channels of a clip's curves; what has no place is named in `homeless`.
    pub(super) fn channels(&self, clip: &Clip, homeless: &mut Vec<String>) -> Vec<CurveChannel> {
        let mut weights: BTreeMap<usize, Vec<Slot<'_>>> = BTreeMap::new();
        let mut channels: Vec<CurveChannel> = Vec::new();
        let mut taken = BTreeSet::new();
        for curve in &clip.curves {
            let own = match curve.target() {
                CurveTarget::Morph { mesh, name } => {
                    let places = self.morphs(Some(mesh), name);
                    if self.add(&places, curve, &mut weights) {
                        continue;
                    }
                    None
                }
                CurveTarget::Expression { name, .. } => {
                    if self.express(name, curve, &mut weights) {
                        continue;
                    }
                    let node = self.vrma.expressions.iter().find(|e| e.name == *name);
                    node.map(|expression| CurveChannel::expression(expression.node, curve))
                }
                CurveTarget::LookAt { .. } => self
                    .vrma
                    .look_at
                    .map(|(node, _)| CurveChannel::look_at(node, curve)),
                CurveTarget::Property { path } => self.property(path, curve),
            };
            // An animation may move nothing twice.
            match own.filter(|channel| taken.insert(channel.target.clone())) {
                Some(channel) => channels.push(channel),
                None => homeless.extend(described(curve)),
            }
        }
        channels.extend(summed(weights).map(|own| CurveChannel {
            target: format!(r#"{{"node":{},"path":"weights"}}"#, own.node),
            interpolation: own.interpolation,
            times: own.times,
            values: own.values,
            components: 1,
            is_flag: false,
        }));
        channels
    }

    /// What a clip's morph targets and expressions do to the weights of nodes.
    pub(super) fn weights(&self, clip: &Clip) -> Vec<NodeWeights> {
        let mut weights: BTreeMap<usize, Vec<Slot<'_>>> = BTreeMap::new();
        for curve in &clip.curves {
            match curve.target() {
                CurveTarget::Morph { mesh, name } => {
                    self.add(&self.morphs(Some(mesh), name), curve, &mut weights);
                }
                CurveTarget::Expression { name, .. } => {
                    self.express(name, curve, &mut weights);
                }
                CurveTarget::LookAt { .. } | CurveTarget::Property { .. } => {}
            }
        }
        summed(weights).collect()
    }

    /// What the file calls an expression of its avatar.
    pub(super) fn expression(&self, name: &str) -> Option<&str> {
        find(&self.expressions, name).map(|found| found.name.as_str())
    }

    /// Places (of the node, of the target) with a name: in the mesh of that name, else in any, and
    /// spelled the same, else nearly.
    fn morphs(&self, mesh: Option<&str>, name: &str) -> Vec<(usize, usize)> {
        let plain = plain_name(name);
        let exact = |other: &str| other == name;
        let nearly = |other: &str| !plain.is_empty() && plain_name(other) == plain;
        let matches: [&dyn Fn(&str) -> bool; 2] = [&exact, &nearly];
        for own_mesh_only in [true, false] {
            for matches in matches {
                let nodes = self.nodes.iter().enumerate();
                let nodes = nodes.filter(|(_, node)| !own_mesh_only || mesh == Some(&*node.name));
                let found: Vec<(usize, usize)> = nodes
                    .filter_map(|(place, node)| {
                        let targets = &self.meshes.get(node.mesh)?.targets;
                        let target = targets.iter().position(|target| matches(target))?;
                        Some((place, target))
                    })
                    .collect();
                if !found.is_empty() {
                    return found;
                }
            }
        }
        Vec::new()
    }

    fn add<'c>(
        &self,
        places: &[(usize, usize)],
        curve: &'c Curve,
        weights: &mut BTreeMap<usize, Vec<Slot<'c>>>,
    ) -> bool {
        for &(place, target) in places {
            self.add_share(place, target, (1.0, Cow::Borrowed(curve)), weights);
        }
        !places.is_empty()
    }

    fn add_share<'c>(
        &self,
        place: usize,
        target: usize,
        share: (f32, Cow<'c, Curve>),
        weights: &mut BTreeMap<usize, Vec<Slot<'c>>>,
    ) -> bool {
        let node = &self.nodes[place];
        let slots = weights.entry(node.node).or_insert_with(|| {
            let constant = |&constant: &f32| Slot {
                constant,
                shares: Vec::new(),
            };
            node.weights.iter().map(constant).collect()
        });
        let Some(slot) = slots.get_mut(target) else {
            return false;
        };
        // What is moved no longer rests.
        slot.constant = 0.0;
        slot.shares.push(share);
        true
    }

    /// Moves what an expression of the avatar is bound to, else morph targets of the expression's name.
    fn express<'c>(
        &self,
        name: &str,
        curve: &'c Curve,
        weights: &mut BTreeMap<usize, Vec<Slot<'c>>>,
    ) -> bool {
        let Some(expression) = find(&self.expressions, name) else {
            return self.add(&self.morphs(None, name), curve, weights);
        };
        let as_shown = match expression.is_binary {
            true => switched(curve),
            false => within_bounds(curve),
        };
        let curve = as_shown.map_or(Cow::Borrowed(curve), Cow::Owned);
        let mut found = false;
        for bind in &expression.binds {
            for (place, node) in self.nodes.iter().enumerate() {
                let is_it = match bind.shown {
                    Shown::ByNode(index) => node.node == index,
                    Shown::ByMesh(index) => node.mesh == index,
                };
                if is_it {
                    let share = (bind.weight, curve.clone());
                    found |= self.add_share(place, bind.target, share, weights);
                }
            }
        }
        found
    }

    fn property(&self, path: &str, curve: &Curve) -> Option<CurveChannel> {
        let resolved = self.pointers.resolve(path)?;
        let target = format!(
            r#"{{"extensions":{{"KHR_animation_pointer":{{"pointer":{}}}}},"path":"pointer"}}"#,
            quoted(&resolved.pointer)
        );
        let values = curve.values().to_vec();
        let mut channel = CurveChannel::of(curve, target, values, curve.components());
        channel.is_flag = resolved.is_flag;
        Some(channel)
    }
}

/// The weights of each node as one channel.
fn summed(weights: BTreeMap<usize, Vec<Slot<'_>>>) -> impl Iterator<Item = NodeWeights> {
    weights.into_iter().filter_map(|(node, slots)| {
        let summed = sum(&slots)?;
        Some(NodeWeights {
            node,
            targets: slots.len(),
            interpolation: summed.interpolation,
            times: summed.times,
            values: summed.values,
        })
    })
}

/// Players keep expressions between 0 and 1; `None` for a curve that lies there anyway. Splines stay as
/// they are, for their tangents are no weights.
fn within_bounds(curve: &Curve) -> Option<Curve> {
    let is_spline = curve.interpolation() == Interpolation::CubicSpline;
    let values = curve.values();
    if is_spline || values.iter().all(|value| (0.0..=1.0).contains(value)) {
        return None;
    }
    let values = values.iter().map(|value| value.clamped(0.0, 1.0)).collect();
    let times = Arc::clone(curve.shared_times());
    Curve::new(
        curve.target().clone(),
        curve.interpolation(),
        1,
        times,
        values,
    )
    .ok()
}

/// The name of what a curve moves; `None` where it keeps it at rest, so that nothing is missed.
fn described(curve: &Curve) -> Option<String> {
    let values = curve.values();
    let is_zero = |values: &[f32]| values.iter().all(|value| *value == 0.0);
    Some(match curve.target() {
        CurveTarget::Morph { .. } | CurveTarget::Expression { .. } if is_zero(values) => {
            return None;
        }
        CurveTarget::LookAt { .. } if values.chunks(4).all(|q| is_zero(&q[..q.len().min(3)])) => {
            return None;
        }
        CurveTarget::Morph { mesh, name } => format!("morph target \"{name}\" of \"{mesh}\""),
        CurveTarget::Expression { name, .. } => format!("expression \"{name}\""),
        CurveTarget::LookAt { .. } => "the gaze".to_owned(),
        CurveTarget::Property { path } => format!("property {path}"),
    })
}

/// All curves of some clips that move anything, by name, for a file that has a place for none.
pub(super) fn homeless_curves<'c>(clips: impl IntoIterator<Item = &'c Clip>) -> Vec<String> {
    let curves = clips.into_iter().flat_map(|clip| &clip.curves);
    curves.filter_map(described).collect()
}

/// One warning for all curves that have no place.
pub(super) fn not_kept(mut homeless: Vec<String>) -> Option<Warning> {
    let mut seen = BTreeSet::new();
    homeless.retain(|name| seen.insert(name.clone()));
    if homeless.is_empty() {
        return None;
    }
    let mut named = homeless[..homeless.len().min(NAMED)].join(", ");
    if homeless.len() > NAMED {
        named.push_str(&format!(" and {} more", homeless.len() - NAMED));
    }
    Some(Warning::new(
        "curve-not-kept",
        format!("the written file has no place for {named}"),
        "the motion of the joints is complete; the file needs morph targets or expressions of these names for the rest",
    ))
}
