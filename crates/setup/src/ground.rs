//! What a person says about bodies on the floor.

use crate::preset::Preset;

/// How bodies that lie, sit, kneel or crawl are kept on the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundChoice {
    /// How much it counts: 0 leaves them as hips and limbs were transferred, 1 in full. Default 1.
    pub weight: f64,
}

impl Default for GroundChoice {
    fn default() -> Self {
        Self { weight: 1.0 }
    }
}

impl GroundChoice {
    /// The weight of a preset: the tools that two of them follow leave bodies where hips and limbs go, and a third matches the
    /// source place by place.
    pub fn of(preset: Preset) -> f64 {
        match preset {
            Preset::Faithful => 1.0,
            Preset::Humanik | Preset::Mixamo | Preset::MatchSource => 0.0,
        }
    }
}
