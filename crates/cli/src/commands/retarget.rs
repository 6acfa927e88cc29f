//! `rebone retarget`: the main job.

use crate::Outcome;
use crate::avatar;
use crate::checks;
use crate::commands::doubts;
use crate::commands::retarget_report::{self, SeenAgain};
use crate::commands::retarget_sources::{Performed, load, retarget, written_files};
use crate::console;
use crate::destination::{self, Named};
use crate::failure::Failure;
use crate::files;
use crate::found_contacts;
use crate::json::{self, RootScaleJson, WarningJson};
use crate::outputs::Outputs;
use crate::progress;
use crate::report_file;
use crate::report_json::{self, ReportJson};
use crate::report_page::{self, Words};
use crate::root_path;
use crate::session::Loaded;
use crate::settings::RetargetSettings;
use crate::sources;
use crate::summary;
use rebone::measuring::Comparison;
use rebone::output::Output;
use rebone::report::Report;
use rebone::saving::take_root_paths;
use rebone::{Clip, Format, RootScale, Warning};
use serde::Serialize;

/// Runs the command.
pub(crate) fn run(settings: &RetargetSettings) -> Result<Outcome, Failure> {
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
    let (sources, target) = progress::while_running("reading", || load(settings))?;
    outputs.protect(sources.iter().map(|source| &source.input.path));
    let destination = &settings.destination;
    avatar::check_formats(
        &target.rig,
        &target.input.path,
        settings.format,
        destination.path(),
    )?;
    let mut results =
        progress::while_running("retargeting", || retarget(&sources, &target, settings))?;
    let Made {
        mut clips,
        mut reports,
        seen_again,
        from,
    } = Made::taken_from(&mut results);
    let paths = take_root_paths(&mut clips);
    let stems: Vec<String> = from.iter().map(|(source, _)| source.input.stem()).collect();
    let target_stem = target.input.stem();
    let named: Vec<Named<'_>> = clips
        .iter()
        .zip(&stems)
        .map(|(clip, source)| Named {
            source,
            target: &target_stem,
            clip: &clip.name,
        })
        .collect();
    let written = destination::write(
        &mut outputs,
        (destination, settings.format),
        (&clips, &named),
        |clips| write(&target, clips, settings.format),
    )?;
    let mut warnings = doubts::of_finished(
        &results,
        &target.rig,
        (&clips, settings.format),
        &written.warnings,
    );
    if let Some(path) = &settings.root_path {
        outputs.stage(path, root_path::text(&clips, &paths)?.as_bytes())?;
    }
    let comparisons: Vec<Comparison<'_>> = results
        .iter()
        .map(|done| retarget_report::comparison(done, &target))
        .collect();
    if settings.report.is_some() || !settings.checks.is_empty() {
        retarget_report::measure_all((&results, &comparisons), &clips, &seen_again, &mut reports);
    }
    if let Some(path) = &settings.save_recipe {
        let mut choices = settings.choices.clone();
        if settings.save_contacts {
            let from = seen_again
                .iter()
                .map(|seen| results[seen.of].clips[seen.order].name.as_str());
            found_contacts::put_into(&mut choices.recipe, from.zip(&reports));
        }
        let text = choices.text(&sources[0], &target)?;
        outputs.stage(path, text.as_bytes())?;
    }
    warnings.extend(doubts::failing(&clips, &reports));
    let named: Vec<(&str, &Report)> = clips
        .iter()
        .map(|clip| clip.name.as_str())
        .zip(&reports)
        .collect();
    let failed = checks::failures(&settings.checks, &named, warnings.len());
    let root_scale = from.first().map_or([1.0; 3], |(_, scale)| *scale);
    let document = RetargetJson {
        clips: clips
            .iter()
            .zip(&reports)
            .zip(&from)
            .zip(&written.file_of)
            .map(|(((clip, report), (source, scale)), output)| ClipJson {
                name: &clip.name,
                seconds: clip.seconds(),
                frames: clip.frame_count(),
                output,
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
        let text = if report_file::is_page(path) {
            let words = Words {
                title: format!(
                    "{} onto {}",
                    files::name_of(&sources::name_of_all(&settings.sources)),
                    files::name_of(&settings.target)
                ),
                results: vec![destination.path().display().to_string()],
                failed: &failed,
                warnings: &warnings,
                json,
            };
            let measured = (clips.as_slice(), seen_again.as_slice(), reports.as_slice());
            let rows = retarget_report::rows((&results, &comparisons), &target, measured);
            progress::while_running("drawing", || report_page::html(&rows, words))
                .map_err(|error| Failure::in_file(path, error))?
        } else {
            json
        };
        outputs.stage(path, text.as_bytes())?;
    }
    let mut text = summary::clips(&clips, &reports, &target.rig.map);
    text.push_str(&format!(
        "root scale {}\nwrote {}\n",
        scales_in_words(from.iter().flat_map(|(_, scale)| *scale)),
        written.in_words(destination)
    ));
    text.push_str(&summary::verdict_on(&clips, &reports, &target.rig.map));
    let matters = |warning: &&Warning| {
        warning.code != "unit-guessed" || unit_matters(settings, target.rig.format)
    };
    let told: Vec<Warning> = warnings.iter().filter(matters).cloned().collect();
    outputs.commit(|| console::answer(&document, &text, &told))?;
    Ok(checks::ending(&settings.checks, &named, &failed))
}

/// What retargets gave, clip by clip.
pub(crate) struct Made<'a> {
    pub(crate) clips: Vec<Clip>,
    pub(crate) reports: Vec<Report>,
    pub(crate) seen_again: Vec<SeenAgain>,
    /// The source of each clip, and how far the target travels relative to it.
    pub(crate) from: Vec<(&'a Loaded, [f64; 3])>,
}

impl<'a> Made<'a> {
    /// Moves the clips out of the results: a clip may be large.
    pub(crate) fn taken_from(results: &mut [Performed<'a>]) -> Self {
        let mut made = Self {
            clips: Vec::new(),
            reports: Vec::new(),
            seen_again: Vec::new(),
            from: Vec::new(),
        };
        for (index, done) in results.iter_mut().enumerate() {
            let root_scale = done.result.compiled.root_scales.to_array();
            for (order, clip) in done.result.clips.drain(..).enumerate() {
                made.clips.push(clip.clip);
                made.reports.push(clip.report);
                made.seen_again.push(SeenAgain {
                    of: index,
                    order,
                    clip: clip.measured,
                    notes: clip.notes,
                });
                made.from.push((done.source, root_scale));
            }
        }
        made
    }
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

/// The target with the clips, in any format.
pub(crate) fn write(
    target: &Loaded,
    clips: &[Clip],
    format: Format,
) -> Result<Output, rebone::Error> {
    rebone::write(&target.rig, clips, format)
}

/// True where the result depends on how long a metre is in a file that does not say it.
fn unit_matters(settings: &RetargetSettings, target: Format) -> bool {
    let absolute = matches!(
        settings.choices.recipe.root_scale,
        RootScale::None | RootScale::Factor(_) | RootScale::Axes(_)
    );
    absolute || (target == Format::Bvh && settings.format != Format::Bvh)
}
