//! `rebone apply`: a compiled pair on further clips.

use crate::Outcome;
use crate::arguments::Apply;
use crate::console;
use crate::failure::Failure;
use crate::files::{self, Input, Outputs};
use crate::json::{self, WarningJson};
use crate::session;
use crate::settings::once_each;
use crate::table::size;
use rebone::asset::set_mirror;
use rebone::core::asset::read_asset;
use rebone::opening::Opening;
use rebone::output::write_character;
use rebone::saving::take_root_paths;
use rebone::{Clip, Format, Role};
use serde::Serialize;

#[derive(Serialize)]
struct ApplyJson<'a> {
    output: &'a str,
    clips: Vec<&'a str>,
    warnings: Vec<WarningJson<'a>>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Apply) -> Result<Outcome, Failure> {
    let format = files::format_of(&arguments.output)?;
    if matches!(format, Format::Vrm | Format::Vrma) {
        return Err(Failure::at(
            &arguments.output,
            "a .retarget file holds a skeleton, but no avatar",
            "name the output *.glb, *.fbx or *.bvh, or use `rebone retarget`",
        ));
    }
    let mut outputs = Outputs::new([arguments.asset.as_path(), arguments.clips.as_path()]);
    outputs.announce(&arguments.output)?;
    let input = Input::open(&arguments.asset)?;
    let mut asset =
        read_asset(&input.bytes).map_err(|error| Failure::in_file(&arguments.asset, error))?;
    if let Some(when) = &arguments.mirror {
        set_mirror(&mut asset, when == "on")
            .map_err(|error| Failure::in_file(&arguments.asset, error))?;
    }
    let wanted = Opening {
        skeleton: arguments.skeleton.as_deref(),
        ..Opening::new(Role::Source)
    };
    let loaded = session::load(&arguments.clips, &wanted)?;
    let names = once_each(&arguments.clip);
    let chosen = session::clips_named(&loaded, &names)?;
    if format == Format::Bvh && chosen.len() > 1 {
        return Err(session::too_many_clips(&arguments.output, &chosen));
    }
    let mut character = rebone::apply_asset(&asset, &loaded.rig, &names)
        .map_err(|error| Failure::in_file(&arguments.clips, error))?;
    take_root_paths(&mut character.clips);
    let written = write_character(&character, format)
        .map_err(|error| Failure::in_file(&arguments.output, error))?;
    outputs.stage(&arguments.output, &written.bytes)?;
    outputs.commit()?;
    let warnings = session::distinct(&written.warnings);
    let output = arguments.output.display().to_string();
    let clips: Vec<&str> = character
        .clips
        .iter()
        .map(|clip: &Clip| clip.name.as_str())
        .collect();
    if arguments.json {
        console::document(&ApplyJson {
            output: &output,
            clips,
            warnings: json::warnings(&warnings),
        })?;
    } else {
        let named: Vec<String> = clips.iter().map(|name| format!("\"{name}\"")).collect();
        console::data(&format!(
            "wrote {output} ({}): {}\n",
            size(written.bytes.len()),
            named.join(", ")
        ))?;
        console::warnings("", &warnings);
    }
    Ok(Outcome::Done)
}
