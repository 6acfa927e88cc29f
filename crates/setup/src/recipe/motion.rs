//! Choices about travel and weights, as a person types them.

use super::Recipe;
use super::text::{quoted, slot_key};
use super::typed::{TextOrNumber, wrong};
use crate::compile::MOST_WEIGHT;
use crate::error::Error;
use crate::root::RootScale;
use crate::root_motion::{RootAxes, RootMode, RootMotion, SourcePlace};
use glam::DVec3;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// `root_motion = "extract"`, or a table with the mode and more.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "root motion is a mode, or { mode, axes, smooth_seconds }"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RootMotion"))]
pub(super) enum TypedRootMotion {
    /// The mode alone.
    Mode(
        #[cfg_attr(feature = "schema", schemars(extend("enum" = RootMode::ALL.map(RootMode::name))))]
         String,
    ),
    /// The mode and more.
    Table(RootMotionTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "RootMotionTable"))]
pub(super) struct RootMotionTable {
    /// Which joint carries the travel.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = RootMode::ALL.map(RootMode::name))))]
    mode: String,
    /// What of the path counts: some of x (left), y (up), z (forwards) and turn, as "x z turn".
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^(x|y|z|turn|[ ,+])*$")))]
    axes: Option<String>,
    /// Time constant of the path's low-pass, 0 for none.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = RootMotion::SLOWEST_SECONDS)))]
    smooth_seconds: Option<f64>,
}

impl TypedRootMotion {
    pub(super) fn compile(self) -> Result<RootMotion, Error> {
        let table = match self {
            Self::Table(table) => table,
            Self::Mode(mode) => RootMotionTable {
                mode,
                axes: None,
                smooth_seconds: None,
            },
        };
        let mode = RootMode::parse(&table.mode).ok_or_else(|| {
            let names = RootMode::ALL.map(RootMode::name).join(", ");
            wrong(
                format!("there is no root motion \"{}\"", table.mode),
                "root_motion",
                format!("use one of {names}"),
            )
        })?;
        let axes = |text: String| {
            RootAxes::parse(&text).ok_or_else(|| {
                wrong(
                    format!("\"{text}\" are no axes of a path"),
                    "root_motion.axes",
                    "use some of x (left), y (up), z (forwards) and turn, as \"x z turn\"",
                )
            })
        };
        let slowest = RootMotion::SLOWEST_SECONDS;
        if let Some(seconds) = table.smooth_seconds
            && !(0.0..=slowest).contains(&seconds)
        {
            return Err(wrong(
                format!("{seconds} seconds are no time constant"),
                "root_motion.smooth_seconds",
                format!("give 0 for none, at most {slowest}"),
            ));
        }
        Ok(RootMotion {
            mode,
            axes: table.axes.map(axes).transpose()?,
            smooth_seconds: table.smooth_seconds,
        })
    }
}

/// `root_scale` as typed.
pub(super) fn root_scale(typed: TextOrNumber) -> Result<RootScale, Error> {
    let no_scale = |what: String| wrong(what, "root_scale", "give numbers of at least 0");
    match typed {
        TextOrNumber::Number(factor) => RootScale::of_factors(&[factor])
            .ok_or_else(|| no_scale(format!("{factor} is no scale"))),
        TextOrNumber::Numbers(factors) if factors.len() == 3 => RootScale::of_factors(&factors)
            .ok_or_else(|| no_scale(format!("{factors:?} are no scales"))),
        TextOrNumber::Numbers(factors) => Err(wrong(
            format!("{} numbers are no root scale", factors.len()),
            "root_scale",
            "give one for all axes, or three: to the left, up, forwards",
        )),
        TextOrNumber::Text(text) => RootScale::parse(&text).ok_or_else(|| {
            wrong(
                format!("there is no root scale \"{text}\""),
                "root_scale",
                "use auto, legs-hips, legs, hips, stature, legs-stature, none, a number or [x, y, z]",
            )
        }),
    }
}

/// `[source.place]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Place"))]
pub(super) struct TypedPlace {
    /// About up, to its left. Default: 0.
    turn_degrees: Option<f64>,
    /// To its left, up, forwards, metres. Default: none.
    #[serde(default, deserialize_with = "crate::numbers::exactly")]
    shift: Option<[f64; 3]>,
    /// Of its travel, beside root_scale. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0)))]
    scale: Option<f64>,
}

impl TypedPlace {
    pub(super) fn compile(self) -> Result<SourcePlace, Error> {
        let place = SourcePlace {
            turn_degrees: self.turn_degrees.unwrap_or(0.0),
            shift: DVec3::from_array(self.shift.unwrap_or_default()),
            scale: self.scale.unwrap_or(1.0),
        };
        let is_number = place.turn_degrees.is_finite() && place.shift.is_finite();
        if !(is_number && place.scale.is_finite() && place.scale >= 0.0) {
            return Err(wrong(
                "a place needs finite numbers, and a scale of at least 0",
                "source.place",
                "give turn_degrees, shift = [x, y, z] in metres, scale",
            ));
        }
        Ok(place)
    }
}

/// Checks `[target.weights]`.
pub(super) fn weights(typed: BTreeMap<String, f64>) -> Result<BTreeMap<String, f64>, Error> {
    let wrong_one = typed
        .iter()
        .find(|(_, weight)| !(0.0..=MOST_WEIGHT).contains(*weight));
    match wrong_one {
        None => Ok(typed),
        Some((name, weight)) => Err(wrong(
            format!("{weight} is no weight"),
            format!("target.weights.{name}"),
            format!(
                "give 0 (the rest pose) to 1 (the motion), or up to {MOST_WEIGHT} to exaggerate"
            ),
        )),
    }
}

/// The root scale as text.
pub(super) fn root_scale_text(text: &mut String, scale: RootScale) {
    let _ = match scale {
        RootScale::Factor(factor) => writeln!(text, "root_scale = {factor:?}"),
        RootScale::Axes(factors) => writeln!(text, "root_scale = {factors:?}"),
        law => writeln!(text, "root_scale = \"{}\"", law.name()),
    };
}

/// The root motion as text; nothing where it is the default.
pub(super) fn root_motion_text(text: &mut String, motion: &RootMotion) {
    if *motion == RootMotion::default() {
        return;
    }
    let mut table = format!("mode = \"{}\"", motion.mode.name());
    if let Some(axes) = motion.axes {
        let _ = write!(table, ", axes = \"{}\"", axes.name());
    }
    if let Some(seconds) = motion.smooth_seconds {
        let _ = write!(table, ", smooth_seconds = {seconds:?}");
    }
    let _ = writeln!(text, "root_motion = {{ {table} }}");
}

/// Place of the source and weights of the target as text; nothing where they are the default.
pub(super) fn tables_text(text: &mut String, recipe: &Recipe, side: &str) {
    let place = &recipe.source_place;
    if side == "source" && *place != SourcePlace::default() {
        let [x, y, z] = place.shift.to_array();
        let _ = writeln!(
            text,
            "\n[source.place]\nturn_degrees = {:?}\nshift = [{x:?}, {y:?}, {z:?}]\nscale = {:?}",
            place.turn_degrees, place.scale
        );
    }
    if side == "target" && !recipe.weights.is_empty() {
        let _ = writeln!(text, "\n[target.weights]");
        for (name, weight) in &recipe.weights {
            let _ = writeln!(text, "{} = {weight:?}", slot_key(name));
        }
    }
}

/// The root joint that a person named.
pub(super) fn root_text(text: &mut String, root: Option<&str>) {
    if let Some(root) = root {
        let _ = writeln!(text, "root = {}", quoted(root));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "additive = \"first\"\nroot_scale = [1.0, 0.5, 0.0]\n\
        root_motion = { mode = \"in-place\", axes = \"z turn\", smooth_seconds = 0.1 }\n\
        [source]\nroot = \"a \\\"b\\\"\"\n[source.place]\nturn_degrees = 90.0\nshift = [0.0, 1.0, -2.5]\n\
        [target]\nroot = \"\"\n[target.weights]\narms = 0.5\n\"J 1\" = 2.0\n";

    #[test]
    fn choices_about_travel_survive_being_written_and_read() {
        let recipe = Recipe::parse(TEXT).unwrap();
        assert_eq!(recipe.root_scale(), RootScale::Axes([1.0, 0.5, 0.0]));
        assert_eq!(recipe.root_motion.mode, RootMode::InPlace);
        assert_eq!(recipe.root_motion.axes().name(), "z turn");
        assert_eq!(recipe.source_place.shift.z, -2.5);
        assert_eq!(recipe.weights["J 1"], 2.0);
        let character = rebone_model::Character::default();
        let map = crate::mapping::map_character(&character);
        let text = recipe.to_text((&character, &map), (&character, &map));
        assert_eq!(
            Recipe::parse(&text).unwrap(),
            Recipe {
                root_scale: recipe.root_scale,
                ..recipe
            }
        );
        let short = Recipe::parse("root_motion = \"extract\"").unwrap();
        assert!(short.root_motion.axes().turn && short.root_motion.smooth_seconds() == 0.25);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            (
                "root_motion = \"fly\"",
                "there is no root motion \"fly\" (at root_motion)",
            ),
            ("root_motion = { mode = \"hips\", axes = \"q\" }", "no axes"),
            (
                "root_motion = { mode = \"hips\", smooth_seconds = -1 }",
                "time constant",
            ),
            (
                "root_motion = { mode = \"hips\", smooth_seconds = nan }",
                "time constant",
            ),
            ("root_scale = [1, 2]", "2 numbers"),
            ("root_scale = [1, -2, 1]", "no scales"),
            ("[target.weights]\narms = -0.5", "target.weights.arms"),
            ("[target.weights]\narms = nan", "no weight"),
            ("[source.place]\nshift = [0, nan, 0]", "finite"),
            ("[source.place]\nscale = -1", "at least 0"),
            ("[source.weights]\narms = 0.5", "only the target"),
            ("[target.place]\nscale = 1", "only the source"),
        ] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
