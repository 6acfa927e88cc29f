//! Feet that should stand.
//!
//! ```text
//! slide of a contact = Σ |Δp over the floor| / Σ Δt / L             percent a second, over the frames of the contact
//! drift of a contact = max |p(t) − p(start)| over the floor / L     percent
//! contact_f1         = 2 · kept / (2 · kept + lost + added)         frames of all points
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | p | a point of the foot: the sole under the ankle, or under the ball |
//! | contact | an interval in which the point of the **source** stands; source and target are both measured in it |
//! | kept | frames in which the source's point stands, and the target's is as near to its floor, by [`NEAR_PERCENT`] |
//! | lost | frames in which the source's point stands, and the target's does not come as near within [`GRACE`] seconds |
//! | added | frames in which only the target's point stands: the source's does not within [`GRACE`] seconds, and is further from its floor |
//!
//! The slide of a clip is the mean over the time of all contacts, its drift the
//! largest. Under a clip in place the floor moves, and p against it. Ratios are of the slides, both at least [`STILL_PERCENT`] percent
//! a second: below that both stand. Source: docs/laws.md, "Report figures".

use super::Pair;
use super::Sides;
use super::floor::{clearances, floors};
use super::moments::Worst;
use super::touching::{Foot, marks};
use rebone_model::elementary::Elementary as _;
use rebone_runtime::contact::{ContactPoint, Interval};

/// Slides below this, percent of a leg a second, are no slides: of a grown person 8.5 mm a second, which nobody sees. Where the
/// source stands exactly, a ratio would have no meaning otherwise.
pub(super) const STILL_PERCENT: f64 = 1.0;

/// A standing foot may be so much further from its floor than the source's, percent of a leg. One that is nearer is no fault.
pub(super) const NEAR_PERCENT: f64 = 2.0;

/// Touches are found to a frame or two: a stand of the other body so many seconds away is the same one.
const GRACE: f32 = 0.045;

/// Figures of the feet of a clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeetFigures {
    /// Mean speed over the floor in the contacts, percent of a leg a second.
    pub slide_percent_per_second: Sides,
    /// Target's slide divided by the source's.
    pub slide_ratio: f64,
    /// Largest distance from where a contact began, percent of a leg.
    pub drift_percent: Sides,
    /// Agreement of the contacts, 0 to 1.
    pub contact_f1: f64,
    /// The same for each point that has contacts.
    pub points: Vec<PointSlide>,
    /// Every contact, point by point, in time order.
    pub contacts: Vec<FootContact>,
}

/// Figures of one point of a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointSlide {
    /// The target's point.
    pub point: ContactPoint,
    /// Seconds in which the source's stands.
    pub seconds: f64,
    /// Mean speed over the floor in the contacts, percent of a leg a second.
    pub slide_percent_per_second: Sides,
    /// Largest distance from where a contact began, percent of a leg.
    pub drift_percent: Sides,
}

/// One contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootContact {
    /// The target's point.
    pub point: ContactPoint,
    /// Start, seconds in the source.
    pub start_seconds: f32,
    /// End, seconds in the source.
    pub end_seconds: f32,
    /// Mean speed over the floor, percent of a leg a second.
    pub slide_percent_per_second: Sides,
    /// Largest distance from where it began, percent of a leg.
    pub drift_percent: Sides,
}

/// `leftHeel`, `rightToes`, `frontLeftHeel`: [`ContactPoint::name`].
pub fn point_name(point: &ContactPoint) -> String {
    point.name().to_owned()
}

pub(super) struct Measured {
    pub(super) figures: FeetFigures,
    pub(super) worst: Option<Worst>,
}

/// How far a point of both sides moves while the source's stands.
#[derive(Clone, Copy, Default)]
struct Moved {
    seconds: f64,
    /// The whole way over the floor, percent of a leg.
    lengths: Sides,
    /// Largest distance from where a contact began, percent of a leg.
    drift: Sides,
}

impl Moved {
    fn on(source: &Path, target: &Path, seconds: f64) -> Self {
        Self {
            seconds,
            lengths: Sides {
                source: source.length,
                target: target.length,
            },
            drift: Sides {
                source: source.drift,
                target: target.drift,
            },
        }
    }

    fn add(&mut self, other: &Self) {
        self.seconds += other.seconds;
        self.lengths.source += other.lengths.source;
        self.lengths.target += other.lengths.target;
        self.drift.source = self.drift.source.max(other.drift.source);
        self.drift.target = self.drift.target.max(other.drift.target);
    }

    /// Mean speed, percent of a leg a second.
    fn slide(&self) -> Sides {
        Sides {
            source: self.lengths.source / self.seconds,
            target: self.lengths.target / self.seconds,
        }
    }
}

pub(super) fn measure(pair: &Pair<'_>) -> Option<Measured> {
    let feet = &pair.touching.feet;
    let mut figures = FeetFigures::default();
    let (mut all, mut worst) = (Moved::default(), None);
    for foot in feet {
        let point = pair.target.points.points[foot.points.1];
        let mut own = Moved::default();
        let contacts = foot.source.iter();
        for contact in contacts.filter(|contact| contact.last > contact.first) {
            let seconds = pair.frames.seconds(contact.first, contact.last);
            if seconds <= 1e-9 {
                continue;
            }
            let from = path(pair, 0, foot.points.0, contact);
            let to = path(pair, 1, foot.points.1, contact);
            let moved = Moved::on(&from, &to, seconds);
            own.add(&moved);
            figures.contacts.push(FootContact {
                point,
                start_seconds: pair.frames.source[contact.first],
                end_seconds: pair.frames.source[contact.last],
                slide_percent_per_second: moved.slide(),
                drift_percent: moved.drift,
            });
            for (step, (from, to)) in from.speeds.iter().zip(&to.speeds).enumerate() {
                let found = Worst {
                    frame: contact.first + 1 + step,
                    value: to - from,
                    slot: None,
                    point: Some(foot.points.1),
                };
                Worst::keep(&mut worst, found);
            }
        }
        if own.seconds > 0.0 {
            all.add(&own);
            figures.points.push(PointSlide {
                point,
                seconds: own.seconds,
                slide_percent_per_second: own.slide(),
                drift_percent: own.drift,
            });
        }
    }
    if figures.contacts.is_empty() {
        return None;
    }
    figures.slide_percent_per_second = all.slide();
    figures.slide_ratio = figures.slide_percent_per_second.ratio(STILL_PERCENT);
    figures.drift_percent = all.drift;
    figures.contact_f1 = agreement(pair, feet);
    Some(Measured { figures, worst })
}

/// Slide and drift of a point in an interval.
#[derive(Clone, Default)]
struct Path {
    /// Percent of a leg.
    length: f64,
    /// Percent of a leg.
    drift: f64,
    /// From each frame to the next, percent of a leg a second.
    speeds: Vec<f64>,
}

/// The way of a point of one side (0 source, 1 target) during a contact.
fn path(pair: &Pair<'_>, side: usize, point: usize, contact: &Interval) -> Path {
    let body = [&pair.source, &pair.target][side];
    let places = &body.paths[point];
    let apart = |one: usize, other: usize| {
        let floor = pair.touching.drift[side] * pair.frames.seconds(one, other);
        let way = (places[other] - places[one]).as_dvec3() - floor;
        100.0 * way.x.hypotenuse(way.z) / body.leg
    };
    let mut path = Path::default();
    for frame in contact.first + 1..=contact.last {
        let step = apart(frame - 1, frame);
        let seconds = pair.frames.seconds(frame - 1, frame);
        path.length += step;
        path.drift = path.drift.max(apart(contact.first, frame));
        path.speeds
            .push(if seconds > 1e-9 { step / seconds } else { 0.0 });
    }
    path
}

fn agreement(pair: &Pair<'_>, feet: &[Foot]) -> f64 {
    let times = &pair.frames.source;
    let frames = pair.frames.len();
    let (mut kept, mut other) = (0usize, 0usize);
    for foot in feet {
        let [source, target] = [&foot.source, &foot.target].map(|stands| marks(stands, frames));
        let floors = floors(foot, pair.touching.ground, frames);
        let near = floors.iter().enumerate().map(|(frame, &floor)| {
            let [from, to] = clearances(pair, foot, floor, frame);
            let [from, to] =
                [from / pair.source.leg, to / pair.target.leg].map(|share| 100.0 * share);
            (from.min(0.0) - NEAR_PERCENT..=from.max(0.0) + NEAR_PERCENT).contains(&to)
        });
        let near: Vec<bool> = near.collect();
        for frame in 0..frames {
            if source[frame] {
                let is_kept = near[frame];
                kept += usize::from(is_kept);
                other += usize::from(!is_kept && !is_around(&near, times, frame));
            } else if target[frame] {
                other += usize::from(!near[frame] && !is_around(&source, times, frame));
            }
        }
    }
    if kept + other == 0 {
        return 1.0;
    }
    2.0 * kept as f64 / (2 * kept + other) as f64
}

/// True where a mark is at most [`GRACE`] seconds from a frame.
fn is_around(marks: &[bool], times: &[f32], frame: usize) -> bool {
    let from = times.partition_point(|time| *time < times[frame] - GRACE);
    let to = times.partition_point(|time| *time <= times[frame] + GRACE);
    marks[from..to].contains(&true)
}
