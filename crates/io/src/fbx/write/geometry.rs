//! Meshes and skins of a new file.

use super::joints::{add_model, inverse, matrix, parts};
use super::objects::{Objects, UNITS_PER_METER, leaf, number, word};
use super::target::Target;
use crate::fbx::syntax::{Node, Value};
use glam::DAffine3;
use rebone_model::{Character, Mesh, Skin};

/// Adds all meshes that have triangles, with their skins; returns the models of the skinned ones and
/// where they were bound, which `placements` says for each skin.
pub(super) fn add_meshes<'a>(
    objects: &mut Objects<'a>,
    character: &'a Character,
    targets: &[Target],
    materials: &[i64],
    placements: &[DAffine3],
) -> Vec<(i64, DAffine3)> {
    let mut skinned = Vec::new();
    for mesh in &character.meshes {
        if mesh.positions.is_empty() || mesh.indices.len() < 3 {
            continue;
        }
        let geometry = objects.add("Geometry", &mesh.name, "Geometry", "Mesh", shape(mesh));
        let skin = mesh.skin.and_then(|skin| character.skins.get(skin));
        let placed = mesh.skin.and_then(|skin| placements.get(skin));
        let placed = placed.copied().unwrap_or(DAffine3::IDENTITY);
        let model = add_model(objects, &mesh.name, "Mesh", parts(placed));
        objects.connect(geometry, model, None);
        if let Some(&material) = mesh.material.and_then(|index| materials.get(index)) {
            objects.connect(material, model, None);
        }
        let carrier = mesh.joint.filter(|_| skin.is_none());
        let carrier = carrier.map_or(0, |joint| targets[joint].object);
        objects.connect(model, carrier, None);
        if let Some(skin) = skin {
            add_skin(objects, skin, mesh, placed, geometry, targets);
            skinned.push((model, placed));
        }
    }
    skinned
}

fn shape(mesh: &Mesh) -> Vec<Node<'static>> {
    let positions = mesh
        .positions
        .iter()
        .flat_map(|position| (position.as_dvec3() * UNITS_PER_METER).to_array());
    // The last corner of a polygon is marked by being inverted.
    let polygons = corners(mesh).enumerate().map(|(corner, index)| {
        let index = index.cast_signed();
        if corner % 3 == 2 { !index } else { index }
    });
    let mut children = vec![
        number("GeometryVersion", 124),
        leaf("Vertices", Value::Doubles(positions.collect())),
        leaf("PolygonVertexIndex", Value::Ints(polygons.collect())),
    ];
    let mut layer = vec![number("Version", 100)];
    for element in layer_elements(mesh) {
        let line = vec![word("Type", element.name), number("TypedIndex", 0)];
        layer.push(Node::new("LayerElement", Vec::new()).with(line));
        children.push(element.into_node());
    }
    children.push(Node::new("Layer", vec![Value::Int(0)]).with(layer));
    children
}

/// The vertices of the corners of all whole triangles.
fn corners(mesh: &Mesh) -> impl Iterator<Item = u32> {
    let whole = mesh.indices.len() / 3 * 3;
    mesh.indices.iter().take(whole).copied()
}

/// An attribute of a mesh beside its positions, such as its normals.
struct LayerElement {
    name: &'static str,
    label: &'static str,
    mapping: &'static str,
    reference: &'static str,
    content: Vec<Node<'static>>,
}

impl LayerElement {
    fn into_node(self) -> Node<'static> {
        let mut children = vec![
            number("Version", 101),
            word("Name", self.label),
            word("MappingInformationType", self.mapping),
            word("ReferenceInformationType", self.reference),
        ];
        children.extend(self.content);
        Node::new(self.name, vec![Value::Int(0)]).with(children)
    }
}

fn layer_elements(mesh: &Mesh) -> Vec<LayerElement> {
    let count = mesh.positions.len();
    let by_corner = || Value::Ints(corners(mesh).map(u32::cast_signed).collect());
    let mut elements = Vec::new();
    if mesh.normals.len() == count {
        let normals =
            corners(mesh).flat_map(|index| mesh.normals[index as usize].as_dvec3().to_array());
        elements.push(LayerElement {
            name: "LayerElementNormal",
            label: "",
            mapping: "ByPolygonVertex",
            reference: "Direct",
            content: vec![leaf("Normals", Value::Doubles(normals.collect()))],
        });
    }
    if mesh.uvs.len() == count {
        // The file's origin is the lower left corner.
        let uvs = mesh.uvs.iter();
        let uvs = uvs.flat_map(|uv| [f64::from(uv.x), 1.0 - f64::from(uv.y)]);
        elements.push(LayerElement {
            name: "LayerElementUV",
            label: "UVMap",
            mapping: "ByPolygonVertex",
            reference: "IndexToDirect",
            content: vec![
                leaf("UV", Value::Doubles(uvs.collect())),
                leaf("UVIndex", by_corner()),
            ],
        });
    }
    if mesh.colors.len() == count {
        let colors = mesh.colors.iter().flatten().copied().map(f64::from);
        elements.push(LayerElement {
            name: "LayerElementColor",
            label: "Color",
            mapping: "ByPolygonVertex",
            reference: "IndexToDirect",
            content: vec![
                leaf("Colors", Value::Doubles(colors.collect())),
                leaf("ColorIndex", by_corner()),
            ],
        });
    }
    if mesh.material.is_some() {
        elements.push(LayerElement {
            name: "LayerElementMaterial",
            label: "",
            mapping: "AllSame",
            reference: "IndexToDirect",
            content: vec![leaf("Materials", Value::Ints(vec![0]))],
        });
    }
    elements
}

fn add_skin<'a>(
    objects: &mut Objects<'a>,
    skin: &'a Skin,
    mesh: &Mesh,
    placed: DAffine3,
    geometry: i64,
    targets: &[Target],
) {
    let deformer = objects.add(
        "Deformer",
        &skin.name,
        "Deformer",
        "Skin",
        vec![
            number("Version", 101),
            leaf("Link_DeformAcuracy", Value::Double(50.0)),
        ],
    );
    objects.connect(deformer, geometry, None);
    let mut clusters: Vec<(Vec<i32>, Vec<f64>)> = vec![Default::default(); skin.joints.len()];
    let weighted = mesh.joint_slots.iter().zip(&mesh.joint_weights);
    for (vertex, (slots, weights)) in weighted.enumerate() {
        for (&slot, &weight) in slots.iter().zip(weights) {
            if let Some((indices, all)) = clusters.get_mut(usize::from(slot)) {
                let vertex = i32::try_from(vertex).unwrap_or(i32::MAX);
                match indices.last() {
                    _ if weight <= 0.0 => {}
                    // The same joint twice on one vertex counts once, with both weights.
                    Some(&last) if last == vertex => {
                        if let Some(last) = all.last_mut() {
                            *last += f64::from(weight);
                        }
                    }
                    _ => {
                        indices.push(vertex);
                        all.push(f64::from(weight));
                    }
                }
            }
        }
    }
    let slots = skin.joints.iter().zip(&skin.inverse_bind).zip(clusters);
    for ((&joint, inverse_bind), (indices, weights)) in slots {
        let bound = inverse(inverse_bind).unwrap_or(DAffine3::IDENTITY);
        let children = vec![
            number("Version", 100),
            Node::new("UserData", vec![super::objects::text(""); 2]),
            leaf("Indexes", Value::Ints(indices)),
            leaf("Weights", Value::Doubles(weights)),
            leaf("Transform", matrix(inverse_bind.as_daffine3())),
            leaf("TransformLink", matrix(placed * bound)),
        ];
        let cluster = objects.add("Deformer", "", "SubDeformer", "Cluster", children);
        objects.connect(cluster, deformer, None);
        objects.connect(targets[joint].object, cluster, None);
    }
}
