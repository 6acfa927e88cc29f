//! What animations move besides joints: morph weights, VRM's expressions and gaze, other properties.

use super::animation_json::{Path, Sampler, Target};
use super::clips::JointOfNode;
use super::hierarchy::Hierarchy;
use super::samplers::{Keys, SamplerPlace, Samplers};
use super::skins::SkinPlace;
use crate::Error;
use crate::gltf::EXPORT_AGAIN;
use crate::gltf::json::TopLevel;
use crate::gltf::morphs::{MorphMesh, morph_mesh, shown_name};
use crate::gltf::pointers::Pointers;
use crate::gltf::vrm::VrmData;
use rebone_model::{Curve, CurveTarget, Warning};
use std::cell::OnceCell;
use std::fmt::Arguments;
use std::sync::Arc;

/// What a channel moves, in the file's own numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CurveSource {
    /// Weights of morph targets; all of the mesh's, or one.
    Weights {
        node: Option<usize>,
        mesh: usize,
        weight: Option<usize>,
    },
    /// A VRM animation's expression, by place among those.
    Expression(usize),
    /// A VRM animation's gaze.
    LookAt([f32; 3]),
    /// Anything else with a JSON pointer.
    Property(String),
}

/// Reads curves and finds out whose they are.
pub(super) struct CurveReader<'a> {
    pub top: &'a TopLevel<'a>,
    pub hierarchy: &'a Hierarchy<'a>,
    pub vrm: &'a VrmData,
    pub joint_of_node: &'a JointOfNode,
    /// Where each skin has gone.
    pub skin_places: &'a [SkinPlace],
    pub pointers: Pointers<'a>,
    /// Read when first needed.
    pub meshes: OnceCell<Vec<MorphMesh>>,
}

impl CurveReader<'_> {
    /// What a channel moves; `None` for what joints do and for what is unknown.
    pub(super) fn source(&self, target: &Target) -> Option<CurveSource> {
        let nodes = self.hierarchy.nodes;
        match (target.path, target.node) {
            (Path::Weights, node) => {
                let of_node = || nodes.get(node?)?.mesh;
                Some(CurveSource::Weights {
                    node,
                    mesh: target.mesh.or_else(of_node)?,
                    weight: target.weight,
                })
            }
            (Path::Translation, Some(node)) => {
                let expressions = &self.vrm.expressions;
                let place = expressions.iter().position(|e| e.node == node)?;
                Some(CurveSource::Expression(place))
            }
            (Path::Rotation, Some(node)) => {
                let (look_at, offset) = self.vrm.look_at?;
                (look_at == node).then_some(CurveSource::LookAt(offset))
            }
            (Path::Pointer, _) => target
                .pointer()
                .map(|pointer| CurveSource::Property(pointer.to_owned())),
            _ => None,
        }
    }

    /// Whose it is: the character that carries the mesh or the node, else the one that the animation
    /// moves anyway, else the avatar, else the first.
    pub(super) fn owner(&self, source: &CurveSource, moved: Option<usize>) -> Option<usize> {
        let node = match source {
            CurveSource::Weights { node, mesh, .. } => node.or_else(|| self.node_of(*mesh)),
            CurveSource::Property(pointer) => pointer
                .strip_prefix("/nodes/")
                .and_then(|rest| rest.split('/').next()?.parse().ok()),
            CurveSource::Expression(_) | CurveSource::LookAt(_) => None,
        };
        let of_node = node
            .filter(|&node| node < self.hierarchy.nodes.len())
            .and_then(|node| self.owner_of_node(node));
        let labels = &self.vrm.labels;
        let avatar = || {
            let (node, _) = labels.first()?;
            Some(self.joint_of_node.get(*node).copied()??.0)
        };
        of_node.or(moved).or_else(avatar).or(Some(0))
    }

    fn owner_of_node(&self, node: usize) -> Option<usize> {
        let skin = self.hierarchy.nodes[node].skin;
        let place = skin.and_then(|skin| self.skin_places.get(skin));
        if let Some(SkinPlace::Character(character, _)) = place {
            return Some(*character);
        }
        let mut at = Some(node);
        while let Some(node) = at {
            if let Some((character, _)) = self.joint_of_node[node] {
                return Some(character);
            }
            at = self.hierarchy.parents[node];
        }
        let root = self.hierarchy.roots[node];
        let of_root = self.joint_of_node.iter().zip(&self.hierarchy.roots);
        of_root
            .filter(|(_, other)| **other == root)
            .find_map(|(owner, _)| owner.map(|(character, _)| character))
    }

    fn node_of(&self, mesh: usize) -> Option<usize> {
        let nodes = self.hierarchy.nodes.iter();
        nodes.into_iter().position(|node| node.mesh == Some(mesh))
    }

    fn morphs(&self, mesh: usize) -> Option<&MorphMesh> {
        let meshes = self.meshes.get_or_init(|| {
            let texts = self.top.elements("meshes").unwrap_or_default();
            texts.into_iter().map(morph_mesh).collect()
        });
        meshes.get(mesh)
    }

    /// What it is, in words for a message.
    pub(super) fn describe(&self, source: &CurveSource) -> String {
        match source {
            CurveSource::Weights { mesh, .. } => format!("the morph weights of mesh {mesh}"),
            CurveSource::Expression(place) => {
                let name = self.vrm.expressions.get(*place).map(|e| e.name.as_str());
                format!("the expression \"{}\"", name.unwrap_or_default())
            }
            CurveSource::LookAt(_) => "the gaze".to_owned(),
            CurveSource::Property(pointer) => format!("the animation of {pointer}"),
        }
    }

    /// Reads a sampler. Empty where it has no keys.
    pub(super) fn read(
        &self,
        source: &CurveSource,
        sampler: &Sampler,
        place: &SamplerPlace<'_>,
        samplers: &mut Samplers<'_, '_>,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<Curve>, Error> {
        let Some(keys) = samplers.keys(sampler, place, warnings)? else {
            return Ok(Vec::new());
        };
        let SamplerPlace {
            animation,
            sampler: index,
            ..
        } = *place;
        let output = format_args!("animations[{animation}].samplers[{index}].output");
        let accessor = samplers.output(sampler, 1, output)?;
        let width = samplers.accessors.describe(accessor, output)?.shape.width();
        // Weights and rotations have no other meaning as whole numbers.
        let normalized = !matches!(source, CurveSource::Property(_));
        let values = samplers.accessors.numbers(accessor, output, normalized)?;
        samplers.count(values.len(), animation)?;
        let sampled = Sampled {
            values: keys.values(values),
            keys,
            width,
            output,
        };
        Ok(match source {
            CurveSource::Weights { node, mesh, weight } => {
                return self.weight_curves(*node, *mesh, *weight, &sampled);
            }
            CurveSource::Expression(place) => vec![self.expression_curve(*place, &sampled)?],
            CurveSource::LookAt(offset) => {
                let target = CurveTarget::LookAt {
                    offset_from_head: *offset,
                };
                vec![sampled.into_curve(target, 4)?]
            }
            CurveSource::Property(pointer) => {
                let path = self.pointers.named(pointer);
                let components = sampled.values.len() / sampled.elements().max(1);
                vec![sampled.into_curve(CurveTarget::Property { path }, components)?]
            }
        })
    }

    /// A curve for each morph target of a mesh, or for the one that `weight` says.
    fn weight_curves(
        &self,
        node: Option<usize>,
        mesh: usize,
        weight: Option<usize>,
        sampled: &Sampled<'_>,
    ) -> Result<Vec<Curve>, Error> {
        let Some(morphs) = self.morphs(mesh) else {
            return Err(sampled.malformed(format!("mesh {mesh} does not exist")));
        };
        let all: Vec<usize> = match weight {
            Some(weight) => vec![weight],
            None => (0..morphs.targets.len()).collect(),
        };
        let (elements, count) = (sampled.elements(), all.len());
        if sampled.values.len() != elements * count {
            return Err(sampled.malformed(format!(
                "{} weights do not fit {elements} times {count} morph targets",
                sampled.values.len()
            )));
        }
        let node = node.or_else(|| self.node_of(mesh));
        let node_name = node.and_then(|node| self.hierarchy.nodes.get(node)?.name.as_deref());
        let shown = shown_name(&morphs.name, node_name, node.unwrap_or(mesh));
        let curve = |(place, &target): (usize, &usize)| {
            let Some(name) = morphs.targets.get(target) else {
                return Err(sampled.malformed(format!("morph target {target} does not exist")));
            };
            let target = CurveTarget::Morph {
                mesh: shown.clone(),
                name: name.clone(),
            };
            let own = sampled.values.iter().skip(place).step_by(count).copied();
            sampled.curve(target, 1, own.collect())
        };
        all.iter().enumerate().map(curve).collect()
    }

    fn expression_curve(&self, place: usize, sampled: &Sampled<'_>) -> Result<Curve, Error> {
        let expressions = &self.vrm.expressions;
        let Some(expression) = expressions.get(place).filter(|_| sampled.width == 3) else {
            return Err(sampled.malformed("an expression is a translation"));
        };
        let target = CurveTarget::Expression {
            name: expression.name.clone(),
            preset: expression.is_preset,
        };
        let weights = sampled.values.iter().step_by(3).copied().collect();
        sampled.curve(target, 1, weights)
    }
}

/// Keys and values of a sampler.
struct Sampled<'p> {
    keys: Keys,
    values: Vec<f32>,
    /// Numbers of an element in the file.
    width: usize,
    /// Where the values are in the file.
    output: Arguments<'p>,
}

impl Sampled<'_> {
    /// How many elements the keys need.
    fn elements(&self) -> usize {
        self.keys.times.len() * self.keys.interpolation.values_per_key()
    }

    /// A curve with the keys of the sampler.
    fn curve(
        &self,
        target: CurveTarget,
        components: usize,
        values: Vec<f32>,
    ) -> Result<Curve, Error> {
        let times = Arc::clone(&self.keys.times);
        Curve::new(target, self.keys.interpolation, components, times, values)
            .map_err(|error| self.malformed(error.to_string()))
    }

    /// A curve with all values of the sampler.
    fn into_curve(mut self, target: CurveTarget, components: usize) -> Result<Curve, Error> {
        let values = std::mem::take(&mut self.values);
        self.curve(target, components, values)
    }

    fn malformed(&self, what: impl Into<String>) -> Error {
        Error::malformed(what, self.output.to_string(), EXPORT_AGAIN)
    }
}
