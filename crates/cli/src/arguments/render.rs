//! Pictures.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `rebone render`.
#[derive(Args, Debug)]
pub(crate) struct Render {
    /// The files, in the order of their rows
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The picture: svg or png (filmstrip), or gif (playback; a turntable where nothing moves)
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// The clip to show; may be given several times, each a row of its own [default: the first that all
    /// files have, else the first of the first file and the last of each further one]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Draw the files side by side in the pose in which `retarget` compares them: the first as the source,
    /// the others as its targets
    #[arg(long, conflicts_with = "clip")]
    pub(crate) retarget_pose: bool,
    /// Choices and corrections whose effect on the retarget pose is to be seen; of one file those of the target
    #[arg(long, value_name = "RECIPE", requires = "retarget_pose")]
    pub(crate) recipe: Option<PathBuf>,
    /// The skeleton, where a file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Pictures a row of a filmstrip
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) frames: u16,
    /// Where the camera stands
    #[arg(long, value_enum, default_value_t)]
    pub(crate) view: View,
    /// What of the characters is drawn
    #[arg(long, value_enum, default_value_t)]
    pub(crate) style: Style,
    /// Height of a picture in pixels [default: 300, gif: 360]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(32..=4096))]
    pub(crate) size: Option<u32>,
    /// Draw all characters equally tall [default: true sizes, unless one is over 3 times as tall]
    #[arg(long)]
    pub(crate) same_height: bool,
}

/// Camera places by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// Straight in front
    Front,
    /// On the right of the character
    Side,
    /// In between
    #[default]
    ThreeQuarter,
}

/// What is drawn, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// Meshes where there are some, else the skeleton
    #[default]
    Auto,
    /// Meshes
    Mesh,
    /// Skeleton
    Skeleton,
    /// Meshes with the skeleton shining through
    Both,
}
