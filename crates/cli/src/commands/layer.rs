//! `rebone layer`: a motion on top of others.

use crate::Outcome;
use crate::arguments::{Layer, LayerFrom};
use crate::avatar;
use crate::console;
use crate::destination::{self, Named};
use crate::failure::Failure;
use crate::json::{self, WarningJson};
use crate::outputs::Outputs;
use crate::session::{self, Loaded};
use rebone::layering::{LayerBase, LayerOptions, put_layer};
use rebone::opening::Opening;
use rebone::{Clip, Role};
use serde::Serialize;

#[derive(Serialize)]
struct LayerJson<'a> {
    output: &'a str,
    /// The file of each clip.
    outputs: &'a [String],
    clips: Vec<&'a str>,
    layer: &'a str,
    warnings: Vec<WarningJson<'a>>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Layer) -> Result<Outcome, Failure> {
    let (destination, format) = arguments.result.destination(&arguments.base)?;
    let mut outputs = Outputs::new([arguments.base.as_path(), arguments.layer.as_path()]);
    if let Some(path) = destination.known_file() {
        outputs.announce(path)?;
    }
    let base = Opening {
        written_as: Some(format),
        ..Opening::new(Role::Source)
    };
    let (base, other) = session::load_pair(
        (&arguments.base, &base),
        (&arguments.layer, &Opening::new(Role::Source)),
    )?;
    avatar::check_formats(&base.rig, &base.input.path, format, destination.path())?;
    let names = session::names_of_clips(&base, &arguments.clip)?;
    let layer = only_clip(&other, arguments.layer_clip.as_slice())?;
    let clips = put_layer(&base.rig, &names, &other.rig, layer, &options(arguments))
        .map_err(|error| Failure::in_file(&base.input.path, error))?;
    let (source, target) = (other.input.stem(), base.input.stem());
    let written = destination::write(
        &mut outputs,
        &destination,
        format,
        &clips,
        &Named::all(&source, &target, &clips),
        |clips| rebone::write(&base.rig, clips, format),
    )?;
    let warnings = session::distinct(&written.warnings);
    let output = destination.path().display().to_string();
    let names: Vec<&str> = clips.iter().map(|clip: &Clip| clip.name.as_str()).collect();
    let how = if arguments.blend {
        "blended with"
    } else {
        "with"
    };
    let text = format!(
        "wrote {}: {} {how} \"{}\"\n",
        written.in_words(&destination),
        session::in_quotes(names.iter().copied()).join(", "),
        layer.name
    );
    let document = LayerJson {
        output: &output,
        outputs: &written.file_of,
        clips: names,
        layer: &layer.name,
        warnings: json::warnings(&warnings),
    };
    outputs.commit(|| console::answer(&document, &text, &warnings))?;
    Ok(Outcome::Done)
}

/// The clip that `wanted` names, or the file's only one.
fn only_clip<'a>(other: &'a Loaded, wanted: &[String]) -> Result<&'a Clip, Failure> {
    match session::clips_named(other, wanted)?.as_slice() {
        [layer] => Ok(*layer),
        several => Err(Failure::in_file(
            &other.input.path,
            format_args!(
                "it holds {} clips, but one is to be the layer; choose it with --layer-clip NAME",
                several.len()
            ),
        )),
    }
}

fn options(arguments: &Layer) -> LayerOptions {
    LayerOptions {
        weight: arguments.weight,
        base: match arguments.from {
            LayerFrom::Rest => LayerBase::Rest,
            LayerFrom::First => LayerBase::First,
        },
        blend: arguments.blend,
        below: arguments.below.clone(),
    }
}
