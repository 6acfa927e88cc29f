//! One page over the clips of many retargets, worst first.

use super::{badge, open_body, put};
use crate::markup::escaped;
use rebone_report::Verdict;

/// What a batch gave.
#[derive(Clone, Debug)]
pub struct OverviewPage<'a> {
    /// Title of the page, plain text.
    pub title: String,
    /// The clips, in the order in which they are shown.
    pub rows: Vec<OverviewRow<'a>>,
    /// Why there is no result for some files, a sentence each.
    pub failures: Vec<&'a str>,
    /// How to see more of one clip, plain text: the page is the same for every front end, the way there is not.
    pub more: &'a str,
}

/// A clip on a character.
#[derive(Clone, Copy, Debug)]
pub struct OverviewRow<'a> {
    /// The file with the motion.
    pub source: &'a str,
    /// The file with the character.
    pub target: &'a str,
    /// The clip's name.
    pub clip: &'a str,
    /// The clip's length.
    pub seconds: f32,
    /// The worst verdict of its figures.
    pub verdict: Verdict,
    /// The figures that decide the verdict, in words.
    pub reasons: &'a [String],
    /// The worst moment, in words.
    pub worst: Option<&'a str>,
}

/// What only this page has: a field that filters rows by any word in them, and verdicts that can be hidden.
const SCRIPT: &str = "
const rows = [...document.querySelectorAll('tbody tr')];
const words = document.querySelector('#words'), shown = document.querySelector('#shown');
const boxes = [...document.querySelectorAll('input[type=checkbox]')];
function filter() {
  const wanted = words.value.toLowerCase().split(/\\s+/);
  const verdicts = boxes.filter((box) => box.checked).map((box) => box.value);
  let count = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !verdicts.includes(row.dataset.verdict) || !wanted.every((word) => text.includes(word));
    count += row.hidden ? 0 : 1;
  }
  shown.textContent = `${count} of ${rows.length} shown`;
}
words.addEventListener('input', filter);
boxes.forEach((box) => box.addEventListener('change', filter));
filter();
";

const OWN_STYLE: &str = "
.filter { display: flex; flex-wrap: wrap; gap: 16px; align-items: center; margin: 20px 0 10px; }
.filter input[type=search] { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--rule);
  border-radius: 8px; padding: 6px 10px; min-width: 280px; }
table.overview { width: 100%; } table.overview th, table.overview td { text-align: left; padding-right: 16px; }
table.overview thead th { position: sticky; top: 0; background: var(--paper); }
table.overview .badge { font-size: 11px; padding: 3px 7px; } table.overview small { color: var(--faint); }
td.path { overflow-wrap: anywhere; }
";

/// The page over many clips.
pub fn overview_page(page: &OverviewPage<'_>) -> String {
    let mut html = String::new();
    open_body(&mut html, &page.title, OWN_STYLE);
    head(&mut html, page);
    if !page.failures.is_empty() {
        html.push_str("<details open>\n<summary>Without result</summary>\n<ul>\n");
        for failure in &page.failures {
            put(&mut html, format_args!("<li>{}</li>\n", escaped(failure)));
        }
        html.push_str("</ul>\n</details>\n");
    }
    filter(&mut html);
    html.push_str(
        "<table class=\"overview\">\n<thead><tr><th></th><th>Clip</th><th>Motion</th><th>Character</th>\
         <th>Seconds</th><th>What to look at</th></tr></thead>\n<tbody>\n",
    );
    for row in &page.rows {
        table_row(&mut html, row);
    }
    put(
        &mut html,
        format_args!("</tbody>\n</table>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"),
    );
    html
}

/// Title, verdict and counts.
fn head(html: &mut String, page: &OverviewPage<'_>) {
    let count = |wanted| page.rows.iter().filter(|row| row.verdict == wanted).count();
    let worst = page.rows.iter().map(|row| row.verdict).max();
    let verdict = if page.failures.is_empty() {
        worst.unwrap_or_default()
    } else {
        Verdict::Fail
    };
    put(
        html,
        format_args!(
            "<header>\n<h1>{badge} {title}</h1>\n\
             <p class=\"sub\">{clips} clips: {pass} pass, {look} worth a look, {fail} fail; {failed} files without result. \
             {more}</p>\n</header>\n",
            more = escaped(page.more),
            title = escaped(&page.title),
            badge = badge(verdict),
            clips = page.rows.len(),
            pass = count(Verdict::Pass),
            look = count(Verdict::Look),
            fail = count(Verdict::Fail),
            failed = page.failures.len(),
        ),
    );
}

/// What the script filters by: a field for words and a box per verdict.
fn filter(html: &mut String) {
    html.push_str("<div class=\"filter\">\n<input type=\"search\" id=\"words\" placeholder=\"Filter by file, clip or figure\">\n");
    for verdict in [Verdict::Fail, Verdict::Look, Verdict::Pass] {
        put(
            html,
            format_args!(
                "<label><input type=\"checkbox\" value=\"{}\" checked> {}</label>\n",
                verdict.name(),
                badge(verdict)
            ),
        );
    }
    html.push_str("<span id=\"shown\" class=\"sub\"></span>\n</div>\n");
}

fn table_row(html: &mut String, row: &OverviewRow<'_>) {
    let reasons = row.reasons.iter().map(|reason| escaped(reason));
    put(
        html,
        format_args!(
            "<tr data-verdict=\"{}\"><td>{}</td><td>{}</td><td class=\"path\">{}</td><td class=\"path\">{}</td>\
             <td>{:.2}</td><td>{}<br><small>{}</small></td></tr>\n",
            row.verdict.name(),
            badge(row.verdict),
            escaped(row.clip),
            escaped(row.source),
            escaped(row.target),
            row.seconds,
            reasons.collect::<Vec<_>>().join("<br>"),
            escaped(row.worst.unwrap_or_default()),
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_files_are_text_and_every_clip_has_a_row() {
        let reasons = ["limbs off, mean 31.00°".to_owned()];
        let row = |clip, verdict| OverviewRow {
            source: "a/<b>.bvh",
            target: "hero & co.glb",
            clip,
            seconds: 1.5,
            verdict,
            reasons: &reasons,
            worst: Some("leftFoot slides"),
        };
        let page = overview_page(&OverviewPage {
            title: "2 files".to_owned(),
            rows: vec![row("<script>", Verdict::Fail), row("walk", Verdict::Pass)],
            failures: vec!["broken.bvh: <what>"],
            more: "Open one & look",
        });
        assert!(!page.contains("<b>.bvh") && !page.contains("<what>"));
        assert!(page.contains("&lt;script&gt;") && page.contains("hero &amp; co.glb"));
        assert_eq!(page.matches("<tr data-verdict").count(), 2);
        assert!(page.contains("1 pass, 0 worth a look, 1 fail; 1 files without result"));
        assert!(page.contains("Open one &amp; look"));
    }
}
