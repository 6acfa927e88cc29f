//! A recipe as a person types it, and how it becomes one that cannot be invalid.

use super::calibration::TypedCalibration;
use super::limits::TypedLimits;
use super::mirror::TypedMirror;
use super::motion::{self, TypedPlace, TypedRootMotion};
use super::{Preset, Recipe, SideRecipe, VERSION, sharing};
use crate::align::PoseChoice;
use crate::error::Error;
use crate::layers::LayerBase;
use crate::procedural::{TypedLookAt, TypedSpacing};
use crate::transfer::Method;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What may stand behind `pose =`.
pub(super) const POSES: &str = "\"auto\", \"rest\", \"bind\", \"stored\", \"first\", \"frame 12\", \
     \"given\" (by --rest), or seconds into the clip";

/// A recipe as typed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Typed {
    version: Option<u32>,
    profile: Option<String>,
    preset: Option<String>,
    method: Option<String>,
    root_scale: Option<TextOrNumber>,
    root_motion: Option<TypedRootMotion>,
    additive: Option<String>,
    mirror: Option<TypedMirror>,
    rate_hz: Option<f64>,
    #[serde(default)]
    across_kinds: bool,
    #[serde(default)]
    chains: BTreeMap<String, String>,
    #[serde(default)]
    chain_modes: BTreeMap<String, String>,
    twist: Option<sharing::SwitchOrWeight>,
    #[serde(default)]
    twist_shares: BTreeMap<String, f64>,
    #[serde(default)]
    curves: BTreeMap<String, String>,
    #[serde(default)]
    translations: BTreeMap<String, String>,
    #[serde(default)]
    source: TypedSide,
    #[serde(default)]
    target: TypedSide,
    #[serde(default)]
    links: BTreeMap<String, OneOrMany>,
    limits: Option<TypedLimits>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct TypedSide {
    pose: Option<TextOrNumber>,
    embed: Option<bool>,
    #[serde(default)]
    slots: BTreeMap<String, OneOrMany>,
    #[serde(default)]
    calibration: BTreeMap<String, TypedCalibration>,
    spacing: Option<TypedSpacing>,
    look_at: Option<TypedLookAt>,
    root: Option<String>,
    place: Option<TypedPlace>,
    #[serde(default)]
    weights: BTreeMap<String, f64>,
    #[serde(default)]
    twins: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum TextOrNumber {
    Number(f64),
    Numbers(Vec<f64>),
    Text(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
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
            twist: sharing::twist(self.twist, self.twist_shares)?,
            source: source.compile("source")?,
            target: target.compile("target")?,
            links,
            merged,
            limits: self
                .limits
                .map(TypedLimits::compile)
                .transpose()?
                .unwrap_or_default(),
        })
    }
}

impl TypedSide {
    fn compile(self, side: &str) -> Result<SideRecipe, Error> {
        let place = format!("{side}.pose");
        let pose = match self.pose {
            None => None,
            Some(TextOrNumber::Number(seconds)) if (seconds as f32).is_finite() => {
                Some(PoseChoice::Time(seconds as f32))
            }
            Some(TextOrNumber::Number(seconds)) => {
                return Err(wrong(
                    format!("{seconds} is no time"),
                    place,
                    "give seconds",
                ));
            }
            Some(TextOrNumber::Numbers(_)) => {
                return Err(wrong("several numbers are no pose", place, "give seconds"));
            }
            Some(TextOrNumber::Text(text)) => match text.as_str() {
                "auto" => None,
                "rest" => Some(PoseChoice::Rest),
                "bind" => Some(PoseChoice::Bind),
                "stored" => Some(PoseChoice::Stored),
                "first" => Some(PoseChoice::First),
                "given" => Some(PoseChoice::Given),
                _ => Some(frame_number(&text).ok_or_else(|| {
                    wrong(
                        format!("there is no pose \"{text}\""),
                        place,
                        format!("use one of {POSES}"),
                    )
                })?),
            },
        };
        let calibration = self.calibration.into_iter().map(|(slot, typed)| {
            let compiled = typed.compile(&format!("{side}.calibration.{slot}"))?;
            Ok((slot, compiled))
        });
        for (key, is_there) in [
            ("spacing", self.spacing.is_some()),
            ("look_at", self.look_at.is_some()),
        ] {
            if is_there && side == "source" {
                return Err(wrong(
                    format!("{key} is for what moves"),
                    format!("{side}.{key}"),
                    format!("write [target.{key}]"),
                ));
            }
        }
        let spacing = self.spacing.map(|typed| typed.compile("target.spacing"));
        let look_at = self.look_at.map(|typed| typed.compile("target.look_at"));
        Ok(SideRecipe {
            spacing: spacing.transpose()?,
            look_at: look_at.transpose()?,
            calibration: calibration.collect::<Result<_, Error>>()?,
            pose,
            root: self.root,
            embed: self.embed.unwrap_or(true),
            slots: self
                .slots
                .into_iter()
                .map(|(slot, joints)| {
                    let joints = match joints {
                        OneOrMany::One(joint) => vec![joint],
                        OneOrMany::Many(joints) => joints,
                    };
                    (slot, joints)
                })
                .collect(),
        })
    }
}

/// `frame 12`.
fn frame_number(text: &str) -> Option<PoseChoice> {
    let number = text.strip_prefix("frame ")?.trim().parse().ok()?;
    Some(PoseChoice::FrameNumber(number))
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
    remedy: impl Into<String>,
) -> Error {
    Error::Recipe {
        what: what.into(),
        place: place.into(),
        remedy: remedy.into(),
    }
}
