//! What a recipe says about one of the two characters: `[source]`, `[target]`.

use super::{Recipe, wrong};
use crate::align::{Calibration, PoseChoice};
use crate::error::Error;
use crate::procedural::{LookAt, Spacing};
use crate::root_motion::SourcePlace;
use crate::values;
use rebone_model::axes::Axis;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The largest weight: what is exaggerated more turns round.
pub const MOST_WEIGHT: f64 = 10.0;

/// One of the two characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Side"))]
pub struct SideRecipe {
    /// The pose from which it is compared with the other: auto, rest, bind, stored, first, "frame 12", given (by another file), or
    /// seconds into the clip. Left out: the likeliest.
    #[serde(with = "pose")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "values::forms::pose"))]
    pub pose: Option<PoseChoice>,
    /// The axis of the file that is up: +X, -X, +Y, -Y, +Z or -Z. Left out: what the file states, else what is found.
    #[serde(with = "values::named")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "values::forms::axis"))]
    pub up: Option<Axis>,
    /// The axis of the file towards which the character faces at rest. Left out: it is found.
    #[serde(with = "values::named")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "values::forms::axis"))]
    pub forward: Option<Axis>,
    /// For the method rest-delta: do rotations of containers above the skeleton count?
    pub embed: bool,
    /// Joint of a slot, or its joints from parent to child; [] for a slot without joint. What is left out is found.
    #[serde(deserialize_with = "values::names_by_slot")]
    #[cfg_attr(feature = "schema", schemars(schema_with = "values::forms::slots"))]
    pub slots: BTreeMap<String, Vec<String>>,
    /// Turns of the retarget pose by slot, degrees.
    pub calibration: BTreeMap<String, Calibration>,
    /// The joint on the floor above the hips, "" for none. Left out: it is found.
    pub root: Option<String>,
    /// Of the source only: where all of it is put.
    pub place: SourcePlace,
    /// Of the target only: arms and legs further from the body. Left out: as its profile says, usually not at all.
    pub spacing: Option<Spacing>,
    /// Of the target only: neck, head and eyes look at a point. Left out: they do what the source's do.
    pub look_at: Option<LookAt>,
    /// Of the target only: how much a joint, slot or group moves, 0 (rest pose) to 1 (the motion), or more.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::weights"))]
    pub weights: BTreeMap<String, f64>,
    /// Of the target only: joints that are each other's twins in the mirror, where they were not found. A joint may be its own twin, or have
    /// none ("").
    pub twins: BTreeMap<String, String>,
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
            root: None,
            place: SourcePlace::default(),
            spacing: None,
            look_at: None,
            weights: BTreeMap::new(),
            twins: BTreeMap::new(),
        }
    }
}

impl values::Named for Axis {
    const WHAT: &'static str = "axis";

    fn named(name: &str) -> Option<Self> {
        Self::parse(name)
    }

    fn written(&self) -> String {
        self.name().to_owned()
    }
}

/// A pose: by name, a frame by its number, or seconds.
mod pose {
    use super::PoseChoice;
    use crate::values;
    use serde::{Deserialize, Deserializer, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        Seconds(f64),
        Name(String),
    }

    const NAMES: [(&str, PoseChoice); 5] = [
        ("rest", PoseChoice::Rest),
        ("bind", PoseChoice::Bind),
        ("stored", PoseChoice::Stored),
        ("first", PoseChoice::First),
        ("given", PoseChoice::Given),
    ];

    pub(super) fn serialize<S: Serializer>(
        pose: &Option<PoseChoice>,
        writer: S,
    ) -> Result<S::Ok, S::Error> {
        match pose {
            None => writer.serialize_none(),
            // As short as the number itself is.
            Some(PoseChoice::Time(seconds)) => {
                let short = seconds.to_string().parse().unwrap_or(f64::from(*seconds));
                writer.serialize_f64(short)
            }
            Some(PoseChoice::FrameNumber(number)) => {
                writer.serialize_str(&format!("frame {number}"))
            }
            Some(pose) => {
                let known = NAMES.iter().find(|(_, known)| known == pose);
                writer.serialize_str(known.map_or("auto", |(name, _)| name))
            }
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        reader: D,
    ) -> Result<Option<PoseChoice>, D::Error> {
        let name = match Form::deserialize(reader)? {
            Form::Seconds(seconds) => return Ok(Some(PoseChoice::Time(seconds as f32))),
            Form::Name(name) => name,
        };
        let frame = || name.strip_prefix("frame ")?.trim().parse().ok();
        let known = NAMES.iter().find(|(known, _)| *known == name);
        match (name.as_str(), known) {
            ("auto", _) => Ok(None),
            (_, Some((_, pose))) => Ok(Some(*pose)),
            _ => match frame() {
                Some(number) => Ok(Some(PoseChoice::FrameNumber(number))),
                None => Err(values::unknown("pose", &name)),
            },
        }
    }
}

impl Recipe {
    /// What no single value shows: whether they go together.
    pub(super) fn check(&self) -> Result<(), Error> {
        for (key, is_there) in [
            ("weights", !self.source.weights.is_empty()),
            ("twins", !self.source.twins.is_empty()),
            ("spacing", self.source.spacing.is_some()),
            ("look_at", self.source.look_at.is_some()),
        ] {
            if is_there {
                let place = format!("source.{key}");
                let remedy = format!("put it below [target.{key}]");
                return Err(wrong(format!("only the target has {key}"), place, remedy));
            }
        }
        if self.target.place != SourcePlace::default() {
            return Err(wrong(
                "only the source can be put elsewhere",
                "target.place",
                "put it below [source.place]",
            ));
        }
        for (name, side) in [("source", &self.source), ("target", &self.target)] {
            if let (Some(up), Some(forward)) = (side.up, side.forward)
                && up.direction().dot(forward.direction()) != 0.0
            {
                return Err(wrong(
                    format!("nobody faces {forward} where {up} is up"),
                    format!("{name}.forward"),
                    "use an axis across that",
                ));
            }
            for (slot, own) in &side.calibration {
                let place = format!("{name}.calibration.{slot}");
                own.check()
                    .map_err(|(what, remedy)| wrong(what, place, remedy))?;
            }
        }
        for (slot, limit) in &self.limits.slots {
            limit.check(&format!("limits.slots.{slot}"))?;
        }
        for (number, pin) in self.pins.iter().enumerate() {
            pin.check().map_err(|(key, what)| {
                let what = format!("the pin of \"{}\" cannot be: {what}", pin.end);
                wrong(what, format!("pins[{number}].{key}"), "correct it")
            })?;
        }
        let feet = self.feet.check();
        feet.map_err(|(key, remedy)| {
            wrong(
                "these values do not go together",
                format!("feet.{key}"),
                remedy,
            )
        })
    }
}
