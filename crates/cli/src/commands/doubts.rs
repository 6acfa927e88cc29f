//! The warnings of a retarget: each once, with the side and the file that it is about.

use super::retarget_sources::Performed;
use crate::files;
use crate::session;
use crate::summary;
use rebone::doubts::{of_file, of_pose};
use rebone::report::{Report, Verdict, verdict, worst_moment};
use rebone::{Clip, Format, Rig, Warning};
use std::path::Path;

/// Warnings about finished clips that were written into the target: about the files, the pairs, and what the writer says.
pub(crate) fn of_finished(
    results: &[Performed<'_>],
    target: &Rig,
    clips: &[Clip],
    format: Format,
    of_writer: &[Warning],
) -> Vec<Warning> {
    let mut warnings = of_all(results, target);
    warnings.extend(taken_names(target, clips, format));
    if keeps_meshes(target, format, of_writer) {
        warnings.retain(|warning| !concerns_looks(warning));
    }
    warnings.extend(of_writer.iter().cloned());
    warnings
}

/// Warnings about the sources, the target and the pairs.
fn of_all(results: &[Performed<'_>], target: &Rig) -> Vec<Warning> {
    let mut all = of_sources(results);
    let mut told: Vec<&Warning> = target.warnings.iter().collect();
    for done in results {
        told.extend(&done.source.rig.warnings);
        told.extend(&done.result.compiled.source.warnings);
        told.extend(&done.result.compiled.target.warnings);
    }
    let target_alignments = results
        .iter()
        .flat_map(|done| &done.result.compiled.target.warnings);
    let of_poses: Vec<Warning> = results
        .iter()
        .flat_map(|done| of_pose(target, &done.result.compiled.target))
        .collect();
    let own = session::distinct(of_file(target).chain(target_alignments).chain(&of_poses));
    all.extend(session::on_side("target", &own));
    // A recipe for a folder speaks of each file's own clips.
    let is_of_all = |warning: &&Warning| {
        let all = results
            .iter()
            .all(|done| done.result.warnings.contains(warning));
        warning.code != "contacts-unused" || all
    };
    let of_pairs = results.iter().flat_map(|done| &done.result.warnings);
    let of_pairs = of_pairs.filter(is_of_all);
    all.extend(session::distinct(of_pairs.filter(|w| !told.contains(w))));
    all
}

/// A warning for every clip whose verdict is `fail`: a bad result is never silent.
pub(crate) fn failing(clips: &[Clip], reports: &[Report]) -> Vec<Warning> {
    let fails = |(_, report): &(&Clip, &Report)| verdict(report) == Verdict::Fail;
    let warning = |(clip, report): (&Clip, &Report)| {
        let reasons = summary::reasons(report, Verdict::Fail).join(", ");
        let at = worst_moment(report).map_or_else(String::new, |moment| {
            format!(" at {:.2} s first", moment.target_seconds)
        });
        Warning::new(
            "verdict-fail",
            format!("\"{}\" is not good enough: {reasons}", clip.name),
            format!("look at it{at}; `--report page.html` shows every figure"),
        )
    };
    clips
        .iter()
        .zip(reports)
        .filter(fails)
        .map(warning)
        .collect()
}

/// True where meshes and materials stay in the result as they are in the target, byte for byte, although
/// they were read in case that they do not.
fn keeps_meshes(target: &Rig, format: Format, of_writer: &[Warning]) -> bool {
    let is_rewritten = of_writer.iter().any(|w| w.code == "fbx-rewritten");
    target.format == Format::Fbx && format == Format::Fbx && !is_rewritten
}

/// Doubts about what a file looks like.
pub(crate) fn concerns_looks(warning: &Warning) -> bool {
    ["mesh", "image", "texture", "material"]
        .iter()
        .any(|topic| warning.code.starts_with(topic))
}

/// Clips whose names the target has already, where the new ones stand beside its own.
fn taken_names(target: &Rig, clips: &[Clip], format: Format) -> Vec<Warning> {
    let is_gltf = |format| !matches!(format, Format::Bvh | Format::Fbx | Format::Vrma);
    if !is_gltf(format) || !(is_gltf(target.format) || target.format == Format::Vrma) {
        return Vec::new();
    }
    clips
        .iter()
        .filter(|clip| {
            let mut own = target.character.clips.iter();
            own.any(|other| other.name == clip.name)
        })
        .map(|clip| {
            Warning::new(
                "clip-name-taken",
                format!("the target already has a clip \"{}\"", clip.name),
                "both are in the result, the new one last",
            )
        })
        .collect()
}

/// The same doubt about several files of a folder is told once.
fn of_sources(results: &[Performed<'_>]) -> Vec<Warning> {
    let mut found: Vec<(Warning, Vec<&Path>)> = Vec::new();
    for done in results {
        let alignment = &done.result.compiled.source;
        let of_pose = of_pose(&done.source.rig, alignment);
        let of_file = of_file(&done.source.rig);
        for warning in session::distinct(of_file.chain(&alignment.warnings).chain(&of_pose)) {
            let path = done.source.input.path.as_path();
            match found.iter_mut().find(|(known, _)| *known == warning) {
                Some((_, paths)) => paths.push(path),
                None => found.push((warning, vec![path])),
            }
        }
    }
    found
        .into_iter()
        .flat_map(|(warning, paths)| {
            let side = match paths.as_slice() {
                all if all.len() == results.len() => "source".to_owned(),
                [only] => format!("source {}", files::name_of(only)),
                [first, others @ ..] => {
                    format!("source {} and {} more", files::name_of(first), others.len())
                }
                [] => "source".to_owned(),
            };
            session::on_side(&side, &[warning])
        })
        .collect()
}
