//! Which object of the file is which joint, and which morph is which curve of a clip.

use super::animation::MorphTarget;
use super::channels::Channels;
use super::target::{ScaleSource, Scaling, Target, magnifications};
use crate::morph_names::plain_name;
use rebone_model::{Clip, Curve, CurveTarget, Skeleton, Vec3, Warning};
use std::collections::BTreeMap;
use ufbx::{Element, InheritMode, Node, Scene};

/// The objects for the joints of a skeleton, in the order of the joints.
///
/// A joint that stands for a scale helper has no object of its own: it is the scale of its owner.
pub(super) fn find_targets(scene: &Scene, skeleton: &Skeleton) -> Vec<Target> {
    let joints: BTreeMap<u32, usize> = skeleton
        .joints()
        .iter()
        .enumerate()
        .map(|(index, joint)| (joint.node, index))
        .collect();
    let index_of = |node: &Node| {
        let joint = joints.get(&node.element.typed_id);
        joint.copied().unwrap_or(usize::MAX)
    };
    let source = |node: &Node| ScaleSource {
        joint: joints.get(&node.element.typed_id).copied(),
        rest: joints.get(&node.element.typed_id).map_or_else(
            || {
                let scale = &node.local_transform.scale;
                Vec3::new(scale.x as f32, scale.y as f32, scale.z as f32)
            },
            |&joint| skeleton.joints()[joint].rest.scale,
        ),
    };
    let magnifications = magnifications(skeleton);
    let mut targets: Vec<Target> = Vec::with_capacity(joints.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let Some(node) = scene.nodes.as_ref().get(joint.node as usize) else {
            continue;
        };
        let Some(object) = object_id(&node.element).filter(|_| !node.is_scale_helper) else {
            continue;
        };
        let helper_of = |node: &Node| node.scale_helper.as_ref().map(|helper| source(helper));
        let parent = node.parent.as_ref().filter(|parent| !parent.is_root);
        let ignores = node.original_inherit_mode == InheritMode::IgnoreParentScale;
        let helper = helper_of(node);
        let inherited = node.inherit_scale_node.as_ref();
        targets.push(Target {
            object,
            joint: index,
            channels: Channels::of(node),
            scaling: Scaling {
                own: helper.unwrap_or_else(|| source(node)),
                is_helper: helper.is_some(),
                divisor: inherited
                    .filter(|_| helper.is_some())
                    .and_then(|inherited| helper_of(inherited)),
                factors: parent
                    .filter(|parent| ignores && parent.scale_helper.is_none())
                    .map_or_else(Vec::new, |parent| {
                        let above = targets.iter().find(|above| above.joint == index_of(parent));
                        let above = above.map_or(&[][..], |above| &above.scaling.factors);
                        std::iter::once(source(parent))
                            .chain(above.iter().copied())
                            .collect()
                    }),
            },
            parent_factors: parent.and_then(|parent| helper_of(parent)),
            magnification: magnifications[index],
        });
    }
    targets
}

/// The id of an element's object in the file; `None` for what the reader made up.
fn object_id(element: &Element) -> Option<i64> {
    let object = element.dom_node.as_ref()?;
    let id = object.values.as_ref().first()?;
    (id.type_ == ufbx::DomValueType::Number).then_some(id.value_int)
}

/// What a clip moves that no object of the file can: tracks of a scale helper's translation and
/// rotation, the scale of its owner, and stretching where children do not inherit the scale.
pub(super) fn unkept_tracks(
    scene: &Scene,
    skeleton: &Skeleton,
    targets: &[Target],
    clips: &[Clip],
) -> Vec<Warning> {
    let mut lost = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let node = scene.nodes.as_ref().get(joint.node as usize);
        let target = targets.iter().find(|target| target.joint == index);
        let is_helper = node.is_some_and(|node| node.is_scale_helper);
        let is_owner = target.is_some_and(|target| target.scaling.is_helper);
        // A child that does not inherit the scale can undo only one that is equal in all directions.
        let is_ignored = targets.iter().any(|target| {
            let mut factors = target.scaling.factors.iter();
            factors.any(|factor| factor.joint == Some(index))
        });
        let moved = clips
            .iter()
            .filter_map(|clip| clip.joints.get(index))
            .any(|tracks| {
                let stretches = tracks.scale.as_ref().is_some_and(|track| {
                    (0..track.key_count())
                        .any(|key| is_stretched(track.key_value(key), joint.rest.scale))
                });
                if is_ignored && stretches {
                    return true;
                }
                if target.is_none() && !is_helper {
                    return !tracks.is_empty();
                }
                let scales = tracks.scale.as_ref().is_some_and(|track| {
                    is_owner && !(track.is_constant() && track.key_value(0) == joint.rest.scale)
                });
                let moves = tracks.translation.is_some() || tracks.rotation.is_some();
                scales || (is_helper && moves)
            });
        if moved {
            lost.push(skeleton.unique_name(index).to_owned());
        }
    }
    if lost.is_empty() {
        return Vec::new();
    }
    vec![Warning::new(
        "fbx-track-not-kept",
        format!(
            "{} joints have tracks that the objects of the target cannot have: {}",
            lost.len(),
            lost.join(", ")
        ),
        "read the target again and retarget onto what was read; do not move scale helpers",
    )]
}

/// True where a scale changed by unlike factors in different directions.
fn is_stretched(scale: Vec3, rest: Vec3) -> bool {
    let factors = scale / rest;
    !(factors.max_element() - factors.min_element()).le(&1e-4)
}

/// The blend shape channels for the morph curves of a clip, and the names of all curves without one.
pub(super) fn find_morphs(scene: &Scene, clip: &Clip) -> (Vec<MorphTarget>, Vec<String>) {
    let channels = if clip.curves.is_empty() {
        Vec::new()
    } else {
        morph_channels(scene)
    };
    let mut found: Vec<MorphTarget> = Vec::new();
    let mut lost = Vec::new();
    for (index, curve) in clip.curves.iter().enumerate() {
        let place = match curve.target() {
            CurveTarget::Morph { mesh, name } if curve.components() == 1 => {
                find_channel(&channels, mesh, name)
            }
            _ => None,
        };
        match place {
            Some(channel) if !found.iter().any(|other| other.object == channel.object) => {
                found.push(MorphTarget {
                    object: channel.object,
                    curve: index,
                });
            }
            _ => lost.push(name_of(curve)),
        }
    }
    (found, lost)
}

/// The channel of a name: of that mesh, else of any; and spelled the same, else nearly.
fn find_channel<'c>(
    channels: &'c [MorphChannel],
    mesh: &String,
    name: &str,
) -> Option<&'c MorphChannel> {
    let plain = plain_name(name);
    let exact = |channel: &MorphChannel| channel.name == name;
    let nearly = |channel: &MorphChannel| !plain.is_empty() && channel.plain_name == plain;
    let matches: [&dyn Fn(&MorphChannel) -> bool; 2] = [&exact, &nearly];
    let of_mesh = matches.iter().find_map(|matches| {
        let mut own = channels
            .iter()
            .filter(|channel| channel.meshes.contains(mesh));
        own.find(|channel| matches(channel))
    });
    of_mesh.or_else(|| {
        let mut by_name = matches.iter();
        by_name.find_map(|matches| channels.iter().find(|channel| matches(channel)))
    })
}

struct MorphChannel {
    object: i64,
    name: String,
    plain_name: String,
    /// Names of its mesh and of that mesh's nodes.
    meshes: Vec<String>,
}

fn morph_channels(scene: &Scene) -> Vec<MorphChannel> {
    let mut found = Vec::new();
    for mesh in &scene.meshes {
        let nodes = (&mesh.element.instances).into_iter();
        let mut meshes: Vec<String> = nodes.map(|node| node.element.name.to_string()).collect();
        meshes.push(mesh.element.name.to_string());
        let channels = (&mesh.blend_deformers)
            .into_iter()
            .flat_map(|deformer| &deformer.channels);
        for (place, channel) in channels.enumerate() {
            let name = match &*channel.element.name {
                "" => format!("morph_{place}"),
                name => name.to_owned(),
            };
            found.extend(object_id(&channel.element).map(|object| MorphChannel {
                object,
                plain_name: plain_name(&name),
                name,
                meshes: meshes.clone(),
            }));
        }
    }
    found
}

/// What a curve moves, in words.
pub(super) fn name_of(curve: &Curve) -> String {
    match curve.target() {
        CurveTarget::Morph { mesh, name } => format!("morph \"{name}\" of \"{mesh}\""),
        CurveTarget::Expression { name, .. } => format!("expression \"{name}\""),
        CurveTarget::LookAt { .. } => "gaze".to_owned(),
        CurveTarget::Property { path } => format!("property {path}"),
    }
}

/// One warning that names the curves that a file cannot hold.
pub(super) fn curves_not_kept(mut names: Vec<String>) -> Option<Warning> {
    names.sort();
    names.dedup();
    (!names.is_empty()).then(|| {
        Warning::new(
            "curve-not-kept",
            format!("the target has nothing for {}", names.join(", ")),
            "the motion of the joints is complete; the file needs morph targets of these names for the rest",
        )
    })
}
