//! Many clips onto many characters.

use super::retarget::format_parser;
use super::{MOTION, Pair, QUALITY};
use crate::figures::Check;
use clap::Args;
use rebone::Format;
use std::path::PathBuf;

/// `rebone batch`.
#[derive(Args, Debug)]
pub(crate) struct Batch {
    /// The motions: files, folders of files, patterns with *, or @LIST, a text file that names them
    #[arg(value_name = "SOURCE", required = true)]
    pub(crate) sources: Vec<PathBuf>,
    /// A character that is to move, or a folder or pattern of them; may be given several times
    #[arg(short, long = "target", value_name = "FILE", required = true)]
    pub(crate) targets: Vec<PathBuf>,
    /// The folder for the results and their manifest. Results are called {target}/{source}; another pattern may follow, as
    /// out/{source}_{target}_{clip}.fbx
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Format of the results [default: that of each target]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub(crate) format: Option<Format>,
    /// Also take the files in the folders of a folder; the results keep these folders
    #[arg(long)]
    pub(crate) recursive: bool,
    /// Only the I-th of N equal parts of the work, as 3/8, for schedulers
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<(usize, usize)>,
    /// How many run at once [default: a few more than processors, because some wait for the disk]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    #[command(flatten)]
    pub(crate) pair: Pair,
    /// Clip of the sources; may be given several times [default: all clips]
    #[arg(long, value_name = "NAME", help_heading = MOTION)]
    pub(crate) clip: Vec<String>,
    /// Write one page over all clips, worst first (html), or JSON (any other name)
    #[arg(long, value_name = "FILE", help_heading = QUALITY)]
    pub(crate) report: Option<PathBuf>,
    /// End with exit code 1 if this holds for any clip, as slide>2; several after commas
    #[arg(long, value_name = "EXPR", value_delimiter = ',', value_parser = Check::parse, help_heading = QUALITY)]
    pub(crate) fail_on: Vec<Check>,
}

/// `3/8`.
fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/');
    let numbers = parts.and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    numbers
        .filter(|&(part, of): &(usize, usize)| (1..=of).contains(&part))
        .ok_or_else(|| "give a part and their number, as 3/8".to_owned())
}
