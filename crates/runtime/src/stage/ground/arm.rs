//! Arms of bodies on the floor: the hand goes where it is wanted, and the elbow out of the floor.
//!
//! ```text
//! e' = s + √(l² − (v + d)²) h + (v + d) up        the elbow goes up by d, on its sphere about the shoulder
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | s, l | the shoulder; length of the upper arm |
//! | v, h | height of the elbow over the shoulder, and the level direction to it, unit |
//!
//! The lower arm then points to where the hand was; the hand comes nearer or further by what the elbow's way is along it, which
//! is little as long as d is. An upper arm that is steep carries the body instead. Degenerate: an elbow goes no higher than l.

use super::low::{fade, share};
use crate::solve::steady::Moves;
use crate::stage::kinematics::Placed;
use crate::stage::pin::PinLimb;
use glam::{Quat, Vec3};
use rebone_model::Clamp as _;
use rebone_model::rotation::shortest_arc;

/// Upper and lower bone.
pub(super) fn bones(limb: &PinLimb, placed: &[Placed]) -> [Vec3; 2] {
    let [upper, lower, end] = limb.positions(placed);
    [lower - upper, end - lower]
}

/// Level parts of an upper arm, of its length, between which it gives way.
const LEVEL: [f32; 2] = [0.4, 0.9];

/// An arm that has been bent.
#[derive(Clone, Copy)]
pub(super) struct Bent {
    /// Upper and lower bone, as they were.
    bones: [Vec3; 2],
    /// How they turn.
    turns: [Quat; 2],
}

impl Bent {
    /// The arm with a number, which turns with the trunk by `lean` and then by its moves, if there are any.
    pub(super) fn new(
        number: usize,
        limb: &PinLimb,
        placed: &[Placed],
        lean: Quat,
        moves: Option<&Moves>,
    ) -> Self {
        let turns = moves.map(|moves| moves.rotations_of(number).map(|turn| turn * lean));
        Self {
            bones: bones(limb, placed),
            turns: turns.unwrap_or([lean; 2]),
        }
    }

    /// How the bones turn in model space.
    pub(super) fn turns(&self) -> [Quat; 2] {
        self.turns
    }

    /// By how much its elbow is higher than before, as seen from the shoulder.
    pub(super) fn elbow_rise(&self, up: Vec3) -> f32 {
        (self.turns[0] * self.bones[0] - self.bones[0]).dot(up)
    }

    /// How far the upper arm is from level: 1 where its elbow cannot go up much.
    pub(super) fn steepness(&self, up: Vec3) -> f32 {
        let upper = self.turns[0] * self.bones[0];
        let level = upper - up * upper.dot(up);
        fade(share(level.length(), upper.length()), LEVEL)
    }

    /// The same arm with its elbow higher by `rise`.
    pub(super) fn raised(mut self, up: Vec3, rise: f32) -> Self {
        let rise = rise * (1.0 - self.steepness(up));
        if rise <= 0.0 {
            return self;
        }
        let [upper, lower] = [0, 1].map(|bone: usize| self.turns[bone] * self.bones[bone]);
        let height = upper.dot(up);
        let level = upper - up * height;
        let length = upper.length();
        let height = (height + rise).clamped(-length, length);
        let side = (length * length - height * height).max(0.0).sqrt();
        let elbow = level.normalize_or_zero() * side + up * height;
        let goal = upper + lower;
        let turns = [(upper, elbow), (lower, goal - elbow)];
        for (turn, (from, to)) in self.turns.iter_mut().zip(turns) {
            *turn = shortest_arc(from, to, up) * *turn;
        }
        self
    }
}
