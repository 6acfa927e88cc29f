//! Nodes to skeletons: which are joints, of which character, and where each rests.

use super::local_transform::{Constants, Local, Values};
use super::sources::{StackSources, animated_nodes};
use crate::fbx::scene::EXPORT_AGAIN;
use crate::grouping::{Evidence, Group, Tree, group_with};
use crate::{Error, Limits};
use rebone_model::{
    Character, JointKind, NewJoint, Skeleton, SkeletonBuilder, SkeletonError, Transform,
};
use ufbx::{ElementType, Node, Scene, SkinDeformer};

/// Where nodes have gone.
pub(super) struct Places {
    /// Character and joint that stand for each node; ancestors too, where no character has the node as
    /// a joint.
    pub of_node: Vec<Option<(usize, usize)>>,
}

impl Places {
    /// Character and joint of a node or of the nearest node above it.
    pub(super) fn carrier<'a>(&self, node: &'a Node) -> Option<((usize, usize), &'a Node)> {
        let mut at = node;
        loop {
            let place = self.of_node.get(at.element.typed_id as usize);
            if let Some(&Some(place)) = place {
                return Some((place, at));
            }
            at = at.parent.as_ref()?.as_ref();
        }
    }

    /// The character that a mesh belongs to: that of its skin, or of what carries it.
    pub(super) fn character_of_mesh(&self, scene: &Scene, mesh: usize) -> Option<usize> {
        let mesh = scene.meshes.as_ref().get(mesh)?;
        let skins = &mesh.skin_deformers;
        let joint = skins.into_iter().find_map(|skin| joints_of(skin).next());
        let node = joint.or_else(|| mesh.element.instances.as_ref().first().map(AsRef::as_ref))?;
        let found = self.carrier(node).map(|((character, _), _)| character);
        // What hangs from nothing that moves goes with the first character.
        found.or_else(|| self.of_node.iter().flatten().map(|&(c, _)| c).min())
    }
}

/// The nodes of a skin's clusters.
fn joints_of(skin: &SkinDeformer) -> impl Iterator<Item = &Node> {
    (&skin.clusters)
        .into_iter()
        .filter_map(|cluster| cluster.bone_node.as_ref().map(AsRef::as_ref))
}

/// The file's own name, or `node_N`; a scale helper is named for its owner.
pub(super) fn name(node: &Node) -> String {
    if let Some(owner) = node.parent.as_ref().filter(|_| node.is_scale_helper) {
        return format!("{}_scale", name(owner));
    }
    match &*node.element.name {
        "" => format!("node_{}", node.element.typed_id),
        name => name.to_owned(),
    }
}

/// Makes the characters, without anything but their skeletons.
pub(super) fn read_characters(
    scene: &Scene,
    stacks: &[StackSources<'_>],
    limits: &Limits,
) -> Result<(Vec<Character>, Places), Error> {
    let count = scene.nodes.count;
    let groups = find_groups(scene, stacks, limits)?;
    let mut characters = Vec::with_capacity(groups.len());
    let mut of_node: Vec<Option<(usize, usize)>> = vec![None; count];
    let mut above: Vec<Option<(usize, usize)>> = vec![None; count];
    for group in &groups {
        let (skeleton, joints) = build(scene, group)?;
        for ((&node, &is_joint), &joint) in group.nodes.iter().zip(&group.is_joint).zip(&joints) {
            let place = Some((characters.len(), joint));
            if is_joint {
                of_node[node] = place;
            } else {
                above[node] = above[node].or(place);
            }
        }
        characters.push(Character {
            name: crate::grouping::character_name(&skeleton),
            skeleton,
            ..Character::default()
        });
    }
    for (place, above) in of_node.iter_mut().zip(above) {
        *place = place.or(above);
    }
    Ok((characters, Places { of_node }))
}

fn find_groups(
    scene: &Scene,
    stacks: &[StackSources<'_>],
    limits: &Limits,
) -> Result<Vec<Group>, Error> {
    let count = scene.nodes.count;
    let mut parents: Vec<Option<usize>> = vec![None; count];
    let mut roots: Vec<usize> = (0..count).collect();
    let mut order = Vec::with_capacity(count);
    let mut shows = vec![false; count];
    let mut animated = animated_nodes(scene, stacks);
    let mut excluded = vec![false; count];
    // Parents come before their children.
    for (index, node) in (&scene.nodes).into_iter().enumerate() {
        order.push(index);
        excluded[index] = node.is_root;
        shows[index] = shows_something(node);
        animated[index] |= is_bone(node);
        let parent = node.parent.as_ref().filter(|parent| !parent.is_root);
        let parent = parent.map(|parent| parent.element.typed_id as usize);
        if let Some(parent) = parent.filter(|&parent| parent < index) {
            parents[index] = Some(parent);
            roots[index] = roots[parent];
        }
    }
    // A scale helper belongs to its owner.
    for (index, node) in (&scene.nodes).into_iter().enumerate() {
        if let Some(owner) = parents[index].filter(|_| node.is_scale_helper) {
            animated[index] = animated[owner] || animated[index];
        }
    }
    let skins = joints_of_skins(scene);
    let skins: Vec<&[usize]> = skins.iter().map(Vec::as_slice).collect();
    let tree = Tree {
        parents: &parents,
        order: &order,
        roots: &roots,
        shows: &shows,
    };
    let evidence = Evidence {
        skins: &skins,
        animated: &animated,
        labelled: &[],
        excluded: &excluded,
    };
    let bones: Vec<bool> = (&scene.nodes).into_iter().map(is_bone).collect();
    let siblings = sibling_bones(&parents, &bones);
    let mut groups = group_with(&tree, &evidence, &siblings, limits)?;
    retain_characters(&mut groups, &bones);
    Ok(groups)
}

/// The indices of the nodes of each skin.
fn joints_of_skins(scene: &Scene) -> Vec<Vec<usize>> {
    (&scene.skin_deformers)
        .into_iter()
        .map(|skin| {
            joints_of(skin)
                .filter(|node| !node.is_root)
                .map(|node| node.element.typed_id as usize)
                .collect()
        })
        .collect()
}

/// Removes animated cameras, lamps and props if there are bones or skins, which make characters. Skins come first, then bones.
fn retain_characters(groups: &mut Vec<Group>, bones: &[bool]) {
    let has_bones = |group: &Group| {
        let mut joints = group.nodes.iter().zip(&group.is_joint);
        group.first_skin.is_some() || joints.any(|(&node, joint)| *joint && bones[node])
    };
    if groups.iter().any(has_bones) {
        groups.retain(|group| {
            let joints = group.is_joint.iter().filter(|&&is_joint| is_joint);
            has_bones(group) || joints.count() > 1
        });
    }
    groups.sort_by_key(|group| (group.first_skin.unwrap_or(usize::MAX), !has_bones(group)));
}

fn is_bone(node: &Node) -> bool {
    node.bone.as_ref().is_some_and(|_| !node.is_root)
}

/// Bones below one node that is no bone itself, an armature: they belong together, whatever skins say.
fn sibling_bones(parents: &[Option<usize>], bones: &[bool]) -> Vec<Vec<usize>> {
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for (node, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent.filter(|&parent| bones[node] && !bones[parent]) {
            below[parent].push(node);
        }
    }
    below.retain(|siblings| siblings.len() > 1);
    below
}

/// True for a node with a mesh, a camera or a light; bones, nulls and markers show nothing.
fn shows_something(node: &Node) -> bool {
    (&node.all_attribs).into_iter().any(|attribute| {
        !matches!(
            attribute.type_,
            ElementType::Unknown
                | ElementType::Bone
                | ElementType::Empty
                | ElementType::Marker
                | ElementType::LodGroup
        )
    })
}

/// The skeleton of a group and, for each of its nodes, the index of its joint.
fn build(scene: &Scene, group: &Group) -> Result<(Skeleton, Vec<usize>), Error> {
    let mut builder = SkeletonBuilder::new();
    for (&index, &is_joint) in group.nodes.iter().zip(&group.is_joint) {
        let Some(node) = scene.nodes.as_ref().get(index) else {
            continue;
        };
        let parent = node.parent.as_ref().filter(|parent| !parent.is_root);
        let parent = parent.map(|parent| parent.element.typed_id as usize);
        builder.add(NewJoint {
            // All nodes above are in the group too, so the search always succeeds.
            parent: parent.and_then(|parent| group.nodes.binary_search(&parent).ok()),
            kind: if is_joint {
                JointKind::Joint
            } else {
                JointKind::Ancestor
            },
            node: node.element.typed_id,
            ..NewJoint::new(name(node), None, rest(node))
        });
    }
    builder.build().map_err(|error| {
        let what = error.to_string();
        match error {
            SkeletonError::TooDeep { joint } => {
                Error::limit(what, format!("Model \"{joint}\""), "flatten the hierarchy")
            }
            SkeletonError::Cycle { joint }
            | SkeletonError::ParentOutOfRange { joint }
            | SkeletonError::NotFinite { joint } => {
                Error::malformed(what, format!("Model \"{joint}\""), EXPORT_AGAIN)
            }
        }
    })
}

/// The default local transform, by the same arithmetic as that of the clips.
pub(super) fn rest(node: &Node) -> Transform {
    let local = match Constants::of(node) {
        Some(constants) => {
            let values = Values::of(node);
            Local {
                translation: constants.translation(&values),
                rotation: constants.rotation(values.rotation),
                scale: constants.scale(values.scale),
            }
        }
        None => Local::from_ufbx(&node.local_transform),
    };
    Transform {
        translation: local.translation.as_vec3(),
        rotation: local.rotation.as_quat(),
        scale: local.scale.as_vec3(),
    }
}
