//! A filmstrip as SVG: floors, skeletons and writing as shapes, meshes as embedded pictures.

use crate::cell::{ARROW, grid_radius, grid_spacing};
use crate::cell::{Cell, Painter, ghost_opacity};
use crate::color::Theme;
use crate::error::Error;
use crate::filmstrip::{FLOOR_LINE_OPACITY, layout_of};
use crate::layout::{Anchor, Layout, Place, Text, stages};
use crate::markup::{base64, escaped, hex};
use crate::options::{Actor, FilmstripOptions, Look};
use crate::picture_file::encode_png;
use crate::sides::{bone_color, joint_color};
use crate::stage::{Posed, Stage};
use glam::{Vec2, Vec3, Vec3A};
use png::ColorType;
use std::fmt::Write;

/// A filmstrip as SVG, in the layout of [`filmstrip_png`](crate::filmstrip_png).
///
/// Floor lines, arrows, skeletons and writing are shapes, so they stay sharp at every size. Where
/// meshes are shown, each cell holds a PNG of the body and its shadow as a data URI, below the shapes
/// of the skeleton. Fails like `filmstrip_png`.
pub fn filmstrip_svg(actors: &[Actor<'_>], options: &FilmstripOptions) -> Result<String, Error> {
    let look = &options.look;
    let stages = stages(actors, look)?;
    let layout = layout_of(&stages, options)?;
    layout_svg(&stages, &layout, look)
}

/// The picture of a layout.
pub(crate) fn layout_svg(
    stages: &[Stage<'_>],
    layout: &Layout,
    look: &Look,
) -> Result<String, Error> {
    let theme = Theme::new(look.background);
    let mut painter = Painter::new();
    let mut svg = Svg::new(layout, &theme);
    let angle_degrees = look.view.angle_degrees();
    for place in &layout.places {
        let mut cell = layout.cell(stages, place, angle_degrees, &mut painter.posed);
        svg.open_cell(place);
        svg.floor(
            &cell,
            &theme,
            place.stage,
            layout.framings[place.stage].is_close,
        );
        (cell.lines, cell.bones) = (false, false);
        if cell.stage.shows_mesh {
            svg.picture(&cell, &mut painter, &theme)?;
        } else {
            svg.shadows(&cell, &painter.posed);
        }
        if cell.stage.shows_bones {
            svg.skeletons(&cell, &mut painter.posed);
        }
        svg.text.push_str("</svg>\n");
    }
    for text in &layout.texts {
        svg.writing(text, &theme);
    }
    svg.text.push_str("</svg>\n");
    Ok(svg.text)
}

struct Svg {
    text: String,
    /// Grid colours that are defined.
    grids: usize,
    /// The actor of the last one.
    grid_of: Option<usize>,
}

impl Svg {
    /// Appends; writing to a string cannot fail.
    fn put(&mut self, arguments: std::fmt::Arguments<'_>) {
        let _ = self.text.write_fmt(arguments);
    }

    fn new(layout: &Layout, theme: &Theme) -> Self {
        let mut svg = Self {
            text: String::new(),
            grids: 0,
            grid_of: None,
        };
        let (width, height) = (layout.width, layout.height);
        svg.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<defs>\n\
             <linearGradient id=\"panel\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">\
             <stop offset=\"0\" stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/>\
             </linearGradient>\n<radialGradient id=\"shadow\">\
             <stop offset=\"0\" stop-color=\"#10141e\" stop-opacity=\"0.42\"/>\
             <stop offset=\"1\" stop-color=\"#10141e\" stop-opacity=\"0\"/></radialGradient>\n\
             </defs>\n<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
            hex(theme.panel_top),
            hex(theme.panel_bottom),
            hex(theme.paper),
        ));
        for panel in &layout.panels {
            svg.put(format_args!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{:.1}\" \
                 fill=\"url(#panel)\"/>\n",
                panel.x, panel.y, panel.width, panel.height, panel.radius,
            ));
            if let Some(row) = panel.floor_y {
                svg.put(format_args!(
                    "<path d=\"M{:.1} {row:.1}h{:.1}\" stroke=\"{}\" \
                     stroke-opacity=\"{FLOOR_LINE_OPACITY}\"/>\n",
                    panel.x,
                    panel.width,
                    hex(theme.line),
                ));
            }
        }
        svg
    }

    fn open_cell(&mut self, place: &Place) {
        let Place {
            x,
            y,
            width,
            height,
            ..
        } = place;
        self.put(format_args!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">\n"
        ));
    }

    /// Grid lines as chords of a circle around the body, and the facing arrow.
    fn floor(&mut self, cell: &Cell<'_>, theme: &Theme, stage: usize, is_close: bool) {
        let height = cell.stage.height;
        let (spacing, radius) = (
            grid_spacing(cell.scale),
            0.86 * grid_radius(height) + cell.travel,
        );
        let pivot = Vec2::new(cell.pivot.x, cell.pivot.z);
        let middle = cell.eye.project(cell.pivot.into()).unwrap_or_default();
        let color = hex(theme.line);
        // All cells of an actor see the pivot at the same place, but for close-ups.
        if self.grid_of != Some(stage) || is_close {
            self.grid_of = Some(stage);
            self.grids += 1;
            let grid = self.grids;
            self.put(format_args!(
                "<radialGradient id=\"grid{grid}\" gradientUnits=\"userSpaceOnUse\" \
                 cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\"><stop offset=\"0.2\" \
                 stop-color=\"{color}\" stop-opacity=\"0.42\"/><stop offset=\"1\" \
                 stop-color=\"{color}\" stop-opacity=\"0\"/></radialGradient>\n",
                middle.x,
                middle.y,
                0.55 * cell.width as f32
            ));
        }
        let grid = self.grids;
        self.put(format_args!("<g stroke=\"url(#grid{grid})\">\n"));
        for axis in 0..2 {
            let (first, last) = (
                ((pivot[axis] - radius) / spacing).ceil() as i64,
                ((pivot[axis] + radius) / spacing).floor() as i64,
            );
            for line in first..=last.min(first.saturating_add(400)) {
                let off = line as f32 * spacing - pivot[axis];
                let half = (radius * radius - off * off).max(0.0).sqrt();
                let end = |along: f32| {
                    let mut point = pivot;
                    point[axis] += off;
                    point[1 - axis] += along;
                    Vec3::new(point.x, 0.0, point.y)
                };
                let (from, to) = (end(-half), end(half));
                if let Some((a, b)) = chord_in_cell(cell, from, to) {
                    self.put(format_args!(
                        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>\n",
                        a.x, a.y, b.x, b.y
                    ));
                }
            }
        }
        self.text.push_str("</g>\n");
        if cell.arrow {
            self.arrow(cell, theme);
        }
    }

    /// The arrow on the floor that points to where the body faces.
    fn arrow(&mut self, cell: &Cell<'_>, theme: &Theme) {
        let pivot = Vec2::new(cell.pivot.x, cell.pivot.z);
        let [tip, wing, notch] = ARROW;
        let corners = [tip, wing, notch, Vec2::new(-wing.x, wing.y)].map(|corner| {
            let place = pivot + corner * cell.stage.height;
            cell.eye.project(Vec3A::new(place.x, 0.0, place.y))
        });
        let mut path = String::new();
        for corner in corners.into_iter().flatten() {
            let command = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.1} {:.1}", corner.x, corner.y);
        }
        let color = hex(theme.arrow);
        self.put(format_args!(
            "<path d=\"{path}Z\" fill=\"{color}\" fill-opacity=\"0.8\"/>\n"
        ));
    }

    /// Soft spots under joints near the floor.
    fn shadows(&mut self, cell: &Cell<'_>, posed: &Posed) {
        let height = cell.stage.height;
        let reach = 0.13 * height;
        for knob in &cell.stage.drawing.knobs {
            let Some(place) = posed.world.get(knob.joint) else {
                continue;
            };
            let position = place.translation;
            let near = 1.0 - position.y.max(0.0) / reach;
            let ground = Vec3A::new(position.x, 0.0, position.z);
            let Some(pixel) = cell.eye.project(ground).filter(|_| near > 0.0) else {
                continue;
            };
            let wide = 0.055 * height * cell.eye.focal * pixel.z;
            self.put(format_args!(
                "<ellipse cx=\"{:.1}\" cy=\"{:.1}\" rx=\"{wide:.1}\" ry=\"{:.1}\" \
                 fill=\"url(#shadow)\" opacity=\"{near:.2}\"/>\n",
                pixel.x,
                pixel.y,
                0.32 * wide
            ));
        }
    }

    /// The body and its shadow as an embedded PNG.
    fn picture(
        &mut self,
        cell: &Cell<'_>,
        painter: &mut Painter,
        theme: &Theme,
    ) -> Result<(), Error> {
        let (width, height) = (cell.width, cell.height);
        let mut pixels = vec![[0u8; 4]; width * height];
        let mut layers = vec![(Vec3A::ZERO, 0.0f32); width * height];
        painter.paint(cell, theme, |_, x, y, color, alpha| {
            let (behind, share) = layers[y * width + x];
            let through = 1.0 - alpha.min(1.0);
            layers[y * width + x] = (color + behind * through, alpha + share * through);
        });
        for (pixel, (color, alpha)) in pixels.iter_mut().zip(layers) {
            let [r, g, b] = painter.transfer.srgb3(color / alpha.max(1e-4));
            *pixel = [r, g, b, (alpha.min(1.0) * 255.0 + 0.5) as u8];
        }
        let png = encode_png(pixels.as_flattened(), width, height, ColorType::Rgba)?;
        self.put(format_args!(
            "<image width=\"{width}\" height=\"{height}\" href=\"data:image/png;base64,"
        ));
        base64(&png, &mut self.text);
        self.text.push_str("\"/>\n");
        Ok(())
    }

    /// The skeleton, in front of the faint ones of earlier poses.
    fn skeletons(&mut self, cell: &Cell<'_>, posed: &mut Posed) {
        let opacity = if cell.stage.shows_mesh { 0.88 } else { 1.0 };
        let count = cell.ghosts.len();
        for (index, &ghost) in cell.ghosts.iter().enumerate() {
            cell.stage.pose(Some(ghost), posed);
            self.bones(cell, posed, opacity * ghost_opacity(index, count));
        }
        cell.stage.pose(cell.time, posed);
        self.bones(cell, posed, opacity);
    }

    /// Bones and joints from back to front.
    fn bones(&mut self, cell: &Cell<'_>, posed: &Posed, opacity: f32) {
        let mut shapes: Vec<(f32, String)> = Vec::new();
        let eye = &cell.eye;
        for bone in &cell.stage.drawing.bones {
            let ends = bone.ends(&posed.world);
            let Some((from, to)) =
                ends.and_then(|(from, to)| Some((eye.project(from)?, eye.project(to)?)))
            else {
                continue;
            };
            let scale = bone.radius * eye.focal;
            let path = taper(from, to, scale * from.z, scale * to.z);
            let shape = format!(
                "<path d=\"{path}\" fill=\"{}\"/>\n",
                hex(bone_color(bone.side))
            );
            shapes.push((0.5 * (from.z + to.z), shape));
        }
        for knob in &cell.stage.drawing.knobs {
            let place = posed.world.get(knob.joint);
            let Some(center) = place.and_then(|place| eye.project(place.translation)) else {
                continue;
            };
            let radius = knob.radius * eye.focal * center.z;
            let shape = format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius:.1}\" fill=\"{}\"/>\n",
                center.x,
                center.y,
                hex(joint_color(knob.side))
            );
            shapes.push((center.z * 1.0005, shape));
        }
        // Nearness rises to the front; the sort is stable, so equal depths keep joint order.
        shapes.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.put(format_args!(
            "<g opacity=\"{opacity:.2}\" stroke=\"#fff\" stroke-opacity=\"0.55\" \
             stroke-width=\"0.6\" stroke-linejoin=\"round\">\n"
        ));
        for (_, shape) in shapes {
            self.text.push_str(&shape);
        }
        self.text.push_str("</g>\n");
    }

    fn writing(&mut self, text: &Text, theme: &Theme) {
        let (anchor, weight) = match text.anchor {
            Anchor::Start => ("start", 600),
            Anchor::Middle => ("middle", 400),
        };
        let color = hex(if text.faint {
            theme.faint_ink
        } else {
            theme.ink
        });
        self.put(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" text-anchor=\"{anchor}\" \
             font-weight=\"{weight}\" fill=\"{color}\" \
             font-family=\"Inter,system-ui,'Segoe UI',Helvetica,Arial,sans-serif\">{}</text>\n",
            text.x,
            text.baseline,
            text.size,
            escaped(&text.text)
        ));
    }
}

/// The part of a floor line that lies in the cell's width, in pixels.
fn chord_in_cell(cell: &Cell<'_>, from: Vec3, to: Vec3) -> Option<(Vec2, Vec2)> {
    let a = cell.eye.project(from.into())?.truncate();
    let b = cell.eye.project(to.into())?.truncate();
    let width = cell.width as f32;
    let (mut start, mut end) = (0.0f32, 1.0f32);
    let run = b.x - a.x;
    if run.abs() < 1e-3 {
        if a.x < 0.0 || a.x > width {
            return None;
        }
    } else {
        let (left, right) = ((0.0 - a.x) / run, (width - a.x) / run);
        start = start.max(left.min(right));
        end = end.min(left.max(right));
    }
    (start < end).then(|| (a.lerp(b, start), a.lerp(b, end)))
}

/// Outline of a bone: narrow at its joint, wide at a fifth, narrow at its end.
fn taper(from: Vec3, to: Vec3, from_radius: f32, to_radius: f32) -> String {
    let (from, to) = (from.truncate(), to.truncate());
    let across = (to - from).normalize_or(Vec2::X).perp();
    let wide = from.lerp(to, 0.18);
    let points = [
        from + across * (0.4 * from_radius),
        wide + across * from_radius,
        to + across * (0.36 * to_radius),
        to - across * (0.36 * to_radius),
        wide - across * from_radius,
        from - across * (0.4 * from_radius),
    ];
    let mut path = String::new();
    for (index, point) in points.into_iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{command}{:.1} {:.1}", point.x, point.y);
    }
    path.push('Z');
    path
}
