//! Edges of soles that stay out of the floor: how far feet turn for it, where the whole clip is known. Source: docs/laws.md, "Edges of the
//! sole out of the floor".
//!
//! ```text
//! y = g soft(the least angle about the foot's left at which e · u ≥ min(ε, ε + η − q)),   soft(x) = x² / (x + x₀)
//! θ(t) = argmin ∫ θ² + T⁶ θ‴²,   θ from y to the angle at which the sole is level
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | e, ε | way from the ankle to the lower edge; its height above the ankle when the foot stands, which is below 0 |
//! | q, η | height of the ankle above the floor as the source's shows it; when the foot stands |
//! | u | up |
//! | g | 1 where the sole looks down, 0 where it looks ahead or behind: [`TOES_UP`], [`TOES_DOWN`]; of a foot whose toes are down also 0 where its shin is level, as that of a body that kneels: [`STEEP`] |
//! | x₀, T | [`SOFT`], [`GENTLE`] |
//!
//! Where the toes are up the lower edge is the heel's. Boots have longer heels than the person who was captured, so they land flatter.
//! Where the toes are down it is the tip of a foot that has no toes to bend: it pushes off flatter than a person's. A foot with toes turns
//! for its heel alone ([`tips`](crate::stage::tips) bends the toes). While a motion runs feet turn as transferred.

use super::lanes::each;
use super::{FeetStage, Leg, MOST_LEGS, Placed, View};
use crate::solve::calm::Calm;
use crate::stage::tips::{between, least_turn};
use glam::Vec3;
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;
use serde::{Deserialize, Serialize};

/// Cosines between up and the upper side of a foot whose toes are up: up to the first it stays as it lies, from the second on its heel
/// comes out of the floor.
const TOES_UP: [f32; 2] = [0.3, 0.6];

/// The same of a foot whose toes are down, and its tip.
const TOES_DOWN: [f32; 2] = [0.05, 0.3];

/// Cosines between up and the way from ankle to knee: up to the first a foot whose toes are down stays as it lies, as that of a body that
/// kneels; from the second on its tip comes out of the floor.
const STEEP: [f32; 2] = [0.2, 0.5];

/// Feet turn no further, radians.
const MOST: f32 = 1.1;

/// x₀, radians.
const SOFT: f32 = 0.04;

/// T, seconds.
const GENTLE: f64 = 0.1;

/// Rounds in which what is wanted and what is allowed are brought together.
const ROUNDS: usize = 20;

/// What the last of these rounds may still be off, radians.
const OFF: f64 = 1e-3;

/// An edge of a sole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SoleEdge {
    /// The way to it from the foot's joint, in the foot's axes, target file units: zero where no edge is known.
    pub place: Vec3,
    /// How high it is above the joint when the foot stands; below 0.
    pub height: f32,
}

/// Between which angles a foot may turn in a frame, radians; above 0 its toes go down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PitchBounds {
    low: f32,
    high: f32,
}

impl FeetStage {
    /// Between which angles each foot may turn in a frame.
    pub(crate) fn pitches(&self, source: &View<'_>, target: &[Placed]) -> [PitchBounds; MOST_LEGS] {
        each(&self.legs, |leg| self.pitch(leg, source, target))
    }

    /// Between which angles a foot may turn: towards level, and at least until its lower edge is out of the floor.
    fn pitch(&self, leg: &Leg, source: &View<'_>, target: &[Placed]) -> PitchBounds {
        let foot = &target[leg.foot];
        let sole = foot.rotation * leg.foot_frame;
        let (up, left) = (sole * self.up, sole * self.left);
        let toes_up = left.cross(up).dot(self.up).clamped(-1.0, 1.0).arc_sine();
        let (edge, axis, flat) = if toes_up > 0.0 {
            (leg.heel, left, TOES_UP)
        } else {
            (leg.tip, -left, TOES_DOWN)
        };
        if self.edges <= 0.0 || edge.place == Vec3::ZERO {
            return PitchBounds::default();
        }
        let mut share = self.edges * between(up.dot(self.up), flat);
        if toes_up < 0.0 {
            let shin = (target[leg.shin].position() - foot.position()).normalize_or_zero();
            share *= between(shin.dot(self.up), STEEP);
        }
        let ankle = self.linear * Vec3::from(source.place(leg.source_foot)) + self.shift;
        let ankle = ankle.dot(self.up) - self.floor + leg.sole;
        let lowest = edge.height - (ankle - leg.ankle_height).max(0.0);
        let way = foot.rotation * edge.place;
        let mut least = 0.0;
        if share > 0.0 && way.dot(self.up) < lowest {
            let (turn, _) = least_turn(way, axis, self.up, lowest);
            let turn = turn.clamped(0.0, MOST);
            least = (share * turn * turn / (turn + SOFT)).min(toes_up.abs());
        }
        let [low, high] = if toes_up > 0.0 {
            [least, toes_up]
        } else {
            [toes_up, -least]
        };
        PitchBounds { low, high }
    }
}

/// Turns that come and go gently within these bounds, one a frame.
pub(crate) fn gentle_pitches(times: &[f32], bounds: &[PitchBounds]) -> Vec<f32> {
    let none = vec![0.0; bounds.len()];
    if bounds
        .iter()
        .all(|turn| turn.low <= 0.0 && turn.high >= 0.0)
    {
        return vec![0.0; bounds.len()];
    }
    let calm = Calm::firm(times, &vec![1.0; bounds.len()], GENTLE);
    let within = |frame: usize, turn: f64| {
        let PitchBounds { low, high } = bounds[frame];
        turn.clamped(f64::from(low), f64::from(high))
    };
    let made = calm.within(&none, ROUNDS, OFF, within);
    let turns = made.iter().zip(bounds);
    let turns = turns.map(|(turn, PitchBounds { low, high })| {
        (*turn as f32).clamped(low.min(0.0), high.max(0.0))
    });
    turns.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A foot comes down with its toes up by 0.4 radians and is level 0.1 s later; its heel needs half of that.
    #[test]
    fn feet_turn_gently_within_their_bounds() {
        let times: Vec<f32> = (0..60).map(|frame| frame as f32 / 60.0).collect();
        let bounds = times.iter().map(|time| {
            let most = 0.4 * (1.0 - (time - 0.5) / 0.1).clamped(0.0, 1.0);
            let lands = (*time > 0.49) as u8 as f32;
            PitchBounds {
                low: 0.5 * lands * most,
                high: most,
            }
        });
        let bounds: Vec<PitchBounds> = bounds.collect();
        let turns = gentle_pitches(&times, &bounds);
        for (
            turn,
            PitchBounds {
                low: least,
                high: most,
            },
        ) in turns.iter().zip(&bounds)
        {
            assert!(
                turn + 1e-2 > *least && turn <= most,
                "{least} {turn} {most}"
            );
        }
        let steps = turns.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        let largest = steps.fold(0.0, f32::max);
        // What is needed comes within a frame.
        assert!(largest < 0.08, "{largest}");
        // Half a second before it lands, and behind, the foot is as it was.
        assert!(turns[6] < 0.01 && turns[59] == 0.0, "{turns:?}");
        assert_eq!(
            gentle_pitches(&times, &[PitchBounds::default(); 60]),
            [0.0; 60]
        );
    }
}
