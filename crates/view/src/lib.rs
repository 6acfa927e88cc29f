//! Pictures of characters and their motion: filmstrips as PNG or SVG, playback and turntables as GIF; and the figures of a
//! retarget as one HTML page.
//!
//! Every picture is made on the processor, from plain data, without files, threads or clocks, and the
//! same input gives the same bytes. The way of one cell is
//!
//! ```text
//! Actor --stage--> Stage --skinning, solids--> Scene --raster--> Samples --shade, floor--> Canvas
//! ```
//!
//! A `Stage` is what an actor looks like at any time: floor at y = 0, +Y up, +Z
//! forward, metres. A `Scene` is its triangles at one time, seen from one
//! `Eye`. Layout decides which cells there are; the encoders know nothing of actors.
//!
//! ```no_run
//! # fn main() -> Result<(), rebone_view::Error> {
//! # let character = rebone_model::Character::default();
//! use rebone_view::{Actor, FilmstripOptions, filmstrip_png};
//!
//! let actor = Actor::new(&character, character.clips.first(), "Knight");
//! let png = filmstrip_png(&[actor], &FilmstripOptions::default())?;
//! # Ok(())
//! # }
//! ```

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod bones;
mod camera;
mod canvas;
mod cell;
mod close_up;
mod color;
mod error;
mod filmstrip;
mod filmstrip_layout;
mod font;
mod framing;
mod gif;
mod layout;
mod markup;
mod options;
mod palette;
mod picture_file;
mod raster;
mod report;
mod scene;
mod shade;
mod shadow;
mod sides;
mod skinning;
mod stage;
mod svg;
mod texture;

#[cfg(test)]
mod samples;

pub use error::Error;
pub use filmstrip::filmstrip_png;
pub use gif::{playback_gif, playback_pngs, turntable_gif};
pub use options::{Actor, Camera, FilmstripOptions, GifOptions, Heights, Look, Style, TimeWindow};
pub use report::overview::{OverviewPage, OverviewRow, overview_page};
pub use report::{PageClip, PageResult, ReportPage, report_html};
pub use skinning::smooth_normals;
pub use svg::filmstrip_svg;
