//! `rebone mirror`: clips as a mirror shows them.

use crate::Outcome;
use crate::arguments::Mirror;
use crate::avatar;
use crate::commands::retarget::write;
use crate::console;
use crate::failure::Failure;
use crate::files::{self, Outputs};
use crate::json::{self, WarningJson};
use crate::session;
use crate::settings::once_each;
use crate::table::count;
use rebone::core::mirror::compat::CompatMirror;
use rebone::opening::Opening;
use rebone::{Clip, Format, Role};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct MirrorJson<'a> {
    output: &'a str,
    clips: Vec<&'a str>,
    twins: Vec<[&'a str; 2]>,
    warnings: Vec<WarningJson<'a>>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Mirror) -> Result<Outcome, Failure> {
    let format = files::format_of(&arguments.output)?;
    let inputs = [Some(&arguments.file), arguments.compat.as_ref()];
    let mut outputs = Outputs::new(inputs.into_iter().flatten().map(PathBuf::as_path));
    outputs.announce(&arguments.output)?;
    let wanted = Opening {
        skeleton: arguments.skeleton.as_deref(),
        written_as: Some(format),
        ..Opening::new(Role::Source)
    };
    let loaded = session::load(&arguments.file, &wanted)?;
    avatar::check_formats(&loaded.rig, &loaded.input.path, format, &arguments.output)?;
    let names = once_each(&arguments.clip);
    let chosen = session::clips_named(&loaded, &names)?;
    if format == Format::Bvh && chosen.len() > 1 {
        return Err(session::too_many_clips(&arguments.output, &chosen));
    }
    let compat = arguments.compat.as_deref().map(axes_in).transpose()?;
    let mirrored = match &compat {
        Some(axes) => rebone::mirror_compat(&loaded.rig, &names, axes),
        None => rebone::mirror(&loaded.rig, &names, &arguments.twins),
    };
    let mirrored = mirrored.map_err(|error| Failure::in_file(&loaded.input.path, error))?;
    let written = write(&loaded, &mirrored.clips, format)
        .map_err(|error| Failure::in_file(&arguments.output, error))?;
    let about_sides =
        |code: &str| matches!(code, "sides-unsure" | "sides-swapped" | "mapped-by-shape");
    let of_file = loaded.rig.warnings.iter();
    let warnings = of_file
        .filter(|warning| about_sides(warning.code))
        .chain(&mirrored.warnings)
        .chain(&written.warnings);
    let warnings = session::distinct(warnings);
    outputs.stage(&arguments.output, &written.bytes)?;
    outputs.commit()?;
    let output = arguments.output.display().to_string();
    let clips: Vec<&str> = mirrored
        .clips
        .iter()
        .map(|clip: &Clip| clip.name.as_str())
        .collect();
    let skeleton = &loaded.rig.character.skeleton;
    let twins: Vec<[&str; 2]> = (0..skeleton.len())
        .filter_map(|joint| Some((joint, mirrored.twins.of(joint)?)))
        .filter(|(joint, twin)| joint < twin)
        .map(|(joint, twin)| [skeleton.unique_name(joint), skeleton.unique_name(twin)])
        .collect();
    if arguments.json {
        console::document(&MirrorJson {
            output: &output,
            clips,
            twins,
            warnings: json::warnings(&warnings),
        })?;
    } else {
        console::data(&format!(
            "wrote {output}: {} ({} of joints exchanged)\n",
            clips
                .iter()
                .map(|name| format!("\"{name}\""))
                .collect::<Vec<_>>()
                .join(", "),
            count(twins.len(), "pair"),
        ))?;
        console::warnings("", &warnings);
    }
    Ok(Outcome::Done)
}

/// The mirror axes in a file.
fn axes_in(path: &Path) -> Result<CompatMirror, Failure> {
    let input = files::Input::open(path)?;
    let text = String::from_utf8(input.bytes).map_err(|_| {
        Failure::at(
            path,
            "mirror axes are text, but this file is not",
            "see docs/methods/mirror.md for what the file may hold",
        )
    })?;
    CompatMirror::parse(&text).map_err(|error| Failure::in_file(path, error))
}
