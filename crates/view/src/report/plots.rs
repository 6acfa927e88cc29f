//! Plots over time, as inline SVG. Colours are those of the page's style, so they follow light and dark.

use super::scale::{label, span, step, telling};
use super::{PageClip, PageResult, ReportPage, put, touches, ways};
use crate::markup::escaped;
use rebone_report::{MomentKind, PointSeries, Series, point_name};

/// Size of a plot and of what it is drawn in.
pub(super) const WIDTH: f64 = 580.0;
const HEIGHT: f64 = 190.0;
pub(super) const LEFT: f64 = 44.0;
pub(super) const RIGHT: f64 = 10.0;
pub(super) const TOP: f64 = 12.0;
pub(super) const BOTTOM: f64 = 22.0;
/// Height of a row of contact bars.
const BAR: f64 = 8.0;
/// Points of a line: two a column.
pub(super) const COLUMNS: usize = 400;
/// Speeds above this, percent of a leg a second, are those of swinging feet.
const FASTEST: f64 = 120.0;

/// Heights and speeds of feet that fill a plot at least, percent of a leg, and of it a second.
const LEAST: (f64, f64) = (1.0, 5.0);

/// A line of a plot.
struct Line<'a> {
    name: String,
    class: &'static str,
    dashed: bool,
    values: &'a [f64],
}

/// A row of bars under a plot.
struct Bars<'a> {
    /// What stands, to the left of the row.
    label: &'static str,
    class: &'static str,
    spans: &'a [(usize, usize)],
}

struct Plot<'a> {
    title: String,
    unit: &'static str,
    lines: Vec<Line<'a>>,
    bars: Vec<Bars<'a>>,
    /// Values above are cut off.
    most: f64,
    /// The axis spans at least this: what nobody sees is not drawn large.
    least: f64,
    /// Times of moments that belong to the plot.
    moments: Vec<f32>,
}

/// A result with its series, and the class of its lines.
pub(super) type Drawn<'a> = (&'static str, &'a PageResult<'a>, &'a Series);

/// All plots of a clip.
pub(super) fn all(html: &mut String, page: &ReportPage<'_>, (index, clip): (usize, &PageClip<'_>)) {
    let classes = ["target", "other"];
    let drawn: Vec<Drawn<'_>> = clip
        .results
        .iter()
        .zip(classes)
        .filter_map(|(result, class)| Some((class, result, result.series.as_ref()?)))
        .collect();
    let Some((_, first, series)) = drawn
        .first()
        .filter(|(_, _, series)| series.seconds.len() > 1)
    else {
        return;
    };
    html.push_str("<h3>Over time</h3>\n");
    legend(html, page);
    html.push_str("<div class=\"plots\">\n");
    let times = |kind: MomentKind| -> Vec<f32> {
        let moments = first
            .report
            .moments
            .iter()
            .filter(|moment| moment.kind == kind);
        moments.map(|moment| moment.seconds).collect()
    };
    for feet in feet_of(series) {
        let name = foot_name(&series.points[feet[0]]);
        let mut heights = Plot::new(format!("Height of the {name}"), "% leg");
        let mut speeds = Plot::new(format!("Speed of the {name} over the floor"), "% leg/s");
        for (order, &index) in feet.iter().enumerate() {
            let point = &series.points[index];
            let own = point_name(&point.point);
            let dashed = order > 0;
            let part = if dashed { "toes" } else { "heel" };
            heights.line(
                &format!("{own} source"),
                "source",
                dashed,
                &point.height_percent[0],
            );
            speeds.line(
                &format!("{own} source"),
                "source",
                dashed,
                &point.speed_percent_per_second[0],
            );
            heights.bars.push(Bars {
                label: part,
                class: "source",
                spans: &point.contacts,
            });
            for (class, _, series) in &drawn {
                let Some(point) = series.points.iter().find(|other| same(other, point)) else {
                    continue;
                };
                heights.line(
                    &format!("{own} {class}"),
                    class,
                    dashed,
                    &point.height_percent[1],
                );
                speeds.line(
                    &format!("{own} {class}"),
                    class,
                    dashed,
                    &point.speed_percent_per_second[1],
                );
                heights.bars.push(Bars {
                    label: "",
                    class,
                    spans: &point.target_contacts,
                });
            }
            speeds.bars.push(Bars {
                label: part,
                class: "source",
                spans: &point.contacts,
            });
        }
        speeds.most = FASTEST;
        (heights.least, speeds.least) = LEAST;
        heights.moments = times(MomentKind::Penetration);
        speeds.moments = times(MomentKind::Slide);
        heights.draw(html, series);
        speeds.draw(html, series);
    }
    if let Some(contacts) = &first.report.contacts {
        touches::touches(html, index, contacts, series);
    }
    let mut off = Plot::new("Limbs off the source's direction, mean".to_owned(), "°");
    for (class, _, series) in &drawn {
        off.line(class, class, false, &series.direction_degrees);
    }
    off.moments = times(MomentKind::Direction);
    off.draw(html, series);
    let mut knees = Plot::new("Bend of the knees (right dashed)".to_owned(), "°");
    for (order, knee) in series.knees.iter().enumerate() {
        let name = first.slot_name(knee.slot);
        knees.line(
            &format!("{name} source"),
            "source",
            order > 0,
            &knee.degrees[0],
        );
    }
    for (class, result, series) in &drawn {
        for (order, knee) in series.knees.iter().enumerate() {
            let name = result.slot_name(knee.slot);
            knees.line(
                &format!("{name} {class}"),
                class,
                order > 0,
                &knee.degrees[1],
            );
        }
    }
    knees.moments = times(MomentKind::Pop);
    knees.draw(html, series);
    ways::ways(html, &drawn);
    html.push_str("</div>\n");
}

fn legend(html: &mut String, page: &ReportPage<'_>) {
    html.push_str("<p class=\"legend\"><span class=\"key source\"></span> source");
    for (class, name) in ["target", "other"].into_iter().zip(&page.results) {
        let name = if page.results.len() == 1 {
            "target"
        } else {
            name
        };
        put(
            html,
            format_args!(" <span class=\"key {class}\"></span> {}", escaped(name)),
        );
    }
    html.push_str(
        "; of a foot the heel drawn through, the toes dashed. Bars: when it stands. Thin line upright: worst moment.</p>\n",
    );
}

fn same(one: &PointSeries, other: &PointSeries) -> bool {
    let key = |point: &PointSeries| (point.point.touch, point.point.side, point.point.front);
    key(one) == key(other)
}

/// Points by foot.
fn feet_of(series: &Series) -> Vec<Vec<usize>> {
    let mut feet: Vec<Vec<usize>> = Vec::new();
    for (index, point) in series.points.iter().enumerate() {
        let key = |other: usize| {
            let other = &series.points[other].point;
            (other.side, other.front) == (point.point.side, point.point.front)
        };
        match feet.iter_mut().find(|foot| key(foot[0])) {
            Some(foot) => foot.push(index),
            None => feet.push(vec![index]),
        }
    }
    feet
}

fn foot_name(point: &PointSeries) -> String {
    let side = match point.point.side {
        1 => "left ",
        -1 => "right ",
        _ => "",
    };
    let front = if point.point.front { "front " } else { "" };
    format!("{front}{side}foot")
}

impl<'a> Plot<'a> {
    fn new(title: String, unit: &'static str) -> Self {
        Self {
            title,
            unit,
            lines: Vec::new(),
            bars: Vec::new(),
            most: f64::INFINITY,
            least: 1e-3,
            moments: Vec::new(),
        }
    }

    fn line(&mut self, name: &str, class: &'static str, dashed: bool, values: &'a [f64]) {
        self.lines.push(Line {
            name: name.to_owned(),
            class,
            dashed,
            values,
        });
    }

    fn draw(&self, html: &mut String, series: &Series) {
        let Some((low, high)) = span(self.lines.iter().flat_map(|line| line.values)) else {
            return;
        };
        let (low, high) = (
            low.min(0.0),
            high.min(self.most).max(low + self.least).max(0.0),
        );
        let tick = step((high - low).max(1e-3), 4);
        let (low, high) = (
            (low / tick).floor() * tick,
            ((high / tick).ceil() * tick).max(tick),
        );
        let bars = BAR * self.bars.len() as f64;
        let floor = HEIGHT - BOTTOM;
        let seconds = &series.seconds;
        let (start, end) = (f64::from(seconds[0]), f64::from(seconds[seconds.len() - 1]));
        let long = (end - start).max(1e-6);
        let x = |time: f64| LEFT + (time - start) / long * (WIDTH - LEFT - RIGHT);
        let y = |value: f64| floor - (value.min(high) - low) / (high - low) * (floor - TOP);
        put(
            html,
            format_args!(
                "<figure class=\"plot\"><figcaption>{} <small>{}</small></figcaption>\n\
                 <svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" data-t0=\"{start:.4}\" data-t1=\"{end:.4}\" \
                 data-x0=\"{LEFT}\" data-x1=\"{}\" data-v0=\"{low}\" data-v1=\"{high}\" data-y0=\"{floor}\" data-y1=\"{TOP}\">\n",
                escaped(&self.title),
                self.unit,
                HEIGHT + bars + 2.0,
                WIDTH - RIGHT,
            ),
        );
        let mut value = low;
        while value <= high + 1e-9 {
            let class = if value.abs() < 1e-9 { "zero" } else { "grid" };
            put(
                html,
                format_args!(
                    "<path class=\"{class}\" d=\"M{LEFT} {0:.1}H{1}\"/><text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>\n",
                    y(value),
                    WIDTH - RIGHT,
                    LEFT - 6.0,
                    y(value) + 3.5,
                    label(value, tick)
                ),
            );
            value += tick;
        }
        time_grid(html, [start, end], [TOP, floor], &x);
        for moment in &self.moments {
            put(
                html,
                format_args!(
                    "<path class=\"mark\" d=\"M{:.1} {TOP}V{floor}\"/>\n",
                    x(f64::from(*moment))
                ),
            );
        }
        for line in &self.lines {
            let mut path = String::new();
            let starts = |frame: usize| series.starts.contains(&frame);
            let mut before: Option<usize> = None;
            for frame in telling(line.values, COLUMNS) {
                if !line.values[frame].is_finite() {
                    before = None;
                    continue;
                }
                let breaks = before.is_none_or(|before| (before + 1..=frame).any(starts));
                let command = if breaks { 'M' } else { 'L' };
                let (x, y) = (x(f64::from(seconds[frame])), y(line.values[frame]));
                put(&mut path, format_args!("{command}{x:.1} {y:.1}"));
                before = Some(frame);
            }
            put(
                html,
                format_args!(
                    "<path class=\"line {}{}\" data-name=\"{}\" d=\"{path}\"/>\n",
                    line.class,
                    if line.dashed { " dashed" } else { "" },
                    escaped(&line.name)
                ),
            );
        }
        for (row, bars) in self.bars.iter().enumerate() {
            let top = HEIGHT + BAR * row as f64;
            put(
                html,
                format_args!(
                    "<text class=\"bar-label\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                    LEFT - 6.0,
                    top + BAR - 1.0,
                    bars.label
                ),
            );
            for &(first, last) in bars.spans {
                let (from, to) = (x(f64::from(seconds[first])), x(f64::from(seconds[last])));
                put(
                    html,
                    format_args!(
                        "<rect class=\"bar {}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\n",
                        bars.class,
                        (to - from).max(1.0),
                        BAR - 2.0
                    ),
                );
            }
        }
        html.push_str("</svg></figure>\n");
    }
}
/// Lines at round times from `top` to `floor`, with the times below.
pub(super) fn time_grid(
    html: &mut String,
    [start, end]: [f64; 2],
    [top, floor]: [f64; 2],
    x: &dyn Fn(f64) -> f64,
) {
    let every = step((end - start).max(1e-6), 6);
    let mut time = (start / every).ceil() * every;
    while time <= end + 1e-9 {
        put(
            html,
            format_args!(
                "<path class=\"grid\" d=\"M{0:.1} {top}V{floor}\"/><text x=\"{0:.1}\" y=\"{1}\" text-anchor=\"middle\">{2} s</text>\n",
                x(time),
                floor + 15.0,
                label(time, every)
            ),
        );
        time += every;
    }
}
