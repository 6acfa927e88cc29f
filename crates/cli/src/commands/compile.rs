//! `rebone compile`: a pair as a file that runs without mapping and aligning.

use crate::Outcome;
use crate::arguments::Compile;
use crate::console;
use crate::failure::Failure;
use crate::json::{self, WarningJson};
use crate::outputs::Outputs;
use crate::session::{self, Loaded};
use crate::table::size;
use rebone::opening::Opening;
use rebone::runtime::asset::write_asset;
use rebone::setup::mapping::ProfileChoice;
use rebone::{Retarget, Role, Warning};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct CompileJson<'a> {
    output: &'a str,
    bytes: usize,
    source_joints: usize,
    target_joints: usize,
    warnings: Vec<WarningJson<'a>>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Compile) -> Result<Outcome, Failure> {
    check_name(&arguments.output)?;
    let pair = &arguments.pair;
    let inputs = [&arguments.source, &arguments.target];
    let inputs = inputs.into_iter().chain(pair.inputs());
    let mut outputs = Outputs::new(inputs.map(PathBuf::as_path));
    outputs.announce(&arguments.output)?;
    if let Some(path) = &arguments.save_recipe {
        outputs.announce(path)?;
    }
    let (choices, profile) = pair.choices()?;
    let (source, target) = load(arguments, profile)?;
    let names = session::once_each(&arguments.clip);
    session::clips_named(&source, &names)?;
    let (recipe, mut warnings) = choices.for_pair(&source, &target);
    let job = Retarget::new(&source.rig, &target.rig);
    let job = job.clips(&names).recipe(recipe.clone());
    let compiled = match arguments.rebind {
        true => job.compile_rebound(),
        false => job.compile(),
    };
    let (asset, own) = compiled.map_err(|error| Failure::in_file(&arguments.target, error))?;
    warnings.extend(own);
    if pair.names_moment() {
        check_moment(&warnings)?;
    }
    let bytes = write_asset(&asset).map_err(|error| Failure::in_file(&arguments.output, error))?;
    outputs.stage(&arguments.output, &bytes)?;
    if let Some(path) = &arguments.save_recipe {
        outputs.stage(path, choices.text(&source, &target)?.as_bytes())?;
    }
    let warnings = session::distinct(&warnings);
    let output = arguments.output.display().to_string();
    let text = format!("wrote {output} ({})\n", size(bytes.len()));
    let document = CompileJson {
        output: &output,
        bytes: bytes.len(),
        source_joints: asset.source.joints.len(),
        target_joints: asset.target.joints.len(),
        warnings: json::warnings(&warnings),
    };
    outputs.commit(|| console::answer(&document, &text, &warnings))?;
    Ok(Outcome::Done)
}

fn check_name(output: &Path) -> Result<(), Failure> {
    if output.extension().is_some_and(|e| e == "retarget") {
        return Ok(());
    }
    Err(Failure::at(
        output,
        "what is compiled goes into a .retarget file",
        "name it X.retarget; `rebone retarget` writes clips",
    ))
}

/// Reads the source and the target.
fn load(arguments: &Compile, profile: ProfileChoice) -> Result<(Loaded, Loaded), Failure> {
    let pair = &arguments.pair;
    let source = Opening {
        skeleton: pair.skeleton.as_deref(),
        profile,
        ..Opening::new(Role::Source)
    };
    let target = Opening {
        skeleton: pair.target_skeleton.as_deref(),
        profile,
        ..Opening::new(Role::Target)
    };
    session::both(
        || session::load_at_rest_of(&arguments.source, &source, pair.rest.as_deref()),
        || session::load_at_rest_of(&arguments.target, &target, pair.target_rest.as_deref()),
    )
}

/// Fails if no clip has the frame or time that the command line names.
fn check_moment(warnings: &[Warning]) -> Result<(), Failure> {
    match warnings
        .iter()
        .find(|warning| warning.code == "pose-missing")
    {
        None => Ok(()),
        Some(warning) => Err(Failure::new(
            &warning.message,
            "`rebone inspect FILE` shows how long its clips are and how many frames they have",
        )),
    }
}
