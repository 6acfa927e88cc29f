//! Feet in the floor, and feet above it.
//!
//! ```text
//! depth of a point = max(0, floor − y) / h            percent
//! clearance of a standing foot = min (y − floor) / L  percent, of its points; it floats above [`FLOAT_PERCENT`]
//! ```
//!
//! A foot whose ball stands does not float, however high its heel is, also where the source has no ball.
//!
//! The floor of the source is where its feet were found to stand: in a contact the height of that contact, between contacts
//! the lowest of the main floor and of the contacts before and after (stairs downwards). The target's is at the scaled height,
//!
//! ```text
//! floor_B = f_B + k · (floor_A − f_A)
//! ```
//!
//! with f the heights of both floors when standing; where feet are planted, f_A is the main floor of the clip's own contacts. So what the source does to its floor is not counted against the target, but
//! told beside it. The points are soles, under ankle and ball; the tips of toes
//! have figures of their own ([`super::tips`]). Source: docs/laws.md, "Report figures".

use super::body::{Body, is_of_foot};
use super::moments::Worst;
use super::tips::{self, TipFigures};
use super::touching::{Foot, marks};
use super::{Pair, Sides};
use rebone_runtime::contact::{ContactPoint, Interval};

/// A sole deeper than this, percent of the height, is in the floor.
pub(super) const DEEP_PERCENT: f64 = 0.1;

/// A standing foot whose lowest point is higher than this, percent of a leg, floats: a centimetre of 85.
pub(super) const FLOAT_PERCENT: f64 = 1.2;

/// Figures of the floor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FloorFigures {
    /// Deepest of all points and frames, percent of the height.
    pub penetration_max_percent: Sides,
    /// Depth of the deepest point of a frame, mean over the frames, percent of the height.
    pub penetration_mean_percent: Sides,
    /// Share of frames with a point deeper than 0.1 percent, percent.
    pub penetration_frames_percent: Sides,
    /// Share of the frames of standing feet that float, percent. `None` without contacts.
    pub float_frames_percent: Option<Sides>,
    /// Highest clearance of a standing foot, percent of a leg. `None` without contacts.
    pub float_max_percent: Option<Sides>,
    /// Tips of toes in the floor. `None` where no foot has one on both sides.
    pub tips: Option<TipFigures>,
    /// Deepest of each point.
    pub points: Vec<PointDepth>,
}

/// How deep one point comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointDepth {
    /// The target's point.
    pub point: ContactPoint,
    /// Percent of the height.
    pub max_percent: Sides,
}

pub(super) struct Measured {
    pub(super) figures: FloorFigures,
    pub(super) worst: Option<Worst>,
}

pub(super) fn measure(pair: &Pair<'_>) -> Option<Measured> {
    let feet = &pair.touching.feet;
    let frames = pair.frames.len();
    if feet.is_empty() || frames == 0 {
        return None;
    }
    let mut figures = FloorFigures::default();
    let mut deepest = [vec![0.0f64; frames], vec![0.0f64; frames]];
    let mut worst = None;
    for foot in feet {
        let floors = floors(foot, pair.touching.ground, frames);
        let mut own = [0.0f64; 2];
        for frame in 0..frames {
            let above = clearances(pair, foot, floors[frame], frame);
            let depths = [0, 1]
                .map(|side: usize| 100.0 * (-above[side]).max(0.0) / bodies(pair)[side].height);
            for (side, depth) in depths.into_iter().enumerate() {
                deepest[side][frame] = deepest[side][frame].max(depth);
                own[side] = own[side].max(depth);
            }
            let found = Worst {
                frame,
                value: depths[1] - depths[0],
                slot: None,
                point: Some(foot.points.1),
            };
            Worst::keep(&mut worst, found);
        }
        figures.points.push(PointDepth {
            point: pair.target.points.points[foot.points.1],
            max_percent: sides(own),
        });
    }
    let (standing, floating, highest) = floats(pair);
    figures.tips = tips::measure(pair);
    let most = |depths: &Vec<f64>| depths.iter().copied().fold(0.0, f64::max);
    let mean = |depths: &Vec<f64>| depths.iter().sum::<f64>() / frames as f64;
    let share = |depths: &Vec<f64>| {
        let deep = depths.iter().filter(|depth| **depth > DEEP_PERCENT).count();
        100.0 * deep as f64 / frames as f64
    };
    figures.penetration_max_percent = sides(deepest.each_ref().map(most));
    figures.penetration_mean_percent = sides(deepest.each_ref().map(mean));
    figures.penetration_frames_percent = sides(deepest.each_ref().map(share));
    if standing > 0 {
        let percent = |count: usize| 100.0 * count as f64 / standing as f64;
        figures.float_frames_percent = Some(sides(floating.map(percent)));
        figures.float_max_percent = Some(sides(highest));
    }
    Some(Measured { figures, worst })
}

/// In how many frames a foot stands, summed over the feet; in how many of them it floats; and how high its lowest point is at most, percent
/// of a leg.
fn floats(pair: &Pair<'_>) -> (usize, [usize; 2], [f64; 2]) {
    let frames = pair.frames.len();
    let (mut standing, mut floating, mut highest) = (0usize, [0usize; 2], [0.0f64; 2]);
    let feet = &pair.touching.feet;
    let which = |foot: &Foot| {
        let point = &pair.target.points.points[foot.points.1];
        (point.side, point.front)
    };
    for (number, first) in feet.iter().enumerate() {
        if feet[..number]
            .iter()
            .any(|foot| which(foot) == which(first))
        {
            continue;
        }
        // The lowest of its points, in frames in which one of them stands.
        let mut lowest = vec![[f64::INFINITY; 2]; frames];
        let mut stands = vec![false; frames];
        let own = || feet.iter().filter(|foot| which(foot) == which(first));
        // Balls of the target's feet whose source has none: who stands on them does not float either.
        let points = pair.target.points.points.iter().enumerate();
        let unpaired = points.filter(|(index, point)| {
            is_of_foot(point)
                && (point.side, point.front) == which(first)
                && own().all(|foot| foot.points.1 != *index)
        });
        let unpaired: Vec<usize> = unpaired.map(|(index, _)| index).collect();
        for foot in own() {
            let floors = floors(foot, pair.touching.ground, frames);
            for (frame, lowest) in lowest.iter_mut().enumerate() {
                let [from, to] = clearances(pair, foot, floors[frame], frame);
                let others = unpaired.iter().map(|&point| {
                    height(&pair.target, point, frame) - pair.target_height(floors[frame])
                });
                *lowest = [
                    lowest[0].min(from),
                    others.fold(lowest[1].min(to), f64::min),
                ];
            }
            for (stands, mark) in stands.iter_mut().zip(marks(&foot.source, frames)) {
                *stands |= mark;
            }
        }
        for (lowest, _) in lowest.iter().zip(stands).filter(|(_, stands)| *stands) {
            standing += 1;
            for side in 0..2 {
                let clearance = 100.0 * lowest[side] / bodies(pair)[side].leg;
                floating[side] += usize::from(clearance > FLOAT_PERCENT);
                highest[side] = highest[side].max(clearance);
            }
        }
    }
    (standing, floating, highest)
}

fn bodies<'a, 'b>(pair: &'a Pair<'b>) -> [&'a Body<'b>; 2] {
    [&pair.source, &pair.target]
}

fn sides([source, target]: [f64; 2]) -> Sides {
    Sides { source, target }
}

/// How high the points of both sides are above their floors, file units.
pub(super) fn clearances(pair: &Pair<'_>, foot: &Foot, floor: f64, frame: usize) -> [f64; 2] {
    [
        height(&pair.source, foot.points.0, frame) - floor,
        height(&pair.target, foot.points.1, frame) - pair.target_height(floor),
    ]
}

fn height(body: &Body<'_>, point: usize, frame: usize) -> f64 {
    f64::from(body.paths[point][frame].y)
}

/// Height of the floor under a point of the source in each frame.
pub(super) fn floors(foot: &Foot, ground: f64, frames: usize) -> Vec<f64> {
    let mut floors = vec![ground; frames];
    let height =
        |contact: Option<&Interval>| contact.map_or(ground, |contact| f64::from(contact.height));
    let mut before: Option<&Interval> = None;
    let ends = foot.source.iter().map(Some).chain([None]);
    for contact in ends {
        let start = before.map_or(0, |before| before.last + 1);
        let end = contact.map_or(frames, |contact| contact.first);
        let between = ground.min(height(before)).min(height(contact));
        for floor in floors.iter_mut().take(end).skip(start) {
            *floor = between;
        }
        if let Some(contact) = contact {
            for floor in floors.iter_mut().take(contact.last + 1).skip(contact.first) {
                *floor = height(Some(contact));
            }
        }
        before = contact;
    }
    floors
}
