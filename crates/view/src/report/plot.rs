//! One plot over time, as inline SVG. Colours are those of the page's style, so they follow light and dark.

use super::put;
use super::scale::{label, span, step, telling};
use crate::markup::escaped;
use rebone_report::Series;

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

/// A line of a plot.
struct Line<'a> {
    name: String,
    class: &'static str,
    dashed: bool,
    values: &'a [f64],
}

/// A row of bars under a plot.
pub(super) struct Bars<'a> {
    /// What stands, to the left of the row.
    pub(super) label: &'static str,
    pub(super) class: &'static str,
    /// First and last frames.
    pub(super) spans: &'a [(usize, usize)],
}

pub(super) struct Plot<'a> {
    title: String,
    unit: &'static str,
    lines: Vec<Line<'a>>,
    pub(super) bars: Vec<Bars<'a>>,
    /// Values above are cut off.
    pub(super) most: f64,
    /// The axis spans at least this: what nobody sees is not drawn large.
    pub(super) least: f64,
    /// Times of moments that belong to the plot.
    pub(super) moments: Vec<f32>,
}

/// The axes of a plot.
struct Axes<'a> {
    /// When each frame is.
    seconds: &'a [f32],
    start: f64,
    end: f64,
    /// The values at the lower and the upper edge.
    low: f64,
    high: f64,
    /// From one line of the grid to the next.
    tick: f64,
}

/// Where the time axis is.
const FLOOR: f64 = HEIGHT - BOTTOM;

impl Axes<'_> {
    fn x(&self, time: f64) -> f64 {
        let long = (self.end - self.start).max(1e-6);
        LEFT + (time - self.start) / long * (WIDTH - LEFT - RIGHT)
    }

    fn x_of_frame(&self, frame: usize) -> f64 {
        self.x(f64::from(self.seconds[frame]))
    }

    fn y(&self, value: f64) -> f64 {
        FLOOR - (value.min(self.high) - self.low) / (self.high - self.low) * (FLOOR - TOP)
    }

    /// Lines at round values, with the values to their left.
    fn value_grid(&self, html: &mut String) {
        let mut value = self.low;
        while value <= self.high + 1e-9 {
            let class = if value.abs() < 1e-9 { "zero" } else { "grid" };
            put(
                html,
                format_args!(
                    "<path class=\"{class}\" d=\"M{LEFT} {0:.1}H{1}\"/><text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>\n",
                    self.y(value),
                    WIDTH - RIGHT,
                    LEFT - 6.0,
                    self.y(value) + 3.5,
                    label(value, self.tick)
                ),
            );
            value += self.tick;
        }
    }
}

impl<'a> Plot<'a> {
    pub(super) fn new(title: String, unit: &'static str) -> Self {
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

    pub(super) fn line(
        &mut self,
        name: &str,
        class: &'static str,
        dashed: bool,
        values: &'a [f64],
    ) {
        self.lines.push(Line {
            name: name.to_owned(),
            class,
            dashed,
            values,
        });
    }

    /// The axes that all lines need; `None` without any value.
    fn axes<'b>(&self, seconds: &'b [f32]) -> Option<Axes<'b>> {
        let (low, high) = span(self.lines.iter().flat_map(|line| line.values))?;
        let (low, high) = (
            low.min(0.0),
            high.min(self.most).max(low + self.least).max(0.0),
        );
        let tick = step((high - low).max(1e-3), 4);
        Some(Axes {
            seconds,
            start: f64::from(seconds[0]),
            end: f64::from(seconds[seconds.len() - 1]),
            low: (low / tick).floor() * tick,
            high: ((high / tick).ceil() * tick).max(tick),
            tick,
        })
    }

    pub(super) fn draw(&self, html: &mut String, series: &Series) {
        let Some(axes) = self.axes(&series.seconds) else {
            return;
        };
        let Axes {
            start,
            end,
            low,
            high,
            ..
        } = axes;
        put(
            html,
            format_args!(
                "<figure class=\"plot\"><figcaption>{} <small>{}</small></figcaption>\n\
                 <svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" data-t0=\"{start:.4}\" data-t1=\"{end:.4}\" \
                 data-x0=\"{LEFT}\" data-x1=\"{}\" data-v0=\"{low}\" data-v1=\"{high}\" data-y0=\"{FLOOR}\" data-y1=\"{TOP}\">\n",
                escaped(&self.title),
                self.unit,
                HEIGHT + BAR * self.bars.len() as f64 + 2.0,
                WIDTH - RIGHT,
            ),
        );
        axes.value_grid(html);
        time_grid(html, [start, end], [TOP, FLOOR], &|time| axes.x(time));
        for moment in &self.moments {
            put(
                html,
                format_args!(
                    "<path class=\"mark\" d=\"M{:.1} {TOP}V{FLOOR}\"/>\n",
                    axes.x(f64::from(*moment))
                ),
            );
        }
        for line in &self.lines {
            line.draw(html, &axes, &series.starts);
        }
        for (row, bars) in self.bars.iter().enumerate() {
            bars.draw(html, &axes, HEIGHT + BAR * row as f64);
        }
        html.push_str("</svg></figure>\n");
    }
}

impl Line<'_> {
    /// `starts` are the frames before which the line breaks.
    fn draw(&self, html: &mut String, axes: &Axes<'_>, starts: &[usize]) {
        let frames = telling(self.values, COLUMNS).into_iter();
        let path = path_through(frames, starts, |frame| {
            let value = self.values[frame];
            value
                .is_finite()
                .then(|| [axes.x_of_frame(frame), axes.y(value)])
        });
        put(
            html,
            format_args!(
                "<path class=\"line {}{}\" data-name=\"{}\" d=\"{path}\"/>\n",
                self.class,
                if self.dashed { " dashed" } else { "" },
                escaped(&self.name)
            ),
        );
    }
}

impl Bars<'_> {
    fn draw(&self, html: &mut String, axes: &Axes<'_>, top: f64) {
        put(
            html,
            format_args!(
                "<text class=\"bar-label\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                LEFT - 6.0,
                top + BAR - 1.0,
                self.label
            ),
        );
        for &(first, last) in self.spans {
            let (from, to) = (axes.x_of_frame(first), axes.x_of_frame(last));
            put(
                html,
                format_args!(
                    "<rect class=\"bar {}\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\n",
                    self.class,
                    (to - from).max(1.0),
                    BAR - 2.0
                ),
            );
        }
    }
}

/// An SVG path from frame to frame. It breaks at frames without a place, and where one of `starts` lies between two frames.
pub(super) fn path_through(
    frames: impl Iterator<Item = usize>,
    starts: &[usize],
    place: impl Fn(usize) -> Option<[f64; 2]>,
) -> String {
    let mut path = String::new();
    let mut before: Option<usize> = None;
    for frame in frames {
        let Some([x, y]) = place(frame) else {
            before = None;
            continue;
        };
        let is_start = |frame: usize| starts.contains(&frame);
        let breaks = before.is_none_or(|before| (before + 1..=frame).any(is_start));
        let command = if breaks { 'M' } else { 'L' };
        put(&mut path, format_args!("{command}{x:.1} {y:.1}"));
        before = Some(frame);
    }
    path
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
