//! What animations move besides joints: morph weights, VRM's expressions and gaze, other properties.

use super::animation_json::{Path, Sampler, Target};
use super::clips::JointOfNode;
use super::hierarchy::Hierarchy;
use super::samplers::{SamplerPlace, Samplers};
use super::skins::SkinPlace;
use crate::Error;
use crate::gltf::EXPORT_AGAIN;
use crate::gltf::json::TopLevel;
use crate::gltf::morphs::{MorphMesh, morph_mesh, shown_name};
use crate::gltf::pointers::Pointers;
use crate::gltf::vrm::VrmData;
use rebone_model::{Curve, CurveTarget, Warning};
use std::cell::OnceCell;
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
        (sampler, place): (&Sampler, &SamplerPlace<'_>),
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
        let values = keys.values(values);
        let malformed = |what: String| Error::malformed(what, output.to_string(), EXPORT_AGAIN);
        let elements = keys.times.len() * keys.interpolation.values_per_key();
        let curve = |target: CurveTarget, components: usize, values: Vec<f32>| {
            Curve::new(
                target,
                keys.interpolation,
                components,
                Arc::clone(&keys.times),
                values,
            )
            .map_err(|error| malformed(error.to_string()))
        };
        match source {
            CurveSource::Weights { node, mesh, weight } => {
                let Some(morphs) = self.morphs(*mesh) else {
                    return Err(malformed(format!("mesh {mesh} does not exist")));
                };
                let all: Vec<usize> = match weight {
                    Some(weight) => vec![*weight],
                    None => (0..morphs.targets.len()).collect(),
                };
                let count = all.len();
                if values.len() != elements * count {
                    return Err(malformed(format!(
                        "{} weights do not fit {elements} times {count} morph targets",
                        values.len()
                    )));
                }
                let node = node.or_else(|| self.node_of(*mesh));
                let node_name =
                    node.and_then(|node| self.hierarchy.nodes.get(node)?.name.as_deref());
                let shown = shown_name(&morphs.name, node_name, node.unwrap_or(*mesh));
                all.iter()
                    .enumerate()
                    .map(|(place, &target)| {
                        let name = morphs.targets.get(target);
                        let name = name.ok_or_else(|| {
                            malformed(format!("morph target {target} does not exist"))
                        })?;
                        let target = CurveTarget::Morph {
                            mesh: shown.clone(),
                            name: name.clone(),
                        };
                        let own = values.iter().skip(place).step_by(count).copied();
                        curve(target, 1, own.collect())
                    })
                    .collect()
            }
            CurveSource::Expression(place) => {
                let Some(expression) = self.vrm.expressions.get(*place).filter(|_| width == 3)
                else {
                    return Err(malformed("an expression is a translation".to_owned()));
                };
                let target = CurveTarget::Expression {
                    name: expression.name.clone(),
                    preset: expression.is_preset,
                };
                let weights = values.iter().step_by(3).copied().collect();
                Ok(vec![curve(target, 1, weights)?])
            }
            CurveSource::LookAt(offset) => {
                let target = CurveTarget::LookAt {
                    offset_from_head: *offset,
                };
                Ok(vec![curve(target, 4, values)?])
            }
            CurveSource::Property(pointer) => {
                let path = self.pointers.named(pointer);
                let components = values.len() / elements.max(1);
                Ok(vec![curve(
                    CurveTarget::Property { path },
                    components,
                    values,
                )?])
            }
        }
    }
}
