//! Which nodes are joints, and which joints make one character.
//!
//! Joints are the nodes of skins, animated nodes, labelled nodes and everything between two of those.
//! Joints of one skin, labelled joints, and joints that lie one above the other belong together. In a
//! file without any skin, so do all joints of one tree, and the joints' other descendants without
//! geometry are joints too: a motion need not move every joint of its skeleton.

use crate::{Error, Limits};
use rebone_model::{JointKind, Skeleton};

/// Skeletons may share their ancestors; all together they may hold this many times the node limit.
const SHARED_ANCESTORS: usize = 16;

/// The node tree of a file.
pub(crate) struct Tree<'a> {
    /// Parent of each node.
    pub parents: &'a [Option<usize>],
    /// All nodes, parents before their children.
    pub order: &'a [usize],
    /// Topmost node above each node (itself for a root).
    pub roots: &'a [usize],
    /// Nodes that carry a mesh, a camera or a light.
    pub shows: &'a [bool],
}

/// What makes a node a joint.
pub(crate) struct Evidence<'a> {
    /// The joints of each skin, all of them nodes of the tree.
    pub skins: &'a [&'a [usize]],
    /// Nodes with a translation, rotation or scale channel, and those that the file calls bones.
    pub animated: &'a [bool],
    /// Nodes with a label.
    pub labelled: &'a [usize],
    /// Nodes that carry something else than motion (VRMA's expressions) and are never joints.
    pub excluded: &'a [bool],
}

/// The nodes of one character.
pub(crate) struct Group {
    /// Joints and all nodes above them, in file order.
    pub nodes: Vec<usize>,
    /// For each of `nodes`: true for a joint, false for an ancestor.
    pub is_joint: Vec<bool>,
    /// Lowest index of a skin over these joints.
    pub first_skin: Option<usize>,
}

/// Groups joints into characters: those with a skin first, then the others, in file order.
#[cfg(feature = "gltf")]
pub(crate) fn group(
    tree: &Tree<'_>,
    evidence: &Evidence<'_>,
    limits: &Limits,
) -> Result<Vec<Group>, Error> {
    group_with(tree, evidence, &[], limits)
}

/// Like `group`; joints of one list of `together` belong together, too.
pub(crate) fn group_with(
    tree: &Tree<'_>,
    evidence: &Evidence<'_>,
    together: &[Vec<usize>],
    limits: &Limits,
) -> Result<Vec<Group>, Error> {
    let count = tree.parents.len();
    let mut is_joint = evidence.animated.to_vec();
    for (node, excluded) in evidence.excluded.iter().enumerate() {
        is_joint[node] &= !excluded;
    }
    for &node in evidence.skins.iter().copied().flatten() {
        is_joint[node] = true;
    }
    for &node in evidence.labelled {
        is_joint[node] = true;
    }
    let has_skins = evidence.skins.iter().any(|skin| !skin.is_empty());
    let geometry = with_geometry(tree);
    if is_joint.contains(&true) {
        add_between(tree, &mut is_joint);
        if !has_skins {
            add_descendants(tree, evidence.excluded, &geometry, &mut is_joint);
        }
    } else {
        add_static_trees(tree, &mut is_joint);
    }

    let mut sets = DisjointSets::new(count);
    for node in (0..count).filter(|&node| is_joint[node]) {
        match tree.parents[node] {
            Some(parent) if is_joint[parent] => sets.unite(parent, node),
            _ if !has_skins => sets.unite(tree.roots[node], node),
            _ => {}
        }
    }
    let lists = evidence.skins.iter().copied().chain([evidence.labelled]);
    for list in lists.chain(together.iter().map(Vec::as_slice)) {
        for pair in list.windows(2) {
            sets.unite(pair[0], pair[1]);
        }
    }
    collect(tree, evidence.skins, &is_joint, &mut sets, limits)
}

/// Marks nodes with a joint above and a joint below them.
fn add_between(tree: &Tree<'_>, is_joint: &mut [bool]) {
    let mut joint_below = vec![false; is_joint.len()];
    for &node in tree.order.iter().rev() {
        if let Some(parent) = tree.parents[node] {
            joint_below[parent] |= joint_below[node] || is_joint[node];
        }
    }
    // Parents come first, so that a marked parent stands for any joint above.
    for &node in tree.order {
        let below_joint = tree.parents[node].is_some_and(|parent| is_joint[parent]);
        is_joint[node] |= below_joint && joint_below[node];
    }
}

/// Marks what hangs below joints and holds no geometry.
fn add_descendants(tree: &Tree<'_>, excluded: &[bool], geometry: &[bool], is_joint: &mut [bool]) {
    for &node in tree.order {
        let below_joint = tree.parents[node].is_some_and(|parent| is_joint[parent]);
        is_joint[node] |= below_joint && !geometry[node] && !excluded[node];
    }
}

/// Without any evidence, every tree of two nodes or more that is not only geometry is a skeleton.
fn add_static_trees(tree: &Tree<'_>, is_joint: &mut [bool]) {
    let mut is_parent = vec![false; is_joint.len()];
    for &parent in tree.parents.iter().flatten() {
        is_parent[parent] = true;
    }
    let keeps = |node: usize| is_parent[node] || !tree.shows[node];
    let mut sizes = vec![0usize; is_joint.len()];
    for &node in tree.order.iter().filter(|&&node| keeps(node)) {
        sizes[tree.roots[node]] += 1;
    }
    for &node in tree.order {
        is_joint[node] = keeps(node) && sizes[tree.roots[node]] >= 2;
    }
}

/// For each node, whether it or something below it has a mesh or a camera.
fn with_geometry(tree: &Tree<'_>) -> Vec<bool> {
    let mut geometry = tree.shows.to_vec();
    for &node in tree.order.iter().rev() {
        if let Some(parent) = tree.parents[node] {
            geometry[parent] |= geometry[node];
        }
    }
    geometry
}

fn collect(
    tree: &Tree<'_>,
    skins: &[&[usize]],
    is_joint: &[bool],
    sets: &mut DisjointSets,
    limits: &Limits,
) -> Result<Vec<Group>, Error> {
    let count = is_joint.len();
    let mut group_of_set: Vec<Option<usize>> = vec![None; count];
    let mut joints: Vec<Vec<usize>> = Vec::new();
    for node in (0..count).filter(|&node| is_joint[node]) {
        let group = *group_of_set[sets.find(node)].get_or_insert_with(|| {
            joints.push(Vec::new());
            joints.len() - 1
        });
        joints[group].push(node);
    }
    let mut first_skins: Vec<Option<usize>> = vec![None; joints.len()];
    for (index, skin) in skins.iter().enumerate() {
        let group = skin.first().and_then(|&node| group_of_set[sets.find(node)]);
        if let Some(group) = group {
            first_skins[group].get_or_insert(index);
        }
    }
    let mut total = 0usize;
    let mut seen_by: Vec<usize> = vec![usize::MAX; count];
    let mut groups = Vec::with_capacity(joints.len());
    for (index, (mut nodes, first_skin)) in joints.into_iter().zip(first_skins).enumerate() {
        for &node in &nodes {
            seen_by[node] = index;
        }
        for place in 0..nodes.len() {
            let mut at = tree.parents[nodes[place]];
            while let Some(above) = at.filter(|&above| seen_by[above] != index) {
                seen_by[above] = index;
                nodes.push(above);
                at = tree.parents[above];
            }
        }
        total += nodes.len();
        if total > limits.nodes.saturating_mul(SHARED_ANCESTORS) {
            return Err(Error::limit(
                format!("the skeletons hold more than {total} nodes together"),
                "nodes",
                "raise the limit, or split the file",
            ));
        }
        nodes.sort_unstable();
        let own: Vec<bool> = nodes
            .iter()
            .map(|&node| is_joint[node] && group_of_set[sets.find(node)] == Some(index))
            .collect();
        groups.push(Group {
            nodes,
            is_joint: own,
            first_skin,
        });
    }
    groups.sort_by_key(|group| group.first_skin.unwrap_or(usize::MAX));
    Ok(groups)
}

/// The name of the topmost joint; among several the one with the most joints below it.
pub(crate) fn character_name(skeleton: &Skeleton) -> String {
    let joints = skeleton.joints();
    let mut sizes = vec![1usize; joints.len()];
    for (index, joint) in joints.iter().enumerate().rev() {
        if let Some(parent) = joint.parent {
            sizes[parent] += sizes[index];
        }
    }
    let mut best: Option<(usize, &str)> = None;
    for (joint, &size) in joints.iter().zip(&sizes) {
        let below_joint = joint
            .parent
            .is_some_and(|parent| joints[parent].kind == JointKind::Joint);
        let is_top = joint.kind == JointKind::Joint && !below_joint;
        if is_top && best.is_none_or(|(largest, _)| size > largest) {
            best = Some((size, &joint.name));
        }
    }
    best.map(|(_, name)| name.to_owned()).unwrap_or_default()
}

/// Union-find over nodes.
struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
    fn new(count: usize) -> Self {
        Self {
            parents: (0..count).collect(),
        }
    }

    fn find(&mut self, mut node: usize) -> usize {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
