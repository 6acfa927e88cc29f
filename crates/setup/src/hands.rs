//! What a person says about hands that touch each other or a prop.

use serde::{Deserialize, Serialize};

/// Which hands are brought together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum HandsMode {
    /// None: arms move as transferred.
    Off,
    /// Those that are near each other in the source, or near a prop.
    #[default]
    Auto,
    /// Both, all the time, however far from each other they are: for what is held with hands far apart.
    Always,
}

/// How hands are brought together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Hands"))]
pub struct HandsChoice {
    /// Which hands are brought together.
    pub mode: HandsMode,
    /// How much it counts.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub weight: f64,
    /// Distance of palms that face each other within which it counts in full, as a share of the span of the arms.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 2.0)))]
    pub near: f64,
    /// The distance from which on it does not count. Left out: 1.6 times near.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 2.0)))]
    pub far: Option<f64>,
    /// How much chest and collar bones help to reach.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub assist: f64,
    /// How much hands turn so that what they hold stays out of the floor.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub lift: f64,
    /// Joints of the target that are props, by name, beside those that are called so.
    pub props: Vec<String>,
}

impl HandsChoice {
    /// Default of [`near`](Self::near).
    pub const NEAR: f64 = 0.22;

    /// What [`far`](Self::far) is beside [`NEAR`](Self::NEAR).
    pub const FAR: f64 = 0.35;

    /// The distance from which on it does not count.
    pub fn far(&self) -> f64 {
        self.far.unwrap_or(self.near * Self::FAR / Self::NEAR)
    }
}

impl Default for HandsChoice {
    fn default() -> Self {
        Self {
            mode: HandsMode::default(),
            weight: 1.0,
            near: Self::NEAR,
            far: None,
            assist: 1.0,
            lift: 1.0,
            props: Vec::new(),
        }
    }
}
