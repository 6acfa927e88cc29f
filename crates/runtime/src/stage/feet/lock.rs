//! Feet that touch the floor stay where they touch it: what is added to a foot's goal, frame by frame, where the
//! whole clip is known.
//!
//! ```text
//! o(t) = n + r (A_b − P_b(t)) + (1 − r) (A_h − P_h(t))           while ball b or heel h touch
//! o    = argmin ∫ |o|² + T⁶ |o‴|²                                in the air, from the last o of a stand to the first of the next
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | P_b, P_h, A_b, A_h, r, n | see [`stance`](super::stance) |
//! | T | [`GENTLE`], of n [`SLOW`]: a correction goes from stand to stand, or comes and goes, without a jerk |
//!
//! The way through the air begins and ends at rest (o′ = o″ = 0). While a foot is held, o takes away what the source's foot still
//! moves: up to several leg lengths a second in the frame in which it lands. A way that went on like this would fling the foot ahead
//! by a third of the leg, for a correction of a fortieth.
//!
//! So a heel that lands hands over to the ball, the foot turns about the ball when the heel comes up, and only
//! corrections are filtered: what the source does in the air is not touched, nor what it does where nothing needs to be corrected.
//! On top of it feet rise out of the floor ([`rise`](super::rise)), and those that the leg cannot reach are left to it
//! ([`share`](super::share)).
//!
//! Where the floor itself moves (a clip that runs in place) all this happens in the moving floor's axes.
//! Source: docs/laws.md, "Foot lock".

use super::smooth;
use super::stance::Stance;
use crate::solve::calm::Calm;
use glam::{DVec3, Vec3};
use rebone_model::Clamp as _;

/// Seconds before and behind a touch over which the duty to reach the foot comes and goes.
pub(super) const FADE: f32 = 0.15;

/// T, seconds.
const GENTLE: f64 = 0.06;

/// T of a stand's way to the hips, seconds.
const SLOW: f64 = 0.1;

/// T between the moments before and behind a way through the air in which the correction rests.
const REST: f32 = 0.1;

/// Seconds before and behind a touch in which a foot is still near enough to be reached: touches are found to a frame or two.
const GRACE: f32 = 0.04;

/// How much more a correction counts while the foot touches than the wish for none elsewhere.
pub(super) const HELD: f64 = 1e9;

/// What a foot is told about a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hold {
    /// What is added to the goal of the ankle.
    pub offset: Vec3,
    /// How much the foot must be reached, 0 to 1.
    pub hold: f32,
    /// How much the floor lies below the main floor here.
    pub below: f32,
    /// How much the foot is known to touch, 0 to 1: its ball is then what stands, however high it is.
    pub ball: f32,
    /// How far it turns about its left to keep the edges of its sole out of the floor, radians; above 0 its toes go down.
    pub pitch: f32,
    /// What is known of the shares of a goal; `None`: found by how high the foot is.
    pub(crate) shares: Option<Shares>,
}

/// What counts how much for a foot's goal, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shares {
    /// The ball of the foot; the rest is the sole below the ankle.
    pub ball: f32,
    /// The foot's place in the world; the rest is where the leg brings it.
    pub place: f32,
}

/// Where a foot's points would be without a lock, in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Free {
    /// The sole below the ankle.
    pub heel: Vec3,
    /// The joint of the toes; the same as `heel` of a foot without.
    pub ball: Vec3,
    /// The ankle.
    pub ankle: Vec3,
    /// The thigh's joint.
    pub hip: Vec3,
    /// How far the ankle can be from it.
    pub reach: f32,
    /// The thigh's joint before legs that are too short pull it nearer.
    pub thigh: Vec3,
    /// How near the ankle can be to it.
    pub least: f32,
    /// How far the ankle is from it as transferred.
    pub own: f32,
    /// How much the foot goes by its place in the world.
    pub share: f32,
    /// How long the leg is when straight.
    pub whole: f32,
    /// How low the thigh's joint may get, along the floor's up and above it.
    pub low: f32,
    /// How much the leg is there, 0 to 1: 0 of a body that is shrunk to next to nothing.
    pub there: f32,
    /// How much the ball is what stands.
    pub stands: f32,
    /// From where the ankle belongs by the sole alone to where it belongs by the ball alone.
    pub roll: Vec3,
    /// How high the source's foot is above where it stands on the main floor, scaled.
    pub source_height: f32,
    /// How much the floor gives way to the source's foot, 0 to 1: 1 where it is too far below the main floor for mere noise.
    pub gives_way: f32,
}

/// One touch of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// First frame.
    pub first: usize,
    /// Last frame.
    pub last: usize,
    /// Height of the touched floor over the main floor, target file units.
    pub height: f32,
}

/// What a lock is made from.
#[derive(Clone, Copy, Debug)]
pub struct Foot<'a> {
    /// Seconds of the frames, rising.
    pub times: &'a [f32],
    /// One entry a frame.
    pub free: &'a [Free],
    /// When the heel touches.
    pub heel: &'a [Stand],
    /// When the ball touches.
    pub ball: &'a [Stand],
    /// Up, unit.
    pub up: Vec3,
    /// Height of the main floor along `up`.
    pub floor: f32,
    /// How high the ball's joint is when it stands.
    pub ball_height: f32,
    /// Length of the leg.
    pub leg: f32,
    /// How the floor moves, target file units a second.
    pub drift: Vec3,
}

impl Foot<'_> {
    /// One entry a frame.
    pub fn holds(&self) -> Vec<Hold> {
        let mut holds = vec![Hold::default(); self.times.len()];
        let stances = self.stances();
        self.reach(&stances, &mut holds);
        self.correct(&stances, &mut holds);
        self.sink(&stances, &mut holds);
        self.rise(&mut holds);
        self.share(&mut holds);
        holds
    }

    /// The corrections.
    fn correct(&self, stances: &[Stance], holds: &mut [Hold]) {
        for stance in stances {
            let held = &mut holds[stance.frames.clone()];
            for (hold, offset) in held.iter_mut().zip(&stance.offsets) {
                hold.offset += *offset + stance.nearer;
            }
        }
        let offsets = |stance: &Stance| {
            let ends = [stance.offsets.first(), stance.offsets.last()];
            ends.map(|offset| offset.copied().unwrap_or_default())
        };
        self.between(stances, GENTLE, &offsets, holds);
        if stances.iter().any(|stance| stance.nearer != Vec3::ZERO) {
            self.between(stances, SLOW, &|stance| [stance.nearer; 2], holds);
        }
    }

    /// Adds the ways through the air: to each stance, from the one before, and after the last. `ends_of` a stance are the
    /// corrections of its first and its last frame.
    fn between(
        &self,
        stances: &[Stance],
        seconds: f64,
        ends_of: &dyn Fn(&Stance) -> [Vec3; 2],
        holds: &mut [Hold],
    ) {
        let rest = seconds as f32 * REST;
        for next in 0..=stances.len() {
            let before = next.checked_sub(1).and_then(|before| stances.get(before));
            let after = stances.get(next);
            let start = before.map_or(0, |stance| stance.frames.end() + 1);
            let end = after.map_or(self.times.len(), |stance| *stance.frames.start());
            if start >= end || (before.is_none() && after.is_none()) {
                continue;
            }
            let mut way = Vec::with_capacity(end - start + 8);
            if let Some(stance) = before {
                let (time, value) = (self.times[start - 1], ends_of(stance)[1]);
                way.extend([3.0, 2.0, 1.0, 0.0].map(|back| (time - back * rest, HELD, value)));
            }
            let own = way.len()..way.len() + end - start;
            way.extend(
                self.times[start..end]
                    .iter()
                    .map(|&time| (time, 1.0, Vec3::ZERO)),
            );
            if let Some(stance) = after {
                let (time, value) = (self.times[end], ends_of(stance)[0]);
                way.extend([0.0, 1.0, 2.0, 3.0].map(|on| (time + on * rest, HELD, value)));
            }
            let times: Vec<f32> = way.iter().map(|(time, _, _)| *time).collect();
            let weights: Vec<f64> = way.iter().map(|(_, weight, _)| *weight).collect();
            let wanted: Vec<DVec3> = way.iter().map(|(_, _, value)| value.as_dvec3()).collect();
            let found = Calm::new(&times, &weights, seconds).calm(&wanted);
            for (hold, offset) in holds[start..end].iter_mut().zip(&found[own]) {
                hold.offset += offset.as_vec3();
            }
        }
    }

    /// How much the foot must be reached.
    fn reach(&self, stances: &[Stance], holds: &mut [Hold]) {
        for (index, stance) in stances.iter().enumerate() {
            let (first, last) = (*stance.frames.start(), *stance.frames.end());
            for hold in &mut holds[first..=last] {
                hold.hold = 1.0;
            }
            let before = index.checked_sub(1).map(|before| &stances[before]);
            let before = before.map(|before| *before.frames.end());
            let after = stances.get(index + 1).map(|after| *after.frames.start());
            let fade = |far: Option<usize>, near: usize| {
                let gap = far.map_or(FADE, |far| (self.times[far] - self.times[near]).abs());
                (gap - GRACE).clamped(1e-6, FADE)
            };
            let swing_before = before.map_or(0, |before| before + 1)..first;
            let swing_after = last + 1..after.unwrap_or(self.times.len());
            for (swing, near, seconds) in [
                (swing_before, first, fade(before, first)),
                (swing_after, last, fade(after, last)),
            ] {
                let times = &self.times[swing.clone()];
                for (hold, time) in holds[swing].iter_mut().zip(times) {
                    let share = smooth(1.0 - ((time - self.times[near]).abs() - GRACE) / seconds);
                    hold.hold = hold.hold.max(share);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 30 frames a second a foot lands at four leg lengths a second, and moves by up to a fortieth of the leg while it touches.
    #[test]
    fn a_foot_that_lands_fast_is_not_flung_ahead() {
        let times: Vec<f32> = (0..24).map(|frame| frame as f32 / 30.0).collect();
        let ahead = [
            0.0, 0.13, 0.26, 0.4, 0.53, 0.66, 0.8, 0.93, 1.04, 1.1, 1.12, 1.12, 1.11, 1.13, 1.12,
            1.11,
        ];
        let free: Vec<Free> = (0..times.len())
            .map(|frame| {
                let place = Vec3::new(0.0, 0.0, ahead[frame.min(ahead.len() - 1)]);
                Free {
                    heel: place,
                    ball: place,
                    ankle: place,
                    hip: place + Vec3::Y,
                    reach: 2.0,
                    share: 1.0,
                    ..Free::default()
                }
            })
            .collect();
        let stand = Stand {
            first: 9,
            last: 23,
            height: 0.0,
        };
        let foot = Foot {
            times: &times,
            free: &free,
            heel: &[stand],
            ball: &[stand],
            up: Vec3::Y,
            floor: 0.0,
            ball_height: 0.0,
            leg: 1.0,
            drift: Vec3::ZERO,
        };
        let mut holds = vec![Hold::default(); times.len()];
        foot.correct(&foot.stances(), &mut holds);
        let sizes: Vec<f32> = holds.iter().map(|hold| hold.offset.length()).collect();
        let (air, held) = sizes.split_at(9);
        let most = |sizes: &[f32]| sizes.iter().fold(0.0, |most: f32, size| most.max(*size));
        assert!((0.01..0.025).contains(&most(held)), "{held:?}");
        assert!(most(air) < 1.01 * held[0], "{sizes:?}");
        assert!(air[8] > 0.3 * held[0], "{sizes:?}");
    }
}
