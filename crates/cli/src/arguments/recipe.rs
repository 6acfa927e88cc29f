//! Recipes themselves, and what they can say.

use clap::Args;
use std::path::PathBuf;

/// `rebone recipe`.
#[derive(Args, Debug)]
pub(crate) struct Recipe {
    /// The recipe
    #[arg(value_name = "A.toml", required_unless_present = "schema")]
    pub(crate) before: Option<PathBuf>,
    /// Another, to be compared with it
    #[arg(value_name = "B.toml")]
    pub(crate) after: Option<PathBuf>,
    /// Print the JSON schema of recipes
    #[arg(long, conflicts_with_all = ["before", "after"])]
    pub(crate) schema: bool,
}

/// `rebone settings`.
#[derive(Args, Debug)]
pub(crate) struct Settings {
    /// Only settings that speak of this
    pub(crate) word: Option<String>,
}
