//! What a recipe says about contacts of the source: `[contacts]`.

mod text;

pub(super) use text::contacts_text;

use super::text::slot_key;
use super::typed::wrong;
use crate::error::Error;
use rebone_runtime::contact::{
    ContactEdit, ContactRules, DetectOptions, InPlace, POINTS, PointKind, TOUCHING, TouchSpan,
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Edits of points.
pub type PointEdits = BTreeMap<PointKind, PointEdit>;

/// Choices about contacts; what is `None` is as usual.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactsRecipe {
    /// Whether contacts are found at all. Default: they are.
    pub found: Option<bool>,
    /// Fastest that a point may begin to touch, leg lengths a second.
    pub speed: Option<f64>,
    /// How many times as fast it has left.
    pub speed_release: Option<f64>,
    /// Highest over its level that a point may begin to touch, leg lengths.
    pub height: Option<f64>,
    /// How many times as high it has left.
    pub height_release: Option<f64>,
    /// Shortest contact, seconds.
    pub shortest: Option<f64>,
    /// Gaps that are closed, seconds.
    pub gap: Option<f64>,
    /// Where the source's floor is. Default: it is found.
    pub ground: Option<SourceFloor>,
    /// Whether a clip may be one that runs in place.
    pub in_place: Option<InPlace>,
    /// Edits in every clip.
    pub points: PointEdits,
    /// Edits in one clip, by its name; they win.
    pub clips: BTreeMap<String, PointEdits>,
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
    /// Reads `file` (the zero plane), `lowest`, or a height in metres.
    ///
    /// # Errors
    ///
    /// Says what may be written if the text is none of them.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "file" => Ok(Self::Metres(0.0)),
            "lowest" => Ok(Self::Lowest),
            _ => match text.parse() {
                Ok(metres) if (-FARTHEST..=FARTHEST).contains(&metres) => Ok(Self::Metres(metres)),
                _ => Err(format!(
                    "\"{text}\" is no floor; write a height in metres, file or lowest"
                )),
            },
        }
    }
}

/// A height, or `lowest`.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "contacts.ground is a height in metres, \"file\" or \"lowest\""
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "SourceFloor"))]
enum TypedFloor {
    /// Metres.
    Height(f64),
    /// The zero plane of the file, or where the feet are lowest in the clips.
    Word(#[cfg_attr(feature = "schema", schemars(extend("enum" = ["file", "lowest"])))] String),
}

/// What a person says about one point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointEdit {
    /// Whether what is found counts, too.
    pub keeps_found: bool,
    /// When it touches: start and end in seconds, and how high, metres.
    pub added: Vec<(f64, f64, Option<f64>)>,
    /// When it does not: start and end, seconds.
    pub removed: Vec<[f64; 2]>,
}

impl ContactsRecipe {
    /// What it says, with lengths in metres.
    pub fn rules(&self) -> ContactRules {
        let usual = DetectOptions::default();
        let or = |value: Option<f64>, usual: f32| value.map_or(usual, |value| value as f32);
        let all = self.points.iter().map(|(&point, edit)| (None, point, edit));
        let own = self.clips.iter().flat_map(|(clip, edits)| {
            edits
                .iter()
                .map(move |(&point, edit)| (Some(clip), point, edit))
        });
        let edit = |(clip, point, edit): (Option<&String>, PointKind, &PointEdit)| {
            let span = |&(start, end, height): &(f64, f64, Option<f64>)| TouchSpan {
                start: start as f32,
                end: end as f32,
                height: height.map(|height| height as f32),
            };
            ContactEdit {
                clip: clip.cloned(),
                point,
                keeps_found: edit.keeps_found,
                added: edit.added.iter().map(span).collect(),
                removed: edit
                    .removed
                    .iter()
                    .map(|ends| ends.map(|end| end as f32))
                    .collect(),
            }
        };
        ContactRules {
            options: DetectOptions {
                speed_on: or(self.speed, usual.speed_on),
                speed_release: or(self.speed_release, usual.speed_release),
                height_on: or(self.height, usual.height_on),
                height_release: or(self.height_release, usual.height_release),
                shortest_seconds: or(self.shortest, usual.shortest_seconds),
                gap_seconds: or(self.gap, usual.gap_seconds),
                ground: match self.ground {
                    Some(SourceFloor::Metres(height)) => Some(height as f32),
                    Some(SourceFloor::Lowest) | None => None,
                },
                in_place: self.in_place.unwrap_or_default(),
            },
            only_by_hand: self.found == Some(false),
            edits: all.chain(own).map(edit).collect(),
        }
    }

    /// Every point that some edit names, with the clip it is meant for.
    pub fn named(&self) -> impl Iterator<Item = (Option<&str>, PointKind)> {
        let all = self.points.keys().map(|&point| (None, point));
        let own = self
            .clips
            .iter()
            .flat_map(|(clip, edits)| edits.keys().map(move |&point| (Some(clip.as_str()), point)));
        all.chain(own)
    }
}

/// `[contacts]`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Contacts"))]
pub(super) struct TypedContacts {
    /// Are contacts found? false: only those that are written here count. Default: true.
    found: Option<bool>,
    /// Fastest that a point may begin to touch, leg lengths a second, at most; calm clips take less. Default: 0.2.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.01, max = 10.0)))]
    speed: Option<f64>,
    /// How many times as fast a point has left. Default: 2.
    #[cfg_attr(feature = "schema", schemars(range(min = 1.0, max = 10.0)))]
    speed_release: Option<f64>,
    /// Highest over its level that a point may begin to touch, leg lengths, at most; clean clips take less. Default: 0.03.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.001, max = 1.0)))]
    height: Option<f64>,
    /// How many times as high a point has left. Default: 1.667.
    #[cfg_attr(feature = "schema", schemars(range(min = 1.0, max = 10.0)))]
    height_release: Option<f64>,
    /// Shortest contact, seconds. Default: 0.06.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 10.0)))]
    shortest: Option<f64>,
    /// Shorter gaps are closed where the point stays in its place, seconds. Default: 0.1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 10.0)))]
    gap: Option<f64>,
    /// The source's floor: its height in the file in metres, "file" for the file's zero plane, or "lowest" for where the
    /// feet are lowest in the clips. Left out: it is found.
    ground: Option<TypedFloor>,
    /// Clips that run in place: auto finds them, never takes every floor as still. Default: auto.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = IN_PLACE.map(|one| one.0))))]
    in_place: Option<String>,
    /// In every clip: when a point of the source touches, in place of what is found; or what is added and taken out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(extend("propertyNames" = point_names())))]
    points: BTreeMap<String, TypedEdit>,
    /// The same of one clip, by its name; it wins.
    #[serde(default)]
    clips: BTreeMap<String, BTreeMap<String, TypedEdit>>,
}

/// Spans of a point, or a table.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "a point touches in spans, as [[0.1, 0.5], [0.9, 1.3]], or { add = [[0.1, 0.5]], remove = [[0.9, 1.3]] }"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PointContacts"))]
enum TypedEdit {
    /// Start and end in seconds, in place of what is found; a third number is the height of what is touched, metres.
    Spans(Vec<Vec<f64>>),
    /// Found contacts stay.
    Table(EditTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "PointContactsTable"))]
struct EditTable {
    /// Start and end in seconds; a third number is the height of what is touched, metres.
    #[serde(default)]
    add: Vec<Vec<f64>>,
    /// Start and end in seconds.
    #[serde(default)]
    remove: Vec<Vec<f64>>,
}

const IN_PLACE: [(&str, InPlace); 2] = [("auto", InPlace::Auto), ("never", InPlace::Never)];

#[cfg(feature = "schema")]
fn point_names() -> serde_json::Value {
    let names: Vec<&str> = POINTS[..TOUCHING].iter().map(|(name, _)| *name).collect();
    serde_json::json!({"enum": names})
}

impl TypedContacts {
    pub(super) fn compile(self) -> Result<ContactsRecipe, Error> {
        let within = |value: Option<f64>, name: &str, low: f64, high: f64| match value {
            Some(value) if !(low..=high).contains(&value) => Err(wrong(
                format!("{value} is out of range"),
                format!("contacts.{name}"),
                format!("give a number from {low} to {high}"),
            )),
            value => Ok(value),
        };
        let in_place = self.in_place.map(|typed| {
            let found = IN_PLACE.iter().find(|(name, _)| *name == typed);
            found.map(|(_, value)| *value).ok_or_else(|| {
                wrong(
                    format!("\"{typed}\" is not known here"),
                    "contacts.in_place",
                    "use auto or never",
                )
            })
        });
        let clips = self.clips.into_iter().map(|(clip, edits)| {
            let place = format!("contacts.clips.{}", slot_key(&clip));
            Ok((clip, compile_edits(edits, &place)?))
        });
        Ok(ContactsRecipe {
            found: self.found,
            speed: within(self.speed, "speed", 0.01, 10.0)?,
            speed_release: within(self.speed_release, "speed_release", 1.0, 10.0)?,
            height: within(self.height, "height", 0.001, 1.0)?,
            height_release: within(self.height_release, "height_release", 1.0, 10.0)?,
            shortest: within(self.shortest, "shortest", 0.0, 10.0)?,
            gap: within(self.gap, "gap", 0.0, 10.0)?,
            ground: floor(self.ground)?,
            in_place: in_place.transpose()?,
            points: compile_edits(self.points, "contacts.points")?,
            clips: clips.collect::<Result<_, Error>>()?,
        })
    }
}

/// Metres and seconds beyond which nobody means what is written.
const FARTHEST: f64 = 1e6;

fn floor(typed: Option<TypedFloor>) -> Result<Option<SourceFloor>, Error> {
    let found = match typed {
        None => return Ok(None),
        Some(TypedFloor::Height(height)) => SourceFloor::parse(&height.to_string()),
        Some(TypedFloor::Word(word)) => SourceFloor::parse(&word),
    };
    found.map(Some).map_err(|what| {
        wrong(
            what,
            "contacts.ground",
            "write a height in metres, \"file\" or \"lowest\"",
        )
    })
}

fn compile_edits(typed: BTreeMap<String, TypedEdit>, place: &str) -> Result<PointEdits, Error> {
    let edit = |(name, typed): (String, TypedEdit)| {
        let Some(point) = PointKind::parse(&name) else {
            let names: Vec<&str> = POINTS[..TOUCHING].iter().map(|(name, _)| *name).collect();
            return Err(wrong(
                format!("there is no point \"{name}\""),
                place,
                format!("use one of {}", names.join(", ")),
            ));
        };
        let place = format!("{place}.{name}");
        let (keeps_found, add, remove) = match typed {
            TypedEdit::Spans(spans) => (false, spans, Vec::new()),
            TypedEdit::Table(table) => (true, table.add, table.remove),
        };
        let added = add.iter().map(|span| match *span.as_slice() {
            [start, end] if is_span(start, end) => Ok((start, end, None)),
            [start, end, height] if is_span(start, end) && height.abs() <= FARTHEST => {
                Ok((start, end, Some(height)))
            }
            _ => Err(no_span(&place)),
        });
        let removed = remove.iter().map(|span| match *span.as_slice() {
            [start, end] if is_span(start, end) => Ok([start, end]),
            _ => Err(no_span(&place)),
        });
        let edit = PointEdit {
            keeps_found,
            added: added.collect::<Result<_, Error>>()?,
            removed: removed.collect::<Result<_, Error>>()?,
        };
        Ok((point, edit))
    };
    typed.into_iter().map(edit).collect()
}

fn is_span(start: f64, end: f64) -> bool {
    (-FARTHEST..=FARTHEST).contains(&start) && (start..=FARTHEST).contains(&end)
}

fn no_span(place: &str) -> Error {
    wrong(
        "this is no span of time",
        place,
        "give start and end in seconds, as [0.1, 0.5], with the height in metres behind them where it is not the floor's",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

    #[test]
    fn choices_survive_being_written_and_read() {
        for text in [
            "",
            "[contacts]\nfound = false",
            "[contacts]\nground = \"lowest\"",
            "[contacts]\nspeed = 0.3\nspeed_release = 1.5\nheight = 0.05\nheight_release = 2\nshortest = 0.1\ngap = 0\n\
             ground = -0.25\nin_place = \"never\"\n[contacts.points]\nleftHeel = [[0.1, 0.5], [0.9, 1.3, 0.2]]\nseat = []\n\
             rightToes = { add = [[1, 2]], remove = [[3, 4.5]] }\n[contacts.clips.\"a \\\"b\\\"\"]\nrightHand = [[0, 1]]\n\
             [contacts.clips.walk]\n",
        ] {
            let recipe = Recipe::parse(text).unwrap();
            let mut written = String::new();
            contacts_text(&mut written, &recipe.contacts);
            assert_eq!(Recipe::parse(&written).unwrap(), recipe, "{written}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("[contacts]\nspeed = 0", "contacts.speed"),
            ("[contacts]\nground = nan", "contacts.ground"),
            (
                "[contacts]\nground = \"highest\"",
                "\"highest\" is no floor",
            ),
            ("[contacts]\nin_place = \"maybe\"", "use auto or never"),
            (
                "[contacts.points]\nleftElbow = []",
                "use one of leftHeel, rightHeel",
            ),
            ("[contacts.points]\nleftToeTip = []", "there is no point"),
            (
                "[contacts.points]\nseat = [[1, 0.5]]",
                "contacts.points.seat",
            ),
            ("[contacts.points]\nseat = [[1]]", "no span of time"),
            ("[contacts.points]\nseat = [[0, nan]]", "no span of time"),
            (
                "[contacts.points]\nseat = { remove = [[0, 1, 2]] }",
                "no span of time",
            ),
            (
                "[contacts.clips.\"a b\"]\nseat = 3",
                "a point touches in spans",
            ),
            (
                "[contacts.clips.\"a b\"]\nnose = []",
                "contacts.clips.\"a b\"",
            ),
        ] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
