//! Which cells a picture has and where they are.

use crate::cell::Cell;
use crate::error::Error;
use crate::font;
use crate::framing::{Framing, framings};
use crate::options::{Actor, Look};
use crate::stage::{Posed, Stage};
use glam::Vec3;
use rebone_model::Clamp as _;

/// A rounded rectangle behind cells; pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panel {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) radius: f32,
    /// Where the floor under the bodies is, if that is one row.
    pub(crate) floor_y: Option<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
}

/// A line of writing; pixels.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) x: f32,
    pub(crate) baseline: f32,
    pub(crate) size: f32,
    pub(crate) anchor: Anchor,
    pub(crate) faint: bool,
}

/// A cell and its place in the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) stage: usize,
    pub(crate) time: Option<f32>,
    /// Left upper corner, pixels.
    pub(crate) x: usize,
    /// Left upper corner, pixels.
    pub(crate) y: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// A cell that goes on a panel; pixels before they are rounded.
pub(crate) struct NewCell {
    pub(crate) stage: usize,
    pub(crate) time: Option<f32>,
    pub(crate) x: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

/// A picture without its pixels.
pub(crate) struct Layout {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) panels: Vec<Panel>,
    pub(crate) texts: Vec<Text>,
    pub(crate) places: Vec<Place>,
    pub(crate) framings: Vec<Framing>,
    /// Seconds between the poses that are drawn faintly behind a picture, for each actor.
    pub(crate) ghost_steps: Vec<f32>,
    /// How many of them.
    pub(crate) ghosts: usize,
}

impl Layout {
    /// Puts a cell on a panel, at its upper edge. A close-up has a part of the panel to itself.
    pub(crate) fn put_cell(&mut self, panel: &Panel, cell: NewCell, is_close: bool) {
        if is_close {
            self.panels.push(Panel {
                x: cell.x,
                width: cell.width,
                radius: 0.0,
                ..*panel
            });
        }
        self.places.push(Place {
            stage: cell.stage,
            time: cell.time,
            x: cell.x as usize,
            y: panel.y as usize,
            width: cell.width as usize,
            height: cell.height as usize,
        });
    }

    /// Times of the poses that are drawn faintly behind a picture, the earliest first.
    fn ghosts(&self, stage: &Stage<'_>, place: &Place) -> Vec<f32> {
        let (start, _) = stage.span();
        let step = self.ghost_steps[place.stage];
        let Some(time) = place.time.filter(|_| step > 0.0) else {
            return Vec::new();
        };
        let earlier = (1..=self.ghosts)
            .rev()
            .map(|count| time - step * count as f32);
        earlier
            .filter(|&ghost| ghost > start - 0.5 * step)
            .collect()
    }

    /// The cell of a place, with its camera turned to an angle.
    pub(crate) fn cell<'a>(
        &self,
        stages: &'a [Stage<'a>],
        place: &Place,
        angle_degrees: f32,
        posed: &mut Posed,
    ) -> Cell<'a> {
        let stage = &stages[place.stage];
        let framing = &self.framings[place.stage];
        stage.pose(place.time, posed);
        let target = framing.target(stage, posed);
        Cell {
            stage,
            time: place.time,
            ghosts: self.ghosts(stage, place),
            eye: framing.eye(angle_degrees, target, place.width),
            pivot: Vec3::new(target.x, 0.0, target.z),
            width: place.width,
            height: place.height,
            travel: framing.travel,
            scale: framing.scale,
            lines: true,
            arrow: !framing.is_close,
            bones: true,
        }
    }
}

/// The stages of all actors; an error where there are none.
pub(crate) fn stages<'a>(actors: &'a [Actor<'a>], look: &Look) -> Result<Vec<Stage<'a>>, Error> {
    if actors.is_empty() {
        return Err(Error::NoActors);
    }
    Ok(actors.iter().map(|actor| Stage::new(actor, look)).collect())
}

/// Sizes of margins and writing that go with a panel height.
pub(crate) struct Measures {
    pub(crate) margin: f32,
    pub(crate) title: f32,
    pub(crate) label: f32,
    pub(crate) radius: f32,
}

impl Measures {
    pub(crate) fn new(look: &Look) -> Self {
        let panel = look.height();
        let title = (0.056 * panel).clamped(14.0, 28.0);
        Self {
            margin: (0.06 * panel).clamped(10.0, 32.0).round(),
            title,
            label: (0.82 * title).max(12.0),
            radius: (0.035 * panel).clamped(5.0, 16.0),
        }
    }
}

/// Seconds between the poses behind a picture of an animation.
const GHOST_SECONDS: f32 = 0.1;
/// Pixels between the cells of close-ups, which are cut off at their edges and must not touch.
const GAP: f32 = 4.0;

/// Pixels between two cells.
pub(crate) fn gap(is_close: bool) -> f32 {
    if is_close { GAP } else { 0.0 }
}

/// Fails if all images of this size have more pixels than the look allows.
pub(crate) fn check_size(width: f32, height: f32, images: u64, look: &Look) -> Result<(), Error> {
    let pixels = f64::from(width.ceil()) * f64::from(height.ceil()) * images as f64;
    // PNG and GIF writers count in 32 and 16 bits; the casts saturate.
    if pixels > look.max_pixels as f64
        || !pixels.is_finite()
        || width > 65_535.0
        || height > 65_535.0
    {
        return Err(Error::TooLarge {
            pixels: pixels as u64,
            limit: look.max_pixels,
        });
    }
    Ok(())
}

/// All actors side by side on one floor line, seen at all of `times` and from all of `angles`.
pub(crate) fn side_by_side_layout(
    stages: &[Stage<'_>],
    times: &[Vec<Option<f32>>],
    angles: &[f32],
    images: u64,
    look: &Look,
) -> Result<Layout, Error> {
    let framings = framings(stages, times, look, angles, true, &mut Posed::default());
    let measures = Measures::new(look);
    let widths: Vec<f32> = framings
        .iter()
        .map(|framing| (framing.size().x * framing.focal).ceil())
        .collect();
    let margin = (0.5 * measures.margin).round();
    let is_close = framings.iter().any(|framing| framing.is_close);
    let gap = gap(is_close);
    let panel_width = widths.iter().sum::<f32>() + gap * (widths.len() - 1) as f32;
    let picture = look.height();
    let titled = stages.iter().any(|stage| !stage.title.is_empty());
    let label_room = if titled {
        (2.2 * measures.title).round()
    } else {
        0.0
    };
    let floor_row = framings.first().and_then(Framing::floor_row);
    let whole = Panel {
        x: margin,
        y: margin,
        width: panel_width,
        height: picture + label_room,
        radius: measures.radius,
        floor_y: floor_row.map(|row| margin + row),
    };
    let width = whole.width + 2.0 * margin;
    let height = whole.height + 2.0 * margin;
    check_size(width, height, images, look)?;
    let mut layout = Layout {
        width: width as usize,
        height: height as usize,
        panels: if is_close { Vec::new() } else { vec![whole] },
        texts: Vec::new(),
        places: Vec::new(),
        framings,
        ghost_steps: vec![GHOST_SECONDS; stages.len()],
        ghosts: look.ghosts(),
    };
    let mut x = margin;
    for (index, (stage, width)) in stages.iter().zip(widths).enumerate() {
        let cell = NewCell {
            stage: index,
            time: None,
            x,
            width,
            height: picture,
        };
        layout.put_cell(&whole, cell, is_close);
        layout.texts.push(Text {
            text: font::fit(stage.title, measures.title, width - 6.0),
            x: x + 0.5 * width,
            baseline: margin + picture + 1.15 * measures.title,
            size: measures.title,
            anchor: Anchor::Middle,
            faint: false,
        });
        x += width + gap;
    }
    Ok(layout)
}
