//! `rebone mirror`: clips as a mirror shows them.

use crate::Outcome;
use crate::arguments::Mirror;
use crate::avatar;
use crate::console;
use crate::destination::{self, Named};
use crate::failure::Failure;
use crate::files;
use crate::json::{self, WarningJson};
use crate::outputs::Outputs;
use crate::session;
use crate::table::count;
use rebone::model::Skeleton;
use rebone::opening::Opening;
use rebone::setup::mirror::Twins;
use rebone::setup::mirror::compat::CompatMirror;
use rebone::{Clip, Role};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct MirrorJson<'a> {
    output: &'a str,
    /// The file of each clip.
    outputs: &'a [String],
    clips: Vec<&'a str>,
    twins: Vec<[&'a str; 2]>,
    warnings: Vec<WarningJson<'a>>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Mirror) -> Result<Outcome, Failure> {
    let (destination, format) = arguments.result.destination(&arguments.file)?;
    let inputs = [Some(&arguments.file), arguments.compat.as_ref()];
    let mut outputs = Outputs::new(inputs.into_iter().flatten().map(PathBuf::as_path));
    if let Some(path) = destination.known_file() {
        outputs.announce(path)?;
    }
    let wanted = Opening {
        skeleton: arguments.skeleton.as_deref(),
        written_as: Some(format),
        ..Opening::new(Role::Source)
    };
    let loaded = session::load(&arguments.file, &wanted)?;
    avatar::check_formats(&loaded.rig, &loaded.input.path, format, destination.path())?;
    let names = session::names_of_clips(&loaded, &arguments.clip)?;
    let compat = arguments.compat.as_deref().map(axes_in).transpose()?;
    let mirrored = match &compat {
        Some(axes) => rebone::mirror_compat(&loaded.rig, &names, axes),
        None => rebone::mirror(&loaded.rig, &names, &arguments.twins),
    };
    let mirrored = mirrored.map_err(|error| Failure::in_file(&loaded.input.path, error))?;
    let stem = loaded.input.stem();
    let written = destination::write(
        &mut outputs,
        &destination,
        format,
        &mirrored.clips,
        &Named::all(&stem, &stem, &mirrored.clips),
        |clips| rebone::write(&loaded.rig, clips, format),
    )?;
    let about_sides =
        |code: &str| matches!(code, "sides-unsure" | "sides-swapped" | "mapped-by-shape");
    let of_file = loaded.rig.warnings.iter();
    let warnings = of_file
        .filter(|warning| about_sides(warning.code))
        .chain(&mirrored.warnings)
        .chain(&written.warnings);
    let warnings = session::distinct(warnings);
    let output = destination.path().display().to_string();
    let clips: Vec<&str> = mirrored
        .clips
        .iter()
        .map(|clip: &Clip| clip.name.as_str())
        .collect();
    let twins = pairs_of_names(&loaded.rig.character.skeleton, &mirrored.twins);
    let text = format!(
        "wrote {}: {} ({} of joints exchanged)\n",
        written.in_words(&destination),
        session::in_quotes(clips.iter().copied()).join(", "),
        count(twins.len(), "pair"),
    );
    let document = MirrorJson {
        output: &output,
        outputs: &written.file_of,
        clips,
        twins,
        warnings: json::warnings(&warnings),
    };
    outputs.commit(|| console::answer(&document, &text, &warnings))?;
    Ok(Outcome::Done)
}

/// The names of the joints that are exchanged, each pair once.
fn pairs_of_names<'a>(skeleton: &'a Skeleton, twins: &Twins) -> Vec<[&'a str; 2]> {
    (0..skeleton.len())
        .filter_map(|joint| Some((joint, twins.of(joint)?)))
        .filter(|(joint, twin)| joint < twin)
        .map(|(joint, twin)| [skeleton.unique_name(joint), skeleton.unique_name(twin)])
        .collect()
}

/// The mirror axes in a file.
fn axes_in(path: &Path) -> Result<CompatMirror, Failure> {
    let example = "see docs/methods/mirror.md for what the file may hold";
    let text = files::Input::open_text(path, "mirror axes are", example)?;
    CompatMirror::parse(&text).map_err(|error| Failure::in_file(path, error))
}
