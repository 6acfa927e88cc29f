//! Triangles, for pictures and bind poses; and the hull of a skin.

use super::materials::Materials;
use super::nodes::{Places, name};
use super::skins::{SkinPlace, affine};
use crate::{Error, Limits, Resources};
use rebone_model::check::usable_mesh;
use rebone_model::skin_hull::{hull_of, tell_unbound};
use rebone_model::{Affine3A, Character, Mesh, Vec2, Vec3, Warning};
use std::collections::BTreeMap;
use ufbx::{MeshPart, Node, Scene, SkinDeformer};

/// What a vertex may cost in memory: all attributes together, and finding its equals.
const BYTES_A_VERTEX: usize = 192;
/// Memory for all meshes together, bytes.
const MOST_MEMORY: usize = 512 << 20;

/// Which vertex, normal, texture coordinate and colour a corner has.
type Corner = [u32; 4];

/// What carries a mesh.
enum Carrier<'a> {
    Skin {
        place: &'a SkinPlace,
        deformer: &'a SkinDeformer,
    },
    Joint {
        joint: usize,
        joint_from_mesh: Affine3A,
    },
}

/// Reads the meshes of all characters, one for each material of each instance.
pub(super) fn read_meshes(
    scene: &Scene,
    places: &Places,
    skins: &[Option<SkinPlace>],
    characters: &mut [Character],
    resources: Resources<'_>,
    limits: &Limits,
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    let mut materials = Materials::new(resources);
    let mut bytes_taken = 0usize;
    for node in &scene.nodes {
        let Some(mesh) = node.mesh.as_ref().map(AsRef::as_ref) else {
            continue;
        };
        let Some((owner, carrier)) = carrier(node, mesh, places, skins) else {
            continue;
        };
        let Some(character) = characters.get_mut(owner) else {
            continue;
        };
        if mesh.blend_deformers.count > 0 {
            character.left_out.insert("morph targets");
        }
        for part in &mesh.material_parts {
            let corners = part.num_triangles.saturating_mul(3);
            bytes_taken = bytes_taken.saturating_add(corners.saturating_mul(BYTES_A_VERTEX));
            if bytes_taken > MOST_MEMORY.min(limits.buffer_bytes) {
                return Err(Error::limit(
                    "the meshes are larger than the limit",
                    super::skins::place_of(node),
                    "read without meshes, or split the file",
                ));
            }
            let Some(mut read) = triangles(mesh, part, &carrier) else {
                continue;
            };
            read.name = name(node);
            let list = if node.materials.count > 0 {
                &node.materials
            } else {
                &mesh.materials
            };
            if let Some(material) = list.as_ref().get(part.index as usize) {
                let (place, to_texture) = materials.place(material, owner, character, warnings);
                read.material = Some(place);
                if let Some(to_texture) = to_texture {
                    for uv in &mut read.uvs {
                        *uv = to_texture.apply(*uv);
                    }
                }
            }
            // (0, 0) is the lower left corner in FBX.
            for uv in &mut read.uvs {
                uv.y = 1.0 - uv.y;
            }
            character.meshes.push(read);
        }
    }
    Ok(())
}

/// Finds the hulls of all characters, from vertices alone.
pub(super) fn find_hulls(
    scene: &Scene,
    places: &Places,
    skins: &[Option<SkinPlace>],
    characters: &mut [Character],
) {
    let kept: Vec<Vec<Mesh>> = characters
        .iter_mut()
        .map(|character| std::mem::take(&mut character.meshes))
        .collect();
    for node in &scene.nodes {
        let Some(mesh) = node.mesh.as_ref().map(AsRef::as_ref) else {
            continue;
        };
        let found = carrier(node, mesh, places, skins);
        let found = found.and_then(|(owner, carrier)| Some((owner, vertices(mesh, &carrier)?)));
        if let Some((owner, read)) = found
            && let Some(character) = characters.get_mut(owner)
        {
            character.meshes.push(read);
        }
    }
    for (character, kept) in characters.iter_mut().zip(kept) {
        character.hull = hull_of(character);
        character.meshes = kept;
    }
    let mut nodes = (&scene.nodes).into_iter();
    tell_unbound(characters, nodes.any(|node| node.mesh.is_some()));
}

/// Positions, joints and weights of a mesh. `None` where a number is broken.
fn vertices(mesh: &ufbx::Mesh, carrier: &Carrier<'_>) -> Option<Mesh> {
    let mut read = Mesh {
        positions: mesh.vertices.iter().map(single).collect(),
        ..Mesh::default()
    };
    if let Carrier::Skin { place, deformer } = carrier {
        let all = 0..read.positions.len();
        let all = all.map(|vertex| weights(deformer, place, vertex));
        (read.joint_slots, read.joint_weights) = all.unzip();
    }
    carrier.carry(&mut read);
    usable_mesh(read)
}

impl Carrier<'_> {
    /// Puts a mesh below what carries it.
    fn carry(&self, read: &mut Mesh) {
        match self {
            Self::Skin { place, .. } => read.skin = Some(place.skin),
            Self::Joint {
                joint,
                joint_from_mesh,
            } => {
                read.joint = Some(*joint);
                carry(*joint_from_mesh, read);
            }
        }
    }
}

fn carrier<'a>(
    node: &'a Node,
    mesh: &'a ufbx::Mesh,
    places: &Places,
    skins: &'a [Option<SkinPlace>],
) -> Option<(usize, Carrier<'a>)> {
    let skinned = (&mesh.skin_deformers).into_iter().find_map(|deformer| {
        let place = skins.get(deformer.element.typed_id as usize)?.as_ref()?;
        Some((place.character, Carrier::Skin { place, deformer }))
    });
    if skinned.is_some() {
        return skinned;
    }
    let ((character, joint), carrier) = places.carrier(node)?;
    let mut joint_from_mesh = affine(&node.geometry_to_node);
    let mut at = node;
    while at.element.typed_id != carrier.element.typed_id {
        joint_from_mesh = affine(&at.node_to_parent) * joint_from_mesh;
        at = at.parent.as_ref()?.as_ref();
    }
    Some((
        character,
        Carrier::Joint {
            joint,
            joint_from_mesh,
        },
    ))
}

/// The triangles of one material. `None` where there are none or a number is broken.
fn triangles(mesh: &ufbx::Mesh, part: &MeshPart, carrier: &Carrier<'_>) -> Option<Mesh> {
    if part.num_triangles == 0 {
        return None;
    }
    let mut corners = vec![0u32; mesh.max_face_triangles.checked_mul(3)?];
    let mut known: BTreeMap<Corner, u32> = BTreeMap::new();
    let mut read = Mesh::default();
    let attributes = Attributes::new(mesh);
    for &face in &part.face_indices {
        let face = *mesh.faces.as_ref().get(face as usize)?;
        let count = ufbx::triangulate_face(&mut corners, mesh, face) as usize;
        for &index in corners.get(..3 * count)? {
            let corner = attributes.corner(index as usize)?;
            let next = u32::try_from(read.positions.len()).ok()?;
            let vertex = *known.entry(corner).or_insert(next);
            if vertex == next {
                attributes.push(corner, &mut read)?;
                if let Carrier::Skin { place, deformer } = carrier {
                    let (slots, weights) = weights(deformer, place, corner[0] as usize);
                    read.joint_slots.push(slots);
                    read.joint_weights.push(weights);
                }
            }
            read.indices.push(vertex);
        }
    }
    carrier.carry(&mut read);
    usable_mesh(read)
}

/// The attributes of a mesh that we keep.
struct Attributes<'a> {
    mesh: &'a ufbx::Mesh,
}

impl<'a> Attributes<'a> {
    fn new(mesh: &'a ufbx::Mesh) -> Self {
        Self { mesh }
    }

    fn corner(&self, index: usize) -> Option<Corner> {
        let of = |exists: bool, indices: &[u32]| {
            if exists {
                indices.get(index).copied()
            } else {
                Some(0)
            }
        };
        let mesh = self.mesh;
        Some([
            *mesh.vertex_indices.as_ref().get(index)?,
            of(
                mesh.vertex_normal.exists,
                mesh.vertex_normal.indices.as_ref(),
            )?,
            of(mesh.vertex_uv.exists, mesh.vertex_uv.indices.as_ref())?,
            of(mesh.vertex_color.exists, mesh.vertex_color.indices.as_ref())?,
        ])
    }

    fn push(&self, [vertex, normal, uv, color]: Corner, read: &mut Mesh) -> Option<()> {
        let mesh = self.mesh;
        let position = mesh.vertices.as_ref().get(vertex as usize)?;
        read.positions.push(single(position));
        if mesh.vertex_normal.exists {
            let normal = mesh.vertex_normal.values.as_ref().get(normal as usize)?;
            read.normals.push(single(normal).normalize_or_zero());
        }
        if mesh.vertex_uv.exists {
            let uv = mesh.vertex_uv.values.as_ref().get(uv as usize)?;
            read.uvs.push(Vec2::new(uv.x as f32, uv.y as f32));
        }
        if mesh.vertex_color.exists {
            let color = mesh.vertex_color.values.as_ref().get(color as usize)?;
            let color = [color.x, color.y, color.z, color.w];
            read.colors.push(color.map(|part| part as f32));
        }
        Some(())
    }
}

fn single(vector: &ufbx::Vec3) -> Vec3 {
    Vec3::new(vector.x as f32, vector.y as f32, vector.z as f32)
}

/// The four strongest joints of a vertex; ufbx sorts them so.
fn weights(deformer: &SkinDeformer, place: &SkinPlace, vertex: usize) -> ([u16; 4], [f32; 4]) {
    let (mut slots, mut weights) = ([0u16; 4], [0.0f32; 4]);
    let found = deformer.vertices.as_ref().get(vertex);
    let found = found.map_or(0..0, |vertex| {
        let begin = vertex.weight_begin as usize;
        begin..begin + vertex.num_weights as usize
    });
    let found = deformer.weights.as_ref().get(found).unwrap_or(&[]);
    let mut count = 0;
    for weight in found {
        let slot = place.slots.get(weight.cluster_index as usize);
        let value = weight.weight as f32;
        let (Some(&Some(slot)), true) = (slot, value > 0.0 && value.is_finite()) else {
            continue;
        };
        slots[count] = slot;
        weights[count] = value;
        count += 1;
        if count == 4 {
            break;
        }
    }
    // In double precision, as sums of large weights overflow.
    let sum: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
    if count == 0 {
        weights[0] = 1.0;
    } else if (sum - 1.0).abs() >= 1e-6 {
        weights = weights.map(|weight| (f64::from(weight) / sum) as f32);
    }
    (slots, weights)
}

/// Brings vertices into the carrying joint's space.
fn carry(joint_from_mesh: Affine3A, mesh: &mut Mesh) {
    if joint_from_mesh == Affine3A::IDENTITY {
        return;
    }
    for position in &mut mesh.positions {
        *position = joint_from_mesh.transform_point3(*position);
    }
    let linear = joint_from_mesh.matrix3;
    let determinant = linear.determinant();
    if determinant != 0.0 {
        let normal_from_mesh = linear.inverse().transpose();
        for normal in &mut mesh.normals {
            *normal = (normal_from_mesh * *normal).normalize_or_zero();
        }
    }
    if determinant < 0.0 {
        for triangle in mesh.indices.chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
}
