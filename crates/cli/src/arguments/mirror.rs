//! Mirrored clips.

use super::Output;
use clap::Args;
use std::path::PathBuf;

/// `rebone mirror`.
#[derive(Args, Debug)]
pub(crate) struct Mirror {
    /// The file with the clips
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) result: Output,
    /// The clip; may be given several times [default: all]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Two joints that are each other's twins, or one that is its own (Tail=Tail), where they were not
    /// found; may be given several times
    #[arg(long, value_name = "JOINT=JOINT", value_parser = pair_of_names)]
    pub(crate) twins: Vec<(String, String)>,
    /// A file with mirror axes, for the lesser method of older tools (see docs/methods/mirror.md) [default: exact for
    /// any joint axes]
    #[arg(long, value_name = "AXES", conflicts_with = "twins")]
    pub(crate) compat: Option<PathBuf>,
    /// The skeleton, where the file holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
}

/// `A=B`.
fn pair_of_names(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((first, second)) if !first.is_empty() && !second.is_empty() => {
            Ok((first.to_owned(), second.to_owned()))
        }
        _ => Err("give two joints as LEFT=RIGHT".to_owned()),
    }
}
