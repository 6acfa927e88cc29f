//! What a recipe says about feet: `feet = false`, or a table `[feet]`.

use super::typed::wrong;
use crate::error::Error;
use crate::feet::FeetChoice;
use crate::preset::Preset;
use crate::root::Standing;
use rebone_runtime::solve::two_bone::Bend;
use rebone_runtime::stage::{Anchor, FloorRule};
use serde::Deserialize;
use std::fmt::Write as _;

/// Choices about feet; what is `None` is the preset's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FeetRecipe {
    /// How much feet, legs and hips are corrected: 0 leaves them as transferred.
    pub weight: Option<f64>,
    /// Which point of a foot stands.
    pub anchor: Option<Anchor>,
    /// The share of a leg's over-stretch by which the hips come nearer.
    pub pull: Option<f64>,
    /// Whether legs that are too short push the hips up.
    pub signed_pull: Option<bool>,
    /// What keeps feet out of the floor.
    pub floor: Option<FloorRule>,
    /// How much feet that touch the floor are held there.
    pub lock: Option<f64>,
    /// Heights of a sole above the floor, as shares of leg and hip width, between which a foot goes over from its place in
    /// the world to where the leg brings it.
    pub swing: Option<[f64; 2]>,
    /// How legs get to their goals.
    pub bend: Option<Bend>,
    /// How high the thighs are when a body stands.
    pub standing: Option<Standing>,
}

impl FeetRecipe {
    /// The choices in force.
    pub fn choice(&self, preset: Preset) -> FeetChoice {
        let usual = FeetChoice::of(preset);
        FeetChoice {
            weight: self.weight.unwrap_or(usual.weight),
            anchor: self.anchor.unwrap_or(usual.anchor),
            pull: self.pull.unwrap_or(usual.pull),
            signed_pull: self.signed_pull.unwrap_or(usual.signed_pull),
            floor: self.floor.unwrap_or(usual.floor),
            swing: self.swing.or(usual.swing),
            lock: self.lock.unwrap_or(usual.lock),
            reach: usual.reach,
            bend: self.bend.unwrap_or(usual.bend),
            standing: self.standing.unwrap_or(usual.standing),
        }
    }
}

/// `feet = false`, `feet = 0.5`, or a table.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "feet are true, false, a number from 0 to 1, or a table"
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Feet"))]
pub(super) enum TypedFeet {
    /// Wholly or not at all.
    Switch(bool),
    /// In part.
    Weight(#[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))] f64),
    /// The weight and more.
    Table(FeetTable),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "FeetTable"))]
pub(super) struct FeetTable {
    /// How much feet, legs and hips are corrected, 0 to 1. Default: 1.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    weight: Option<f64>,
    /// Which point of a foot stands: the ball, or the sole below the ankle. Default: the preset's.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ANCHORS.map(|one| one.0))))]
    anchor: Option<String>,
    /// The share of a leg's over-stretch by which the hips come nearer, 0 to 1. Default: the preset's.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pull: Option<f64>,
    /// Do legs that are too short push the hips up? Default: the preset's.
    signed_pull: Option<bool>,
    /// What keeps feet out of the floor. Default: the preset's.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = FLOORS.map(|one| one.0))))]
    floor: Option<String>,
    /// How much feet that touch the floor are held where they touch it, 0 to 1. Default: the preset's.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    lock: Option<f64>,
    /// Heights of a sole above the floor, as shares of leg and hip width, between which a foot goes over from its place in
    /// the world to where the leg brings it. Default: the preset's.
    swing: Option<[f64; 2]>,
    /// How legs get to their goals: steadily over time, or each frame by itself by the law of cosines. Default: the preset's.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = BENDS.map(|one| one.0))))]
    bend: Option<String>,
    /// How high the thighs are when a body stands: as in its rest pose, or leg and ankle. Default: the preset's.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = STANDINGS.map(|one| one.0))))]
    standing: Option<String>,
}

const ANCHORS: [(&str, Anchor); 2] = [("ball", Anchor::Ball), ("sole", Anchor::Sole)];
const FLOORS: [(&str, FloorRule); 3] = [
    ("soles", FloorRule::Soles),
    ("as-source", FloorRule::AsSource),
    ("off", FloorRule::Off),
];
const BENDS: [(&str, Bend); 2] = [("steady", Bend::Steady), ("switch", Bend::Switch)];
const STANDINGS: [(&str, Standing); 2] = [
    ("rest", Standing::Rest),
    ("leg-and-ankle", Standing::LegAndAnkle),
];

impl TypedFeet {
    pub(super) fn compile(self) -> Result<FeetRecipe, Error> {
        let table = match self {
            Self::Switch(is_on) => FeetTable {
                weight: Some(if is_on { 1.0 } else { 0.0 }),
                ..FeetTable::default()
            },
            Self::Weight(weight) => FeetTable {
                weight: Some(weight),
                ..FeetTable::default()
            },
            Self::Table(table) => table,
        };
        let share = |value: Option<f64>, name: &str| match value {
            Some(value) if !(0.0..=1.0).contains(&value) => Err(wrong(
                format!("{value} is no share"),
                format!("feet.{name}"),
                "give a number from 0 to 1",
            )),
            value => Ok(value),
        };
        let are_heights =
            |[low, high]: [f64; 2]| (0.0..=10.0).contains(&low) && high > low && high <= 10.0;
        if table.swing.is_some_and(|heights| !are_heights(heights)) {
            return Err(wrong(
                "a foot cannot go over between these heights",
                "feet.swing",
                "give two shares of leg and hip width, the lower first, as [0.1, 0.3]",
            ));
        }
        Ok(FeetRecipe {
            swing: table.swing,
            weight: share(table.weight, "weight")?,
            anchor: one_of(table.anchor, "anchor", &ANCHORS)?,
            pull: share(table.pull, "pull")?,
            signed_pull: table.signed_pull,
            floor: one_of(table.floor, "floor", &FLOORS)?,
            lock: share(table.lock, "lock")?,
            bend: one_of(table.bend, "bend", &BENDS)?,
            standing: one_of(table.standing, "standing", &STANDINGS)?,
        })
    }
}

fn one_of<V: Copy>(
    typed: Option<String>,
    name: &str,
    all: &[(&str, V)],
) -> Result<Option<V>, Error> {
    let Some(typed) = typed else { return Ok(None) };
    let found = all.iter().find(|(known, _)| *known == typed);
    found.map(|(_, value)| Some(*value)).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        wrong(
            format!("\"{typed}\" is not known here"),
            format!("feet.{name}"),
            format!("use one of {}", names.join(", ")),
        )
    })
}

fn name_of<V: PartialEq>(value: &V, all: &[(&'static str, V)]) -> &'static str {
    let found = all.iter().find(|(_, known)| known == value);
    found.map_or("", |(name, _)| name)
}

/// The table as text; as a comment that shows how where there is nothing in it.
pub(super) fn feet_text(text: &mut String, feet: &FeetRecipe) {
    if *feet == FeetRecipe::default() {
        let _ = writeln!(
            text,
            "\n# [feet]  # where feet go, and hips and legs with them\n# weight = 1.0\n# lock = 1.0"
        );
        return;
    }
    let _ = writeln!(text, "\n[feet]");
    let numbers = [
        ("weight", feet.weight),
        ("pull", feet.pull),
        ("lock", feet.lock),
    ];
    for (name, value) in numbers {
        if let Some(value) = value {
            let _ = writeln!(text, "{name} = {value:?}");
        }
    }
    if let Some(signed) = feet.signed_pull {
        let _ = writeln!(text, "signed_pull = {signed}");
    }
    if let Some([low, high]) = feet.swing {
        let _ = writeln!(text, "swing = [{low:?}, {high:?}]");
    }
    let names = [
        ("anchor", feet.anchor.map(|one| name_of(&one, &ANCHORS))),
        ("floor", feet.floor.map(|one| name_of(&one, &FLOORS))),
        ("bend", feet.bend.map(|one| name_of(&one, &BENDS))),
        (
            "standing",
            feet.standing.map(|one| name_of(&one, &STANDINGS)),
        ),
    ];
    for (name, value) in names {
        if let Some(value) = value {
            let _ = writeln!(text, "{name} = \"{value}\"");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::Recipe;

    #[test]
    fn choices_survive_being_written_and_read() {
        for text in [
            "feet = false",
            "feet = 0.5",
            "[feet]\nanchor = \"sole\"\npull = 0.3\nsigned_pull = true\nfloor = \"as-source\"\nlock = 0.5\n\
             swing = [0.2, 0.5]\nbend = \"switch\"\nstanding = \"leg-and-ankle\"\nweight = 0.25\n",
        ] {
            let recipe = Recipe::parse(text).unwrap();
            let mut written = String::new();
            feet_text(&mut written, &recipe.feet);
            assert_eq!(Recipe::parse(&written).unwrap(), recipe, "{written}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("feet = 2.0", "feet.weight"),
            ("[feet]\nlock = -1", "feet.lock"),
            ("[feet]\nanchor = \"knee\"", "use one of ball, sole"),
            ("[feet]\nswing = [0.5, 0.2]", "feet.swing"),
            ("[feet]\nbend = \"blend\"", "use one of steady, switch"),
        ] {
            let error = Recipe::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
