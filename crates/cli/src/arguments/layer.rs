//! Layers on clips.

use super::Output;
use clap::Args;
use std::path::PathBuf;

/// `rebone layer`.
#[derive(Args, Debug)]
pub(crate) struct Layer {
    /// The file with the clips that get the layer
    pub(crate) base: PathBuf,
    /// A file of the same rig with the clip that is added; joints go together by name
    pub(crate) layer: PathBuf,
    #[command(flatten)]
    pub(crate) result: Output,
    /// How much the layer counts, 0 to 1, or more
    #[arg(long, value_name = "W", default_value_t = 1.0, value_parser = weight, allow_negative_numbers = true)]
    pub(crate) weight: f32,
    /// What the layer is told against: the rest pose of its file, or the first frame of its clip
    #[arg(long, value_enum, default_value_t = From::Rest)]
    pub(crate) from: From,
    /// Blend the two instead of adding: 0 is the base, 1 the layer's clip
    #[arg(long, conflicts_with = "from")]
    pub(crate) blend: bool,
    /// Only this joint and those below it; may be given several times [default: all]
    #[arg(long, value_name = "JOINT")]
    pub(crate) below: Vec<String>,
    /// Clip of the base; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Clip that is the layer, where its file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) layer_clip: Option<String>,
}

/// What a layer is told against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum From {
    /// The rest pose
    Rest,
    /// The first frame
    First,
}

fn weight(text: &str) -> Result<f32, String> {
    let found = text.parse().ok();
    found
        .filter(|weight| (0.0..=10.0).contains(weight))
        .ok_or_else(|| "give a number from 0 to 10".to_owned())
}
