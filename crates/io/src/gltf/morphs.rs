//! Names and default weights of morph targets, which meshes keep in several ways.

use super::json::{element, index};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use std::collections::BTreeSet;

/// The morph targets of a mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MorphMesh {
    /// The mesh's own name; may be empty.
    pub name: String,
    /// One name a target; `morph_N` where the file gives none, or gives it twice.
    pub targets: Vec<String>,
    /// Weights where nothing moves them, as many as targets.
    pub weights: Vec<f32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Mesh {
    name: Option<String>,
    primitives: Vec<Primitive>,
    weights: Vec<f32>,
    extras: Option<Box<RawValue>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Primitive {
    targets: Vec<IgnoredAny>,
    extras: Option<Box<RawValue>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Extras {
    target_names: Vec<String>,
}

/// Which nodes show a mesh, and with which weights of their own.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Node {
    #[serde(deserialize_with = "index")]
    mesh: Option<usize>,
    name: Option<String>,
    weights: Vec<f32>,
}

/// Reads a mesh's text; a broken one has no morph targets.
pub(super) fn morph_mesh(text: &str) -> MorphMesh {
    if !text.contains("\"targets\"") {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Named {
            name: Option<String>,
        }
        let named: Named = element(text).unwrap_or_default();
        return MorphMesh {
            name: named.name.unwrap_or_default(),
            ..MorphMesh::default()
        };
    }
    let mesh: Mesh = element(text).unwrap_or_default();
    let lists = mesh.primitives.iter().map(|primitive| &primitive.targets);
    let count = lists.map(Vec::len).max().unwrap_or(0);
    let extras = mesh.primitives.iter().map(|primitive| &primitive.extras);
    let names = std::iter::once(&mesh.extras)
        .chain(extras)
        .filter_map(|extras| names(extras.as_deref()?))
        .find(|names| !names.is_empty())
        .unwrap_or_default();
    let mut taken = BTreeSet::new();
    let mut targets: Vec<String> = Vec::with_capacity(count);
    for target in 0..count {
        let name = names.get(target).filter(|name| !name.is_empty());
        targets.push(match name.filter(|&name| taken.insert(name)) {
            Some(name) => name.clone(),
            None => format!("morph_{target}"),
        });
    }
    let mut weights = mesh.weights;
    weights.resize(count, 0.0);
    MorphMesh {
        name: mesh.name.unwrap_or_default(),
        targets,
        weights,
    }
}

fn names(extras: &RawValue) -> Option<Vec<String>> {
    let extras: Extras = element(extras.get()).ok()?;
    Some(extras.target_names)
}

/// A node that shows a mesh with morph targets.
pub(super) struct MorphNode {
    pub node: usize,
    pub mesh: usize,
    /// Name of the mesh, or of the node where the mesh has none.
    pub name: String,
    /// Weights where nothing moves them.
    pub weights: Vec<f32>,
}

/// The nodes that show meshes with morph targets.
pub(super) fn morph_nodes(nodes: &[&str], meshes: &[MorphMesh]) -> Vec<MorphNode> {
    let mut found = Vec::new();
    for (node, text) in nodes.iter().enumerate() {
        if !text.contains("\"mesh\"") {
            continue;
        }
        let description: Node = element(text).unwrap_or_default();
        let mesh = description.mesh;
        let Some((mesh, morphs)) = mesh.and_then(|mesh| Some((mesh, meshes.get(mesh)?))) else {
            continue;
        };
        if morphs.targets.is_empty() {
            continue;
        }
        let mut weights = description.weights;
        if weights.len() != morphs.targets.len() {
            weights.clone_from(&morphs.weights);
        }
        found.push(MorphNode {
            node,
            mesh,
            name: shown_name(&morphs.name, description.name.as_deref(), node),
            weights,
        });
    }
    found
}

/// What a mesh goes by: its own name, else its node's.
pub(super) fn shown_name(mesh: &str, node_name: Option<&str>, node: usize) -> String {
    match (mesh, node_name) {
        ("", Some(name)) if !name.is_empty() => name.to_owned(),
        ("", _) => format!("node_{node}"),
        (mesh, _) => mesh.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_mesh_or_primitives() {
        let names = |text: &str| morph_mesh(text).targets;
        let of_mesh = r#"{"primitives":[{"targets":[{},{},{}],"extras":{"targetNames":["x"]}}],"extras":{"targetNames":["a","a"]}}"#;
        assert_eq!(names(of_mesh), ["a", "morph_1", "morph_2"]);
        let of_primitive =
            r#"{"extras":"text","primitives":[{"targets":[{}],"extras":{"targetNames":["b"]}}]}"#;
        assert_eq!(names(of_primitive), ["b"]);
        assert_eq!(names(r#"{"primitives":[{"targets":"no"}]}"#), [""; 0]);
        let plain = morph_mesh(r#"{"name":"n","primitives":[{}]}"#);
        assert_eq!((plain.name.as_str(), plain.targets.len()), ("n", 0));
    }
}
