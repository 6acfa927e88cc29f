//! What can be chosen for a pair of rigs; the same for a retarget and for a file that is compiled.

use super::{Motion, Rules, Sharing};
use crate::choices::Choices;
use crate::failure::Failure;
use crate::values;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rebone::model::axes::Axis;
use rebone::setup::align::PoseChoice;
use rebone::setup::mapping::ProfileChoice;
use rebone::{Method, Preset, RootScale};
use std::path::PathBuf;

pub(super) const ROOT_SCALES: &str = "\
Law of the size of steps [default: auto, but none with the preset match-source]

Possible values:
- auto:         by leg length plus hip width (at most half a leg), so that strides fit the target's legs
- legs-hips:    by leg length plus hip width, as HumanIK and Mixamo do
- legs:         by leg length alone
- hips:         by the height of the hips when standing
- stature:      by the height of the head
- legs-stature: by the mean of legs and stature: between equal strides and equal heights
- none:         steps as long as the source's, in metres
- a number:     target metres a source metre
- three numbers: the same to the left, up and forwards, as 1,0.9,1";

/// Skeletons, poses, and all that a recipe says of a plan.
#[derive(Args, Debug)]
pub(crate) struct Pair {
    /// Choices and corrections, as `rebone map SOURCE TARGET -o RECIPE` writes them; or the map of another tool
    /// (Unreal, Unity, Godot, HumanIK, Auto-Rig Pro, ...)
    #[arg(long, value_name = "RECIPE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Anything that a recipe can say, as feet.lock=0.5 (`rebone settings` lists all); may be given several times
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Skeleton of the source, where it holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Skeleton of the target, where it holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) target_skeleton: Option<String>,
    /// Another file of the source's rig, from whose pose the source is compared with the target
    #[arg(long, value_name = "FILE", conflicts_with = "rest_frame")]
    pub(crate) rest: Option<PathBuf>,
    /// The same for the target
    #[arg(long, value_name = "FILE", conflicts_with = "target_rest_frame")]
    pub(crate) target_rest: Option<PathBuf>,
    /// Frame of the source's first clip to compare from: a number counted from 0, or seconds as 1.5s
    #[arg(long, value_name = "N", value_parser = values::moment)]
    pub(crate) rest_frame: Option<PoseChoice>,
    /// The same for the target
    #[arg(long, value_name = "N", value_parser = values::moment)]
    pub(crate) target_rest_frame: Option<PoseChoice>,
    /// Axis of the source's file that is up: +Y, +Z, -Y, ... [default: what the file states or the body shows]
    #[arg(long, value_name = "AXIS", value_parser = values::axis, allow_hyphen_values = true)]
    pub(crate) up: Option<Axis>,
    /// Axis of the source's file towards which the character faces at rest [default: what the body shows]
    #[arg(long, value_name = "AXIS", value_parser = values::axis, allow_hyphen_values = true)]
    pub(crate) forward: Option<Axis>,
    /// How rotations are transferred [default: model-delta]
    #[arg(long, value_name = "METHOD", value_parser = method_parser())]
    pub(crate) method: Option<Method>,
    /// A named set of choices [default: faithful]
    #[arg(long, value_name = "PRESET", value_parser = preset_parser())]
    pub(crate) preset: Option<Preset>,
    /// Law of the size of steps: auto, legs-hips, legs, hips, stature, legs-stature, none, a number, or three as 1,0.9,1
    /// [default: auto]
    #[arg(long, value_name = "SCALE", value_parser = values::root_scale, allow_negative_numbers = true)]
    #[arg(long_help = ROOT_SCALES)]
    pub(crate) root_scale: Option<RootScale>,
    /// Travel and weights.
    #[command(flatten)]
    pub(crate) motion: Motion,
    /// Profile by which joints are found: humanoid, quadruped, or a file [default: what it looks like]
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Also between kinds: arms move front legs, legs hind legs, and the other way round
    #[arg(long)]
    pub(crate) across_kinds: bool,
    #[command(flatten)]
    pub(crate) sharing: Sharing,
    #[command(flatten)]
    pub(crate) rules: Rules,
}

impl Pair {
    /// Files that are read beside source and target, and so must not be written over.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        let files = [
            self.rest.as_ref(),
            self.target_rest.as_ref(),
            self.rules.input(),
        ];
        files.into_iter().flatten()
    }

    /// True where the command line itself names a frame or time: then it must be there, where one of a recipe is a wish.
    pub(crate) fn names_moment(&self) -> bool {
        self.rest_frame.or(self.target_rest_frame).is_some()
    }

    /// The recipe's choices with these on top, and the profile by which both rigs are mapped.
    pub(crate) fn choices(&self) -> Result<(Choices, ProfileChoice), Failure> {
        let mut choices = Choices::with_settings(self.recipe.as_deref(), &self.set)?;
        let recipe = &mut choices.recipe;
        recipe.profile = self.profile.clone().or(recipe.profile.take());
        let profile = values::profile(recipe.profile.as_deref())?;
        recipe.preset = self.preset.unwrap_or(recipe.preset);
        recipe.method = self.method.unwrap_or(recipe.method);
        recipe.root_scale = self.root_scale.or(recipe.root_scale);
        recipe.across_kinds |= self.across_kinds;
        for (side, file, moment) in [
            (&mut recipe.source, &self.rest, self.rest_frame),
            (
                &mut recipe.target,
                &self.target_rest,
                self.target_rest_frame,
            ),
        ] {
            let given = file.is_some().then_some(PoseChoice::Given);
            side.pose = given.or(moment).or(side.pose);
        }
        recipe.source.up = self.up.or(recipe.source.up);
        recipe.source.forward = self.forward.or(recipe.source.forward);
        self.motion.put_into(recipe);
        self.sharing.put_into(recipe);
        self.rules.put_on(recipe, profile)?;
        Ok((choices, profile))
    }
}

fn method_parser() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(method_value))
        .try_map(|name| Method::parse(&name).ok_or("there is no such method"))
}

fn preset_parser() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(preset_value))
        .try_map(|name| Preset::parse(&name).ok_or("there is no such preset"))
}

fn method_value(method: Method) -> PossibleValue {
    PossibleValue::new(method.name()).help(match method {
        Method::ModelDelta => {
            "How far each joint turned from the common pose, seen from the whole body"
        }
        Method::RestDelta => "The same from both files' rest poses, as they are",
        Method::Channels => {
            "Translation, rotation and scale of every joint, each by a constant matrix"
        }
        Method::ParentDelta => "Only the difference between the parents' rest poses is taken out",
    })
}

fn preset_value(preset: Preset) -> PossibleValue {
    PossibleValue::new(preset.name()).help(match preset {
        Preset::Faithful => {
            "Both characters are first brought into one pose, so that limbs point alike"
        }
        Preset::Humanik => "Both stances are taken as equal, as HumanIK does",
        Preset::Mixamo => "Only the arms are brought into one pose, as Mixamo does",
        Preset::MatchSource => "As faithful, but steps are as long as the source's",
    })
}
