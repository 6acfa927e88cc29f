//! The way of the hips, as lines in a plane.

use super::plot::{BOTTOM, COLUMNS, LEFT, RIGHT, TOP, WIDTH, path_through};
use super::plots::Drawn;
use super::put;
use super::scale::{label, step};
use crate::markup::escaped;
use glam::DVec2;
use rebone_report::Series;

/// Height of a plane with its writing.
const HEIGHT: f64 = 250.0;

/// Width and height of a plane without its writing.
const SIZE: DVec2 = DVec2::new(WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);

/// A way as a line of a plane.
struct Way {
    class: &'static str,
    places: Vec<DVec2>,
}

/// The hips from above and from the side.
pub(super) fn ways(html: &mut String, drawn: &[Drawn<'_>]) {
    let Some(first) = drawn.first() else {
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
        let mut ways = vec![Way {
            class: "source",
            places: look(0, first.series),
        }];
        ways.extend(drawn.iter().map(|target| Way {
            class: target.class,
            places: look(1, target.series),
        }));
        ways
    };
    // The body's left is +X, which a look from above with forwards up has on the left.
    let mirrored = DVec2::new(-1.0, 1.0);
    plane(
        html,
        "Way of the hips from above, in legs (left is left, forwards is up)",
        &all(&above),
        mirrored,
        &first.series.starts,
    );
    plane(
        html,
        "Way of the hips from the side, in legs (forwards is right)",
        &all(&aside),
        DVec2::ONE,
        &first.series.starts,
    );
}

/// Where the places of ways are in a picture that is equally large along both axes.
struct Plane {
    /// Signs with which places are shown.
    flip: DVec2,
    /// The place in the middle, with its sign.
    middle: DVec2,
    /// Pixels per leg.
    pixels: f64,
}

impl Plane {
    /// A plane that holds all ways; `None` without any place.
    fn around(ways: &[Way], flip: DVec2) -> Option<Self> {
        let places = ways.iter().flat_map(|way| &way.places);
        let (low, high) = places.fold(
            (DVec2::INFINITY, DVec2::NEG_INFINITY),
            |(low, high), place| (low.min(*place), high.max(*place)),
        );
        if !low.cmple(high).all() {
            return None;
        }
        let (low, high) = ((low * flip).min(high * flip), (low * flip).max(high * flip));
        let extent = (high - low).max(DVec2::splat(0.1));
        Some(Self {
            flip,
            middle: 0.5 * (low + high),
            pixels: (SIZE.x / extent.x).min(SIZE.y / extent.y),
        })
    }

    /// The pixel of a place with its sign.
    fn pixel(&self, at: DVec2) -> [f64; 2] {
        let off = (at - self.middle) * self.pixels;
        [LEFT + 0.5 * SIZE.x + off.x, TOP + 0.5 * SIZE.y - off.y]
    }

    /// Lines at round places, with the places to their left and below.
    fn grid(&self, html: &mut String) {
        let middle = self.middle;
        let tick = step(SIZE.x.min(SIZE.y) / self.pixels, 4);
        let half = SIZE * 0.5 / self.pixels;
        for axis in 0..2 {
            let mut value = ((middle[axis] - half[axis]) / tick).ceil() * tick;
            while value <= middle[axis] + half[axis] {
                let mut at = middle;
                at[axis] = value;
                let [x, y] = self.pixel(at);
                if axis == 0 {
                    let shown = label(value * self.flip.x, tick);
                    put(
                        html,
                        format_args!(
                            "<path class=\"grid\" d=\"M{x:.1} {TOP}v{}\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{shown}</text>\n",
                            SIZE.y,
                            TOP + SIZE.y + 15.0
                        ),
                    );
                } else {
                    let shown = label(value, tick);
                    put(
                        html,
                        format_args!(
                            "<path class=\"grid\" d=\"M{LEFT} {y:.1}h{}\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{shown}</text>\n",
                            SIZE.x,
                            LEFT - 6.0,
                            y + 3.5
                        ),
                    );
                }
                value += tick;
            }
        }
    }

    /// A way as a line that breaks before `starts`, with a dot where it begins.
    fn way(&self, html: &mut String, way: &Way, starts: &[usize]) {
        let Way { class, places } = way;
        let every = (places.len() / (2 * COLUMNS)).max(1);
        let frames = (0..places.len()).step_by(every);
        let path = path_through(frames, starts, |frame| {
            Some(self.pixel(places[frame] * self.flip))
        });
        put(
            html,
            format_args!("<path class=\"line {class}\" d=\"{path}\"/>\n"),
        );
        if let Some(first) = places.first() {
            let [x, y] = self.pixel(*first * self.flip);
            put(
                html,
                format_args!(
                    "<circle class=\"start {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>\n"
                ),
            );
        }
    }
}

/// Ways in a plane. `flip` holds the signs with which places are shown.
fn plane(html: &mut String, title: &str, ways: &[Way], flip: DVec2, starts: &[usize]) {
    let Some(plane) = Plane::around(ways, flip) else {
        return;
    };
    put(
        html,
        format_args!(
            "<figure class=\"plot\"><figcaption>{}</figcaption>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n",
            escaped(title)
        ),
    );
    plane.grid(html);
    for way in ways {
        plane.way(html, way, starts);
    }
    html.push_str("</svg></figure>\n");
}
