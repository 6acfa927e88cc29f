//! `rebone convert`: the same motion in another format.

use crate::Outcome;
use crate::arguments::Convert;
use crate::avatar;
use crate::console;
use crate::failure::Failure;
use crate::files::{self, Outputs};
use crate::json::{self, WarningJson};
use crate::losses;
use crate::session::{self, Loaded};
use crate::settings::once_each;
use crate::table::{count, size, some_of};
use rebone::opening::Opening;
use rebone::output::Output;
use rebone::saving::for_vrma;
use rebone::{Clip, Format, Rig, Role, Warning};
use serde::Serialize;

/// Runs the command.
pub(crate) fn run(arguments: &Convert) -> Result<Outcome, Failure> {
    let format = files::format_of(&arguments.output)?;
    let mut outputs = Outputs::new([arguments.input.as_path()]);
    outputs.announce(&arguments.output)?;
    let wanted = Opening {
        skeleton: arguments.skeleton.as_deref(),
        written_as: Some(format),
        ..Opening::new(Role::Source)
    };
    let loaded = session::load(&arguments.input, &wanted)?;
    avatar::check_formats(&loaded.rig, &loaded.input.path, format, &arguments.output)?;
    let (written, clips) = convert(&loaded, arguments, format)?;
    let mut warnings = Vec::new();
    if !is_repack(&loaded.rig, format) {
        warnings.extend(losses::of_conversion(&loaded.rig, &clips, format));
    }
    warnings.extend(written.warnings);
    if !is_repack(&loaded.rig, format) {
        let of_file = loaded.rig.warnings.iter();
        let on_unit = |w: &&Warning| matches!(w.code, "unit-guessed" | "unit-unlikely");
        warnings.extend(of_file.filter(on_unit).cloned());
    }
    let warnings = session::distinct(&warnings);
    outputs.stage(&arguments.output, &written.bytes)?;
    outputs.commit()?;
    let output = arguments.output.display().to_string();
    if arguments.json {
        console::document(&ConvertJson {
            output: &output,
            format: format.name(),
            clips: &clips,
            warnings: json::warnings(&warnings),
        })?;
    } else {
        let named: Vec<String> = clips.iter().map(|name| format!("\"{name}\"")).collect();
        let held = match named.len() {
            0 => "no clip".to_owned(),
            number => format!("{}: {}", count(number, "clip"), some_of(&named, 6)),
        };
        console::data(&format!(
            "wrote {output} ({}, {}; {held})\n",
            format.name().to_uppercase(),
            size(written.bytes.len())
        ))?;
        console::warnings("", &warnings);
    }
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct ConvertJson<'a> {
    output: &'a str,
    format: &'a str,
    clips: &'a [String],
    warnings: Vec<WarningJson<'a>>,
}

/// True where everything is kept and only its wrapping changes.
fn is_repack(rig: &Rig, format: Format) -> bool {
    let gltf = |format| matches!(format, Format::Glb | Format::Gltf | Format::Vrm);
    let from = gltf(rig.format) || rig.format == Format::Vrma;
    from && (gltf(format) || (rig.format == Format::Vrma && format == Format::Vrma))
}

/// The new file, and the names of its clips.
fn convert(
    loaded: &Loaded,
    arguments: &Convert,
    format: Format,
) -> Result<(Output, Vec<String>), Failure> {
    let rig = &loaded.rig;
    let in_file = |error: rebone::Error| Failure::in_file(&loaded.input.path, error);
    let chosen = session::clips_named(loaded, &once_each(&arguments.clip))?;
    let names = |clips: &[&Clip]| clips.iter().map(|clip| clip.name.clone()).collect();
    if is_repack(rig, format) {
        if !arguments.clip.is_empty() {
            return Err(Failure::at(
                &loaded.input.path,
                "from glTF to glTF everything is kept, so --clip has no use",
                "leave --clip out",
            ));
        }
        let beside = |name: &str| loaded.input.beside(name);
        let container = if format == Format::Gltf {
            Format::Gltf
        } else {
            Format::Glb
        };
        let written = rebone::write(&loaded.input.bytes, &beside, rig, &[], container);
        return Ok((written.map_err(in_file)?, names(&chosen)));
    }
    if format == Format::Bvh && chosen.len() > 1 {
        return Err(session::too_many_clips(&arguments.output, &chosen));
    }
    if matches!(format, Format::Bvh | Format::Vrma) && chosen.is_empty() {
        return Err(no_motion(loaded, format));
    }
    let clips: Vec<Clip> = chosen.iter().map(|&clip| clip.clone()).collect();
    let (character, doubts) = if format == Format::Vrma {
        for_vrma(rig, &clips)
    } else {
        let mut character = rig.character.clone();
        character.clips = clips;
        (character, Vec::new())
    };
    let mut written = rebone::write_motion(rig, character, format).map_err(in_file)?;
    written.warnings.extend(doubts);
    Ok((written, names(&chosen)))
}

/// Where a file without motion was to become a motion file.
fn no_motion(loaded: &Loaded, format: Format) -> Failure {
    let compressed = |warning: &&Warning| warning.code == "animation-compressed";
    if let Some(warning) = loaded.rig.warnings.iter().find(compressed) {
        return Failure::at(&loaded.input.path, &warning.message, &warning.hint);
    }
    Failure::at(
        &loaded.input.path,
        format_args!(
            "there is no motion in it: no clip moves a joint of the skeleton \"{}\", and a .{} is a motion file",
            loaded.rig.character.name,
            format.name()
        ),
        "give a file with an animation of joints, or name the output *.glb",
    )
}
