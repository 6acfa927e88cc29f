//! Mirrored clips.

use super::Output;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rebone::Recipe;
use rebone::setup::mirror::MirrorChoice;
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

/// What of a recipe concerns the mirror.
#[derive(Args, Debug, Default)]
pub(crate) struct Mirroring {
    /// Show the motion in the mirror: on, off, or ready (off, but a .retarget file can switch it on) [default: off]
    #[arg(long, value_name = "WHEN", value_parser = choice_parser())]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    pub(crate) mirror: Option<MirrorChoice>,
    /// Two joints of the target that are each other's twins, or one that is its own (Tail=Tail), where they were not
    /// found; may be given several times
    #[arg(long, value_name = "JOINT=JOINT", value_parser = pair_of_names)]
    pub(crate) twins: Vec<(String, String)>,
}

impl Mirroring {
    /// Puts these choices on top of a recipe's.
    pub(crate) fn put_into(&self, recipe: &mut Recipe) {
        recipe.mirror = self.mirror.unwrap_or(recipe.mirror);
        recipe.twins.extend(self.twins.iter().cloned());
    }
}

fn choice_parser() -> impl TypedValueParser<Value = MirrorChoice> {
    PossibleValuesParser::new(MirrorChoice::ALL.map(MirrorChoice::name))
        .try_map(|name| MirrorChoice::parse(&name).ok_or("there is no such choice"))
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
