//! One clip of a finished retarget.

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
