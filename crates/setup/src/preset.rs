//! Named sets of choices. What each says about feet, hands and the floor stands with those.

use crate::align::Correction;
use crate::root::RootScale;

/// A named set of choices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// Both characters are brought to one retarget pose; travel by leg and hip width.
    #[default]
    Faithful,
    /// Both stances are taken as given, as HumanIK does.
    Humanik,
    /// Only arms are calibrated, as Mixamo does (F8).
    Mixamo,
    /// Like `faithful`, but travel is not scaled.
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

    /// What of the stances is corrected.
    pub fn correction(self) -> Correction {
        match self {
            Self::Faithful | Self::MatchSource => Correction::Full,
            Self::Humanik => Correction::None,
            Self::Mixamo => Correction::Arms,
        }
    }

    /// The preset's law of the motion scale.
    pub fn root_scale(self) -> RootScale {
        match self {
            Self::MatchSource => RootScale::None,
            Self::Faithful => RootScale::Auto,
            Self::Humanik | Self::Mixamo => RootScale::LegsAndHips,
        }
    }
}
