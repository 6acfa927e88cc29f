//! Contacts that the main floor alone does not explain: steps and slopes, hands, knees and the seat.
//!
//! A foot that is still above the main floor may stand on a step or be held in the air. It stands where it must:
//!
//! | condition | bound |
//! |---|---|
//! | it is still, at one height within 0.05 | for 0.1 s |
//! | no other foot touches meanwhile | for 0.08 s or 0.3 of that time |
//! | the body does not fly: the hips fall less than half as fast as a stone, leg lengths taken as 0.85 m | most of that time |
//! | it carries: the hips move 0.12 over it, seen from above, and are 0.4 above it; or they are 0.8 above it for 0.8 s; and its shin is raised by 30 degrees or more | |
//! | no other point of the same foot is lower and touches, but where both are on one slope: the line from that point's stand to its next one, 2 to 24 degrees | within 0.02 |
//!
//! Candidates are judged from the lowest up, so that of two still feet the lower one stands. A still foot beside another that
//! stands, at its height within 0.02, stands on the same step.
//!
//! Hands and knees touch the main floor where they are still for 0.15 s and lower than 0.12 and 0.13 (a wrist lies that
//! high over a palm, a knee's axis over its cap); a hand only of a body whose hips are lower than 0.8. The seat touches
//! where the hips are still for 0.3 s and either lower than 0.22, or where the thighs are raised (the knees are less than
//! 0.35 below the hips) while nothing that touches is within 0.3 of the hips as seen from above: so far from its feet no
//! body balances.
//!
//! Degenerate: without hips only heights within the main floor are found.

use super::detect::{DetectOptions, Interval, is_foot};
use super::levels::{Bounds, Levels};
use super::paths::{Paths, quantile};
use super::points::{ContactPoints, Touch};
use super::spans;
use glam::Vec3;
use rebone_model::elementary::Elementary as _;
use std::ops::RangeInclusive;

/// Shortest stand above the main floor, seconds.
const SHORTEST_STAND: f32 = 0.1;
/// How far above a foot the hips are that it carries, at least, leg lengths: a body that lies moves over its feet, too.
const LOWEST_HIPS: f32 = 0.4;
/// Rise of the way from a foot that carries to its knee, over its length, at least: on short legs the hips of a body that lies are high
/// over its feet, too.
const STEEP_SHIN: f32 = 0.5;
/// Feet on the same step are no further apart in height, leg lengths.
const SAME_STEP: f32 = 0.02;
/// Distances of stands between which a floor is taken to go on, leg lengths.
const STRIDE: RangeInclusive<f32> = 0.1..=1.5;
/// How much of the way between them is along the foot.
const IN_LINE: f32 = 0.7;
/// What a foot stands on with heel and ball where it is not level, as a tangent.
const SLOPE: RangeInclusive<f32> = 0.04..=0.45;
/// A body falls freely below this vertical acceleration, leg lengths a second squared.
const FALLS: f32 = -5.0;
/// v_on of hands, knees and seat.
const STILL: f32 = 0.12;
/// Highest wrist of a hand on the floor, and highest hips of a body that leans on it.
const HAND: (f32, f32) = (0.12, 0.8);
/// Highest knee on the floor.
const KNEE: f32 = 0.13;
/// Highest hips of a body that sits on the floor.
const SEAT: f32 = 0.22;
/// Lowest knees of a body that sits, below the hips.
const KNEES_BELOW_HIPS: f32 = 0.35;
/// Height of the hips above a seat.
const HIPS_ABOVE_SEAT: f32 = 0.14;
/// Feet so far from the hips carry no still body.
const BALANCE: f32 = 0.3;

/// What is known of the feet.
pub(super) struct Feet<'a> {
    pub(super) points: &'a ContactPoints,
    /// The points that are of feet.
    pub(super) feet: &'a [usize],
    pub(super) bounds: Bounds,
    /// v_e.
    pub(super) standing: f32,
}

/// Feet on steps and slopes.
pub(super) fn other_heights(
    paths: &Paths,
    of_feet: &Feet<'_>,
    levels: &Levels,
    found: &mut [Vec<Interval>],
) {
    let (points, feet, bounds) = (of_feet.points, of_feet.feet, &of_feet.bounds);
    if paths.hips.is_empty() {
        return;
    }
    let above = |point: usize, frame: usize| paths.points[point][frame].y - levels.points[point];
    let mut candidates: Vec<(f32, usize, usize, usize)> = Vec::new();
    for &point in feet {
        let speeds = &paths.speeds[point];
        let open = |frame: usize| !touches(&found[point], frame) && above(point, frame).is_finite();
        let stretches = spans::stretches(
            paths.len(),
            |frame| bounds.goes_on(speeds[frame]) && open(frame),
            |frame| bounds.begins(speeds[frame]) && open(frame),
        );
        for span in stretches {
            let (first, last) = spans::without_ends(paths, point, span, of_feet.standing);
            let mut heights: Vec<f32> = (first..=last).map(|frame| above(point, frame)).collect();
            let spread = quantile(&mut heights, 0.9) - quantile(&mut heights, 0.1);
            if paths.span(first, last) >= SHORTEST_STAND && spread < 0.05 {
                candidates.push((quantile(&mut heights, 0.5), point, first, last));
            }
        }
    }
    candidates.sort_by(|one, other| one.0.total_cmp(&other.0));
    for (height, point, first, last) in candidates {
        let own = &points.points[point];
        let is_own = |other: usize| {
            let other = &points.points[other];
            (other.side, other.front) == (own.side, own.front)
        };
        let mates = || {
            feet.iter()
                .copied()
                .filter(|&other| other != point && is_own(other))
        };
        let with_mate = |frame: usize, low: bool| {
            mates().any(|mate| {
                let apart = height - above(mate, frame);
                touches(&found[mate], frame) && (apart > levels.on[point].max(0.02)) != low
            })
        };
        let share = |is: &dyn Fn(usize) -> bool| -> f32 {
            let frames = (first..=last).filter(|&frame| is(frame));
            frames.map(|frame| paths.seconds[frame]).sum()
        };
        let whole = paths.span(first, last);
        let middle = first.midpoint(last);
        let of_feet = (points, feet);
        let on_slope =
            mates().any(|mate| is_on_slope(paths, of_feet, found, mate, (point, middle)));
        if share(&|frame| with_mate(frame, false)) > 0.5 * whole && !on_slope {
            continue;
        }
        let alone = share(&|frame| {
            let others = feet.iter().filter(|&&other| !is_own(other));
            !others
                .into_iter()
                .any(|&other| touches(&found[other], frame))
                && !falls(paths, frame)
        });
        let moves = paths.moved_over(point, first, last).1 > 0.12;
        let is_under = moves && paths.hips_above(point, first, last) > LOWEST_HIPS
            || whole >= 0.8 && paths.is_below_body(point, first, last);
        let knee = points.find(Touch::Knee, own.side, own.front);
        let carries =
            is_under && knee.is_none_or(|knee| paths.rise(point, knee, first, last) > STEEP_SHIN);
        let must_carry = alone >= 0.08_f32.min(0.3 * whole) && carries;
        let is_step = |frame: usize| {
            feet.iter().filter(|&&other| !is_own(other)).any(|&other| {
                let apart = (height - above(other, frame)).abs();
                apart < SAME_STEP && touches(&found[other], frame)
            })
        };
        let beside_other = share(&is_step) > 0.5 * whole;
        let with_own = share(&|frame| with_mate(frame, true)) > 0.5 * whole;
        if must_carry || beside_other || with_own || on_slope {
            found[point].push(Interval {
                first,
                last,
                height: if on_slope {
                    paths.points[point][middle].y
                } else {
                    levels.ground + height
                },
                by_hand: false,
            });
            found[point].sort_by_key(|interval| interval.first);
        }
    }
}

/// True where a point of a foot is off another of the same foot, which stands, as far as the floor there is: where both lie on the
/// line from that stand to the next one of the same kind, in front or behind.
fn is_on_slope(
    paths: &Paths,
    (points, feet): (&ContactPoints, &[usize]),
    found: &[Vec<Interval>],
    mate: usize,
    (point, middle): (usize, usize),
) -> bool {
    if !touches(&found[mate], middle) {
        return false;
    }
    let level = |way: Vec3| Vec3::new(way.x, 0.0, way.z);
    let own = paths.points[point][middle];
    let foot = paths.points[mate][middle];
    let way = level(own - foot);
    let ahead = way.normalize_or_zero();
    let kind = points.points[mate].touch;
    let others = feet
        .iter()
        .filter(|&&other| points.points[other].touch == kind);
    let stands = others.flat_map(|&other| {
        let middles = found[other].iter().map(|own| own.first.midpoint(own.last));
        middles.map(move |middle| paths.points[other][middle] - foot)
    });
    let near = stands.filter_map(|step| {
        let (far, along) = (level(step).length(), level(step).dot(ahead));
        let is_in_line = STRIDE.contains(&far) && along.abs() > IN_LINE * far;
        is_in_line.then(|| (far, step.y / along))
    });
    let nearest = near.min_by(|one, other| one.0.total_cmp(&other.0));
    nearest.is_some_and(|(_, slope)| {
        let wanted = foot.y + slope * way.length();
        SLOPE.contains(&slope.abs()) && (own.y - wanted).abs() < SAME_STEP
    })
}

/// Hands, knees and seat.
pub(super) fn rest_of_body(
    paths: &Paths,
    points: &ContactPoints,
    levels: &Levels,
    options: &DetectOptions,
    found: &mut [Vec<Interval>],
) {
    if paths.hips.is_empty() {
        return;
    }
    let bounds = Bounds::of(STILL.min(options.speed_on), options);
    let height = |place: Vec3| place.y - levels.ground;
    let hips_height = |frame: usize| height(paths.hips[frame]);
    // Seats are judged last: they are what nothing else explains.
    let mut order: Vec<usize> = (0..points.points.len())
        .filter(|&point| !is_foot(points, point))
        .collect();
    order.sort_by_key(|&point| points.points[point].touch == Touch::Seat);
    for point in order {
        let (path, speeds) = (&paths.points[point], &paths.speeds[point]);
        let touch = points.points[point].touch;
        let shortest = if touch == Touch::Seat { 0.3 } else { 0.15 };
        let low = |frame: usize| match touch {
            Touch::Hand => height(path[frame]) < HAND.0 && hips_height(frame) < HAND.1,
            Touch::Knee => height(path[frame]) < KNEE,
            _ => {
                hips_height(frame) < SEAT
                    || thighs_are_raised(paths, points, frame)
                        && !balances(paths, found, frame)
                        && !falls(paths, frame)
            }
        };
        let stretches = spans::stretches(
            paths.len(),
            |frame| bounds.goes_on(speeds[frame]) && low(frame),
            |frame| bounds.begins(speeds[frame]) && low(frame),
        );
        for (first, last) in spans::closed(paths, point, stretches, options) {
            if paths.span(first, last) < shortest {
                continue;
            }
            let mut heights: Vec<f32> = (first..=last).map(|frame| path[frame].y).collect();
            let middle = quantile(&mut heights, 0.5);
            let on_floor = touch != Touch::Seat || middle - levels.ground < SEAT;
            found[point].push(Interval {
                first,
                last,
                height: if on_floor {
                    levels.ground
                } else {
                    middle - HIPS_ABOVE_SEAT
                },
                by_hand: false,
            });
        }
    }
}

/// True where one of the intervals, in order of time, holds a frame.
fn touches(intervals: &[Interval], frame: usize) -> bool {
    let after = intervals.partition_point(|interval| interval.last < frame);
    let next = intervals.get(after);
    next.is_some_and(|interval| interval.first <= frame)
}

/// True where the hips fall freely.
fn falls(paths: &Paths, frame: usize) -> bool {
    const STEP: f32 = 0.06;
    let time = paths.times[frame];
    let before = paths.times.partition_point(|&other| other < time - STEP);
    let after = paths.times.partition_point(|&other| other <= time + STEP);
    let after = after.saturating_sub(1);
    let (from, to) = (time - paths.times[before], paths.times[after] - time);
    if from.min(to) < 0.4 * STEP {
        return false;
    }
    let height = |frame: usize| paths.hips[frame].y;
    let rising = (height(frame) - height(before)) / from;
    let then = (height(after) - height(frame)) / to;
    2.0 * (then - rising) / (from + to) < FALLS
}

/// True where both knees are about as high as the hips.
fn thighs_are_raised(paths: &Paths, points: &ContactPoints, frame: usize) -> bool {
    let own = points.points.iter().zip(&paths.points);
    let mut knees = own.filter(|(point, _)| point.touch == Touch::Knee);
    let lowest = paths.hips[frame].y - KNEES_BELOW_HIPS;
    points.points.iter().any(|point| point.touch == Touch::Knee)
        && knees.all(|(_, path)| path[frame].y > lowest)
}

/// True where something that touches is below the hips.
fn balances(paths: &Paths, found: &[Vec<Interval>], frame: usize) -> bool {
    let hips = paths.hips[frame];
    found.iter().zip(&paths.points).any(|(intervals, path)| {
        let away = path[frame] - hips;
        touches(intervals, frame) && away.x.hypotenuse(away.z) < BALANCE
    })
}
