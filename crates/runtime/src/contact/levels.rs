//! The main floor, the height at which each point stands on it, and how exactly a clip keeps both.
//!
//! | symbol | meaning |
//! |---|---|
//! | run | a stretch of frames in which a point is slow, and which carries the body (the hips are 0.8 above it, or move 0.15 over it) or is where the floor is expected |
//! | G | the main floor: the height near which feet run longest; of several about as long the one that was expected, else the lowest |
//! | ℓ | level of a point: a low height of its slow frames near G (15 %), but not 0.02 above that of its kind |
//! | s | median speed of slow frames near G |
//! | d | median of how far the heights of slow frames near G are from ℓ |
//! | b | median speed of the hips over the floor |
//! | v_on | 2.5 s, from 0.12 to the bound of the options + 0.3 b: in fast clips standing feet glide |
//! | h_on | 3 d + 3 σ, from 0.006 to the bound of the options; twice that bound for a foot without a joint of the toes, whose sole below the ankle rises while its ball still stands |

use super::detect::DetectOptions;
use super::paths::{Paths, Speed, quantile};
use super::points::{ContactPoints, Touch};
use super::spans::runs_of;
use rebone_model::Clamp as _;

/// v_on of the calmest clips, leg lengths a second.
const USUAL_SPEED: f32 = 0.12;
/// v_e of the cleanest stands, leg lengths a second.
pub(super) const CLEAN_SPEED: f32 = 0.03;
/// h_on of the cleanest clips, leg lengths.
const CLEAN_HEIGHT: f32 = 0.006;
/// Share of the body's own speed that a standing foot of a fast clip may glide with.
const BODY_SHARE: f32 = 0.3;
/// Share of v_on below which the slower side of a frame decides.
const EXACT: f32 = 1.0 / 3.0;
/// Feet over which the hips move so far carry the body, leg lengths.
const MOVES_OVER: f32 = 0.15;
/// A body goes somewhere from this speed of its hips on, leg lengths a second.
const GOES: f32 = 0.3;
/// Runs whose weights have a smaller quotient than this are as heavy.
const AS_HEAVY: f32 = 1.0001;
/// Runs within this height count as one floor, leg lengths.
const ONE_FLOOR: f32 = 0.04;
/// A floor that no foot goes below may be higher than others, as a multiple of that distance: a foot that stands on its tip with the heel
/// up has its ball so high, where nothing shows how long the toes are.
const ON_TIPS: f32 = 2.5;
/// Hands, knees and hips are at least so far above such a floor: whoever crawls or lies is on the other one.
const OVER_FLOOR: f32 = 0.2;
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
    pub(super) fn new(paths: &Paths, feet: &[usize], options: &DetectOptions) -> Self {
        let mut hips: Vec<f32> = paths.hips_speeds.iter().map(|speed| speed.mean).collect();
        let body = quantile(&mut hips, 0.5);
        let body = if body.is_finite() { body } else { 0.0 };
        let widest = options.speed_on + BODY_SHARE * body;
        let mut slow: Vec<f32> = Vec::new();
        for &point in feet {
            let path = &paths.points[point];
            let mut heights: Vec<f32> = path.iter().map(|place| place.y).collect();
            let low = quantile(&mut heights, 0.05) + NEAR_FLOOR;
            for (speed, place) in paths.speeds[point].iter().zip(path) {
                if speed.mean <= widest && place.y <= low {
                    slow.push(speed.mean);
                }
            }
        }
        let median = quantile(&mut slow, 0.5);
        Self::of(
            (2.5 * median).clamped(USUAL_SPEED.min(widest), widest),
            options,
        )
    }

    /// The bounds with this v_on.
    pub(super) fn of(on: f32, options: &DetectOptions) -> Self {
        Self {
            on,
            off: on * options.speed_release,
            exact: on * EXACT,
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
    /// h_on of each point.
    pub(super) on: Vec<f32>,
    /// h_off of each point.
    pub(super) off: Vec<f32>,
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
            None => ground(
                paths,
                feet,
                bounds,
                [expected, points.floor_within / points.leg],
            ),
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
        let on = (3.0 * (spread + paths.noise)).clamped(clean, options.height_on);
        let on: Vec<f32> = (0..points.points.len())
            .map(|point| {
                if stands_for_its_toes(points, point) {
                    2.0 * options.height_on
                } else {
                    on
                }
            })
            .collect();
        Self {
            ground,
            points: levels,
            off: on.iter().map(|on| on * options.height_release).collect(),
            on,
        }
    }
}

/// True for the heel of a foot without toes.
fn stands_for_its_toes(points: &ContactPoints, point: usize) -> bool {
    let own = &points.points[point];
    own.touch == Touch::Heel && points.find(Touch::Toes, own.side, own.front).is_none()
}

/// The main floor, which is expected at a height and can only be within a distance of it.
fn ground(paths: &Paths, feet: &[usize], bounds: &Bounds, [expected, within]: [f32; 2]) -> f32 {
    let lowest = low_place(paths, feet);
    let others: Vec<usize> = (0..paths.points.len())
        .filter(|point| !feet.contains(point))
        .collect();
    let above_others = low_place(paths, &others).map_or(f32::INFINITY, |other| other - OVER_FLOOR);
    let may_be = |height: f32| {
        let is_lowest = lowest.is_some_and(|lowest| lowest >= height - ONE_FLOOR);
        let is_lowest = is_lowest && height <= above_others;
        let above = height - expected;
        above.abs() <= within || (0.0..=ON_TIPS * within).contains(&above) && is_lowest
    };
    let mut runs: Vec<(f32, f32)> = Vec::new();
    for &point in feet {
        for (first, last) in runs_of(paths, point, bounds) {
            let places = &paths.points[point][first..=last];
            let mut heights: Vec<f32> = places.iter().map(|place| place.y).collect();
            let height = quantile(&mut heights, 0.5);
            // A foot that dangles or lies tells nothing of the floor, unless it is where the floor was expected.
            let carries = paths.is_below_body(point, first, last)
                || paths.moved_over(point, first, last).0 > MOVES_OVER;
            if may_be(height) && ((height - expected).abs() <= ONE_FLOOR || carries) {
                runs.push((height, paths.span(first, last)));
            }
        }
    }
    let density = |height: f32| -> f32 {
        let near = runs.iter().map(|(other, seconds)| {
            let apart = (other - height).abs() / ONE_FLOOR;
            seconds * (1.0 - apart).max(0.0)
        });
        near.sum()
    };
    let mut heavy: Vec<(f32, f32)> = runs.iter().map(|run| (run.0, density(run.0))).collect();
    let most = heavy.iter().map(|run| run.1).fold(0.0, f32::max);
    heavy.retain(|run| run.1 >= 0.5 * most);
    // Left and right are often as heavy: the order of the runs decides between them, not rounding.
    let peak = |from: f32| {
        let near = heavy.iter().filter(|run| (run.0 - from).abs() <= ONE_FLOOR);
        let most = near.clone().map(|run| run.1).fold(0.0, f32::max);
        near.rev().find(|run| run.1 * AS_HEAVY >= most).copied()
    };
    // Uphill, so that the floor that was found is found again where it is expected.
    let top = |from: f32| {
        let mut top = peak(from)?;
        for _ in 0..heavy.len() {
            let next = peak(top.0)?;
            if next.1 <= top.1 * AS_HEAVY {
                break;
            }
            top = next;
        }
        Some(top.0)
    };
    let lowest_run = heavy.iter().map(|run| run.0).fold(f32::INFINITY, f32::min);
    top(expected)
        .or_else(|| top(lowest_run))
        .or_else(|| lowest_place(paths, feet).filter(|&height| may_be(height)))
        .unwrap_or(expected)
}

/// A low place of the feet of a body that goes somewhere without its feet ever being slow.
fn lowest_place(paths: &Paths, feet: &[usize]) -> Option<f32> {
    let mut hips: Vec<f32> = paths.hips_speeds.iter().map(|speed| speed.mean).collect();
    if quantile(&mut hips, 0.5) < GOES {
        return None;
    }
    low_place(paths, feet)
}

/// A low place of the feet.
fn low_place(paths: &Paths, feet: &[usize]) -> Option<f32> {
    let places = feet.iter().flat_map(|&point| &paths.points[point]);
    let heights = places
        .map(|place| place.y)
        .filter(|height| height.is_finite());
    let mut heights: Vec<f32> = heights.collect();
    (!heights.is_empty()).then(|| quantile(&mut heights, 0.05))
}
