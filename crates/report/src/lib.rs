//! Figures of a finished retarget: what the source did, what became of it, and how far apart both are.
//!
//! A [`Report`] is made of two performances ([`report`]): of the clip that this program made, or of any other tool's. Each
//! figure has a file of its own here, which opens with its formula; [`figures`] gives them names, units and thresholds.
//!
//! | symbol | meaning |
//! |---|---|
//! | L | length of a leg of that body ([`Measures::leg`](rebone_setup::align::Measures)) |
//! | h | height of that body |
//! | K | L + distance of the thigh joints |
//! | k | target file units of travel a source file unit |
//!
//! Places are canonical (+Y up, the body facing +Z) and in file units; the lengths of each body divide them, so no figure
//! depends on units. A figure that has no meaning for a pair (slide without feet, steps of a single frame) is `None`.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod body;
mod constant;
mod contacts;
mod cuts;
mod direction;
mod distances;
mod feet;
mod figure;
mod floor;
mod frames;
mod jerk;
mod lengths;
mod limits;
mod moments;
mod own_body;
mod pops;
mod proportions;
mod root_path;
mod sampled;
mod series;
mod skin_floor;
mod tips;
mod touching;
mod turned;

pub use constant::{ConstantError, ConstantKind};
pub use contacts::{ContactFigures, Evidence, PointTouches, TouchTime};
pub use direction::SlotError;
pub use feet::{FeetFigures, FootContact, PointSlide, point_name};
pub use figure::{FIGURES, Figure, FigureKind, Judged, Verdict, figures, verdict};
pub use floor::{FloorFigures, PointDepth};
pub use frames::{Frames, RUNS};
pub use limits::{LimitFigures, SlotHits};
pub use moments::{Moment, MomentKind, worst_moment};
pub use own_body::OwnBodyFigures;
pub use pops::{PopFigures, SlotStep};
pub use proportions::{Proportions, STRETCHED, StretchFigures};
pub use root_path::RootPathFigures;
pub use series::{PointSeries, Series, SlotSeries, series};
pub use skin_floor::SkinFloorFigures;
pub use tips::TipFigures;

use body::Body;
use rebone_model::{Character, Clip};
use rebone_runtime::ClipNotes;
use rebone_runtime::contact::ContactRules;
use rebone_setup::align::Alignment;
use rebone_setup::limits::Limits;
use rebone_setup::mapping::RigMap;

/// Frames of a clip that are measured where nothing else is asked for.
pub const USUAL_FRAMES: usize = 600;

/// A figure of the source and the same of the target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sides {
    /// Of the source.
    pub source: f64,
    /// Of the target.
    pub target: f64,
}

impl Sides {
    /// Target divided by source; below `least` nothing is told apart.
    pub(crate) fn ratio(self, least: f64) -> f64 {
        self.target.max(least) / self.source.max(least)
    }
}

/// A character, its slots, its alignment and its clip.
#[derive(Clone, Copy, Debug)]
pub struct Performance<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its slots.
    pub map: &'a RigMap,
    /// Its alignment.
    pub alignment: &'a Alignment,
    /// What it does.
    pub clip: &'a Clip,
}

/// What is known of a pair beside both performances.
#[derive(Clone, Debug, Default)]
pub struct ReportOptions {
    /// Most frames to look at; longer clips are measured in stretches. Default `None`: [`USUAL_FRAMES`].
    pub frames: Option<usize>,
    /// Target file units a source file unit, upwards. Default `None`: the quotient of both K.
    pub scale: Option<f64>,
    /// Target file units a source file unit, over the ground. Default `None`: the quotient of both K.
    pub travel: Option<f64>,
    /// Heights of the floor in the motions of source and target, canonical, file units. Default 0.
    pub floors: Sides,
    /// Whether the target's feet are planted on its floor: then they stand on it, at whatever height the contacts of a clip lie about the
    /// source's. Default: they stand as much above or below the floor as the source's.
    pub is_planted: bool,
    /// Whether the motion is copied onto the source's own rig: then the target's skin is that of a source without one. Default false.
    pub copies: bool,
    /// How contacts of the source are found, and what of them is a person's own; lengths in file units. Default: everything
    /// is found.
    pub contacts: ContactRules,
    /// What was seen while the clip was retargeted: its contacts then need not be found again. Default: nothing.
    pub notes: ClipNotes,
    /// k, c and η of the pair. Default: not known.
    pub proportions: Option<Proportions>,
    /// Metres a file unit of the source. Default `None`: 1.
    pub source_meters: Option<f64>,
    /// How far the target's slots may turn. Default `None`: as far as people's, for people.
    pub limits: Option<Limits>,
    /// Measure directions only: a layer has no feet on the floor. Default false.
    pub only_direction: bool,
}

/// Figures of one clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Frames of the clip.
    pub frames: usize,
    /// Frames that were measured.
    pub frames_measured: usize,
    /// Where both clips differ in length: the seconds of each.
    pub lengths_differ: Option<Sides>,
    /// Limb slots that both rigs have.
    pub direction: Vec<SlotError>,
    /// Mean of the slots' means, degrees.
    pub mean_direction_degrees: f64,
    /// Worst of the slots' worst, degrees.
    pub max_direction_degrees: f64,
    /// How far limbs, head and palms are off all the time, the worst first. Empty for bodies that do not stand upright.
    pub constant: Vec<ConstantError>,
    /// When the source touches what. `None` where only directions are measured.
    pub contacts: Option<ContactFigures>,
    /// Feet on the floor. `None` where the source has no contact of a foot that both have.
    pub feet: Option<FeetFigures>,
    /// Feet in the floor, and above it. `None` without feet.
    pub floor: Option<FloorFigures>,
    /// The skin in the floor. `None` where the target has no skin.
    pub skin_floor: Option<SkinFloorFigures>,
    /// Forearms and hands in trunk and head. `None` where the target has no skin.
    pub own_body: Option<OwnBodyFigures>,
    /// Joints beyond their limits. `None` without limits.
    pub limits: Option<LimitFigures>,
    /// Sudden turns. `None` with fewer than two frames.
    pub pops: Option<PopFigures>,
    /// Mean jerk of points that the joints of all shared slots turn, leg and hip widths a second³. `None` with fewer than four frames.
    pub jerk: Option<Sides>,
    /// The way over the ground. `None` without hips.
    pub root_path: Option<RootPathFigures>,
    /// Largest change of a joint's distance from the one that carries it, percent of a leg. `None` without frames.
    pub length_drift_percent: Option<Sides>,
    /// How much the distances between joints differ, both bodies made equally tall. `None` with fewer than three
    /// shared slots.
    pub distances: Option<f64>,
    /// Legs that are stretched. `None` without legs.
    pub stretch: Option<StretchFigures>,
    /// k, c and η, where they are known.
    pub proportions: Option<Proportions>,
    /// Share of frames in which a goal was out of reach, percent; known to who solved for it. `None` where nobody did.
    pub reach_failures_percent: Option<f64>,
    /// The worst of each kind, at most one.
    pub moments: Vec<Moment>,
}

/// Measures what became of a source's clip.
pub fn report(
    source: &Performance<'_>,
    target: &Performance<'_>,
    options: &ReportOptions,
) -> Report {
    let pair = Pair::new(source, target, options);
    let direction = direction::errors(&pair, options.notes.turned.as_ref());
    let mut report = Report {
        frames: pair.frames.of,
        frames_measured: pair.frames.len(),
        lengths_differ: pair.frames.lengths_differ.map(|(source, target)| Sides {
            source: f64::from(source),
            target: f64::from(target),
        }),
        mean_direction_degrees: direction.mean_degrees(),
        max_direction_degrees: direction.max_degrees(),
        direction: direction.slots.clone(),
        ..Report::default()
    };
    let mut moments = moments::Moments::new(&pair);
    moments.add(MomentKind::Direction, direction.worst);
    if !options.only_direction {
        let feet = feet::measure(&pair);
        let floor = floor::measure(&pair);
        let pops = pops::measure(&pair);
        moments.add(
            MomentKind::Penetration,
            floor.as_ref().and_then(|floor| floor.worst),
        );
        moments.add(MomentKind::Slide, feet.as_ref().and_then(|feet| feet.worst));
        moments.add(MomentKind::Pop, pops.as_ref().and_then(|pops| pops.worst));
        let own_body = own_body::measure(&pair, options.copies);
        moments.add(
            MomentKind::OwnBody,
            own_body.as_ref().and_then(|own_body| own_body.worst),
        );
        let skin_floor = skin_floor::measure(&pair, options.copies);
        moments.add(
            MomentKind::SkinFloor,
            skin_floor.as_ref().and_then(|skin_floor| skin_floor.worst),
        );
        report.skin_floor = skin_floor.map(|skin_floor| skin_floor.figures);
        report.own_body = own_body.map(|own_body| own_body.figures);
        report.contacts = Some(pair.touching.figures.clone());
        report.constant = constant::errors(&pair, options.notes.turned.as_ref());
        report.stretch = proportions::stretch(&pair);
        report.proportions = options.proportions;
        report.reach_failures_percent = options
            .notes
            .reach
            .filter(|reach| reach.frames > 0)
            .map(|reach| 100.0 * reach.missed as f64 / reach.frames as f64);
        report.feet = feet.map(|feet| feet.figures);
        report.floor = floor.map(|floor| floor.figures);
        report.pops = pops.map(|pops| pops.figures);
        report.limits = limits::measure(&pair, options.limits.as_ref());
        report.jerk = jerk::measure(&pair);
        report.root_path = root_path::measure(&pair);
        report.length_drift_percent = lengths::measure(&pair);
        report.distances = distances::measure(&pair);
    }
    report.moments = moments.all;
    report
}

/// Both sides, sampled at the same moments.
struct Pair<'a> {
    source: Body<'a>,
    target: Body<'a>,
    frames: Frames,
    /// Slots that both have, with the first joint of each side; fingers and face left out.
    shared: Vec<body::Shared>,
    touching: touching::Touching,
    /// Target file units a source file unit, upwards.
    scale: f64,
    /// The same over the ground.
    travel: f64,
    floors: Sides,
    is_planted: bool,
}

impl<'a> Pair<'a> {
    fn new(source: &Performance<'a>, target: &Performance<'a>, options: &ReportOptions) -> Self {
        let most = options.frames.unwrap_or(USUAL_FRAMES);
        let frames = Frames::new(source.clip, target.clip, most);
        let source = Body::new(*source, &frames.source, options.floors.source);
        let target = Body::new(*target, &frames.target, options.floors.target);
        let scale = |given: Option<f64>| {
            given
                .filter(|scale| scale.is_finite() && *scale > 0.0)
                .unwrap_or(target.size() / source.size())
        };
        let mut pair = Self {
            shared: body::shared(&source, &target),
            scale: scale(options.scale),
            travel: scale(options.travel),
            floors: options.floors,
            is_planted: options.is_planted,
            touching: touching::Touching::default(),
            source,
            target,
            frames,
        };
        let cuts = cuts::cuts(&pair);
        pair.frames.cut(&cuts);
        if !options.only_direction {
            pair.touching = touching::Touching::new(&pair, options);
        }
        pair
    }

    /// The height in the target's motion of a height in the source's.
    fn target_height(&self, source: f64) -> f64 {
        let floor = if self.is_planted {
            self.touching.ground
        } else {
            self.floors.source
        };
        self.floors.target + self.scale * (source - floor)
    }
}
