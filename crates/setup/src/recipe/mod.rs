//! The user's choices, as a small text file that is meant to be read and edited by hand.
//!
//! ```toml
//! version = 1
//! preset = "faithful"
//! method = "model-delta"
//! root_scale = "auto"
//!
//! [source]
//! pose = "auto"
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

mod calibration;
mod contacts;
mod diff;
mod feet;
mod ground;
mod hands;
mod limits;
mod mirror;
mod motion;
mod pins;
mod procedural;
mod refusal;
#[cfg(feature = "schema")]
mod schema;
mod settings;
mod sharing;
mod side;
mod text;
mod typed;

pub use calibration::calibrations;
pub use contacts::{ContactsRecipe, PointEdit, PointEdits, SourceFloor};
pub use diff::{Difference, differences};
pub use feet::FeetRecipe;
pub use hands::HandsRecipe;
pub use limits::LimitsRecipe;
#[cfg(feature = "schema")]
pub use schema::schema;
pub use settings::{SCHEMA, Setting, settings, with_settings};
pub use side::SideRecipe;
pub use text::Described;

use crate::chains::ChainChoices;
use crate::compile::{SlideModes, TwistChoice};
use crate::curve_names::CurveNames;
use crate::error::Error;
use crate::feet::FeetChoice;
use crate::ground::GroundChoice;
use crate::hands::{HandsChoice, HandsMode};
use crate::mirror::MirrorChoice;
use crate::pins::Pin;
use crate::preset::Preset;
use crate::root::RootScale;
use crate::root_motion::{RootMotion, SourcePlace};
use crate::transfer::Method;
use crate::transfer::chain::ChainModes;
use crate::transfer::rest_delta::Embedding;
use rebone_runtime::layers::LayerBase;
use std::collections::BTreeMap;

/// The version of the recipe format that is written.
pub const VERSION: u32 = 1;

/// All choices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    /// A named set of choices; the others go on top.
    pub preset: Preset,
    /// How rotations are transferred.
    pub method: Method,
    /// The profile by which both characters are mapped: `humanoid`, `quadruped` or the path of a file with one;
    /// `None` for what they look like. Whoever maps them reads it ([`map_character_as`]); a retarget takes them
    /// as they were mapped.
    ///
    /// [`map_character_as`]: crate::mapping::map_character_as
    pub profile: Option<String>,
    /// The law of the motion scale; `None` takes the preset's.
    pub root_scale: Option<RootScale>,
    /// When points of the source touch. Default: as found.
    pub contacts: ContactsRecipe,
    /// How feet are planted; what is not chosen is the preset's.
    pub feet: FeetRecipe,
    /// How much bodies that lie, sit, kneel or crawl are kept on the floor, 0 to 1. Default: as the preset says, 1 for `faithful` and 0 for
    /// others.
    pub ground: Option<f64>,
    /// How much forearms and hands are kept out of trunk and head, 0 to 1. Default: as the preset says, 1 for `faithful` and 0 for others.
    pub own_body: Option<f64>,
    /// Which joint carries the travel.
    pub root_motion: RootMotion,
    /// The source's clips are layers, told against this; `None` for motions of their own.
    pub additive: Option<LayerBase>,
    /// Where the whole source is put.
    pub source_place: SourcePlace,
    /// Weights of the target's joints, slots or groups of slots, by name.
    pub weights: BTreeMap<String, f64>,
    /// Whether the target shows the motion in the mirror. Default: no.
    pub mirror: MirrorChoice,
    /// Joints of the target that are twins, by name; they win over those that are found. A joint may be its own twin, or
    /// have none (`""`).
    pub twins: BTreeMap<String, String>,
    /// Carry motion between characters of different kinds. Default false.
    pub across_kinds: bool,
    /// Chains between kinds, target slot to source slot; any entry asks for them.
    pub chains: ChainChoices,
    /// How chains are shared out where the rigs have unlike numbers of joints, by slot or part. Default: each as
    /// suits its part.
    pub chain_modes: ChainModes,
    /// Whether and how limbs share their roll with twist joints. Default: by place.
    pub twist: TwistChoice,
    /// How joints other than the hips slide along, by slot, part, joint of the target, or `all`. Default: in
    /// proportion to their bones.
    pub translations: SlideModes,
    /// Morph targets, expressions and properties that are called otherwise in the target.
    pub curves: CurveNames,
    /// Frames a second of the result; `None` keeps the source's keys.
    pub rate_hz: Option<f64>,
    /// The source.
    pub source: SideRecipe,
    /// The target.
    pub target: SideRecipe,
    /// Joints of the target by name, with the joint of the source that each follows; they win over slots.
    /// An empty name takes a joint out.
    pub links: BTreeMap<String, String>,
    /// How hands that touch each other are brought together. Default: as the preset says.
    pub hands: HandsRecipe,
    /// Ends of the target's body that are pinned. Default: none.
    pub pins: Vec<Pin>,
    /// How far the target's joints may turn. Default: as far as they like.
    pub limits: LimitsRecipe,
    /// Joints of the target by name, with joints of the source that are merged into each; written as lists in
    /// `[links]`. See [`merging`](crate::merging).
    pub merged: BTreeMap<String, Vec<String>>,
}

impl Recipe {
    /// The law of the motion scale in force.
    pub fn root_scale(&self) -> RootScale {
        self.root_scale.unwrap_or(self.preset.root_scale())
    }

    /// How feet are planted; `None` where the method is one that moves legs as it likes.
    pub fn feet(&self) -> Option<FeetChoice> {
        (self.method == Method::ModelDelta && self.additive.is_none())
            .then(|| self.feet.choice(self.preset))
    }

    /// How bodies that lie, sit, kneel or crawl are kept on the floor; `None` for not at all.
    pub fn ground(&self) -> Option<GroundChoice> {
        let weight = self.touch_weight(self.ground);
        (weight > 0.0).then_some(GroundChoice { weight })
    }

    /// How much forearms and hands are kept out of trunk and head, 0 to 1.
    pub fn own_body(&self) -> f64 {
        self.touch_weight(self.own_body)
    }

    /// How much the skin is kept out of what it touches: as chosen, else as the preset says; not at all where rotations are copied and in
    /// layers.
    fn touch_weight(&self, chosen: Option<f64>) -> f64 {
        if self.method == Method::ModelDelta && self.additive.is_none() {
            chosen.unwrap_or(GroundChoice::of(self.preset))
        } else {
            0.0
        }
    }

    /// How hands that touch each other are brought together; `None` for not at all.
    pub fn hands(&self) -> Option<HandsChoice> {
        let choice = self.hands.choice(self.preset);
        let is_on = choice.mode != HandsMode::Off;
        (is_on && self.method == Method::ModelDelta && self.additive.is_none()).then_some(choice)
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

    /// Reads a recipe's text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let typed: typed::Typed =
            toml::from_str(text).map_err(|error| refusal::refusal(text, &error))?;
        typed.compile()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::PoseChoice;

    #[test]
    fn reads_every_choice() {
        let recipe = Recipe::parse(
            "version = 1\npreset = \"mixamo\"\nmethod = \"rest-delta\"\nroot_scale = 0.5\nrate_hz = 30\n\
             [source]\npose = 1.5\nembed = false\n[source.slots]\nhips = \"Hips\"\nspine = [\"a\", \"b\"]\n\
             [target]\npose = \"bind\"\n",
        )
        .unwrap();
        assert_eq!(recipe.preset, Preset::Mixamo);
        assert_eq!(recipe.method, Method::RestDelta);
        assert_eq!(recipe.root_scale(), RootScale::Factor(0.5));
        assert_eq!(recipe.source.pose, Some(PoseChoice::Time(1.5)));
        assert!(!recipe.source.embed);
        assert_eq!(recipe.source.slots["hips"], ["Hips"]);
        assert_eq!(recipe.source.slots["spine"], ["a", "b"]);
        assert_eq!(recipe.target.pose, Some(PoseChoice::Bind));
    }

    #[test]
    fn errors_say_what_where_and_what_to_do() {
        for (text, expected) in [
            (
                "method = \"magic\"",
                "there is no method \"magic\" (at method); use one of model-delta",
            ),
            ("\n\nspeed = 3", "(at line 3)"),
            ("version = 9", "up to 1 (at version)"),
            ("root_scale = -1.0", "root_scale"),
            ("[source]\npose = \"bend\"", "source.pose"),
            ("[source]\npose = \"frame x\"", "source.pose"),
            ("[target]\npose = nan", "target.pose"),
        ] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
