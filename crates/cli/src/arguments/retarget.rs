//! Retargets, and what compiles and applies them.

use super::{Motion, Rules, Sharing};
use crate::figures::Check;
use crate::settings;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rebone::core::align::PoseChoice;
use rebone::core::layers::LayerBase;
use rebone::{Method, Preset, RootScale};
use std::path::PathBuf;

const ROOT_SCALES: &str = "\
Law of the size of steps [default: auto, but none with the preset match-source]

Possible values:
- auto:         by leg length plus hip width, so that strides fit the target's legs
- legs:         by leg length alone
- hips:         by the height of the hips when standing
- stature:      by the height of the head
- legs-stature: by the mean of legs and stature: between equal strides and equal heights
- none:         steps as long as the source's, in metres
- a number:     target metres a source metre
- three numbers: the same to the left, up and forwards, as 1,0.9,1";

/// `rebone retarget`.
#[derive(Args, Debug)]
pub(crate) struct Retarget {
    /// The file with the motion, or a folder of such files, all of whose clips are taken
    pub(crate) source: PathBuf,
    /// The file with the character that is to move
    pub(crate) target: PathBuf,
    /// The result: the target with the new clips (fbx, glb, gltf, vrm), or a motion file (bvh, vrma)
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Choices and corrections, as `rebone map SOURCE TARGET -o RECIPE` writes them; or the map of another tool
    /// (Unreal, Unity, Godot, HumanIK, Auto-Rig Pro, ...)
    #[arg(long, value_name = "RECIPE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Write the choices of this run, with every joint it used
    #[arg(long, value_name = "RECIPE")]
    pub(crate) save_recipe: Option<PathBuf>,
    /// Clip of the source; may be given several times [default: all clips]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
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
    #[arg(long, value_name = "N", value_parser = settings::moment)]
    pub(crate) rest_frame: Option<PoseChoice>,
    /// The same for the target
    #[arg(long, value_name = "N", value_parser = settings::moment)]
    pub(crate) target_rest_frame: Option<PoseChoice>,
    /// How rotations are transferred [default: model-delta]
    #[arg(long, value_name = "METHOD", value_parser = method_parser())]
    pub(crate) method: Option<Method>,
    /// A named set of choices [default: faithful]
    #[arg(long, value_name = "PRESET", value_parser = preset_parser())]
    pub(crate) preset: Option<Preset>,
    /// Law of the size of steps: auto, legs, hips, stature, legs-stature, none, a number, or three as 1,0.9,1
    /// [default: auto]
    #[arg(long, value_name = "SCALE", value_parser = settings::root_scale, allow_negative_numbers = true)]
    #[arg(long_help = ROOT_SCALES)]
    pub(crate) root_scale: Option<RootScale>,
    /// Travel and weights.
    #[command(flatten)]
    pub(crate) motion: Motion,
    /// The source's clips are layers, told against its rest pose or their first frame; the result is told against the
    /// target's rest pose, without travel
    #[arg(long, value_name = "BASE", value_parser = additive_parser())]
    pub(crate) additive: Option<LayerBase>,
    /// Profile by which joints are found: humanoid, quadruped, or a file [default: what it looks like]
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Also between kinds: arms move front legs, legs hind legs, and the other way round
    #[arg(long)]
    pub(crate) across_kinds: bool,
    #[command(flatten)]
    pub(crate) sharing: Sharing,
    /// Frames a second of the result [default: the source's own keys]
    #[arg(long, value_name = "N", value_parser = settings::rate_hz, allow_negative_numbers = true)]
    pub(crate) fps: Option<f64>,
    /// Write the path over the ground that --in-place takes out, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) root_path: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// Write the quality figures as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// End with exit code 1 if this holds, as mean_direction>5 (degrees); several after commas
    #[arg(long, value_name = "EXPR", value_delimiter = ',', value_parser = Check::parse)]
    pub(crate) fail_on: Vec<Check>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `rebone compile`.
#[derive(Args, Debug)]
pub(crate) struct Compile {
    /// The rig that will move, with or without clips
    pub(crate) source: PathBuf,
    /// The rig that will be moved
    pub(crate) target: PathBuf,
    /// The .retarget file
    #[arg(short, long, value_name = "X.retarget")]
    pub(crate) output: PathBuf,
    /// Travel and weights.
    #[command(flatten)]
    pub(crate) motion: Motion,
    /// Choices: a recipe, or the map of another tool
    #[arg(long, value_name = "FILE")]
    pub(crate) recipe: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) rules: Rules,
    #[command(flatten)]
    pub(crate) sharing: Sharing,
    /// Also hold the matrices that hang the target's skin from the source's skeleton, as `rebone rebind` does
    #[arg(long)]
    pub(crate) rebind: bool,
    /// Clip of the source to look at for floor and pose; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Skeleton of the source, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Skeleton of the target, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) target_skeleton: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

/// `rebone apply`.
#[derive(Args, Debug)]
pub(crate) struct Apply {
    /// What `rebone compile` wrote
    #[arg(value_name = "X.retarget")]
    pub(crate) asset: PathBuf,
    /// A file with clips of the source rig
    #[arg(value_name = "CLIP")]
    pub(crate) clips: PathBuf,
    /// The result: the target's skeleton with the clips; its extension chooses the format
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Which clip; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// The skeleton, where the file of clips holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Show the clips in the mirror, where the .retarget file was compiled with --mirror or --mirror=ready
    #[arg(long, value_name = "WHEN", value_parser = ["on", "off"])]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    pub(crate) mirror: Option<String>,
    /// Print one JSON document
    #[arg(long)]
    pub(crate) json: bool,
}

fn additive_parser() -> impl TypedValueParser<Value = LayerBase> {
    PossibleValuesParser::new([LayerBase::Rest, LayerBase::First].map(LayerBase::name))
        .try_map(|name| LayerBase::parse(&name).ok_or("there is no such base"))
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
