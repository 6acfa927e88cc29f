//! Named sets of choices. What each says is a recipe of its own, in `recipe/presets`.

use serde::{Deserialize, Serialize};

/// A named set of choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Preset {
    /// Both characters are first brought into one pose, so that limbs point alike.
    #[default]
    Faithful,
    /// Both stances are taken as equal, as HumanIK does.
    Humanik,
    /// Only the arms are brought into one pose, as Mixamo does.
    Mixamo,
    /// As faithful, but steps are as long as the source's.
    MatchSource,
}

impl Preset {
    /// All presets.
    pub const ALL: [Self; 4] = [
        Self::Faithful,
        Self::Humanik,
        Self::Mixamo,
        Self::MatchSource,
    ];

    /// `faithful`, `humanik`, `mixamo`, `match-source`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::Humanik => "humanik",
            Self::Mixamo => "mixamo",
            Self::MatchSource => "match-source",
        }
    }

    /// The preset of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }
}
