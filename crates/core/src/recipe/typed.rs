//! A recipe as a person types it, and how it becomes one that cannot be invalid.

use super::calibration::TypedCalibration;
use super::{Preset, Recipe, SideRecipe, VERSION, sharing};
use crate::align::PoseChoice;
use crate::error::Error;
use crate::root::RootScale;
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
    links: BTreeMap<String, String>,
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
}

#[derive(Deserialize)]
#[serde(untagged)]
enum TextOrNumber {
    Number(f64),
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
        let root_scale = match self.root_scale {
            None => None,
            Some(TextOrNumber::Number(factor)) if factor.is_finite() && factor >= 0.0 => {
                Some(RootScale::Factor(factor))
            }
            Some(TextOrNumber::Number(factor)) => {
                return Err(wrong(
                    format!("{factor} is no scale"),
                    "root_scale",
                    "give a number of at least 0",
                ));
            }
            Some(TextOrNumber::Text(text)) => Some(RootScale::parse(&text).ok_or_else(|| {
                wrong(
                    format!("there is no root scale \"{text}\""),
                    "root_scale",
                    "use auto, legs, hips, stature, legs-stature, none or a number",
                )
            })?),
        };
        if let Some(rate_hz) = self.rate_hz
            && !(rate_hz > 0.0 && rate_hz <= 100_000.0)
        {
            return Err(wrong(
                format!("{rate_hz} is no frame rate"),
                "rate_hz",
                "give frames a second",
            ));
        }
        Ok(Recipe {
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
            source: self.source.compile("source")?,
            target: self.target.compile("target")?,
            links: self.links,
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
        Ok(SideRecipe {
            calibration: calibration.collect::<Result<_, Error>>()?,
            pose,
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
