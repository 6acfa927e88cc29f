//! When the feet of both sides stand on something.
//!
//! The points that count are those of the source's feet that the target has too, and the intervals are those found in the
//! source: the target is to stand when the source does. The target's own intervals are found as well, to see whether it does.
//! Under a clip in place the floor moves; feet are then measured against that floor.

use super::body::{Body, is_of_foot};
use super::contacts::{self, ContactFigures};
use super::{Frames, Pair, ReportOptions};
use glam::DVec3;
use rebone_runtime::ClipContacts;
use rebone_runtime::contact::{ContactMotion, ContactRules, Contacts, Interval};

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
    /// All contacts of the source.
    pub(super) figures: ContactFigures,
}

impl Touching {
    pub(super) fn new(pair: &Pair<'_>, options: &ReportOptions) -> Self {
        if pair.frames.is_empty() {
            return Self {
                ground: pair.floors.source,
                ..Self::default()
            };
        }
        let times = pair.frames.source.as_slice();
        let points = &pair.source.points;
        let meters = options.source_meters.unwrap_or(1.0);
        // Who retargeted the clip has already looked.
        let known = options.notes.contacts.as_ref();
        let known = known.filter(|known| known.contacts.points.len() == points.points.len());
        let (source, figures) = match known {
            Some(ClipContacts {
                times: known_times,
                contacts,
            }) => (
                in_frames(contacts, known_times, times),
                contacts::figures(points, contacts, known_times, meters),
            ),
            None => {
                let contacts = find_contacts(&pair.source, times, &options.contacts);
                let figures = contacts::figures(points, &contacts, times, meters);
                (contacts, figures)
            }
        };
        let target = find_contacts(&pair.target, times, &ContactRules::default());
        let (own, other) = (source.drift.as_dvec3(), target.drift.as_dvec3());
        // A result may stay in place where its source travels; the floor then goes by under it alone.
        let carried = if own == DVec3::ZERO {
            other
        } else {
            pair.travel * own
        };
        Self {
            ground: f64::from(source.ground),
            drift: [own, carried],
            feet: shared_feet(pair, &source, &target),
            figures,
        }
    }
}

/// Finds when the points of one side touch, from its own motion alone.
fn find_contacts(body: &Body<'_>, times: &[f32], rules: &ContactRules) -> Contacts {
    let hips = body.points.hips.map(|hips| &body.sampled.positions[hips]);
    let motion = ContactMotion {
        times: times.to_vec(),
        points: body.paths.clone(),
        hips: hips.cloned().unwrap_or_default(),
    };
    rules.find(&body.points, &motion, &body.performance.clip.name)
}

/// The points of feet that both sides have, with the intervals in which each stands.
fn shared_feet(pair: &Pair<'_>, source: &Contacts, target: &Contacts) -> Vec<Foot> {
    let points = pair.source.points.points.iter().enumerate();
    points
        .filter(|(_, point)| is_of_foot(point))
        .filter_map(|(index, point)| {
            let others = &pair.target.points;
            let other = others.find(point.touch, point.side, point.front)?;
            Some(Foot {
                points: (index, other),
                source: consecutive(&source.points[index], &pair.frames),
                target: consecutive(&target.points[other], &pair.frames),
            })
        })
        .collect()
}

/// The intervals, cut where frames of the clip are left out.
fn consecutive(intervals: &[Interval], frames: &Frames) -> Vec<Interval> {
    let cut = |interval: Interval| {
        let parts = frames.within_runs(interval.first, interval.last);
        parts.into_iter().map(move |(first, last)| Interval {
            first,
            last,
            ..interval
        })
    };
    intervals.iter().copied().flat_map(cut).collect()
}

/// Contacts of other frames of the same clip, in the frames that are measured.
fn in_frames(contacts: &Contacts, times: &[f32], measured: &[f32]) -> Contacts {
    if times == measured {
        return contacts.clone();
    }
    // Half of a usual frame's rounding; frames of both are mostly the same.
    let near = 1e-4;
    let moved = |interval: &Interval| {
        let (start, end) = (*times.get(interval.first)?, *times.get(interval.last)?);
        let first = measured.partition_point(|&time| time < start - near);
        let after = measured.partition_point(|&time| time <= end + near);
        (first < after).then(|| Interval {
            first,
            last: after - 1,
            ..*interval
        })
    };
    let points = contacts.points.iter();
    Contacts {
        points: points
            .map(|intervals| intervals.iter().filter_map(moved).collect())
            .collect(),
        ..*contacts
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
