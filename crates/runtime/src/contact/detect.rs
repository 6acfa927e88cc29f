//! Contacts of a whole clip.
//!
//! All lengths are in leg lengths L, all times in seconds, so that size and rate of a clip do not matter.
//!
//! | symbol | meaning |
//! |---|---|
//! | p | path of a point, its noise taken out ([`super::paths`]), less the floor's way in a clip that runs in place |
//! | v | speed of p over 1/30 s before and after a frame: the mean of both, at the ends of a stand the smaller one |
//! | h | height of p above the level at which this kind of point stands |
//! | v_on, v_off | below the first a point may begin to touch, above the second it has left |
//! | v_e | faster than this at an end of a contact it was not touching yet, or no longer |
//! | h_on, h_off | the same of heights |
//!
//! A point touches in every stretch of frames with v ≤ v_off and h ≤ h_off in which one frame has v ≤ v_on and
//! h ≤ h_on. The bounds follow the clip ([`super::levels`]): where stands are clean they are narrow, so that
//! take-off and landing are exact to the frame; where they tremble they widen up to those of the options.
//!
//! Above the main floor a foot touches only where it must carry the body ([`super::support`]).
//!
//! Degenerate: no frames, times that do not rise, or a body without legs: nothing touches. Places that are not numbers touch nothing. A clip
//! of one frame has no speed; there the height decides. Source: docs/laws.md, "Contact detection".

use super::levels::{Bounds, Levels};
use super::motion::ContactMotion;
use super::paths::Paths;
use super::points::{ContactPoints, Touch};
use super::{in_place, spans, support};
use glam::Vec3;
use rebone_model::Clamp as _;
use serde::{Deserialize, Serialize};

/// Frames in which a point touches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// Number of the first frame.
    pub first: usize,
    /// Number of the last frame.
    pub last: usize,
    /// Height of what is touched: canonical, file units.
    pub height: f32,
    /// True where a person says so; false where it was found. Default false.
    pub by_hand: bool,
}

/// A floor that is nearer to the main one than this, in leg lengths, is the main one: soles are not known better.
pub(super) const LEVEL: f32 = 0.05;

/// When which point touches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// Height of the main floor: canonical, file units.
    pub ground: f32,
    /// Velocity of the floor below a body that moves in place: canonical, file units a second. Zero where the clip
    /// travels itself.
    pub drift: Vec3,
    /// Of each contact point its intervals, in order of time.
    pub points: Vec<Vec<Interval>>,
}

impl Contacts {
    /// The interval in which a point touches at a frame.
    pub fn at(&self, point: usize, frame: usize) -> Option<&Interval> {
        let intervals = self.points.get(point)?;
        let after = intervals.partition_point(|interval| interval.last < frame);
        intervals.get(after).filter(|found| found.first <= frame)
    }
}

/// Whether a clip may be one that runs in place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InPlace {
    /// Where standing feet all glide the same way and the hips stay.
    #[default]
    Auto,
    /// The floor never moves.
    Never,
}

/// Bounds of the detection. What is no number, or negative, counts as the default; the rest is brought into its range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DetectOptions {
    /// v_on at most, leg lengths a second. Default 0.2, range 0.01 to 10.
    pub speed_on: f32,
    /// v_off as a multiple of v_on. Default 2, range 1 to 10.
    pub speed_release: f32,
    /// h_on at most, leg lengths. Default 0.03, range 0.001 to 1.
    pub height_on: f32,
    /// h_off as a multiple of h_on. Default 5/3, range 1 to 10.
    pub height_release: f32,
    /// A contact lasts at least so long, seconds. Default 0.06, range 0 to 10.
    pub shortest_seconds: f32,
    /// Shorter gaps are closed where the point is still in its place, seconds. Default 0.1, range 0 to 10.
    pub gap_seconds: f32,
    /// Height of the main floor, canonical, file units. Default: found.
    pub ground: Option<f32>,
    /// Clips that run in place. Default: found.
    pub in_place: InPlace,
}

impl Default for DetectOptions {
    fn default() -> Self {
        Self {
            speed_on: 0.2,
            speed_release: 2.0,
            height_on: 0.03,
            height_release: 5.0 / 3.0,
            shortest_seconds: 0.06,
            gap_seconds: 0.1,
            ground: None,
            in_place: InPlace::Auto,
        }
    }
}

impl DetectOptions {
    /// Every value in its range.
    #[must_use]
    pub fn sound(&self) -> Self {
        let usual = Self::default();
        let within = |value: f32, usual: f32, low: f32, high: f32| {
            if value.is_nan() || value < 0.0 {
                usual
            } else {
                value.clamped(low, high)
            }
        };
        Self {
            speed_on: within(self.speed_on, usual.speed_on, 0.01, 10.0),
            speed_release: within(self.speed_release, usual.speed_release, 1.0, 10.0),
            height_on: within(self.height_on, usual.height_on, 1e-3, 1.0),
            height_release: within(self.height_release, usual.height_release, 1.0, 10.0),
            shortest_seconds: within(self.shortest_seconds, usual.shortest_seconds, 0.0, 10.0),
            gap_seconds: within(self.gap_seconds, usual.gap_seconds, 0.0, 10.0),
            ground: self.ground.filter(|ground| ground.is_finite()),
            in_place: self.in_place,
        }
    }
}

/// Finds what touches when, the whole clip known.
pub fn detect(points: &ContactPoints, motion: &ContactMotion, options: &DetectOptions) -> Contacts {
    let options = options.sound();
    let leg = points.leg;
    let mut contacts = Contacts {
        ground: options.ground.unwrap_or(points.floor),
        drift: Vec3::ZERO,
        points: vec![Vec::new(); points.points.len()],
    };
    if !(leg.is_finite() && leg > 0.0) {
        return contacts;
    }
    let Some(mut paths) = Paths::new(motion, points) else {
        return contacts;
    };
    let feet: Vec<usize> = (0..points.points.len())
        .filter(|&point| is_foot(points, point))
        .collect();
    let drift = match options.in_place {
        InPlace::Auto => in_place::drift(&paths, points, &feet),
        InPlace::Never => Vec3::ZERO,
    };
    paths.follow(drift);
    let bounds = Bounds::new(&paths, &feet, &options);
    let levels = Levels::new(&paths, points, &feet, &bounds, &options);
    let mut found: Vec<Vec<Interval>> = vec![Vec::new(); points.points.len()];
    let mut near: Vec<Vec<(usize, usize)>> = vec![Vec::new(); points.points.len()];
    for &point in &feet {
        near[point] = spans::near_floor(&paths, point, &levels, &bounds, &options);
    }
    let standing = spans::standing_speed(&paths, &feet, &near, &bounds);
    for &point in &feet {
        let cut = near[point]
            .iter()
            .map(|&(first, last)| spans::without_ends(&paths, point, first, last, standing));
        let cut: Vec<(usize, usize)> = cut.collect();
        found[point] = spans::intervals(&paths, point, &cut, &levels, &options);
    }
    let feet = support::Feet {
        points,
        feet: &feet,
        bounds,
        standing,
    };
    support::other_heights(&paths, &feet, &levels, &mut found);
    support::rest_of_body(&paths, points, &levels, &options, &mut found);
    contacts.ground = levels.ground * leg;
    for interval in found.iter_mut().flatten() {
        let is_main = (interval.height - levels.ground).abs() < LEVEL;
        interval.height = if is_main {
            contacts.ground
        } else {
            interval.height * leg
        };
    }
    contacts.drift = drift * leg;
    contacts.points = found;
    contacts
}

/// True for heels and toes.
pub(super) fn is_foot(points: &ContactPoints, point: usize) -> bool {
    matches!(points.points[point].touch, Touch::Heel | Touch::Toes)
}
