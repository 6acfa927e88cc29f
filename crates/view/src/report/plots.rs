//! The plots of a clip: feet, touches, directions, knees and the way of the hips.

use super::plot::{Bars, Plot};
use super::{PageClip, PageResult, ReportPage, put, touches, ways};
use crate::markup::escaped;
use rebone_report::{MomentKind, PointSeries, Series, point_name};

/// Speeds above this, percent of a leg a second, are those of swinging feet.
const FASTEST: f64 = 120.0;
/// Heights of feet that fill a plot at least, percent of a leg.
const LEAST_HEIGHT: f64 = 1.0;
/// Speeds of feet that fill a plot at least, percent of a leg a second.
const LEAST_SPEED: f64 = 5.0;

/// A result with its series.
pub(super) struct Drawn<'a> {
    /// The class of its lines.
    pub(super) class: &'static str,
    result: &'a PageResult<'a>,
    pub(super) series: &'a Series,
}

impl Drawn<'_> {
    /// When the worst moments of a kind are.
    fn moments(&self, kind: MomentKind) -> Vec<f32> {
        let moments = self.result.report.moments.iter();
        moments
            .filter(|moment| moment.kind == kind)
            .map(|moment| moment.seconds)
            .collect()
    }
}

/// All plots of a clip.
pub(super) fn all(html: &mut String, page: &ReportPage<'_>, index: usize, clip: &PageClip<'_>) {
    let classes = ["target", "other"];
    let drawn: Vec<Drawn<'_>> = clip
        .results
        .iter()
        .zip(classes)
        .filter_map(|(result, class)| {
            Some(Drawn {
                class,
                result,
                series: result.series.as_ref()?,
            })
        })
        .collect();
    let Some(first) = drawn.first().filter(|first| first.series.seconds.len() > 1) else {
        return;
    };
    html.push_str("<h3>Over time</h3>\n");
    legend(html, page);
    html.push_str("<div class=\"plots\">\n");
    for feet in feet_of(first.series) {
        foot(html, first, &drawn, &feet);
    }
    if let Some(contacts) = &first.result.report.contacts {
        touches::touches(html, index, contacts, first.series);
    }
    let mut off = Plot::new("Limbs off the source's direction, mean".to_owned(), "°");
    for Drawn { class, series, .. } in &drawn {
        off.line(class, class, false, &series.direction_degrees);
    }
    off.moments = first.moments(MomentKind::Direction);
    off.draw(html, first.series);
    knees(html, first, &drawn);
    ways::ways(html, &drawn);
    html.push_str("</div>\n");
}

/// The plots of a foot.
struct FootPlots<'a> {
    heights: Plot<'a>,
    speeds: Plot<'a>,
}

impl<'a> FootPlots<'a> {
    /// Adds a point of the foot in the source (`side` 0) or in the target (1). Toes are dashed.
    fn line(
        &mut self,
        class: &'static str,
        dashed: bool,
        own: &PointSeries,
        side: usize,
        point: &'a PointSeries,
    ) {
        let name = format!("{} {class}", point_name(&own.point));
        let speeds = &point.speed_percent_per_second[side];
        self.heights
            .line(&name, class, dashed, &point.height_percent[side]);
        self.speeds.line(&name, class, dashed, speeds);
    }
}

/// Heights and speeds of a foot; `points` are numbers of its points in the first result.
fn foot(html: &mut String, first: &Drawn<'_>, drawn: &[Drawn<'_>], points: &[usize]) {
    let series = first.series;
    let name = foot_name(&series.points[points[0]]);
    let mut plots = FootPlots {
        heights: Plot::new(format!("Height of the {name}"), "% leg"),
        speeds: Plot::new(format!("Speed of the {name} over the floor"), "% leg/s"),
    };
    for (order, &index) in points.iter().enumerate() {
        let point = &series.points[index];
        let dashed = order > 0;
        let stands = || Bars {
            label: if dashed { "toes" } else { "heel" },
            class: "source",
            spans: &point.contacts,
        };
        plots.line("source", dashed, point, 0, point);
        plots.heights.bars.push(stands());
        for Drawn { class, series, .. } in drawn {
            let Some(other) = series.points.iter().find(|other| same(other, point)) else {
                continue;
            };
            plots.line(class, dashed, point, 1, other);
            plots.heights.bars.push(Bars {
                label: "",
                class,
                spans: &other.target_contacts,
            });
        }
        plots.speeds.bars.push(stands());
    }
    let FootPlots { heights, speeds } = &mut plots;
    speeds.most = FASTEST;
    heights.least = LEAST_HEIGHT;
    speeds.least = LEAST_SPEED;
    heights.moments = first.moments(MomentKind::Penetration);
    speeds.moments = first.moments(MomentKind::Slide);
    heights.draw(html, series);
    speeds.draw(html, series);
}

/// How far the knees are bent.
fn knees(html: &mut String, first: &Drawn<'_>, drawn: &[Drawn<'_>]) {
    let mut plot = Plot::new("Bend of the knees (right dashed)".to_owned(), "°");
    let source = ("source", first, 0);
    let targets = drawn.iter().map(|target| (target.class, target, 1));
    for (class, Drawn { result, series, .. }, side) in std::iter::once(source).chain(targets) {
        for (order, knee) in series.knees.iter().enumerate() {
            let name = format!("{} {class}", result.slot_name(knee.slot));
            plot.line(&name, class, order > 0, &knee.degrees[side]);
        }
    }
    plot.moments = first.moments(MomentKind::Pop);
    plot.draw(html, first.series);
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
