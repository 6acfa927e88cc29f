//! The way of the hips, as lines in a plane.

use super::plots::{BOTTOM, COLUMNS, Drawn, LEFT, RIGHT, TOP, WIDTH};
use super::put;
use super::scale::{label, step};
use crate::markup::escaped;
use glam::DVec2;
use rebone_report::Series;

/// The hips from above and from the side.
pub(super) fn ways(html: &mut String, drawn: &[Drawn<'_>]) {
    let Some((_, _, first)) = drawn.first() else {
        return;
    };
    let above = |side: usize, series: &Series| -> Vec<DVec2> { series.paths[side].clone() };
    let aside = |side: usize, series: &Series| -> Vec<DVec2> {
        let heights = &series.hips_height[side];
        let places = series.paths[side].iter().zip(heights);
        places
            .map(|(place, height)| DVec2::new(place.y, *height))
            .collect()
    };
    let all = |look: &dyn Fn(usize, &Series) -> Vec<DVec2>| {
        let mut lines = vec![("source", look(0, first))];
        lines.extend(
            drawn
                .iter()
                .map(|(class, _, series)| (*class, look(1, series))),
        );
        lines
    };
    map(
        html,
        "Way of the hips from above, in legs (left is left, forwards is up)",
        &all(&above),
        true,
        &first.starts,
    );
    map(
        html,
        "Way of the hips from the side, in legs (forwards is right)",
        &all(&aside),
        false,
        &first.starts,
    );
}

/// Lines in a plane, equally large along both axes.
fn map(
    html: &mut String,
    title: &str,
    lines: &[(&str, Vec<DVec2>)],
    mirrored: bool,
    starts: &[usize],
) {
    let places = || lines.iter().flat_map(|(_, line)| line);
    let (mut low, mut high) = places().fold(
        (DVec2::INFINITY, DVec2::NEG_INFINITY),
        |(low, high), place| (low.min(*place), high.max(*place)),
    );
    if !low.cmple(high).all() {
        return;
    }
    // The body's left is +X, which a look from above with forwards up has on the left.
    let flip = if mirrored {
        DVec2::new(-1.0, 1.0)
    } else {
        DVec2::ONE
    };
    (low, high) = ((low * flip).min(high * flip), (low * flip).max(high * flip));
    let (width, height) = (WIDTH - LEFT - RIGHT, 250.0 - TOP - BOTTOM);
    let extent = (high - low).max(DVec2::splat(0.1));
    let pixels = (width / extent.x).min(height / extent.y);
    let middle = 0.5 * (low + high);
    let place = |at: DVec2| {
        let off = (at - middle) * pixels;
        (LEFT + 0.5 * width + off.x, TOP + 0.5 * height - off.y)
    };
    put(
        html,
        format_args!(
            "<figure class=\"plot\"><figcaption>{}</figcaption>\n<svg viewBox=\"0 0 {WIDTH} 250\" role=\"img\">\n",
            escaped(title)
        ),
    );
    let tick = step(width.min(height) / pixels, 4);
    let half = DVec2::new(width, height) * 0.5 / pixels;
    for axis in 0..2 {
        let mut value = ((middle[axis] - half[axis]) / tick).ceil() * tick;
        while value <= middle[axis] + half[axis] {
            let mut at = middle;
            at[axis] = value;
            let (x, y) = place(at);
            let shown = label(if axis == 0 { value * flip.x } else { value }, tick);
            if axis == 0 {
                put(
                    html,
                    format_args!(
                        "<path class=\"grid\" d=\"M{x:.1} {TOP}v{height}\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{shown}</text>\n",
                        TOP + height + 15.0
                    ),
                );
            } else {
                put(
                    html,
                    format_args!(
                        "<path class=\"grid\" d=\"M{LEFT} {y:.1}h{width}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{shown}</text>\n",
                        LEFT - 6.0,
                        y + 3.5
                    ),
                );
            }
            value += tick;
        }
    }
    for (class, line) in lines {
        let every = (line.len() / (2 * COLUMNS)).max(1);
        let mut path = String::new();
        let mut before = None;
        for frame in (0..line.len()).step_by(every) {
            let breaks = before.is_none_or(|before: usize| {
                starts
                    .iter()
                    .any(|start| (before + 1..=frame).contains(start))
            });
            let (x, y) = place(line[frame] * flip);
            put(
                &mut path,
                format_args!("{}{x:.1} {y:.1}", if breaks { 'M' } else { 'L' }),
            );
            before = Some(frame);
        }
        put(
            html,
            format_args!("<path class=\"line {class}\" d=\"{path}\"/>\n"),
        );
        if let Some(first) = line.first() {
            let (x, y) = place(*first * flip);
            put(
                html,
                format_args!(
                    "<circle class=\"start {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>\n"
                ),
            );
        }
    }
    html.push_str("</svg></figure>\n");
}
