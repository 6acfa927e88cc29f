//! What a person says about feet.

use crate::root::Standing;
use crate::values;
use rebone_runtime::solve::two_bone::{Bend, Reach};
use rebone_runtime::stage::{Anchor, FloorRule};
use serde::{Deserialize, Serialize};

/// How feet are planted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Feet"))]
pub struct FeetChoice {
    /// How much feet, legs and hips are corrected: 0 leaves them as transferred, 1 corrects in full.
    #[serde(deserialize_with = "values::weight")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "values::forms::weight"))]
    pub weight: f64,
    /// Which point of a foot stands.
    #[cfg_attr(feature = "schema", schemars(schema_with = "values::forms::anchor"))]
    pub anchor: Anchor,
    /// The share of a leg's over-stretch by which the hips come nearer.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub pull: f64,
    /// Do legs that are too short push the hips up?
    pub signed_pull: bool,
    /// What keeps feet out of the floor.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "values::forms::floor_rule")
    )]
    pub floor: FloorRule,
    /// Heights of a sole above the floor, as shares of leg and hip width, between which a foot goes over from its place in
    /// the world to where the leg brings it; false for its place in the world always.
    #[serde(with = "values::two_or_off")]
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "values::forms::two_or_off")
    )]
    pub swing: Option<[f64; 2]>,
    /// How much feet that touch the floor are held where they touch it.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub lock: f64,
    /// How much toes bend up so that their skin stays out of the floor. A foot without toes turns as a whole, and so does one that lands
    /// on its heel.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub toes: f64,
    /// How legs come to their ends.
    pub reach: LegReach,
    /// How legs get to their goals.
    #[cfg_attr(feature = "schema", schemars(schema_with = "values::forms::bend"))]
    pub bend: Bend,
    /// How high the thighs are when a body stands.
    pub standing: Standing,
}

impl Default for FeetChoice {
    fn default() -> Self {
        Self {
            weight: 1.0,
            anchor: Anchor::Ball,
            pull: 0.4,
            signed_pull: false,
            floor: FloorRule::Soles,
            swing: Some([0.1, 0.3]),
            lock: 1.0,
            toes: 1.0,
            reach: LegReach::Soft,
            bend: Bend::Steady,
            standing: Standing::Rest,
        }
    }
}

impl FeetChoice {
    /// What is wrong with these values: the key, and why.
    pub(crate) fn check(&self) -> Result<(), (&'static str, &'static str)> {
        let are_heights =
            |[low, high]: [f64; 2]| (0.0..=10.0).contains(&low) && high > low && high <= 10.0;
        match self.swing {
            Some(heights) if !are_heights(heights) => Err((
                "swing",
                "give two shares of leg and hip width, the lower first, as [0.1, 0.3]",
            )),
            _ => Ok(()),
        }
    }
}

/// How far legs stretch and fold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum LegReach {
    /// They slow down shortly before they are straight.
    #[default]
    Soft,
    /// They go on until they are straight.
    Hard,
}

impl LegReach {
    /// The bounds of a leg.
    pub fn bounds(self) -> Reach {
        match self {
            Self::Soft => Reach::SOFT,
            Self::Hard => Reach::HARD,
        }
    }
}
