//! Builds a [`Skeleton`] from joints in any order, or says what is wrong with them.

use crate::skeleton::{Joint, JointKind, Skeleton};
use crate::transform::Transform;
use crate::usable::is_usable_vector;
use glam::Vec3;
use std::collections::BTreeMap;

/// A joint as a file gives it. Its `parent` is an index into the list given to the builder.
#[derive(Clone, Debug)]
pub struct NewJoint {
    /// The file's own name.
    pub name: String,
    /// Index of the parent among the joints added to the builder.
    pub parent: Option<usize>,
    /// Default local transform; its rotation is normalised on the way in.
    pub rest: Transform,
    /// Joint or a node above the skeleton.
    pub kind: JointKind,
    /// Index of the node in the file.
    pub node: u32,
    /// Where a leaf ends, in its own space.
    pub end: Option<Vec3>,
}

impl NewJoint {
    /// A joint without end point whose node index is its place in the builder.
    pub fn new(name: impl Into<String>, parent: Option<usize>, rest: Transform) -> Self {
        Self {
            name: name.into(),
            parent,
            rest,
            kind: JointKind::Joint,
            node: u32::MAX,
            end: None,
        }
    }
}

/// Why joints do not make a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkeletonError {
    /// The joints' parents form a loop through this joint.
    Cycle {
        /// Name of one joint in the loop.
        joint: String,
    },
    /// A joint names a parent that does not exist.
    ParentOutOfRange {
        /// Name of the joint.
        joint: String,
    },
    /// A joint's rest transform holds NaN, a number beyond [`LARGEST`](crate::usable::LARGEST) or a zero rotation.
    NotFinite {
        /// Name of the joint.
        joint: String,
    },
    /// The hierarchy is deeper than [`SkeletonBuilder::MAX_DEPTH`].
    TooDeep {
        /// Name of a joint below the limit.
        joint: String,
    },
}

impl std::fmt::Display for SkeletonError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cycle { joint } => write!(formatter, "joint \"{joint}\" is its own ancestor"),
            Self::ParentOutOfRange { joint } => {
                write!(formatter, "the parent of joint \"{joint}\" does not exist")
            }
            Self::NotFinite { joint } => write!(
                formatter,
                "the rest transform of joint \"{joint}\" is not finite or beyond 1e18"
            ),
            Self::TooDeep { joint } => write!(
                formatter,
                "joint \"{joint}\" lies deeper than {} levels",
                SkeletonBuilder::MAX_DEPTH
            ),
        }
    }
}

impl std::error::Error for SkeletonError {}

/// Collects joints in any order and builds a [`Skeleton`].
#[derive(Clone, Debug, Default)]
pub struct SkeletonBuilder {
    joints: Vec<NewJoint>,
}

impl SkeletonBuilder {
    /// The deepest hierarchy that is accepted, in levels.
    pub const MAX_DEPTH: usize = 2_048;

    /// No joints yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a joint and returns its index among the added ones.
    pub fn add(&mut self, mut joint: NewJoint) -> usize {
        let index = self.joints.len();
        if joint.node == u32::MAX {
            joint.node = u32::try_from(index).unwrap_or(u32::MAX);
        }
        self.joints.push(joint);
        index
    }

    /// Sorts parents before children (otherwise keeping the order of adding), checks everything,
    /// and makes unique names. The second value gives, for each added joint, its index in the skeleton.
    pub fn build(self) -> Result<(Skeleton, Vec<usize>), SkeletonError> {
        let order = self.parents_first()?;
        let mut index_of = vec![0; order.len()];
        for (new_index, &old_index) in order.iter().enumerate() {
            index_of[old_index] = new_index;
        }
        let mut joints = Vec::with_capacity(order.len());
        for &old_index in &order {
            let joint = &self.joints[old_index];
            if !joint.rest.is_usable() || joint.end.is_some_and(|end| !is_usable_vector(end)) {
                return Err(SkeletonError::NotFinite {
                    joint: joint.name.clone(),
                });
            }
            let mut rest = joint.rest;
            if (rest.rotation.length_squared() - 1.0).abs() > 1e-5 {
                rest.rotation = crate::rotation::normalized_or_identity(rest.rotation);
            }
            joints.push(Joint {
                name: joint.name.clone(),
                parent: joint.parent.map(|parent| index_of[parent]),
                rest,
                kind: joint.kind,
                node: joint.node,
                end: joint.end,
            });
        }
        let unique_names = unique_names(&joints);
        Ok((
            Skeleton {
                joints,
                unique_names,
            },
            index_of,
        ))
    }

    fn parents_first(&self) -> Result<Vec<usize>, SkeletonError> {
        let count = self.joints.len();
        let mut depth: Vec<Option<usize>> = vec![None; count];
        for start in 0..count {
            let mut path = Vec::new();
            let mut at = start;
            let mut base = loop {
                if let Some(known) = depth[at] {
                    break known + 1;
                }
                path.push(at);
                if path.len() > count {
                    return Err(SkeletonError::Cycle {
                        joint: self.joints[start].name.clone(),
                    });
                }
                match self.joints[at].parent {
                    None => break 0,
                    Some(parent) if parent < count => at = parent,
                    Some(_) => {
                        return Err(SkeletonError::ParentOutOfRange {
                            joint: self.joints[at].name.clone(),
                        });
                    }
                }
            };
            for &joint in path.iter().rev() {
                if base >= Self::MAX_DEPTH {
                    return Err(SkeletonError::TooDeep {
                        joint: self.joints[joint].name.clone(),
                    });
                }
                depth[joint] = Some(base);
                base += 1;
            }
        }
        let mut order: Vec<usize> = (0..count).collect();
        let already_sorted = order.iter().all(|&joint| {
            self.joints[joint]
                .parent
                .is_none_or(|parent| parent < joint)
        });
        if !already_sorted {
            order.sort_by_key(|&joint| depth[joint]);
        }
        Ok(order)
    }
}

/// Levels of its path that a name may take in; beyond them the node's index tells joints apart. Keeps deep
/// chains of equal names cheap.
const NAME_LEVELS: usize = 8;

/// For each joint the shortest end of its path that no other joint shares.
fn unique_names(joints: &[Joint]) -> Vec<String> {
    let mut names: Vec<String> = joints.iter().map(|joint| joint.name.clone()).collect();
    let mut next_above: Vec<Option<usize>> = joints.iter().map(|joint| joint.parent).collect();
    let mut levels = 1;
    loop {
        let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, name) in names.iter().enumerate() {
            holders.entry(name).or_default().push(index);
        }
        let clashing: Vec<usize> = holders
            .into_values()
            .filter(|indices| indices.len() > 1)
            .flatten()
            .collect();
        if clashing.is_empty() {
            return names;
        }
        let mut changed = false;
        levels += 1;
        for &index in clashing.iter().filter(|_| levels <= NAME_LEVELS) {
            if let Some(above) = next_above[index] {
                names[index] = format!("{}/{}", joints[above].name, names[index]);
                next_above[index] = joints[above].parent;
                changed = true;
            }
        }
        if !changed {
            for &index in &clashing {
                names[index] = format!("{}#{}", names[index], joints[index].node);
            }
            return names;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::FindJointError;

    fn joint(name: &str, parent: Option<usize>) -> NewJoint {
        NewJoint::new(name, parent, Transform::IDENTITY)
    }

    fn build(joints: Vec<NewJoint>) -> Result<(Skeleton, Vec<usize>), SkeletonError> {
        let mut builder = SkeletonBuilder::new();
        for joint in joints {
            builder.add(joint);
        }
        builder.build()
    }

    #[test]
    fn children_before_parents_are_sorted() {
        let (skeleton, index_of) = build(vec![
            joint("hand", Some(1)),
            joint("arm", Some(2)),
            joint("root", None),
        ])
        .unwrap();
        let names: Vec<&str> = skeleton.joints().iter().map(|j| j.name.as_str()).collect();
        assert_eq!(names, ["root", "arm", "hand"]);
        assert_eq!(index_of, [2, 1, 0]);
        assert_eq!(skeleton.children(0).collect::<Vec<_>>(), [1]);
        assert!(skeleton.is_ancestor(0, 2));
    }

    #[test]
    fn loops_and_missing_parents_are_errors() {
        assert_eq!(
            build(vec![joint("a", Some(1)), joint("b", Some(0))]),
            Err(SkeletonError::Cycle { joint: "a".into() })
        );
        assert_eq!(
            build(vec![joint("a", Some(7))]),
            Err(SkeletonError::ParentOutOfRange { joint: "a".into() })
        );
        let mut broken = joint("a", None);
        broken.rest.translation.x = f32::NAN;
        assert_eq!(
            build(vec![broken]),
            Err(SkeletonError::NotFinite { joint: "a".into() })
        );
        let deep = (0..5_000)
            .map(|i: usize| joint("j", i.checked_sub(1)))
            .collect();
        assert!(matches!(build(deep), Err(SkeletonError::TooDeep { .. })));
    }

    #[test]
    fn equal_names_are_told_apart_by_path() {
        let (skeleton, _) = build(vec![
            joint("Armature", None),
            joint("Head", Some(0)),
            joint("Spine", Some(0)),
            joint("Head", Some(2)),
        ])
        .unwrap();
        assert_eq!(skeleton.unique_name(1), "Armature/Head");
        assert_eq!(skeleton.unique_name(3), "Spine/Head");
        assert_eq!(skeleton.find("Armature/Spine/Head"), Ok(3));
        assert_eq!(skeleton.find("Spine"), Ok(2));
        assert!(matches!(
            skeleton.find("Head"),
            Err(FindJointError::Ambiguous { candidates, .. }) if candidates.len() == 2
        ));
        assert_eq!(
            skeleton.find("spin"),
            Err(FindJointError::Missing {
                name: "spin".into(),
                nearest: Some("Spine".into())
            })
        );
    }

    #[test]
    fn a_long_chain_of_equal_names_stays_cheap() {
        let chain: Vec<NewJoint> = (0..2_000)
            .map(|i: usize| joint("a", i.checked_sub(1)))
            .collect();
        let (skeleton, _) = build(chain).unwrap();
        let mut names: Vec<&str> = (0..skeleton.len())
            .map(|j| skeleton.unique_name(j))
            .collect();
        assert!(names.iter().all(|name| name.len() < 30));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 2_000);
    }

    #[test]
    fn equal_siblings_get_their_node_index() {
        let (skeleton, _) = build(vec![
            joint("a", None),
            joint("b", Some(0)),
            joint("b", Some(0)),
        ])
        .unwrap();
        assert_eq!(skeleton.unique_name(1), "a/b#1");
        assert_eq!(skeleton.unique_name(2), "a/b#2");
    }
}
