//! `rebone retarget`: the main job.

use crate::Outcome;
use crate::avatar;
use crate::console;
use crate::failure::Failure;
use crate::files::Outputs;
use crate::json::{self, ReportJson, RootScaleJson, WarningJson};
use crate::progress;
use crate::session::{self, Loaded, Wanted};
use crate::settings::RetargetSettings;
use crate::table::{count, size};
use rebone::core::report::Report;
use rebone::output::Output;
use rebone::retargeting::with_overrides;
use rebone::{Clip, Format, Retarget, Rig, Role, Warning};
use serde::Serialize;

/// Runs the command.
pub(crate) fn run(settings: RetargetSettings) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::new([settings.source.as_path(), settings.target.as_path()]);
    outputs.announce(&settings.output)?;
    for path in [&settings.save_recipe, &settings.report]
        .into_iter()
        .flatten()
    {
        outputs.announce(path)?;
    }
    let (source, target) = progress::while_running("reading", || load(&settings))?;
    avatar::check_formats(
        &target.rig,
        &target.input.path,
        settings.format,
        &settings.output,
    )?;
    let mut result =
        progress::while_running("retargeting", || retarget(&source, &target, &settings))?;
    // Moved, not copied: a clip may be large.
    let reports: Vec<Report> = result
        .clips
        .iter()
        .map(|clip| clip.report.clone())
        .collect();
    let clips: Vec<Clip> = result.clips.drain(..).map(|clip| clip.clip).collect();
    let written = write(&target, &clips, settings.format)
        .map_err(|error| Failure::in_file(&settings.output, error))?;
    let warnings = all_warnings(&source.rig, &target.rig, &result, &clips, &written.warnings);
    outputs.stage(&settings.output, &written.bytes)?;
    if let Some(path) = &settings.save_recipe {
        outputs.stage(path, recipe_text(&source, &target, &settings)?.as_bytes())?;
    }
    let named: Vec<(&str, &Report)> = clips
        .iter()
        .map(|clip| clip.name.as_str())
        .zip(&reports)
        .collect();
    let failed: Vec<String> = settings
        .checks
        .iter()
        .filter_map(|check| check.failure(&named, warnings.len()))
        .collect();
    let output_name = settings.output.display().to_string();
    let document = RetargetJson {
        clips: clips
            .iter()
            .zip(&reports)
            .map(|(clip, report)| ClipJson {
                name: &clip.name,
                seconds: clip.seconds(),
                frames: clip.frame_count(),
                output: &output_name,
                report: json::report(report, &source.rig.map),
            })
            .collect(),
        root_scale: result.compiled.root_scale.into(),
        failed: &failed,
        warnings: json::warnings(&warnings),
    };
    if let Some(path) = &settings.report {
        outputs.stage(path, console::json_text(&document)?.as_bytes())?;
    }
    outputs.commit()?;
    if settings.json {
        console::document(&document)?;
    } else {
        let mut text: String = clips
            .iter()
            .zip(&reports)
            .map(|(clip, report)| clip_line(clip, report, &source.rig))
            .collect();
        text.push_str(&format!(
            "root scale {:.3}\nwrote {output_name} ({}{})\n",
            result.compiled.root_scale,
            if clips.len() > 1 {
                format!("{}, ", count(clips.len(), "clip"))
            } else {
                String::new()
            },
            size(written.bytes.len())
        ));
        console::data(&text)?;
        console::warnings("", &warnings);
    }
    for failure in &failed {
        console::note(&format!("check not met: {failure}"));
    }
    Ok(if failed.is_empty() {
        Outcome::Done
    } else {
        Outcome::CheckFailed
    })
}

#[derive(Serialize)]
struct RetargetJson<'a> {
    clips: Vec<ClipJson<'a>>,
    root_scale: RootScaleJson,
    failed: &'a [String],
    warnings: Vec<WarningJson<'a>>,
}

#[derive(Serialize)]
struct ClipJson<'a> {
    name: &'a str,
    seconds: f32,
    frames: usize,
    output: &'a str,
    report: ReportJson<'a>,
}

fn load(settings: &RetargetSettings) -> Result<(Loaded, Loaded), Failure> {
    session::load_pair(
        (
            &settings.source,
            &Wanted {
                skeleton: settings.skeleton.as_deref(),
                ..Wanted::new(Role::Source)
            },
        ),
        (
            &settings.target,
            &Wanted {
                skeleton: settings.target_skeleton.as_deref(),
                ..Wanted::new(Role::Target)
            },
        ),
    )
}

fn retarget(
    source: &Loaded,
    target: &Loaded,
    settings: &RetargetSettings,
) -> Result<Retarget, Failure> {
    source
        .rig
        .clips(&settings.clips)
        .map_err(|error| Failure::in_file(&source.input.path, error))?;
    if source.rig.character.clips.is_empty() {
        return Err(Failure::at(
            &source.input.path,
            format_args!(
                "no clip moves a joint of the skeleton \"{}\"",
                source.rig.character.name
            ),
            "give a source with an animation of its joints; `rebone inspect FILE` shows skeletons and clips",
        ));
    }
    if settings.format == Format::Bvh {
        let clips = match settings.clips.len() {
            0 => source.rig.character.clips.len(),
            number => number,
        };
        if clips > 1 {
            let names: Vec<String> = source
                .rig
                .character
                .clips
                .iter()
                .map(|clip| format!("\"{}\"", clip.name))
                .collect();
            return Err(Failure::at(
                &settings.output,
                format_args!("a BVH holds one clip, but {clips} were to be written"),
                format_args!(
                    "choose one with --clip NAME: {}",
                    crate::table::some_of(&names, 20)
                ),
            ));
        }
    }
    rebone::retarget(&source.rig, &target.rig, &settings.clips, &settings.recipe).map_err(|error| {
        Failure::in_file(
            &source.input.path,
            format_args!("onto {}: {error}", target.input.path.display()),
        )
    })
}

/// The target with the clips, in any format.
pub(crate) fn write(
    target: &Loaded,
    clips: &[Clip],
    format: Format,
) -> Result<Output, rebone::Error> {
    if format == Format::Vrma {
        let (character, doubts) = avatar::for_vrma(&target.rig, clips);
        let mut output = rebone::write_motion(&target.rig, character, format)?;
        output.warnings.extend(doubts);
        return Ok(output);
    }
    let beside = |name: &str| target.input.beside(name);
    rebone::write(&target.input.bytes, &beside, &target.rig, clips, format)
}

/// Everything worth knowing, once, with the side that it is about.
fn all_warnings(
    source: &Rig,
    target: &Rig,
    result: &Retarget,
    clips: &[Clip],
    written: &[Warning],
) -> Vec<Warning> {
    let mut all = Vec::new();
    let mut told: Vec<&Warning> = Vec::new();
    for (side, rig, alignment) in [
        ("source", source, &result.compiled.source),
        ("target", target, &result.compiled.target),
    ] {
        // What is missing after the recipe is told by the retarget itself.
        let of_file = rig.warnings.iter().filter(|w| w.code != "slot-missing");
        let own = session::distinct(of_file.chain(&alignment.warnings));
        all.extend(session::on_side(side, &own));
        told.extend(rig.warnings.iter().chain(&alignment.warnings));
    }
    let of_pair = result.warnings.iter().filter(|w| !told.contains(w));
    all.extend(session::distinct(of_pair));
    for clip in clips {
        let same = |other: &&Clip| other.name == clip.name;
        if target.format != Format::Bvh && target.character.clips.iter().any(|c| same(&c)) {
            all.push(Warning::new(
                "clip-name-taken",
                format!("the target already has a clip \"{}\"", clip.name),
                "both are in the result, the new one last",
            ));
        }
    }
    all.extend(written.iter().cloned());
    all
}

fn recipe_text(
    source: &Loaded,
    target: &Loaded,
    settings: &RetargetSettings,
) -> Result<String, Failure> {
    let map = |loaded: &Loaded, side| {
        with_overrides(&loaded.rig, side)
            .map_err(|error| Failure::in_file(&loaded.input.path, error))
    };
    let source_map = map(source, &settings.recipe.source)?;
    let target_map = map(target, &settings.recipe.target)?;
    Ok(settings.recipe.to_text(
        (&source.rig.character, &source_map),
        (&target.rig.character, &target_map),
    ))
}

/// `walk: 1.03 s, 32 frames; limbs 0.4° off on average, 2.1° at most (leftFoot)`.
pub(crate) fn clip_line(clip: &Clip, report: &Report, source: &Rig) -> String {
    let mut line = format!(
        "{}: {:.2} s, {}",
        clip.name,
        clip.seconds(),
        count(clip.frame_count(), "frame")
    );
    let worst = report
        .direction
        .iter()
        .max_by(|a, b| a.max_degrees.total_cmp(&b.max_degrees));
    if let Some(worst) = worst {
        line.push_str(&format!(
            "; limb directions {:.1}° off on average, {:.1}° at most ({})",
            report.mean_direction_degrees,
            report.max_direction_degrees,
            json::slot_name(&source.map, worst.slot)
        ));
    }
    line.push('\n');
    line
}
