//! One clip of a finished retarget.

use crate::measuring::Comparison;
use rebone_model::Clip;
use rebone_report::Report;
use rebone_runtime::ClipNotes;

/// One clip of the target.
#[derive(Clone, Debug)]
pub struct RetargetedClip {
    /// The motion, in the joints of the target.
    pub clip: Clip,
    /// Figures.
    pub report: Report,
    /// What was seen on the way.
    pub notes: ClipNotes,
    /// What was measured, where that is not the clip itself: seen in the mirror again.
    pub measured: Option<Clip>,
}

impl RetargetedClip {
    /// Measures `clip`, the result of the source's clip.
    pub(crate) fn new(
        comparison: &Comparison<'_>,
        source: &Clip,
        clip: Clip,
        notes: ClipNotes,
    ) -> Self {
        // A mirrored result is mirrored back before it is compared with the source.
        let measured = comparison.seen_again(&clip);
        let report = comparison.report_noted(source, measured.as_ref().unwrap_or(&clip), &notes);
        Self {
            clip,
            report,
            notes,
            measured,
        }
    }
}
