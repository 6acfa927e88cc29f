//! GLB files written without any check, so that they hold whatever a fuzzer comes up with.

use std::fmt::Write as _;

/// A node with a rest transform in numbers that may be anything.
pub(crate) struct RawNode {
    /// Its name: letters, digits and signs that JSON need not escape.
    pub(crate) name: String,
    /// An earlier node.
    pub(crate) parent: Option<usize>,
    /// Relative to the parent.
    pub(crate) translation: [f32; 3],
    /// x, y, z, w.
    pub(crate) rotation: [f32; 4],
    /// Factors.
    pub(crate) scale: [f32; 3],
}

/// Keys of one channel.
pub(crate) struct RawTrack {
    /// The node that moves.
    pub(crate) node: usize,
    /// `translation`, `rotation` or `scale`.
    pub(crate) path: &'static str,
    /// glTF's word.
    pub(crate) interpolation: &'static str,
    /// Seconds, in any order.
    pub(crate) times: Vec<f32>,
    /// As many as fit the times, or not.
    pub(crate) values: Vec<f32>,
}

/// A vertex that hangs on one joint.
pub(crate) struct RawVertex {
    /// In the space of the mesh.
    pub(crate) position: [f32; 3],
    /// Place of the joint in the skin.
    pub(crate) joint: u16,
    /// Its weight.
    pub(crate) weight: f32,
}

/// A file.
#[derive(Default)]
pub(crate) struct RawGlb {
    /// Parents before children.
    pub(crate) nodes: Vec<RawNode>,
    /// One list of tracks per clip.
    pub(crate) clips: Vec<Vec<RawTrack>>,
    /// Three vertices or more make a skinned mesh.
    pub(crate) vertices: Vec<RawVertex>,
}

/// The binary part with its accessors.
#[derive(Default)]
struct Binary {
    bytes: Vec<u8>,
    views: String,
    accessors: String,
    count: usize,
}

impl Binary {
    /// Adds an accessor and returns its index.
    fn add(&mut self, bytes: &[u8], kind: &str, component: u32, count: usize) -> usize {
        let separator = if self.count == 0 { "" } else { "," };
        let offset = self.bytes.len();
        let length = bytes.len();
        let _ = write!(
            self.views,
            "{separator}{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length}}}"
        );
        let index = self.count;
        let _ = write!(
            self.accessors,
            "{separator}{{\"bufferView\":{index},\"componentType\":{component},\"count\":{count},\"type\":\"{kind}\"}}"
        );
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.count += 1;
        index
    }

    fn floats(&mut self, values: &[f32], kind: &str) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.add(&bytes, kind, 5126, values.len() / width)
    }
}

/// A number as JSON. Infinity becomes a number that overflows, NaN no number at all.
pub(crate) fn number(value: f32) -> String {
    match value {
        value if value.is_nan() => "null".to_owned(),
        value if value.is_infinite() => (if value > 0.0 { "1e999" } else { "-1e999" }).to_owned(),
        value => format!("{value:?}"),
    }
}

fn list(values: &[f32]) -> String {
    let texts: Vec<String> = values.iter().map(|value| number(*value)).collect();
    texts.join(",")
}

impl RawGlb {
    /// The file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut binary = Binary::default();
        let animations = self.animations(&mut binary);
        let (skins, meshes) = self.skin(&mut binary);
        let mut nodes = String::new();
        for (index, node) in self.nodes.iter().enumerate() {
            let children: Vec<String> = self
                .children(index)
                .map(|child| child.to_string())
                .collect();
            let separator = if index == 0 { "" } else { "," };
            let _ = write!(
                nodes,
                "{separator}{{\"name\":\"{}\",\"translation\":[{}],\"rotation\":[{}],\"scale\":[{}]",
                node.name,
                list(&node.translation),
                list(&node.rotation),
                list(&node.scale)
            );
            if !children.is_empty() {
                let _ = write!(nodes, ",\"children\":[{}]", children.join(","));
            }
            nodes.push('}');
        }
        if !skins.is_empty() {
            nodes.push_str(",{\"name\":\"body\",\"mesh\":0,\"skin\":0}");
        }
        let mut roots: Vec<String> = (0..self.nodes.len())
            .filter(|&node| self.nodes[node].parent.is_none())
            .map(|node| node.to_string())
            .collect();
        if !skins.is_empty() {
            roots.push(self.nodes.len().to_string());
        }
        let text = format!(
            "{{\"asset\":{{\"version\":\"2.0\"}},\"scene\":0,\"scenes\":[{{\"nodes\":[{}]}}],\"nodes\":[{nodes}]{skins}{meshes}\
             {animations},\"accessors\":[{}],\"bufferViews\":[{}],\"buffers\":[{{\"byteLength\":{}}}]}}",
            roots.join(","),
            binary.accessors,
            binary.views,
            binary.bytes.len()
        );
        container(text.as_bytes(), &binary.bytes)
    }

    fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        let nodes = self.nodes.iter().enumerate();
        nodes
            .filter(move |(_, node)| node.parent == Some(parent))
            .map(|(index, _)| index)
    }

    fn animations(&self, binary: &mut Binary) -> String {
        if self.clips.is_empty() {
            return String::new();
        }
        let mut clips = Vec::new();
        for (index, tracks) in self.clips.iter().enumerate() {
            let (mut samplers, mut channels) = (Vec::new(), Vec::new());
            for (sampler, track) in tracks.iter().enumerate() {
                let kind = if track.path == "rotation" {
                    "VEC4"
                } else {
                    "VEC3"
                };
                let (input, output) = (
                    binary.floats(&track.times, "SCALAR"),
                    binary.floats(&track.values, kind),
                );
                samplers.push(format!(
                    "{{\"input\":{input},\"output\":{output},\"interpolation\":\"{}\"}}",
                    track.interpolation
                ));
                channels.push(format!(
                    "{{\"sampler\":{sampler},\"target\":{{\"node\":{},\"path\":\"{}\"}}}}",
                    track.node, track.path
                ));
            }
            clips.push(format!(
                "{{\"name\":\"clip {index}\",\"samplers\":[{}],\"channels\":[{}]}}",
                samplers.join(","),
                channels.join(",")
            ));
        }
        format!(",\"animations\":[{}]", clips.join(","))
    }

    fn skin(&self, binary: &mut Binary) -> (String, String) {
        if self.vertices.len() < 3 {
            return Default::default();
        }
        let positions: Vec<f32> = self
            .vertices
            .iter()
            .flat_map(|vertex| vertex.position)
            .collect();
        let joints: Vec<u8> = self
            .vertices
            .iter()
            .flat_map(|vertex| [vertex.joint, 0, 0, 0])
            .flat_map(u16::to_le_bytes)
            .collect();
        let weights: Vec<f32> = self
            .vertices
            .iter()
            .flat_map(|vertex| [vertex.weight, 0.0, 0.0, 0.0])
            .collect();
        let (positions, weights) = (
            binary.floats(&positions, "VEC3"),
            binary.floats(&weights, "VEC4"),
        );
        let joints = binary.add(&joints, "VEC4", 5123, self.vertices.len());
        let all: Vec<String> = (0..self.nodes.len()).map(|node| node.to_string()).collect();
        (
            format!(",\"skins\":[{{\"joints\":[{}]}}]", all.join(",")),
            format!(
                ",\"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":{positions},\"JOINTS_0\":{joints},\
                 \"WEIGHTS_0\":{weights}}}}}]}}]"
            ),
        )
    }
}

/// A GLB of these two parts.
pub(crate) fn container(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut text = json.to_vec();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let word = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
    let mut bytes = [*b"glTF", word(2), word(28 + text.len() + binary.len())].concat();
    bytes.extend([word(text.len()), *b"JSON"].as_flattened());
    bytes.extend(text);
    bytes.extend([word(binary.len()), *b"BIN\0"].as_flattened());
    bytes.extend(binary);
    bytes
}
