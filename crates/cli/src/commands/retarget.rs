//! `rebone retarget`: the main job.

use crate::Outcome;
use crate::avatar;
use crate::choices;
use crate::commands::retarget_report::{self, SeenAgain};
use crate::console;
use crate::doubts;
use crate::failure::Failure;
use crate::files::Outputs;
use crate::json::{self, RootScaleJson, WarningJson};
use crate::progress;
use crate::report_json::{self, ReportJson};
use crate::report_page::{self, Words};
use crate::root_path;
use crate::session::{self, Loaded, Wanted};
use crate::settings::RetargetSettings;
use crate::sources;
use crate::summary;
use crate::table::size;
use rebone::core::profile::{Part, Side};
use rebone::core::report::Report;
use rebone::measuring::Comparison;
use rebone::output::Output;
use rebone::{Clip, Format, Recipe, Retarget, Role, RootScale, Warning};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Runs the command.
pub(crate) fn run(settings: &RetargetSettings) -> Result<Outcome, Failure> {
    let inputs = [Some(&settings.source), Some(&settings.target)]
        .into_iter()
        .chain([
            settings.rest.as_ref(),
            settings.target_rest.as_ref(),
            settings.also_read.as_ref(),
        ]);
    let mut outputs = Outputs::new(inputs.flatten().map(PathBuf::as_path));
    for path in written_files(settings) {
        outputs.announce(path)?;
    }
    let (sources, target) = progress::while_running("reading", || load(settings))?;
    avatar::check_formats(
        &target.rig,
        &target.input.path,
        settings.format,
        &settings.output,
    )?;
    let mut results =
        progress::while_running("retargeting", || retarget(&sources, &target, settings))?;
    // Moved, not copied: a clip may be large.
    let (mut clips, mut reports, mut from) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen_again = Vec::new();
    for (index, done) in results.iter_mut().enumerate() {
        for (order, made) in done.result.clips.drain(..).enumerate() {
            clips.push(made.clip);
            reports.push(made.report);
            seen_again.push(SeenAgain {
                of: index,
                order,
                clip: made.measured,
            });
            from.push((done.source, done.result.compiled.root_scales.to_array()));
        }
    }
    let paths = root_path::take(&mut clips);
    let written = write(&target, &clips, settings.format)
        .map_err(|error| Failure::in_file(&settings.output, error))?;
    let mut warnings = doubts::of_all(&results, &target.rig);
    warnings.extend(doubts::taken_names(&target.rig, &clips, settings.format));
    if doubts::keeps_meshes(&target.rig, settings.format, &written.warnings) {
        warnings.retain(|warning| !doubts::concerns_looks(warning));
    }
    warnings.extend(written.warnings.iter().cloned());
    outputs.stage(&settings.output, &written.bytes)?;
    if let Some(path) = &settings.root_path {
        outputs.stage(path, root_path::text(&clips, &paths)?.as_bytes())?;
    }
    if let Some(path) = &settings.save_recipe {
        let text = settings.choices.text(&sources[0], &target)?;
        outputs.stage(path, text.as_bytes())?;
    }
    let comparisons: Vec<Comparison<'_>> = results
        .iter()
        .map(|done| retarget_report::comparison(done, &target))
        .collect();
    if settings.report.is_some() || !settings.checks.is_empty() {
        retarget_report::measure_all((&results, &comparisons), &clips, &seen_again, &mut reports);
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
    let root_scale = from.first().map_or([1.0; 3], |(_, scale)| *scale);
    let document = RetargetJson {
        clips: clips
            .iter()
            .zip(&reports)
            .zip(&from)
            .map(|((clip, report), (source, scale))| ClipJson {
                name: &clip.name,
                seconds: clip.seconds(),
                frames: clip.frame_count(),
                output: &output_name,
                source: source.input.path.display().to_string(),
                root_scale: (*scale).into(),
                report: report_json::report(report, &target.rig.map),
            })
            .collect(),
        root_scale: root_scale.into(),
        failed: &failed,
        warnings: json::warnings(&warnings),
    };
    if let Some(path) = &settings.report {
        let json = console::json_text(&document)?;
        let text = if report_page::is_page(path) {
            let words = Words {
                title: format!(
                    "{} onto {}",
                    settings.source.display(),
                    settings.target.display()
                ),
                results: vec![output_name.clone()],
                failed: &failed,
                warnings: &warnings,
                json,
            };
            let measured = (clips.as_slice(), seen_again.as_slice(), reports.as_slice());
            let rows = retarget_report::rows((&results, &comparisons), &target, measured);
            progress::while_running("drawing", || report_page::html(&rows, words, path))?
        } else {
            json
        };
        outputs.stage(path, text.as_bytes())?;
    }
    outputs.commit()?;
    if settings.json {
        console::document(&document)?;
    } else {
        let mut text = summary::clips(&clips, &reports, &target.rig.map);
        text.push_str(&format!(
            "root scale {}\nwrote {output_name} ({})\n",
            scales_in_words(from.iter().flat_map(|(_, scale)| *scale)),
            size(written.bytes.len())
        ));
        console::data(&text)?;
        let matters = |warning: &&Warning| {
            warning.code != "unit-guessed" || unit_matters(settings, target.rig.format)
        };
        let told: Vec<Warning> = warnings.iter().filter(matters).cloned().collect();
        console::warnings("", &told);
    }
    for remark in settings
        .checks
        .iter()
        .filter_map(|check| check.remark(&named))
    {
        console::note(&remark);
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

/// The retarget of one source file.
pub(crate) struct Performed<'a> {
    pub(crate) source: &'a Loaded,
    /// The source's clips, in the order of the results.
    pub(crate) clips: Vec<&'a Clip>,
    pub(crate) recipe: Recipe,
    pub(crate) result: Retarget,
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
    source: String,
    root_scale: RootScaleJson,
    report: ReportJson<'a>,
}

/// Everything that the command writes.
fn written_files(settings: &RetargetSettings) -> impl Iterator<Item = &Path> {
    let others = [&settings.save_recipe, &settings.report, &settings.root_path];
    let others = others.into_iter().flatten();
    std::iter::once(&settings.output)
        .chain(others)
        .map(PathBuf::as_path)
}

/// `1.025`, or the least and the largest of several.
fn scales_in_words(scales: impl Iterator<Item = f64> + Clone) -> String {
    let least = scales.clone().fold(f64::INFINITY, f64::min);
    let largest = scales.fold(f64::NEG_INFINITY, f64::max);
    if largest - least < 5e-4 {
        format!("{least:.3}")
    } else {
        format!("{least:.3} to {largest:.3}")
    }
}

/// The sources, at least one, and the target.
fn load(settings: &RetargetSettings) -> Result<(Vec<Loaded>, Loaded), Failure> {
    let source_wanted = Wanted {
        skeleton: settings.skeleton.as_deref(),
        profile: settings.profile,
        ..Wanted::new(Role::Source)
    };
    let target_wanted = Wanted {
        skeleton: settings.target_skeleton.as_deref(),
        written_as: Some(settings.format),
        profile: settings.profile,
        ..Wanted::new(Role::Target)
    };
    let mut apart: Vec<&Path> = written_files(settings).collect();
    apart.push(&settings.target);
    apart.extend(settings.rest.as_deref());
    session::both(
        || {
            let sources = sources::load(&settings.source, &apart, &source_wanted)?;
            let Some(rest) = settings.rest.as_deref() else {
                return Ok(sources);
            };
            let rest = session::load_rest(rest, settings.profile)?;
            sources
                .into_iter()
                .map(|source| session::with_rest_of(source, &rest))
                .collect()
        },
        || {
            session::load_at_rest_of(
                &settings.target,
                &target_wanted,
                settings.target_rest.as_deref(),
            )
        },
    )
}

fn retarget<'a>(
    sources: &'a [Loaded],
    target: &Loaded,
    settings: &RetargetSettings,
) -> Result<Vec<Performed<'a>>, Failure> {
    let chosen = session::clips_of_any(sources, &settings.source, &settings.clips)?;
    let clips: Vec<&Clip> = chosen.iter().flatten().copied().collect();
    if let ([source], []) = (sources, clips.as_slice()) {
        return Err(no_motion(source));
    }
    if settings.format == Format::Bvh && clips.len() > 1 {
        return Err(session::too_many_clips(&settings.output, &clips));
    }
    let mut results = Vec::with_capacity(sources.len());
    for (source, clips) in sources.iter().zip(chosen) {
        if clips.is_empty() {
            continue;
        }
        let names: Vec<String> = clips.iter().map(|clip| clip.name.clone()).collect();
        let (recipe, result) = retarget_one(source, target, &names, settings)?;
        results.push(Performed {
            source,
            clips,
            recipe,
            result,
        });
    }
    Ok(results)
}

fn no_motion(source: &Loaded) -> Failure {
    let compressed = |warning: &&Warning| warning.code == "animation-compressed";
    if let Some(warning) = source.rig.warnings.iter().find(compressed) {
        return Failure::at(&source.input.path, &warning.message, &warning.hint);
    }
    Failure::at(
        &source.input.path,
        format_args!(
            "no clip moves a joint of the skeleton \"{}\"",
            source.rig.character.name
        ),
        "give the file with the animation first and the character that is to move second; \
         `rebone inspect FILE` shows skeletons and clips",
    )
}

fn retarget_one(
    source: &Loaded,
    target: &Loaded,
    clips: &[String],
    settings: &RetargetSettings,
) -> Result<(Recipe, Retarget), Failure> {
    let (recipe, doubts) = settings.choices.for_pair(source, target);
    // Joints linked by hand need no body.
    let needs_bodies =
        recipe.links.values().all(String::is_empty) && recipe.merged.values().all(Vec::is_empty);
    for (side, loaded, own) in [
        ("source", source, &recipe.source),
        ("target", target, &recipe.target),
    ] {
        let map = choices::overridden(loaded, own)?;
        if needs_bodies && map.joint_of(Part::Hips, Side::Center).is_none() {
            return Err(nothing_to_match(side, loaded, settings));
        }
    }
    let mut result =
        rebone::retarget(&source.rig, &target.rig, clips, &recipe).map_err(|error| {
            Failure::new(
                format_args!(
                    "{} onto {}",
                    source.input.path.display(),
                    target.input.path.display()
                ),
                error,
            )
        })?;
    result.warnings.extend(doubts);
    if settings.moment_is_asked_for {
        // A frame of the command line must be there; one of a recipe is a wish.
        for (loaded, alignment) in [
            (source, &result.compiled.source),
            (target, &result.compiled.target),
        ] {
            let missing = |warning: &&Warning| warning.code == "pose-missing";
            if let Some(warning) = alignment.warnings.iter().find(missing) {
                return Err(Failure::at(
                    &loaded.input.path,
                    &warning.message,
                    "`rebone inspect FILE` shows how long its clips are and how many frames they have",
                ));
            }
        }
    }
    Ok((recipe, result))
}

fn nothing_to_match(side: &str, loaded: &Loaded, settings: &RetargetSettings) -> Failure {
    let character = &loaded.rig.character;
    let (what, remedy) = if loaded.rig.map.slots.is_empty() {
        (
            "is recognised neither as a humanoid nor as a four-legged animal",
            "if it is one, name its joints; if not, link its joints in [links]",
        )
    } else {
        ("has no hips that could be found", "name its joints")
    };
    // Of a folder it is one file that does not fit.
    let (source, aside) = if side == "source" && settings.source.is_dir() {
        let aside = "; a file that is none of the character's motions may also leave the folder";
        (&loaded.input.path, aside)
    } else {
        (&settings.source, "")
    };
    Failure::at(
        &loaded.input.path,
        format_args!("the skeleton \"{}\" {what}", character.name),
        format_args!(
            "{remedy}: `rebone map {} {} -o recipe.toml`, fill in [{side}.slots], then add --recipe recipe.toml{aside}",
            source.display(),
            settings.target.display()
        ),
    )
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

/// True where the result depends on how long a metre is in a file that does not say it.
fn unit_matters(settings: &RetargetSettings, target: Format) -> bool {
    let absolute = matches!(
        settings.choices.recipe.root_scale(),
        RootScale::None | RootScale::Factor(_) | RootScale::Axes(_)
    );
    absolute || (target == Format::Bvh && settings.format != Format::Bvh)
}
