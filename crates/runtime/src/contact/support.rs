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
    if paths.hips.is_empty() {
        return;
    }
    let search = StandSearch {
        paths,
        of_feet,
        levels,
        found,
    };
    let mut candidates = search.candidates();
    candidates.sort_by(|one, other| one.height.total_cmp(&other.height));
    for candidate in candidates {
        if let Some(stand) = search.stand(&candidate) {
            let own = &mut search.found[candidate.point];
            own.push(stand);
            own.sort_by_key(|interval| interval.first);
        }
    }
}

/// A foot that is still above the main floor.
struct Candidate {
    /// Above where the point is when it stands on the main floor.
    height: f32,
    point: usize,
    first: usize,
    last: usize,
}

impl Candidate {
    fn middle(&self) -> usize {
        self.first.midpoint(self.last)
    }
}

/// Looks for feet that stand above the main floor.
struct StandSearch<'a> {
    paths: &'a Paths,
    of_feet: &'a Feet<'a>,
    levels: &'a Levels,
    /// The intervals found so far, point by point.
    found: &'a mut [Vec<Interval>],
}

impl StandSearch<'_> {
    /// How far a point is above where it stands on the main floor.
    fn above(&self, point: usize, frame: usize) -> f32 {
        self.paths.points[point][frame].y - self.levels.points[point]
    }

    fn touches(&self, point: usize, frame: usize) -> bool {
        touches(&self.found[point], frame)
    }

    /// The feet that are still at one height for long enough.
    fn candidates(&self) -> Vec<Candidate> {
        let (paths, bounds) = (self.paths, &self.of_feet.bounds);
        let mut candidates = Vec::new();
        for &point in self.of_feet.feet {
            let speeds = &paths.speeds[point];
            let open =
                |frame: usize| !self.touches(point, frame) && self.above(point, frame).is_finite();
            let stretches = spans::stretches(
                paths.len(),
                |frame| bounds.goes_on(speeds[frame]) && open(frame),
                |frame| bounds.begins(speeds[frame]) && open(frame),
            );
            for (first, last) in stretches {
                let standing = self.of_feet.standing;
                let (first, last) = spans::without_ends(paths, point, first, last, standing);
                let heights = (first..=last).map(|frame| self.above(point, frame));
                let mut heights: Vec<f32> = heights.collect();
                let spread = quantile(&mut heights, 0.9) - quantile(&mut heights, 0.1);
                if paths.span(first, last) >= SHORTEST_STAND && spread < 0.05 {
                    candidates.push(Candidate {
                        height: quantile(&mut heights, 0.5),
                        point,
                        first,
                        last,
                    });
                }
            }
        }
        candidates
    }

    /// The interval in which a candidate stands; `None` where it is held in the air.
    fn stand(&self, candidate: &Candidate) -> Option<Interval> {
        let (first, last) = (candidate.first, candidate.last);
        let most = 0.5 * self.paths.span(first, last);
        let on_slope = self
            .mates(candidate.point)
            .any(|mate| self.is_on_slope(candidate, mate));
        let over_mate = self.seconds(candidate, |frame| {
            self.touches_mate(candidate, frame, Mate::Lower)
        });
        if over_mate > most && !on_slope {
            return None;
        }
        let stands = on_slope
            || self.must_carry(candidate)
            || self.seconds(candidate, |frame| self.is_on_step(candidate, frame)) > most
            || self.seconds(candidate, |frame| {
                self.touches_mate(candidate, frame, Mate::Level)
            }) > most;
        stands.then(|| Interval {
            first,
            last,
            height: if on_slope {
                self.paths.points[candidate.point][candidate.middle()].y
            } else {
                self.levels.ground + candidate.height
            },
            by_hand: false,
        })
    }

    /// How long this is so while the candidate is still.
    fn seconds(&self, candidate: &Candidate, is: impl Fn(usize) -> bool) -> f32 {
        let frames = (candidate.first..=candidate.last).filter(|&frame| is(frame));
        frames.map(|frame| self.paths.seconds[frame]).sum()
    }

    fn are_of_one_foot(&self, point: usize, other: usize) -> bool {
        let [own, other] = [point, other].map(|point| &self.of_feet.points.points[point]);
        (other.side, other.front) == (own.side, own.front)
    }

    /// The other points of the same foot.
    fn mates(&self, point: usize) -> impl Iterator<Item = usize> + '_ {
        let feet = self.of_feet.feet.iter().copied();
        feet.filter(move |&other| other != point && self.are_of_one_foot(point, other))
    }

    /// The points of all other feet.
    fn others(&self, point: usize) -> impl Iterator<Item = usize> + '_ {
        let feet = self.of_feet.feet.iter().copied();
        feet.filter(move |&other| !self.are_of_one_foot(point, other))
    }

    /// True where another point of the same foot touches.
    fn touches_mate(&self, candidate: &Candidate, frame: usize, which: Mate) -> bool {
        let room = self.levels.on[candidate.point].max(0.02);
        self.mates(candidate.point).any(|mate| {
            let is_lower = candidate.height - self.above(mate, frame) > room;
            self.touches(mate, frame) && is_lower == (which == Mate::Lower)
        })
    }

    /// True where another foot stands at the candidate's height.
    fn is_on_step(&self, candidate: &Candidate, frame: usize) -> bool {
        self.others(candidate.point).any(|other| {
            let apart = (candidate.height - self.above(other, frame)).abs();
            apart < SAME_STEP && self.touches(other, frame)
        })
    }

    /// True where the hips go over the candidate or stand above it, and nothing else carries them.
    fn must_carry(&self, candidate: &Candidate) -> bool {
        let &Candidate {
            point, first, last, ..
        } = candidate;
        let (paths, points) = (self.paths, self.of_feet.points);
        let alone = self.seconds(candidate, |frame| {
            let is_other = self.others(point).any(|other| self.touches(other, frame));
            !is_other && !falls(paths, frame)
        });
        let whole = paths.span(first, last);
        let moves = paths.moved_over(point, first, last).1 > 0.12;
        let is_under = moves && paths.hips_above(point, first, last) > LOWEST_HIPS
            || whole >= 0.8 && paths.is_below_body(point, first, last);
        let own = &points.points[point];
        let knee = points.find(Touch::Knee, own.side, own.front);
        let carries =
            is_under && knee.is_none_or(|knee| paths.rise(point, knee, first, last) > STEEP_SHIN);
        alone >= 0.08_f32.min(0.3 * whole) && carries
    }

    /// True where a candidate is off another point of the same foot, which stands, as far as the floor there is: where both lie on the
    /// line from that stand to the next one of the same kind, in front or behind.
    fn is_on_slope(&self, candidate: &Candidate, mate: usize) -> bool {
        let (paths, points, middle) = (self.paths, self.of_feet.points, candidate.middle());
        if !self.touches(mate, middle) {
            return false;
        }
        let level = |way: Vec3| Vec3::new(way.x, 0.0, way.z);
        let own = paths.points[candidate.point][middle];
        let foot = paths.points[mate][middle];
        let way = level(own - foot);
        let ahead = way.normalize_or_zero();
        let kind = points.points[mate].touch;
        let feet = self.of_feet.feet.iter();
        let others = feet.filter(|&&other| points.points[other].touch == kind);
        let stands = others.flat_map(|&other| {
            let found = self.found[other].iter();
            let middles = found.map(|own| own.first.midpoint(own.last));
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
}

/// Another point of the same foot, by its height.
#[derive(Clone, Copy, PartialEq)]
enum Mate {
    Lower,
    Level,
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
