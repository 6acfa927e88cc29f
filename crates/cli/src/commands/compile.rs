//! `rebone compile`: a pair as a file that runs without mapping and aligning.

use crate::Outcome;
use crate::arguments::Compile;
use crate::choices::Choices;
use crate::console;
use crate::failure::Failure;
use crate::files::Outputs;
use crate::json::{self, WarningJson};
use crate::session::{self, Wanted};
use crate::settings::once_each;
use crate::table::size;
use rebone::Role;
use rebone::core::asset::write_asset;
use rebone::core::mapping::ProfileChoice;
use serde::Serialize;
use std::path::PathBuf;

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
    let is_named = arguments
        .output
        .extension()
        .is_some_and(|e| e == "retarget");
    if !is_named {
        return Err(Failure::at(
            &arguments.output,
            "what is compiled goes into a .retarget file",
            "name it X.retarget; `rebone retarget` writes clips",
        ));
    }
    let inputs = [
        Some(&arguments.source),
        Some(&arguments.target),
        arguments.rules.input(),
    ];
    let mut outputs = Outputs::new(inputs.into_iter().flatten().map(PathBuf::as_path));
    outputs.announce(&arguments.output)?;
    let mut choices = match &arguments.recipe {
        Some(path) => Choices::open(path)?,
        None => Choices::default(),
    };
    let rules = &arguments.rules;
    rules.put_on(&mut choices.recipe, ProfileChoice::Auto)?;
    arguments.motion.put_into(&mut choices.recipe);
    arguments.sharing.put_into(&mut choices.recipe);
    let source = Wanted {
        skeleton: arguments.skeleton.as_deref(),
        ..Wanted::new(Role::Source)
    };
    let target = Wanted {
        skeleton: arguments.target_skeleton.as_deref(),
        ..Wanted::new(Role::Target)
    };
    let (source, target) =
        session::load_pair((&arguments.source, &source), (&arguments.target, &target))?;
    let names = once_each(&arguments.clip);
    session::clips_named(&source, &names)?;
    let (recipe, mut warnings) = choices.for_pair(&source, &target);
    let compile = if arguments.rebind {
        rebone::compile_rebound_asset
    } else {
        rebone::compile_asset
    };
    let (asset, own) = compile(&source.rig, &target.rig, &names, &recipe)
        .map_err(|error| Failure::in_file(&arguments.target, error))?;
    warnings.extend(own);
    let bytes = write_asset(&asset).map_err(|error| Failure::in_file(&arguments.output, error))?;
    outputs.stage(&arguments.output, &bytes)?;
    outputs.commit()?;
    let warnings = session::distinct(&warnings);
    let output = arguments.output.display().to_string();
    if arguments.json {
        console::document(&CompileJson {
            output: &output,
            bytes: bytes.len(),
            source_joints: asset.source.joints.len(),
            target_joints: asset.target.joints.len(),
            warnings: json::warnings(&warnings),
        })?;
    } else {
        console::data(&format!("wrote {output} ({})\n", size(bytes.len())))?;
        console::warnings("", &warnings);
    }
    Ok(Outcome::Done)
}
