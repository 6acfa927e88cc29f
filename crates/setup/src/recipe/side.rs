//! What a recipe says about one of the two characters: `[source]`, `[target]`.

use super::calibration::TypedCalibration;
use super::motion::TypedPlace;
use super::typed::{OneOrMany, TextOrNumber, wrong};
use crate::align::{Calibration, PoseChoice};
use crate::error::Error;
use crate::procedural::{LookAt, Spacing, TypedLookAt, TypedSpacing};
use rebone_model::axes::Axis;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What may stand behind `pose =`.
pub(super) const POSES: &str = "\"auto\", \"rest\", \"bind\", \"stored\", \"first\", \"frame 12\", \
     \"given\" (by another file), or seconds into the clip";

/// Choices about one of the two characters.
#[derive(Clone, Debug, PartialEq)]
pub struct SideRecipe {
    /// The pose from which alignment starts; `None` chooses by plausibility.
    pub pose: Option<PoseChoice>,
    /// The axis of the file that is up, where it states none or a wrong one.
    pub up: Option<Axis>,
    /// The axis of the file towards which the character faces at rest, where it is found wrong.
    pub forward: Option<Axis>,
    /// Whether rotations of containers count, for [`RestDelta`](crate::transfer::Method::RestDelta).
    pub embed: bool,
    /// Joints by slot name.
    pub slots: BTreeMap<String, Vec<String>>,
    /// Turns of the retarget pose by slot name.
    pub calibration: BTreeMap<String, Calibration>,
    /// How far the target's arms and legs are spread; `None` takes what its profile says. Of the target only.
    pub spacing: Option<Spacing>,
    /// A point at which the target looks. Default `None`: it looks as the source does. Of the target only.
    pub look_at: Option<LookAt>,
    /// The root joint by name, `""` for none; `None` for the one that is found.
    pub root: Option<String>,
}

impl Default for SideRecipe {
    fn default() -> Self {
        Self {
            pose: None,
            up: None,
            forward: None,
            embed: true,
            slots: BTreeMap::new(),
            calibration: BTreeMap::new(),
            spacing: None,
            look_at: None,
            root: None,
        }
    }
}

/// One of the two characters.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Side"))]
pub(super) struct TypedSide {
    /// The pose from which it is compared with the other: auto, rest, bind, stored, first, "frame 12", given, or seconds
    /// into the clip. Default: auto.
    // What has a schema of its own is taken as required otherwise.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::pose"))]
    pose: Option<TextOrNumber>,
    /// The axis of the file that is up: +X, -X, +Y, -Y, +Z or -Z. Left out: what the file states, else what is found.
    up: Option<String>,
    /// The axis of the file towards which the character faces at rest. Left out: it is found.
    forward: Option<String>,
    /// For the method rest-delta: do rotations of containers above the skeleton count? Default: true.
    embed: Option<bool>,
    /// Joint of a slot, or its joints from parent to child; [] for a slot without joint. What is left out is found.
    #[serde(default)]
    slots: BTreeMap<String, OneOrMany>,
    /// Turns of the retarget pose by slot, degrees.
    #[serde(default)]
    calibration: BTreeMap<String, TypedCalibration>,
    /// Of the target only: arms and legs further from the body.
    spacing: Option<TypedSpacing>,
    /// Of the target only: neck, head and eyes look at a point.
    look_at: Option<TypedLookAt>,
    /// The joint on the floor above the hips, "" for none. Left out: it is found.
    root: Option<String>,
    /// Of the source only: where all of it is put.
    pub(super) place: Option<TypedPlace>,
    /// Of the target only: how much a joint, slot or group moves, 0 (rest pose) to 1 (the motion), or more.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::weights"))]
    pub(super) weights: BTreeMap<String, f64>,
    /// Of the target only: joints that are each other's twins in the mirror, where they were not found.
    #[serde(default)]
    pub(super) twins: BTreeMap<String, String>,
}

impl TypedSide {
    pub(super) fn compile(self, side: &str) -> Result<SideRecipe, Error> {
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
        let up = axis(self.up.as_deref(), &format!("{side}.up"))?;
        let forward = axis(self.forward.as_deref(), &format!("{side}.forward"))?;
        if let (Some(up), Some(forward)) = (up, forward)
            && up.direction().dot(forward.direction()) != 0.0
        {
            return Err(wrong(
                format!("nobody faces {forward} where {up} is up"),
                format!("{side}.forward"),
                "use an axis across that",
            ));
        }
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
            up,
            forward,
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

fn axis(text: Option<&str>, place: &str) -> Result<Option<Axis>, Error> {
    let read = |text: &str| {
        Axis::parse(text).ok_or_else(|| {
            let names = Axis::ALL.map(Axis::name).join(", ");
            let problem = format!("\"{text}\" is no axis");
            wrong(problem, place.to_owned(), format!("use one of {names}"))
        })
    };
    text.map(read).transpose()
}

/// `frame 12`.
fn frame_number(text: &str) -> Option<PoseChoice> {
    let number = text.strip_prefix("frame ")?.trim().parse().ok()?;
    Some(PoseChoice::FrameNumber(number))
}
