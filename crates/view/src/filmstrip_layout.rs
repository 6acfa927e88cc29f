//! The layout of a filmstrip: one row per actor, one column per time.

use crate::error::Error;
use crate::font;
use crate::framing::{Framing, framings};
use crate::layout::{Anchor, Layout, Measures, NewCell, Panel, Text, check_size, gap};
use crate::options::Look;
use crate::stage::{Posed, Stage};
use rebone_model::Clamp as _;

/// The moments of each actor that a filmstrip shows.
struct Moments {
    times: Vec<Vec<Option<f32>>>,
    /// Seconds between the poses that are drawn faintly behind a picture, for each actor.
    ghost_steps: Vec<f32>,
    /// How many of them.
    ghosts: usize,
    /// The only picture shows the last moment, with earlier ones behind it.
    is_last: bool,
}

impl Moments {
    fn new(stages: &[Stage<'_>], frames: usize, look: &Look) -> Self {
        let frames = frames.clamped(1, 512);
        let ghosts = look.ghosts();
        // A single picture with earlier poses behind it shows the last moment, else the first.
        let is_last = frames == 1 && ghosts > 0;
        let times = |stage: &Stage<'_>| {
            if stage.clip.is_none() {
                return vec![None];
            }
            let (start, end) = stage.span();
            if is_last {
                return vec![Some(end)];
            }
            let at = |frame| start + (end - start) * frame as f32 / (frames.max(2) - 1) as f32;
            (0..frames).map(|frame| Some(at(frame))).collect()
        };
        let ghost_step = |stage: &Stage<'_>| {
            let (start, end) = stage.span();
            let count = if is_last {
                ghosts
            } else {
                (frames.max(2) - 1) * (ghosts + 1)
            };
            (end - start) / count.max(1) as f32
        };
        Self {
            times: stages.iter().map(times).collect(),
            ghost_steps: stages.iter().map(ghost_step).collect(),
            ghosts,
            is_last,
        }
    }

    /// The times of the pictures, and of the poses behind a single one.
    fn seen(&self, stages: &[Stage<'_>]) -> Vec<Vec<Option<f32>>> {
        let mut seen = self.times.clone();
        for ((times, stage), &step) in seen.iter_mut().zip(stages).zip(&self.ghost_steps) {
            let count = if self.is_last { self.ghosts } else { 0 };
            let (start, _) = stage.span();
            times.extend((0..count).map(|index| Some(start + step * index as f32)));
        }
        seen
    }
}

/// Sizes of the rows of a filmstrip; pixels.
struct Rows {
    measures: Measures,
    is_close: bool,
    cell_width: f32,
    gap: f32,
    /// Between the edge of a row and its outer cells.
    inset: f32,
    label_room: f32,
    title_room: f32,
}

impl Rows {
    fn new(framings: &[Framing], look: &Look) -> Self {
        let measures = Measures::new(look);
        let widest = framings
            .iter()
            .fold(0.0f32, |all, one| all.max(one.size().x * one.focal));
        let is_close = framings.iter().any(|framing| framing.is_close);
        Self {
            is_close,
            cell_width: widest.ceil(),
            gap: gap(is_close),
            inset: if is_close {
                0.0
            } else {
                (0.35 * measures.margin).round()
            },
            label_room: (2.3 * measures.label).round(),
            title_room: (1.75 * measures.title).round(),
            measures,
        }
    }

    fn column_width(&self) -> f32 {
        self.cell_width + self.gap
    }

    fn width(&self, columns: usize) -> f32 {
        self.column_width() * columns as f32 - self.gap + 2.0 * self.inset
    }

    fn picture_height(framing: &Framing) -> f32 {
        (framing.size().y * framing.focal).round().max(16.0)
    }

    /// Height of the title of an actor.
    fn titled(&self, stage: &Stage<'_>) -> f32 {
        if stage.title.is_empty() {
            0.0
        } else {
            self.title_room
        }
    }

    fn title(&self, stage: &Stage<'_>, top: f32, width: f32) -> Text {
        let size = self.measures.title;
        Text {
            text: font::fit(stage.title, size, width - 4.0),
            x: self.measures.margin + 2.0,
            baseline: top + 0.92 * size,
            size,
            anchor: Anchor::Start,
            faint: false,
        }
    }

    /// Puts the pictures of an actor side by side.
    fn put_row(&self, layout: &mut Layout, stage: usize, top: f32, times: &[Option<f32>]) {
        let framing = layout.framings[stage];
        let picture = Self::picture_height(&framing);
        let margin = self.measures.margin;
        let row = Panel {
            x: margin,
            y: top,
            width: self.width(times.len()),
            height: picture + self.label_room,
            radius: self.measures.radius,
            floor_y: framing.floor_row().map(|row| top + row),
        };
        if !self.is_close {
            layout.panels.push(row);
        }
        for (column, &time) in times.iter().enumerate() {
            let x = margin + self.inset + self.column_width() * column as f32;
            let cell = NewCell {
                stage,
                time,
                x,
                width: self.cell_width,
                height: picture,
            };
            layout.put_cell(&row, cell, self.is_close);
            layout.texts.push(Text {
                text: time.map_or_else(|| "rest".to_owned(), |time| format!("{time:.2} s")),
                x: x + 0.5 * self.cell_width,
                baseline: top + picture + 1.25 * self.measures.label,
                size: self.measures.label,
                anchor: Anchor::Middle,
                faint: true,
            });
        }
    }
}

/// One row per actor, one column per time.
pub(crate) fn filmstrip_layout(
    stages: &[Stage<'_>],
    frames: usize,
    look: &Look,
) -> Result<Layout, Error> {
    let moments = Moments::new(stages, frames, look);
    let seen = moments.seen(stages);
    let angles = [look.view.angle_degrees()];
    let framings = framings(stages, &seen, look, &angles, false, &mut Posed::default());
    let rows = Rows::new(&framings, look);
    let columns = moments.times.iter().map(Vec::len).max().unwrap_or(1);
    let margin = rows.measures.margin;
    let panel_width = rows.width(columns);
    let width = panel_width + 2.0 * margin;
    let mut height = margin;
    for (stage, framing) in stages.iter().zip(&framings) {
        height += rows.titled(stage) + Rows::picture_height(framing) + rows.label_room + margin;
    }
    check_size(width, height, 1, look)?;
    let mut layout = Layout {
        width: width as usize,
        height: height as usize,
        panels: Vec::new(),
        texts: Vec::new(),
        places: Vec::new(),
        framings,
        ghost_steps: moments.ghost_steps,
        ghosts: moments.ghosts,
    };
    let mut top = margin;
    for (index, stage) in stages.iter().enumerate() {
        if !stage.title.is_empty() {
            layout.texts.push(rows.title(stage, top, panel_width));
        }
        top += rows.titled(stage);
        rows.put_row(&mut layout, index, top, &moments.times[index]);
        let picture = Rows::picture_height(&layout.framings[index]);
        top += picture + rows.label_room + margin;
    }
    Ok(layout)
}
