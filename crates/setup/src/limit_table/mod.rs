//! How far joints turn: tables of limits, and what a person says on top.

use crate::error::Error;
use crate::values::read_part;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The soft zone of a limit that states none, degrees.
pub const SOFT_DEGREES: f64 = 10.0;

/// The widest swing of a ball joint away from the middle of its limits, degrees.
pub const WIDEST_DEGREES: f64 = 150.0;

/// How far one slot may turn, degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// Bend and side are each held in their range, instead of both together in a cone. Default false.
    pub hinge: bool,
    /// Bend and side of the direction from which those of a ball joint count. Default 0, 0: the retarget pose.
    pub from: [f64; 2],
    /// Least and most bend.
    pub bend: [f64; 2],
    /// Least and most turn to the side.
    pub side: [f64; 2],
    /// Least and most twist; from -180 to 180 for any.
    pub twist: [f64; 2],
    /// How far beyond the limits at most: what is further is squeezed into this zone. 0 stops hard.
    pub soft: f64,
}

impl JointLimit {
    /// Any turn at all is inside.
    pub const FREE: Self = Self {
        hinge: false,
        from: [0.0; 2],
        bend: [-WIDEST_DEGREES, WIDEST_DEGREES],
        side: [-WIDEST_DEGREES, WIDEST_DEGREES],
        twist: [-180.0, 180.0],
        soft: SOFT_DEGREES,
    };

    /// The limits of a part of a chain that takes this share of the whole.
    pub(crate) fn share(&self, share: f64) -> Self {
        let part = |range: [f64; 2]| range.map(|angle| share * angle);
        Self {
            from: part(self.from),
            bend: part(self.bend),
            side: part(self.side),
            twist: part(self.twist),
            ..*self
        }
    }

    /// The limits of two joints in one, as far as degrees allow.
    pub(crate) fn with(&self, other: &Self) -> Self {
        let sum = |own: [f64; 2], other: [f64; 2], most: f64| {
            [
                (own[0] + other[0]).max(-most),
                (own[1] + other[1]).min(most),
            ]
        };
        Self {
            bend: sum(self.bend, other.bend, WIDEST_DEGREES),
            side: sum(self.side, other.side, WIDEST_DEGREES),
            twist: sum(self.twist, other.twist, 180.0),
            ..*self
        }
    }
}

/// Limits by the name of the slot.
pub type LimitTable = BTreeMap<String, JointLimit>;

/// Which table holds where the recipe names no slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum LimitsChoice {
    /// No limits but those of the recipe.
    #[default]
    None,
    /// The table of people.
    Human,
    /// What the target's profile says; of people the same as human.
    Profile,
    /// As none; those of the recipe were learnt from clips.
    Learnt,
}

impl LimitsChoice {
    /// `none`, `human`, `profile`, `learnt`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Human => "human",
            Self::Profile => "profile",
            Self::Learnt => "learnt",
        }
    }
}

/// How far the target's joints may turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Limits"))]
pub struct LimitsRecipe {
    /// The table that holds where no slot is named.
    #[serde(rename = "use")]
    pub choice: LimitsChoice,
    /// Slots by name: "none", or ranges in degrees; what they do not say is as in the table.
    #[cfg_attr(feature = "schema", schemars(schema_with = "slot_limits"))]
    pub slots: BTreeMap<String, SlotLimit>,
}

/// Slots by name, each with its limits, or "none".
#[cfg(feature = "schema")]
fn slot_limits(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let table = generator.subschema_for::<SlotLimit>();
    schemars::json_schema!({
        "type": "object",
        "additionalProperties": {"anyOf": [{"const": "none", "type": "string"}, table]},
    })
}

/// Ranges of one slot; what is left out is as in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SlotLimit {
    /// It has no limits, whatever the table says; "none" alone says the same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub free: bool,
    /// It turns about one axis only.
    pub hinge: Option<bool>,
    /// From which direction bend and side are measured: its own bend and side, degrees from -150 to 150.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -150, max = 150))))]
    pub from: Option<[f64; 2]>,
    /// The least and the most, degrees from -180 to 180.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -180, max = 180))))]
    pub bend: Option<[f64; 2]>,
    /// The least and the most, degrees from -180 to 180.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -180, max = 180))))]
    pub side: Option<[f64; 2]>,
    /// The least and the most, degrees from -180 to 180.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -180, max = 180))))]
    pub twist: Option<[f64; 2]>,
    /// Width of the soft zone, degrees from 0 (a hard stop) to 90.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 90)))]
    pub soft: Option<f64>,
}

impl SlotLimit {
    /// Reads and checks the limits of a slot that stand outside of a recipe.
    ///
    /// # Errors
    /// Where a key is not known, and where a value does not fit.
    pub(crate) fn read(typed: toml::Value, place: &str) -> Result<Self, Error> {
        let limit: Self = read_part("SlotLimit", typed, place)?;
        limit.check(place)?;
        Ok(limit)
    }

    /// Fails where a range ends before it begins.
    pub(crate) fn check(&self, place: &str) -> Result<(), Error> {
        for (name, range) in [
            ("bend", self.bend),
            ("side", self.side),
            ("twist", self.twist),
        ] {
            if let Some([least, most]) = range
                && least > most
            {
                return Err(Error::Recipe {
                    what: format!("{name} = [{least}, {most}] is no range"),
                    place: place.to_owned(),
                    remedy: "give the least and the most, degrees from -180 to 180".into(),
                });
            }
        }
        Ok(())
    }

    /// The limit of the table with these changes; `None` for a free slot.
    pub fn on(&self, table: Option<&JointLimit>) -> Option<JointLimit> {
        if self.free {
            return None;
        }
        let base = table.copied().unwrap_or(JointLimit::FREE);
        Some(JointLimit {
            hinge: self.hinge.unwrap_or(base.hinge),
            from: self.from.unwrap_or(base.from),
            bend: self.bend.unwrap_or(base.bend),
            side: self.side.unwrap_or(base.side),
            twist: self.twist.unwrap_or(base.twist),
            soft: self.soft.unwrap_or(base.soft),
        })
    }
}

impl From<JointLimit> for SlotLimit {
    fn from(limit: JointLimit) -> Self {
        Self {
            free: false,
            hinge: limit.hinge.then_some(true),
            from: (limit.from != [0.0; 2]).then_some(limit.from),
            bend: Some(limit.bend),
            side: Some(limit.side),
            twist: Some(limit.twist),
            soft: (limit.soft != SOFT_DEGREES).then_some(limit.soft),
        }
    }
}

/// The limits of people, both sides.
pub fn human() -> Result<LimitTable, Error> {
    // Read once: a report of each of a thousand clips asks for it.
    static TABLE: OnceLock<LimitTable> = OnceLock::new();
    if let Some(known) = TABLE.get() {
        return Ok(known.clone());
    }
    let table = read(include_str!("human.toml"))?;
    Ok(TABLE.get_or_init(|| table).clone())
}

/// Reads a table; `{side}` in a name stands for both sides.
fn read(text: &str) -> Result<LimitTable, Error> {
    let rows: toml::Table = toml::from_str(text).map_err(|error| Error::Recipe {
        what: error.message().to_owned(),
        place: "limits".to_owned(),
        remedy: "see docs/methods/limits.md".into(),
    })?;
    let mut table = LimitTable::new();
    for (name, row) in rows {
        let Some(limit) = SlotLimit::read(row, &name)?.on(None) else {
            continue;
        };
        let names = if name.contains("{side}") {
            ["left", "right"]
                .map(|side| name.replace("{side}", side))
                .to_vec()
        } else {
            vec![name]
        };
        table.extend(names.into_iter().map(|name| (name, limit)));
    }
    Ok(table)
}
