//! What a person says about hands that touch each other or a prop, and what each preset says.

use crate::preset::Preset;

/// Which hands are brought together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HandsMode {
    /// None: arms move as transferred.
    Off,
    /// Those that are near each other in the source, or near a prop.
    #[default]
    Auto,
    /// Both, all the time, however far from each other they are: for what is held with hands far apart.
    Always,
}

impl HandsMode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Off, Self::Auto, Self::Always];

    /// `off`, `auto`, `always`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Auto => "auto",
            Self::Always => "always",
        }
    }

    /// The mode of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// What a preset says: the tools that two of them follow copy arms as they are.
    pub fn of(preset: Preset) -> Self {
        match preset {
            Preset::Faithful | Preset::MatchSource => Self::Auto,
            Preset::Humanik | Preset::Mixamo => Self::Off,
        }
    }
}

/// How hands are brought together.
#[derive(Clone, Debug, PartialEq)]
pub struct HandsChoice {
    /// Which.
    pub mode: HandsMode,
    /// How much it counts, 0 to 1. Default 1.
    pub weight: f64,
    /// Distance of palms that face each other within which it counts in full, as a share of the span of the arms.
    /// Default [`NEAR`](Self::NEAR).
    pub near: f64,
    /// The distance from which on it does not count. Default [`FAR`](Self::FAR).
    pub far: f64,
    /// How much chest and collar bones help to reach, 0 to 1. Default 1.
    pub assist: f64,
    /// Joints of the target that are props, by name, beside those that are called so. Default: none.
    pub props: Vec<String>,
}

impl HandsChoice {
    /// Default of [`near`](Self::near).
    pub const NEAR: f64 = 0.22;

    /// Default of [`far`](Self::far).
    pub const FAR: f64 = 0.35;

    /// What a preset says.
    pub fn of(preset: Preset) -> Self {
        Self {
            mode: HandsMode::of(preset),
            ..Self::default()
        }
    }
}

impl Default for HandsChoice {
    fn default() -> Self {
        Self {
            mode: HandsMode::default(),
            weight: 1.0,
            near: Self::NEAR,
            far: Self::FAR,
            assist: 1.0,
            props: Vec::new(),
        }
    }
}
