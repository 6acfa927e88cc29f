//! How sure a mapping by shape is: from how far the second best answer is behind.

use super::front::Front;
use super::search::Guess;
use crate::mapping::RunnerUp;
use crate::mapping::draft::{Draft, SIDES};
use crate::profile::dialect::sided_name;
use rebone_model::Clamp as _;

/// How sure a mapping by shape is at most.
const MOST: f32 = 0.85;

/// How sure it is at least.
const LEAST: f32 = 0.35;

/// Score by which an answer must lead to be as sure as shape can be.
const CLEAR_LEAD: f32 = 1.0;

/// Confidences of the parts of a body.
pub(super) struct Certainty {
    pub(super) trunk: f32,
    pub(super) legs: f32,
    pub(super) arms: f32,
    /// Clavicles, toes and fingers.
    pub(super) details: f32,
}

impl Certainty {
    pub(super) fn new(guesses: &[Guess], front: &Front) -> Self {
        let Some(best) = guesses.first() else {
            return Self {
                trunk: LEAST,
                legs: LEAST,
                arms: LEAST,
                details: LEAST,
            };
        };
        let lead = |same: &dyn Fn(&Guess) -> bool| {
            let second = guesses.iter().find(|guess| !same(guess));
            second.map_or(CLEAR_LEAD, |second| best.score - second.score)
        };
        let of = |lead: f32| LEAST + (MOST - LEAST) * (lead / CLEAR_LEAD).clamped(0.0, 1.0);
        let legs = of(lead(&|guess| same_legs(guess, best)));
        let arms = of(lead(&|guess| same_arms(guess, best)));
        // A body that does not stand plainly, or whose sides are a guess, is not sure in any part.
        let stand = ((best.stance.stand - 0.5) / 0.4).clamped(0.3, 1.0);
        let sides = if front.is_sure() { 1.0 } else { 0.5 };
        let all = legs.min(arms) * stand;
        Self {
            trunk: (0.95 * all).max(LEAST),
            legs: legs * stand * sides,
            arms: arms * stand * sides,
            details: 0.85 * arms * stand * sides,
        }
    }

    /// Fills in the runners-up of the limbs.
    pub(super) fn rivals(&self, draft: &mut Draft, guesses: &[Guess], left: [usize; 2]) {
        let Some(best) = guesses.first() else {
            return;
        };
        for (index, side) in SIDES.into_iter().enumerate() {
            let [legs, arms] = left.map(|left| if index == 0 { left } else { 1 - left });
            for (place, slot) in ["UpperLeg", "LowerLeg", "Foot"].into_iter().enumerate() {
                let of = |guess: &Guess| guess.limbs.legs.1.joints(legs)[place];
                rival(draft, &sided_name(side, slot), guesses, best, &of);
            }
            for (place, slot) in ["UpperArm", "LowerArm", "Hand"].into_iter().enumerate() {
                let of = |guess: &Guess| guess.limbs.arms.1.joints(arms)[place];
                rival(draft, &sided_name(side, slot), guesses, best, &of);
            }
        }
    }
}

fn same_legs(a: &Guess, b: &Guess) -> bool {
    (0..2).all(|side| a.limbs.legs.1.joints(side) == b.limbs.legs.1.joints(side))
}

fn same_arms(a: &Guess, b: &Guess) -> bool {
    (0..2).all(|side| a.limbs.arms.1.joints(side) == b.limbs.arms.1.joints(side))
}

fn rival(
    draft: &mut Draft,
    slot: &str,
    guesses: &[Guess],
    best: &Guess,
    of: &dyn Fn(&Guess) -> Option<usize>,
) {
    let Some(found) = draft
        .profile
        .find(slot)
        .and_then(|slot| draft.slots.get_mut(&slot))
    else {
        return;
    };
    let own = found.joints.first().copied();
    let other = guesses
        .iter()
        .filter_map(|guess| Some((of(guess)?, guess.score)))
        .find(|(joint, _)| Some(*joint) != own);
    found.runner_up = other.map(|(joint, score)| RunnerUp {
        joint,
        margin: ((best.score - score) / (2.0 * CLEAR_LEAD)).clamped(0.0, 1.0),
    });
}
