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
//!
//! [target.calibration]
//! leftHand = { local = [0, 0, 10] }
//! ```
//!
//! Slots that are not listed are found automatically; an empty list leaves a slot without joint. Links go
//! from a joint of the target to the joint of the source that it follows.

mod calibration;
mod typed;

pub use calibration::calibrations;

use crate::align::{Alignment, Calibration, Correction, PoseChoice};
use crate::chains::{ChainChoices, Chains};
use crate::error::Error;
use crate::mapping::RigMap;
use crate::root::RootScale;
use crate::transfer::Method;
use crate::transfer::rest_delta::Embedding;
use rebone_model::Character;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The version of the recipe format that is written.
pub const VERSION: u32 = 1;

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
            _ => RootScale::Auto,
        }
    }
}

/// Choices about one of the two characters.
#[derive(Clone, Debug, PartialEq)]
pub struct SideRecipe {
    /// The pose from which alignment starts; `None` chooses by plausibility.
    pub pose: Option<PoseChoice>,
    /// Whether rotations of containers count, for [`Method::RestDelta`].
    pub embed: bool,
    /// Joints by slot name.
    pub slots: BTreeMap<String, Vec<String>>,
    /// Turns of the retarget pose by slot name.
    pub calibration: BTreeMap<String, Calibration>,
}

impl Default for SideRecipe {
    fn default() -> Self {
        Self {
            pose: None,
            embed: true,
            slots: BTreeMap::new(),
            calibration: BTreeMap::new(),
        }
    }
}

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
    /// Carry motion between characters of different kinds. Default false.
    pub across_kinds: bool,
    /// Chains between kinds, target slot to source slot; any entry asks for them.
    pub chains: ChainChoices,
    /// Frames a second of the result; `None` keeps the source's keys.
    pub rate_hz: Option<f64>,
    /// The source.
    pub source: SideRecipe,
    /// The target.
    pub target: SideRecipe,
    /// Joints of the target by name, with the joint of the source that each follows; they win over slots.
    /// An empty name takes a joint out.
    pub links: BTreeMap<String, String>,
}

impl Recipe {
    /// The law of the motion scale in force.
    pub fn root_scale(&self) -> RootScale {
        self.root_scale.unwrap_or(self.preset.root_scale())
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
        let typed: typed::Typed = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(0, |span| {
                text[..span.start.min(text.len())].matches('\n').count() + 1
            });
            typed::wrong(
                error.message().to_owned(),
                format!("line {line}"),
                "see docs/recipe.md for what a recipe may hold",
            )
        })?;
        typed.compile()
    }

    /// The recipe's text, with every joint of both maps listed and doubts marked.
    pub fn to_text<'a>(
        &self,
        source: impl Into<Described<'a>>,
        target: impl Into<Described<'a>>,
    ) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "# Rebone recipe: which joint is which slot, and how to retarget."
        );
        let _ = writeln!(
            text,
            "# Change a joint's name, or write [] to leave a slot without joint."
        );
        let _ = writeln!(text, "version = {VERSION}");
        if let Some(profile) = &self.profile {
            let _ = writeln!(text, "profile = {}", quoted(profile));
        }
        let _ = writeln!(text, "preset = \"{}\"", self.preset.name());
        let _ = writeln!(text, "method = \"{}\"", self.method.name());
        match self.root_scale() {
            RootScale::Factor(factor) => {
                let _ = writeln!(text, "root_scale = {factor:?}");
            }
            law => {
                let _ = writeln!(text, "root_scale = \"{}\"", law.name());
            }
        }
        if let Some(rate_hz) = self.rate_hz {
            let _ = writeln!(text, "rate_hz = {rate_hz:?}");
        }
        if self.across_kinds {
            let _ = writeln!(text, "across_kinds = true");
        }
        let (source, target): (Described<'_>, Described<'_>) = (source.into(), target.into());
        chains_text(&mut text, self, source.map, target.map);
        for (name, side, described) in [
            ("source", &self.source, source),
            ("target", &self.target, target),
        ] {
            let (character, map) = (described.character, described.map);
            let _ = writeln!(text, "\n[{name}]");
            let pose = match side.pose {
                None => "\"auto\"".to_owned(),
                Some(choice) => pose_text(choice),
            };
            if let Some(alignment) = described.alignment {
                let _ = writeln!(text, "# {}", alignment.explain_pose());
            }
            let _ = writeln!(text, "pose = {pose}  # {}", typed::POSES);
            if !side.embed {
                let _ = writeln!(text, "embed = false");
            }
            let _ = writeln!(text, "\n[{name}.slots]");
            slots_text(&mut text, character, map, side);
            calibration::calibration_text(&mut text, name, &side.calibration);
        }
        links_text(&mut text, &self.links);
        text
    }
}

/// The chains between rigs of different kinds, target slot = source slot: a person's own as they are, and
/// those that go together by themselves.
fn chains_text(text: &mut String, recipe: &Recipe, source: &RigMap, target: &RigMap) {
    let chains = Chains::between(source, target, recipe.chains().as_ref());
    let mut names = match chains {
        Ok(Some(chains)) => chains.names(),
        _ => Vec::new(),
    };
    let has = |map: &RigMap, slot: &str| map.joint_named(slot).is_some();
    names.retain(|(to, from)| {
        has(source, from) && has(target, to) && !recipe.chains.contains_key(*to)
    });
    if names.is_empty() && recipe.chains.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n[chains]  # slot of the target = slot of the source"
    );
    for (to, from) in &recipe.chains {
        let _ = writeln!(text, "{} = {}", slot_key(to), quoted(from));
    }
    for (to, from) in &names {
        // Several slots of a torso may move one: they belong together by themselves.
        let alone = names.iter().filter(|(other, _)| other == to).count() == 1;
        let remark = if alone { "" } else { "# " };
        let _ = writeln!(text, "{remark}{} = {}", slot_key(to), quoted(from));
    }
}

/// What a recipe's text tells about one character.
#[derive(Clone, Copy, Debug)]
pub struct Described<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its slots.
    pub map: &'a RigMap,
    /// Its retarget pose, where the text is to say which pose it was made from.
    pub alignment: Option<&'a Alignment>,
}

impl<'a> From<(&'a Character, &'a RigMap)> for Described<'a> {
    fn from((character, map): (&'a Character, &'a RigMap)) -> Self {
        Self {
            character,
            map,
            alignment: None,
        }
    }
}

impl<'a> From<(&'a Character, &'a RigMap, &'a Alignment)> for Described<'a> {
    fn from((character, map, alignment): (&'a Character, &'a RigMap, &'a Alignment)) -> Self {
        Self {
            character,
            map,
            alignment: Some(alignment),
        }
    }
}

fn pose_text(choice: PoseChoice) -> String {
    match choice {
        PoseChoice::Rest => "\"rest\"".to_owned(),
        PoseChoice::Bind => "\"bind\"".to_owned(),
        PoseChoice::Stored => "\"stored\"".to_owned(),
        PoseChoice::First => "\"first\"".to_owned(),
        PoseChoice::Given => "\"given\"".to_owned(),
        PoseChoice::Time(seconds) => format!("{seconds:?}"),
        PoseChoice::FrameNumber(number) => format!("\"frame {number}\""),
    }
}

/// The slots of a map; those that a person left empty stay so.
fn slots_text(text: &mut String, character: &Character, map: &RigMap, side: &SideRecipe) {
    for slot in map.profile.all() {
        let info = map.profile.info(slot);
        match map.slots.get(&slot) {
            Some(found) => {
                let joints: Vec<String> = found
                    .joints
                    .iter()
                    .map(|&joint| quoted(character.skeleton.unique_name(joint)))
                    .collect();
                let or = found.runner_up.map_or_else(String::new, |second| {
                    format!(
                        "; or {}",
                        quoted(character.skeleton.unique_name(second.joint))
                    )
                });
                let doubt = if found.confidence < 0.8 {
                    format!(
                        "  # please check: {:.0} % sure, by {}{or}",
                        100.0 * found.confidence,
                        found.evidence
                    )
                } else {
                    String::new()
                };
                let _ = writeln!(
                    text,
                    "{} = [{}]{doubt}",
                    slot_key(info.name),
                    joints.join(", ")
                );
            }
            None if side.slots.get(info.name).is_some_and(Vec::is_empty) => {
                let _ = writeln!(text, "{} = []", slot_key(info.name));
            }
            None if info.required => {
                let name = slot_key(info.name);
                let _ = writeln!(text, "# {name} = []  # required, but not found");
            }
            None => {}
        }
    }
}

/// Written also where there are none, as a hint that there can be.
fn links_text(text: &mut String, links: &BTreeMap<String, String>) {
    let _ = writeln!(
        text,
        "\n# Joints in no slot (a tail, a prop): \"target joint\" = \"source joint\". They win over slots; \"\" takes a joint out."
    );
    let _ = writeln!(text, "[links]");
    for (target, source) in links {
        let _ = writeln!(text, "{} = {}", key(target), quoted(source));
    }
}

/// The name of a slot as a key: as it is where TOML allows it.
fn slot_key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        key(name)
    }
}

/// A key in quotation marks, on one line whatever it holds.
fn key(name: &str) -> String {
    let mut text = String::from("\"");
    for character in name.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            control if control.is_control() => {
                let _ = write!(text, "\\u{:04X}", u32::from(control));
            }
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

fn quoted(name: &str) -> String {
    toml::Value::String(name.to_owned()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn every_pose_survives_being_written_and_read() {
        for choice in [
            PoseChoice::Rest,
            PoseChoice::Bind,
            PoseChoice::Stored,
            PoseChoice::First,
            PoseChoice::Given,
            PoseChoice::Time(0.25),
            PoseChoice::Time(2.0),
            PoseChoice::FrameNumber(12),
        ] {
            let text = format!("[source]\npose = {}\n", pose_text(choice));
            assert_eq!(Recipe::parse(&text).unwrap().source.pose, Some(choice));
        }
    }

    #[test]
    fn links_survive_being_written_and_read() {
        let names = ["tail", "a \"b\" \\ c", "two\nlines", "", "尾.001"];
        let links: BTreeMap<String, String> = names
            .iter()
            .zip(names.iter().rev())
            .map(|(to, from)| ((*to).to_owned(), (*from).to_owned()))
            .collect();
        let mut text = String::new();
        links_text(&mut text, &links);
        assert_eq!(Recipe::parse(&text).unwrap().links, links);
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
