//! The worst moments of a clip: what to look at first.

use super::{Pair, Report};
use rebone_runtime::contact::ContactPoint;
use rebone_setup::profile::Slot;

/// What is at its worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentKind {
    /// A limb points elsewhere than the source's: degrees.
    Direction,
    /// A foot is deeper in the floor than the source's: percent of the height more.
    Penetration,
    /// A foot moves faster over the floor than the source's, which stands: percent of the leg a second more.
    Slide,
    /// A joint turns further from one frame to the next than the source's: degrees more.
    Pop,
    /// A forearm or hand is deeper in trunk or head than the source's: percent of the height more.
    OwnBody,
    /// The skin is deeper in the floor than the source's: percent of the height more.
    SkinFloor,
}

impl MomentKind {
    /// `direction`, `penetration`, `slide`, `pop`, `own-body`, `skin-floor`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direction => "direction",
            Self::Penetration => "penetration",
            Self::Slide => "slide",
            Self::Pop => "pop",
            Self::OwnBody => "own-body",
            Self::SkinFloor => "skin-floor",
        }
    }

    /// The value from which a person sees it at first sight, in the unit of its kind. It makes kinds comparable; the
    /// values are those from which the figures of the same kind fail.
    fn obvious(self) -> f64 {
        match self {
            Self::Direction => 30.0,
            Self::Penetration => 1.5,
            Self::Slide => 20.0,
            Self::Pop => 45.0,
            Self::OwnBody => 5.0,
            Self::SkinFloor => 8.0,
        }
    }

    /// The unit of its value.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Direction | Self::Pop => "°",
            Self::Penetration | Self::OwnBody | Self::SkinFloor => "% height",
            Self::Slide => "% leg/s",
        }
    }
}

/// One moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// What is at its worst.
    pub kind: MomentKind,
    /// Time in the source, seconds.
    pub seconds: f32,
    /// Time in the target, seconds.
    pub target_seconds: f32,
    /// How bad it is, in the unit of its kind.
    pub value: f64,
    /// The slot, of a direction or a pop, or whose skin is in the floor.
    pub slot: Option<Slot>,
    /// What touches, of feet.
    pub point: Option<ContactPoint>,
}

impl Moment {
    /// How bad it looks: from 1 on a person sees it at first sight, whatever its kind.
    pub fn severity(&self) -> f64 {
        self.value / self.kind.obvious()
    }
}

/// The moment to look at first, by [severity](Moment::severity). `None` if nothing can be seen.
pub fn worst_moment(report: &Report) -> Option<&Moment> {
    let moments = report.moments.iter();
    moments.max_by(|one, other| one.severity().total_cmp(&other.severity()))
}

/// A worst frame as it is found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worst {
    pub(super) frame: usize,
    pub(super) value: f64,
    pub(super) slot: Option<Slot>,
    /// Index into the target's points.
    pub(super) point: Option<usize>,
}

impl Worst {
    /// The worse of what is known and a new one.
    pub(super) fn keep(known: &mut Option<Self>, new: Self) {
        if known.is_none_or(|known| new.value > known.value) {
            *known = Some(new);
        }
    }
}

pub(super) struct Moments<'a> {
    pair: &'a Pair<'a>,
    pub(super) all: Vec<Moment>,
}

impl<'a> Moments<'a> {
    pub(super) fn new(pair: &'a Pair<'a>) -> Self {
        Self {
            pair,
            all: Vec::new(),
        }
    }

    /// Adds a moment, where there is anything to see.
    pub(super) fn add(&mut self, kind: MomentKind, worst: Option<Worst>) {
        let Some(worst) = worst.filter(|worst| worst.value > least(kind)) else {
            return;
        };
        let frames = &self.pair.frames;
        self.all.push(Moment {
            kind,
            seconds: frames.source[worst.frame],
            target_seconds: frames.target[worst.frame],
            value: worst.value,
            slot: worst.slot,
            point: worst
                .point
                .map(|point| self.pair.target.points.points[point]),
        });
    }
}

/// Below this nobody sees anything.
fn least(kind: MomentKind) -> f64 {
    match kind {
        MomentKind::Direction | MomentKind::Pop => 0.5,
        MomentKind::Penetration => 0.05,
        MomentKind::Slide | MomentKind::OwnBody => 0.5,
        // Tips of shoes are often so deep where a heel rises.
        MomentKind::SkinFloor => 4.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_compared_by_what_the_eye_sees() {
        let moment = |kind, value| Moment {
            kind,
            seconds: 0.0,
            target_seconds: 0.0,
            value,
            slot: None,
            point: None,
        };
        let report = Report {
            moments: vec![
                moment(MomentKind::Direction, 12.0),
                moment(MomentKind::Penetration, 2.0),
                moment(MomentKind::Pop, 20.0),
            ],
            ..Report::default()
        };
        let worst = worst_moment(&report).map(|moment| moment.kind);
        assert_eq!(worst, Some(MomentKind::Penetration));
        assert_eq!(worst_moment(&Report::default()), None);
    }
}
