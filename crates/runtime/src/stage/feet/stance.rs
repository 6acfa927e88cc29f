//! Where a foot stands while it touches the floor.
//!
//! ```text
//! o(t) = r (A_b − P_b(t)) + (1 − r) (A_h − P_h(t))       while ball b or heel h touch
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | P_b, P_h | ball of the foot, and sole below the ankle, as the goals of sole and ball put them |
//! | A_b | mean of P_b over the touch, frames in which it moves counting less; on the floor that is touched |
//! | A_h | A_b + mean of P_h − P_b where both touch; else the mean of P_h |
//! | r | 1 where the ball touches; it comes and goes over [`ROLL`] seconds where the heel touches before or behind |
//! | n | where the leg is too short for a stand, even with the hips [`SINK`] leg lengths lower, the whole stand moves over the floor towards the hips: short legs take shorter steps, and do not do the splits |
//!
//! Heel and ball that touch at the same time, or one right after the other, make one stance. A correction of more than [`FAR`] leg lengths is not made: that was
//! no stand. Source: docs/laws.md, "Foot lock".

use super::lock::{FADE, Foot, Stand};
use super::smooth;
use glam::Vec3;
use std::ops::RangeInclusive;

/// Seconds over which heel and ball hand over.
pub(super) const ROLL: f32 = 0.1;

/// Leg lengths beyond which a correction is no correction.
pub(super) const FAR: f32 = 0.35;

/// Leg lengths by which the hips may sink for a stand.
const SINK: f32 = 0.1;

/// Frames of a stand that are looked at for its place, and how often.
const LOOKS: usize = 48;
/// See [`LOOKS`].
const ROUNDS: usize = 16;

/// One stand of the foot, by heel or ball or both.
#[derive(Clone, Debug)]
pub(super) struct Stance {
    pub(super) frames: RangeInclusive<usize>,
    pub(super) height: f32,
    /// The correction at each of its frames.
    pub(super) offsets: Vec<Vec3>,
    /// How far all of it moves for a leg that is too short.
    pub(super) nearer: Vec3,
}

/// Stands of heel and ball that overlap or meet, each with whether the ball is what touches.
fn grouped(times: &[f32], heel: &[Stand], ball: &[Stand]) -> Vec<Vec<(Stand, bool)>> {
    let mut edges: Vec<(Stand, bool)> = heel.iter().map(|stand| (*stand, false)).collect();
    edges.extend(ball.iter().map(|stand| (*stand, true)));
    edges.retain(|(stand, _)| stand.first <= stand.last && stand.last < times.len());
    edges.sort_by_key(|(stand, _)| stand.first);
    let mut groups: Vec<Vec<(Stand, bool)>> = Vec::new();
    let mut end = 0;
    for edge in edges {
        match groups.last_mut() {
            Some(group) if edge.0.first <= end + 1 => group.push(edge),
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
        let (first, last) = span(&group);
        let from = times.partition_point(|time| *time < times[first] - FADE);
        let to = times.partition_point(|time| *time <= times[last] + FADE);
        for (share, &time) in shares[from..to].iter_mut().zip(&times[from..to]) {
            let apart = (times[first] - time).max(time - times[last]).max(0.0);
            *share = share.max(smooth(1.0 - apart / FADE));
        }
    }
    shares
}

/// How much higher than the main floor the one below a foot is, in each frame: that on which the foot stands, and in the air the lower
/// one of those before and behind.
pub(crate) fn floor_levels(times: &[f32], heel: &[Stand], ball: &[Stand]) -> Vec<f32> {
    let mut levels = vec![0.0; times.len()];
    let mut before: Option<(usize, f32)> = None;
    for group in grouped(times, heel, ball) {
        let ((first, last), height) = (span(&group), height(&group));
        let (from, own) = before.unwrap_or((0, height));
        levels[from..first].fill(own.min(height));
        levels[first..].fill(height);
        before = Some((last + 1, height));
    }
    levels
}

/// Height of the floor of a group: that of its longest stand.
fn height(group: &[(Stand, bool)]) -> f32 {
    let longest = group
        .iter()
        .max_by_key(|(stand, _)| stand.last - stand.first);
    longest.map_or(0.0, |(stand, _)| stand.height)
}

/// First and last frame of a group.
fn span(group: &[(Stand, bool)]) -> (usize, usize) {
    let first = group.iter().map(|(stand, _)| stand.first).min();
    let last = group.iter().map(|(stand, _)| stand.last).max();
    (first.unwrap_or(0), last.unwrap_or(0))
}

impl Foot<'_> {
    /// Stands of heel and ball that overlap or meet are one stance.
    pub(super) fn stances(&self) -> Vec<Stance> {
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
        let (first, last) = span(group);
        let is_held = |ball: bool, frame: usize| {
            let mut stands = group.iter().filter(|(_, is_ball)| *is_ball == ball);
            stands.any(|(stand, _)| (stand.first..=stand.last).contains(&frame))
        };
        let frames_of = |ball: bool| (first..=last).filter(move |&frame| is_held(ball, frame));
        let (heel, ball): (Vec<usize>, Vec<usize>) =
            (frames_of(false).collect(), frames_of(true).collect());
        let height = height(group);
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
