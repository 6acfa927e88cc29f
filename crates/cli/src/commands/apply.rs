//! `rebone apply`: a compiled pair on further clips.

use crate::Outcome;
use crate::arguments::Apply;
use crate::console;
use crate::destination::{self, Named};
use crate::failure::Failure;
use crate::files::Input;
use crate::json::{self, WarningJson};
use crate::outputs::Outputs;
use crate::session;
use rebone::asset::set_mirror;
use rebone::opening::Opening;
use rebone::output::write_character;
use rebone::runtime::asset::read_asset;
use rebone::saving::take_root_paths;
use rebone::{Clip, Format, Role};
use serde::Serialize;

#[derive(Serialize)]
struct ApplyJson<'a> {
    output: &'a str,
    /// The file of each clip.
    outputs: &'a [String],
    clips: Vec<&'a str>,
    warnings: Vec<WarningJson<'a>>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Apply) -> Result<Outcome, Failure> {
    let (destination, format) = arguments.result.destination(&arguments.clips)?;
    if matches!(format, Format::Vrm | Format::Vrma) {
        return Err(Failure::at(
            destination.path(),
            "a .retarget file holds a skeleton, but no avatar",
            "name the output *.glb, *.fbx or *.bvh, or use `rebone retarget`",
        ));
    }
    let mut outputs = Outputs::new([arguments.asset.as_path(), arguments.clips.as_path()]);
    if let Some(path) = destination.known_file() {
        outputs.announce(path)?;
    }
    let input = Input::open(&arguments.asset)?;
    let mut asset = read_asset(input.file.bytes())
        .map_err(|error| Failure::in_file(&arguments.asset, error))?;
    if let Some(when) = &arguments.mirror {
        set_mirror(&mut asset, when == "on")
            .map_err(|error| Failure::in_file(&arguments.asset, error))?;
    }
    let wanted = Opening {
        skeleton: arguments.skeleton.as_deref(),
        ..Opening::new(Role::Source)
    };
    let loaded = session::load(&arguments.clips, &wanted)?;
    let names = session::names_of_clips(&loaded, &arguments.clip)?;
    let mut character = rebone::apply_asset(&asset, &loaded.rig, &names)
        .map_err(|error| Failure::in_file(&arguments.clips, error))?;
    take_root_paths(&mut character.clips);
    let clips = std::mem::take(&mut character.clips);
    let (source, target) = (loaded.input.stem(), input.stem());
    let written = destination::write(
        &mut outputs,
        &destination,
        format,
        &clips,
        &Named::all(&source, &target, &clips),
        |clips| {
            let mut character = character.clone();
            character.clips = clips.to_vec();
            write_character(&character, format)
        },
    )?;
    let warnings = session::distinct(&written.warnings);
    let output = destination.path().display().to_string();
    let clips: Vec<&str> = clips.iter().map(|clip: &Clip| clip.name.as_str()).collect();
    let text = format!(
        "wrote {}: {}\n",
        written.in_words(&destination),
        session::in_quotes(clips.iter().copied()).join(", ")
    );
    let document = ApplyJson {
        output: &output,
        outputs: &written.file_of,
        clips,
        warnings: json::warnings(&warnings),
    };
    outputs.commit(|| console::answer(&document, &text, &warnings))?;
    Ok(Outcome::Done)
}
