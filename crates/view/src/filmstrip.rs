//! A filmstrip as PNG.

use crate::canvas::Canvas;
use crate::cell::Painter;
use crate::color::Theme;
use crate::error::Error;
use crate::layout::{Layout, filmstrip_layout, stages};
use crate::options::{Actor, FilmstripOptions, Look};

/// A filmstrip as PNG: one row an actor, one column a time, each row on one floor line.
///
/// Times are even over each actor's clip, both ends included. The picture is as large as it needs to
/// be: [`FilmstripOptions::panel_height`] sets the height of the tallest row.
///
/// Fails without actors, and where the picture would be larger than the options allow.
pub fn filmstrip_png(actors: &[Actor<'_>], options: &FilmstripOptions) -> Result<Vec<u8>, Error> {
    let look = Look::from(options);
    let stages = stages(actors, &look)?;
    let layout = filmstrip_layout(&stages, options.frames, &look)?;
    let theme = Theme::new(look.background);
    let mut canvas = paper(&layout, &theme, true);
    let mut painter = Painter::new();
    let angle_degrees = look.view.angle_degrees();
    for place in &layout.places {
        let cell = layout.cell(&stages, place, angle_degrees, &mut painter.posed);
        painter.paint(&cell, &theme, |transfer, x, y, color, alpha| {
            canvas.blend(transfer, place.x + x, place.y + y, color, alpha);
        });
    }
    canvas.to_png()
}

/// The picture without its cells: paper, panels, floor lines, writing.
pub(crate) fn paper(layout: &Layout, theme: &Theme, gradient: bool) -> Canvas {
    let mut canvas = Canvas::new(layout.width, layout.height, theme.paper);
    for panel in &layout.panels {
        canvas.panel(panel, theme, gradient);
        let ends = (panel.x, panel.x + panel.width);
        canvas.level_line(ends, panel.floor_y, theme.line, FLOOR_LINE_OPACITY);
    }
    for text in &layout.texts {
        canvas.text(text, theme);
    }
    canvas
}

/// Opacity of the line that runs through all cells of a row.
pub(crate) const FLOOR_LINE_OPACITY: f32 = 0.28;
