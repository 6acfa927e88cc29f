//! Reads glTF files: turns JSON and buffers into characters and clips.

mod accessor;
mod animation_json;
mod clips;
mod curves;
mod decompress;
mod hierarchy;
mod materials;
mod meshes;
mod packed;
mod primitive;
mod samplers;
mod skins;

use crate::gltf::buffers::Buffers;
use crate::gltf::json::{Accessor, Buffer, BufferView, Node, Skin, TopLevel};
use crate::gltf::pointers::Pointers;
use crate::gltf::vrm::{VrmData, read_vrm};
use crate::gltf::{EXPORT_AGAIN, glb};
use crate::grouping::{Evidence, Group, Tree, character_name, group};
use crate::{Document, Error, FileSpace, Format, ReadOptions, Resources};
use accessor::Accessors;
use animation_json::{Animation, follow_pointers};
use clips::{JointOfNode, read_clips};
use curves::CurveReader;
use decompress::Decompressed;
use hierarchy::Hierarchy;
use meshes::{MeshContext, find_hulls, read_meshes};
use rebone_model::axes::Axis;
use rebone_model::{
    Character, JointKind, JointLabel, NewJoint, Skeleton, SkeletonBuilder, SkeletonError, Warning,
};
use serde::Deserialize;
use skins::read_skins;
use std::cell::{Cell, OnceCell};

/// Reads a glTF, GLB, VRM or VRMA file.
///
/// Each skeleton becomes one [`Character`] with its skins, labels and clips; characters with a skin
/// come first. [`Joint::node`](rebone_model::Joint::node) is the index into the file's `nodes`.
/// Buffers outside the file are asked of `resources` only when something in them is needed.
///
/// Fails on anything malformed in nodes, skins and animations, with its place in the file, and beyond
/// the limits. Skins and animations whose compression this build cannot read are left out with a warning
/// each, and so are curves that are broken and meshes that cannot be read.
pub fn read(
    bytes: &[u8],
    options: &ReadOptions,
    resources: Resources<'_>,
) -> Result<Document, Error> {
    let parts = glb::split(bytes)?;
    let top = TopLevel::parse(parts.json)?;
    check_version(&top)?;
    let lists = Lists::read(&top, options)?;
    let buffers = Buffers::new(&lists.buffers, parts.bin, resources, options.limits);
    let decompressed = Decompressed::new(lists.views.len());
    let accessors = Accessors {
        accessors: &lists.accessors,
        views: &lists.views,
        buffers: &buffers,
        decompressed: &decompressed,
        limits: options.limits,
        zeros_left: Cell::new(options.limits.values_without_data),
    };

    let mut warnings = Vec::new();
    let hierarchy = Hierarchy::new(&lists.nodes)?;
    let vrm = read_vrm(&top, lists.nodes.len(), &mut warnings)?;
    let contents = Contents {
        top: &top,
        lists: &lists,
        accessors: &accessors,
        hierarchy: &hierarchy,
        vrm: &vrm,
    };
    let characters = contents.read_characters(options, &mut warnings)?;
    let plain = if parts.is_glb {
        Format::Glb
    } else {
        Format::Gltf
    };
    let space = FileSpace {
        meters_per_unit: Some(1.0),
        up: Some(Axis::PositiveY),
        forward: vrm.forward,
    };
    Ok(Document {
        format: vrm.format.unwrap_or(plain),
        space,
        file_space: space,
        characters,
        warnings,
    })
}

/// The lists of a file that describe skeletons and motion.
struct Lists {
    nodes: Vec<Node>,
    skins: Vec<Skin>,
    animations: Vec<Animation>,
    accessors: Vec<Accessor>,
    views: Vec<BufferView>,
    buffers: Vec<Buffer>,
}

impl Lists {
    fn read(top: &TopLevel<'_>, options: &ReadOptions) -> Result<Self, Error> {
        let nodes: Vec<Node> = top.array("nodes")?;
        if nodes.len() > options.limits.nodes {
            return Err(Error::limit(
                format!(
                    "{} nodes are more than the limit of {}",
                    nodes.len(),
                    options.limits.nodes
                ),
                "nodes",
                "raise the limit, or split the file",
            ));
        }
        let skins = top.array("skins")?;
        let mut animations: Vec<Animation> = top.array("animations")?;
        follow_pointers(&mut animations);
        Ok(Self {
            nodes,
            skins,
            animations,
            accessors: top.array("accessors")?,
            views: top.array("bufferViews")?,
            buffers: top.array("buffers")?,
        })
    }
}

/// What characters are made from.
struct Contents<'a> {
    top: &'a TopLevel<'a>,
    lists: &'a Lists,
    accessors: &'a Accessors<'a>,
    hierarchy: &'a Hierarchy<'a>,
    vrm: &'a VrmData,
}

impl Contents<'_> {
    fn read_characters(
        &self,
        options: &ReadOptions,
        warnings: &mut Vec<Warning>,
    ) -> Result<Vec<Character>, Error> {
        let (hierarchy, accessors, vrm) = (self.hierarchy, self.accessors, self.vrm);
        let Lists {
            skins, animations, ..
        } = self.lists;
        let groups = find_groups(hierarchy, skins, animations, vrm, options)?;
        let mut joint_of_node: Vec<Option<(usize, usize)>> = vec![None; hierarchy.nodes.len()];
        let mut characters = build_characters(hierarchy, &groups, &mut joint_of_node, warnings)?;
        add_labels(vrm, &joint_of_node, &mut characters);
        let skin_places = read_skins(skins, accessors, &joint_of_node, &mut characters, warnings)?;
        let curves = CurveReader {
            top: self.top,
            hierarchy,
            vrm,
            joint_of_node: &joint_of_node,
            skin_places: &skin_places,
            pointers: Pointers::new(self.top),
            meshes: OnceCell::new(),
        };
        read_clips(animations, accessors, &curves, &mut characters, warnings)?;
        let mut context = MeshContext {
            top: self.top,
            hierarchy,
            accessors,
            skin_places: &skin_places,
            joint_of_node: &joint_of_node,
            only_hull: true,
        };
        let zeros = options.limits.mesh_values_without_data;
        accessors.zeros_left.set(zeros);
        find_hulls(&context, &mut characters);
        if options.meshes {
            accessors.zeros_left.set(zeros);
            context.only_hull = false;
            read_meshes(&context, &mut characters, warnings)?;
        }
        Ok(characters)
    }
}

fn check_version(top: &TopLevel<'_>) -> Result<(), Error> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Asset {
        version: String,
    }
    let asset: Option<Asset> = top.value("asset")?;
    let Some(asset) = asset else {
        return Err(Error::malformed(
            "the JSON has no \"asset\", so it is no glTF",
            "asset",
            "use a glTF 2.0 file",
        ));
    };
    if asset.version.starts_with("2.") {
        return Ok(());
    }
    Err(Error::unsupported(
        format!("glTF version \"{}\" is not supported", asset.version),
        "asset.version",
        "export the file as glTF 2.0",
    ))
}

fn find_groups(
    hierarchy: &Hierarchy<'_>,
    skins: &[Skin],
    animations: &[Animation],
    vrm: &VrmData,
    options: &ReadOptions,
) -> Result<Vec<Group>, Error> {
    let mut animated = vec![false; hierarchy.nodes.len()];
    for (index, animation) in animations.iter().enumerate() {
        for (place, channel) in animation.channels.iter().enumerate() {
            let Some(node) = channel.target.node else {
                continue;
            };
            if !channel.target.path.is_of_joint() {
                continue;
            }
            let Some(flag) = animated.get_mut(node) else {
                return Err(Error::malformed(
                    format!("node {node} does not exist"),
                    format!("animations[{index}].channels[{place}].target.node"),
                    EXPORT_AGAIN,
                ));
            };
            *flag = true;
        }
    }
    let mut excluded = vec![false; hierarchy.nodes.len()];
    for node in vrm.not_joints() {
        excluded[node] = true;
    }
    for (index, skin) in skins.iter().enumerate() {
        for (slot, &node) in skin.joints.iter().enumerate() {
            if node >= hierarchy.nodes.len() {
                return Err(Error::malformed(
                    format!("node {node} does not exist"),
                    format!("skins[{index}].joints[{slot}]"),
                    EXPORT_AGAIN,
                ));
            }
        }
    }
    let skins: Vec<&[usize]> = skins.iter().map(|skin| skin.joints.as_slice()).collect();
    let shows: Vec<bool> = hierarchy
        .nodes
        .iter()
        .map(|node| node.mesh.is_some() || node.camera.is_some())
        .collect();
    let labelled: Vec<usize> = vrm.labels.iter().map(|&(node, _)| node).collect();
    let evidence = Evidence {
        skins: &skins,
        animated: &animated,
        labelled: &labelled,
        excluded: &excluded,
    };
    let tree = Tree {
        parents: &hierarchy.parents,
        order: &hierarchy.order,
        roots: &hierarchy.roots,
        shows: &shows,
    };
    group(&tree, &evidence, &options.limits)
}

/// Makes the characters, without anything but their skeletons, and says of which joint each node is.
fn build_characters(
    hierarchy: &Hierarchy<'_>,
    groups: &[Group],
    joint_of_node: &mut JointOfNode,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Character>, Error> {
    let mut characters = Vec::with_capacity(groups.len());
    for group in groups {
        let (skeleton, joints) = build_skeleton(hierarchy, group, warnings)?;
        for ((&node, &is_joint), &joint) in group.nodes.iter().zip(&group.is_joint).zip(&joints) {
            if is_joint {
                joint_of_node[node] = Some((characters.len(), joint));
            }
        }
        characters.push(Character {
            name: character_name(&skeleton),
            skeleton,
            ..Character::default()
        });
    }
    Ok(characters)
}

/// The skeleton of a group and, for each of its nodes, the index of its joint.
fn build_skeleton(
    hierarchy: &Hierarchy<'_>,
    group: &Group,
    warnings: &mut Vec<Warning>,
) -> Result<(Skeleton, Vec<usize>), Error> {
    let mut builder = SkeletonBuilder::new();
    for (&node, &is_joint) in group.nodes.iter().zip(&group.is_joint) {
        let parent = hierarchy.parents[node];
        builder.add(NewJoint {
            // All nodes above are in the group too, so the search always succeeds.
            parent: parent.and_then(|parent| group.nodes.binary_search(&parent).ok()),
            kind: if is_joint {
                JointKind::Joint
            } else {
                JointKind::Ancestor
            },
            node: u32::try_from(node).unwrap_or(u32::MAX),
            ..NewJoint::new(hierarchy.name(node), None, hierarchy.rest(node, warnings))
        });
    }
    builder.build().map_err(|error| {
        let name = match &error {
            SkeletonError::Cycle { joint }
            | SkeletonError::ParentOutOfRange { joint }
            | SkeletonError::NotFinite { joint }
            | SkeletonError::TooDeep { joint } => joint,
        };
        let node = group
            .nodes
            .iter()
            .find(|&&node| hierarchy.name(node) == *name);
        let place = node.map_or_else(|| "nodes".to_owned(), |node| format!("nodes[{node}]"));
        Error::malformed(error.to_string(), place, EXPORT_AGAIN)
    })
}

fn add_labels(vrm: &VrmData, joint_of_node: &JointOfNode, characters: &mut [Character]) {
    for (node, label) in &vrm.labels {
        if let Some((character, joint)) = joint_of_node[*node] {
            let character = &mut characters[character];
            vrm.system.clone_into(&mut character.label_system);
            character.labels.push(JointLabel {
                joint,
                label: label.clone(),
            });
        }
    }
}
