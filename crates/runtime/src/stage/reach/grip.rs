//! When two hands hold one rigid thing, however far from each other they hold it: found where the whole clip is known.
//!
//! ```text
//! x_i = R_iᵀ (b_i − a_i)                       the other palm in the axes of one hand (or of what it holds)
//! s_i = a_i − M b_i                            how far the hands are from mirroring each other, in the chest's axes and in the hips'
//! held: a stretch of frames of at least 0.3 s, in which
//!       x stays in a box of 0.04 (0.02, 0.01), σ(s) > 0.02, σ(x) < 0.15 σ(s), |x| < 0.7; σ(s) is the lesser of both
//! g(t) = 1 in such stretches, coming and going over 0.2 s
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | a, b | palms of the source |
//! | R | rotation of the one hand, or of a prop that hangs from it |
//! | M | the body's mirror, in these axes |
//! | σ | root of the mean square distance from the mean |
//! | g | how much the hands hold on to each other, beside what their distance says |
//!
//! All lengths are shares of the span of the arms.
//!
//! A thing in one hand is as rigid as that hand; where the other hand holds it too, that hand stays where it is in the
//! first one's axes while both move. Hands that rest do the same and hold nothing, so they must move relative to the chest and
//! relative to the hips. Hands on the hips move relative to the chest when the trunk turns, but not relative to the hips. Arms that do
//! the same on both sides (a squat, a jump, arms raised in front) keep each other's place by symmetry, so only motion that
//! is not symmetrical counts.
//!
//! Degenerate cases: less than two arms, a body without chest, a rest without motion, a hold that slides along
//! its shaft: nothing is found, and the distance alone says what is held; unless the clip says so by its name ([`super::named`]).
//! Source: docs/laws.md, "Hands that belong together".

use super::named::{self, says_both_hands};
use super::{ReachStage, View};
use crate::solve::smooth;
use glam::{DVec3, Quat, Vec3};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Sizes of the boxes in which the other palm stays.
const BOXES: [f64; 3] = [0.04, 0.02, 0.01];

/// Shortest hold, seconds.
const SHORTEST: f32 = 0.3;

/// Least σ(s).
const MOVES: f64 = 0.02;

/// Most σ(x), of σ(s).
const RIGID: f64 = 0.15;

/// Furthest palms of a hold.
pub(super) const FURTHEST: f64 = 0.7;

/// Seconds over which a hold comes and goes.
pub(super) const FADE: f32 = 0.2;

/// What tells a rigid hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GripRule {
    /// What carries both shoulders, a place in [`ReachStage::source`].
    pub chest: usize,
    /// Canonical axes to its own, in the retarget pose.
    pub chest_frame: Quat,
    /// The same of the hips, where they are another joint.
    pub hips: Option<(usize, Quat)>,
    /// Span of the source's arms, source file units.
    pub span: f32,
}

/// What a clip shows of two hands, frame by frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct GripMotion {
    /// s, in the axes of the chest and of the hips.
    apart: [Vec<DVec3>; 2],
    /// x, for each of the hands and props.
    ways: Vec<Vec<DVec3>>,
}

impl ReachStage {
    /// Looks at one frame.
    pub(crate) fn look_at_grip(&self, rule: &GripRule, source: &View<'_>, motion: &mut GripMotion) {
        let [left, right] = [&self.arms[0], &self.arms[1]];
        let palms = [left, right].map(|arm| source.point(arm.source_hand, arm.source_palm));
        let span = rule.span.max(f32::MIN_POSITIVE);
        let bodies = std::iter::once((rule.chest, rule.chest_frame)).chain(rule.hips);
        for ((joint, frame), apart) in bodies.zip(&mut motion.apart) {
            let place = source.position(joint);
            let to_body = (source.rotation(joint) * frame).conjugate();
            let [a, b] = palms.map(|palm| to_body * (palm - place) / span);
            apart.push((a - Vec3::new(-b.x, b.y, b.z)).as_dvec3());
        }
        let mut index = 0;
        let mut push = |way: Vec3| {
            if motion.ways.len() == index {
                motion.ways.push(Vec::new());
            }
            motion.ways[index].push((way / span).as_dvec3());
            index += 1;
        };
        for (arm, own, other) in [(left, palms[0], palms[1]), (right, palms[1], palms[0])] {
            push(source.rotation(arm.source_hand).conjugate() * (other - own));
            for &prop in &arm.source_props {
                push(source.rotation(prop).conjugate() * (other - source.position(prop)));
            }
        }
    }
}

/// Sums from which the spread of any stretch follows.
struct Sums {
    places: Vec<DVec3>,
    squares: Vec<f64>,
}

impl Sums {
    fn new(values: &[DVec3]) -> Self {
        let (mut place, mut square) = (DVec3::ZERO, 0.0);
        let mut sums = Self {
            places: vec![place],
            squares: vec![square],
        };
        for value in values {
            place += *value;
            square += value.length_squared();
            sums.places.push(place);
            sums.squares.push(square);
        }
        sums
    }

    /// σ of the frames from `first` to `last`.
    fn spread(&self, first: usize, last: usize) -> f64 {
        let count = (last + 1 - first) as f64;
        let mean = (self.places[last + 1] - self.places[first]) / count;
        let square = (self.squares[last + 1] - self.squares[first]) / count;
        (square - mean.length_squared()).max(0.0).sqrt()
    }
}

/// The least or the greatest value of a window that only moves on: frames that may still be it, best first.
#[derive(Default)]
struct Extreme(VecDeque<usize>);

impl Extreme {
    fn push(&mut self, frame: usize, is_worse: impl Fn(usize) -> bool) {
        while self.0.back().is_some_and(|&last| is_worse(last)) {
            self.0.pop_back();
        }
        self.0.push_back(frame);
    }

    fn leave(&mut self, frame: usize) {
        if self.0.front() == Some(&frame) {
            self.0.pop_front();
        }
    }
}

/// The longest stretches of frames in which values stay in a box of this size.
fn stretches(values: &[DVec3], size: f64) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut ends: [[Extreme; 2]; 3] = Default::default();
    let mut first = 0;
    for frame in 0..values.len() {
        let mut is_out = false;
        for (axis, [least, greatest]) in ends.iter_mut().enumerate() {
            let own = values[frame][axis];
            least.push(frame, |other| values[other][axis] >= own);
            greatest.push(frame, |other| values[other][axis] <= own);
        }
        let before = first;
        while ends.iter().enumerate().any(|(axis, [least, greatest])| {
            let at = |extreme: &Extreme| extreme.0.front().map_or(0.0, |&at| values[at][axis]);
            at(greatest) - at(least) > size
        }) {
            is_out = true;
            for extreme in ends.iter_mut().flatten() {
                extreme.leave(first);
            }
            first += 1;
        }
        if is_out && frame > before {
            found.push((before, frame - 1));
        }
    }
    if first < values.len() {
        found.push((first, values.len() - 1));
    }
    found
}

/// Stretches as ranges, those that overlap or touch as one.
fn merged(stretches: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for &(first, last) in stretches {
        match all.last_mut() {
            Some(range) if first <= range.1 => range.1 = range.1.max(last + 1),
            _ => all.push((first, last + 1)),
        }
    }
    all
}

impl GripMotion {
    /// The stretches in which the hands hold one rigid thing, in order, without overlap.
    pub(crate) fn holds(&self, times: &[f32]) -> Vec<(usize, usize)> {
        let mut is_held = vec![false; times.len()];
        let mut apart = None;
        for way in &self.ways {
            let mut spread = None;
            // What lasts in a smaller box lasts in the larger one.
            let mut open = vec![(0, times.len())];
            for size in BOXES {
                let lasting: Vec<(usize, usize)> = open
                    .iter()
                    .flat_map(|&(start, end)| {
                        let found = stretches(&way[start..end], size).into_iter();
                        found.map(move |(first, last)| (start + first, start + last))
                    })
                    .filter(|&(first, last)| times[last] - times[first] >= SHORTEST)
                    .collect();
                for &(first, last) in &lasting {
                    let apart = apart.get_or_insert_with(|| self.sums_apart());
                    let spread = spread.get_or_insert_with(|| Sums::new(way));
                    let moves = apart.iter().map(|apart| apart.spread(first, last));
                    let moves = moves.fold(f64::INFINITY, f64::min);
                    let is_hold = moves > MOVES
                        && spread.spread(first, last) < RIGID * moves
                        && way[first].length() < FURTHEST;
                    if is_hold {
                        is_held[first..=last].fill(true);
                    }
                }
                open = merged(&lasting);
            }
        }
        let mut holds: Vec<(usize, usize)> = Vec::new();
        for frame in (0..times.len()).filter(|&frame| is_held[frame]) {
            match holds.last_mut() {
                Some(hold) if hold.1 + 1 == frame => hold.1 = frame,
                _ => holds.push((frame, frame)),
            }
        }
        holds
    }

    fn sums_apart(&self) -> Vec<Sums> {
        let known = self.apart.iter().filter(|apart| !apart.is_empty());
        known.map(|apart| Sums::new(apart)).collect()
    }

    /// g, for each frame of the clip of this name.
    pub(crate) fn shares(&self, times: &[f32], clip: &str) -> Vec<f32> {
        let mut shares = self.shares_by_motion(times);
        // The first way is that between the palms.
        if let (true, Some(way)) = (says_both_hands(clip), self.ways.first()) {
            for (share, way) in shares.iter_mut().zip(way) {
                *share = share.max(named::share(way.length()));
            }
        }
        shares
    }

    fn shares_by_motion(&self, times: &[f32]) -> Vec<f32> {
        let holds = self.holds(times);
        let share = |(frame, &time): (usize, &f32)| {
            let away = |&(first, last): &(usize, usize)| {
                if frame < first {
                    times[first] - time
                } else if frame > last {
                    time - times[last]
                } else {
                    0.0
                }
            };
            let nearest = holds.iter().map(away).fold(f32::INFINITY, f32::min);
            smooth(1.0 - nearest / FADE)
        };
        times.iter().enumerate().map(share).collect()
    }
}

/// Shares that come and go over [`FADE`] seconds: the mean of those around, the further away the less.
pub(crate) fn faded(times: &[f32], shares: &[f32]) -> Vec<f32> {
    faded_over(times, shares, FADE)
}

/// The same over so many seconds.
pub(crate) fn faded_over(times: &[f32], shares: &[f32], seconds: f32) -> Vec<f32> {
    let half = 0.5 * seconds;
    let from = |time: f32| times.partition_point(|other| *other <= time - half);
    let to = |time: f32| times.partition_point(|other| *other < time + half);
    let share = |&time: &f32| {
        let around = from(time)..to(time);
        let (mut sum, mut whole) = (0.0, 0.0);
        for (other, share) in times[around.clone()].iter().zip(&shares[around]) {
            let weight = smooth(1.0 - (other - time).abs() / half);
            sum += weight * share;
            whole += weight;
        }
        sum / f32::max(whole, f32::MIN_POSITIVE)
    };
    times.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(
        frames: usize,
        way: impl Fn(f64) -> DVec3,
        apart: impl Fn(f64) -> DVec3,
    ) -> GripMotion {
        let seconds = (0..frames).map(|frame| frame as f64 / 30.0);
        GripMotion {
            apart: [seconds.clone().map(apart).collect(), Vec::new()],
            ways: vec![seconds.map(way).collect()],
        }
    }

    fn times(frames: usize) -> Vec<f32> {
        (0..frames).map(|frame| frame as f32 / 30.0).collect()
    }

    /// A share that switches comes and goes over the time, at any rate of frames; one that stays keeps its bits.
    #[test]
    fn shares_come_and_go() {
        for rate in [24.0, 60.0, 240.0] {
            let times: Vec<f32> = (0..480).map(|frame| frame as f32 / rate).collect();
            let middle = times[240];
            let switched: Vec<f32> = times
                .iter()
                .map(|time| f32::from(*time >= middle))
                .collect();
            let made = faded(&times, &switched);
            for (time, share) in times.iter().zip(&made) {
                let apart = (time - middle).abs();
                assert!(apart < 0.5 * FADE || (*share - f32::from(*time >= middle)).abs() < 1e-6);
            }
            for pair in made.windows(2) {
                let most = 2.0 * 1.5 / (FADE * rate);
                assert!(
                    (-1e-6..=most).contains(&(pair[1] - pair[0])),
                    "{rate}: {pair:?}"
                );
            }
            for level in [0.0, 1.0] {
                assert!(
                    faded(&times, &vec![level; 480])
                        .iter()
                        .all(|share| *share == level)
                );
            }
        }
    }

    const GRIP: DVec3 = DVec3::new(0.1, 0.4, -0.1);

    #[test]
    fn stretches_are_the_longest_that_fit() {
        let values = [0.0, 0.1, 0.2, 0.3, 0.2, 0.9, 0.8].map(|x| DVec3::new(0.0, x, 0.0));
        assert_eq!(stretches(&values, 0.25), [(0, 2), (1, 4), (5, 6)]);
        assert_eq!(stretches(&values, 2.0), [(0, 6)]);
        assert_eq!(stretches(&[], 2.0), []);
    }

    /// A staff that is swung for a second and let go, and what is alike only at first sight.
    #[test]
    fn rigid_holds_are_told_from_what_is_none() {
        let swing = |t: f64| DVec3::new((5.0 * t).sin(), (7.0 * t).cos(), t) * 0.1;
        let let_go = |t: f64| GRIP + DVec3::X * (t - 1.0).max(0.0);
        let made = motion(61, let_go, swing);
        let holds = made.holds(&times(61));
        let &[(0, last)] = holds.as_slice() else {
            panic!("{holds:?}");
        };
        assert!((30..=31).contains(&last), "{last}");
        let shares = made.shares(&times(61), "staff");
        assert_eq!(shares[20], 1.0);
        assert_eq!(shares[40], 0.0);
        assert!(
            shares
                .windows(2)
                .all(|pair| (pair[0] - pair[1]).abs() < 0.3)
        );
        let nothing = |way: &dyn Fn(f64) -> DVec3, apart: &dyn Fn(f64) -> DVec3| {
            motion(61, way, apart).holds(&times(61)).is_empty()
        };
        // Hands at rest, and arms that do the same on both sides.
        assert!(nothing(&|_| GRIP, &|_| GRIP));
        // Hands that slide along a shaft, or tremble.
        assert!(nothing(&|t| GRIP * (1.0 + (6.0 * t).sin()), &swing));
        assert!(nothing(&|t| GRIP + swing(3.1 * t) * 0.3, &swing));
        // Hands that move against the chest, but not against the hips.
        let mut on_hips = motion(61, |_| GRIP, swing);
        assert!(!on_hips.holds(&times(61)).is_empty());
        on_hips.apart[1] = vec![GRIP; 61];
        assert!(on_hips.holds(&times(61)).is_empty());
        // Too far from each other, too short.
        assert!(nothing(&|_| GRIP * 3.0, &swing));
        assert!(motion(8, |_| GRIP, swing).holds(&times(8)).is_empty());
    }

    /// Smaller boxes are looked for in larger ones only; what is found is what is found everywhere.
    #[test]
    fn stretches_of_small_boxes_lie_in_those_of_large_ones() {
        let mut found = [0; 3];
        for seed in 0..40 {
            let mut place = DVec3::ZERO;
            let mut at = f64::from(seed);
            let way: Vec<DVec3> = (0..200)
                .map(|frame| {
                    at = (at * 1.7 + 0.61).fract() + 0.3;
                    let quick = if frame / 25 % 2 == 0 { 0.002 } else { 0.03 };
                    place += DVec3::new(at - 0.8, (7.0 * at).sin(), (9.0 * at).cos()) * quick;
                    place
                })
                .collect();
            let lasts = |&(first, last): &(usize, usize)| last - first >= 9;
            let mut open = vec![(0, way.len())];
            for (size, found) in BOXES.into_iter().zip(&mut found) {
                let all = stretches(&way, size).into_iter();
                let all: Vec<(usize, usize)> = all.filter(lasts).collect();
                let within = open.iter().flat_map(|&(start, end)| {
                    let here = stretches(&way[start..end], size).into_iter();
                    here.map(move |(first, last)| (start + first, start + last))
                });
                let within: Vec<(usize, usize)> = within.filter(lasts).collect();
                assert_eq!(within, all, "seed {seed}, {size}");
                *found += all.len();
                open = merged(&within);
            }
        }
        assert!(found.iter().all(|found| *found > 20), "{found:?}");
    }
}
