//! When the points of the source touch, as bars over time.

use super::plot::{LEFT, RIGHT, WIDTH, time_grid};
use super::put;
use rebone_model::Clamp as _;
use rebone_report::{ContactFigures, Evidence, Series};

/// Width of the names of the points.
const NAMES: f64 = 96.0;
/// Height of a row.
const ROW: f64 = 15.0;
/// Height of a bar in it.
const BAR: f64 = 9.0;
/// Above the first.
const TOP: f64 = 5.0;
/// Below the rows, for times.
const TIMES: f64 = 20.0;

/// One row for every point that touches at all; nothing where none does.
pub(super) fn touches(html: &mut String, clip: usize, contacts: &ContactFigures, series: &Series) {
    let rows = contacts.points.iter().filter(|own| !own.touches.is_empty());
    let rows: Vec<_> = rows.collect();
    let (Some(&start), Some(&end)) = (series.seconds.first(), series.seconds.last()) else {
        return;
    };
    if rows.is_empty() {
        return;
    }
    let (start, end) = (f64::from(start), f64::from(end));
    let long = (end - start).max(1e-6);
    let left = LEFT + NAMES;
    let x = |time: f64| left + (time - start).clamped(0.0, long) / long * (WIDTH - RIGHT - left);
    let floor = TOP + ROW * rows.len() as f64 + 2.0;
    put(
        html,
        format_args!(
            "<figure class=\"plot touches\"><figcaption>When the source touches <small>paler: off the main floor; outlined: by hand</small></figcaption>\n\
             <svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\">\n",
            floor + TIMES
        ),
    );
    time_grid(html, [start, end], [0.0, floor], &x);
    for (row, own) in rows.iter().enumerate() {
        let top = TOP + ROW * row as f64;
        let name = own.point.name();
        put(
            html,
            format_args!(
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>\n",
                left - 8.0,
                top + BAR + 1.5
            ),
        );
        for touch in &own.touches {
            let [from, to] = [touch.start_seconds, touch.end_seconds].map(f64::from);
            let class = match touch.how {
                Evidence::MainFloor => "",
                Evidence::CarriesBody | Evidence::LowAndStill => " off-floor",
                Evidence::ByHand => " by-hand",
            };
            put(
                html,
                format_args!(
                    "<rect class=\"bar source{class}\" data-clip=\"{clip}\" data-point=\"{name}\" data-start=\"{from:.4}\" data-end=\"{to:.4}\" \
                     data-how=\"{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{BAR}\"/>\n",
                    touch.how.name(),
                    x(from),
                    top + 2.0,
                    (x(to) - x(from)).max(1.5)
                ),
            );
        }
    }
    html.push_str("</svg></figure>\n");
}
