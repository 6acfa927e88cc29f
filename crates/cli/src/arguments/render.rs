//! Pictures.

use crate::values::seconds;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `rebone render`.
#[derive(Args, Debug)]
pub(crate) struct Render {
    /// The files, in the order of their rows
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The picture: svg or png (filmstrip), gif (playback; a turntable where nothing moves), or a png with {index} in
    /// its name (playback, one file per picture)
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
    /// Draw one motion in the two likeliest ways to read it: the axis that is up, and the pose that shows how its joints lie
    #[arg(long, conflicts_with_all = ["retarget_pose", "on_target"])]
    pub(crate) readings: bool,
    /// Choices and corrections whose effect on the retarget pose is to be seen; of one file those of the target
    #[arg(long, value_name = "RECIPE", requires = "retarget_pose")]
    pub(crate) recipe: Option<PathBuf>,
    /// The skeleton, where a file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Pictures a row of a filmstrip
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) frames: u16,
    /// Show the clips from this second on
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) from: Option<f32>,
    /// Show the clips up to this second
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) to: Option<f32>,
    /// Pictures a second of a gif or of numbered files, 1 to 50 [default: 20]
    #[arg(long, value_name = "RATE", value_parser = clap::value_parser!(u8).range(1..=50))]
    pub(crate) fps: Option<u8>,
    /// Where the camera stands
    #[arg(long, value_enum, default_value_t)]
    pub(crate) view: View,
    /// What the camera does while the body travels
    #[arg(long, value_enum, default_value_t)]
    pub(crate) camera: CameraMotion,
    /// Come close to hands, feet, head or a slot, as leftHand
    #[arg(long, value_name = "PART", conflicts_with = "retarget_pose")]
    pub(crate) zoom: Option<String>,
    /// Draw N earlier poses faintly behind each picture; with --frames 1 they are spread over all time that is shown
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "retarget_pose",
        value_parser = clap::value_parser!(u8).range(0..=32))]
    pub(crate) onion: u8,
    /// Draw files without a mesh in the body of the first file that has one: their turns on its joints, nothing else
    #[arg(long, conflicts_with = "retarget_pose")]
    pub(crate) on_target: bool,
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
    /// Behind
    Back,
    /// On the left of the character
    Left,
    /// Straight above; the character faces the bottom of the picture
    Top,
}

/// What a camera does, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CameraMotion {
    /// Go along with the hips
    #[default]
    Follow,
    /// Stay, so that travel and sliding show
    Fixed,
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
