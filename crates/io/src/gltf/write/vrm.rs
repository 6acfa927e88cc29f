//! What makes a new file a VRM avatar or a VRM animation.

use super::meshes::List;
use super::nodes::Nodes;
use super::patch::numbers;
use crate::gltf::curve_places::{CurveChannel, homeless_curves, not_kept};
use crate::gltf::splice::quoted;
use rebone_model::{Character, Clip, CurveTarget, Warning};
use std::collections::BTreeMap;
use std::fmt::Write;

/// True for what becomes a VRM animation.
pub(super) fn is_vrma(character: &Character) -> bool {
    character.label_system == "vrma" && !character.labels.is_empty()
}

/// Adds a node for each expression and one for the gaze. Returns the channels of each clip's curves, and
/// the members of the extension that name the nodes.
pub(super) fn add_moods(
    clips: &[Clip],
    nodes: &mut Nodes,
    warnings: &mut Vec<Warning>,
) -> (Vec<Vec<CurveChannel>>, String) {
    let mut expressions: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    let mut look_at: Option<(usize, [f32; 3])> = None;
    let mut channels: Vec<Vec<CurveChannel>> = Vec::new();
    let mut homeless = Vec::new();
    for clip in clips {
        let mut of_clip: Vec<CurveChannel> = Vec::new();
        for curve in &clip.curves {
            let channel = match curve.target() {
                CurveTarget::Expression { name, preset } => {
                    let node = expressions
                        .entry((!preset, name))
                        .or_insert_with(|| nodes.add(format!(r#""name":{}"#, quoted(name)), None));
                    CurveChannel::expression(*node, curve)
                }
                CurveTarget::LookAt { offset_from_head } => {
                    let (node, _) = look_at.get_or_insert_with(|| {
                        let node = nodes.add(r#""name":"lookAt""#.to_owned(), None);
                        (node, *offset_from_head)
                    });
                    CurveChannel::look_at(*node, curve)
                }
                CurveTarget::Morph { .. } | CurveTarget::Property { .. } => {
                    let single = Clip {
                        curves: vec![curve.clone()],
                        ..Clip::default()
                    };
                    homeless.extend(homeless_curves([&single]));
                    continue;
                }
            };
            // An animation may move nothing twice.
            if of_clip.iter().all(|known| known.target != channel.target) {
                of_clip.push(channel);
            }
        }
        channels.push(of_clip);
    }
    warnings.extend(not_kept(homeless));
    let mut text = String::new();
    let mut lists = [List::default(), List::default()];
    for ((is_custom, name), node) in &expressions {
        lists[usize::from(*is_custom)].push(&format!(r#"{}:{{"node":{node}}}"#, quoted(name)));
    }
    let [preset, custom] = lists;
    // Writing into a String cannot fail, here and below.
    if !expressions.is_empty() {
        let mut both = List::default();
        for (key, list) in [("preset", preset), ("custom", custom)] {
            if list.count > 0 {
                both.push(&format!(r#""{key}":{{{}}}"#, list.text));
            }
        }
        let _ = write!(text, r#","expressions":{{{}}}"#, both.text);
    }
    if let Some((node, offset)) = look_at {
        let offset = numbers(&offset);
        let _ = write!(
            text,
            r#","lookAt":{{"node":{node},"offsetFromHeadBone":{offset}}}"#
        );
    }
    (channels, text)
}

/// `,"extensions":...,"extensionsUsed":...` for labelled characters, else nothing.
/// `moods` are the further members of a VRM animation.
pub(super) fn vrm_extension(character: &Character, first_node: usize, moods: &str) -> String {
    let (name, more) = match character.label_system.as_str() {
        "vrm-1" => {
            let title = if character.name.is_empty() {
                "character"
            } else {
                &character.name
            };
            let meta = format!(
                r#","meta":{{"authors":["unknown"],"licenseUrl":"https://vrm.dev/licenses/1.0/","name":{}}}"#,
                quoted(title)
            );
            ("VRMC_vrm", meta)
        }
        "vrma" => ("VRMC_vrm_animation", moods.to_owned()),
        _ => return String::new(),
    };
    if character.labels.is_empty() {
        return String::new();
    }
    let mut bones = List::default();
    let mut seen: Vec<&str> = Vec::new();
    for label in &character.labels {
        if seen.contains(&label.label.as_str()) || label.joint >= character.skeleton.len() {
            continue;
        }
        seen.push(&label.label);
        let node = label.joint + first_node;
        bones.push(&format!(r#"{}:{{"node":{node}}}"#, quoted(&label.label)));
    }
    format!(
        r#","extensions":{{"{name}":{{"humanoid":{{"humanBones":{{{}}}}}{more},"specVersion":"1.0"}}}},"extensionsUsed":["{name}"]"#,
        bones.text
    )
}
