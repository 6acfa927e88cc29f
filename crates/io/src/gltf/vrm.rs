//! What VRM says about joints: the humanoid maps of VRM 0.x, VRM 1.0 and VRM animations.

use super::json::{TopLevel, element, index, members};
use crate::Error;
use crate::format::Format;
use indexmap::IndexMap;
use rebone_model::Warning;
use rebone_model::axes::Axis;
use serde::Deserialize;

/// Labels of nodes and what follows from the kind of file.
#[derive(Debug, Default)]
pub(super) struct VrmData {
    /// `vrm-0`, `vrm-1`, `vrma` or empty.
    pub system: &'static str,
    /// Node and label, in the file's order.
    pub labels: Vec<(usize, String)>,
    /// A VRM animation's expressions.
    pub expressions: Vec<ExpressionNode>,
    /// A VRM animation's gaze: its node, and where the eyes are in the space of the head.
    pub look_at: Option<(usize, [f32; 3])>,
    /// VRM or VRMA, where the file is one.
    pub format: Option<Format>,
    /// Where characters look, where the format says so.
    pub forward: Option<Axis>,
}

/// A node of a VRM animation that is no joint: its x is the weight of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExpressionNode {
    pub node: usize,
    pub name: String,
    /// True for one that the specification names.
    pub is_preset: bool,
}

impl VrmData {
    /// Nodes that carry expressions or gaze and are no joints.
    pub(super) fn not_joints(&self) -> impl Iterator<Item = usize> {
        let expressions = self.expressions.iter().map(|expression| expression.node);
        expressions.chain(self.look_at.map(|(node, _)| node))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Vrm0 {
    humanoid: Humanoid0,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Humanoid0 {
    human_bones: Vec<Bone0>,
}

impl Humanoid0 {
    /// Node and label, in the file's order.
    fn labels(self) -> Vec<(Option<usize>, String)> {
        let bones = self.human_bones.into_iter();
        bones.map(|bone| (bone.node, bone.bone)).collect()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Bone0 {
    bone: String,
    #[serde(deserialize_with = "index")]
    node: Option<usize>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Vrm1 {
    humanoid: Humanoid1,
    expressions: Expressions,
    look_at: LookAt,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Humanoid1 {
    human_bones: IndexMap<String, NodeReference>,
}

impl Humanoid1 {
    /// Node and label, in the file's order.
    fn labels(self) -> Vec<(Option<usize>, String)> {
        let bones = self.human_bones.into_iter();
        bones.map(|(label, bone)| (bone.node, label)).collect()
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Expressions {
    preset: IndexMap<String, NodeReference>,
    custom: IndexMap<String, NodeReference>,
}

impl Expressions {
    /// Those whose nodes exist.
    fn nodes(self, node_count: usize) -> Vec<ExpressionNode> {
        let presets = self.preset.into_iter().map(|entry| (entry, true));
        let customs = self.custom.into_iter().map(|entry| (entry, false));
        presets
            .chain(customs)
            .filter_map(|((name, reference), is_preset)| {
                let node = reference.node.filter(|&node| node < node_count)?;
                Some(ExpressionNode {
                    node,
                    name,
                    is_preset,
                })
            })
            .collect()
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LookAt {
    #[serde(deserialize_with = "index")]
    node: Option<usize>,
    offset_from_head_bone: [f32; 3],
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct NodeReference {
    #[serde(deserialize_with = "index")]
    node: Option<usize>,
}

/// Reads VRM's extensions. A broken extension is a warning: the file is still glTF.
pub(super) fn read_vrm(
    top: &TopLevel<'_>,
    node_count: usize,
    warnings: &mut Vec<Warning>,
) -> Result<VrmData, Error> {
    let Some(text) = top.text("extensions") else {
        return Ok(VrmData::default());
    };
    let Ok(mut extensions) = members(text, "extensions") else {
        return Ok(VrmData::default());
    };
    extensions.retain(|_, text| *text != "null");
    let mut data = VrmData::default();
    let mut labels = Vec::new();
    if let Some(text) = extensions.get("VRMC_vrm") {
        data.system = "vrm-1";
        data.format = Some(Format::Vrm);
        data.forward = Some(Axis::PositiveZ);
        let vrm: Vrm1 = parsed(text, "VRMC_vrm", warnings);
        labels = vrm.humanoid.labels();
    } else if let Some(text) = extensions.get("VRM") {
        data.system = "vrm-0";
        data.format = Some(Format::Vrm);
        data.forward = Some(Axis::NegativeZ);
        let vrm: Vrm0 = parsed(text, "VRM", warnings);
        labels = vrm.humanoid.labels();
    } else if let Some(text) = extensions.get("VRMC_vrm_animation") {
        data.system = "vrma";
        data.format = Some(Format::Vrma);
        data.forward = Some(Axis::PositiveZ);
        let vrma: Vrm1 = parsed(text, "VRMC_vrm_animation", warnings);
        labels = vrma.humanoid.labels();
        data.expressions = vrma.expressions.nodes(node_count);
        let LookAt {
            node,
            offset_from_head_bone: offset,
        } = vrma.look_at;
        let node = node.filter(|&node| node < node_count);
        data.look_at = node.map(|node| (node, offset));
    }
    for (node, label) in labels {
        match node {
            Some(node) if node < node_count => data.labels.push((node, label)),
            _ => warnings.push(Warning::new(
                "label-without-node",
                format!("the file labels a node as {label} that does not exist"),
                "the label is left out; export the file again",
            )),
        }
    }
    Ok(data)
}

fn parsed<T: serde::de::DeserializeOwned + Default>(
    text: &str,
    name: &str,
    warnings: &mut Vec<Warning>,
) -> T {
    element(text).unwrap_or_else(|error| {
        warnings.push(Warning::new(
            "vrm-unreadable",
            format!("the extension {name} cannot be read: {error}"),
            "the file is taken for plain glTF; export it again",
        ));
        T::default()
    })
}
