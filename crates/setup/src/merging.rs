//! Several joints of the source merged into one of the target: `"target" = ["a", "b", "c"]` in `[links]`.
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

use crate::by_hand::{HandLinks, Middle, find};
use crate::error::Error;
use rebone_model::{Character, Skeleton};
use std::collections::BTreeMap;

/// Adds merged joints to a person's own links. `typed` holds target joint names, and the source joint names that
/// they take together; an empty list takes a joint out.
///
/// Fails with [`Error::Recipe`] where a joint does not exist or is linked twice, and for more than two joints that
/// are not one run.
pub fn merge(
    source: &Character,
    target: &Character,
    typed: &BTreeMap<String, Vec<String>>,
    links: &mut HandLinks,
) -> Result<(), Error> {
    for (target_name, source_names) in typed {
        let to = find(&target.skeleton, "target", target_name, target_name)?;
        if links.decides(to) {
            return Err(Error::Recipe {
                what: format!("the target's joint \"{target_name}\" is linked twice"),
                place: format!("links.{target_name}"),
                remedy: "leave one of the two lines".into(),
            });
        }
        let from = source_names
            .iter()
            .map(|name| find(&source.skeleton, "source", name, target_name))
            .collect::<Result<Vec<usize>, _>>()?;
        match *from.as_slice() {
            [] => {
                links.left_out.insert(to);
            }
            [.., last] if is_run(&source.skeleton, &from) => links.pairs.push((last, to)),
            [one, other] => links.middles.push(Middle {
                sources: [one, other],
                target: to,
            }),
            _ => {
                return Err(Error::Recipe {
                    what: format!(
                        "\"{}\" do not lie one below the other",
                        source_names.join("\", \"")
                    ),
                    place: format!("links.{target_name}"),
                    remedy: "name joints from parent to child, or two joints side by side".into(),
                });
            }
        }
    }
    links.pairs.sort_by_key(|pair| pair.1);
    Ok(())
}

/// True where each joint lies somewhere below the one before.
fn is_run(skeleton: &Skeleton, joints: &[usize]) -> bool {
    joints
        .windows(2)
        .all(|pair| skeleton.is_ancestor(pair[0], pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::{NewJoint, SkeletonBuilder, Transform};

    fn character(joints: &[(&str, Option<usize>)]) -> Character {
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
        let source = character(&[
            ("a", None),
            ("b", Some(0)),
            ("c", Some(1)),
            ("left", Some(1)),
            ("right", Some(1)),
        ]);
        let target = character(&[("x", None), ("y", Some(0))]);
        let merged = |names: &[&str]| {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            let typed = BTreeMap::from([("y".to_owned(), names)]);
            let mut links = HandLinks::default();
            merge(&source, &target, &typed, &mut links).map(|()| links)
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
        let typed = BTreeMap::from([("y".to_owned(), vec!["a".to_owned()])]);
        let mut links = HandLinks {
            pairs: vec![(0, 1)],
            ..HandLinks::default()
        };
        let error = merge(&source, &target, &typed, &mut links).unwrap_err();
        assert!(error.to_string().contains("linked twice"), "{error}");
    }
}
