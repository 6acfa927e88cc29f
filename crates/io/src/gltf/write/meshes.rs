//! Meshes, skins, materials and images as JSON and bytes.

use super::motion_json::append_floats;
use super::patch::{image_type, numbers};
use crate::gltf::splice::quoted;
use rebone_model::Clamp as _;
use rebone_model::{Character, Mat4, Material, Mesh, Skin, Vec2, Vec3};
use std::fmt::Write;

const VERTICES: usize = 34962;
const INDICES: usize = 34963;
const FLOAT: usize = 5126;
const UNSIGNED_SHORT: usize = 5123;
const UNSIGNED_INT: usize = 5125;

/// Grows the binary chunk and the lists that describe it.
#[derive(Default)]
pub(super) struct Binary {
    pub bytes: Vec<u8>,
    pub views: List,
    pub accessors: List,
}

/// JSON elements with commas between them.
#[derive(Default)]
pub(super) struct List {
    pub text: String,
    pub count: usize,
}

impl List {
    /// Adds an element; returns its index.
    pub(super) fn push(&mut self, element: &str) -> usize {
        if self.count > 0 {
            self.text.push(',');
        }
        self.text.push_str(element);
        self.count += 1;
        self.count - 1
    }
}

/// What an accessor says about its elements.
struct Described {
    component: usize,
    shape: &'static str,
    count: usize,
    extremes: String,
}

impl Described {
    fn floats(shape: &'static str, count: usize) -> Self {
        Self {
            component: FLOAT,
            shape,
            count,
            extremes: String::new(),
        }
    }
}

impl Binary {
    /// Adds bytes as a buffer view of their own, starting at a multiple of 4.
    fn view(&mut self, target: Option<usize>, write: impl FnOnce(&mut Vec<u8>)) -> usize {
        self.align();
        let offset = self.bytes.len();
        write(&mut self.bytes);
        let length = self.bytes.len() - offset;
        let target = target.map_or_else(String::new, |target| format!(r#","target":{target}"#));
        self.views.push(&format!(
            r#"{{"buffer":0,"byteLength":{length},"byteOffset":{offset}{target}}}"#
        ))
    }

    /// Adds an accessor over a buffer view of its own.
    fn accessor(
        &mut self,
        target: Option<usize>,
        described: Described,
        write: impl FnOnce(&mut Vec<u8>),
    ) -> usize {
        let view = self.view(target, write);
        let Described {
            component,
            shape,
            count,
            extremes,
        } = described;
        self.accessors.push(&format!(
            r#"{{"bufferView":{view},"componentType":{component},"count":{count}{extremes},"type":"{shape}"}}"#
        ))
    }

    /// Pads the bytes to a multiple of 4.
    pub(super) fn align(&mut self) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }
}

/// The attributes of a primitive, each with one element a vertex.
struct Attributes<'b> {
    binary: &'b mut Binary,
    vertices: usize,
    json: String,
}

impl Attributes<'_> {
    fn add(&mut self, name: &str, described: Described, write: impl FnOnce(&mut Vec<u8>)) {
        let accessor = self.binary.accessor(Some(VERTICES), described, write);
        let comma = if self.json.is_empty() { "" } else { "," };
        // Writing into a String cannot fail.
        let _ = write!(self.json, r#"{comma}"{name}":{accessor}"#);
    }

    fn add_floats<const N: usize>(
        &mut self,
        name: &str,
        shape: &'static str,
        elements: impl Iterator<Item = [f32; N]>,
    ) {
        let described = Described::floats(shape, self.vertices);
        self.add(name, described, |out| append_floats(out, elements));
    }

    fn add_positions(&mut self, positions: &[Vec3]) {
        let mut low = Vec3::INFINITY;
        let mut high = Vec3::NEG_INFINITY;
        for position in positions {
            low = low.min(*position);
            high = high.max(*position);
        }
        let described = Described {
            extremes: format!(
                r#","max":{},"min":{}"#,
                numbers(&high.to_array()),
                numbers(&low.to_array())
            ),
            ..Described::floats("VEC3", self.vertices)
        };
        self.add("POSITION", described, |out| {
            append_floats(out, positions.iter().map(Vec3::to_array));
        });
    }

    fn add_influences(&mut self, slots: &[[u16; 4]], weights: &[[f32; 4]]) {
        let influences = slots.iter().zip(weights);
        let influences: Vec<([u16; 4], [f32; 4])> = influences
            .map(|(slots, weights)| tidy_influences(*slots, *weights))
            .collect();
        let described = Described {
            component: UNSIGNED_SHORT,
            ..Described::floats("VEC4", self.vertices)
        };
        self.add("JOINTS_0", described, |out| {
            for (slots, _) in &influences {
                out.extend_from_slice(slots.map(u16::to_le_bytes).as_flattened());
            }
        });
        let weights = influences.iter().map(|(_, weights)| *weights);
        self.add_floats("WEIGHTS_0", "VEC4", weights);
    }
}

/// One primitive of a mesh.
pub(super) fn primitive(mesh: &Mesh, binary: &mut Binary) -> String {
    let count = mesh.positions.len();
    let mut attributes = Attributes {
        binary,
        vertices: count,
        json: String::new(),
    };
    attributes.add_positions(&mesh.positions);
    if mesh.normals.len() == count {
        let unit = |normal: &Vec3| normal.try_normalize().unwrap_or(Vec3::Y).to_array();
        attributes.add_floats("NORMAL", "VEC3", mesh.normals.iter().map(unit));
    }
    if mesh.uvs.len() == count {
        attributes.add_floats("TEXCOORD_0", "VEC2", mesh.uvs.iter().map(Vec2::to_array));
    }
    if mesh.colors.len() == count {
        attributes.add_floats("COLOR_0", "VEC4", mesh.colors.iter().copied());
    }
    if mesh.skin.is_some() && mesh.joint_slots.len() == count && mesh.joint_weights.len() == count {
        attributes.add_influences(&mesh.joint_slots, &mesh.joint_weights);
    }
    let attributes = attributes.json;
    let indices = indices(mesh, binary);
    let material = mesh
        .material
        .map_or_else(String::new, |material| format!(r#","material":{material}"#));
    format!(r#"{{"attributes":{{{attributes}}},"indices":{indices}{material}}}"#)
}

fn indices(mesh: &Mesh, binary: &mut Binary) -> usize {
    // The largest value of a type is reserved, so it cannot stand for a vertex.
    let is_short = mesh.positions.len() < usize::from(u16::MAX);
    let component = if is_short {
        UNSIGNED_SHORT
    } else {
        UNSIGNED_INT
    };
    let described = Described {
        component,
        ..Described::floats("SCALAR", mesh.indices.len())
    };
    binary.accessor(Some(INDICES), described, |out| {
        for index in &mesh.indices {
            let bytes = index.to_le_bytes();
            out.extend_from_slice(if is_short { &bytes[..2] } else { &bytes });
        }
    })
}

/// Weights that sum to 1 as exactly as floats can, each joint once, joint 0 where there is no weight.
fn tidy_influences(slots: [u16; 4], weights: [f32; 4]) -> ([u16; 4], [f32; 4]) {
    let mut tidy_slots = [0u16; 4];
    let mut tidy_weights = [0.0f32; 4];
    let mut used = 0;
    for (slot, weight) in slots.into_iter().zip(weights) {
        if weight.is_nan() || weight <= 0.0 {
            continue;
        }
        match tidy_slots[..used].iter().position(|&known| known == slot) {
            Some(known) => tidy_weights[known] += weight,
            None => {
                tidy_slots[used] = slot;
                tidy_weights[used] = weight;
                used += 1;
            }
        }
    }
    let sum: f64 = tidy_weights.iter().map(|&weight| f64::from(weight)).sum();
    if used == 0 || !sum.is_finite() {
        return ([slots[0], 0, 0, 0], [1.0, 0.0, 0.0, 0.0]);
    }
    if (sum - 1.0).abs() > 1e-7 {
        let mut largest = 0;
        for place in 0..used {
            tidy_weights[place] = (f64::from(tidy_weights[place]) / sum) as f32;
            if tidy_weights[place] > tidy_weights[largest] {
                largest = place;
            }
        }
        let others: f64 = (0..used)
            .filter(|&place| place != largest)
            .map(|place| f64::from(tidy_weights[place]))
            .sum();
        tidy_weights[largest] = (1.0 - others) as f32;
    }
    (tidy_slots, tidy_weights)
}

/// A skin; `first_node` is the node of joint 0.
pub(super) fn skin(skin: &Skin, first_node: usize, binary: &mut Binary) -> String {
    let described = Described::floats("MAT4", skin.inverse_bind.len());
    let matrices = binary.accessor(None, described, |out| {
        let matrices = skin.inverse_bind.iter();
        append_floats(
            out,
            matrices.map(|matrix| Mat4::from(*matrix).to_cols_array()),
        );
    });
    let joints: Vec<String> = skin
        .joints
        .iter()
        .map(|joint| (joint + first_node).to_string())
        .collect();
    let name = named(&skin.name);
    format!(
        r#"{{"inverseBindMatrices":{matrices},"joints":[{}]{name}}}"#,
        joints.join(",")
    )
}

/// Materials, textures and images.
#[derive(Default)]
pub(super) struct Surfaces {
    pub materials: List,
    pub textures: List,
    pub images: List,
}

/// Describes all materials. Images that are neither PNG nor JPEG are left out, as glTF wants it.
pub(super) fn surfaces(character: &Character, binary: &mut Binary) -> Surfaces {
    let mut surfaces = Surfaces::default();
    let textures: Vec<Option<usize>> = character
        .images
        .iter()
        .map(|image| {
            let media_type = image_type(&image.bytes)?;
            if !matches!(media_type, "image/png" | "image/jpeg") {
                return None;
            }
            let view = binary.view(None, |out| out.extend_from_slice(&image.bytes));
            let source = surfaces.images.push(&format!(
                r#"{{"bufferView":{view},"mimeType":"{media_type}"}}"#
            ));
            Some(surfaces.textures.push(&format!(r#"{{"source":{source}}}"#)))
        })
        .collect();
    for material in &character.materials {
        let image = material.base_color_image;
        let texture = image.and_then(|image| textures.get(image).copied().flatten());
        surfaces.materials.push(&material_json(material, texture));
    }
    surfaces
}

fn material_json(material: &Material, texture: Option<usize>) -> String {
    let texture = texture.map_or_else(String::new, |texture| {
        format!(r#","baseColorTexture":{{"index":{texture}}}"#)
    });
    let cutoff = material.alpha_cutoff.filter(|cutoff| cutoff.is_finite());
    let alpha = match cutoff.map(|cutoff| cutoff.max(0.0)) {
        Some(cutoff) => format!(r#","alphaCutoff":{cutoff},"alphaMode":"MASK""#),
        None => String::new(),
    };
    let sides = if material.double_sided {
        r#","doubleSided":true"#
    } else {
        ""
    };
    let color = material.base_color.map(|part| {
        if part.is_nan() {
            1.0
        } else {
            part.clamped(0.0, 1.0)
        }
    });
    format!(
        r#"{{"pbrMetallicRoughness":{{"baseColorFactor":{}{texture},"metallicFactor":0}}{alpha}{sides}{}}}"#,
        numbers(&color),
        named(&material.name)
    )
}

/// `,"name":...`, or nothing for an empty name.
pub(super) fn named(name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    format!(r#","name":{}"#, quoted(name))
}
