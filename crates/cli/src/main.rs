//! The command `rebone`: arguments -> settings -> commands.
//!
//! Data goes to standard output, remarks and progress to standard error. Exit code 0: done; 1: done, but
//! a check of `--fail-on` was not met; 2: an error, and nothing was written.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod advice;
mod arguments;
mod avatar;
mod checks;
mod choices;
mod commands;
mod console;
mod destination;
mod failure;
mod figures;
mod files;
mod grouping;
mod losses;
mod outputs;
mod progress;
mod report_file;
mod root_path;
mod session;
mod settings;
mod sources;
mod standard;
mod studio;
mod summary;
mod table;
mod temporary;
mod values;

use arguments::{Arguments, Command};
use clap::FromArgMatches;
use failure::Failure;
use rebone::{found_contacts, json, report_json, report_page};
use std::process::ExitCode;

/// How a command ended, where it did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Done.
    Done,
    /// Done, but a check that was asked for was not met.
    CheckFailed,
    /// Done as far as possible: some of many files could not be read or written.
    PartlyFailed,
}

fn main() -> ExitCode {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        // A panic becomes an ordinary error message below.
        std::panic::set_hook(Box::new(|_| {}));
    }
    let matches = Arguments::described().try_get_matches();
    let arguments = match matches.and_then(|found| Arguments::from_arg_matches(&found)) {
        Ok(arguments) => arguments,
        Err(error) => return wrong_usage(&error),
    };
    console::set_manner(arguments.manner());
    if arguments.force {
        outputs::set_existing(outputs::Existing::Replace);
    }
    let ended = std::panic::catch_unwind(|| run(arguments));
    temporary::sync_folders();
    match ended.unwrap_or_else(|cause| Err(Failure::of_panic(cause.as_ref()))) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::CheckFailed) => ExitCode::from(1),
        Ok(Outcome::PartlyFailed) => ExitCode::from(2),
        Err(failure) => {
            console::failure(&failure);
            ExitCode::from(2)
        }
    }
}

/// Ends a command whose arguments are wrong, or whose help was asked for.
fn wrong_usage(error: &clap::Error) -> ExitCode {
    let is_help = !error.use_stderr();
    if !is_help && console::wants_json() {
        console::failure(&Failure::usage(&error.render().to_string()));
    } else {
        // A reader that goes away is no error.
        let _ = error.print();
    }
    ExitCode::from(if is_help { 0 } else { 2 })
}

fn run(arguments: Arguments) -> Result<Outcome, Failure> {
    match arguments.command {
        Command::Demo(arguments) => commands::demo::run(&arguments),
        Command::Inspect(arguments) => commands::inspect::run(&arguments),
        Command::Map(arguments) => commands::map::run(&arguments),
        Command::Align(arguments) => commands::align::run(&arguments),
        Command::Retarget(arguments) => commands::retarget::run(&arguments.into_settings()?),
        Command::Batch(arguments) => commands::batch::run(&arguments),
        Command::Report(arguments) => commands::report::run(&arguments),
        Command::Compile(arguments) => commands::compile::run(&arguments),
        Command::Apply(arguments) => commands::apply::run(&arguments),
        Command::Convert(arguments) => commands::convert::run(&arguments),
        Command::Layer(arguments) => commands::layer::run(&arguments),
        Command::Mirror(arguments) => commands::mirror::run(&arguments),
        Command::Recipe(arguments) => commands::recipe::run(&arguments),
        Command::Settings(arguments) => commands::settings::run(&arguments),
        Command::Rebind(arguments) => commands::rebind::run(&arguments),
        Command::Render(arguments) => commands::render::run(&arguments.into_settings()?),
        Command::Licences => commands::licences::run(),
        Command::Completions(arguments) => commands::pages::completions(&arguments),
        Command::Manual(arguments) => commands::pages::manual(&arguments),
        Command::Studio(arguments) => commands::studio::run(&arguments),
    }
}
