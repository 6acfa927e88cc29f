//! Hips that follow the feet of a clip that is known as a whole.
//!
//! ```text
//! δ(t) near  − a Σ p unit(v) + Σ s q unit(v) / max(1, Σ s)     what short legs pull in the frame; straight legs
//! with       ρ₀ ≤ |J + δ − g| ≤ ρ₁  where a foot stands,  (J + δ)·u ≥ ζ,  |δ − δ₀| ≤ b
//! as gently as that goes
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | δ | how the hips move beyond Ĥ |
//! | a, p, v | the pull of short legs, see [`super`]; J: the thigh's joint with the hips at Ĥ |
//! | g | where the ankle is held: its goal by sole and ball, with the correction of the lock |
//! | ρ₀, ρ₁ | lengths between which the leg reaches its goal exactly; while a foot lands or leaves, by [`SLACK`] leg lengths wider |
//! | b, δ₀ | [`FURTHEST`] leg lengths; what ζ alone asks for |
//! | s, q | how much a leg stands and was straight as transferred ([`STRAIGHT`]); max(0, f − \|v\|), as far as that is little ([`LITTLE`]) |
//! | ζ | how low a thigh's joint may get: [`Free::low`] |
//!
//! The pull alone has a corner wherever a leg becomes too short or long enough again, and where a foot is set down the hips would
//! jump towards it: everything that hangs from them would jerk. So what is wanted and what is allowed go into
//! [`Calm::within`], and where the outcome is a little off, the soft end of the leg takes it.
//!
//! A correction of a straight leg's foot would bend its knee, and much: the hips go with the foot instead, as far as the
//! feet agree. Ĥ is found by an added length: of legs much shorter than the source's a deep crouch would put them into
//! the floor, so they stay above ζ, but where a foot could not be reached from there.
//!
//! Degenerate cases: legs that reach everything leave δ = 0, to the bit; a foot that no place of the hips can reach is not
//! reached. Source: docs/laws.md, "Gentle hips".

use super::smooth;
use super::{FeetStage, Free, Hold, MOST_LEGS};
use crate::solve::calm::Calm;
use glam::{DVec3, Vec3};
use rebone_model::Clamp as _;

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

/// Leg lengths below which nobody sees what is still to be done: a tenth of a millimetre.
pub(super) const UNSEEN: f32 = 1e-4;

/// How often the hips go from leg to leg in each of them.
const LEG_ROUNDS: usize = 2;

impl FeetStage {
    /// δ of each frame; what is free and how it is held is told leg by leg.
    pub(crate) fn carry(
        &self,
        times: &[f32],
        free: &[Vec<Free>],
        holds: &[Vec<Hold>],
    ) -> Vec<Vec3> {
        let mut wanted: Vec<DVec3> = Vec::with_capacity(times.len());
        let mut places: Vec<Places> = Vec::with_capacity(times.len());
        for frame in 0..times.len() {
            let (free, holds) = (across(free, frame), across(holds, frame));
            wanted.push(-self.pull_of(&free, &holds).as_dvec3());
            places.push(self.places(&free, &holds));
        }
        let nearest = |frame: usize, carried: DVec3| {
            let place = places[frame].nearest(carried.as_vec3(), self.up);
            place.as_dvec3()
        };
        let calm = Calm::firm(times, &vec![1.0; times.len()], GENTLE);
        let unseen = f64::from(UNSEEN * self.longest());
        let carried = calm.within(&wanted, ROUNDS, unseen, nearest);
        let limited = |(carried, places): (DVec3, &Places)| places.limited(carried.as_vec3());
        carried.into_iter().zip(&places).map(limited).collect()
    }

    /// True where hips may come so much nearer to the feet.
    pub(super) fn goes_so_far(&self, carried: Vec3) -> bool {
        carried.length() <= FURTHEST * self.longest()
    }

    fn longest(&self) -> f32 {
        self.legs.iter().map(|leg| leg.length).fold(0.0, f32::max)
    }

    /// What one frame allows.
    pub(super) fn places(&self, free: &[Free; MOST_LEGS], holds: &[Hold; MOST_LEGS]) -> Places {
        let lowest = |free: &Free| free.low - (free.thigh.dot(self.up) - self.floor);
        let legs = || self.legs.iter().zip(free.iter().zip(holds));
        let lowest = legs().map(|(_, (free, _))| lowest(free));
        let lowest = lowest.fold(f32::MIN, f32::max);
        let mut places = Places {
            lowest,
            raised: self.up * lowest.max(0.0),
            furthest: FURTHEST * self.longest(),
            shells: [Shell::default(); MOST_LEGS],
            standing: 0,
        };
        for (leg, (free, hold)) in legs().filter(|(_, (_, hold))| hold.hold > 0.0) {
            let slack = (1.0 - hold.hold) * SLACK * leg.length;
            places.shells[places.standing] = Shell {
                middle: free.ankle + hold.offset - free.thigh,
                least: free.least - slack,
                most: free.reach + slack,
            };
            places.standing += 1;
        }
        places
    }

    /// The pull of a frame, and what keeps straight legs straight.
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
}

/// Ways δ of the hips that are allowed in a frame.
#[derive(Clone, Copy)]
pub(super) struct Places {
    /// δ·u is at least that, so that no thigh is too low.
    lowest: f32,
    /// δ₀.
    raised: Vec3,
    /// b.
    furthest: f32,
    /// Around the feet that stand; so many of them.
    shells: [Shell; MOST_LEGS],
    standing: usize,
}

/// Ways of the hips that a foot allows.
#[derive(Clone, Copy, Default)]
struct Shell {
    middle: Vec3,
    least: f32,
    most: f32,
}

impl Places {
    /// The nearest one, nearly.
    pub(super) fn nearest(&self, carried: Vec3, up: Vec3) -> Vec3 {
        let mut carried = carried + up * (self.lowest - carried.dot(up)).max(0.0);
        for _ in 0..LEG_ROUNDS {
            let before = carried;
            for shell in &self.shells[..self.standing] {
                carried = shell.nearest(carried);
            }
            if carried == before {
                break;
            }
        }
        self.limited(carried)
    }

    /// No further than b from δ₀.
    fn limited(&self, carried: Vec3) -> Vec3 {
        self.raised + (carried - self.raised).clamp_length_max(self.furthest)
    }
}

impl Shell {
    fn nearest(&self, carried: Vec3) -> Vec3 {
        let way = carried - self.middle;
        let squared = way.length_squared();
        let is_within = self.least <= 0.0 || squared >= self.least * self.least;
        if is_within && squared <= self.most * self.most {
            return carried;
        }
        let length = squared.sqrt();
        carried - way.normalize_or_zero() * (length - length.clamped(self.least, self.most))
    }
}

/// All legs in one frame.
fn across<T: Copy + Default>(legs: &[Vec<T>], frame: usize) -> [T; MOST_LEGS] {
    let at = |leg: usize| legs.get(leg).map(|frames: &Vec<T>| frames[frame]);
    std::array::from_fn(|leg| at(leg).unwrap_or_default())
}

/// How much a leg whose goal is `over` further away than its own length was straight, and may stay so.
fn straightness(free: &Free, over: f32) -> f32 {
    let share = free.own / free.whole.max(f32::MIN_POSITIVE);
    let straight = smooth((share - STRAIGHT[0]) / (STRAIGHT[1] - STRAIGHT[0]));
    let much = smooth(over.abs() / (LITTLE * free.whole).max(f32::MIN_POSITIVE));
    straight * (1.0 - much)
}
