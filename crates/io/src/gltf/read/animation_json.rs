//! Animations as the file describes them.

use crate::gltf::json::index;
use serde::Deserialize;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Animation {
    pub name: Option<String>,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Channel {
    #[serde(deserialize_with = "index")]
    pub sampler: Option<usize>,
    pub target: Target,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Target {
    #[serde(deserialize_with = "index")]
    pub node: Option<usize>,
    pub path: Path,
    extensions: TargetExtensions,
    /// The mesh whose weights move, where a pointer names it.
    #[serde(skip)]
    pub mesh: Option<usize>,
    /// The only weight that moves, where a pointer names it.
    #[serde(skip)]
    pub weight: Option<usize>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct TargetExtensions {
    #[serde(rename = "KHR_animation_pointer")]
    pointer: Option<Pointer>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
struct Pointer {
    pointer: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
    /// Anything, named by a pointer.
    Pointer,
    #[default]
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Sampler {
    #[serde(deserialize_with = "index")]
    pub input: Option<usize>,
    #[serde(deserialize_with = "index")]
    pub output: Option<usize>,
    pub interpolation: Interpolation,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum Interpolation {
    #[default]
    Linear,
    Step,
    CubicSpline,
    #[serde(other)]
    Other,
}

impl Target {
    /// The JSON pointer of `KHR_animation_pointer`.
    pub(super) fn pointer(&self) -> Option<&str> {
        let pointer = self.extensions.pointer.as_ref()?;
        (self.path == Path::Pointer).then_some(pointer.pointer.as_str())
    }
}

impl Path {
    /// True for what a joint can do.
    pub(super) fn is_of_joint(self) -> bool {
        matches!(self, Self::Translation | Self::Rotation | Self::Scale)
    }
}

/// Makes ordinary channels of pointers to what ordinary channels can move too.
pub(super) fn follow_pointers(animations: &mut [Animation]) {
    let channels = animations.iter_mut().flat_map(|a| a.channels.iter_mut());
    for target in channels.map(|channel| &mut channel.target) {
        let Some(pointer) = target.pointer() else {
            continue;
        };
        let tokens: Vec<&str> = pointer.split('/').collect();
        let (owner, index, property, weight) = match *tokens.as_slice() {
            ["", owner, index, property] => (owner, index.parse(), property, None),
            ["", owner, index, property @ "weights", weight] => match weight.parse() {
                Ok(weight) => (owner, index.parse(), property, Some(weight)),
                Err(_) => continue,
            },
            _ => continue,
        };
        let Ok(index) = index else {
            continue;
        };
        let path = match (owner, property) {
            ("nodes", "translation") => Path::Translation,
            ("nodes", "rotation") => Path::Rotation,
            ("nodes", "scale") => Path::Scale,
            ("nodes" | "meshes", "weights") => Path::Weights,
            _ => continue,
        };
        match owner {
            "meshes" => target.mesh = Some(index),
            _ => target.node = Some(index),
        }
        target.path = path;
        target.weight = weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_to_what_ordinary_channels_move() {
        let target = |pointer: &str| {
            let text = format!(
                r#"[{{"channels":[{{"sampler":0,"target":{{"path":"pointer","extensions":
                {{"KHR_animation_pointer":{{"pointer":"{pointer}"}}}}}}}}]}}]"#
            );
            let mut animations: Vec<Animation> = serde_json::from_str(&text).unwrap();
            follow_pointers(&mut animations);
            let target = &animations[0].channels[0].target;
            (target.path, target.node, target.mesh, target.weight)
        };
        assert_eq!(
            target("/nodes/3/rotation"),
            (Path::Rotation, Some(3), None, None)
        );
        assert_eq!(
            target("/nodes/3/weights/2"),
            (Path::Weights, Some(3), None, Some(2))
        );
        assert_eq!(
            target("/meshes/1/weights"),
            (Path::Weights, None, Some(1), None)
        );
        for other in [
            "/materials/0/emissiveFactor",
            "/nodes/x/rotation",
            "/nodes/1/weights/x",
            "/nodes/1/extensions/KHR_node_visibility/visible",
            "",
        ] {
            assert_eq!(target(other), (Path::Pointer, None, None, None), "{other}");
        }
    }
}
