//! Hips that follow the feet of a clip that is known as a whole (E39).
//!
//! ```text
//! δ(t) near  − a Σ p unit(v)                          what F4 takes off in the frame
//! with       ρ₀ ≤ |J + δ − g| ≤ ρ₁  where a foot stands,  |δ| ≤ b
//! as gently as that goes
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | δ | how the hips move beyond F3 |
//! | a, p, v | see F4; J: the thigh's joint behind F3 |
//! | g | where the ankle is held; F2 and F10 with the correction of the lock |
//! | ρ₀, ρ₁ | lengths between which the leg reaches its goal exactly; while a foot lands or leaves, by [`SLACK`] leg lengths wider |
//! | b | [`FURTHEST`] leg lengths |
//!
//! F4 alone has a corner wherever a leg becomes too short or long enough again, and where a foot is set down the hips would
//! jump towards it: everything that hangs from them would jerk. So what is wanted and what is allowed go into
//! [`Calm::within`], and where the outcome is a little off, the soft end of the leg takes it.
//!
//! Degenerate cases: legs that reach everything leave δ = 0, to the bit; a foot that no place of the hips can reach is not
//! reached. Source: E39 of the project's algorithm notes.

use super::{FeetStage, Free, Hold, MOST_LEGS};
use crate::solve::calm::Calm;
use glam::{DVec3, Vec3};

/// Seconds over which the hips are gentle: T of [`Calm`].
const GENTLE: f64 = 0.06;

/// Leg lengths by which the hips come nearer at most: rather a foot that is not reached than a body that falls.
const FURTHEST: f32 = 0.3;

/// See ρ₀.
const SLACK: f32 = 0.3;

/// How often what is wanted and what is allowed are brought together.
const ROUNDS: usize = 20;

/// How often the hips go from leg to leg in each of them.
const LEG_ROUNDS: usize = 2;

impl FeetStage {
    /// δ of each frame.
    pub(crate) fn carry(
        &self,
        times: &[f32],
        free: &[[Free; MOST_LEGS]],
        holds: &[[Hold; MOST_LEGS]],
    ) -> Vec<Vec3> {
        let wanted: Vec<DVec3> = free
            .iter()
            .zip(holds)
            .map(|(free, holds)| -self.pull_of(free, holds).as_dvec3())
            .collect();
        let nearest = |frame: usize, carried: DVec3| {
            let carried = carried.as_vec3();
            self.nearest(&free[frame], &holds[frame], carried)
                .as_dvec3()
        };
        let calm = Calm::firm(times, &vec![1.0; times.len()], GENTLE);
        let carried = calm.within(&wanted, ROUNDS, &nearest);
        let furthest = self.furthest();
        let limited = |carried: DVec3| carried.as_vec3().clamp_length_max(furthest);
        carried.into_iter().map(limited).collect()
    }

    fn furthest(&self) -> f32 {
        let longest = self.legs.iter().map(|leg| leg.length).fold(0.0, f32::max);
        FURTHEST * longest
    }

    /// The nearest way of the hips in one frame at which feet that stand can be reached.
    pub(super) fn nearest(
        &self,
        free: &[Free; MOST_LEGS],
        holds: &[Hold; MOST_LEGS],
        carried: Vec3,
    ) -> Vec3 {
        let mut carried = carried;
        for _ in 0..LEG_ROUNDS {
            carried = self.within_reach(free, holds, carried);
        }
        carried.clamp_length_max(self.furthest())
    }

    /// F4 of a frame.
    fn pull_of(&self, free: &[Free; MOST_LEGS], holds: &[Hold; MOST_LEGS]) -> Vec3 {
        let mut pull = Vec3::ZERO;
        for (_, (free, hold)) in self.legs.iter().zip(free.iter().zip(holds)) {
            let way = free.thigh - (free.ankle + hold.offset);
            let over = way.length() - free.own;
            let over = if self.signed_pull {
                over
            } else {
                over.max(0.0)
            };
            pull += way.normalize_or_zero() * (over * free.share.max(hold.hold));
        }
        pull * self.pull
    }

    /// Onto one shell around a foot that stands after the other.
    fn within_reach(
        &self,
        free: &[Free; MOST_LEGS],
        holds: &[Hold; MOST_LEGS],
        carried: Vec3,
    ) -> Vec3 {
        let mut carried = carried;
        for (leg, (free, hold)) in self.legs.iter().zip(free.iter().zip(holds)) {
            if hold.hold <= 0.0 {
                continue;
            }
            let way = free.thigh + carried - (free.ankle + hold.offset);
            let length = way.length();
            let slack = (1.0 - hold.hold) * SLACK * leg.length;
            let over = length - length.clamp(free.least - slack, free.reach + slack);
            carried -= way.normalize_or_zero() * over;
        }
        carried
    }
}
