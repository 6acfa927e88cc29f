//! What a person says about feet, and what each preset says.

use crate::preset::Preset;
use crate::root::Standing;
use rebone_runtime::solve::two_bone::{Bend, Reach};
use rebone_runtime::stage::{Anchor, FloorRule};

/// How feet are planted (F2 to F5, F9, F10).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeetChoice {
    /// How much it counts: 0 leaves legs as transferred, 1 in full.
    pub weight: f64,
    /// Which point of a foot stands.
    pub anchor: Anchor,
    /// a of F4: the share of a leg's over-stretch by which the hips come nearer.
    pub pull: f64,
    /// Whether legs that are too short push the hips up.
    pub signed_pull: bool,
    /// What keeps feet out of the floor.
    pub floor: FloorRule,
    /// Heights of a sole above the floor, as shares of leg and hip width, between which a foot goes over from its place in
    /// the world to where the leg brings it; `None` for its place in the world always.
    pub swing: Option<[f64; 2]>,
    /// How much feet that touch the floor are held where they touch it, 0 to 1.
    pub lock: f64,
    /// How far legs stretch and fold.
    pub reach: Reach,
    /// How legs get to their goals.
    pub bend: Bend,
    /// How high the thighs are when a body stands.
    pub standing: Standing,
}

impl FeetChoice {
    /// What a preset says: section 7 of the project's motion notes.
    pub fn of(preset: Preset) -> Self {
        let letter = Self {
            weight: 1.0,
            anchor: Anchor::Sole,
            pull: 0.4,
            signed_pull: false,
            floor: FloorRule::Off,
            swing: None,
            lock: 0.0,
            reach: Reach::HARD,
            bend: Bend::Switch,
            standing: Standing::LegAndAnkle,
        };
        match preset {
            Preset::Faithful | Preset::MatchSource => Self {
                anchor: Anchor::Ball,
                floor: FloorRule::Soles,
                swing: Some([0.1, 0.3]),
                lock: 1.0,
                reach: Reach::SOFT,
                bend: Bend::Steady,
                standing: Standing::Rest,
                ..letter
            },
            Preset::Humanik => letter,
            Preset::Mixamo => Self {
                pull: 0.42,
                signed_pull: true,
                floor: FloorRule::AsSource,
                standing: Standing::Rest,
                ..letter
            },
        }
    }
}
