//! One primitive of a mesh: attributes, indices and weights.

use super::accessor::Accessors;
use super::materials::TextureSpace;
use crate::Error;
use crate::gltf::EXPORT_AGAIN;
use crate::gltf::json::{index, named_wholes, whole};
use indexmap::IndexMap;
use rebone_model::check::usable_mesh;
use rebone_model::{Affine3A, Mesh, Vec2, Vec3};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// What a vertex may cost in memory, for the limit: all attributes together.
const BYTES_A_VERTEX: usize = 128;
/// Sets of joints and weights that are looked at.
const MOST_WEIGHT_SETS: usize = 4;

/// Mode: separate triangles.
pub(super) const TRIANGLES: usize = 4;
const TRIANGLE_STRIP: usize = 5;
/// Mode: a fan, the last of the three triangle modes.
pub(super) const TRIANGLE_FAN: usize = 6;

/// A primitive as the file describes it.
#[derive(Deserialize)]
#[serde(default)]
pub(super) struct Primitive {
    #[serde(deserialize_with = "named_wholes")]
    pub attributes: IndexMap<String, usize>,
    #[serde(deserialize_with = "index")]
    pub indices: Option<usize>,
    #[serde(deserialize_with = "index")]
    pub material: Option<usize>,
    #[serde(deserialize_with = "whole")]
    pub mode: usize,
    pub targets: Option<IgnoredAny>,
    extensions: PrimitiveExtensions,
}

impl Default for Primitive {
    fn default() -> Self {
        Self {
            attributes: IndexMap::new(),
            indices: None,
            material: None,
            mode: TRIANGLES,
            targets: None,
            extensions: PrimitiveExtensions::default(),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    draco: Option<IgnoredAny>,
}

/// What carries a mesh.
#[derive(Clone, Copy)]
pub(super) enum Carrier {
    Skin {
        place: usize,
        slots: usize,
    },
    Joint {
        joint: usize,
        joint_from_mesh: Affine3A,
    },
}

/// Reads one primitive.
pub(super) struct PrimitiveReader<'p, 'a> {
    pub accessors: &'p Accessors<'a>,
    pub primitive: &'p Primitive,
    pub mesh: usize,
    pub place: usize,
    /// Positions, joints and weights alone.
    pub only_hull: bool,
}

impl PrimitiveReader<'_, '_> {
    /// True where the vertices are only there in Draco's form.
    pub(super) fn is_draco(&self) -> bool {
        let position = self.primitive.attributes.get("POSITION");
        let position = position.and_then(|&accessor| self.accessors.accessors.get(accessor));
        self.primitive.extensions.draco.is_some()
            && position.is_none_or(|accessor| accessor.buffer_view.is_none())
    }

    /// Reads all attributes that are wanted; `bytes_taken` counts memory against the limit.
    pub(super) fn read(
        &self,
        carrier: Carrier,
        texture_space: Option<TextureSpace>,
        bytes_taken: &mut usize,
    ) -> Result<Mesh, Error> {
        let Some(&position) = self.primitive.attributes.get("POSITION") else {
            return Err(self.malformed("the primitive has no positions"));
        };
        self.reserve(position, BYTES_A_VERTEX, bytes_taken)?;
        let mut positions: Vec<Vec3> = self.attribute("POSITION", Vec3::from_array)?;
        let count = positions.len();
        let mut mesh = Mesh::default();
        if !self.only_hull {
            mesh = self.surface(count, texture_space, bytes_taken)?;
        }
        match carrier {
            Carrier::Skin { place, slots } => {
                mesh.skin = Some(place);
                (mesh.joint_slots, mesh.joint_weights) = self.weights(count, slots)?;
            }
            Carrier::Joint {
                joint,
                joint_from_mesh,
            } => {
                mesh.joint = Some(joint);
                if joint_from_mesh != Affine3A::IDENTITY {
                    carry(
                        joint_from_mesh,
                        &mut positions,
                        &mut mesh.normals,
                        &mut mesh.indices,
                    );
                }
            }
        }
        let mesh = usable_mesh(Mesh { positions, ..mesh });
        mesh.ok_or_else(|| self.malformed("a position is not finite or beyond 1e18"))
    }

    /// Triangles and what is on them, of so many vertices.
    fn surface(
        &self,
        count: usize,
        texture_space: Option<TextureSpace>,
        bytes_taken: &mut usize,
    ) -> Result<Mesh, Error> {
        let normals: Vec<Vec3> = self.attribute("NORMAL", Vec3::from_array)?;
        let set = texture_space.map_or(0, |space| space.set);
        let mut uvs: Vec<Vec2> = self.attribute(&format!("TEXCOORD_{set}"), Vec2::from_array)?;
        if let Some(space) = texture_space.filter(|space| !space.is_identity()) {
            uvs.iter_mut().for_each(|uv| *uv = space.apply(*uv));
        }
        let colors = self.colors()?;
        for length in [normals.len(), uvs.len(), colors.len()] {
            if length != 0 && length != count {
                return Err(self.malformed("the attributes differ in their number of vertices"));
            }
        }
        Ok(Mesh {
            normals,
            uvs,
            colors,
            indices: self.indices(count, bytes_taken)?,
            ..Mesh::default()
        })
    }

    /// Reads an attribute; nothing where there is none.
    fn attribute<T: Copy, const N: usize>(
        &self,
        name: &str,
        make: impl Fn([f32; N]) -> T + Copy,
    ) -> Result<Vec<T>, Error> {
        let Some(&accessor) = self.primitive.attributes.get(name) else {
            return Ok(Vec::new());
        };
        let (mesh, place) = (self.mesh, self.place);
        let place = format_args!("meshes[{mesh}].primitives[{place}].attributes.{name}");
        self.accessors.floats(accessor, place, false, make)
    }

    fn colors(&self) -> Result<Vec<[f32; 4]>, Error> {
        let accessor = self.primitive.attributes.get("COLOR_0");
        let accessor = accessor.and_then(|&accessor| self.accessors.accessors.get(accessor));
        match accessor.map(|accessor| accessor.shape.width()) {
            Some(3) => self.attribute("COLOR_0", |[r, g, b]: [f32; 3]| [r, g, b, 1.0]),
            _ => self.attribute("COLOR_0", |color: [f32; 4]| color),
        }
    }

    fn indices(&self, vertices: usize, bytes_taken: &mut usize) -> Result<Vec<u32>, Error> {
        let listed = match self.primitive.indices {
            Some(accessor) => {
                self.reserve(accessor, 3 * size_of::<u32>(), bytes_taken)?;
                let (mesh, place) = (self.mesh, self.place);
                let place = format_args!("meshes[{mesh}].primitives[{place}].indices");
                self.accessors
                    .integers::<1>(accessor, place)?
                    .into_flattened()
            }
            None => (0..u32::try_from(vertices).unwrap_or(u32::MAX)).collect(),
        };
        if listed.iter().any(|&index| index as usize >= vertices) {
            return Err(self.malformed("an index reaches beyond the vertices"));
        }
        let mut indices = match self.primitive.mode {
            TRIANGLE_STRIP => strip(&listed),
            TRIANGLE_FAN => listed
                .windows(2)
                .skip(1)
                .flat_map(|pair| [pair[0], pair[1], listed[0]])
                .collect(),
            _ => listed,
        };
        indices.truncate(indices.len() / 3 * 3);
        Ok(indices)
    }

    /// The four strongest joints of each vertex.
    #[allow(clippy::type_complexity)]
    fn weights(&self, count: usize, slots: usize) -> Result<(Vec<[u16; 4]>, Vec<[f32; 4]>), Error> {
        let mut sets = Vec::new();
        for set in 0..MOST_WEIGHT_SETS {
            let Some(&joints) = self.primitive.attributes.get(&format!("JOINTS_{set}")) else {
                break;
            };
            let (mesh, place) = (self.mesh, self.place);
            let place = format_args!("meshes[{mesh}].primitives[{place}].attributes.JOINTS_{set}");
            let joints = self.accessors.integers::<4>(joints, place)?;
            let weights: Vec<[f32; 4]> = self.attribute(&format!("WEIGHTS_{set}"), |w| w)?;
            if joints.len() != count || weights.len() != count {
                return Err(self.malformed("joints and weights differ in their number of vertices"));
            }
            sets.push((joints, weights));
        }
        let strongest = |vertex: usize| {
            let mut influences: Vec<(u16, f32)> = Vec::with_capacity(8);
            for (joints, weights) in &sets {
                let pairs = joints[vertex].iter().zip(weights[vertex]);
                influences.extend(pairs.filter_map(|(&slot, weight)| {
                    let usable = weight > 0.0 && weight.is_finite() && (slot as usize) < slots;
                    Some((u16::try_from(slot).ok()?, weight)).filter(|_| usable)
                }));
            }
            if influences.len() > 4 {
                // Stable, so that equal weights keep the file's order.
                influences.sort_by(|a, b| b.1.total_cmp(&a.1));
                influences.truncate(4);
            }
            // In double precision, as sums of large weights overflow and inverses of small ones do.
            let sum: f64 = influences
                .iter()
                .map(|(_, weight)| f64::from(*weight))
                .sum();
            let scale = if (sum - 1.0).abs() < 1e-6 {
                1.0
            } else {
                1.0 / sum
            };
            let (mut joints, mut weights) = ([0u16; 4], [0.0f32; 4]);
            for (place, (slot, weight)) in influences.iter().enumerate() {
                joints[place] = *slot;
                weights[place] = (f64::from(*weight) * scale) as f32;
            }
            if influences.is_empty() {
                weights[0] = 1.0;
            }
            (joints, weights)
        };
        Ok((0..count).map(strongest).unzip())
    }

    fn reserve(&self, accessor: usize, bytes: usize, taken: &mut usize) -> Result<(), Error> {
        let (mesh, place) = (self.mesh, self.place);
        let place = format_args!("meshes[{mesh}].primitives[{place}]");
        let count = self.accessors.describe(accessor, place)?.count;
        *taken = taken.saturating_add(count.saturating_mul(bytes));
        if *taken > self.accessors.limits.buffer_bytes {
            return Err(Error::limit(
                "the meshes are larger than the limit",
                place.to_string(),
                "raise the limit, or read without meshes",
            ));
        }
        Ok(())
    }

    fn malformed(&self, what: &str) -> Error {
        let (mesh, place) = (self.mesh, self.place);
        Error::malformed(
            what,
            format!("meshes[{mesh}].primitives[{place}]"),
            EXPORT_AGAIN,
        )
    }
}

fn strip(listed: &[u32]) -> Vec<u32> {
    let triangles = listed.windows(3).enumerate();
    triangles
        .flat_map(|(index, corner)| {
            if index % 2 == 0 {
                [corner[0], corner[1], corner[2]]
            } else {
                [corner[1], corner[0], corner[2]]
            }
        })
        .collect()
}

/// Brings vertices into the carrying joint's space.
fn carry(
    joint_from_mesh: Affine3A,
    positions: &mut [Vec3],
    normals: &mut [Vec3],
    indices: &mut [u32],
) {
    for position in positions {
        *position = joint_from_mesh.transform_point3(*position);
    }
    let linear = joint_from_mesh.matrix3;
    let determinant = linear.determinant();
    if determinant != 0.0 {
        let normal_from_mesh = linear.inverse().transpose();
        for normal in normals {
            *normal = (normal_from_mesh * *normal).normalize_or_zero();
        }
    }
    if determinant < 0.0 {
        for triangle in indices.chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
}
