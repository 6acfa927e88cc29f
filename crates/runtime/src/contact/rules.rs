//! How contacts are found, and what of them is a person's own.
//!
//! ```text
//! contacts of a point = (found or nothing, less what is removed), together with what is added
//! ```
//!
//! A person's spans are seconds of the clip. A span takes the frames within it, and those within [`NEAR_SECONDS`] of its
//! ends, so that rounded times mean the frames they were rounded from. What is added joins the intervals with which it shares
//! frames into one. Its height is the one that the person gives; else that of the found contact with which it shares most
//! frames; else the median height of the point, or the main floor where that is within 0.05 leg lengths of it.
//!
//! Degenerate cases: a span without a frame of the clip adds and removes nothing; an edit of a point that the body does not
//! have, or of another clip, does nothing.

use super::detect::{Contacts, DetectOptions, Interval, LEVEL, detect};
use super::motion::ContactMotion;
use super::names::PointKind;
use super::points::ContactPoints;
use crate::check::{Checked, ensure};
use serde::{Deserialize, Serialize};

/// Frames so near to an end of a span are in it, seconds.
const NEAR_SECONDS: f32 = 1e-3;

/// What a person says about the contacts of a source. Lengths are in the source's file units.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactRules {
    /// Bounds of the detection.
    pub options: DetectOptions,
    /// Nothing is found: only what a person adds touches. Default false.
    pub only_by_hand: bool,
    /// Edits of single points. Default: none.
    pub edits: Vec<ContactEdit>,
}

/// What a person says about one point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactEdit {
    /// The clip that is meant, by name; `None` for every clip without an edit of its own of this point.
    pub clip: Option<String>,
    /// The point.
    pub point: PointKind,
    /// Whether what is found counts, too.
    pub keeps_found: bool,
    /// When it touches.
    pub added: Vec<TouchSpan>,
    /// When it does not: start and end, seconds.
    pub removed: Vec<[f32; 2]>,
}

/// A touch that a person has put in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TouchSpan {
    /// Start, seconds.
    pub start: f32,
    /// End, seconds.
    pub end: f32,
    /// Height of what is touched: canonical, file units. `None`: as found.
    pub height: Option<f32>,
}

impl ContactRules {
    /// The same with lengths in other units, `factor` of them in one of now.
    #[must_use]
    pub fn in_units(&self, factor: f32) -> Self {
        let mut rules = self.clone();
        rules.options.ground = rules.options.ground.map(|ground| ground * factor);
        let added = rules.edits.iter_mut().flat_map(|edit| &mut edit.added);
        for span in added {
            span.height = span.height.map(|height| height * factor);
        }
        rules
    }

    /// When the points of a body touch in a clip of this name.
    pub fn find(&self, points: &ContactPoints, motion: &ContactMotion, clip: &str) -> Contacts {
        let mut contacts = detect(points, motion, &self.options);
        for (index, point) in points.points.iter().enumerate() {
            let Some(own) = contacts.points.get_mut(index) else {
                continue;
            };
            let found = if self.only_by_hand {
                std::mem::take(own)
            } else {
                own.clone()
            };
            if let Some(edit) = self.edit(point.kind(), clip) {
                let heights = motion.points.get(index).map_or(&[][..], Vec::as_slice);
                let (ground, near) = (contacts.ground, LEVEL * points.leg);
                *own = edit.apply(&found, own, &motion.times, |first, last| {
                    let within = heights.get(first..=last).unwrap_or_default();
                    snapped(within.iter().map(|place| place.y), ground, near)
                });
            }
        }
        contacts
    }

    fn edit(&self, point: PointKind, clip: &str) -> Option<&ContactEdit> {
        let own = |edit: &&ContactEdit| edit.point == point && edit.clip.as_deref() == Some(clip);
        let all = |edit: &&ContactEdit| edit.point == point && edit.clip.is_none();
        self.edits
            .iter()
            .find(own)
            .or_else(|| self.edits.iter().find(all))
    }
}

impl ContactEdit {
    /// The intervals of a point: those that count of the found ones (`kept`), with this edit.
    fn apply(
        &self,
        found: &[Interval],
        kept: &[Interval],
        times: &[f32],
        usual_height: impl Fn(usize, usize) -> f32,
    ) -> Vec<Interval> {
        let mut all = if self.keeps_found {
            kept.to_vec()
        } else {
            Vec::new()
        };
        for &[start, end] in &self.removed {
            if let Some((first, last)) = frames(times, start, end) {
                all = all
                    .iter()
                    .flat_map(|interval| without(interval, first, last))
                    .collect();
            }
        }
        for span in &self.added {
            let Some((first, last)) = frames(times, span.start, span.end) else {
                continue;
            };
            let shared = |other: &&Interval| {
                (other.last.min(last) + 1).saturating_sub(other.first.max(first))
            };
            let most = found.iter().max_by_key(shared);
            let known = most
                .filter(|other| shared(other) > 0)
                .map(|other| other.height);
            let mut new = Interval {
                first,
                last,
                height: span
                    .height
                    .or(known)
                    .unwrap_or_else(|| usual_height(first, last)),
                by_hand: true,
            };
            all.retain(|other| {
                let touches = other.first <= new.last && new.first <= other.last;
                if touches {
                    new.first = new.first.min(other.first);
                    new.last = new.last.max(other.last);
                }
                !touches
            });
            let place = all.partition_point(|other| other.first < new.first);
            all.insert(place, new);
        }
        all
    }
}

/// First and last frame of a span.
fn frames(times: &[f32], start: f32, end: f32) -> Option<(usize, usize)> {
    let first = times.partition_point(|&time| time < start - NEAR_SECONDS);
    let after = times.partition_point(|&time| time <= end + NEAR_SECONDS);
    (first < after).then(|| (first, after - 1))
}

/// What is left of an interval without the frames from `first` to `last`.
fn without(
    interval: &Interval,
    first: usize,
    last: usize,
) -> impl Iterator<Item = Interval> + use<> {
    let whole = *interval;
    let before = (whole.first < first).then(|| Interval {
        last: whole.last.min(first - 1),
        ..whole
    });
    let behind = (whole.last > last).then(|| Interval {
        first: whole.first.max(last + 1),
        ..whole
    });
    let apart = whole.last < first || whole.first > last;
    let parts = if apart {
        [Some(whole), None]
    } else {
        [before, behind]
    };
    parts.into_iter().flatten()
}

/// The median of the heights; the floor at `ground` if the median is nearer to it than `near`, or if there are no heights.
fn snapped(heights: impl Iterator<Item = f32>, ground: f32, near: f32) -> f32 {
    let mut heights: Vec<f32> = heights.filter(|height| height.is_finite()).collect();
    heights.sort_by(f32::total_cmp);
    let median = heights.get(heights.len() / 2).copied().unwrap_or(ground);
    if (median - ground).abs() < near {
        ground
    } else {
        median
    }
}

impl ContactRules {
    pub(crate) fn check(&self) -> Checked {
        ensure(
            self.options == self.options.sound(),
            "a bound of the contacts is out of its range",
        )?;
        let is_side = |edit: &ContactEdit| (-1..=1).contains(&edit.point.side);
        ensure(
            self.edits.iter().all(is_side),
            "a point that touches is on no side",
        )
    }
}
