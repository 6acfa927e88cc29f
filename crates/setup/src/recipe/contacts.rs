//! What a recipe says about contacts of the source: `[contacts]`.

use crate::values;
use rebone_runtime::contact::{
    ContactEdit, ContactRules, DetectOptions, InPlace, PointKind, TouchSpan,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// Edits by the name of the point.
pub type PointEdits = BTreeMap<String, PointEdit>;

/// Choices about contacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Contacts"))]
pub struct ContactsRecipe {
    /// Are contacts found? false: only those that are written here count.
    pub found: bool,
    /// Fastest that a point may begin to touch, leg lengths a second, at most; calm clips take less.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.01, max = 10.0)))]
    pub speed: f64,
    /// How many times as fast a point has left.
    #[cfg_attr(feature = "schema", schemars(range(min = 1.0, max = 10.0)))]
    pub speed_release: f64,
    /// Highest over its level that a point may begin to touch, leg lengths, at most; clean clips take less.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.001, max = 1.0)))]
    pub height: f64,
    /// How many times as high a point has left. Left out: 5/3.
    #[cfg_attr(feature = "schema", schemars(range(min = 1.0, max = 10.0)))]
    pub height_release: Option<f64>,
    /// Shortest contact, seconds.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 10.0)))]
    pub shortest: f64,
    /// Shorter gaps are closed where the point stays in its place, seconds.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 10.0)))]
    pub gap: f64,
    /// The source's floor: its height in the file in metres, "file" for the file's zero plane, or "lowest" for where the feet are lowest in
    /// the clips. Left out: it is found.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "values::forms::source_floor")
    )]
    pub ground: Option<SourceFloor>,
    /// Whether a clip may be one that runs in place.
    #[cfg_attr(feature = "schema", schemars(schema_with = "values::forms::in_place"))]
    pub in_place: InPlace,
    /// In every clip: when a point of the source touches, in place of what is found; or what is added and taken out.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "crate::recipe::schema::points")
    )]
    pub points: PointEdits,
    /// The same of one clip, by its name; it wins.
    #[cfg_attr(
        feature = "schema",
        schemars(schema_with = "crate::recipe::schema::clips")
    )]
    pub clips: BTreeMap<String, PointEdits>,
}

impl Default for ContactsRecipe {
    fn default() -> Self {
        Self {
            found: true,
            speed: 0.2,
            speed_release: 2.0,
            height: 0.03,
            height_release: None,
            shortest: 0.06,
            gap: 0.1,
            ground: None,
            in_place: InPlace::default(),
            points: BTreeMap::new(),
            clips: BTreeMap::new(),
        }
    }
}

/// Where the floor of the source's motion is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SourceFloor {
    /// At this height in the file, metres.
    Metres(f64),
    /// Where the feet are lowest in the clips.
    Lowest,
}

impl SourceFloor {
    /// Reads `file` (the zero plane), `lowest`, or a height in metres; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "file" => Some(Self::Metres(0.0)),
            "lowest" => Some(Self::Lowest),
            _ => {
                let metres: f64 = text.parse().ok()?;
                (metres.abs() <= FARTHEST).then_some(Self::Metres(metres))
            }
        }
    }
}

/// Metres and seconds beyond which nobody means what is written.
const FARTHEST: f64 = 1e6;

impl Serialize for SourceFloor {
    fn serialize<S: Serializer>(&self, writer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Metres(height) => writer.serialize_f64(*height),
            Self::Lowest => writer.serialize_str("lowest"),
        }
    }
}

impl<'de> Deserialize<'de> for SourceFloor {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Height(f64),
            Word(String),
        }
        match Form::deserialize(reader)? {
            Form::Height(height) => Ok(Self::Metres(height)),
            Form::Word(word) => Self::parse(&word).ok_or_else(|| values::unknown("floor", &word)),
        }
    }
}

/// When one point touches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PointContacts"))]
pub struct PointEdit {
    /// All times at which it touches, in place of what is found; a list of spans alone says the same.
    pub only: Option<Vec<Span>>,
    /// Beside what is found: start and end in seconds; a third number is the height of what is touched, metres.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<Span>,
    /// When it does not touch, whatever is found: start and end in seconds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<[f64; 2]>,
}

/// A time at which a point touches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f64>", into = "Vec<f64>")]
pub struct Span {
    /// Start and end, seconds.
    pub ends: [f64; 2],
    /// Height of what is touched, metres; `None` for the floor's.
    pub height: Option<f64>,
}

impl TryFrom<Vec<f64>> for Span {
    type Error = &'static str;

    fn try_from(numbers: Vec<f64>) -> Result<Self, Self::Error> {
        let (ends, height) = match *numbers.as_slice() {
            [start, end] => ([start, end], None),
            [start, end, height] => ([start, end], Some(height)),
            _ => return Err(NO_SPAN),
        };
        if is_span(ends) {
            Ok(Self { ends, height })
        } else {
            Err(NO_SPAN)
        }
    }
}

const NO_SPAN: &str = "this is no span of time; give start and end in seconds, as [0.1, 0.5], with the height in metres behind them \
     where it is not the floor's";

fn is_span([start, end]: [f64; 2]) -> bool {
    (-FARTHEST..=FARTHEST).contains(&start) && (start..=FARTHEST).contains(&end)
}

impl From<Span> for Vec<f64> {
    fn from(span: Span) -> Self {
        span.ends.into_iter().chain(span.height).collect()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Span".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        values::forms::span(generator)
    }
}

impl ContactsRecipe {
    /// What it says, with lengths in metres.
    pub fn rules(&self) -> ContactRules {
        let usual = DetectOptions::default();
        let edit = |(clip, point, edit): (Option<&str>, PointKind, &PointEdit)| {
            let span = |span: &Span| TouchSpan {
                start: span.ends[0] as f32,
                end: span.ends[1] as f32,
                height: span.height.map(|height| height as f32),
            };
            let only = edit.only.iter().flatten();
            ContactEdit {
                clip: clip.map(str::to_owned),
                point,
                keeps_found: edit.only.is_none(),
                added: only.chain(&edit.add).map(span).collect(),
                removed: edit
                    .remove
                    .iter()
                    .map(|ends| ends.map(|end| end as f32))
                    .collect(),
            }
        };
        ContactRules {
            options: DetectOptions {
                speed_on: self.speed as f32,
                speed_release: self.speed_release as f32,
                height_on: self.height as f32,
                height_release: self
                    .height_release
                    .map_or(usual.height_release, |own| own as f32),
                shortest_seconds: self.shortest as f32,
                gap_seconds: self.gap as f32,
                ground: match self.ground {
                    Some(SourceFloor::Metres(height)) => Some(height as f32),
                    Some(SourceFloor::Lowest) | None => None,
                },
                in_place: self.in_place,
            },
            only_by_hand: !self.found,
            edits: self.named().map(edit).collect(),
        }
    }

    /// Every point that some edit names, with the clip that it is meant for, `None` for all.
    pub fn named(&self) -> impl Iterator<Item = (Option<&str>, PointKind, &PointEdit)> {
        let all = self.points.iter().map(|(point, edit)| (None, point, edit));
        let own = self.clips.iter().flat_map(|(clip, edits)| {
            edits
                .iter()
                .map(move |(point, edit)| (Some(clip.as_str()), point, edit))
        });
        all.chain(own)
            .filter_map(|(clip, point, edit)| Some((clip, PointKind::parse(point)?, edit)))
    }
}
