//! Heels that come down behind the ankle: how far feet turn to keep them out of the floor, where the whole clip is known. Source:
//! docs/laws.md, "Heels out of the floor".
//!
//! ```text
//! y = g soft(the least angle about the foot's left at which e · u ≥ min(ε, ε + η − q)),   soft(x) = x² / (x + x₀)
//! θ(t) = argmin ∫ θ² + T⁶ θ‴²,   y ≤ θ ≤ the angle at which the sole is level
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | e, ε | way from the ankle to the edge of the heel; its height above the ankle when the foot stands, which is below 0 |
//! | q, η | height of the ankle above the floor as the source's shows it; when the foot stands |
//! | u | up |
//! | g | 1 where the sole looks down, 0 where the toes point up: [`TOES_UP`] |
//! | x₀, T | [`SOFT`], [`GENTLE`] |
//!
//! Boots and large feet have longer heels than the person who was captured: when such a foot lands with its toes up, its heel would be in
//! the floor. It lands flatter instead. While a motion runs heels move as transferred.

use super::{FeetStage, Leg, Placed, View};
use crate::solve::calm::Calm;
use crate::stage::tips::{between, least_turn};
use glam::Vec3;
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;

/// Cosines between up and the upper side of a foot whose toes are up: up to the first it stays as it lies, from the second on its heel
/// comes out of the floor.
const TOES_UP: [f32; 2] = [0.3, 0.6];

/// Feet turn no further, radians.
const MOST: f32 = 0.7;

/// x₀, radians.
const SOFT: f32 = 0.04;

/// T, seconds.
const GENTLE: f64 = 0.08;

/// Rounds in which what is wanted and what is allowed are brought together, and what the last round may still be off, radians.
const ROUNDS: (usize, f64) = (20, 1e-3);

/// How far a foot may turn in a frame, radians.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct HeelTurn {
    /// As far as it must for its heel to be out of the floor.
    least: f32,
    /// Until its sole is level.
    most: f32,
}

impl FeetStage {
    /// How far each foot may turn in a frame.
    pub(crate) fn heels(&self, source: &View<'_>, target: &[Placed]) -> Vec<HeelTurn> {
        let legs = self.legs.iter();
        let turns = legs.map(|leg| match self.heels {
            heels if heels > 0.0 && leg.heel != Vec3::ZERO => {
                let turn = self.heel(leg, source, &target[leg.foot]);
                HeelTurn {
                    least: heels * turn.least,
                    ..turn
                }
            }
            _ => HeelTurn::default(),
        });
        turns.collect()
    }

    /// How far a foot may turn.
    fn heel(&self, leg: &Leg, source: &View<'_>, foot: &Placed) -> HeelTurn {
        let sole = foot.rotation * leg.foot_frame;
        let (up, left) = (sole * self.up, sole * self.left);
        let share = between(up.dot(self.up), TOES_UP);
        let most = left.cross(up).dot(self.up).arc_sine().max(0.0);
        let ankle = self.linear * Vec3::from(source.place(leg.source_foot)) + self.shift;
        let ankle = ankle.dot(self.up) - self.floor + leg.sole;
        let lowest = leg.heel_below - (ankle - leg.ankle_height).max(0.0);
        let heel = foot.rotation * leg.heel;
        let mut least = 0.0;
        if share > 0.0 && heel.dot(self.up) < lowest {
            let (turn, _) = least_turn(heel, left, self.up, lowest);
            let turn = turn.clamped(0.0, MOST);
            least = share * turn * turn / (turn + SOFT);
        }
        HeelTurn {
            least: least.min(most),
            most,
        }
    }
}

/// Turns that come and go gently within these bounds, one a frame.
pub(crate) fn gentle_heels(times: &[f32], bounds: &[HeelTurn]) -> Vec<f32> {
    if bounds.iter().all(|bounds| bounds.least == 0.0) {
        return vec![0.0; bounds.len()];
    }
    let calm = Calm::firm(times, &vec![1.0; bounds.len()], GENTLE);
    let allowed = |frame: usize, turn: f64| {
        let HeelTurn { least, most } = bounds[frame];
        turn.clamped(f64::from(least), f64::from(most))
    };
    let made = calm.within(&vec![0.0; bounds.len()], ROUNDS, allowed);
    let turns = made.iter().zip(bounds);
    let turns = turns.map(|(turn, bounds)| (*turn as f32).clamped(0.0, bounds.most));
    turns.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A foot comes down with its toes up by 0.4 radians and is level 0.1 s later; its heel needs half of that.
    #[test]
    fn heels_turn_gently_within_their_bounds() {
        let times: Vec<f32> = (0..60).map(|frame| frame as f32 / 60.0).collect();
        let bounds = times.iter().map(|time| {
            let most = 0.4 * (1.0 - (time - 0.5) / 0.1).clamped(0.0, 1.0);
            let lands = (*time > 0.49) as u8 as f32;
            HeelTurn {
                least: 0.5 * lands * most,
                most,
            }
        });
        let bounds: Vec<HeelTurn> = bounds.collect();
        let turns = gentle_heels(&times, &bounds);
        for (turn, HeelTurn { least, most }) in turns.iter().zip(&bounds) {
            assert!(
                turn + 5e-3 > *least && turn <= most,
                "{least} {turn} {most}"
            );
        }
        let steps = turns.windows(2).map(|pair| (pair[1] - pair[0]).abs());
        let largest = steps.fold(0.0, f32::max);
        // What is needed comes within a frame.
        assert!(largest < 0.08, "{largest}");
        assert!(turns[0] < 0.03 && turns[59] == 0.0, "{turns:?}");
        assert_eq!(gentle_heels(&times, &[HeelTurn::default(); 60]), [0.0; 60]);
    }
}
