//! The nodes of a new file: joints, and what hangs from them.

use super::meshes::{Binary, List, named, primitive};
use super::patch::{numbers, unit_components};
use crate::gltf::splice::quoted;
use rebone_model::{Character, Joint, Mesh, Quat, Vec3};
use std::fmt::Write;

/// True where the joints of a skin lie under several roots.
pub(super) fn needs_common_root(character: &Character) -> bool {
    let joints = character.skeleton.joints();
    let mut roots: Vec<usize> = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        roots.push(joint.parent.map_or(index, |parent| roots[parent]));
    }
    character.skins.iter().any(|skin| {
        let mut of_skin = skin.joints.iter().map(|&joint| roots[joint]);
        let first = of_skin.next();
        of_skin.any(|root| Some(root) != first)
    })
}

/// A node without its children, and those.
struct NodeText {
    text: String,
    children: Vec<String>,
}

/// Nodes, and which of them have no parent.
pub(super) struct Nodes {
    nodes: Vec<NodeText>,
    pub roots: Vec<String>,
}

impl Nodes {
    /// The joints; `first_node` is 1 where one node above all of them is added in front.
    pub(super) fn new(character: &Character, first_node: usize) -> Self {
        let mut this = Self {
            nodes: Vec::new(),
            roots: Vec::new(),
        };
        if first_node > 0 {
            this.add(format!(r#""name":{}"#, quoted(&character.name)), None);
        }
        for joint in character.skeleton.joints() {
            let container = (first_node > 0).then_some(0);
            let parent = joint.parent.map(|parent| parent + first_node);
            this.add(joint_text(joint), parent.or(container));
        }
        this
    }

    /// Adds a node by the text of its members; returns its index.
    pub(super) fn add(&mut self, text: String, parent: Option<usize>) -> usize {
        let index = self.nodes.len();
        match parent {
            Some(parent) => self.nodes[parent].children.push(index.to_string()),
            None => self.roots.push(index.to_string()),
        }
        self.nodes.push(NodeText {
            text,
            children: Vec::new(),
        });
        index
    }

    /// Adds a node for each run of meshes that share name and carrier; returns the meshes.
    pub(super) fn add_meshes(
        &mut self,
        character: &Character,
        first_node: usize,
        binary: &mut Binary,
    ) -> List {
        let mut meshes = List::default();
        let carrier = |mesh: &Mesh| (mesh.name.clone(), mesh.skin, mesh.joint);
        let drawn: Vec<&Mesh> = character
            .meshes
            .iter()
            .filter(|mesh| !mesh.positions.is_empty() && mesh.indices.len() >= 3)
            .collect();
        for run in drawn.chunk_by(|a, b| carrier(a) == carrier(b)) {
            let mut primitives = List::default();
            for mesh in run {
                primitives.push(&primitive(mesh, binary));
            }
            let (name, skin, joint) = carrier(run[0]);
            let text = format!(r#""primitives":[{}]{}"#, primitives.text, named(&name));
            let index = meshes.push(&format!("{{{text}}}"));
            let skin_text = skin.map_or_else(String::new, |skin| format!(r#","skin":{skin}"#));
            let parent = joint
                .filter(|_| skin.is_none())
                .map(|joint| joint + first_node);
            let text = format!(r#""mesh":{index}{}{skin_text}"#, named(&name));
            self.add(text, parent);
        }
        meshes
    }

    /// All nodes as JSON.
    pub(super) fn json(&self) -> String {
        let mut list = List::default();
        for node in &self.nodes {
            let children = if node.children.is_empty() {
                String::new()
            } else {
                format!(r#","children":[{}]"#, node.children.join(","))
            };
            list.push(&format!("{{{}{children}}}", node.text));
        }
        list.text
    }
}

fn joint_text(joint: &Joint) -> String {
    let mut text = format!(r#""name":{}"#, quoted(&joint.name));
    let rest = &joint.rest;
    // Writing into a String cannot fail.
    if rest.translation != Vec3::ZERO {
        let _ = write!(
            text,
            r#","translation":{}"#,
            numbers(&rest.translation.to_array())
        );
    }
    if rest.rotation != Quat::IDENTITY {
        let _ = write!(
            text,
            r#","rotation":{}"#,
            numbers(&unit_components(rest.rotation))
        );
    }
    if rest.scale != Vec3::ONE {
        let _ = write!(text, r#","scale":{}"#, numbers(&rest.scale.to_array()));
    }
    text
}
