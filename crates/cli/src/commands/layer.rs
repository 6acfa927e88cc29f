//! `rebone layer`: a motion on top of others.

use crate::Outcome;
use crate::arguments::{Layer, LayerFrom};
use crate::avatar;
use crate::commands::retarget::write;
use crate::console;
use crate::failure::Failure;
use crate::files::{self, Outputs};
use crate::json::{self, WarningJson};
use crate::session;
use crate::settings::once_each;
use rebone::layering::{LayerBase, LayerOptions, put_layer};
use rebone::opening::Opening;
use rebone::{Clip, Format, Role};
use serde::Serialize;

#[derive(Serialize)]
struct LayerJson<'a> {
    output: &'a str,
    clips: Vec<&'a str>,
    layer: &'a str,
    warnings: Vec<WarningJson<'a>>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Layer) -> Result<Outcome, Failure> {
    let format = files::format_of(&arguments.output)?;
    let mut outputs = Outputs::new([arguments.base.as_path(), arguments.layer.as_path()]);
    outputs.announce(&arguments.output)?;
    let base = Opening {
        written_as: Some(format),
        ..Opening::new(Role::Source)
    };
    let (base, other) = session::load_pair(
        (&arguments.base, &base),
        (&arguments.layer, &Opening::new(Role::Source)),
    )?;
    avatar::check_formats(&base.rig, &base.input.path, format, &arguments.output)?;
    let names = once_each(&arguments.clip);
    let chosen = session::clips_named(&base, &names)?;
    if format == Format::Bvh && chosen.len() > 1 {
        return Err(session::too_many_clips(&arguments.output, &chosen));
    }
    let wanted: Vec<String> = arguments.layer_clip.iter().cloned().collect();
    let layers = session::clips_named(&other, &wanted)?;
    let layer = match layers.as_slice() {
        [layer] => *layer,
        several => {
            return Err(Failure::in_file(
                &other.input.path,
                format_args!(
                    "it holds {} clips, but one is to be the layer; choose it with --layer-clip NAME",
                    several.len()
                ),
            ));
        }
    };
    let options = LayerOptions {
        weight: arguments.weight,
        base: match arguments.from {
            LayerFrom::Rest => LayerBase::Rest,
            LayerFrom::First => LayerBase::First,
        },
        blend: arguments.blend,
        below: arguments.below.clone(),
    };
    let clips = put_layer(&base.rig, &names, (&other.rig, layer), &options)
        .map_err(|error| Failure::in_file(&base.input.path, error))?;
    let written =
        write(&base, &clips, format).map_err(|error| Failure::in_file(&arguments.output, error))?;
    let warnings = session::distinct(&written.warnings);
    outputs.stage(&arguments.output, &written.bytes)?;
    outputs.commit()?;
    let output = arguments.output.display().to_string();
    if arguments.json {
        console::document(&LayerJson {
            output: &output,
            clips: clips.iter().map(|clip: &Clip| clip.name.as_str()).collect(),
            layer: &layer.name,
            warnings: json::warnings(&warnings),
        })?;
    } else {
        let named: Vec<String> = clips
            .iter()
            .map(|clip| format!("\"{}\"", clip.name))
            .collect();
        let how = if arguments.blend {
            "blended with"
        } else {
            "with"
        };
        console::data(&format!(
            "wrote {output}: {} {how} \"{}\"\n",
            named.join(", "),
            layer.name
        ))?;
        console::warnings("", &warnings);
    }
    Ok(Outcome::Done)
}
