//! `rebone report`: figures of a finished retarget, whoever made it.

use crate::Outcome;
use crate::arguments;
use crate::checks;
use crate::choices::Choices;
use crate::console;
use crate::failure::Failure;
use crate::files::{Input, name_of};
use crate::json::{self, WarningJson};
use crate::outputs::Outputs;
use crate::progress;
use crate::report_file;
use crate::report_json::{self, ReportJson};
use crate::report_page::{self, Column, Row, Words};
use crate::session::{self, Loaded};
use crate::summary;
use crate::table::size;
use crate::values;
use rebone::measuring::{Comparison, Finished, finished};
use rebone::model::clip::find_clip;
use rebone::opening::Opening;
use rebone::report::Report;
use rebone::{Clip, Recipe, Role, Warning};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Serialize)]
struct DocumentJson<'a> {
    source: String,
    result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
    verdict: &'static str,
    clips: Vec<ClipJson<'a>>,
    failed: &'a [String],
    warnings: Vec<WarningJson<'a>>,
}

#[derive(Serialize)]
struct ClipJson<'a> {
    name: &'a str,
    seconds: f32,
    frames: usize,
    report: ReportJson<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<ReportJson<'a>>,
}

/// A result with everything that it is measured by.
struct Side<'a> {
    loaded: &'a Loaded,
    finished: Finished,
    recipe: Recipe,
    /// Warnings about the recipe.
    doubts: Vec<Warning>,
}

/// A clip of the source with the clip of each result that was made from it.
struct Chosen<'a> {
    clip: &'a Clip,
    made: Vec<&'a Clip>,
}

/// A clip of the source with the figures of each result.
struct Pairing<'a> {
    clip: &'a Clip,
    made: Vec<Measured<'a>>,
}

struct Measured<'a> {
    /// Seen in the mirror again, where the recipe mirrors.
    again: Option<Clip>,
    own: &'a Clip,
    report: Report,
}

impl Measured<'_> {
    fn clip(&self) -> &Clip {
        self.again.as_ref().unwrap_or(self.own)
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &arguments::Report) -> Result<Outcome, Failure> {
    let mut outputs = announced(arguments)?;
    let choices = Choices::open(arguments.recipe.as_deref())?;
    let (source, results) = progress::while_running("reading", || load(arguments, &choices))?;
    let clips = chosen(arguments, &source, &results)?;
    let only: Vec<&Clip> = clips.iter().map(|chosen| chosen.clip).collect();
    let sides = results
        .iter()
        .map(|result| Side::new(&source, result, &only, &choices))
        .collect::<Result<Vec<Side<'_>>, Failure>>()?;
    let comparisons: Vec<Comparison<'_>> =
        sides.iter().map(|side| side.comparison(&source)).collect();
    let pairings = progress::while_running("measuring", || measured(&clips, &comparisons));
    let mut warnings = session::distinct(
        sides
            .iter()
            .flat_map(|side| &side.doubts)
            .chain(sides.iter().flat_map(|side| &side.finished.warnings)),
    );
    warnings.extend(pairings.iter().flat_map(doubts));
    let named = named_reports(&pairings);
    let failed = checks::failures(&arguments.fail_on, &named, warnings.len());
    let document = DocumentJson {
        source: source.input.path.display().to_string(),
        result: arguments.result.display().to_string(),
        other: arguments
            .compare
            .as_ref()
            .map(|path| path.display().to_string()),
        verdict: report_page::worst_verdict(named.iter().map(|(_, report)| *report)).name(),
        clips: pairings
            .iter()
            .filter_map(|pairing| clip_json(pairing, &results))
            .collect(),
        failed: &failed,
        warnings: json::warnings(&warnings),
    };
    let mut text: String = pairings.iter().map(in_words).collect();
    if let Some(path) = &arguments.output {
        let words = Words {
            title: format!("{} onto {}", name(&source), name(&results[0])),
            results: results.iter().map(name).collect(),
            failed: &failed,
            warnings: &warnings,
            json: console::json_text(&document)?,
        };
        let rows = rows(&source, &pairings, &results, &comparisons);
        let content = report_file::content(path, &rows, words)?;
        outputs.stage(path, content.as_bytes())?;
        text.push_str(&format!(
            "wrote {} ({})\n",
            path.display(),
            size(content.len())
        ));
    }
    outputs.commit(|| answer(&document, &text, &warnings))?;
    Ok(checks::ending(&arguments.fail_on, &named, &failed))
}

/// Writes the figures. `--quiet` does not leave them out, because the user asked for them.
fn answer(document: &DocumentJson<'_>, text: &str, warnings: &[Warning]) -> Result<(), Failure> {
    if console::wants_json() {
        return console::document(document);
    }
    console::data(text)?;
    console::warnings("", warnings);
    Ok(())
}

/// The outputs, with the files that are read protected from them.
fn announced(arguments: &arguments::Report) -> Result<Outputs, Failure> {
    let inputs = [&arguments.source, &arguments.result];
    let more = [&arguments.compare, &arguments.recipe];
    let inputs = inputs.into_iter().chain(more.into_iter().flatten());
    let mut outputs = Outputs::new(inputs.map(PathBuf::as_path));
    let Some(path) = &arguments.output else {
        return Ok(outputs);
    };
    outputs.announce(path)?;
    let is_json = path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("json"));
    if is_json || report_file::is_page(path) {
        return Ok(outputs);
    }
    Err(Failure::at(
        path,
        "a report is a page or JSON",
        "name it *.html or *.json",
    ))
}

impl<'a> Side<'a> {
    fn new(
        source: &Loaded,
        loaded: &'a Loaded,
        clips: &[&Clip],
        choices: &Choices,
    ) -> Result<Self, Failure> {
        let (recipe, doubts) = choices.for_pair(source, loaded);
        let finished = finished(&source.rig, &loaded.rig, clips, &recipe)
            .map_err(|error| Failure::in_file(&loaded.input.path, error))?;
        Ok(Self {
            loaded,
            finished,
            recipe,
            doubts,
        })
    }

    fn comparison(&self, source: &'a Loaded) -> Comparison<'_> {
        let mut comparison = Comparison::new(
            &source.rig,
            &self.loaded.rig,
            &self.finished.compiled,
            &self.finished.target_map,
            &self.recipe,
        );
        // Who asks for figures wants them of every frame.
        comparison.options.frames = Some(usize::MAX);
        comparison
    }
}

/// Each clip, measured in each result.
fn measured<'a>(clips: &[Chosen<'a>], comparisons: &[Comparison<'_>]) -> Vec<Pairing<'a>> {
    let pairing = |chosen: &Chosen<'a>| {
        let made = chosen.made.iter().zip(comparisons);
        let made = made.map(|(own, comparison)| measure(chosen.clip, own, comparison));
        Pairing {
            clip: chosen.clip,
            made: made.collect(),
        }
    };
    clips.iter().map(pairing).collect()
}

/// The reports of the first result, with the names of their clips.
fn named_reports<'a>(pairings: &'a [Pairing<'_>]) -> Vec<(&'a str, &'a Report)> {
    pairings
        .iter()
        .filter_map(|pairing| Some((pairing.clip.name.as_str(), &pairing.made.first()?.report)))
        .collect()
}

fn in_words(pairing: &Pairing<'_>) -> String {
    let reports: Vec<&Report> = pairing.made.iter().map(|made| &made.report).collect();
    summary::report(pairing.clip, &reports)
}

fn name(loaded: &Loaded) -> String {
    name_of(&loaded.input.path)
}

fn load(
    arguments: &arguments::Report,
    choices: &Choices,
) -> Result<(Loaded, Vec<Loaded>), Failure> {
    let named = arguments
        .profile
        .as_deref()
        .or(choices.recipe.profile.as_deref());
    let profile = values::profile(named)?;
    let meshes = arguments
        .output
        .as_deref()
        .is_some_and(report_file::is_page);
    let source = Opening {
        meshes,
        skeleton: arguments.skeleton.as_deref(),
        profile,
        ..Opening::new(Role::Source)
    };
    // What was animated is what moves, not what has a skin.
    let result = Opening {
        meshes,
        skeleton: arguments.target_skeleton.as_deref(),
        profile,
        ..Opening::new(Role::Source)
    };
    let (source, first) =
        session::load_pair((&arguments.source, &source), (&arguments.result, &result))?;
    let mut results = vec![first];
    if let Some(path) = &arguments.compare {
        results.push(session::from_input(Input::open(path)?, &result)?);
    }
    Ok((source, results))
}

/// The source's clips that are measured, each with that of each result: of the same name, or the only one where each file has one.
fn chosen<'a>(
    arguments: &arguments::Report,
    source: &'a Loaded,
    results: &'a [Loaded],
) -> Result<Vec<Chosen<'a>>, Failure> {
    let wanted = session::clips_named(source, &session::once_each(&arguments.clip))?;
    for loaded in std::iter::once(source).chain(results) {
        if loaded.rig.character.clips.is_empty() {
            return Err(Failure::at(
                &loaded.input.path,
                "it has no clip to be measured",
                "give a file with the animation; `rebone inspect FILE` shows skeletons and clips",
            ));
        }
    }
    let of = |loaded: &'a Loaded, clip: &Clip| {
        let clips = &loaded.rig.character.clips;
        let only = clips
            .first()
            .filter(|_| clips.len() == 1 && wanted.len() == 1);
        // A file that already had a clip of this name has the new one last.
        let last = clips.iter().rev().find(|other| other.name == clip.name);
        last.or(find_clip(clips, &clip.name)).or(only)
    };
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for &clip in &wanted {
        let made: Option<Vec<&Clip>> = results.iter().map(|loaded| of(loaded, clip)).collect();
        match made {
            Some(made) => found.push(Chosen { clip, made }),
            None => missing.push(clip),
        }
    }
    if found.is_empty() || (!arguments.clip.is_empty() && !missing.is_empty()) {
        let lacks = |loaded: &'a Loaded| missing.iter().any(|clip| of(loaded, clip).is_none());
        let mut lacking = results.iter();
        let loaded = lacking.find(|&loaded| lacks(loaded)).unwrap_or(source);
        let all: Vec<&Clip> = loaded.rig.character.clips.iter().collect();
        return Err(Failure::at(
            &loaded.input.path,
            format_args!(
                "it has no clip of the name {}",
                session::quoted_names(missing.into_iter())
            ),
            format_args!(
                "its clips are {}; results are found by the name of the source's clip",
                session::quoted_names(all.into_iter())
            ),
        ));
    }
    if !missing.is_empty() {
        let names = session::quoted_names(missing.into_iter());
        console::remark(&format!("not measured, as a result lacks them: {names}"));
    }
    Ok(found)
}

fn measure<'a>(clip: &Clip, own: &'a Clip, comparison: &Comparison<'_>) -> Measured<'a> {
    let again = comparison.seen_again(own);
    let report = comparison.report(clip, again.as_ref().unwrap_or(own));
    Measured { again, own, report }
}

fn doubts(pairing: &Pairing<'_>) -> Vec<Warning> {
    let differ = |made: &Measured<'_>| {
        let lengths = made.report.lengths_differ?;
        Some(Warning::new(
            "report-lengths-differ",
            format!(
                "\"{}\" takes {:.2} s in the source and {:.2} s in the result",
                pairing.clip.name, lengths.source, lengths.target
            ),
            "only the time that both have is measured; check that both are the same motion at the same speed",
        ))
    };
    pairing.made.iter().filter_map(differ).collect()
}

fn clip_json<'a>(pairing: &'a Pairing<'_>, results: &'a [Loaded]) -> Option<ClipJson<'a>> {
    let mut reports = pairing
        .made
        .iter()
        .zip(results)
        .map(|(made, loaded)| report_json::report(&made.report, &loaded.rig.map));
    Some(ClipJson {
        name: &pairing.clip.name,
        seconds: pairing.clip.seconds(),
        frames: pairing.clip.frame_count(),
        report: reports.next()?,
        other: reports.next(),
    })
}

fn rows<'a>(
    source: &'a Loaded,
    pairings: &'a [Pairing<'a>],
    results: &'a [Loaded],
    comparisons: &'a [Comparison<'a>],
) -> Vec<Row<'a>> {
    pairings
        .iter()
        .map(|pairing| Row {
            source: &source.rig,
            source_name: source.input.stem(),
            clip: pairing.clip,
            results: pairing
                .made
                .iter()
                .zip(results)
                .zip(comparisons)
                .map(|((made, target), comparison)| Column {
                    target: &target.rig,
                    name: target.input.stem(),
                    made: made.clip(),
                    comparison,
                    report: &made.report,
                    notes: None,
                })
                .collect(),
        })
        .collect()
}
