//! The worst moments of a clip: what to look at first.

use super::Pair;
use crate::contact::ContactPoint;
use crate::profile::Slot;

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
}

impl MomentKind {
    /// `direction`, `penetration`, `slide`, `pop`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direction => "direction",
            Self::Penetration => "penetration",
            Self::Slide => "slide",
            Self::Pop => "pop",
        }
    }

    /// The unit of its value.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Direction | Self::Pop => "°",
            Self::Penetration => "% height",
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
    /// The slot, of a direction or a pop.
    pub slot: Option<Slot>,
    /// What touches, of feet.
    pub point: Option<ContactPoint>,
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
        MomentKind::Slide => 0.5,
    }
}
