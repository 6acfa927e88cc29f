//! Feet that touch the floor stay where they touch it (E38): what is added to a foot's goal, frame by frame, where the
//! whole clip is known.
//!
//! ```text
//! o(t) = r (A_b − P_b(t)) + (1 − r) (A_h − P_h(t))       while ball b or heel h touch
//! o(t) = s(t) o(nearest frame that touches)              before and behind
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | P_b, P_h | ball of the foot, and sole below the ankle, as the goals of F2 and F10 put them |
//! | A_b | mean of P_b over the touch, frames in which it moves counting less; on the floor that is touched |
//! | A_h | A_b + mean of P_h − P_b where both touch; else the mean of P_h |
//! | r | 1 where the ball touches; it comes and goes over [`ROLL`] seconds where the heel touches before or behind |
//! | s | a curve of the fifth degree over [`FADE`] seconds, from rest to the correction and its speed where the touch begins: a foot lands and leaves without a jerk, and a swing keeps its shape |
//!
//! Where the leg is too short for a stand, even with the hips [`SINK`] leg lengths lower, the whole stand moves over the
//! floor towards the hips: short legs take shorter steps, and do not do the splits.
//!
//! So a heel that lands hands over to the ball, the foot turns about the ball when the heel comes up, and only
//! corrections are filtered. A correction of more than [`FAR`] leg lengths is not made: that was no stand.
//!
//! Where the floor itself moves (a clip that runs in place) all this happens in the moving floor's axes.

use super::goals::smooth;
use glam::Vec3;
use std::ops::RangeInclusive;

/// Seconds over which a correction comes and goes.
pub(super) const FADE: f32 = 0.15;

/// Seconds over which a stand's way to the hips comes and goes, and how long before and behind it is kept: touches are found
/// to a frame or two.
const SLOW: f32 = 0.3;
/// See [`SLOW`].
const GRACE: f32 = 0.04;

/// Seconds over which heel and ball hand over.
pub(super) const ROLL: f32 = 0.1;

/// Seconds before and behind a foot in the floor over which it rises.
const RISE: f32 = 0.08;

/// Leg lengths a second by which a correction grows at most where it begins.
const FASTEST: f32 = 0.5;

/// Leg lengths beyond which a correction is no correction.
pub(super) const FAR: f32 = 0.35;

/// Leg lengths by which the hips may sink for a stand.
const SINK: f32 = 0.1;

/// Frames of a stand that are looked at for its place, and how often.
const LOOKS: usize = 48;
/// See [`LOOKS`].
const ROUNDS: usize = 16;

/// What a foot is told about a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hold {
    /// What is added to the goal of the ankle.
    pub offset: Vec3,
    /// How much the foot must be reached, 0 to 1.
    pub hold: f32,
    /// How much the floor lies below the main floor here.
    pub below: f32,
    /// How much the foot is known to touch, 0 to 1: its ball is then what stands, however high it is (F10).
    pub ball: f32,
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
}

/// From 0 at rest to 1 at rest.
fn from_rest(u: f32) -> f32 {
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// From 0 at rest to 0 with speed 1.
fn speed_only(u: f32) -> f32 {
    u * u * u * (-4.0 + u * (7.0 - 3.0 * u))
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

/// One stand of the foot, by heel or ball or both.
#[derive(Clone, Debug)]
struct Stance {
    frames: RangeInclusive<usize>,
    height: f32,
    /// The correction at each of its frames.
    offsets: Vec<Vec3>,
    /// How far all of it moves for a leg that is too short.
    nearer: Vec3,
}

/// Stands of heel and ball that overlap, each with whether the ball is what touches.
fn grouped(times: &[f32], heel: &[Stand], ball: &[Stand]) -> Vec<Vec<(Stand, bool)>> {
    let mut edges: Vec<(Stand, bool)> = heel.iter().map(|stand| (*stand, false)).collect();
    edges.extend(ball.iter().map(|stand| (*stand, true)));
    edges.retain(|(stand, _)| stand.first <= stand.last && stand.last < times.len());
    edges.sort_by_key(|(stand, _)| stand.first);
    let mut groups: Vec<Vec<(Stand, bool)>> = Vec::new();
    let mut end = 0;
    for edge in edges {
        match groups.last_mut() {
            Some(group) if edge.0.first <= end => group.push(edge),
            _ => groups.push(vec![edge]),
        }
        end = end.max(edge.0.last);
    }
    groups
}

/// How much a foot touches in each frame: 1 where it does, less within [`FADE`] seconds before and behind.
pub(crate) fn touch_shares(times: &[f32], heel: &[Stand], ball: &[Stand]) -> Vec<f32> {
    let mut shares = vec![0.0f32; times.len()];
    for group in grouped(times, heel, ball) {
        let first = group
            .iter()
            .map(|(stand, _)| stand.first)
            .min()
            .unwrap_or(0);
        let last = group.iter().map(|(stand, _)| stand.last).max().unwrap_or(0);
        for (share, &time) in shares.iter_mut().zip(times) {
            let apart = (times[first] - time).max(time - times[last]).max(0.0);
            *share = share.max(smooth(1.0 - apart / FADE));
        }
    }
    shares
}

impl Foot<'_> {
    /// One entry a frame.
    pub fn holds(&self) -> Vec<Hold> {
        let mut holds = vec![Hold::default(); self.times.len()];
        let stances = self.stances();
        for (index, stance) in stances.iter().enumerate() {
            let (first, last) = (*stance.frames.start(), *stance.frames.end());
            for (frame, offset) in stance.frames.clone().zip(&stance.offsets) {
                holds[frame].offset += *offset + stance.nearer;
                holds[frame].hold = 1.0;
            }
            let before = index
                .checked_sub(1)
                .map(|before| *stances[before].frames.end());
            let after = stances.get(index + 1).map(|after| *after.frames.start());
            let fade = |far: Option<usize>, near: usize| {
                let gap = far.map_or(FADE, |far| (self.times[far] - self.times[near]).abs());
                (gap.clamp(1e-6, FADE), (gap - 2.0 * GRACE).clamp(1e-6, SLOW))
            };
            let (rise, fall) = (fade(before, first), fade(after, last));
            let arriving = self.end(stance, first, first + 1);
            let leaving = self.end(stance, last, last.saturating_sub(1));
            let swing_before = before.map_or(0, |before| before + 1)..first;
            let swing_after = last + 1..after.unwrap_or(self.times.len());
            for (swing, (near, (seconds, slow)), (offset, change)) in [
                (swing_before, (first, rise), arriving),
                (swing_after, (last, fall), leaving),
            ] {
                let times = &self.times[swing.clone()];
                for (hold, time) in holds[swing].iter_mut().zip(times) {
                    let apart = (time - self.times[near]).abs();
                    let u = (1.0 - apart / seconds).max(0.0);
                    let share = (1.0 - (apart - GRACE) / slow).clamp(0.0, 1.0);
                    hold.offset += stance.nearer * from_rest(share);
                    hold.offset += offset * from_rest(u) + change * (seconds * speed_only(u));
                    hold.hold = hold.hold.max(smooth(u));
                }
            }
        }
        self.sink(&stances, &mut holds);
        self.float(&mut holds);
        holds
    }

    /// The correction at an end of a stance, and how fast it grows towards that end from outside.
    fn end(&self, stance: &Stance, end: usize, inside: usize) -> (Vec3, Vec3) {
        let first = *stance.frames.start();
        let at = |frame: usize| stance.offsets.get(frame.wrapping_sub(first)).copied();
        let offset = at(end).unwrap_or_default();
        let Some(next) = at(inside).filter(|_| inside != end) else {
            return (offset, Vec3::ZERO);
        };
        let seconds = (self.times[inside] - self.times[end]).abs().max(1e-6);
        let most = FASTEST * self.leg;
        (offset, ((next - offset) / seconds).clamp_length_max(most))
    }

    /// Feet that would be in the floor rise, smoothly: by the highest rise within [`RISE`] seconds, its corners rounded.
    fn float(&self, holds: &mut [Hold]) {
        let needed: Vec<f32> = holds
            .iter()
            .zip(self.free)
            .map(|(hold, free)| {
                let height =
                    |place: Vec3| (place + hold.offset).dot(self.up) - self.floor + hold.below;
                let ball = self.ball_height - height(free.ball);
                (-height(free.heel)).max(ball).max(0.0)
            })
            .collect();
        if needed.iter().all(|rise| *rise <= 0.0) {
            return;
        }
        let near = |frame: usize| {
            let time = self.times[frame];
            let from = self.times.partition_point(|other| *other < time - RISE);
            let to = self.times.partition_point(|other| *other <= time + RISE);
            from..to
        };
        let highest: Vec<f32> = (0..needed.len())
            .map(|frame| needed[near(frame)].iter().copied().fold(0.0, f32::max))
            .collect();
        for (frame, hold) in holds.iter_mut().enumerate() {
            let (mut sum, mut weights) = (0.0, 0.0);
            for other in near(frame) {
                let apart = (self.times[other] - self.times[frame]).abs() / RISE;
                let weight = smooth(1.0 - apart) + 1e-6;
                sum += highest[other] * weight;
                weights += weight;
            }
            // A foot that stands rises no further than it must.
            let rise = needed[frame] + (sum / weights - needed[frame]) * (1.0 - hold.hold);
            hold.offset += self.up * rise;
        }
    }

    /// On the way to and from a floor below the main one, the floor is that one.
    fn sink(&self, stances: &[Stance], holds: &mut [Hold]) {
        let below =
            |stance: Option<&Stance>| stance.map_or(0.0, |stance| (-stance.height).max(0.0));
        let mut next = 0;
        for (frame, hold) in holds.iter_mut().enumerate() {
            while stances
                .get(next)
                .is_some_and(|stance| *stance.frames.end() < frame)
            {
                next += 1;
            }
            let here = stances.get(next);
            hold.below = if here.is_some_and(|stance| stance.frames.contains(&frame)) {
                below(here)
            } else {
                let before = next.checked_sub(1).and_then(|before| stances.get(before));
                below(here).max(below(before))
            };
        }
    }

    /// Stands of heel and ball that overlap are one stance.
    fn stances(&self) -> Vec<Stance> {
        let groups = grouped(self.times, self.heel, self.ball);
        let made = groups.iter().map(|group| self.stance(group));
        made.filter(|stance| {
            let far = stance.offsets.iter().map(|offset| offset.length());
            far.fold(0.0, f32::max) < FAR * self.leg
        })
        .collect()
    }

    /// A place in the axes of the floor, which may move.
    fn still(&self, place: Vec3, frame: usize) -> Vec3 {
        place - self.drift * self.times[frame]
    }

    fn stance(&self, group: &[(Stand, bool)]) -> Stance {
        let first = group
            .iter()
            .map(|(stand, _)| stand.first)
            .min()
            .unwrap_or(0);
        let last = group.iter().map(|(stand, _)| stand.last).max().unwrap_or(0);
        let is_held = |ball: bool, frame: usize| {
            let mut stands = group.iter().filter(|(_, is_ball)| *is_ball == ball);
            stands.any(|(stand, _)| (stand.first..=stand.last).contains(&frame))
        };
        let frames_of = |ball: bool| (first..=last).filter(move |&frame| is_held(ball, frame));
        let (heel, ball): (Vec<usize>, Vec<usize>) =
            (frames_of(false).collect(), frames_of(true).collect());
        let longest = group
            .iter()
            .max_by_key(|(stand, _)| stand.last - stand.first);
        let height = longest.map_or(0.0, |(stand, _)| stand.height);
        let at_heel = |frame: usize| self.still(self.free[frame].heel, frame);
        let at_ball = |frame: usize| self.still(self.free[frame].ball, frame);
        let both: Vec<usize> = heel
            .iter()
            .copied()
            .filter(|frame| ball.binary_search(frame).is_ok())
            .collect();
        let on_floor = |place: Vec3, above: f32| {
            place + self.up * (self.floor + height + above - place.dot(self.up))
        };
        let ball_anchor =
            (!ball.is_empty()).then(|| on_floor(self.calm_mean(&ball, &at_ball), self.ball_height));
        let heel_anchor = match ball_anchor {
            Some(anchor) if !both.is_empty() => {
                anchor + self.calm_mean(&both, &|frame| at_heel(frame) - at_ball(frame))
            }
            _ if !heel.is_empty() => self.calm_mean(&heel, &at_heel),
            _ => Vec3::ZERO,
        };
        let heel_anchor = on_floor(heel_anchor, 0.0);
        let mut offsets = Vec::with_capacity(last + 1 - first);
        let (mut of_heel, mut of_ball) = (Vec3::ZERO, Vec3::ZERO);
        for frame in first..=last {
            let (on_heel, on_ball) = (is_held(false, frame), is_held(true, frame));
            if on_heel {
                of_heel = heel_anchor - at_heel(frame);
            }
            if let Some(anchor) = ball_anchor.filter(|_| on_ball) {
                of_ball = anchor - at_ball(frame);
            }
            let share = self.ball_share(group, frame);
            offsets.push(of_heel.lerp(of_ball, share));
        }
        Stance {
            frames: first..=last,
            height,
            nearer: self.nearer(first, &offsets),
            offsets,
        }
    }

    /// By how much a stand must move over the floor for the leg to reach it in all its frames, as far as there is such a
    /// place: from one circle around the hips to the next.
    fn nearer(&self, first: usize, offsets: &[Vec3]) -> Vec3 {
        let step = offsets.len().div_ceil(LOOKS).max(1);
        let circles: Vec<(Vec3, f32)> = (0..offsets.len())
            .step_by(step)
            .map(|index| {
                let free = &self.free[first + index];
                let way = free.hip - (free.ankle + offsets[index]);
                let height = way.dot(self.up);
                let lowest = height.min(0.5 * free.reach);
                let height = (height - SINK * self.leg).max(lowest);
                let radius = (free.reach * free.reach - height * height).max(0.0).sqrt();
                (way - self.up * way.dot(self.up), radius)
            })
            .collect();
        let (mut nearer, mut mean) = (Vec3::ZERO, Vec3::ZERO);
        for _ in 0..ROUNDS {
            mean = Vec3::ZERO;
            for (center, radius) in &circles {
                let way = *center - nearer;
                let length = way.length();
                if length > *radius {
                    nearer += way * ((length - radius) / length);
                }
                mean += nearer / circles.len() as f32;
            }
        }
        mean
    }

    /// r: how much the ball counts in a frame of a stance.
    fn ball_share(&self, group: &[(Stand, bool)], frame: usize) -> f32 {
        let time = self.times[frame];
        let touches = |ball: bool, frame: usize| {
            let mut stands = group.iter().filter(|(_, is_ball)| *is_ball == ball);
            stands.any(|(stand, _)| (stand.first..=stand.last).contains(&frame))
        };
        let mut share: f32 = 0.0;
        for (stand, _) in group.iter().filter(|(_, is_ball)| *is_ball) {
            // Without the heel on the floor there is nobody to hand over to.
            let from_heel = stand.first > 0 && touches(false, stand.first - 1);
            let to_heel = touches(false, stand.last + 1);
            let own = if frame < stand.first {
                0.0
            } else if frame <= stand.last {
                if from_heel {
                    smooth((time - self.times[stand.first]) / ROLL)
                } else {
                    1.0
                }
            } else if to_heel {
                smooth(1.0 - (time - self.times[stand.last]) / ROLL)
            } else {
                0.0
            };
            share = share.max(own);
        }
        share
    }

    /// Mean of places over frames; those in which it moves count less.
    fn calm_mean(&self, frames: &[usize], place: &dyn Fn(usize) -> Vec3) -> Vec3 {
        let calm = 0.05 * self.leg;
        let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
        for (index, &frame) in frames.iter().enumerate() {
            let (a, b) = (
                frames[index.saturating_sub(1)],
                frames[(index + 1).min(frames.len() - 1)],
            );
            let seconds = (self.times[b] - self.times[a]).max(1e-6);
            let speed = place(b).distance(place(a)) / seconds;
            let weight = 1.0 / (1.0 + (speed / calm) * (speed / calm));
            sum += place(frame) * weight;
            weights += weight;
        }
        sum / weights.max(1e-9)
    }
}
