//! Figures over time, for plots.

use super::body::Body;
use super::pops::knee_degrees;
use super::{Pair, Performance, ReportOptions, direction, root_path};
use glam::DVec2;
use rebone_model::elementary::Elementary as _;
use rebone_runtime::contact::ContactPoint;
use rebone_setup::align::limbs::{LEG, SIDES, joint};
use rebone_setup::profile::{Part, Side, Slot};

/// Everything that is drawn over time. Lists of frames are as long as `seconds`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Times in the source.
    pub seconds: Vec<f32>,
    /// First frames of stretches: between them and the frame before nothing is known.
    pub starts: Vec<usize>,
    /// The feet.
    pub points: Vec<PointSeries>,
    /// Mean direction error of the limbs, degrees.
    pub direction_degrees: Vec<f64>,
    /// Angles of the knees, of source and target; 0 is straight.
    pub knees: Vec<SlotSeries>,
    /// The hips over the ground, to the left and forwards, less their first place, in legs; source and target.
    pub paths: [Vec<DVec2>; 2],
    /// Heights of the hips above the floor, in legs; source and target.
    pub hips_height: [Vec<f64>; 2],
}

/// A point of a foot over time.
#[derive(Clone, Debug, PartialEq)]
pub struct PointSeries {
    /// The target's point.
    pub point: ContactPoint,
    /// Height above the main floor, percent of a leg; source and target.
    pub height_percent: [Vec<f64>; 2],
    /// Speed over the floor, percent of a leg a second; source and target.
    pub speed_percent_per_second: [Vec<f64>; 2],
    /// When the source's stands: first and last frame.
    pub contacts: Vec<(usize, usize)>,
    /// When the target's stands, in its own motion.
    pub target_contacts: Vec<(usize, usize)>,
}

/// An angle of a slot over time.
#[derive(Clone, Debug, PartialEq)]
pub struct SlotSeries {
    /// The slot of the target.
    pub slot: Slot,
    /// Degrees; source and target.
    pub degrees: [Vec<f64>; 2],
}

/// What the figures of [`report`](super::report) are made of, over time.
pub fn series(
    source: &Performance<'_>,
    target: &Performance<'_>,
    options: &ReportOptions,
) -> Series {
    let pair = Pair::new(source, target, options);
    let bodies = [&pair.source, &pair.target];
    let floors = [
        pair.touching.ground,
        pair.target_height(pair.touching.ground),
    ];
    let points = pair.touching.feet.iter().map(|foot| {
        let own = [foot.points.0, foot.points.1];
        let spans = |list: &[rebone_runtime::contact::Interval]| {
            list.iter()
                .map(|interval| (interval.first, interval.last))
                .collect()
        };
        PointSeries {
            point: pair.target.points.points[foot.points.1],
            height_percent: [0, 1].map(|side| heights(bodies[side], own[side], floors[side])),
            speed_percent_per_second: [0, 1].map(|side| speeds(&pair, side, own[side])),
            contacts: spans(&foot.source),
            target_contacts: spans(&foot.target),
        }
    });
    let knees = SIDES.into_iter().filter_map(|side| knee(bodies, side));
    let over_ground = |body: &Body<'_>| {
        let path = root_path::path(body).unwrap_or_default();
        let first = path.first().copied().unwrap_or_default();
        path.iter()
            .map(|place| (*place - first) / body.leg)
            .collect()
    };
    let above_ground = |side: usize| {
        let body = bodies[side];
        let hips = body.performance.map.joint_of(Part::Hips, Side::Center);
        let places = hips.map(|hips| body.sampled.positions[hips].iter());
        let height = |place: &glam::Vec3| (f64::from(place.y) - floors[side]) / body.leg;
        places.into_iter().flatten().map(height).collect()
    };
    Series {
        points: points.collect(),
        direction_degrees: direction::errors(&pair, options.notes.turned.as_ref()).by_frame,
        knees: knees.collect(),
        paths: bodies.map(over_ground),
        hips_height: [0, 1].map(above_ground),
        starts: pair.frames.runs.iter().map(|run| run.start).collect(),
        seconds: pair.frames.source.clone(),
    }
}

fn heights(body: &Body<'_>, point: usize, floor: f64) -> Vec<f64> {
    let height = |place: &glam::Vec3| 100.0 * (f64::from(place.y) - floor) / body.leg;
    body.paths[point].iter().map(height).collect()
}

/// The first frame of a stretch has the speed of the second.
fn speeds(pair: &Pair<'_>, side: usize, point: usize) -> Vec<f64> {
    let body = [&pair.source, &pair.target][side];
    let places = &body.paths[point];
    let mut speeds = vec![0.0; places.len()];
    for (before, frame, seconds) in pair.frames.steps() {
        let floor = pair.touching.drift[side] * seconds;
        let way = (places[frame] - places[before]).as_dvec3() - floor;
        speeds[frame] = 100.0 * way.x.hypotenuse(way.z) / seconds / body.leg;
    }
    for run in pair.frames.runs.iter().filter(|run| run.len() > 1) {
        speeds[run.start] = speeds[run.start + 1];
    }
    speeds
}

fn knee(bodies: [&Body<'_>; 2], side: Side) -> Option<SlotSeries> {
    let map = bodies[1].performance.map;
    let slot = map.slots.keys().copied().find(|&slot| {
        let info = map.profile.info(slot);
        info.part == Part::LowerLeg && info.side == side
    })?;
    let degrees = |body: &Body<'_>| {
        let [hip, knee, ankle] = LEG.map(|part| joint(body.performance.map, part, side));
        let angles = knee_degrees(&body.sampled.positions, [hip?, knee?, ankle?]);
        Some(
            angles
                .into_iter()
                .map(|angle| if angle.is_finite() { angle } else { 0.0 })
                .collect(),
        )
    };
    Some(SlotSeries {
        slot,
        degrees: [degrees(bodies[0])?, degrees(bodies[1])?],
    })
}
