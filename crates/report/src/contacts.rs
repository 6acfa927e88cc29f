//! When which point of the source touches, and how that is known.

use rebone_runtime::contact::{ContactPoint, ContactPoints, Contacts, Touch};

/// The contacts of a source's clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactFigures {
    /// Height of the main floor in the source's file, metres.
    pub ground_meters: f64,
    /// Velocity of the floor below a clip in place, to the body's left and forwards, metres a second; zero where the clip
    /// travels.
    pub drift_meters_per_second: [f64; 2],
    /// Every point that the source has, with its touches; also those that never touch.
    pub points: Vec<PointTouches>,
}

/// When one point touches.
#[derive(Clone, Debug, PartialEq)]
pub struct PointTouches {
    /// The source's point.
    pub point: ContactPoint,
    /// In order of time.
    pub touches: Vec<TouchTime>,
}

/// One touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TouchTime {
    /// Time of its first frame, seconds.
    pub start_seconds: f32,
    /// Time of its last frame, seconds.
    pub end_seconds: f32,
    /// Height of what is touched in the source's file, metres.
    pub height_meters: f64,
    /// How it is known.
    pub how: Evidence,
}

/// How a touch is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A foot is slow near the main floor.
    MainFloor,
    /// A foot is still off the main floor, and must carry the body.
    CarriesBody,
    /// A hand, a knee or the seat is low and still.
    LowAndStill,
    /// A person says so.
    ByHand,
}

impl Evidence {
    /// `main-floor`, `carries-body`, `low-and-still`, `by-hand`.
    pub fn name(self) -> &'static str {
        match self {
            Self::MainFloor => "main-floor",
            Self::CarriesBody => "carries-body",
            Self::LowAndStill => "low-and-still",
            Self::ByHand => "by-hand",
        }
    }
}

/// Puts contacts into words; `meters` are metres a file unit of the source.
pub(super) fn figures(
    points: &ContactPoints,
    contacts: &Contacts,
    times: &[f32],
    meters: f64,
) -> ContactFigures {
    let touches = |(point, intervals): (&ContactPoint, &Vec<rebone_runtime::contact::Interval>)| {
        let touch = |interval: &rebone_runtime::contact::Interval| {
            let is_foot = matches!(point.touch, Touch::Heel | Touch::Toes);
            Some(TouchTime {
                start_seconds: *times.get(interval.first)?,
                end_seconds: *times.get(interval.last)?,
                height_meters: meters * f64::from(interval.height),
                how: if interval.by_hand {
                    Evidence::ByHand
                } else if !is_foot {
                    Evidence::LowAndStill
                } else if interval.height == contacts.ground {
                    Evidence::MainFloor
                } else {
                    Evidence::CarriesBody
                },
            })
        };
        PointTouches {
            point: *point,
            touches: intervals.iter().filter_map(touch).collect(),
        }
    };
    let drift = contacts.drift;
    ContactFigures {
        ground_meters: meters * f64::from(contacts.ground),
        drift_meters_per_second: [drift.x, drift.z].map(|way| meters * f64::from(way)),
        points: points
            .points
            .iter()
            .zip(&contacts.points)
            .map(touches)
            .collect(),
    }
}
