//! What is put on top of a motion by rule: limbs further from the body, and a gaze (S3.6, S4.10, S4.12).
//!
//! Both speak of slots and of the body's axes (x to its left, y up, z forwards), so they fit any rig.

use crate::error::Error;
use rebone_model::Remedy;
use serde::Deserialize;

/// How far arms and legs are spread, degrees; negative brings them nearer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spacing {
    /// Each arm. Default 0.
    pub arms: f64,
    /// Each leg. Default 0.
    pub legs: f64,
}

/// A gaze at a point. Angles are in degrees, from straight ahead of what carries the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAt {
    /// The point: metres, x to the body's left, y up, z forwards from the origin of the target's file. Default `None`:
    /// nothing happens until one is set at run time.
    pub point: Option<[f64; 3]>,
    /// How much it counts, 0 to 1. Default 1.
    pub weight: f64,
    /// The neck's share of what neck and head turn. Default 0.4.
    pub neck: f64,
    /// How far neck and head together turn to either side. Default 80.
    pub yaw: f64,
    /// How far they turn down and up. Default 50 and 50.
    pub pitch: [f64; 2],
    /// How far eyes turn in the head, all ways; 0 leaves them. Default 30.
    pub eyes: f64,
}

impl Default for LookAt {
    fn default() -> Self {
        Self {
            point: None,
            weight: 1.0,
            neck: 0.4,
            yaw: 80.0,
            pitch: [50.0, 50.0],
            eyes: 30.0,
        }
    }
}

impl LookAt {
    /// What another says about how it is done, where this one says only where to look and how much.
    pub(crate) fn or(self, other: Option<Self>) -> Self {
        let Self { point, weight, .. } = self;
        let says_nothing = self
            == (Self {
                point,
                weight,
                ..Self::default()
            });
        match other {
            Some(other) if says_nothing => Self {
                point,
                weight,
                ..other
            },
            _ => self,
        }
    }
}

/// How far limbs are spread.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Spacing"))]
pub(crate) struct TypedSpacing {
    /// Each arm, degrees; negative brings it nearer. Default: 0.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = -60, max = 60)))]
    arms: f64,
    /// Each leg, degrees; negative brings it nearer. Default: 0.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = -60, max = 60)))]
    legs: f64,
}

impl TypedSpacing {
    pub(crate) fn compile(self, place: &str) -> Result<Spacing, Error> {
        for angle in [self.arms, self.legs] {
            if !(-60.0..=60.0).contains(&angle) {
                return Err(wrong(
                    format!("a spacing of {angle} degrees is none"),
                    place,
                    "give degrees from -60 to 60",
                ));
            }
        }
        Ok(Spacing {
            arms: self.arms,
            legs: self.legs,
        })
    }
}

/// A gaze at a point.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "LookAt"))]
pub(crate) struct TypedLookAt {
    /// Metres to the body's left, up and forwards. Left out: it is set at run time.
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    point: Option<[f64; 3]>,
    /// How much it counts, 0 to 1. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    weight: Option<f64>,
    /// The neck's share of what neck and head turn. Default: 0.4.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    neck: Option<f64>,
    /// How far neck and head turn to either side, degrees. Default: 80.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 150)))]
    yaw: Option<f64>,
    /// How far they turn down and up, degrees. Default: 50 and 50.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0, max = 90))))]
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    pitch: Option<[f64; 2]>,
    /// How far eyes turn in the head, degrees; 0 leaves them. Default: 30.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 60)))]
    eyes: Option<f64>,
}

impl TypedLookAt {
    pub(crate) fn compile(self, place: &str) -> Result<LookAt, Error> {
        let usual = LookAt::default();
        let look = LookAt {
            point: self.point,
            weight: self.weight.unwrap_or(usual.weight),
            neck: self.neck.unwrap_or(usual.neck),
            yaw: self.yaw.unwrap_or(usual.yaw),
            pitch: self.pitch.unwrap_or(usual.pitch),
            eyes: self.eyes.unwrap_or(usual.eyes),
        };
        for (name, value, most) in [
            ("weight", look.weight, 1.0),
            ("neck", look.neck, 1.0),
            ("yaw", look.yaw, 150.0),
            ("pitch", look.pitch[0], 90.0),
            ("pitch", look.pitch[1], 90.0),
            ("eyes", look.eyes, 60.0),
        ] {
            if !(0.0..=most).contains(&value) {
                return Err(wrong(
                    format!("{name} = {value} is out of bounds"),
                    place,
                    format!("give a number from 0 to {most}"),
                ));
            }
        }
        if look
            .point
            .is_some_and(|point| !point.iter().all(|c| (*c as f32).is_finite()))
        {
            return Err(wrong(
                "the point is nowhere".to_owned(),
                place,
                "give metres: point = [left, up, forwards]",
            ));
        }
        Ok(look)
    }
}

fn wrong(what: String, place: &str, remedy: impl Into<Remedy>) -> Error {
    Error::Recipe {
        what,
        place: place.to_owned(),
        remedy: remedy.into(),
    }
}
