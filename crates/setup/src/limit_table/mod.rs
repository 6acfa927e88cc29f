//! Tables of limits as data, and as a person types them.

use crate::error::Error;
use serde::Deserialize;
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LimitsChoice {
    /// No limits but those of the recipe.
    #[default]
    None,
    /// The table of people.
    Human,
    /// What the target's profile says; of people the same as [`Human`](Self::Human).
    Profile,
    /// As [`None`](Self::None); the recipe's were learnt from clips.
    Learnt,
}

impl LimitsChoice {
    /// All choices.
    pub const ALL: [Self; 4] = [Self::None, Self::Human, Self::Profile, Self::Learnt];

    /// `none`, `human`, `profile`, `learnt`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Human => "human",
            Self::Profile => "profile",
            Self::Learnt => "learnt",
        }
    }

    /// The choice of this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

/// What a recipe says of one slot; what is `None` is as in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SlotLimit {
    /// It has no limits, whatever the table says.
    pub free: bool,
    /// See [`JointLimit::hinge`].
    pub hinge: Option<bool>,
    /// See [`JointLimit::from`].
    pub from: Option<[f64; 2]>,
    /// See [`JointLimit::bend`].
    pub bend: Option<[f64; 2]>,
    /// See [`JointLimit::side`].
    pub side: Option<[f64; 2]>,
    /// See [`JointLimit::twist`].
    pub twist: Option<[f64; 2]>,
    /// See [`JointLimit::soft`].
    pub soft: Option<f64>,
}

impl SlotLimit {
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

/// How far a slot turns.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "limits are \"none\", or some of { hinge, from, bend, side, twist, soft }"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Limit"))]
pub(crate) enum TypedLimit {
    /// No limits, whatever the table says.
    Word(#[cfg_attr(feature = "schema", schemars(extend("const" = "none")))] String),
    /// Ranges; what is left out is as in the table.
    Ranges(TypedRanges),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Ranges"))]
pub(crate) struct TypedRanges {
    /// It turns about one axis only.
    hinge: Option<bool>,
    /// From which direction bend and side are measured: its own bend and side, degrees from -150 to 150.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -150, max = 150))))]
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    from: Option<[f64; 2]>,
    /// The least and the most, degrees from -180 to 180.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -180, max = 180))))]
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    bend: Option<[f64; 2]>,
    /// The least and the most, degrees from -180 to 180.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -180, max = 180))))]
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    side: Option<[f64; 2]>,
    /// The least and the most, degrees from -180 to 180.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = -180, max = 180))))]
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    twist: Option<[f64; 2]>,
    /// Width of the soft zone, degrees from 0 (a hard stop) to 90.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 90)))]
    soft: Option<f64>,
}

impl TypedLimit {
    /// Checks it.
    pub(crate) fn compile(&self, place: &str) -> Result<SlotLimit, Error> {
        let wrong = |what: String, remedy: &str| Error::Recipe {
            what,
            place: place.to_owned(),
            remedy: remedy.into(),
        };
        let ranges = match self {
            Self::Word(word) if word == "none" => {
                return Ok(SlotLimit {
                    free: true,
                    ..SlotLimit::default()
                });
            }
            Self::Word(word) => {
                return Err(wrong(
                    format!("there are no limits \"{word}\""),
                    "write \"none\", or { bend = [-10, 90], side = [-5, 5], twist = [-10, 10] } in degrees",
                ));
            }
            Self::Ranges(ranges) => ranges,
        };
        for (name, range, widest) in [
            ("bend", ranges.bend, 180.0),
            ("side", ranges.side, 180.0),
            ("twist", ranges.twist, 180.0),
        ] {
            let Some([least, most]) = range else { continue };
            if !(least <= most && least >= -widest && most <= widest) {
                return Err(wrong(
                    format!("{name} = [{least}, {most}] is no range"),
                    "give the least and the most, degrees from -180 to 180",
                ));
            }
        }
        if let Some(from) = ranges.from
            && !from.iter().all(|angle| angle.abs() <= WIDEST_DEGREES)
        {
            return Err(wrong(
                format!("from = [{}, {}] is no direction", from[0], from[1]),
                "give bend and side, degrees from -150 to 150",
            ));
        }
        if let Some(soft) = ranges.soft
            && !(0.0..=90.0).contains(&soft)
        {
            return Err(wrong(
                format!("soft = {soft} is no width"),
                "give degrees from 0 (a hard stop) to 90",
            ));
        }
        Ok(SlotLimit {
            free: false,
            hinge: ranges.hinge,
            from: ranges.from,
            bend: ranges.bend,
            side: ranges.side,
            twist: ranges.twist,
            soft: ranges.soft,
        })
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
    let rows: BTreeMap<String, TypedLimit> =
        toml::from_str(text).map_err(|error| Error::Recipe {
            what: error.message().to_owned(),
            place: "limits".to_owned(),
            remedy: "see docs/methods/limits.md".into(),
        })?;
    let mut table = LimitTable::new();
    for (name, row) in rows {
        let Some(limit) = row.compile(&name)?.on(None) else {
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
