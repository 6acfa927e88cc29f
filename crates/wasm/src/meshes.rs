//! The look of a character as flat lists of numbers, ready to be drawn.
//!
//! Only what a drawer needs no rules for: triangles whose corners exist, a normal for every vertex, and weights that sum to 1. A vertex
//! without weight is moved by the first slot of its skin.

use crate::failure::Failure;
use crate::json;
use crate::rig::Rig;
use js_sys::{Array, Float32Array, Object, Reflect, Uint8Array, Uint16Array, Uint32Array};
use rebone::model::{Mat4, Mesh, Vec2, Vec3};
use rebone::view::smooth_normals;
use rebone::{Character, Warning};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A mesh as lists of numbers. Lists of what a mesh has not are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlatMesh {
    /// Three a vertex.
    pub positions: Vec<f32>,
    /// Three a vertex.
    pub normals: Vec<f32>,
    /// Two a vertex, (0, 0) is the upper left corner of the image.
    pub uvs: Vec<f32>,
    /// Four a vertex: linear RGBA.
    pub colors: Vec<f32>,
    /// Four a vertex: slots of the skin.
    pub joints: Vec<u16>,
    /// Four a vertex, which sum to 1.
    pub weights: Vec<f32>,
    /// Three a triangle.
    pub indices: Vec<u32>,
}

#[derive(Serialize)]
struct SkinJson<'a> {
    name: &'a str,
    nodes: &'a [usize],
}

#[derive(Serialize)]
struct MaterialJson<'a> {
    name: &'a str,
    base_color: [f32; 4],
    image: Option<usize>,
    alpha_cutoff: Option<f32>,
    double_sided: bool,
}

#[derive(Serialize)]
struct MeshJson<'a> {
    name: &'a str,
    material: Option<usize>,
    skin: Option<usize>,
    node: Option<usize>,
}

/// A mesh as lists of numbers; `slots` are those of its skin, none where it has no skin.
pub fn flat(mesh: &Mesh, slots: Option<usize>) -> FlatMesh {
    let count = mesh.positions.len();
    let triangles: Vec<[u32; 3]> = mesh
        .indices
        .chunks_exact(3)
        .map(|corners| [corners[0], corners[1], corners[2]])
        .filter(|corners| corners.iter().all(|&at| (at as usize) < count))
        .collect();
    let normals = if mesh.normals.len() == count {
        mesh.normals.iter().flat_map(Vec3::to_array).collect()
    } else {
        let smooth = smooth_normals(&mesh.positions, &triangles);
        smooth.iter().flat_map(Vec3::to_array).collect()
    };
    let has = |length: usize| length == count;
    let mut made = FlatMesh {
        positions: mesh.positions.iter().flat_map(Vec3::to_array).collect(),
        normals,
        indices: triangles.into_iter().flatten().collect(),
        ..FlatMesh::default()
    };
    if has(mesh.uvs.len()) {
        made.uvs = mesh.uvs.iter().flat_map(Vec2::to_array).collect();
    }
    if has(mesh.colors.len()) {
        made.colors = mesh.colors.iter().flatten().copied().collect();
    }
    if let Some(slots) = slots
        && has(mesh.joint_slots.len())
        && has(mesh.joint_weights.len())
    {
        for (own, weights) in mesh.joint_slots.iter().zip(&mesh.joint_weights) {
            let (own, weights) = sound(*own, *weights, slots);
            made.joints.extend(own);
            made.weights.extend(weights);
        }
    }
    made
}

/// Slots and weights of a vertex with those taken out that mean nothing.
fn sound(joints: [u16; 4], weights: [f32; 4], slots: usize) -> ([u16; 4], [f32; 4]) {
    let (mut own, mut shares) = ([0; 4], [0.0; 4]);
    for at in 0..4 {
        let is_sound = weights[at] > 0.0 && weights[at].is_finite();
        if is_sound && usize::from(joints[at]) < slots {
            (own[at], shares[at]) = (joints[at], weights[at]);
        }
    }
    let sum: f32 = shares.iter().sum();
    if sum > 0.0 {
        (own, shares.map(|share| share / sum))
    } else {
        ([0; 4], [1.0, 0.0, 0.0, 0.0])
    }
}

/// The type by which browsers know an image.
fn media_type(bytes: &[u8]) -> &'static str {
    if bytes.starts_with(b"\x89PNG") {
        "image/png"
    } else {
        "image/jpeg"
    }
}

#[wasm_bindgen]
impl Rig {
    /// Meshes, skins, materials and images, to be drawn. Of a file that was opened without meshes they are read now.
    #[wasm_bindgen(unchecked_return_type = "RigMeshes")]
    pub fn meshes(&self) -> Result<JsValue, JsValue> {
        let opened = self.opened.as_ref();
        let rig = &opened.rig;
        if rig.meshes_are_read || !rig.character.meshes.is_empty() {
            return Ok(shape(&rig.character, &rig.warnings)?);
        }
        let (character, warnings) = opened
            .file
            .read_with_meshes(&rig.character)
            .map_err(Failure::from)?;
        Ok(shape(
            character.as_ref().unwrap_or(&rig.character),
            &warnings,
        )?)
    }
}

fn put(object: &JsValue, key: &str, value: &JsValue) {
    // A fresh object takes any property.
    let _ = Reflect::set(object, &key.into(), value);
}

fn floats(numbers: &[f32]) -> JsValue {
    match numbers {
        [] => JsValue::NULL,
        numbers => Float32Array::from(numbers).into(),
    }
}

/// Codes of doubts about looks.
const OF_LOOKS: [&str; 4] = [
    "image-missing",
    "material-unreadable",
    "mesh-compressed",
    "mesh-unreadable",
];

fn shape(character: &Character, warnings: &[Warning]) -> Result<JsValue, Failure> {
    let (meshes, skins) = (meshes(character)?, skins(character)?);
    let all = Object::new().into();
    put(&all, "meshes", &meshes);
    put(&all, "skins", &skins);
    put(&all, "materials", &json::value(&materials(character))?);
    put(&all, "images", &images(character));
    let left_out: Vec<&str> = character.left_out.iter().copied().collect();
    put(&all, "left_out", &json::value(&left_out)?);
    let own = warnings.iter().filter(|own| OF_LOOKS.contains(&own.code));
    let own: Vec<Warning> = own.cloned().collect();
    put(
        &all,
        "warnings",
        &json::value(&rebone::json::warnings(&own))?,
    );
    Ok(all)
}

/// The meshes with at least one triangle.
fn meshes(character: &Character) -> Result<Array, Failure> {
    let meshes = Array::new();
    for mesh in &character.meshes {
        let skin = mesh.skin.filter(|&skin| skin < character.skins.len());
        let slots = skin.map(|skin| character.skins[skin].joints.len());
        let lists = flat(mesh, slots.filter(|&slots| slots > 0));
        if lists.indices.is_empty() {
            continue;
        }
        let made = json::value(&MeshJson {
            name: &mesh.name,
            material: mesh.material.filter(|&m| m < character.materials.len()),
            skin: skin.filter(|_| !lists.weights.is_empty()),
            node: mesh.joint,
        })?;
        put_lists(&made, &lists);
        meshes.push(&made);
    }
    Ok(meshes)
}

fn put_lists(object: &JsValue, lists: &FlatMesh) {
    put(object, "positions", &floats(&lists.positions));
    put(object, "normals", &floats(&lists.normals));
    put(object, "uvs", &floats(&lists.uvs));
    put(object, "colors", &floats(&lists.colors));
    let joints = match lists.joints.as_slice() {
        [] => JsValue::NULL,
        joints => Uint16Array::from(joints).into(),
    };
    put(object, "joints", &joints);
    put(object, "weights", &floats(&lists.weights));
    let indices = Uint32Array::from(lists.indices.as_slice());
    put(object, "indices", &indices.into());
}

fn skins(character: &Character) -> Result<Array, Failure> {
    let skins = Array::new();
    for skin in &character.skins {
        let made = json::value(&SkinJson {
            name: &skin.name,
            nodes: &skin.joints,
        })?;
        let binds = skin.inverse_bind.iter();
        let matrices: Vec<f32> = binds
            .flat_map(|bind| Mat4::from(*bind).to_cols_array())
            .collect();
        let matrices = Float32Array::from(matrices.as_slice());
        put(&made, "inverse_binds", &matrices.into());
        skins.push(&made);
    }
    Ok(skins)
}

fn materials(character: &Character) -> Vec<MaterialJson<'_>> {
    let materials = character.materials.iter().map(|material| MaterialJson {
        name: &material.name,
        base_color: material.base_color,
        image: material
            .base_color_image
            .filter(|&image| image < character.images.len()),
        alpha_cutoff: material.alpha_cutoff,
        double_sided: material.double_sided,
    });
    materials.collect()
}

fn images(character: &Character) -> Array {
    let images = Array::new();
    for image in &character.images {
        let made = Object::new().into();
        put(&made, "type", &media_type(&image.bytes).into());
        let bytes = Uint8Array::from(image.bytes.as_slice());
        put(&made, "bytes", &bytes.into());
        images.push(&made);
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Mesh {
        Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            indices: vec![0, 1, 2, 0, 1, 9],
            joint_slots: vec![[0, 1, 9, 0], [7, 7, 7, 7], [1, 0, 0, 0]],
            joint_weights: vec![[0.5, 0.5, 4.0, f32::NAN], [1.0; 4], [0.0; 4]],
            ..Mesh::default()
        }
    }

    #[test]
    fn what_a_drawer_gets_is_sound() {
        let own = flat(&triangle(), Some(2));
        assert_eq!(own.indices, [0, 1, 2]);
        assert_eq!(own.normals, [0.0, 0.0, 1.0].repeat(3));
        assert_eq!(own.joints, [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(own.weights[..4], [0.5, 0.5, 0.0, 0.0]);
        assert_eq!(own.weights[4..8], [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(own.weights[8..], [1.0, 0.0, 0.0, 0.0]);
        assert!(own.uvs.is_empty() && own.colors.is_empty());
    }

    #[test]
    fn without_a_skin_nothing_has_weights() {
        let own = flat(&triangle(), None);
        assert!(own.joints.is_empty() && own.weights.is_empty());
        assert_eq!(own.positions.len(), 9);
    }
}
