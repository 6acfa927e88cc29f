//! What the expressions of a VRM avatar do to its morph targets.

use crate::gltf::json::{TopLevel, element, index, members};
use indexmap::IndexMap;
use serde::Deserialize;

/// A weight of 1 in VRM 0.x.
const PERCENT: f32 = 100.0;
/// What VRM 1.0 calls the presets of VRM 0.x.
const NEW_NAMES: [(&str, &str); 16] = [
    ("joy", "happy"),
    ("angry", "angry"),
    ("sorrow", "sad"),
    ("fun", "relaxed"),
    ("a", "aa"),
    ("i", "ih"),
    ("u", "ou"),
    ("e", "ee"),
    ("o", "oh"),
    ("blink", "blink"),
    ("blink_l", "blinkLeft"),
    ("blink_r", "blinkRight"),
    ("lookup", "lookUp"),
    ("lookdown", "lookDown"),
    ("lookleft", "lookLeft"),
    ("lookright", "lookRight"),
];

/// An expression of an avatar.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Expression {
    /// As VRM 1.0 calls it.
    pub name: String,
    /// True where nothing lies between on and off.
    pub is_binary: bool,
    pub binds: Vec<Bind>,
}

/// What a weight of 1 does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bind {
    pub shown: Shown,
    /// Place of the morph target in the mesh.
    pub target: usize,
    pub weight: f32,
}

/// Where the morph target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    ByNode(usize),
    /// By all nodes that show this mesh.
    ByMesh(usize),
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Vrm1 {
    expressions: Expressions1,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Expressions1 {
    preset: IndexMap<String, Option<Expression1>>,
    custom: IndexMap<String, Option<Expression1>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Expression1 {
    is_binary: bool,
    morph_target_binds: Vec<JsonBind>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct JsonBind {
    #[serde(deserialize_with = "index")]
    node: Option<usize>,
    #[serde(deserialize_with = "index")]
    mesh: Option<usize>,
    #[serde(deserialize_with = "index")]
    index: Option<usize>,
    weight: f32,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Vrm0 {
    blend_shape_master: Groups0,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Groups0 {
    blend_shape_groups: Vec<Group0>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Group0 {
    name: String,
    preset_name: String,
    is_binary: bool,
    binds: Vec<JsonBind>,
}

/// The expressions of a file; none where it is no avatar or what it says is broken.
pub(super) fn expressions(top: &TopLevel<'_>) -> Vec<Expression> {
    let extensions = top.text("extensions");
    let extensions = extensions.and_then(|text| members(text, "extensions").ok());
    let Some(extensions) = extensions else {
        return Vec::new();
    };
    if let Some(text) = extensions.get("VRMC_vrm") {
        let vrm: Vrm1 = element(text).unwrap_or_default();
        let Expressions1 { preset, custom } = vrm.expressions;
        let all = preset.into_iter().chain(custom);
        return all
            .filter_map(|(name, expression)| {
                let expression = expression?;
                Some(Expression {
                    name,
                    is_binary: expression.is_binary,
                    binds: binds(&expression.morph_target_binds, 1.0),
                })
            })
            .collect();
    }
    let vrm: Vrm0 = extensions
        .get("VRM")
        .and_then(|text| element(text).ok())
        .unwrap_or_default();
    let groups = vrm.blend_shape_master.blend_shape_groups.into_iter();
    groups
        .map(|group| {
            let preset = group.preset_name.to_lowercase();
            let known = NEW_NAMES.iter().find(|(old, _)| *old == preset);
            Expression {
                name: known.map_or(group.name, |(_, new)| (*new).to_owned()),
                is_binary: group.is_binary,
                binds: binds(&group.binds, PERCENT),
            }
        })
        .collect()
}

fn binds(binds: &[JsonBind], full: f32) -> Vec<Bind> {
    let read = binds.iter().filter_map(|bind| {
        let shown = match (bind.node, bind.mesh) {
            (Some(node), _) => Shown::ByNode(node),
            (None, mesh) => Shown::ByMesh(mesh?),
        };
        Some(Bind {
            shown,
            target: bind.index?,
            weight: bind.weight / full,
        })
    });
    read.collect()
}

/// The expression of a name; failing that, one that differs only in case.
pub(super) fn find<'e>(expressions: &'e [Expression], name: &str) -> Option<&'e Expression> {
    let exact = expressions.iter().find(|e| e.name == name);
    exact.or_else(|| {
        expressions
            .iter()
            .find(|e| e.name.eq_ignore_ascii_case(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_say_the_same() {
        let new = r#"{"extensions":{"VRMC_vrm":{"expressions":{
            "preset":{"happy":{"isBinary":true,"morphTargetBinds":[{"node":4,"index":2,"weight":0.5}]},"sad":null},
            "custom":{"Wink":{}}}}}}"#;
        let old = r#"{"extensions":{"VRM":{"blendShapeMaster":{"blendShapeGroups":[
            {"name":"Smile","presetName":"Joy","isBinary":true,"binds":[{"mesh":4,"index":2,"weight":50}]},
            {"name":"Wink","presetName":"unknown"}]}}}}"#;
        for (text, shown) in [(new, Shown::ByNode(4)), (old, Shown::ByMesh(4))] {
            let all = expressions(&TopLevel::parse(text).unwrap());
            let happy = find(&all, "happy").unwrap();
            assert!(happy.is_binary);
            let bind = Bind {
                shown,
                target: 2,
                weight: 0.5,
            };
            assert_eq!(happy.binds, [bind]);
            assert_eq!(find(&all, "wink").unwrap().name, "Wink");
            assert_eq!(find(&all, "sad"), None);
        }
    }
}
