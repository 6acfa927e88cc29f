//! Skinned geometry: what pictures and bind poses need.

use glam::{Affine3A, Vec2, Vec3};

/// Joints that deform meshes, and where each was when the mesh was bound to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// The file's own name.
    pub name: String,
    /// Joint of the skeleton for each of the skin's slots.
    pub joints: Vec<usize>,
    /// Joint space from mesh space in the bind pose, one a slot.
    pub inverse_bind: Vec<Affine3A>,
}

/// Triangles with one material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The file's own name.
    pub name: String,
    /// Metres. In mesh space where there is a skin, else in the space of `joint`.
    pub positions: Vec<Vec3>,
    /// Unit normals, as many as positions, or none.
    pub normals: Vec<Vec3>,
    /// Texture coordinates, as many as positions, or none. (0, 0) is the upper left corner.
    pub uvs: Vec<Vec2>,
    /// Vertex colours (linear RGBA), as many as positions, or none.
    pub colors: Vec<[f32; 4]>,
    /// Slots of the skin that move each vertex; empty without a skin.
    pub joint_slots: Vec<[u16; 4]>,
    /// Their weights, summing to 1; empty without a skin.
    pub joint_weights: Vec<[f32; 4]>,
    /// Three indices a triangle.
    pub indices: Vec<u32>,
    /// Index into [`Character::materials`](crate::Character::materials).
    pub material: Option<usize>,
    /// Index into [`Character::skins`](crate::Character::skins).
    pub skin: Option<usize>,
    /// The joint that carries the mesh rigidly, where there is no skin.
    pub joint: Option<usize>,
}

/// A surface's base colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The file's own name.
    pub name: String,
    /// Linear RGBA.
    pub base_color: [f32; 4],
    /// Index into [`Character::images`](crate::Character::images).
    pub base_color_image: Option<usize>,
    /// Alpha below which nothing is drawn; `None` for surfaces without cut-out.
    pub alpha_cutoff: Option<f32>,
    /// Drawn from behind too.
    pub double_sided: bool,
}

/// An encoded image as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageData {
    /// PNG or JPEG bytes.
    pub bytes: Vec<u8>,
}
