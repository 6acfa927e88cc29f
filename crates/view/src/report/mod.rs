//! The figures of a retarget as one HTML page that needs no other file.
//!
//! ```text
//! head with the verdict
//! table of all clips                  where there are several
//! of each clip that has its series:   figures, filmstrip, worst moments, plots over time, contacts
//! the same figures as JSON            <script type="application/json" id="figures">
//! ```
//!
//! Plots are inline SVG; filmstrips and moments are SVG as data URIs, once for light paper and once for dark. What a reader sees
//! is all there without the script, which only shows the values under the pointer.

pub(crate) mod overview;
mod pictures;
mod plot;
mod plots;
mod scale;
mod tables;
mod touches;
mod ways;

use crate::error::Error;
use crate::markup::escaped;
use crate::options::Actor;
use rebone_report::{Report, Series, Verdict, verdict};
use rebone_setup::profile::{Profile, Slot};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page.
#[derive(Clone, Debug)]
pub struct ReportPage<'a> {
    /// What was retargeted: `walk.bvh onto hero.glb`.
    pub title: String,
    /// Names of the results: the one that is judged and, where two are compared, the other.
    pub results: Vec<String>,
    /// The clips, each with as many results as there are names.
    pub clips: Vec<PageClip<'a>>,
    /// What else is worth knowing: checks that are not met, warnings.
    pub remarks: Vec<String>,
    /// The figures as JSON.
    pub json: String,
}

/// A clip of the source.
#[derive(Clone, Debug)]
pub struct PageClip<'a> {
    /// Its name.
    pub name: String,
    /// Its length, seconds.
    pub seconds: f32,
    /// The source.
    pub source: Actor<'a>,
    /// What became of it.
    pub results: Vec<PageResult<'a>>,
}

/// What became of a clip.
#[derive(Clone, Debug)]
pub struct PageResult<'a> {
    /// The target.
    pub actor: Actor<'a>,
    /// Its figures.
    pub report: &'a Report,
    /// What the figures are made of; without it the clip is a row of the table only. Default `None`.
    pub series: Option<Series>,
    /// The words for its slots.
    pub profile: &'static Profile,
}

impl PageResult<'_> {
    fn slot_name(&self, slot: Slot) -> &'static str {
        self.profile.info(slot).name
    }
}

/// The page. Fails where a picture would be too large.
pub fn report_html(page: &ReportPage<'_>) -> Result<String, Error> {
    let mut html = String::new();
    open_body(&mut html, &page.title, "");
    head(&mut html, page);
    if page.clips.len() > 1 {
        tables::overview(&mut html, page);
    }
    for (index, clip) in page.clips.iter().enumerate() {
        if clip.results.iter().any(|result| result.series.is_some()) {
            section(&mut html, page, index, clip)?;
        }
    }
    put(
        &mut html,
        format_args!(
            "<script type=\"application/json\" id=\"figures\">\n{}\n</script>\n\
             <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            // Nothing in the JSON may end the script.
            page.json
                .trim()
                .replace("</", "<\\/")
                .replace("<!--", "<\\u0021--")
        ),
    );
    Ok(html)
}

/// Everything before the body of a page. `more_style` goes behind the style of all pages.
fn open_body(html: &mut String, title: &str, more_style: &str) {
    put(
        html,
        format_args!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{}</title>\n<style>\n{STYLE}{more_style}</style>\n</head>\n<body>\n",
            escaped(title)
        ),
    );
}

/// Appends; writing to a string cannot fail.
fn put(html: &mut String, arguments: std::fmt::Arguments<'_>) {
    let _ = html.write_fmt(arguments);
}

/// The worst verdict on the first result of any clip.
fn verdict_of(page: &ReportPage<'_>) -> Verdict {
    let reports = page.clips.iter().filter_map(|clip| clip.results.first());
    reports
        .map(|result| verdict(result.report))
        .max()
        .unwrap_or_default()
}

fn badge(verdict: Verdict) -> String {
    let (mark, name) = match verdict {
        Verdict::Pass => ("✓", "pass"),
        Verdict::Look => ("!", "look"),
        Verdict::Fail => ("✕", "fail"),
    };
    format!(
        "<span class=\"badge {}\">{mark} {name}</span>",
        verdict.name()
    )
}

fn head(html: &mut String, page: &ReportPage<'_>) {
    let count = |wanted: Verdict| {
        let first = page.clips.iter().filter_map(|clip| clip.results.first());
        first
            .filter(|result| verdict(result.report) == wanted)
            .count()
    };
    let frames: usize = page
        .clips
        .iter()
        .filter_map(|clip| clip.results.first())
        .map(|result| result.report.frames_measured)
        .sum();
    put(
        html,
        format_args!(
            "<header>\n<h1>{} {}</h1>\n<p class=\"sub\">{} {}, {frames} frames measured: {} pass, {} worth a look, {} fail.",
            badge(verdict_of(page)),
            escaped(&page.title),
            page.clips.len(),
            if page.clips.len() == 1 {
                "clip"
            } else {
                "clips"
            },
            count(Verdict::Pass),
            count(Verdict::Look),
            count(Verdict::Fail),
        ),
    );
    if let [judged, other] = page.results.as_slice() {
        put(
            html,
            format_args!(
                " <b class=\"target\">{}</b> is judged, <b class=\"other\">{}</b> is shown beside it.",
                escaped(judged),
                escaped(other)
            ),
        );
    }
    html.push_str("</p>\n");
    if !page.remarks.is_empty() {
        html.push_str("<ul class=\"remarks\">\n");
        for remark in &page.remarks {
            put(html, format_args!("<li>{}</li>\n", escaped(remark)));
        }
        html.push_str("</ul>\n");
    }
    html.push_str("</header>\n");
}

fn section(
    html: &mut String,
    page: &ReportPage<'_>,
    index: usize,
    clip: &PageClip<'_>,
) -> Result<(), Error> {
    let judged = clip.results.first().map(|result| verdict(result.report));
    put(
        html,
        format_args!(
            "<section id=\"clip-{index}\">\n<h2>{} {}</h2>\n",
            badge(judged.unwrap_or_default()),
            escaped(&clip.name)
        ),
    );
    tables::figures(html, page, index, clip);
    pictures::filmstrip(html, clip)?;
    pictures::moments(html, clip)?;
    plots::all(html, page, index, clip);
    tables::contacts(html, clip);
    html.push_str("</section>\n");
    Ok(())
}

#[cfg(test)]
mod tests;
