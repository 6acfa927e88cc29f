//! A person's own links: this joint of the target follows that joint of the source.
//!
//! They need no slots, so they also serve joints that are no part of a body (a tail, a prop) and rigs that
//! are no bodies at all (a robot's arm, a chain of boxes).

use crate::error::Error;
use rebone_model::{Action, Character, JointKind, Remedy, Skeleton};
use std::collections::{BTreeMap, BTreeSet};

/// A joint of the target that takes the middle of two joints of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Middle {
    /// Joints of the source, side by side.
    pub sources: [usize; 2],
    /// Joint of the target.
    pub target: usize,
}

/// Joints linked by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandLinks {
    /// Source joint and target joint, by target joint.
    pub pairs: Vec<(usize, usize)>,
    /// Target joints that follow nothing, whatever their slot says.
    pub left_out: BTreeSet<usize>,
    /// Target joints that take the middle of two source joints.
    pub middles: Vec<Middle>,
    /// The pairs are joints of equal names, and not a person's choice.
    pub by_name: bool,
}

impl HandLinks {
    /// True where a person has said nothing.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.left_out.is_empty() && self.middles.is_empty()
    }

    /// True if a joint of the source moves one of the target.
    pub fn moves_joints(&self) -> bool {
        !self.pairs.is_empty() || !self.middles.is_empty()
    }

    /// The source joint that a target joint was given.
    pub fn source_of(&self, target: usize) -> Option<usize> {
        let pair = self.pairs.iter().find(|pair| pair.1 == target);
        pair.map(|pair| pair.0)
    }

    /// True where a person has decided about this target joint.
    pub fn decides(&self, target: usize) -> bool {
        self.left_out.contains(&target)
            || self.source_of(target).is_some()
            || self.middles.iter().any(|middle| middle.target == target)
    }
}

/// Looks the joints of `[links]` up. `typed` holds target joint names and the source joint names that they
/// follow; an empty name takes a joint out.
///
/// Fails with [`Error::Recipe`] where a joint does not exist or is named twice; the message has the nearest
/// name.
pub fn hand_links(
    source: &Character,
    target: &Character,
    typed: &BTreeMap<String, String>,
) -> Result<HandLinks, Error> {
    let mut result = HandLinks::default();
    for (target_name, source_name) in typed {
        let to = find(&target.skeleton, "target", target_name, target_name)?;
        if result.decides(to) {
            return Err(Error::Recipe {
                what: format!("the target's joint \"{target_name}\" is linked twice"),
                place: format!("links.{target_name}"),
                remedy: "leave one of the two lines".into(),
            });
        }
        if source_name.is_empty() {
            result.left_out.insert(to);
        } else {
            let from = find(&source.skeleton, "source", source_name, target_name)?;
            result.pairs.push((from, to));
        }
    }
    result.pairs.sort_by_key(|pair| pair.1);
    Ok(result)
}

/// Joints of equal names, source and target, by target joint; names that stand twice in one of the two say nothing. Empty if
/// fewer than half of the joints of the smaller skeleton are among them.
pub fn name_links(source: &Character, target: &Character) -> Vec<(usize, usize)> {
    let named = |character: &Character| {
        let mut joints: BTreeMap<String, Option<usize>> = BTreeMap::new();
        for (index, joint) in character.skeleton.joints().iter().enumerate() {
            if joint.kind == JointKind::Joint {
                let twice = joints.contains_key(&joint.name);
                joints.insert(joint.name.clone(), (!twice).then_some(index));
            }
        }
        joints
    };
    let (from, to) = (named(source), named(target));
    let mut pairs: Vec<(usize, usize)> = to
        .iter()
        .filter_map(|(name, joint)| Some(((*from.get(name)?)?, (*joint)?)))
        .collect();
    pairs.sort_by_key(|pair| pair.1);
    if 2 * pairs.len() < from.len().min(to.len()) {
        pairs.clear();
    }
    pairs
}

pub(crate) fn find(skeleton: &Skeleton, side: &str, name: &str, key: &str) -> Result<usize, Error> {
    skeleton.find(name).map_err(|error| Error::Recipe {
        what: format!("in the {side}, {error}"),
        place: format!("links.{key}"),
        remedy: Remedy::new(
            "write \"target joint\" = \"source joint\", each as its file has it",
            &[Action::ListJoints],
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::{NewJoint, SkeletonBuilder, Transform};

    fn chain(names: &[&str]) -> Character {
        let mut builder = SkeletonBuilder::new();
        for (index, name) in names.iter().enumerate() {
            builder.add(NewJoint::new(
                *name,
                index.checked_sub(1),
                Transform::IDENTITY,
            ));
        }
        let (skeleton, _) = builder.build().unwrap();
        Character {
            name: "chain".into(),
            skeleton,
            ..Character::default()
        }
    }

    #[test]
    fn equal_names_go_together() {
        let pairs = |from: &[&str], to: &[&str]| name_links(&chain(from), &chain(to));
        assert_eq!(pairs(&["a", "b", "c"], &["c", "x", "a"]), [(2, 0), (0, 2)]);
        // A name that stands twice says nothing.
        assert_eq!(
            pairs(&["a", "b", "b", "c"], &["a", "b", "c"]),
            [(0, 0), (3, 2)]
        );
        // Too few of them.
        assert_eq!(pairs(&["a", "b", "c"], &["a", "x", "y"]), []);
        assert_eq!(pairs(&[], &[]), []);
    }

    #[test]
    fn names_become_joints() {
        let (source, target) = (chain(&["a", "b", "c"]), chain(&["x", "y", "z"]));
        let typed = [("z", "b"), ("x", "a"), ("y", "")]
            .map(|(to, from)| (to.to_owned(), from.to_owned()))
            .into();
        let links = hand_links(&source, &target, &typed).unwrap();
        assert_eq!(links.pairs, [(0, 0), (1, 2)]);
        assert_eq!(links.source_of(2), Some(1));
        assert!(links.decides(1) && links.source_of(1).is_none());
    }

    #[test]
    fn errors_name_the_joint_and_the_nearest_name() {
        let (source, target) = (chain(&["Boom", "Stick"]), chain(&["arm1", "arm2"]));
        for (to, from, expected) in [
            ("arm3", "Boom", "the nearest name is \"arm1\""),
            (
                "arm1",
                "Stik",
                "in the source, no joint is named \"Stik\"; the nearest name is \"Stick\" (at links.arm1)",
            ),
        ] {
            let typed = BTreeMap::from([(to.to_owned(), from.to_owned())]);
            let error = hand_links(&source, &target, &typed)
                .unwrap_err()
                .to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
