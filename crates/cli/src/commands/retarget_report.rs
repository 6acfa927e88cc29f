//! What `rebone retarget` says about how well it went.

use super::retarget_sources::Performed;
use crate::report_page::{Column, Row};
use crate::session::Loaded;
use rebone::Clip;
use rebone::measuring::Comparison;
use rebone::report::Report;
use rebone::runtime::ClipNotes;

/// Where a result is from, and how it is measured.
pub(crate) struct SeenAgain {
    /// Number of the source file.
    pub(crate) of: usize,
    /// Number of the clip among those of its source.
    pub(crate) order: usize,
    /// What is measured, where that is not the result itself.
    pub(crate) clip: Option<Clip>,
    /// What was seen while it was made.
    pub(crate) notes: ClipNotes,
}

/// All sources, each with what measures its clips.
type Sources<'a, 'b> = (&'b [Performed<'a>], &'b [Comparison<'b>]);

/// Measures clips of a source, in every frame: who asks for figures wants them all.
pub(crate) fn comparison<'a>(done: &'a Performed<'_>, target: &'a Loaded) -> Comparison<'a> {
    let compiled = (&done.result.compiled, &done.result.target_map);
    let mut comparison = Comparison::new((&done.source.rig, &target.rig), compiled, &done.recipe);
    comparison.options.frames = Some(usize::MAX);
    comparison
}

/// Measures what was only looked at in part.
pub(crate) fn measure_all(
    (results, comparisons): Sources<'_, '_>,
    clips: &[Clip],
    seen: &[SeenAgain],
    reports: &mut [Report],
) {
    for ((report, clip), seen) in reports.iter_mut().zip(clips).zip(seen) {
        if report.frames_measured < report.frames {
            let made = seen.clip.as_ref().unwrap_or(clip);
            *report = comparisons[seen.of].report_noted(
                results[seen.of].clips[seen.order],
                made,
                &seen.notes,
            );
        }
    }
}

/// The rows of a page.
pub(crate) fn rows<'b>(
    (results, comparisons): Sources<'b, 'b>,
    target: &'b Loaded,
    (clips, seen, reports): (&'b [Clip], &'b [SeenAgain], &'b [Report]),
) -> Vec<Row<'b>> {
    let made = clips.iter().zip(seen).zip(reports);
    made.map(|((clip, seen), report)| Row {
        source: &results[seen.of].source.rig,
        source_name: results[seen.of].source.input.stem(),
        clip: results[seen.of].clips[seen.order],
        results: vec![Column {
            target: &target.rig,
            name: target.input.stem(),
            made: seen.clip.as_ref().unwrap_or(clip),
            comparison: &comparisons[seen.of],
            report,
            notes: Some(&seen.notes),
        }],
    })
    .collect()
}
