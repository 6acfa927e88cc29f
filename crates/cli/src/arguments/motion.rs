//! Choices about travel and weights, for all that retargets.

use super::{Mirroring, Touching};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rebone::Recipe;
use rebone::setup::compile::MOST_WEIGHT;
use rebone::setup::root_motion::{RootAxes, RootMode, RootMotion};

/// What of a recipe concerns travel and weights.
#[derive(Args, Debug)]
pub(crate) struct Motion {
    /// Which joint carries the travel [default: as-source]
    #[arg(long, value_name = "MODE", value_parser = mode_parser())]
    pub(crate) root_motion: Option<RootMode>,
    /// Take the path over the ground out of the motion; the same as --root-motion in-place
    #[arg(long, conflicts_with = "root_motion")]
    pub(crate) in_place: bool,
    /// What of the path counts, for extract, project and in-place: some of x (left), y (up), z (forwards) and turn,
    /// as x,z,turn [default: x,z, and for extract turn]
    #[arg(long, value_name = "AXES", value_parser = axes)]
    pub(crate) root_axes: Option<RootAxes>,
    /// Time constant of the path's low-pass, 0 for none [default: 0.25; for project 0]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) root_smooth: Option<f64>,
    /// Turn the whole source about up, degrees to its left
    #[arg(long, value_name = "DEGREES", value_parser = number, allow_negative_numbers = true)]
    pub(crate) turn: Option<f64>,
    /// Shift the whole source to its left, up and forwards, metres
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_negative_numbers = true)]
    pub(crate) shift: Option<[f64; 3]>,
    /// How much a joint, slot or group of the target moves, 0 (rest pose) to 1, or more; may be given several times
    /// (groups: arms, legs, fingers, torso, face, leftArms, ...)
    #[arg(long, value_name = "NAME=WEIGHT", value_parser = weight)]
    pub(crate) weight: Vec<(String, f64)>,
    /// The mirror.
    #[command(flatten)]
    pub(crate) mirroring: Mirroring,
    /// Hands and pins.
    #[command(flatten)]
    pub(crate) touching: Touching,
}

impl Motion {
    /// Puts these choices on top of a recipe's.
    pub(crate) fn put_into(&self, recipe: &mut Recipe) {
        let in_place = self.in_place.then_some(RootMode::InPlace);
        if let Some(mode) = self.root_motion.or(in_place) {
            // What was chosen for another mode says nothing about this one.
            if mode != recipe.root_motion.mode {
                recipe.root_motion = RootMotion {
                    mode,
                    ..RootMotion::default()
                };
            }
        }
        let motion = &mut recipe.root_motion;
        motion.axes = self.root_axes.or(motion.axes);
        motion.smooth_seconds = self.root_smooth.or(motion.smooth_seconds);
        let place = &mut recipe.source_place;
        place.turn_degrees = self.turn.unwrap_or(place.turn_degrees);
        place.shift = self.shift.map_or(place.shift, Into::into);
        recipe.weights.extend(self.weight.iter().cloned());
        self.mirroring.put_into(recipe);
        self.touching.put_into(recipe);
    }
}

fn mode_parser() -> impl TypedValueParser<Value = RootMode> {
    let value = |mode: RootMode| {
        PossibleValue::new(mode.name()).help(match mode {
            RootMode::AsSource => "The root joint does what the source's does, if both have one",
            RootMode::Hips => "The root joint rests, the hips carry all",
            RootMode::Extract => {
                "The root joint takes the hips' path over the ground and their heading"
            }
            RootMode::Project => "The root joint stays right below the hips, without turning",
            RootMode::InPlace => "The path over the ground is taken out",
        })
    };
    PossibleValuesParser::new(RootMode::ALL.map(value))
        .try_map(|name| RootMode::parse(&name).ok_or("there is no such mode"))
}

fn axes(text: &str) -> Result<RootAxes, String> {
    RootAxes::parse(text).ok_or_else(|| "use some of x, y, z and turn, as x,z,turn".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    let slowest = RootMotion::SLOWEST_SECONDS;
    let found = text.parse().ok();
    found
        .filter(|seconds| (0.0..=slowest).contains(seconds))
        .ok_or_else(|| format!("give seconds: a number from 0 to {slowest}"))
}

fn number(text: &str) -> Result<f64, String> {
    let found = text.trim().parse().ok();
    found
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| "give a number".to_owned())
}

fn vector(text: &str) -> Result<[f64; 3], String> {
    let parts: Result<Vec<f64>, String> = text.split(',').map(number).collect();
    let three = parts.ok().and_then(|parts| parts.try_into().ok());
    three.ok_or_else(|| "give three numbers, as 0,1.5,-2".to_owned())
}

fn weight(text: &str) -> Result<(String, f64), String> {
    let wrong = || format!("give a name and a weight from 0 to {MOST_WEIGHT}, as leftUpperArm=0.5");
    let (name, weight) = text.rsplit_once('=').ok_or_else(wrong)?;
    let weight = number(weight)
        .ok()
        .filter(|weight| (0.0..=MOST_WEIGHT).contains(weight));
    weight
        .filter(|_| !name.is_empty())
        .map(|weight| (name.to_owned(), weight))
        .ok_or_else(wrong)
}
