//! From measured clips to the page that shows them.

use crate::commands::render::actor;
use crate::failure::Failure;
use crate::session::Loaded;
use rebone::core::report::{Report, Series, Verdict, verdict};
use rebone::core::runtime::ClipNotes;
use rebone::measuring::Comparison;
use rebone::view::{Actor, PageClip, PageResult, ReportPage, report_html};
use rebone::{Clip, Warning};
use std::path::Path;

/// Clips that are drawn; of the others there is a row in the table.
const DRAWN: usize = 6;

/// True for a file that is to hold a page.
pub(crate) fn is_page(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["html", "htm"]
        .iter()
        .any(|known| extension.eq_ignore_ascii_case(known))
}

/// A clip with what became of it.
pub(crate) struct Row<'a> {
    pub(crate) source: &'a Loaded,
    pub(crate) clip: &'a Clip,
    /// The judged result and, where two are compared, the other.
    pub(crate) results: Vec<Column<'a>>,
}

/// What became of a clip.
pub(crate) struct Column<'a> {
    pub(crate) target: &'a Loaded,
    pub(crate) made: &'a Clip,
    pub(crate) comparison: &'a Comparison<'a>,
    pub(crate) report: &'a Report,
    /// What was seen while it was made; `None` where another tool has made it.
    pub(crate) notes: Option<&'a ClipNotes>,
}

fn series(row: &Row<'_>, column: &Column<'_>) -> Series {
    match column.notes {
        Some(notes) => column.comparison.series_noted(row.clip, column.made, notes),
        None => column.comparison.series(row.clip, column.made),
    }
}

/// What is said of a page as a whole.
pub(crate) struct Words<'a> {
    pub(crate) title: String,
    /// Names of the results.
    pub(crate) results: Vec<String>,
    pub(crate) failed: &'a [String],
    pub(crate) warnings: &'a [Warning],
    pub(crate) json: String,
}

/// The page.
pub(crate) fn html(rows: &[Row<'_>], words: Words<'_>, path: &Path) -> Result<String, Failure> {
    let drawn = worst(rows);
    let clips = rows.iter().enumerate().map(|(index, row)| PageClip {
        name: row.clip.name.clone(),
        seconds: row.clip.seconds(),
        source: Actor {
            title: format!("source: {}", row.source.input.stem()),
            ..actor(row.source, Some(row.clip))
        },
        results: row
            .results
            .iter()
            .enumerate()
            .map(|(number, column)| PageResult {
                actor: Actor {
                    title: match number {
                        0 => format!("target: {}", column.target.input.stem()),
                        _ => column.target.input.stem().to_owned(),
                    },
                    ..actor(column.target, Some(column.made))
                },
                report: column.report,
                series: drawn.contains(&index).then(|| series(row, column)),
                profile: column.target.rig.map.profile,
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
    report_html(&page).map_err(|error| Failure::in_file(path, error))
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
pub(crate) fn worst_verdict<'a>(reports: impl Iterator<Item = &'a Report>) -> Verdict {
    reports.map(verdict).max().unwrap_or_default()
}
