//! The hierarchy of joints.

use crate::pose::LocalPose;
use crate::transform::Transform;
use glam::Vec3;

/// What a node of the hierarchy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JointKind {
    /// A joint of the character.
    Joint,
    /// A node above the skeleton (an armature, a container). It takes part in every product of
    /// transforms but is no joint of the character.
    Ancestor,
}

/// One node of a [`Skeleton`].
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The file's own name; `node_N` where the file gives none. Need not be unique.
    pub name: String,
    /// Index of the parent, always smaller than this joint's own index; `None` for a root.
    pub parent: Option<usize>,
    /// Rest pose: the file's default local transform.
    pub rest: Transform,
    /// Joint or a node above the skeleton.
    pub kind: JointKind,
    /// Index of the node in the file it came from (or was added to the builder).
    pub node: u32,
    /// Where a leaf ends, in its own space (a BVH `End Site`), where the file says so.
    pub end: Option<Vec3>,
}

/// A validated hierarchy of joints: parents come before their children, all numbers are finite.
///
/// Made by [`SkeletonBuilder`](crate::SkeletonBuilder). It may have several roots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    pub(crate) joints: Vec<Joint>,
    pub(crate) unique_names: Vec<String>,
}

/// Why a name does not lead to a joint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindJointError {
    /// No joint is called so.
    Missing {
        /// What was looked for.
        name: String,
        /// The joint with the most similar name.
        nearest: Option<String>,
    },
    /// Several joints are called so; their unique names tell them apart.
    Ambiguous {
        /// What was looked for.
        name: String,
        /// The unique names of all that match.
        candidates: Vec<String>,
    },
}

impl std::fmt::Display for FindJointError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing { name, nearest } => {
                write!(formatter, "no joint is named \"{name}\"")?;
                match nearest {
                    Some(nearest) => write!(formatter, "; the nearest name is \"{nearest}\""),
                    None => Ok(()),
                }
            }
            Self::Ambiguous { name, candidates } => write!(
                formatter,
                "{} joints are named \"{name}\"; use one of the paths {}",
                candidates.len(),
                candidates.join(", ")
            ),
        }
    }
}

impl std::error::Error for FindJointError {}

impl Skeleton {
    /// All nodes, parents before children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Number of nodes, ancestors included.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// True for a skeleton without any node.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Parent of a joint.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.joints[joint].parent
    }

    /// Children of a joint, in order.
    pub fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        self.joints
            .iter()
            .enumerate()
            .skip(joint + 1)
            .filter(move |(_, child)| child.parent == Some(joint))
            .map(|(index, _)| index)
    }

    /// The parent, its parent, and so on up to the root.
    pub fn ancestors(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent(joint), |&ancestor| self.parent(ancestor))
    }

    /// True where `ancestor` is somewhere above `joint`.
    pub fn is_ancestor(&self, ancestor: usize, joint: usize) -> bool {
        self.ancestors(joint).any(|above| above == ancestor)
    }

    /// A name that no other joint has: the joint's own, or as much of its path
    /// (`Armature/Head`) as tells it apart.
    pub fn unique_name(&self, joint: usize) -> &str {
        &self.unique_names[joint]
    }

    /// The joint with this unique name, this path, or this name where only one joint has it.
    pub fn find(&self, name: &str) -> Result<usize, FindJointError> {
        if let Some(joint) = self.unique_names.iter().position(|unique| unique == name) {
            return Ok(joint);
        }
        let matches = |joint: usize| {
            let mut rest = name;
            let mut at = Some(joint);
            while let Some(index) = at {
                let own = self.joints[index].name.as_str();
                if rest == own {
                    return true;
                }
                let Some(above) = rest.strip_suffix(own).and_then(|r| r.strip_suffix('/')) else {
                    return false;
                };
                rest = above;
                at = self.parent(index);
            }
            false
        };
        let found: Vec<usize> = (0..self.len()).filter(|&joint| matches(joint)).collect();
        match found.as_slice() {
            [joint] => Ok(*joint),
            [] => Err(FindJointError::Missing {
                name: name.to_owned(),
                nearest: self.nearest_name(name),
            }),
            several => Err(FindJointError::Ambiguous {
                name: name.to_owned(),
                candidates: several
                    .iter()
                    .map(|&j| self.unique_names[j].clone())
                    .collect(),
            }),
        }
    }

    /// The rest pose: every joint's default local transform.
    pub fn rest_pose(&self) -> LocalPose {
        LocalPose::new(self.joints.iter().map(|joint| joint.rest).collect())
    }

    fn nearest_name(&self, name: &str) -> Option<String> {
        let wanted = name.to_lowercase();
        self.unique_names
            .iter()
            .map(|candidate| (edit_distance(&wanted, &candidate.to_lowercase()), candidate))
            .min_by_key(|(distance, _)| *distance)
            .filter(|(distance, _)| *distance <= wanted.chars().count().div_ceil(2))
            .map(|(_, candidate)| candidate.clone())
    }
}

/// Levenshtein distance in characters: how many must be added, removed or replaced.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
