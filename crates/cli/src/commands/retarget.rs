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
use crate::summary;
use crate::table::size;
use rebone::core::recipe::SideRecipe;
use rebone::core::report::Report;
use rebone::output::Output;
use rebone::retargeting::with_overrides;
use rebone::{Clip, Format, Retarget, Rig, RigMap, Role, RootScale, Warning};
use serde::Serialize;

/// Runs the command.
pub(crate) fn run(settings: &RetargetSettings) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::new([settings.source.as_path(), settings.target.as_path()]);
    outputs.announce(&settings.output)?;
    for path in [&settings.save_recipe, &settings.report]
        .into_iter()
        .flatten()
    {
        outputs.announce(path)?;
    }
    let (source, target) = progress::while_running("reading", || load(settings))?;
    avatar::check_formats(
        &target.rig,
        &target.input.path,
        settings.format,
        &settings.output,
    )?;
    let mut result =
        progress::while_running("retargeting", || retarget(&source, &target, settings))?;
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
        outputs.stage(path, recipe_text(&source, &target, settings)?.as_bytes())?;
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
        let mut text = summary::clips(&clips, &reports, &source.rig.map);
        text.push_str(&format!(
            "root scale {:.3}\nwrote {output_name} ({})\n",
            result.compiled.root_scale,
            size(written.bytes.len())
        ));
        console::data(&text)?;
        let matters = |warning: &&Warning| {
            warning.code != "unit-guessed" || unit_matters(settings, target.rig.format)
        };
        let told: Vec<Warning> = warnings.iter().filter(matters).cloned().collect();
        console::warnings("", &told);
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
    let clips = session::clips_named(source, &settings.clips)?;
    if clips.is_empty() {
        return Err(Failure::at(
            &source.input.path,
            format_args!(
                "no clip moves a joint of the skeleton \"{}\"",
                source.rig.character.name
            ),
            "give a source with an animation of its joints; `rebone inspect FILE` shows skeletons and clips",
        ));
    }
    if settings.format == Format::Bvh && clips.len() > 1 {
        return Err(session::too_many_clips(&settings.output, &clips));
    }
    for (side, loaded, recipe) in [
        ("source", source, &settings.recipe.source),
        ("target", target, &settings.recipe.target),
    ] {
        let map = overridden(loaded, recipe)?;
        if map.joint_named("hips").is_none() {
            return Err(nothing_to_match(side, loaded, settings));
        }
    }
    rebone::retarget(&source.rig, &target.rig, &settings.clips, &settings.recipe).map_err(|error| {
        Failure::new(
            format_args!(
                "{} onto {}",
                source.input.path.display(),
                target.input.path.display()
            ),
            error,
        )
    })
}

fn nothing_to_match(side: &str, loaded: &Loaded, settings: &RetargetSettings) -> Failure {
    let character = &loaded.rig.character;
    let (what, remedy) = if loaded.rig.map.slots.is_empty() {
        (
            "is not recognised as a humanoid",
            "animals and other creatures are not supported yet; if it has hips, a spine, arms and legs, \
             name its joints",
        )
    } else {
        ("has no hips that could be found", "name its joints")
    };
    Failure::at(
        &loaded.input.path,
        format_args!("the skeleton \"{}\" {what}", character.name),
        format_args!(
            "{remedy}: `rebone map {} {} -o recipe.toml`, fill in [{side}.slots], then add --recipe recipe.toml",
            settings.source.display(),
            settings.target.display()
        ),
    )
}

/// A rig's map with the recipe's joints on top.
fn overridden(loaded: &Loaded, recipe: &SideRecipe) -> Result<RigMap, Failure> {
    with_overrides(&loaded.rig, recipe).map_err(|error| Failure::in_file(&loaded.input.path, error))
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
    let source_map = overridden(source, &settings.recipe.source)?;
    let target_map = overridden(target, &settings.recipe.target)?;
    Ok(settings.recipe.to_text(
        (&source.rig.character, &source_map),
        (&target.rig.character, &target_map),
    ))
}

/// True where the result depends on how long a metre is in a file that does not say it.
fn unit_matters(settings: &RetargetSettings, target: Format) -> bool {
    let absolute = matches!(
        settings.recipe.root_scale(),
        RootScale::None | RootScale::Factor(_)
    );
    absolute || (target == Format::Bvh && settings.format != Format::Bvh)
}
