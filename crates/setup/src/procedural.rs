//! What is put on top of a motion by rule: limbs further from the body, and a gaze (S3.6, S4.10, S4.12).
//!
//! Both speak of slots and of the body's axes (x to its left, y up, z forwards), so they fit any rig.

use serde::{Deserialize, Serialize};

/// How far arms and legs are spread, degrees; negative brings them nearer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spacing {
    /// Each arm, degrees; negative brings it nearer.
    #[cfg_attr(feature = "schema", schemars(range(min = -60, max = 60)))]
    pub arms: f64,
    /// Each leg, degrees; negative brings it nearer.
    #[cfg_attr(feature = "schema", schemars(range(min = -60, max = 60)))]
    pub legs: f64,
}

/// A gaze at a point. Angles are in degrees, from straight ahead of what carries the joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LookAt {
    /// Metres to the body's left, up and forwards from the origin of the target's file. Left out: it is set at run time.
    pub point: Option<[f64; 3]>,
    /// How much it counts.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub weight: f64,
    /// The neck's share of what neck and head turn.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub neck: f64,
    /// How far neck and head together turn to either side, degrees.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 150)))]
    pub yaw: f64,
    /// How far they turn down and up, degrees.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0, max = 90))))]
    pub pitch: [f64; 2],
    /// How far eyes turn in the head, all ways, degrees; 0 leaves them.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 60)))]
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
