//! Whether a mapping makes sense in the tree of joints.

use super::draft::{ARM, Draft, LEG, SIDES};
use super::rig::Rig;
use crate::profile::dialect::sided_name;

/// One thing that is out of order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Violation {
    /// Name of the slot that should be above.
    pub(super) above: String,
    /// Name of the slot that should be below.
    pub(super) below: String,
    /// The joint that is in the wrong place.
    pub(super) joint: usize,
}

/// What is out of order. Feet and hands may hang from helpers, legs from anywhere: only what no
/// rig does counts.
pub(super) fn violations(rig: &Rig, draft: &Draft) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut expect_below = |above: &str, below: &str| {
        if let (Some(upper), Some(lower)) = (draft.first(above), draft.first(below))
            && !rig.skeleton.is_ancestor(upper, lower)
        {
            found.push(Violation {
                above: above.to_owned(),
                below: below.to_owned(),
                joint: lower,
            });
        }
    };
    for side in SIDES {
        for (limb, strict) in [(ARM, 3), (LEG, 2)] {
            for pair in limb[..strict].windows(2) {
                expect_below(&sided_name(side, pair[0]), &sided_name(side, pair[1]));
            }
        }
    }
    for pair in [
        ["spine", "chest"],
        ["chest", "upperChest"],
        ["neck", "head"],
        ["spine", "head"],
    ] {
        expect_below(pair[0], pair[1]);
    }
    for limb in [ARM, LEG] {
        for name in limb {
            let (left, right) = (draft.sided(SIDES[0], name), draft.sided(SIDES[1], name));
            if let (Some(left), Some(right)) = (left, right)
                && (rig.is_within(left, right) || rig.is_within(right, left))
            {
                found.push(Violation {
                    above: sided_name(SIDES[0], name),
                    below: sided_name(SIDES[1], name),
                    joint: right,
                });
            }
        }
    }
    for (reversed, below) in [("head", "hips"), ("spine", "hips"), ("head", "spine")] {
        if let (Some(upper), Some(lower)) = (draft.first(reversed), draft.first(below))
            && rig.skeleton.is_ancestor(upper, lower)
        {
            found.push(Violation {
                above: below.to_owned(),
                below: reversed.to_owned(),
                joint: upper,
            });
        }
    }
    found
}
