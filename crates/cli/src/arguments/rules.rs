//! What the target's body may do, and what is put on top of its motion.

use crate::advice::worded;
use crate::failure::Failure;
use crate::session;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rebone::Recipe;
use rebone::Role;
use rebone::opening::Opening;
use rebone::setup::limits::{LimitsChoice, learn};
use rebone::setup::mapping::ProfileChoice;
use rebone::setup::recipe::LimitsRecipe;
use std::path::PathBuf;

/// Largest angle of a spacing, degrees.
const WIDEST: f64 = 60.0;

/// Limits, spacing, gaze.
#[derive(Args, Debug, Default)]
pub(crate) struct Rules {
    /// How far the target's joints may turn: none, human, profile (as the target's profile says) [default: none]
    #[arg(long, value_name = "TABLE", value_parser = table_parser(), conflicts_with = "limits_from")]
    pub(crate) limits: Option<LimitsChoice>,
    /// A file with clips of the target's rig: joints turn no further than in them, and 5 degrees more
    #[arg(long, value_name = "FILE")]
    pub(crate) limits_from: Option<PathBuf>,
    /// Arms so many degrees further from the body; negative brings them nearer [default: 0]
    #[arg(long, value_name = "DEGREES", value_parser = spacing, allow_negative_numbers = true)]
    pub(crate) arm_spacing: Option<f64>,
    /// The same for legs
    #[arg(long, value_name = "DEGREES", value_parser = spacing, allow_negative_numbers = true)]
    pub(crate) leg_spacing: Option<f64>,
    /// Neck, head and eyes look at this point: metres to the body's left, up, forwards, as 0,1.5,2
    #[arg(long, value_name = "X,Y,Z", value_parser = point, allow_hyphen_values = true)]
    pub(crate) look_at: Option<[f64; 3]>,
}

impl Rules {
    /// The file that limits are learnt from.
    pub(crate) fn input(&self) -> Option<&PathBuf> {
        self.limits_from.as_ref()
    }

    /// Puts these choices on top of a recipe's.
    pub(crate) fn put_on(
        &self,
        recipe: &mut Recipe,
        profile: ProfileChoice,
    ) -> Result<(), Failure> {
        if let Some(choice) = self.limits {
            recipe.limits.choice = choice;
        }
        if let Some(path) = &self.limits_from {
            let wanted = Opening {
                profile,
                ..Opening::new(Role::Source)
            };
            let loaded = session::load(path, &wanted)?;
            let rig = &loaded.rig;
            let clips: Vec<_> = rig.character.clips.iter().collect();
            let learnt = learn(&rig.character, &rig.map, &rig.alignment, &clips);
            if let Some(doubt) = learnt.warnings.first() {
                return Err(Failure::at(path, &doubt.message, worded(&doubt.remedy)));
            }
            let slots = learnt.table.into_iter();
            recipe.limits = LimitsRecipe {
                choice: LimitsChoice::Learnt,
                slots: slots.map(|(slot, limit)| (slot, limit.into())).collect(),
            };
        }
        if self.arm_spacing.or(self.leg_spacing).is_some() {
            let mut spacing = recipe.target.spacing.unwrap_or_default();
            spacing.arms = self.arm_spacing.unwrap_or(spacing.arms);
            spacing.legs = self.leg_spacing.unwrap_or(spacing.legs);
            recipe.target.spacing = Some(spacing);
        }
        if self.look_at.is_some() {
            let mut look_at = recipe.target.look_at.unwrap_or_default();
            look_at.point = self.look_at;
            recipe.target.look_at = Some(look_at);
        }
        Ok(())
    }
}

fn table_parser() -> impl TypedValueParser<Value = LimitsChoice> {
    let tables = [
        (LimitsChoice::None, "As far as the motion says"),
        (LimitsChoice::Human, "No further than people can"),
        (
            LimitsChoice::Profile,
            "No further than the profile of the target says",
        ),
    ];
    PossibleValuesParser::new(
        tables.map(|(table, help)| PossibleValue::new(table.name()).help(help)),
    )
    .try_map(|name| LimitsChoice::parse(&name).ok_or("there is no such table"))
}

/// Reads a spacing.
fn spacing(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(angle) if angle.abs() <= WIDEST => Ok(angle),
        _ => Err("give degrees from -60 to 60".to_owned()),
    }
}

/// Reads a point.
fn point(text: &str) -> Result<[f64; 3], String> {
    let numbers: Vec<f64> = text
        .split(',')
        .filter_map(|number| number.trim().parse().ok())
        .filter(|number: &f64| (*number as f32).is_finite())
        .collect();
    <[f64; 3]>::try_from(numbers)
        .ok()
        .filter(|_| text.split(',').count() == 3)
        .ok_or_else(|| "give metres as LEFT,UP,FORWARDS, for example 0,1.5,2".to_owned())
}
