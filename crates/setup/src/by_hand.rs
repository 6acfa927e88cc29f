//! A person's own links: this joint of the target follows that joint of the source.
//!
//! They need no slots, so they also serve joints that are no part of a body (a tail, a prop) and rigs that
//! are no bodies at all (a robot's arm, a chain of boxes). Several joints of the source may be merged into one of the target:
//! `"target" = ["a", "b", "c"]`.
//!
//! | joints | the target's joint turns by |
//! |---|---|
//! | a run, each above the next | D_c: all their turns one after the other, w_a · w_b · w_c, and those between |
//! | two side by side | the middle of both, D_a · exp(½ · log(D_a⁻¹ · D_b)) |
//!
//! D = W · A⁻¹ is what a joint has turned away from the retarget pose, in model space; V = D · B. In model space the
//! last joint of a run holds the product of the whole run, so no turn is lost or counted twice. Degenerate case: two
//! joints side by side that are turned against each other by half a turn have no middle; the shorter way of the two
//! quaternions decides.

use crate::error::Error;
use rebone_model::{Action, Character, JointKind, Remedy, Skeleton};
use serde::{Deserialize, Serialize};
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

/// What a joint of the target follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Joints"))]
pub enum Followed {
    /// The name of a joint, or its path where a name stands twice; "" for none.
    One(String),
    /// Several, whose turns it takes together; [] for none.
    Several(Vec<String>),
}

impl From<&str> for Followed {
    fn from(name: &str) -> Self {
        Self::One(name.to_owned())
    }
}

/// Looks the joints of `[links]` up: target joint names with the joints of the source that they follow, alone or
/// merged.
///
/// Fails with [`Error::Recipe`] where a joint does not exist or is named twice, with the nearest name, and for more than two joints that are
/// not one run.
pub fn hand_links(
    source: &Character,
    target: &Character,
    typed: &BTreeMap<String, Followed>,
) -> Result<HandLinks, Error> {
    let mut result = HandLinks::default();
    for (target_name, followed) in typed {
        let to = find(&target.skeleton, "target", target_name, target_name)?;
        if result.decides(to) {
            return Err(Error::Recipe {
                what: format!("the target's joint \"{target_name}\" is linked twice"),
                place: format!("links.{target_name}"),
                remedy: "leave one of the two lines".into(),
            });
        }
        let from = |name: &String| find(&source.skeleton, "source", name, target_name);
        match followed {
            Followed::One(name) if name.is_empty() => {
                result.left_out.insert(to);
            }
            Followed::One(name) => result.pairs.push((from(name)?, to)),
            Followed::Several(names) => {
                let joints = names.iter().map(from).collect::<Result<Vec<usize>, _>>()?;
                merge(&source.skeleton, &joints, target_name, to, &mut result)?;
            }
        }
    }
    result.pairs.sort_by_key(|pair| pair.1);
    Ok(result)
}

/// Lets a joint of the target take the turns of several of the source.
fn merge(
    source: &Skeleton,
    from: &[usize],
    target_name: &str,
    to: usize,
    links: &mut HandLinks,
) -> Result<(), Error> {
    match *from {
        [] => {
            links.left_out.insert(to);
        }
        [.., last] if is_run(source, from) => links.pairs.push((last, to)),
        [one, other] => links.middles.push(Middle {
            sources: [one, other],
            target: to,
        }),
        _ => {
            let names: Vec<&str> = from
                .iter()
                .map(|&joint| source.unique_name(joint))
                .collect();
            return Err(Error::Recipe {
                what: format!(
                    "\"{}\" do not lie one below the other",
                    names.join("\", \"")
                ),
                place: format!("links.{target_name}"),
                remedy: "name joints from parent to child, or two joints side by side".into(),
            });
        }
    }
    Ok(())
}

/// True where each joint lies somewhere below the one before.
fn is_run(skeleton: &Skeleton, joints: &[usize]) -> bool {
    joints
        .windows(2)
        .all(|pair| skeleton.is_ancestor(pair[0], pair[1]))
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

fn find(skeleton: &Skeleton, side: &str, name: &str, key: &str) -> Result<usize, Error> {
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
            .map(|(to, from)| (to.to_owned(), Followed::from(from)))
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
            let typed = BTreeMap::from([(to.to_owned(), Followed::from(from))]);
            let error = hand_links(&source, &target, &typed)
                .unwrap_err()
                .to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
    fn parented(joints: &[(&str, Option<usize>)]) -> Character {
        let mut builder = SkeletonBuilder::new();
        for (name, parent) in joints {
            builder.add(NewJoint::new(*name, *parent, Transform::IDENTITY));
        }
        Character {
            skeleton: builder.build().unwrap().0,
            ..Character::default()
        }
    }

    /// S0.15: which joints may be merged, and what is said of the others.
    #[test]
    fn runs_take_the_last_joint_and_two_beside_their_middle() {
        let source = parented(&[
            ("a", None),
            ("b", Some(0)),
            ("c", Some(1)),
            ("left", Some(1)),
            ("right", Some(1)),
        ]);
        let target = parented(&[("x", None), ("y", Some(0))]);
        let merged = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            let typed = BTreeMap::from([("y".to_owned(), Followed::Several(names))]);
            hand_links(&source, &target, &typed)
        };
        assert_eq!(merged(&["a", "b", "c"]).unwrap().pairs, [(2, 1)]);
        assert_eq!(merged(&["a", "left"]).unwrap().pairs, [(3, 1)]);
        assert_eq!(merged(&["c"]).unwrap().pairs, [(2, 1)]);
        assert!(merged(&[]).unwrap().left_out.contains(&1));
        let middle = Middle {
            sources: [3, 4],
            target: 1,
        };
        let links = merged(&["left", "right"]).unwrap();
        assert_eq!(links.middles, [middle]);
        assert!(links.decides(1) && !links.is_empty());
        for (names, expected) in [
            (
                &["left", "right", "c"][..],
                "do not lie one below the other",
            ),
            (&["a", "d"], "no joint is named \"d\""),
        ] {
            let error = merged(names).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
