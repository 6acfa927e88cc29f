//! Paths of a body in leg lengths: without noise, with speeds.
//!
//! | symbol | meaning |
//! |---|---|
//! | σ | noise of one coordinate: a quarter of all r are below 1.35 σ, where r is how far a place is from the middle of its neighbours |
//! | p | mean of the places within 0.05 s that are no further than 4 σ from the middle one: a sigma filter, which keeps edges (Lee 1983) |
//!
//! Of clean data σ is 0 and p the data.

use super::motion::ContactMotion;
use super::points::ContactPoints;
use glam::Vec3;
use rebone_model::elementary::Elementary as _;

/// Time over which speeds are taken, seconds.
const BASE: f32 = 1.0 / 30.0;
/// Half of the time over which noise is averaged, seconds.
const SMOOTH: f32 = 0.05;
/// Noise of speeds below which nothing is averaged, leg lengths a second.
const QUIET: f32 = 0.01;

/// Speed before and after a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speed {
    /// Mean of both, or the only one at the ends of a clip.
    pub(super) mean: f32,
    /// The smaller one.
    pub(super) least: f32,
}

/// The paths of a clip.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    /// When, seconds.
    pub(super) times: Vec<f32>,
    /// How long each frame stands for, seconds.
    pub(super) seconds: Vec<f32>,
    /// Of each point its places, leg lengths.
    pub(super) points: Vec<Vec<Vec3>>,
    /// Of each point its speeds, leg lengths a second.
    pub(super) speeds: Vec<Vec<Speed>>,
    /// Places of the hips, leg lengths; may be empty.
    pub(super) hips: Vec<Vec3>,
    /// Speeds of the hips.
    pub(super) hips_speeds: Vec<Speed>,
    /// σ, leg lengths.
    pub(super) noise: f32,
}

impl Paths {
    /// `None` without frames, or where times do not rise.
    pub(super) fn new(motion: &ContactMotion, points: &ContactPoints) -> Option<Self> {
        let lengths = motion.points.iter().map(Vec::len);
        let count = lengths.chain([motion.times.len()]).min().unwrap_or(0);
        if count == 0 || motion.points.len() != points.points.len() {
            return None;
        }
        let times = motion.times[..count].to_vec();
        let rises = times.windows(2).all(|pair| pair[0] <= pair[1]);
        if !rises || !times.iter().all(|time| time.is_finite()) {
            return None;
        }
        let scaled = |path: &Vec<Vec3>| -> Vec<Vec3> {
            let path = path.iter().take(count);
            path.map(|place| *place / points.leg).collect()
        };
        let hips = if motion.hips.len() < count {
            Vec::new()
        } else {
            scaled(&motion.hips)
        };
        let mut paths = Self {
            seconds: seconds(&times),
            points: motion.points.iter().map(scaled).collect(),
            speeds: Vec::new(),
            hips,
            hips_speeds: Vec::new(),
            noise: 0.0,
            times,
        };
        paths.noise = noise(&paths.times, &paths.points);
        if paths.noise / BASE > QUIET {
            let (times, noise) = (&paths.times, paths.noise);
            let smooth = |path: &Vec<Vec3>| smoothed(times, path, noise);
            paths.points = paths.points.iter().map(smooth).collect();
            paths.hips = smoothed(times, &paths.hips, noise);
        }
        paths.measure();
        Some(paths)
    }

    /// Number of frames.
    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// Seconds of the frames from first to last, both counted.
    pub(super) fn span(&self, first: usize, last: usize) -> f32 {
        self.seconds[first..=last].iter().sum()
    }

    /// Sees everything from a floor that moves: leg lengths a second.
    pub(super) fn follow(&mut self, drift: Vec3) {
        if drift == Vec3::ZERO {
            return;
        }
        let start = self.times[0];
        let hips = std::iter::once(&mut self.hips);
        for path in self.points.iter_mut().chain(hips) {
            for (place, time) in path.iter_mut().zip(&self.times) {
                *place -= drift * (time - start);
            }
        }
        self.measure();
    }

    /// True where the hips are 0.8 above a foot, as they are of who stands. Also without hips.
    pub(super) fn is_below_body(&self, point: usize, first: usize, last: usize) -> bool {
        self.hips_above(point, first, last) > 0.8
    }

    /// How far the hips are above a foot, the median of these frames; infinite without hips.
    pub(super) fn hips_above(&self, point: usize, first: usize, last: usize) -> f32 {
        let mut over: Vec<f32> = (first..=last)
            .filter_map(|frame| Some(self.hips.get(frame)?.y - self.points[point][frame].y))
            .collect();
        if over.is_empty() {
            f32::INFINITY
        } else {
            quantile(&mut over, 0.5)
        }
    }

    /// How steep the way from one point to another is: its rise over its length, the median of these frames.
    pub(super) fn rise(&self, point: usize, other: usize, first: usize, last: usize) -> f32 {
        let way = |frame: usize| self.points[other][frame] - self.points[point][frame];
        let mut rises: Vec<f32> = (first..=last)
            .map(|frame| way(frame).normalize_or_zero().y)
            .collect();
        quantile(&mut rises, 0.5)
    }

    /// How far the hips move over a foot: in all, and level.
    pub(super) fn moved_over(&self, point: usize, first: usize, last: usize) -> (f32, f32) {
        if self.hips.is_empty() {
            return (0.0, 0.0);
        }
        let over = |frame: usize| self.hips[frame] - self.points[point][frame];
        let start = over(first);
        let ways = (first..=last).map(|frame| over(frame) - start);
        ways.fold((0.0, 0.0), |(all, level): (f32, f32), way| {
            (all.max(way.length()), level.max(way.x.hypotenuse(way.z)))
        })
    }

    fn measure(&mut self) {
        let looks = looks(&self.times);
        let of = |path: &Vec<Vec3>| -> Vec<Speed> {
            let frames = (0..path.len()).zip(&looks);
            frames
                .map(|(frame, looks)| speed(path, frame, looks))
                .collect()
        };
        self.speeds = self.points.iter().map(of).collect();
        self.hips_speeds = of(&self.hips);
    }
}

/// Half of the time to the frames before and after; at the ends as much as one whole step.
fn seconds(times: &[f32]) -> Vec<f32> {
    let step = |frame: usize| match (times.get(frame), times.get(frame + 1)) {
        (Some(from), Some(to)) if to > from => to - from,
        _ => 0.0,
    };
    let last = times.len() - 1;
    (0..times.len())
        .map(|frame| match frame {
            0 => step(0),
            frame if frame == last => step(last - 1),
            frame => 0.5 * (step(frame - 1) + step(frame)),
        })
        .collect()
}

/// A time about a frame, for all paths of a clip: where it is among the frames.
#[derive(Clone, Copy)]
struct Look {
    before: usize,
    after: usize,
    share: f32,
    /// How far it is from the frame.
    seconds: f32,
}

/// For each frame the times before and after it between which speed is taken; none at the ends of a clip.
fn looks(times: &[f32]) -> Vec<[Option<Look>; 2]> {
    let (first, last) = (times[0], times[times.len() - 1]);
    let mut ends = [0, 0];
    let mut result = Vec::with_capacity(times.len());
    for &time in times {
        let wanted = [(time - BASE).max(first), (time + BASE).min(last)];
        let mut look = [None; 2];
        for ((look, end), to) in look.iter_mut().zip(&mut ends).zip(wanted) {
            while times.get(*end).is_some_and(|&key| key <= to) {
                *end += 1;
            }
            let before = end.saturating_sub(1);
            let after = (*end).min(times.len() - 1);
            let span = times[after] - times[before];
            let seconds = (to - time).abs();
            *look = (seconds > 0.0).then_some(Look {
                before,
                after,
                share: if span > 0.0 {
                    (to - times[before]) / span
                } else {
                    0.0
                },
                seconds,
            });
        }
        result.push(look);
    }
    result
}

/// Speed of a path about a frame; infinite where places are not numbers.
fn speed(path: &[Vec3], frame: usize, looks: &[Option<Look>; 2]) -> Speed {
    let place = path[frame];
    let side = |look: Look| {
        let there = path[look.before].lerp(path[look.after], look.share);
        let speed = there.distance(place) / look.seconds;
        if speed.is_finite() {
            speed
        } else {
            f32::INFINITY
        }
    };
    let (before, after) = match looks.map(|look| look.map(side)) {
        [Some(before), Some(after)] => (before, after),
        [Some(only), None] | [None, Some(only)] => (only, only),
        [None, None] if place.is_finite() => (0.0, 0.0),
        [None, None] => (f32::INFINITY, f32::INFINITY),
    };
    Speed {
        mean: 0.5 * (before + after),
        least: before.min(after),
    }
}

/// σ of all points together.
fn noise(times: &[f32], points: &[Vec<Vec3>]) -> f32 {
    let mut rests = Vec::new();
    for path in points {
        for (frame, near) in path.windows(3).enumerate() {
            let span = times[frame + 2] - times[frame];
            if !(span > 0.0 && span < 0.15) {
                continue;
            }
            let share = (times[frame + 1] - times[frame]) / span;
            let rest = near[1].distance(near[0].lerp(near[2], share));
            if rest.is_finite() {
                rests.push(rest);
            }
        }
    }
    quantile(&mut rests, 0.25) / 1.35
}

/// The sigma filter.
fn smoothed(times: &[f32], path: &[Vec3], noise: f32) -> Vec<Vec3> {
    let mut first = 0;
    let mut result = Vec::with_capacity(path.len());
    for (frame, &place) in path.iter().enumerate() {
        while times[frame] - times[first] > SMOOTH {
            first += 1;
        }
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for (&other, &time) in path[first..].iter().zip(&times[first..]) {
            if time - times[frame] > SMOOTH {
                break;
            }
            if other.distance(place) <= 4.0 * noise {
                sum += other;
                count += 1.0;
            }
        }
        result.push(if count > 0.0 { sum / count } else { place });
    }
    result
}

/// The value below which this share of all values lies; 0 of none.
pub(super) fn quantile(values: &mut [f32], share: f32) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    let last = values.len() - 1;
    let at = (share * last as f32).round() as usize;
    *values
        .select_nth_unstable_by(at.min(last), f32::total_cmp)
        .1
}
