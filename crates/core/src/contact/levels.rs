//! The main floor, the height at which each point stands on it, and how exactly a clip keeps both.
//!
//! | symbol | meaning |
//! |---|---|
//! | run | a stretch of frames in which a point is slow |
//! | G | the main floor: the height near which feet run longest; of several about as long the one that was expected, else the lowest |
//! | ℓ | level of a point: a low height of its slow frames near G (15 %), but not 0.02 above that of its kind |
//! | s | median speed of slow frames near G |
//! | d | median of how far the heights of slow frames near G are from ℓ |
//! | v_on | 2.5 s, from 0.03 to the bound of the options |
//! | h_on | 3 d + 3 σ, from 0.006 to the bound of the options |

use super::detect::{DetectOptions, Interval};
use super::paths::{Paths, Speed, quantile};
use super::points::ContactPoints;
use glam::Vec3;

/// v_on and h_on of the cleanest clips.
const CLEAN_SPEED: f32 = 0.03;
const CLEAN_HEIGHT: f32 = 0.006;
/// Runs within this height count as one floor, leg lengths.
const ONE_FLOOR: f32 = 0.04;
/// Slow frames so near to the floor tell its levels.
const NEAR_FLOOR: f32 = 0.05;

/// Bounds of speed, leg lengths a second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// v_on.
    pub(super) on: f32,
    /// v_off.
    pub(super) off: f32,
    /// A frame touches where it was slower than this on one side.
    pub(super) exact: f32,
}

impl Bounds {
    /// The bounds of a clip.
    pub(super) fn new(
        paths: &Paths,
        _points: &ContactPoints,
        feet: &[usize],
        drift: Vec3,
        options: &DetectOptions,
    ) -> Self {
        // A floor that moves is told less exactly: feet that walk in place do not keep one speed.
        let widest = Self::of(options.speed_on + 0.35 * drift.length(), options);
        let mut slow: Vec<f32> = Vec::new();
        for &point in feet {
            let speeds = &paths.speeds[point];
            let path = &paths.points[point];
            let mut heights: Vec<f32> = path.iter().map(|place| place.y).collect();
            let low = quantile(&mut heights, 0.05) + NEAR_FLOOR;
            for (speed, place) in speeds.iter().zip(path) {
                if speed.mean <= widest.on && place.y <= low {
                    slow.push(speed.mean);
                }
            }
        }
        let median = quantile(&mut slow, 0.5);
        let clean = CLEAN_SPEED.min(widest.on);
        Self::of((2.5 * median).clamp(clean, widest.on), options)
    }

    fn of(on: f32, options: &DetectOptions) -> Self {
        Self {
            on,
            off: on * options.speed_release,
            exact: on / 3.0,
        }
    }

    /// True where a point may begin to touch.
    pub(super) fn begins(&self, speed: Speed) -> bool {
        speed.mean <= self.on || speed.least <= self.exact
    }

    /// True where a point goes on touching.
    pub(super) fn goes_on(&self, speed: Speed) -> bool {
        speed.mean <= self.off || speed.least <= self.exact
    }
}

/// Heights, leg lengths.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    /// G.
    pub(super) ground: f32,
    /// ℓ of each point.
    pub(super) points: Vec<f32>,
    /// h_on.
    pub(super) on: f32,
    /// h_off.
    pub(super) off: f32,
}

impl Levels {
    /// The levels of a clip.
    pub(super) fn new(
        paths: &Paths,
        points: &ContactPoints,
        feet: &[usize],
        bounds: &Bounds,
        options: &DetectOptions,
    ) -> Self {
        let expected = points.floor / points.leg;
        let ground = match options.ground {
            Some(ground) => ground / points.leg,
            None => ground(paths, feet, bounds, expected),
        };
        let kinds = points.points.iter().map(|point| (point.touch, point.front));
        let kinds: Vec<_> = kinds.collect();
        let near = |wanted: &dyn Fn(usize) -> bool| {
            let mut heights = Vec::new();
            for &point in feet.iter().filter(|&&point| wanted(point)) {
                for (place, &speed) in paths.points[point].iter().zip(&paths.speeds[point]) {
                    if bounds.begins(speed) && (place.y - ground).abs() < NEAR_FLOOR {
                        heights.push(place.y);
                    }
                }
            }
            heights
        };
        let mut levels = vec![ground; points.points.len()];
        let mut apart = Vec::new();
        for &point in feet {
            let mut kind = near(&|other| kinds[other] == kinds[point]);
            let mut own = near(&|other| other == point);
            if own.is_empty() {
                continue;
            }
            let common = quantile(&mut kind, 0.15);
            let level = quantile(&mut own, 0.15);
            levels[point] = if level > common + 0.02 { common } else { level };
            apart.extend(own.iter().map(|height| (height - levels[point]).abs()));
        }
        let spread = quantile(&mut apart, 0.5);
        let clean = CLEAN_HEIGHT.min(options.height_on);
        let on = (3.0 * (spread + paths.noise)).clamp(clean, options.height_on);
        Self {
            ground,
            points: levels,
            on,
            off: on * options.height_release,
        }
    }
}

/// The main floor.
fn ground(paths: &Paths, feet: &[usize], bounds: &Bounds, expected: f32) -> f32 {
    let mut runs: Vec<(f32, f32)> = Vec::new();
    for &point in feet {
        for (first, last) in runs_of(paths, point, bounds) {
            let places = &paths.points[point][first..=last];
            let mut heights: Vec<f32> = places.iter().map(|place| place.y).collect();
            runs.push((quantile(&mut heights, 0.5), paths.span(first, last)));
        }
    }
    let density = |height: f32| -> f32 {
        let near = runs.iter().map(|(other, seconds)| {
            let apart = (other - height).abs() / ONE_FLOOR;
            seconds * (1.0 - apart).max(0.0)
        });
        near.sum()
    };
    let most = runs.iter().map(|run| density(run.0)).fold(0.0, f32::max);
    let heavy: Vec<f32> = runs
        .iter()
        .map(|run| run.0)
        .filter(|&height| density(height) >= 0.5 * most)
        .collect();
    let peak = |from: f32| {
        let near = heavy
            .iter()
            .filter(|&&height| (height - from).abs() <= ONE_FLOOR);
        near.max_by(|one, other| density(**one).total_cmp(&density(**other)))
            .copied()
    };
    let lowest = heavy.iter().copied().fold(f32::INFINITY, f32::min);
    peak(expected)
        .or_else(|| peak(lowest))
        .unwrap_or_else(|| lowest_place(paths, feet).unwrap_or(expected))
}

/// A low place of the feet where they are never slow.
fn lowest_place(paths: &Paths, feet: &[usize]) -> Option<f32> {
    let places = feet.iter().flat_map(|&point| &paths.points[point]);
    let heights = places
        .map(|place| place.y)
        .filter(|height| height.is_finite());
    let mut heights: Vec<f32> = heights.collect();
    (!heights.is_empty()).then(|| quantile(&mut heights, 0.05))
}

/// The stretches in which a point is slow: first and last frame.
pub(super) fn runs_of(paths: &Paths, point: usize, bounds: &Bounds) -> Vec<(usize, usize)> {
    let speeds = &paths.speeds[point];
    stretches(
        paths.len(),
        |frame| bounds.goes_on(speeds[frame]),
        |frame| bounds.begins(speeds[frame]),
    )
}

/// The stretches of frames that go on, with one in each that begins.
pub(super) fn stretches(
    count: usize,
    goes_on: impl Fn(usize) -> bool,
    begins: impl Fn(usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < count {
        if !goes_on(start) {
            start += 1;
            continue;
        }
        let end = (start..count)
            .find(|&frame| !goes_on(frame))
            .unwrap_or(count);
        // A stretch is as long as it goes on between the first and the last frame; it counts where it begins.
        if (start..end).any(&begins) {
            found.push((start, end - 1));
        }
        start = end;
    }
    found
}

/// The intervals in which a point touches the main floor.
pub(super) fn on_floor(
    paths: &Paths,
    point: usize,
    levels: &Levels,
    bounds: &Bounds,
    options: &DetectOptions,
) -> Vec<Interval> {
    let (path, speeds) = (&paths.points[point], &paths.speeds[point]);
    let above = |frame: usize| path[frame].y - levels.points[point];
    // Below the floor there is no air; but a hole is no floor either.
    let within = |frame: usize, most: f32| above(frame) <= most && above(frame) > -0.15;
    let found = stretches(
        paths.len(),
        |frame| bounds.goes_on(speeds[frame]) && within(frame, levels.off),
        |frame| bounds.begins(speeds[frame]) && within(frame, levels.on),
    );
    let found = closed(paths, point, found, options);
    let long = found
        .into_iter()
        .filter(|&(first, last)| lasts(paths, first, last, options));
    long.map(|(first, last)| {
        let places = &path[first..=last];
        let mut heights: Vec<f32> = places.iter().map(|place| place.y).collect();
        let height = quantile(&mut heights, 0.5) - levels.points[point];
        Interval {
            first,
            last,
            height: levels.ground + if height.abs() < 0.01 { 0.0 } else { height },
        }
    })
    .collect()
}

/// True for stretches that are long enough, or the whole of a short clip.
pub(super) fn lasts(paths: &Paths, first: usize, last: usize, options: &DetectOptions) -> bool {
    let whole = first == 0 && last + 1 == paths.len();
    whole || paths.span(first, last) >= options.shortest_seconds
}

/// Closes short gaps in which a point stays in its place.
pub(super) fn closed(
    paths: &Paths,
    point: usize,
    found: Vec<(usize, usize)>,
    options: &DetectOptions,
) -> Vec<(usize, usize)> {
    let path = &paths.points[point];
    let mut result: Vec<(usize, usize)> = Vec::new();
    for (first, last) in found {
        if let Some(before) = result.last_mut() {
            let gap = paths.times[first] - paths.times[before.1];
            let away = (before.1..=first).map(|frame| path[frame].distance(path[before.1]));
            if gap <= options.gap_seconds && away.fold(0.0, f32::max) < 0.02 {
                before.1 = last;
                continue;
            }
        }
        result.push((first, last));
    }
    result
}
