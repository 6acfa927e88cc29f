//! What a person says about bodies on the floor, and what each preset says.

use crate::recipe::Preset;

/// How bodies that lie, sit, kneel or crawl are kept on the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundChoice {
    /// How much it counts: 0 leaves them as hips and limbs were transferred, 1 in full. Default 1.
    pub weight: f64,
}

impl GroundChoice {
    /// What a preset says: the tools that two of them follow know of feet only.
    pub fn of(preset: Preset) -> Self {
        Self {
            weight: match preset {
                Preset::Faithful | Preset::MatchSource => 1.0,
                Preset::Humanik | Preset::Mixamo => 0.0,
            },
        }
    }
}

impl Default for GroundChoice {
    fn default() -> Self {
        Self { weight: 1.0 }
    }
}
