//! A recipe as a person types it, and how it becomes one that cannot be invalid.

use super::contacts::TypedContacts;
use super::feet::TypedFeet;
use super::hands::TypedHands;
use super::limits::TypedLimits;
use super::mirror::TypedMirror;
use super::motion::{self, TypedPlace, TypedRootMotion};
use super::pins::TypedPin;
use super::side::TypedSide;
use super::{Recipe, VERSION, ground, sharing};
use crate::error::Error;
use crate::preset::Preset;
use crate::transfer::Method;
use rebone_model::Remedy;
use rebone_runtime::layers::LayerBase;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Choices of how motion goes from one character to another. All of them may be left out.
// NOTE: the comments on fields become the descriptions of the schema that editors show; `cargo xtask generate` writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "Rebone recipe"))]
pub(super) struct Typed {
    /// Version of the format; 1 is the only one.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = VERSION)))]
    version: Option<u32>,
    /// How joints are found: humanoid, quadruped, or the path of a file with a profile. Left out: by what the rigs look
    /// like.
    profile: Option<String>,
    /// A named set of choices; the others go on top. Default: faithful.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Preset::ALL.map(Preset::name))))]
    preset: Option<String>,
    /// How rotations are transferred. Default: model-delta.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = Method::ALL.map(Method::name))))]
    method: Option<String>,
    /// The size of steps: a law, or target metres a source metre, for all axes or to the left, up and forwards.
    /// Default: the preset's.
    // What has a schema of its own is taken as required otherwise.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::root_scale")
    )]
    root_scale: Option<TextOrNumber>,
    /// Where feet go, and hips and legs with them: false for as transferred, how much, or a table.
    feet: Option<TypedFeet>,
    /// When points of the source touch what they stand, sit or lean on. Left out: as found.
    contacts: Option<TypedContacts>,
    /// Which joint carries the travel. Default: as-source.
    root_motion: Option<TypedRootMotion>,
    /// The source's clips are layers, told against its rest pose or their first frame. Left out: they are motions of their
    /// own.
    #[cfg_attr(
        feature = "schema",
        schemars(extend("enum" = [LayerBase::Rest, LayerBase::First].map(LayerBase::name)))
    )]
    additive: Option<String>,
    /// Whether what the left did the right does: true, false, or "ready" for a switch at run time.
    // What has a schema of its own is taken as required otherwise.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::mirror"))]
    mirror: Option<TypedMirror>,
    /// Frames a second of the result. Left out: the source's own keys.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 100_000.0)))]
    rate_hz: Option<f64>,
    /// Carry motion between characters of different kinds: arms move front legs. Default: false.
    #[serde(default)]
    across_kinds: bool,
    /// Between kinds: slot of the target = slot of the source, "" for none.
    #[serde(default)]
    chains: BTreeMap<String, String>,
    /// How chains of unlike numbers of joints are shared out, by slot or part of the body.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::chain_modes")
    )]
    chain_modes: BTreeMap<String, String>,
    /// Are bodies that lie, sit, kneel or crawl kept on the floor? true, false, or how much. Default: true with the preset
    /// faithful, else false.
    ground: Option<ground::TypedWeight>,
    /// Are forearms and hands kept out of trunk and head? true, false, or how much. Default: true with the preset
    /// faithful, else false.
    own_body: Option<ground::TypedWeight>,
    /// Do limbs share their roll with twist joints? true, false, or how much. Default: true.
    twist: Option<sharing::SwitchOrWeight>,
    /// Share of a limb's roll, 0 to 1, by joint of the target. Default: by place.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::shares"))]
    twist_shares: BTreeMap<String, f64>,
    /// Morph targets, expressions and properties that are called otherwise: name in the target = name in the source, "" to
    /// leave it out.
    #[serde(default)]
    curves: BTreeMap<String, String>,
    /// How joints other than the hips slide along, by slot, part, joint of the target, or all. Default: stretch.
    #[serde(default)]
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "super::schema::translations")
    )]
    translations: BTreeMap<String, String>,
    /// The character whose motion it is.
    #[serde(default)]
    source: TypedSide,
    /// The character that is to move.
    #[serde(default)]
    target: TypedSide,
    /// Joint of the target = the joint of the source that it follows, "" for none, or several whose turns it takes. They
    /// win over slots.
    #[serde(default)]
    links: BTreeMap<String, OneOrMany>,
    /// Hands that touch each other or a prop. Left out: as the preset says.
    hands: Option<TypedHands>,
    /// Ends of the target's body that are pinned to paths, points and joints. Later ones win.
    #[serde(default)]
    pins: Vec<TypedPin>,
    /// How far the target's joints may turn. Left out: as far as they like.
    limits: Option<TypedLimits>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "what stands here is neither a text nor a number nor a list of numbers"
)]
pub(super) enum TextOrNumber {
    Number(f64),
    Numbers(Vec<f64>),
    Text(String),
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a joint's name or a list of names is expected here"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Joints"))]
pub(super) enum OneOrMany {
    /// The name of a joint, or its path where a name stands twice.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl Typed {
    pub(super) fn compile(self) -> Result<Recipe, Error> {
        let version = self.version.unwrap_or(VERSION);
        if version == 0 || version > VERSION {
            return Err(wrong(
                format!("the recipe has version {version}, but this program reads up to {VERSION}"),
                "version",
                "use a newer rebone",
            ));
        }
        let preset = named(
            self.preset.as_deref(),
            "preset",
            Preset::parse,
            &Preset::ALL.map(Preset::name),
        )?;
        let method = named(
            self.method.as_deref(),
            "method",
            Method::parse,
            &Method::ALL.map(Method::name),
        )?;
        let root_scale = self.root_scale.map(motion::root_scale).transpose()?;
        if let Some(rate_hz) = self.rate_hz
            && !(rate_hz > 0.0 && rate_hz <= 100_000.0)
        {
            return Err(wrong(
                format!("{rate_hz} is no frame rate"),
                "rate_hz",
                "give frames a second",
            ));
        }
        let (mut source, mut target) = (self.source, self.target);
        if !source.weights.is_empty() {
            return Err(wrong(
                "only the target has weights",
                "source.weights",
                "put them below [target.weights]",
            ));
        }
        if !source.twins.is_empty() {
            return Err(wrong(
                "the target is mirrored, not the source",
                "source.twins",
                "put them below [target.twins]",
            ));
        }
        if target.place.is_some() {
            return Err(wrong(
                "only the source can be put elsewhere",
                "target.place",
                "put it below [source.place]",
            ));
        }
        let additive = named(
            self.additive.as_deref(),
            "additive",
            LayerBase::parse,
            &[LayerBase::Rest, LayerBase::First].map(LayerBase::name),
        )?;
        let place = source.place.take().map(TypedPlace::compile);
        let root_motion = self.root_motion.map(TypedRootMotion::compile);
        let (mut links, mut merged) = (BTreeMap::new(), BTreeMap::new());
        for (target, sources) in self.links {
            match sources {
                OneOrMany::One(source) => drop(links.insert(target, source)),
                OneOrMany::Many(sources) => drop(merged.insert(target, sources)),
            }
        }
        let mirror = self.mirror.map(TypedMirror::compile);
        Ok(Recipe {
            additive,
            feet: self
                .feet
                .map(TypedFeet::compile)
                .transpose()?
                .unwrap_or_default(),
            contacts: self
                .contacts
                .map(TypedContacts::compile)
                .transpose()?
                .unwrap_or_default(),
            root_motion: root_motion.transpose()?.unwrap_or_default(),
            source_place: place.transpose()?.unwrap_or_default(),
            mirror: mirror.transpose()?.unwrap_or_default(),
            twins: std::mem::take(&mut target.twins),
            weights: motion::weights(std::mem::take(&mut target.weights))?,
            profile: self.profile,
            preset: preset.unwrap_or_default(),
            method: method.unwrap_or_default(),
            root_scale,
            rate_hz: self.rate_hz,
            across_kinds: self.across_kinds,
            chains: self.chains,
            chain_modes: sharing::chain_modes(self.chain_modes)?,
            curves: self.curves,
            translations: sharing::translations(self.translations)?,
            ground: ground::weight(self.ground, "ground")?,
            own_body: ground::weight(self.own_body, "own_body")?,
            twist: sharing::twist(self.twist, self.twist_shares)?,
            source: source.compile("source")?,
            target: target.compile("target")?,
            links,
            merged,
            hands: self
                .hands
                .map(TypedHands::compile)
                .transpose()?
                .unwrap_or_default(),
            pins: self
                .pins
                .into_iter()
                .enumerate()
                .map(TypedPin::compile)
                .collect::<Result<_, Error>>()?,
            limits: self
                .limits
                .map(TypedLimits::compile)
                .transpose()?
                .unwrap_or_default(),
        })
    }
}

fn named<T>(
    text: Option<&str>,
    key: &str,
    parse: impl Fn(&str) -> Option<T>,
    names: &[&str],
) -> Result<Option<T>, Error> {
    let Some(text) = text else {
        return Ok(None);
    };
    parse(text).map(Some).ok_or_else(|| {
        wrong(
            format!("there is no {key} \"{text}\""),
            key,
            format!("use one of {}", names.join(", ")),
        )
    })
}

pub(super) fn wrong(
    what: impl Into<String>,
    place: impl Into<String>,
    remedy: impl Into<Remedy>,
) -> Error {
    Error::Recipe {
        what: what.into(),
        place: place.into(),
        remedy: remedy.into(),
    }
}
