//! Tables of figures.

use super::{PageClip, PageResult, ReportPage, badge, put};
use crate::markup::escaped;
use rebone_report::{FIGURES, FigureKind, Judged, SlotStep, Verdict, point_name, verdict};

/// Figures of the table of all clips.
const SHOWN: [&str; 10] = [
    "mean_direction",
    "slide",
    "slide_ratio",
    "drift",
    "contact_f1",
    "penetration",
    "float",
    "step_ratio",
    "jerk_ratio",
    "limits",
];

/// As many digits as tell something: what the JSON says, rounded.
pub(super) fn number(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        size if size >= 0.1 || size == 0.0 => 2,
        _ => 4,
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') {
        let short = text.trim_end_matches('0').trim_end_matches('.');
        return if short == "-0" {
            "0".to_owned()
        } else {
            short.to_owned()
        };
    }
    text
}

/// What a figure is judged by, in words.
fn bound(judged: Judged) -> String {
    match judged {
        Judged::Not => String::new(),
        Judged::Above { warn, fail } => format!("≤ {}, fails above {}", number(warn), number(fail)),
        Judged::Below { warn, fail } => format!("≥ {}, fails below {}", number(warn), number(fail)),
        Judged::OverSource { warn, fail } => {
            format!(
                "≤ source + {}, fails above + {}",
                number(warn),
                number(fail)
            )
        }
    }
}

/// Where a value stands in the page: tests and scripts find it by these.
fn place(clip: usize, result: usize, figure: &str, side: &str) -> String {
    format!(
        "data-clip=\"{clip}\" data-result=\"{result}\" data-figure=\"{figure}\" data-side=\"{side}\""
    )
}

/// One row per clip.
pub(super) fn overview(html: &mut String, page: &ReportPage<'_>) {
    let kinds: Vec<&'static FigureKind> = SHOWN
        .iter()
        .filter_map(|name| FigureKind::find(name))
        .filter(|kind| {
            let mut results = page.clips.iter().flat_map(|clip| &clip.results);
            results.any(|result| kind.of(result.report).is_some())
        })
        .collect();
    html.push_str("<section>\n<h2>All clips</h2>\n<div class=\"wide\"><table class=\"clips\">\n<thead><tr><th>clip</th><th></th><th>s</th>");
    for kind in &kinds {
        put(
            html,
            format_args!(
                "<th>{}<br><small>{}</small></th>",
                escaped(kind.title),
                escaped(kind.unit)
            ),
        );
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for (index, clip) in page.clips.iter().enumerate() {
        clip_row(html, index, clip, &kinds);
    }
    html.push_str("</tbody></table></div>\n");
    let drawn = page
        .clips
        .iter()
        .filter(|clip| clip.results.iter().any(|result| result.series.is_some()));
    let drawn = drawn.count();
    if drawn < page.clips.len() {
        put(
            html,
            format_args!("<p class=\"sub\">The {drawn} worst are drawn below.</p>\n"),
        );
    }
    html.push_str("</section>\n");
}

/// The figures of a clip's first result.
fn clip_row(html: &mut String, index: usize, clip: &PageClip<'_>, kinds: &[&'static FigureKind]) {
    let Some(result) = clip.results.first() else {
        return;
    };
    let name = escaped(&clip.name);
    let has_section = clip.results.iter().any(|result| result.series.is_some());
    let name = if has_section {
        format!("<a href=\"#clip-{index}\">{name}</a>")
    } else {
        name
    };
    put(
        html,
        format_args!(
            "<tr><th>{name}</th><td>{}</td><td>{:.2}</td>",
            badge(verdict(result.report)),
            clip.seconds
        ),
    );
    let column = Column {
        clip: index,
        index: 0,
        result,
    };
    for kind in kinds {
        column.cell(html, kind, "target");
    }
    html.push_str("</tr>\n");
}

/// A result of a clip, as a column of a table.
struct Column<'a> {
    /// Number of the clip.
    clip: usize,
    /// Number of the result.
    index: usize,
    result: &'a PageResult<'a>,
}

impl Column<'_> {
    /// The cell of a figure, of the source or of the target.
    fn cell(&self, html: &mut String, kind: &'static FigureKind, side: &str) {
        let Some(figure) = kind.of(self.result.report) else {
            html.push_str("<td class=\"none\">–</td>");
            return;
        };
        let value = if side == "source" {
            figure.source
        } else {
            Some(figure.value)
        };
        let Some(value) = value else {
            html.push_str("<td class=\"none\"></td>");
            return;
        };
        let class = match figure.verdict {
            Verdict::Pass => "",
            _ if side == "source" => "",
            verdict => verdict.name(),
        };
        put(
            html,
            format_args!(
                "<td class=\"{class}\" {}>{}</td>",
                place(self.clip, self.index, kind.name, side),
                number(value)
            ),
        );
    }
}

/// All figures of a clip.
pub(super) fn figures(html: &mut String, page: &ReportPage<'_>, index: usize, clip: &PageClip<'_>) {
    let Some(first) = clip.results.first() else {
        return;
    };
    let report = first.report;
    put(
        html,
        format_args!(
            "<p class=\"sub\">{:.2} s, {} frames",
            clip.seconds, report.frames
        ),
    );
    if report.frames_measured < report.frames {
        put(
            html,
            format_args!(", {} of them measured", report.frames_measured),
        );
    }
    html.push_str(".</p>\n");
    open_figures(html, page);
    let columns: Vec<Column<'_>> = clip
        .results
        .iter()
        .enumerate()
        .map(|(number, result)| Column {
            clip: index,
            index: number,
            result,
        })
        .collect();
    for kind in &FIGURES {
        figure_row(html, kind, &columns);
    }
    html.push_str("</tbody></table>\n");
}

/// The table of figures up to its first row.
fn open_figures(html: &mut String, page: &ReportPage<'_>) {
    html.push_str(
        "<table class=\"figures\">\n<thead><tr><th>figure</th><th class=\"unit\">unit</th><th class=\"source\">source</th>",
    );
    for (number, name) in page.results.iter().enumerate() {
        let class = if number == 0 { "target" } else { "other" };
        let name = if page.results.len() == 1 {
            "target"
        } else {
            name
        };
        put(
            html,
            format_args!("<th class=\"{class}\">{}</th>", escaped(name)),
        );
    }
    html.push_str("<th class=\"bound\">good</th><th></th></tr></thead>\n<tbody>\n");
}

/// A figure of all results, judged on the first; nothing if the first has none.
fn figure_row(html: &mut String, kind: &'static FigureKind, columns: &[Column<'_>]) {
    let Some((first, figure)) = columns
        .first()
        .and_then(|first| Some((first, kind.of(first.result.report)?)))
    else {
        return;
    };
    put(
        html,
        format_args!(
            "<tr><th><span>{}</span> <code>{}</code></th><td class=\"unit\">{}</td>",
            escaped(kind.title),
            kind.name,
            escaped(kind.unit)
        ),
    );
    first.cell(html, kind, "source");
    for column in columns {
        column.cell(html, kind, "target");
    }
    let judged = match kind.judged {
        Judged::Not => String::new(),
        _ => badge(figure.verdict),
    };
    put(
        html,
        format_args!(
            "<td class=\"bound\">{}</td><td>{judged}</td></tr>\n",
            bound(kind.judged)
        ),
    );
}

/// Every contact, folded away; and the figures of each slot.
pub(super) fn contacts(html: &mut String, clip: &PageClip<'_>) {
    let Some(first) = clip.results.first() else {
        return;
    };
    if let Some(feet) = &first.report.feet {
        put(
            html,
            format_args!(
                "<details><summary>{} contacts</summary>\n<table>\n<thead><tr><th>point</th><th>from</th><th>to</th>\
                 <th colspan=\"2\">slide, % leg/s<br><small>source, target</small></th>\
                 <th colspan=\"2\">drift, % leg<br><small>source, target</small></th></tr></thead>\n<tbody>\n",
                feet.contacts.len()
            ),
        );
        for contact in &feet.contacts {
            let (slide, drift) = (contact.slide_percent_per_second, contact.drift_percent);
            put(
                html,
                format_args!(
                    "<tr><th>{}</th><td>{:.2} s</td><td>{:.2} s</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                    point_name(&contact.point),
                    contact.start_seconds,
                    contact.end_seconds,
                    number(slide.source),
                    number(slide.target),
                    number(drift.source),
                    number(drift.target)
                ),
            );
        }
        html.push_str("</tbody></table></details>\n");
    }
    slots(html, first);
}

/// The figures of each slot that has turns to compare.
fn slots(html: &mut String, result: &PageResult<'_>) {
    let steps = result.report.pops.iter().flat_map(|pops| &pops.slots);
    let rows: Vec<String> = steps.map(|step| slot_row(result, step)).collect();
    if !rows.is_empty() {
        put(
            html,
            format_args!(
                "<details><summary>{} slots</summary>\n<table>\n<thead><tr><th>slot</th>\
                 <th colspan=\"2\">direction off, °<br><small>mean, worst</small></th>\
                 <th colspan=\"2\">worst turn a frame, °<br><small>source, target</small></th>\
                 <th colspan=\"2\">beyond limits<br><small>% frames, worst °</small></th></tr></thead>\n<tbody>\n{}</tbody></table></details>\n",
                rows.len(),
                rows.concat()
            ),
        );
    }
}

fn slot_row(result: &PageResult<'_>, step: &SlotStep) -> String {
    let slot = step.slot;
    let mut directions = result.report.direction.iter();
    let direction = directions.find(|error| error.slot == slot);
    let mut hits = result.report.limits.iter().flat_map(|limits| &limits.slots);
    let hits = hits.find(|hits| hits.slot == slot);
    let cells = [
        direction.map(|error| error.mean_degrees),
        direction.map(|error| error.max_degrees),
        Some(step.step_max_degrees.source),
        Some(step.step_max_degrees.target),
        hits.map(|hits| hits.frames_percent),
        hits.map(|hits| hits.max_degrees),
    ];
    let cells = cells.map(|value| format!("<td>{}</td>", value.map(number).unwrap_or_default()));
    format!(
        "<tr><th>{}</th>{}</tr>\n",
        result.slot_name(slot),
        cells.concat()
    )
}
