//! Triangles, for pictures and bind poses; and the hull of a skin.

use super::accessor::Accessors;
use super::clips::JointOfNode;
use super::hierarchy::Hierarchy;
use super::materials::Materials;
use super::primitive::{Carrier, Primitive, PrimitiveReader, TRIANGLE_FAN, TRIANGLES};
use super::skins::SkinPlace;
use crate::Error;
use crate::gltf::DECOMPRESS;
use crate::gltf::json::{TopLevel, element};
use rebone_model::skin_hull::{hull_of, tell_unbound};
use rebone_model::{Affine3A, Character, Warning};
use serde::Deserialize;

/// What reading meshes needs to know of the rest of the file.
pub(super) struct MeshContext<'a, 'f> {
    pub top: &'a TopLevel<'f>,
    pub hierarchy: &'a Hierarchy<'a>,
    pub accessors: &'f Accessors<'f>,
    /// Where each skin has gone.
    pub skin_places: &'a [SkinPlace],
    pub joint_of_node: &'a JointOfNode,
    /// Positions, joints and weights alone, without materials.
    pub only_hull: bool,
}

impl MeshContext<'_, '_> {
    /// Where the skin of a node has gone.
    fn skin(&self, node: usize) -> SkinPlace {
        let place = self.hierarchy.nodes[node]
            .skin
            .and_then(|skin| self.skin_places.get(skin));
        place.copied().unwrap_or(SkinPlace::Nowhere)
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonMesh {
    name: String,
    primitives: Vec<Primitive>,
}

/// Reads the meshes of all characters. One that is broken or compressed becomes a warning.
pub(super) fn read_meshes(
    context: &MeshContext<'_, '_>,
    characters: &mut [Character],
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    let texts = context.top.elements("meshes")?;
    let mut materials = Materials::new(context.top, context.accessors)?;
    let owners = owners(context, characters);
    let mut bytes_taken = 0usize;
    for (node, description) in context.hierarchy.nodes.iter().enumerate() {
        let Some(mesh_index) = description.mesh else {
            continue;
        };
        if context.skin(node) == SkinPlace::Compressed {
            warnings.push(compressed(mesh_index));
            continue;
        }
        let Some((owner, carrier)) = find_carrier(context, &owners, node, characters) else {
            continue;
        };
        let mesh: Result<JsonMesh, String> = match texts.get(mesh_index) {
            Some(text) => element(text).map_err(|error| error.to_string()),
            None => Err("it does not exist".to_owned()),
        };
        let mesh = mesh.unwrap_or_else(|reason| {
            warnings.push(unreadable(mesh_index, &reason));
            JsonMesh::default()
        });
        for (place, primitive) in mesh.primitives.iter().enumerate() {
            if !(TRIANGLES..=TRIANGLE_FAN).contains(&primitive.mode) {
                continue;
            }
            let reader = PrimitiveReader {
                accessors: context.accessors,
                primitive,
                mesh: mesh_index,
                place,
                only_hull: context.only_hull,
            };
            if reader.is_draco() {
                warnings.push(compressed(mesh_index));
                continue;
            }
            let character = &mut characters[owner];
            if primitive.targets.is_some() && !context.only_hull {
                character.left_out.insert("morph targets");
            }
            let material = primitive.material.filter(|_| !context.only_hull);
            let material = material
                .and_then(|material| materials.place(material, (owner, character), warnings));
            match reader.read(carrier, material.map(|(_, space)| space), &mut bytes_taken) {
                Ok(mut read) => {
                    read.name.clone_from(&mesh.name);
                    read.material = material.map(|(material, _)| material);
                    character.meshes.push(read);
                }
                Err(Error::Unsupported(_)) => warnings.push(compressed(mesh_index)),
                Err(Error::Malformed(problem)) => {
                    warnings.push(unreadable(mesh_index, &problem.to_string()));
                }
                Err(other) => return Err(other),
            }
        }
    }
    Ok(())
}

/// Finds the hulls of all characters, which have no meshes yet; what cannot be read has none.
pub(super) fn find_hulls(context: &MeshContext<'_, '_>, characters: &mut [Character]) {
    // Who does not ask for meshes need not hear what is wrong with them.
    let _ = read_meshes(context, characters, &mut Vec::new());
    for character in characters.iter_mut() {
        character.hull = hull_of(character);
        character.meshes.clear();
    }
    let mut nodes = context.hierarchy.nodes.iter();
    tell_unbound(characters, nodes.any(|node| node.mesh.is_some()));
}

/// For each node the character and joint that stand for it, ancestors included.
fn owners(context: &MeshContext<'_, '_>, characters: &[Character]) -> Vec<Option<(usize, usize)>> {
    let mut owners = context.joint_of_node.to_vec();
    for (character, entry) in characters.iter().enumerate() {
        for (index, joint) in entry.skeleton.joints().iter().enumerate() {
            if let Some(owner) = owners.get_mut(joint.node as usize) {
                owner.get_or_insert((character, index));
            }
        }
    }
    owners
}

fn find_carrier(
    context: &MeshContext<'_, '_>,
    owners: &JointOfNode,
    node: usize,
    characters: &[Character],
) -> Option<(usize, Carrier)> {
    let hierarchy = context.hierarchy;
    if let SkinPlace::Character(character, place) = context.skin(node) {
        let slots = characters[character].skins[place].joints.len();
        return Some((character, Carrier::Skin { place, slots }));
    }
    let mut joint_from_mesh = Affine3A::IDENTITY;
    let mut at = node;
    loop {
        if let Some((character, joint)) = owners[at] {
            let carrier = Carrier::Joint {
                joint,
                joint_from_mesh,
            };
            return Some((character, carrier));
        }
        joint_from_mesh = hierarchy.local(at) * joint_from_mesh;
        at = hierarchy.parents[at]?;
    }
}

fn compressed(mesh: usize) -> Warning {
    Warning::new(
        "mesh-compressed",
        format!("mesh {mesh} is compressed and cannot be drawn"),
        DECOMPRESS,
    )
}

fn unreadable(mesh: usize, reason: &str) -> Warning {
    Warning::new(
        "mesh-unreadable",
        format!("mesh {mesh} cannot be read: {reason}"),
        "it is left out of pictures; export the file again",
    )
}
