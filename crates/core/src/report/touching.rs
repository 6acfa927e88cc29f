//! When the feet of both sides stand on something.
//!
//! The points that count are those of the source's feet that the target has too, and the intervals are those found in the
//! source: the target is to stand when the source does. The target's own intervals are found as well, to see whether it does.
//! Under a clip in place the floor moves; feet are then measured against that floor.

use super::Pair;
use super::body::{Body, is_of_foot};
use crate::contact::{ContactMotion, DetectOptions, Interval, detect};
use glam::DVec3;

/// A point of the feet of both sides.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Foot {
    /// Index into the points of source and target.
    pub(super) points: (usize, usize),
    /// When the source's stands, in stretches of consecutive frames.
    pub(super) source: Vec<Interval>,
    /// When the target's does.
    pub(super) target: Vec<Interval>,
}

/// All contacts of feet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Touching {
    /// Height of the source's floor, canonical, file units.
    pub(super) ground: f64,
    /// Velocity of the floor under a clip in place, over the ground, file units a second; of source and target.
    pub(super) drift: [DVec3; 2],
    pub(super) feet: Vec<Foot>,
}

impl Touching {
    pub(super) fn new(pair: &Pair<'_>) -> Self {
        if pair.frames.is_empty() {
            return Self {
                ground: pair.floors.source,
                ..Self::default()
            };
        }
        let found = |body: &Body<'_>| {
            let hips = body.points.hips.map(|hips| &body.sampled.positions[hips]);
            let motion = ContactMotion {
                times: pair.frames.source.clone(),
                points: body.paths.clone(),
                hips: hips.cloned().unwrap_or_default(),
            };
            detect(&body.points, &motion, &DetectOptions::default())
        };
        let (source, target) = (found(&pair.source), found(&pair.target));
        let stretches = |intervals: &[Interval]| -> Vec<Interval> {
            let cut = |interval: Interval| {
                let parts = pair.frames.within_runs(interval.first, interval.last);
                parts.into_iter().map(move |(first, last)| Interval {
                    first,
                    last,
                    ..interval
                })
            };
            intervals.iter().copied().flat_map(cut).collect()
        };
        let points = pair.source.points.points.iter().enumerate();
        let feet = points
            .filter(|(_, point)| is_of_foot(point))
            .filter_map(|(index, point)| {
                let other = pair
                    .target
                    .points
                    .find(point.touch, point.side, point.front)?;
                Some(Foot {
                    points: (index, other),
                    source: stretches(&source.points[index]),
                    target: stretches(&target.points[other]),
                })
            });
        let (own, other) = (source.drift.as_dvec3(), target.drift.as_dvec3());
        // A result may stay in place where its source travels; the floor then goes by under it alone.
        let carried = if own == DVec3::ZERO {
            other
        } else {
            pair.own_scale() * own
        };
        Self {
            ground: f64::from(source.ground),
            drift: [own, carried],
            feet: feet.collect(),
        }
    }
}

/// Whether each frame is in one of the intervals.
pub(super) fn marks(intervals: &[Interval], frames: usize) -> Vec<bool> {
    let mut marks = vec![false; frames];
    for interval in intervals {
        let last = interval.last.min(frames.saturating_sub(1));
        for mark in marks.iter_mut().take(last + 1).skip(interval.first) {
            *mark = true;
        }
    }
    marks
}
