//! `rebone retarget`: the main job.

use crate::Outcome;
use crate::avatar;
use crate::checks;
use crate::choices::Choices;
use crate::commands::doubts;
use crate::commands::retarget_results::{Made, comparisons};
use crate::commands::retarget_sources::{load, retarget, written_files};
use crate::console;
use crate::destination::{self, Named, Written};
use crate::failure::Failure;
use crate::files;
use crate::found_contacts;
use crate::json::{self, RootScaleJson, WarningJson};
use crate::outputs::Outputs;
use crate::progress;
use crate::report_file;
use crate::report_json::{self, ReportJson};
use crate::report_page::Words;
use crate::root_path;
use crate::session::Loaded;
use crate::settings::RetargetSettings;
use crate::sources;
use crate::summary;
use rebone::saving::take_root_paths;
use rebone::{Format, RigMap, RootScale, Warning};
use serde::Serialize;

/// Runs the command.
pub(crate) fn run(settings: &RetargetSettings) -> Result<Outcome, Failure> {
    let mut outputs = announced(settings)?;
    let (sources, target) = progress::while_running("reading", || load(settings))?;
    outputs.protect(sources.iter().map(|source| &source.input.path));
    avatar::check_formats(
        &target.rig,
        &target.input.path,
        settings.format,
        settings.destination.path(),
    )?;
    let mut results =
        progress::while_running("retargeting", || retarget(&sources, &target, settings))?;
    let mut made = Made::taken_from(&mut results);
    let paths = take_root_paths(&mut made.clips);
    let written = write_clips(&made, &target, settings, &mut outputs)?;
    let (rig, format) = (&target.rig, settings.format);
    let mut warnings = doubts::of_finished(&results, rig, &made.clips, format, &written.warnings);
    if let Some(path) = &settings.root_path {
        outputs.stage(path, root_path::text(&made.clips, &paths)?.as_bytes())?;
    }
    let comparisons = comparisons(&results, &target);
    if settings.needs_figures() {
        made.measure_all(&comparisons);
    }
    if let Some(path) = &settings.save_recipe {
        let text = choices_of_run(settings, &made).text(&sources[0], &target)?;
        outputs.stage(path, text.as_bytes())?;
    }
    warnings.extend(doubts::failing(&made.clips, &made.reports));
    let named = made.named_reports();
    let failed = checks::failures(&settings.checks, &named, warnings.len());
    let document = RetargetJson {
        clips: clips_json(&made, &written, &target.rig.map),
        root_scale: made.root_scale().into(),
        failed: &failed,
        warnings: json::warnings(&warnings),
    };
    if let Some(path) = &settings.report {
        let words = Words {
            title: title(settings),
            results: vec![settings.destination.path().display().to_string()],
            failed: &failed,
            warnings: &warnings,
            json: console::json_text(&document)?,
        };
        let rows = made.rows(&target, &comparisons);
        let text = report_file::content(path, &rows, words)?;
        outputs.stage(path, text.as_bytes())?;
    }
    let text = in_words(
        &made,
        &target.rig.map,
        &written.in_words(&settings.destination),
    );
    let told = that_matter(&warnings, settings, &target);
    outputs.commit(|| console::answer(&document, &text, &told))?;
    Ok(checks::ending(&settings.checks, &named, &failed))
}

/// Announces the outputs. They must not overwrite a file that is read.
fn announced(settings: &RetargetSettings) -> Result<Outputs, Failure> {
    let others = [
        settings.rest.as_ref(),
        settings.target_rest.as_ref(),
        settings.also_read.as_ref(),
    ];
    let mut outputs = Outputs::new([settings.target.as_path()]);
    outputs.protect(settings.sources.iter());
    outputs.protect(others.into_iter().flatten());
    for path in written_files(settings) {
        outputs.announce(path)?;
    }
    Ok(outputs)
}

/// Stages the files of the clips.
fn write_clips(
    made: &Made<'_>,
    target: &Loaded,
    settings: &RetargetSettings,
    outputs: &mut Outputs,
) -> Result<Written, Failure> {
    let stems: Vec<String> = made
        .origins
        .iter()
        .map(|origin| origin.source.input.stem())
        .collect();
    let target_stem = target.input.stem();
    let named: Vec<Named<'_>> = made
        .clips
        .iter()
        .zip(&stems)
        .map(|(clip, source)| Named {
            source,
            target: &target_stem,
            clip: &clip.name,
        })
        .collect();
    destination::write(
        outputs,
        &settings.destination,
        settings.format,
        &made.clips,
        &named,
        |clips| rebone::write(&target.rig, clips, settings.format),
    )
}

/// The choices of this run; with the contacts that were found if the settings ask for them.
fn choices_of_run(settings: &RetargetSettings, made: &Made<'_>) -> Choices {
    let mut choices = settings.choices.clone();
    if settings.save_contacts {
        let names = made.origins.iter().map(|origin| origin.clip.name.as_str());
        found_contacts::put_into(&mut choices.recipe, names.zip(&made.reports));
    }
    choices
}

/// `walk.bvh onto hero.glb`.
fn title(settings: &RetargetSettings) -> String {
    format!(
        "{} onto {}",
        files::name_of(&sources::name_of_all(&settings.sources)),
        files::name_of(&settings.target)
    )
}

/// The figures, the root scale, the name of the result and the verdict.
fn in_words(made: &Made<'_>, map: &RigMap, written: &str) -> String {
    let scales = made.origins.iter().flat_map(|origin| origin.root_scale);
    format!(
        "{}root scale {}\nwrote {written}\n{}",
        summary::clips(&made.clips, &made.reports, map),
        scales_in_words(scales),
        summary::verdict_on(&made.clips, &made.reports, map)
    )
}

/// All warnings; that about a guessed unit only if a result depends on the unit.
fn that_matter(warnings: &[Warning], settings: &RetargetSettings, target: &Loaded) -> Vec<Warning> {
    let matters = |warning: &&Warning| {
        warning.code != "unit-guessed" || unit_matters(settings, target.rig.format)
    };
    warnings.iter().filter(matters).cloned().collect()
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

fn clips_json<'a>(made: &'a Made<'_>, written: &'a Written, map: &'a RigMap) -> Vec<ClipJson<'a>> {
    let clips = made.clips.iter().zip(&made.reports).zip(&made.origins);
    clips
        .zip(&written.file_of)
        .map(|(((clip, report), origin), output)| ClipJson {
            name: &clip.name,
            seconds: clip.seconds(),
            frames: clip.frame_count(),
            output,
            source: origin.source.input.path.display().to_string(),
            root_scale: origin.root_scale.into(),
            report: report_json::report(report, map),
        })
        .collect()
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

/// True where the result depends on how long a metre is in a file that does not say it.
fn unit_matters(settings: &RetargetSettings, target: Format) -> bool {
    let absolute = matches!(
        settings.choices.recipe.root_scale,
        RootScale::None | RootScale::Factor(_) | RootScale::Axes(_)
    );
    absolute || (target == Format::Bvh && settings.format != Format::Bvh)
}
