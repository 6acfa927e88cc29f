//! The reference pose of another file of the same rig, joint by joint.

use super::Alignment;
use super::placement::Placement;
use glam::DQuat;
use rebone_model::{Character, Skeleton};
use std::collections::BTreeMap;

/// A pose from elsewhere: a place for each joint that was found there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenPose {
    /// Canonical, in the other file's unit.
    pub(crate) placements: Vec<Option<Placement>>,
    /// Turns the file's space to canonical space, where the other file shows it.
    pub(crate) canonical_from_file: Option<DQuat>,
}

impl GivenPose {
    /// True where the other file has this joint.
    pub fn has(&self, joint: usize) -> bool {
        self.placements.get(joint).is_some_and(Option::is_some)
    }

    /// The pose of a file whose up and forward axes are those of this file, too: two takes of one capture, say. Axes that
    /// the user states come before these.
    #[must_use]
    pub fn with_axes_of(mut self, other: &Alignment) -> Self {
        self.canonical_from_file = Some(other.canonical_from_file);
        self
    }

    /// Number of joints that were found.
    pub fn found(&self) -> usize {
        self.placements.iter().flatten().count()
    }
}

/// The reference pose of `other` for the joints of `character`, matched by name.
///
/// Names match as they are, else without what stands in front of the last `:` or `|` and whatever the
/// case, with `_` for a space. Where a name stands twice, paths tell; where they do not, the joint counts as not found.
pub fn given_pose(character: &Character, other: &Character, alignment: &Alignment) -> GivenPose {
    let joints = joints_by_name(&character.skeleton, &other.skeleton);
    let placement = |found: Option<usize>| alignment.reference.get(found?).copied();
    GivenPose {
        placements: joints.into_iter().map(placement).collect(),
        canonical_from_file: None,
    }
}

/// For each joint of a skeleton the joint of the other one that has its name.
pub(super) fn joints_by_name(skeleton: &Skeleton, other: &Skeleton) -> Vec<Option<usize>> {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut by_plain_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, joint) in other.joints().iter().enumerate() {
        by_name.entry(&joint.name).or_default().push(index);
        by_plain_name
            .entry(plain(&joint.name))
            .or_default()
            .push(index);
    }
    let joints = skeleton.joints().iter().enumerate();
    joints
        .map(|(index, joint)| {
            let alike = by_name
                .get(joint.name.as_str())
                .or_else(|| by_plain_name.get(&plain(&joint.name)))?;
            match alike.as_slice() {
                [only] => Some(*only),
                several => several.iter().copied().find(|&other_index| {
                    other.unique_name(other_index) == skeleton.unique_name(index)
                }),
            }
        })
        .collect()
}

fn plain(name: &str) -> String {
    let last = name.rsplit([':', '|']).next().unwrap_or(name);
    // BVH has no spaces in names.
    last.to_lowercase().replace(char::is_whitespace, "_")
}
