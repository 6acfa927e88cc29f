//! The node tree: parents, order and local transforms.

use crate::Error;
use crate::gltf::EXPORT_AGAIN;
use crate::gltf::json::Node;
use rebone_model::{Affine3A, Mat4, Quat, SkeletonBuilder, Transform, Vec3, Warning};

/// Difference between a matrix and its parts above which it is called sheared, relative to its scale.
const SHEAR_TOLERANCE: f32 = 1e-3;

/// The checked node tree.
pub(super) struct Hierarchy<'a> {
    pub nodes: &'a [Node],
    /// Parent of each node.
    pub parents: Vec<Option<usize>>,
    /// All nodes, parents before their children.
    pub order: Vec<usize>,
    /// Topmost node above each node (itself for a root).
    pub roots: Vec<usize>,
}

impl<'a> Hierarchy<'a> {
    /// Checks that the nodes are trees.
    pub(super) fn new(nodes: &'a [Node]) -> Result<Self, Error> {
        let parents = parents_of(nodes)?;
        let mut order: Vec<usize> = (0..nodes.len())
            .filter(|&node| parents[node].is_none())
            .collect();
        let mut roots: Vec<usize> = (0..nodes.len()).collect();
        let mut depths = vec![0usize; nodes.len()];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            if depths[node] >= SkeletonBuilder::MAX_DEPTH {
                return Err(Error::malformed(
                    format!(
                        "nodes lie deeper than {} levels",
                        SkeletonBuilder::MAX_DEPTH
                    ),
                    format!("nodes[{node}]"),
                    "flatten the hierarchy",
                ));
            }
            for &child in &nodes[node].children {
                roots[child] = roots[node];
                depths[child] = depths[node] + 1;
                order.push(child);
            }
        }
        if order.len() < nodes.len() {
            let mut reached = vec![false; nodes.len()];
            for &node in &order {
                reached[node] = true;
            }
            let node = reached.iter().position(|reached| !reached).unwrap_or(0);
            return Err(Error::malformed(
                format!("node {node} is its own ancestor"),
                format!("nodes[{node}]"),
                EXPORT_AGAIN,
            ));
        }
        Ok(Self {
            nodes,
            parents,
            order,
            roots,
        })
    }

    /// The file's own name, or `node_N`.
    pub(super) fn name(&self, node: usize) -> String {
        match self.nodes[node].name.as_deref() {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("node_{node}"),
        }
    }

    /// Parent space from node space, sheared matrices included.
    pub(super) fn local(&self, node: usize) -> Affine3A {
        match &self.nodes[node].matrix {
            Some(matrix) => Affine3A::from_mat4(Mat4::from_cols_array(matrix)),
            None => self.rest(node, &mut Vec::new()).to_affine(),
        }
    }

    /// The default local transform.
    pub(super) fn rest(&self, node: usize, warnings: &mut Vec<Warning>) -> Transform {
        let description = &self.nodes[node];
        if let Some(matrix) = &description.matrix {
            let matrix = Mat4::from_cols_array(matrix);
            let (transform, shear) = Transform::from_matrix(matrix);
            if shear > SHEAR_TOLERANCE {
                warnings.push(
                    Warning::new(
                        "sheared-matrix",
                        format!("the matrix of node {node} shears, which no joint can"),
                        "its nearest translation, rotation and scale are used; \
                         apply transforms before the export",
                    )
                    .at_joint(self.name(node)),
                );
            }
            return transform;
        }
        let mut rotation = description
            .rotation
            .map_or(Quat::IDENTITY, Quat::from_array);
        if rotation.length_squared() == 0.0 {
            warnings.push(
                Warning::new(
                    "zero-rotation",
                    format!("the rotation of node {node} is zero"),
                    "no rotation is assumed; export the file again",
                )
                .at_joint(self.name(node)),
            );
            rotation = Quat::IDENTITY;
        }
        Transform {
            translation: description.translation.map_or(Vec3::ZERO, Vec3::from_array),
            rotation,
            scale: description.scale.map_or(Vec3::ONE, Vec3::from_array),
        }
    }
}

/// The parent of each node. Fails where a child does not exist, or has two parents.
fn parents_of(nodes: &[Node]) -> Result<Vec<Option<usize>>, Error> {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for (place, &child) in node.children.iter().enumerate() {
            let what = match parents.get_mut(child) {
                None => format!("node {child} does not exist"),
                Some(Some(other)) => format!("node {child} is already a child of node {other}"),
                Some(parent) => {
                    *parent = Some(index);
                    continue;
                }
            };
            let place = format!("nodes[{index}].children[{place}]");
            return Err(Error::malformed(what, place, EXPORT_AGAIN));
        }
    }
    Ok(parents)
}
