//! Retargets, and what compiles and applies them.

use super::{CHOICES, MOTION, Pair, QUALITY};
use crate::destination::{Destination, own_format};
use crate::failure::Failure;
use crate::figures::Check;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rebone::Format;
use std::path::{Path, PathBuf};

/// Where a result with clips goes, and in which format.
#[derive(Args, Debug)]
pub(crate) struct Output {
    /// The result: the character (fbx, glb, gltf, vrm) or its motion alone (bvh, vrma). out/ or a name with {clip} gives
    /// a file per clip
    ///
    /// Each clip gets a file of its own if OUT is a folder, or a name with {clip}, {index}, {source} or {target} in it. - is standard output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Format of the result [default: by the name of OUT; for a folder and for - that of the input]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,
}

impl Output {
    /// What they say; `like` is the file whose format is taken if nothing else says it.
    pub(crate) fn destination(&self, like: &Path) -> Result<(Destination, Format), Failure> {
        Destination::new(&self.output, self.format, own_format(like)?)
    }
}

pub(super) fn format_parser() -> impl TypedValueParser<Value = Format> {
    const NAMES: [&str; 6] = ["fbx", "glb", "gltf", "vrm", "vrma", "bvh"];
    PossibleValuesParser::new(NAMES)
        .try_map(|name| Format::from_extension(&name).ok_or("there is no such format"))
}

/// `rebone retarget`.
#[derive(Args, Debug)]
pub(crate) struct Retarget {
    /// The motion: files, folders of files, patterns with *, or @LIST, a text file that names them
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// The file with the character that is to move
    pub(crate) target: PathBuf,
    #[command(flatten)]
    pub(crate) result: Output,
    /// Also take the files in the folders of a folder
    #[arg(long)]
    pub(crate) recursive: bool,
    #[command(flatten)]
    pub(crate) pair: Pair,
    /// Write the choices of this run, with every joint it used
    #[arg(long, value_name = "RECIPE", help_heading = CHOICES)]
    pub(crate) save_recipe: Option<PathBuf>,
    /// Also write when feet, hands, knees and seat of the source touch, clip by clip, to be edited
    #[arg(long, requires = "save_recipe", help_heading = CHOICES)]
    pub(crate) save_contacts: bool,
    /// Clip of the source; may be given several times [default: all clips]
    #[arg(long, value_name = "NAME", help_heading = MOTION)]
    pub(crate) clip: Vec<String>,
    /// Write the path over the ground that --in-place takes out, as JSON
    #[arg(long, value_name = "FILE", help_heading = MOTION)]
    pub(crate) root_path: Option<PathBuf>,
    /// Write the quality figures: a page with plots and pictures (html), or JSON
    #[arg(long, value_name = "FILE", help_heading = QUALITY)]
    pub(crate) report: Option<PathBuf>,
    /// End with exit code 1 if this holds, as slide>2; several after commas. `rebone help report` lists the figures
    #[arg(long, value_name = "EXPR", value_delimiter = ',', value_parser = Check::parse, help_heading = QUALITY)]
    pub(crate) fail_on: Vec<Check>,
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
    #[command(flatten)]
    pub(crate) pair: Pair,
    /// Write the choices of this run, with every joint it used
    #[arg(long, value_name = "RECIPE", help_heading = CHOICES)]
    pub(crate) save_recipe: Option<PathBuf>,
    /// Also hold the matrices that hang the target's skin from the source's skeleton, as `rebone rebind` does
    #[arg(long)]
    pub(crate) rebind: bool,
    /// Clip of the source to look at for floor and pose; may be given several times [default: all]
    #[arg(long, value_name = "NAME", help_heading = MOTION)]
    pub(crate) clip: Vec<String>,
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
    #[command(flatten)]
    pub(crate) result: Output,
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
}
