//! `rebone convert`: the same motion in another format.

use crate::Outcome;
use crate::advice::worded;
use crate::arguments::Convert;
use crate::avatar;
use crate::console;
use crate::destination::{self, Destination, Named, Written};
use crate::failure::Failure;
use crate::json::{self, WarningJson};
use crate::losses;
use crate::outputs::Outputs;
use crate::session::{self, Loaded};
use crate::sources::{self, Found};
use rebone::opening::Opening;
use rebone::saving::for_vrma;
use rebone::{Clip, Format, Rig, Role, Warning};
use serde::Serialize;
use std::path::Path;

/// Runs the command.
pub(crate) fn run(arguments: &Convert) -> Result<Outcome, Failure> {
    let (inputs, output) = inputs_and_output(arguments)?;
    let (destination, format) = Destination::new(output, arguments.format, None)?;
    let mut outputs = Outputs::new(inputs.iter().map(|found| found.path.as_path()));
    if let Some(path) = destination.known_file() {
        if let [_, second, ..] = inputs.as_slice() {
            return Err(Failure::at(
                path,
                format_args!("{} files are to become one", inputs.len()),
                format_args!(
                    "name a folder, as -o out/, or leave out {}",
                    second.path.display()
                ),
            ));
        }
        outputs.announce(path)?;
    }
    let wanted = Opening {
        skeleton: arguments.skeleton.as_deref(),
        written_as: Some(format),
        ..Opening::new(Role::Source)
    };
    let mut converted = Vec::with_capacity(inputs.len());
    let mut warnings = Vec::new();
    for found in &inputs {
        let mut loaded = session::load(&found.path, &wanted)?;
        avatar::check_formats(&loaded.rig, &found.path, format, destination.path())?;
        if !is_repack(&loaded.rig, format) {
            // Only a repack needs the old bytes, and while a large file is written memory is scarce.
            loaded.input.file.forget();
            loaded.rig.file = None;
        }
        let names = &arguments.clip;
        let (written, clips) = convert(&loaded, names, &destination, format, &mut outputs)?;
        if !is_repack(&loaded.rig, format) {
            warnings.extend(losses::of_conversion(&loaded.rig, &clips, format));
            let of_file = loaded.rig.warnings.iter();
            let on_unit = |w: &&Warning| matches!(w.code, "unit-guessed" | "unit-unlikely");
            warnings.extend(of_file.filter(on_unit).cloned());
        }
        warnings.extend(written.warnings.iter().cloned());
        converted.push(Converted {
            input: found.path.display().to_string(),
            written,
            clips,
        });
    }
    let warnings = session::distinct(&warnings);
    let text: String = converted
        .iter()
        .map(|file| file.in_words(&destination, format))
        .collect();
    let output = destination.path().display().to_string();
    let document = ConvertJson {
        output: &output,
        format: format.name(),
        clips: converted.iter().flat_map(|file| &file.clips).collect(),
        files: converted.iter().map(Converted::json).collect(),
        warnings: json::warnings(&warnings),
    };
    outputs.commit(|| console::answer(&document, &text, &warnings))?;
    Ok(Outcome::Done)
}

/// What was typed: `IN... -o OUT`, or the older `IN OUT`.
fn inputs_and_output(arguments: &Convert) -> Result<(Vec<Found>, &Path), Failure> {
    let files = arguments.inputs.as_slice();
    let (inputs, output) = match (&arguments.output, files) {
        (Some(output), inputs) => (inputs, output),
        (None, [input, output]) => {
            console::remark(&format!(
                "hint: `rebone convert {} -o {}` is the form of all commands; this older one still works",
                input.display(),
                output.display()
            ));
            (std::slice::from_ref(input), output)
        }
        (None, _) => {
            return Err(Failure::new(
                "nothing says where the result goes",
                "add -o OUT, as in `rebone convert dance.bvh -o dance.glb`",
            ));
        }
    };
    let mut found = sources::find(inputs, arguments.recursive)?;
    found.retain(|file| file.folder.is_none() || sources::is_known(&file.path).unwrap_or(true));
    if found.is_empty() {
        return Err(Failure::at(
            &sources::name_of_all(inputs),
            "there is no file to convert",
            "give FBX, glTF, GLB, VRM, VRMA or BVH files; --recursive also searches the folders of a folder",
        ));
    }
    Ok((found, output))
}

/// A file in its new format.
struct Converted {
    input: String,
    written: Written,
    /// The names of its clips.
    clips: Vec<String>,
}

impl Converted {
    fn in_words(&self, destination: &Destination, format: Format) -> String {
        let held = session::clips_in_words(self.clips.iter().map(String::as_str));
        let to = match (destination, self.written.file_of.as_slice()) {
            (Destination::Pattern(_), [file]) => file.clone(),
            _ => self.written.in_words(destination),
        };
        format!("wrote {to}: {}, {held}\n", format.name().to_uppercase())
    }

    fn json(&self) -> ConvertedJson<'_> {
        ConvertedJson {
            input: &self.input,
            outputs: &self.written.file_of,
            clips: &self.clips,
        }
    }
}

#[derive(Serialize)]
struct ConvertJson<'a> {
    output: &'a str,
    format: &'a str,
    clips: Vec<&'a String>,
    files: Vec<ConvertedJson<'a>>,
    warnings: Vec<WarningJson<'a>>,
}

#[derive(Serialize)]
struct ConvertedJson<'a> {
    input: &'a str,
    /// The file of each clip.
    outputs: &'a [String],
    clips: &'a [String],
}

/// True where everything is kept and only its wrapping changes.
fn is_repack(rig: &Rig, format: Format) -> bool {
    let gltf = |format| matches!(format, Format::Glb | Format::Gltf | Format::Vrm);
    let from = gltf(rig.format) || rig.format == Format::Vrma;
    from && (gltf(format) || (rig.format == Format::Vrma && format == Format::Vrma))
}

/// Stages the new files; gives them and the names of the clips.
fn convert(
    loaded: &Loaded,
    clip_names: &[String],
    destination: &Destination,
    format: Format,
    outputs: &mut Outputs,
) -> Result<(Written, Vec<String>), Failure> {
    let rig = &loaded.rig;
    let stem = loaded.input.stem();
    let chosen = session::clips_named(loaded, clip_names)?;
    let names = chosen.iter().map(|clip| clip.name.clone()).collect();
    if is_repack(rig, format) {
        if !clip_names.is_empty() {
            return Err(Failure::at(
                &loaded.input.path,
                "from glTF to glTF everything is kept, so --clip has no use",
                "leave --clip out",
            ));
        }
        let container = if format == Format::Gltf {
            Format::Gltf
        } else {
            Format::Glb
        };
        let whole = [Clip::new(stem.clone(), 0)];
        let written = destination::write(
            outputs,
            destination,
            format,
            &whole,
            &Named::all(&stem, &stem, &whole),
            |_| rebone::write(rig, &[], container),
        )?;
        return Ok((written, names));
    }
    if matches!(format, Format::Bvh | Format::Vrma) && chosen.is_empty() {
        return Err(no_motion(loaded, format));
    }
    let clips: Vec<Clip> = chosen.iter().map(|&clip| clip.clone()).collect();
    let make = |clips: &[Clip]| {
        let (character, doubts) = if format == Format::Vrma {
            for_vrma(rig, clips)
        } else {
            let mut character = rig.character.clone();
            character.clips = clips.to_vec();
            (character, Vec::new())
        };
        let mut output = rebone::write_motion(rig, character, format)?;
        output.warnings.extend(doubts);
        Ok(output)
    };
    let written = if clips.is_empty() {
        // A character without motion is one file all the same.
        let whole = [Clip::new(stem.clone(), 0)];
        let named = Named::all(&stem, &stem, &whole);
        destination::write(outputs, destination, format, &whole, &named, |_| make(&[]))?
    } else {
        let named = Named::all(&stem, &stem, &clips);
        destination::write(outputs, destination, format, &clips, &named, make)?
    };
    Ok((written, names))
}

/// Where a file without motion was to become a motion file.
fn no_motion(loaded: &Loaded, format: Format) -> Failure {
    let compressed = |warning: &&Warning| warning.code == "animation-compressed";
    if let Some(warning) = loaded.rig.warnings.iter().find(compressed) {
        return Failure::at(
            &loaded.input.path,
            &warning.message,
            worded(&warning.remedy),
        );
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
