//! What shells and `man` read: made from the same arguments as the help.

use crate::Outcome;
use crate::arguments::{Arguments, Completions, Manual};
use crate::console;
use crate::failure::Failure;
use crate::outputs::Outputs;
use clap::CommandFactory;

/// Runs `rebone completions`.
pub(crate) fn completions(arguments: &Completions) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "rebone", &mut script);
    console::raw(&script)?;
    Ok(Outcome::Done)
}

/// Runs `rebone manual`: a page for the program and one for each command.
pub(crate) fn manual(arguments: &Manual) -> Result<Outcome, Failure> {
    let folder = &arguments.output;
    Outputs::make_folder(folder)?;
    clap_mangen::generate_to(Arguments::command(), folder).map_err(|error| {
        Failure::at(
            folder,
            format_args!("the pages cannot be written: {error}"),
            "check the folder's permissions and free space",
        )
    })?;
    console::summary(&format!("wrote the pages into {}\n", folder.display()))?;
    Ok(Outcome::Done)
}
