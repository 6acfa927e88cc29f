//! The studio.

use clap::Args;
use std::path::PathBuf;

/// `rebone studio`.
#[derive(Args, Debug)]
pub(crate) struct Studio {
    /// What is in place when the page opens: the source, then any number of targets; a .toml is the recipe
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Port of 127.0.0.1; the page remembers its state by it [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Only print the address
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Serve the built page in this folder instead of the one inside this program
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
