//! From frames to spans: where a point is slow and near its level, from when exactly and until when.
//!
//! | symbol | meaning |
//! |---|---|
//! | v_e | 2.5 times what nine of ten frames inside of contacts are slower than (3 times their median where contacts are too short to have an inside), from 0.03 to v_off |
//!
//! Both ends of a contact are cut, by 0.1 s at most, while the point is faster than v_e and its slower side faster than
//! v_e / 10: a foot that leaves is faster than it stood, but in its last frame it still stood on one side.

use super::detect::{DetectOptions, Interval};
use super::levels::{Bounds, CLEAN_SPEED, Levels};
use super::paths::{Paths, quantile};
use rebone_model::Clamp as _;

/// A contact so near to the main floor is on it, leg lengths.
const SAME_FLOOR: f32 = 0.01;
/// Deeper than this below the main floor is no contact with it: a hole is no floor.
const DEEPEST: f32 = -0.15;
/// Longest time that is cut from an end of a contact, seconds.
const LONGEST_CUT: f32 = 0.1;
/// The same of v_e, where it is the last or first frame of a stand that is looked for.
const EXACT_END: f32 = 0.1;

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

/// The stretches in which a point touches the main floor, with what comes before and after its stand.
pub(super) fn near_floor(
    paths: &Paths,
    point: usize,
    levels: &Levels,
    bounds: &Bounds,
    options: &DetectOptions,
) -> Vec<(usize, usize)> {
    let (path, speeds) = (&paths.points[point], &paths.speeds[point]);
    let above = |frame: usize| path[frame].y - levels.points[point];
    let within = |frame: usize, most: f32| above(frame) <= most && above(frame) > DEEPEST;
    let found = stretches(
        paths.len(),
        |frame| bounds.goes_on(speeds[frame]) && within(frame, levels.off[point]),
        |frame| bounds.begins(speeds[frame]) && within(frame, levels.on[point]),
    );
    closed(paths, point, found, options)
}

/// v_e: how fast the feet of a clip stand.
pub(super) fn standing_speed(
    paths: &Paths,
    feet: &[usize],
    spans: &[Vec<(usize, usize)>],
    bounds: &Bounds,
) -> f32 {
    let (mut inner, mut all) = (Vec::new(), Vec::new());
    for &point in feet {
        for &(first, last) in &spans[point] {
            for frame in first..=last {
                let speed = paths.speeds[point][frame].mean;
                let time = paths.times[frame];
                let starts = first == 0 || time - paths.times[first] > LONGEST_CUT;
                let ends = last + 1 == paths.len() || paths.times[last] - time > LONGEST_CUT;
                all.push(speed);
                if starts && ends {
                    inner.push(speed);
                }
            }
        }
    }
    let speed = if 4 * inner.len() >= all.len() {
        2.5 * quantile(&mut inner, 0.9)
    } else {
        3.0 * quantile(&mut all, 0.5)
    };
    speed.clamped(CLEAN_SPEED.min(bounds.off), bounds.off)
}

/// The intervals of a point on the main floor.
pub(super) fn intervals(
    paths: &Paths,
    point: usize,
    spans: &[(usize, usize)],
    levels: &Levels,
    options: &DetectOptions,
) -> Vec<Interval> {
    let path = &paths.points[point];
    let spans = spans.iter().copied();
    let long = spans.filter(|&(first, last)| lasts(paths, first, last, options));
    long.map(|(first, last)| {
        let places = &path[first..=last];
        let mut heights: Vec<f32> = places.iter().map(|place| place.y).collect();
        let height = quantile(&mut heights, 0.5) - levels.points[point];
        Interval {
            first,
            last,
            height: levels.ground
                + if height.abs() < SAME_FLOOR {
                    0.0
                } else {
                    height
                },
            by_hand: false,
        }
    })
    .collect()
}

/// Cuts frames from both ends of a stretch while the point is faster than v_e, and returns its new ends.
pub(super) fn without_ends(
    paths: &Paths,
    point: usize,
    mut first: usize,
    mut last: usize,
    standing: f32,
) -> (usize, usize) {
    let speeds = &paths.speeds[point];
    let leaves =
        |frame: usize| speeds[frame].mean > standing && speeds[frame].least > EXACT_END * standing;
    let (start, end) = (paths.times[first], paths.times[last]);
    let near = |frame: usize, time: f32| (paths.times[frame] - time).abs() <= LONGEST_CUT;
    if first > 0 {
        while first < last && leaves(first) && near(first, start) {
            first += 1;
        }
    }
    if last + 1 < paths.len() {
        while last > first && leaves(last) && near(last, end) {
            last -= 1;
        }
    }
    (first, last)
}

/// True for stretches that are long enough. One that the clip's start or end cuts off may be half as long, and one
/// that is the whole clip as long as that is.
pub(super) fn lasts(paths: &Paths, first: usize, last: usize, options: &DetectOptions) -> bool {
    let cut = [first == 0, last + 1 == paths.len()];
    let shortest = match cut {
        [true, true] => 0.0,
        [false, false] => options.shortest_seconds,
        _ => 0.5 * options.shortest_seconds,
    };
    paths.span(first, last) >= shortest
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
