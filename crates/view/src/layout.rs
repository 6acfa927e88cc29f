//! Which cells a picture has and where they are: one row an actor, or all side by side.

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
struct Measures {
    margin: f32,
    title: f32,
    label: f32,
    radius: f32,
}

impl Measures {
    fn new(look: &Look) -> Self {
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
/// Pixels between the cells of close-ups.
const GAP: f32 = 4.0;

fn check_size(width: f32, height: f32, images: u64, look: &Look) -> Result<(), Error> {
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

/// One row an actor, one column a time.
pub(crate) fn filmstrip_layout(
    stages: &[Stage<'_>],
    frames: usize,
    look: &Look,
) -> Result<Layout, Error> {
    let frames = frames.clamped(1, 512);
    let ghosts = look.ghosts();
    // A single picture with earlier poses behind it shows the last moment, else the first.
    let is_last = frames == 1 && ghosts > 0;
    let times: Vec<Vec<Option<f32>>> = stages
        .iter()
        .map(|stage| {
            if stage.clip.is_none() {
                return vec![None];
            }
            let (start, end) = stage.span();
            if is_last {
                return vec![Some(end)];
            }
            let at = |frame| start + (end - start) * frame as f32 / (frames.max(2) - 1) as f32;
            (0..frames).map(|frame| Some(at(frame))).collect()
        })
        .collect();
    let ghost_steps: Vec<f32> = stages
        .iter()
        .map(|stage| {
            let (start, end) = stage.span();
            let count = if is_last {
                ghosts
            } else {
                (frames.max(2) - 1) * (ghosts + 1)
            };
            (end - start) / count.max(1) as f32
        })
        .collect();
    let mut seen = times.clone();
    for ((times, stage), &step) in seen.iter_mut().zip(stages).zip(&ghost_steps) {
        let count = if is_last { ghosts } else { 0 };
        let (start, _) = stage.span();
        times.extend((0..count).map(|index| Some(start + step * index as f32)));
    }
    let angles = [look.view.angle_degrees()];
    let framings = framings(stages, &seen, look, &angles, false, &mut Posed::default());
    let measures = Measures::new(look);
    let widest = framings
        .iter()
        .fold(0.0f32, |all, one| all.max(one.size().x * one.focal));
    let cell_width = widest.ceil();
    // Close-ups are cut off at their edges, so their cells must not touch.
    let is_close = framings.iter().any(|framing| framing.is_close);
    let gap = if is_close { GAP } else { 0.0 };
    let column_width = cell_width + gap;
    let columns = times.iter().map(Vec::len).max().unwrap_or(1);
    let margin = measures.margin;
    let inset = if is_close {
        0.0
    } else {
        (0.35 * margin).round()
    };
    let row_width = |columns: usize| column_width * columns as f32 - gap + 2.0 * inset;
    let panel_width = row_width(columns);
    let width = panel_width + 2.0 * margin;
    let label_room = (2.3 * measures.label).round();
    let title_room = (1.75 * measures.title).round();
    let row_height = |framing: &Framing| (framing.size().y * framing.focal).round().max(16.0);
    let titled = |stage: &Stage<'_>| {
        if stage.title.is_empty() {
            0.0
        } else {
            title_room
        }
    };
    let mut height = margin;
    for (stage, framing) in stages.iter().zip(&framings) {
        height += titled(stage) + row_height(framing) + label_room + margin;
    }
    check_size(width, height, 1, look)?;
    let mut layout = Layout {
        width: width as usize,
        height: height as usize,
        panels: Vec::new(),
        texts: Vec::new(),
        places: Vec::new(),
        framings,
        ghost_steps,
        ghosts,
    };
    let mut top = margin;
    for (index, stage) in stages.iter().enumerate() {
        let framing = layout.framings[index];
        if !stage.title.is_empty() {
            layout.texts.push(Text {
                text: font::fit(stage.title, measures.title, panel_width - 4.0),
                x: margin + 2.0,
                baseline: top + 0.92 * measures.title,
                size: measures.title,
                anchor: Anchor::Start,
                faint: false,
            });
        }
        top += titled(stage);
        let picture = row_height(&framing);
        let row = Panel {
            x: margin,
            y: top,
            width: row_width(times[index].len()),
            height: picture + label_room,
            radius: measures.radius,
            floor_y: framing.floor_row().map(|row| top + row),
        };
        if !is_close {
            layout.panels.push(row);
        }
        for (column, &time) in times[index].iter().enumerate() {
            let x = margin + inset + column_width * column as f32;
            if is_close {
                layout.panels.push(Panel {
                    x,
                    width: cell_width,
                    radius: 0.0,
                    ..row
                });
            }
            layout.places.push(Place {
                stage: index,
                time,
                x: x as usize,
                y: top as usize,
                width: cell_width as usize,
                height: picture as usize,
            });
            layout.texts.push(Text {
                text: time.map_or_else(|| "rest".to_owned(), |time| format!("{time:.2} s")),
                x: x + 0.5 * cell_width,
                baseline: top + picture + 1.25 * measures.label,
                size: measures.label,
                anchor: Anchor::Middle,
                faint: true,
            });
        }
        top += picture + label_room + margin;
    }
    Ok(layout)
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
    let gap = if is_close { GAP } else { 0.0 };
    let panel_width = widths.iter().sum::<f32>() + gap * (widths.len() - 1) as f32;
    let picture = look.height();
    let titled = stages.iter().any(|stage| !stage.title.is_empty());
    let label_room = if titled {
        (2.2 * measures.title).round()
    } else {
        0.0
    };
    let (width, height) = (
        panel_width + 2.0 * margin,
        picture + label_room + 2.0 * margin,
    );
    check_size(width, height, images, look)?;
    let whole = Panel {
        x: margin,
        y: margin,
        width: panel_width,
        height: picture + label_room,
        radius: measures.radius,
        floor_y: framings
            .first()
            .and_then(Framing::floor_row)
            .map(|row| margin + row),
    };
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
        if is_close {
            layout.panels.push(Panel {
                x,
                width,
                radius: 0.0,
                ..whole
            });
        }
        layout.places.push(Place {
            stage: index,
            time: None,
            x: x as usize,
            y: margin as usize,
            width: width as usize,
            height: picture as usize,
        });
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
