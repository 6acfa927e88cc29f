//! Hips that follow the feet of a clip that is known as a whole (E39).
//!
//! ```text
//! δ(t) near  − a Σ p unit(v) + Σ s q unit(v) / max(1, Σ s)     what F4 takes off in the frame; straight legs
//! with       ρ₀ ≤ |J + δ − g| ≤ ρ₁  where a foot stands,  (J + δ)·u ≥ ζ,  |δ − δ₀| ≤ b
//! as gently as that goes
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | δ | how the hips move beyond F3 |
//! | a, p, v | see F4; J: the thigh's joint behind F3 |
//! | g | where the ankle is held; F2 and F10 with the correction of the lock |
//! | ρ₀, ρ₁ | lengths between which the leg reaches its goal exactly; while a foot lands or leaves, by [`SLACK`] leg lengths wider |
//! | b, δ₀ | [`FURTHEST`] leg lengths; what ζ alone asks for |
//! | s, q | how much a leg stands and was straight as transferred ([`STRAIGHT`]); max(0, f − \|v\|), as far as that is little ([`LITTLE`]) |
//! | ζ | how low a thigh's joint may get: [`Free::low`] |
//!
//! F4 alone has a corner wherever a leg becomes too short or long enough again, and where a foot is set down the hips would
//! jump towards it: everything that hangs from them would jerk. So what is wanted and what is allowed go into
//! [`Calm::within`], and where the outcome is a little off, the soft end of the leg takes it.
//!
//! A correction of a straight leg's foot would bend its knee, and much: the hips go with the foot instead, as far as the
//! feet agree. F3 puts hips by an added length: of legs much shorter than the source's a deep crouch would put them into
//! the floor, so they stay above ζ, but where a foot could not be reached from there.
//!
//! Degenerate cases: legs that reach everything leave δ = 0, to the bit; a foot that no place of the hips can reach is not
//! reached. Source: E39 of the project's algorithm notes.

use super::goals::smooth;
use super::{FeetStage, Free, Hold, MOST_LEGS};
use crate::solve::calm::Calm;
use glam::{DVec3, Vec3};

/// Seconds over which the hips are gentle: T of [`Calm`].
const GENTLE: f64 = 0.06;

/// Leg lengths by which the hips come nearer at most: rather a foot that is not reached than a body that falls.
const FURTHEST: f32 = 0.3;

/// See ρ₀.
const SLACK: f32 = 0.3;

/// Shares of its whole length, as transferred, between which a leg becomes a straight one.
const STRAIGHT: [f32; 2] = [0.97, 0.99];

/// Shares of its whole length up to which a leg that is too long for its goal is kept straight; less and less on the way there.
const LITTLE: f32 = 0.1;

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
        let limited =
            |(carried, free): (DVec3, &[Free; MOST_LEGS])| self.limited(free, carried.as_vec3());
        carried.into_iter().zip(free).map(limited).collect()
    }

    /// No further than b from where thighs are as low as they may be.
    fn limited(&self, free: &[Free; MOST_LEGS], carried: Vec3) -> Vec3 {
        let longest = self.legs.iter().map(|leg| leg.length).fold(0.0, f32::max);
        let raised = self.above_the_floor(free, Vec3::ZERO);
        raised + (carried - raised).clamp_length_max(FURTHEST * longest)
    }

    /// The nearest way of the hips in one frame at which feet that stand can be reached.
    pub(super) fn nearest(
        &self,
        free: &[Free; MOST_LEGS],
        holds: &[Hold; MOST_LEGS],
        carried: Vec3,
    ) -> Vec3 {
        let mut carried = self.above_the_floor(free, carried);
        for _ in 0..LEG_ROUNDS {
            carried = self.within_reach(free, holds, carried);
        }
        self.limited(free, carried)
    }

    /// Up, until no thigh is lower than it may be.
    fn above_the_floor(&self, free: &[Free; MOST_LEGS], carried: Vec3) -> Vec3 {
        let lacks = |free: &Free| free.low - ((free.thigh + carried).dot(self.up) - self.floor);
        let legs = free.iter().take(self.legs.len());
        carried + self.up * legs.map(lacks).fold(0.0, f32::max)
    }

    /// F4 of a frame, and what keeps straight legs straight.
    fn pull_of(&self, free: &[Free; MOST_LEGS], holds: &[Hold; MOST_LEGS]) -> Vec3 {
        let mut pull = Vec3::ZERO;
        let (mut straight, mut straights) = (Vec3::ZERO, 0.0);
        for (_, (free, hold)) in self.legs.iter().zip(free.iter().zip(holds)) {
            let way = free.thigh - (free.ankle + hold.offset);
            let over = way.length() - free.own;
            if !self.signed_pull {
                let share = hold.hold * straightness(free, over);
                straight += way.normalize_or_zero() * (over.min(0.0) * share);
                straights += share;
            }
            let over = if self.signed_pull {
                over
            } else {
                over.max(0.0)
            };
            let place = hold.shares.map_or(free.share, |shares| shares.place);
            pull += way.normalize_or_zero() * (over * place.max(hold.hold));
        }
        pull * self.pull + straight / straights.max(1.0)
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

/// How much a leg whose goal is `over` further away than its own length was straight, and may stay so.
fn straightness(free: &Free, over: f32) -> f32 {
    let share = free.own / free.whole.max(f32::MIN_POSITIVE);
    let straight = smooth((share - STRAIGHT[0]) / (STRAIGHT[1] - STRAIGHT[0]));
    let much = smooth(over.abs() / (LITTLE * free.whole).max(f32::MIN_POSITIVE));
    straight * (1.0 - much)
}
