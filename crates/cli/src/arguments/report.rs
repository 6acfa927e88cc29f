//! Figures of finished clips.

use crate::figures::Check;
use clap::Args;
use std::path::PathBuf;

/// `rebone report`.
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// The file with the motion as it was
    pub(crate) source: PathBuf,
    /// The file with what became of it, made by any tool
    pub(crate) result: PathBuf,
    /// Another result of the same source, to be shown beside it
    #[arg(long, value_name = "OTHER")]
    pub(crate) compare: Option<PathBuf>,
    /// The page with plots and pictures (html), or the figures (json)
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// The choices it was made with: joints, poses, limits
    #[arg(long, value_name = "RECIPE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Clip of the source; may be given several times [default: all that the result has]
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Vec<String>,
    /// Skeleton of the source, where it holds several
    #[arg(long, value_name = "NAME")]
    pub(crate) skeleton: Option<String>,
    /// Skeleton of the results, where they hold several
    #[arg(long, value_name = "NAME")]
    pub(crate) target_skeleton: Option<String>,
    /// Profile by which joints are found: humanoid, quadruped, or a file [default: what it looks like]
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// End with exit code 1 if this holds, as slide>2; several after commas. The figures are listed below
    #[arg(long, value_name = "EXPR", value_delimiter = ',', value_parser = Check::parse)]
    pub(crate) fail_on: Vec<Check>,
}
