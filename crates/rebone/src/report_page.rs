//! From measured clips to the page that shows them.

use crate::measuring::Comparison;
use crate::rig::Rig;
use rebone_model::{Clip, Warning};
use rebone_report::{Report, Series, Verdict, verdict};
use rebone_runtime::ClipNotes;
use rebone_setup::profile::{Part, Side};
use rebone_view::{Actor, Error, PageClip, PageResult, ReportPage, report_html};

/// Clips that are drawn; of the others there is a row in the table.
const DRAWN: usize = 6;

/// A character as an actor, standing upright and in metres.
pub fn actor<'a>(rig: &'a Rig, clip: Option<&'a Clip>, title: impl Into<String>) -> Actor<'a> {
    let mut slot_sides = vec![None; rig.character.skeleton.len()];
    for (slot, found) in &rig.map.slots {
        for &joint in &found.joints {
            if let Some(side) = slot_sides.get_mut(joint) {
                *side = Some(rig.map.profile.info(*slot).side);
            }
        }
    }
    Actor {
        slot_sides,
        canonical_from_file: rig.canonical_from_file().as_quat(),
        scale: rig.space.meters_per_unit as f32,
        follow_joint: rig.map.joint_of(Part::Hips, Side::Center),
        ..Actor::new(&rig.character, clip, title)
    }
}

/// A clip with what became of it.
pub struct Row<'a> {
    /// The source.
    pub source: &'a Rig,
    /// What the source is called.
    pub source_name: String,
    /// Its clip.
    pub clip: &'a Clip,
    /// The judged result and, where two are compared, the other.
    pub results: Vec<Column<'a>>,
}

/// What became of a clip.
pub struct Column<'a> {
    /// The target.
    pub target: &'a Rig,
    /// What the target is called.
    pub name: String,
    /// The result.
    pub made: &'a Clip,
    /// What measures it.
    pub comparison: &'a Comparison<'a>,
    /// Its figures.
    pub report: &'a Report,
    /// What was seen while it was made; `None` where another tool has made it.
    pub notes: Option<&'a ClipNotes>,
}

fn series(row: &Row<'_>, column: &Column<'_>) -> Series {
    match column.notes {
        Some(notes) => column.comparison.series_noted(row.clip, column.made, notes),
        None => column.comparison.series(row.clip, column.made),
    }
}

/// What is said of a page as a whole.
pub struct Words<'a> {
    /// What stands above it.
    pub title: String,
    /// Names of the results.
    pub results: Vec<String>,
    /// Checks that were not met.
    pub failed: &'a [String],
    /// Doubts.
    pub warnings: &'a [Warning],
    /// The figures as JSON, for programs.
    pub json: String,
}

/// The page. Fails where its pictures would be too large.
pub fn html(rows: &[Row<'_>], words: Words<'_>) -> Result<String, Error> {
    let drawn = worst(rows);
    let clips = rows.iter().enumerate().map(|(index, row)| PageClip {
        name: row.clip.name.clone(),
        seconds: row.clip.seconds(),
        source: actor(
            row.source,
            Some(row.clip),
            format!("source: {}", row.source_name),
        ),
        results: row
            .results
            .iter()
            .enumerate()
            .map(|(number, column)| PageResult {
                actor: actor(
                    column.target,
                    Some(column.made),
                    match number {
                        0 => format!("target: {}", column.name),
                        _ => column.name.clone(),
                    },
                ),
                report: column.report,
                series: drawn.contains(&index).then(|| series(row, column)),
                profile: column.target.map.profile,
            })
            .collect(),
    });
    let failed = words
        .failed
        .iter()
        .map(|failure| format!("check not met: {failure}"));
    let doubts = words
        .warnings
        .iter()
        .map(|warning| format!("{} ({})", warning.message, warning.code));
    let page = ReportPage {
        title: words.title,
        results: words.results,
        clips: clips.collect(),
        remarks: failed.chain(doubts).collect(),
        json: words.json,
    };
    report_html(&page)
}

/// The clips that are drawn: the worst first, in their order where they are alike.
fn worst(rows: &[Row<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let judged = |index: usize| {
        let results = rows[index].results.first();
        results
            .map(|column| verdict(column.report))
            .unwrap_or_default()
    };
    order.sort_by_key(|&index| std::cmp::Reverse(judged(index) as u8));
    order.truncate(DRAWN);
    order
}

/// `pass`, `warn` or `fail`: the worst of all reports.
pub fn worst_verdict<'a>(reports: impl Iterator<Item = &'a Report>) -> Verdict {
    reports.map(verdict).max().unwrap_or_default()
}
