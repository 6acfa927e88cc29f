//! Retargeted clips of several sources, and how they are measured.

use super::retarget_sources::Performed;
use crate::report_page::{Column, Row};
use crate::session::Loaded;
use rebone::Clip;
use rebone::measuring::Comparison;
use rebone::report::Report;
use rebone::runtime::ClipNotes;

/// The clips of all retargets. The three lists have one entry per clip, in the same order.
pub(crate) struct Made<'a> {
    pub(crate) clips: Vec<Clip>,
    pub(crate) reports: Vec<Report>,
    pub(crate) origins: Vec<Origin<'a>>,
}

/// Where a clip is from, and how it is measured.
pub(crate) struct Origin<'a> {
    pub(crate) source: &'a Loaded,
    /// The source's clip.
    pub(crate) clip: &'a Clip,
    /// How far the target travels relative to the source.
    pub(crate) root_scale: [f64; 3],
    /// Index of the retarget.
    retarget: usize,
    /// The clip mirrored back, so that it can be compared with the source. `None` unless the recipe mirrors.
    measured: Option<Clip>,
    /// Contacts, and goals out of reach, that the retarget noted.
    notes: ClipNotes,
}

impl<'a> Made<'a> {
    /// Moves the clips out of the results: a clip may be large.
    pub(crate) fn taken_from(results: &mut [Performed<'a>]) -> Self {
        let mut made = Self {
            clips: Vec::new(),
            reports: Vec::new(),
            origins: Vec::new(),
        };
        for (retarget, done) in results.iter_mut().enumerate() {
            let root_scale = done.result.compiled.root_scales.to_array();
            for (result, clip) in done.result.clips.drain(..).zip(&done.clips) {
                made.clips.push(result.clip);
                made.reports.push(result.report);
                made.origins.push(Origin {
                    source: done.source,
                    clip,
                    root_scale,
                    retarget,
                    measured: result.measured,
                    notes: result.notes,
                });
            }
        }
        made
    }

    /// Measures all frames of the clips of which only some were measured. `comparisons` has one entry per retarget.
    pub(crate) fn measure_all(&mut self, comparisons: &[Comparison<'_>]) {
        let made = self.clips.iter().zip(&self.origins);
        for (report, (clip, origin)) in self.reports.iter_mut().zip(made) {
            if report.frames_measured < report.frames {
                *report = comparisons[origin.retarget].report_noted(
                    origin.clip,
                    origin.measured.as_ref().unwrap_or(clip),
                    &origin.notes,
                );
            }
        }
    }

    /// The root scale of the first clip.
    pub(crate) fn root_scale(&self) -> [f64; 3] {
        let first = self.origins.first();
        first.map_or([1.0; 3], |origin| origin.root_scale)
    }

    /// The reports with the names of their clips.
    pub(crate) fn named_reports(&self) -> Vec<(&str, &Report)> {
        let names = self.clips.iter().map(|clip| clip.name.as_str());
        names.zip(&self.reports).collect()
    }

    /// The rows of a report page. `comparisons` has one entry per retarget.
    pub(crate) fn rows<'b>(
        &'b self,
        target: &'b Loaded,
        comparisons: &'b [Comparison<'b>],
    ) -> Vec<Row<'b>> {
        let made = self.clips.iter().zip(&self.origins).zip(&self.reports);
        made.map(|((clip, origin), report)| Row {
            source: &origin.source.rig,
            source_name: origin.source.input.stem(),
            clip: origin.clip,
            results: vec![Column {
                target: &target.rig,
                name: target.input.stem(),
                made: origin.measured.as_ref().unwrap_or(clip),
                comparison: &comparisons[origin.retarget],
                report,
                notes: Some(&origin.notes),
            }],
        })
        .collect()
    }
}

/// One comparison per retarget.
pub(crate) fn comparisons<'a>(
    results: &'a [Performed<'_>],
    target: &'a Loaded,
) -> Vec<Comparison<'a>> {
    let all = results.iter();
    all.map(|done| comparison(done, target)).collect()
}

/// Measures clips of a source, in every frame: who asks for figures wants them all.
fn comparison<'a>(done: &'a Performed<'_>, target: &'a Loaded) -> Comparison<'a> {
    let mut comparison = Comparison::new(
        &done.source.rig,
        &target.rig,
        &done.result.compiled,
        &done.result.target_map,
        &done.recipe,
    );
    comparison.options.frames = Some(usize::MAX);
    comparison
}
