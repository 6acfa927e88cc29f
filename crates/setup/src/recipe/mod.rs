//! The user's choices, as a small text file that is meant to be read and edited by hand.
//!
//! ```toml
//! version = 1
//! preset = "faithful"
//! root_scale = "auto"
//! feet.lock = 0.5
//!
//! [source.slots]
//! hips = ["Hips"]
//! leftUpperArm = ["LeftArm"]
//!
//! [links]
//! "tail_01" = "Tail"
//! "spine" = ["Spine", "Spine1"]
//!
//! [target.calibration]
//! leftHand = { local = [0, 0, 10] }
//! ```
//!
//! Slots that are not listed are found automatically; an empty list leaves a slot without joint. Links go
//! from a joint of the target to the joint of the source that it follows.
//!
//! [`Recipe`] and the structs in it are the only place where a setting stands: its key is the field, its words are the field's comment, its
//! range is an attribute, and its default is the struct's. What reads and writes recipes, compares them ([`differences`]), lists what can be
//! said ([`settings()`]) and puts single values on top ([`with_settings`]) follows from them, through serde and the [schema](SCHEMA). A
//! [preset](Preset) is a recipe below the user's.

mod calibrations;

mod contacts;
mod diff;
mod presets;
mod reading;
#[cfg(feature = "schema")]
mod schema;
mod settings;
mod side;
#[cfg(test)]
mod tests;
mod text;

pub use calibrations::calibrations;

pub use crate::values::SCHEMA;
pub use contacts::{ContactsRecipe, PointEdit, PointEdits, SourceFloor, Span};
pub use diff::{Difference, differences};
#[cfg(feature = "schema")]
pub use schema::schema;
pub use settings::{Setting, settings, settings_page, with_settings};
pub use side::{MOST_WEIGHT, SideRecipe};
pub use text::{Described, toml_key};

use crate::align::Correction;
use crate::by_hand::Followed;
use crate::chains::ChainChoices;
use crate::curve_names::CurveNames;
use crate::error::Error;
use crate::feet::FeetChoice;
use crate::hands::{HandsChoice, HandsMode};
use crate::limit_table::LimitsRecipe;
use crate::mirror::MirrorChoice;
use crate::pins::Pin;
use crate::preset::Preset;
use crate::root::RootScale;
use crate::root_motion::RootMotion;
use crate::transfer::Method;
use crate::transfer::chain::ChainModes;
use crate::transfer::rest_delta::Embedding;
use crate::translations::SlideModes;
use crate::values;
#[cfg(feature = "schema")]
use crate::values::forms;
use rebone_runtime::layers::LayerBase;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the recipe format that is written.
pub const VERSION: u32 = 1;

/// Choices of how motion goes from one character to another. All of them may be left out.
// NOTE: the comments on fields become the descriptions of the schema that editors show; `cargo xtask generate` writes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "Rebone recipe"))]
pub struct Recipe {
    /// Version of the format; 1 is the only one.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = VERSION)))]
    pub version: u32,
    /// How joints are found: humanoid, quadruped, or the path of a file with a profile. Left out: by what the rigs look like.
    ///
    /// Whoever maps the rigs reads it ([`map_character_as`](crate::mapping::map_character_as)); a retarget takes them as they were mapped.
    pub profile: Option<String>,
    /// A named set of choices; the others go on top.
    preset: Preset,
    /// What of the stances is corrected before they are compared.
    pub align: Correction,
    /// How rotations are transferred.
    pub method: Method,
    /// The size of steps: a law, or target metres a source metre, for all axes or to the left, up and forwards.
    pub root_scale: RootScale,
    /// Where feet go, and hips and legs with them: false for as transferred, how much, or a table.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::feet"))]
    pub feet: FeetChoice,
    /// When points of the source touch what they stand, sit or lean on. Left out: as found.
    pub contacts: ContactsRecipe,
    /// Which joint carries the travel: a mode, or a table with the mode and more.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::root_motion"))]
    pub root_motion: RootMotion,
    /// Treats the source's clips as additive layers: differences from its rest pose, or from their own first frame. Left out: they are full
    /// motions.
    #[cfg_attr(feature = "schema", schemars(schema_with = "forms::layer_base"))]
    pub additive: Option<LayerBase>,
    /// Whether what the left did the right does: true, false, or "ready" for a switch at run time.
    #[cfg_attr(feature = "schema", schemars(schema_with = "forms::mirror"))]
    pub mirror: MirrorChoice,
    /// Frames a second of the result. Left out: the source's own keys.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.01, max = 1000.0)))]
    pub rate_hz: Option<f64>,
    /// Carry motion between characters of different kinds: arms move front legs.
    pub across_kinds: bool,
    /// Between kinds: slot of the target = slot of the source, "" for none. Any entry asks for it.
    pub chains: ChainChoices,
    /// How chains of unlike numbers of joints are shared out, by slot or part of the body. Left out: each as suits its part.
    pub chain_modes: ChainModes,
    /// Are bodies that lie, sit, kneel or crawl kept on the floor? true, false, or how much.
    #[serde(deserialize_with = "values::weight")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "forms::weight"))]
    pub ground: f64,
    /// Are forearms and hands kept out of trunk and head? true, false, or how much.
    #[serde(deserialize_with = "values::weight")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "forms::weight"))]
    pub own_body: f64,
    /// Do limbs share their roll with twist joints? true, false, or how much.
    #[serde(deserialize_with = "values::weight")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "forms::weight"))]
    pub twist: f64,
    /// Share of a limb's roll, 0 to 1, by joint of the target. Left out: by place.
    #[cfg_attr(feature = "schema", schemars(schema_with = "forms::shares"))]
    pub twist_shares: BTreeMap<String, f64>,
    /// Morph targets, expressions and properties that are called otherwise: name in the target = name in the source, "" to leave it out.
    pub curves: CurveNames,
    /// How joints other than the hips slide along, by slot, part, joint of the target, or all. Left out: stretch.
    pub translations: SlideModes,
    /// Joint of the target = the joint of the source that it follows, "" for none, or several whose turns it takes. They win over slots.
    pub links: BTreeMap<String, Followed>,
    /// Hands that touch each other or a prop.
    pub hands: HandsChoice,
    /// Ends of the target's body that are pinned to paths, points and joints. Later ones win.
    pub pins: Vec<Pin>,
    /// How far the target's joints may turn. Left out: as far as they like.
    pub limits: LimitsRecipe,
    /// The character whose motion it is.
    pub source: SideRecipe,
    /// The character that is to move.
    pub target: SideRecipe,
    /// What the text said, also where that is as the preset has it.
    #[serde(skip)]
    said: Said,
}

/// Tables as they were typed. Recipes with the same choices are equal, whatever was typed for them.
#[derive(Clone, Debug, Default)]
struct Said(toml::Table);

impl PartialEq for Said {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            version: VERSION,
            profile: None,
            preset: Preset::default(),
            align: Correction::default(),
            method: Method::default(),
            root_scale: RootScale::default(),
            feet: FeetChoice::default(),
            contacts: ContactsRecipe::default(),
            root_motion: RootMotion::default(),
            additive: None,
            mirror: MirrorChoice::default(),
            rate_hz: None,
            across_kinds: false,
            chains: ChainChoices::default(),
            chain_modes: ChainModes::default(),
            ground: 1.0,
            own_body: 1.0,
            twist: 1.0,
            twist_shares: BTreeMap::new(),
            curves: CurveNames::default(),
            translations: SlideModes::default(),
            links: BTreeMap::new(),
            hands: HandsChoice::default(),
            pins: Vec::new(),
            limits: LimitsRecipe::default(),
            source: SideRecipe::default(),
            target: SideRecipe::default(),
            said: Said::default(),
        }
    }
}

impl Recipe {
    /// The named set of choices that the others stand on.
    pub fn preset(&self) -> Preset {
        self.preset
    }

    /// True where the text says something of a key (`feet`, `ground`), or it is not as the preset has it. Where one rig is copied, what makes
    /// bodies of unlike measures fit is done only then.
    pub fn asks_for(&self, key: &str) -> bool {
        self.spoken().is_ok_and(|spoken| spoken.contains_key(key))
    }

    /// How feet are planted; `None` where the method is one that moves legs as it likes.
    pub fn feet(&self) -> Option<FeetChoice> {
        self.moves_freely().then_some(self.feet)
    }

    /// How much bodies that lie, sit, kneel or crawl are kept on the floor, 0 to 1.
    pub fn ground(&self) -> f64 {
        if self.moves_freely() {
            self.ground
        } else {
            0.0
        }
    }

    /// How much forearms and hands are kept out of trunk and head, 0 to 1.
    pub fn own_body(&self) -> f64 {
        if self.moves_freely() {
            self.own_body
        } else {
            0.0
        }
    }

    /// How hands that touch each other are brought together; `None` for not at all.
    pub fn hands(&self) -> Option<HandsChoice> {
        let is_on = self.hands.mode != HandsMode::Off;
        (is_on && self.moves_freely()).then(|| self.hands.clone())
    }

    /// False where rotations are copied, and in layers: nothing is put right there.
    fn moves_freely(&self) -> bool {
        self.method == Method::ModelDelta && self.additive.is_none()
    }

    /// The chains asked for; `None` where nobody asked.
    pub fn chains(&self) -> Option<ChainChoices> {
        let asked = self.across_kinds || !self.chains.is_empty();
        asked.then(|| self.chains.clone())
    }

    /// Which containers count.
    pub fn embedding(&self) -> Embedding {
        Embedding {
            source: self.source.embed,
            target: self.target.embed,
        }
    }
}

fn wrong(
    what: impl Into<String>,
    place: impl Into<String>,
    remedy: impl Into<rebone_model::Remedy>,
) -> Error {
    Error::Recipe {
        what: what.into(),
        place: place.into(),
        remedy: remedy.into(),
    }
}
