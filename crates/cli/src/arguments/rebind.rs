//! Re-based skins.

use crate::values;
use clap::{Args, ValueEnum};
use rebone::RootScale;
use std::path::PathBuf;

const ROOT_SCALES: &str = "\
Law of the size of steps [default: auto]

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

/// `rebone rebind`.
#[derive(Args, Debug)]
pub(crate) struct Rebind {
    /// The rig whose rotations will drive the character, with or without clips
    pub(crate) source: PathBuf,
    /// The skinned character
    pub(crate) target: PathBuf,
    /// The result: the target's meshes on the source's skeleton, with the source's clips (glb, gltf, fbx)
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Choices: a recipe, or the map of another tool
    #[arg(long, value_name = "FILE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Clip of the source to take along; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Take no clip along
    #[arg(long, conflicts_with = "clip")]
    pub(crate) without_clips: bool,
    /// Keys of translation in the clips
    #[arg(long, value_enum, default_value_t)]
    pub(crate) places: Places,
    /// Law of the size of steps: auto, legs-hips, legs, hips, stature, legs-stature, none, a number, or three as 1,0.9,1, which are
    /// written into the hips' keys [default: auto]
    #[arg(long, value_name = "SCALE", value_parser = values::root_scale, allow_negative_numbers = true)]
    #[arg(long_help = ROOT_SCALES)]
    pub(crate) root_scale: Option<RootScale>,
    /// Skeleton of the source, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Skeleton of the target, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) target_skeleton: Option<String>,
}

/// Where keys of translation come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Places {
    /// From a retarget, where it places joints elsewhere than the source's own keys do
    #[default]
    Fitted,
    /// The hips' own, untouched; a node above the skeleton scales them
    Raw,
}
