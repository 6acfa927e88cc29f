//! Filmstrip and worst moments, as SVG and GIF in data URIs, on light and on dark paper.

use super::{PageClip, PageResult, put};
use crate::error::Error;
use crate::gif::playback;
use crate::layout::{side_by_side_layout, stages};
use crate::markup::{base64, escaped};
use crate::options::{Actor, Camera, FilmstripOptions, GifOptions, Heights, Look, TimeWindow};
use crate::svg::{filmstrip_svg, layout_svg};
use rebone_report::{Moment, MomentKind, point_name};

/// The papers of the page: that of the light one and that of the dark one.
const PAPERS: [[u8; 3]; 2] = [[255, 255, 255], [22, 25, 31]];

/// Cells a row of the filmstrip.
const CELLS: usize = 8;

/// Pixels of a still moment's height.
const STILL_HEIGHT: u32 = 300;
/// A loop starts and ends this far from its moment, seconds.
const LOOP_REACH: f32 = 0.5;
/// Frames a second of a loop.
const LOOP_RATE_HZ: f32 = 12.5;
/// Pixels of a loop's height.
const LOOP_HEIGHT: u32 = 220;

/// Source above target above what it is compared with.
pub(super) fn filmstrip(html: &mut String, clip: &PageClip<'_>) -> Result<(), Error> {
    let mut actors = vec![clip.source.clone()];
    actors.extend(clip.results.iter().map(|result| result.actor.clone()));
    let draw = |background: [u8; 3]| {
        let options = FilmstripOptions {
            frames: CELLS,
            look: Look {
                panel_height: 170,
                heights: Heights::Same,
                background,
                ..Look::default()
            },
            ..FilmstripOptions::default()
        };
        filmstrip_svg(&actors, &options).map(|svg| data_uri("svg+xml", svg.as_bytes()))
    };
    html.push_str("<h3>Filmstrip</h3>\n");
    picture(html, "strip", "source above target", draw)
}

/// The worst moments, source beside target.
pub(super) fn moments(html: &mut String, clip: &PageClip<'_>) -> Result<(), Error> {
    let Some(result) = clip
        .results
        .first()
        .filter(|result| !result.report.moments.is_empty())
    else {
        return Ok(());
    };
    html.push_str("<h3>Worst moments</h3>\n<div class=\"moments\">\n");
    for moment in &result.report.moments {
        let scene = MomentScene::new(clip, result, moment);
        let what = moment.point.as_ref().map(point_name);
        let what = what
            .or(moment.slot.map(|slot| result.slot_name(slot).to_owned()))
            .unwrap_or_default();
        html.push_str("<figure>\n");
        picture(html, "moment", moment.kind.name(), |paper| {
            scene.still(paper)
        })?;
        picture(html, "moment loop", "the time around it", |paper| {
            scene.played(paper)
        })?;
        put(
            html,
            format_args!(
                "<figcaption><b>{}</b> {} {}, {} at {:.2} s</figcaption>\n</figure>\n",
                title(moment),
                super::tables::number(moment.value),
                moment.kind.unit(),
                escaped(&what),
                moment.seconds
            ),
        );
    }
    html.push_str("</div>\n");
    Ok(())
}

/// Source and target around one moment.
struct MomentScene<'a> {
    actors: [Actor<'a>; 2],
    /// When the moment is, for each actor.
    seconds: [f32; 2],
    kind: MomentKind,
}

impl<'a> MomentScene<'a> {
    fn new(clip: &PageClip<'a>, result: &PageResult<'a>, moment: &Moment) -> Self {
        let named = |actor: &Actor<'a>, title: &str| Actor {
            title: title.to_owned(),
            ..actor.clone()
        };
        Self {
            actors: [
                named(&clip.source, "source"),
                named(&result.actor, "target"),
            ],
            seconds: [moment.seconds, moment.target_seconds],
            kind: moment.kind,
        }
    }

    fn look(&self, panel_height: u32, background: [u8; 3]) -> Look {
        Look {
            panel_height,
            view: view(self.kind),
            heights: Heights::Same,
            background,
            ..Look::default()
        }
    }

    /// The moment as SVG.
    fn still(&self, background: [u8; 3]) -> Result<String, Error> {
        let look = self.look(STILL_HEIGHT, background);
        let stages = stages(&self.actors, &look)?;
        let times = self.seconds.map(|time| vec![Some(time)]);
        let angles = [look.view.angle_degrees()];
        let mut layout = side_by_side_layout(&stages, &times, &angles, 1, &look)?;
        for place in &mut layout.places {
            place.time = Some(self.seconds[place.stage]);
        }
        layout_svg(&stages, &layout, &look).map(|svg| data_uri("svg+xml", svg.as_bytes()))
    }

    /// The time around the moment as a GIF.
    fn played(&self, background: [u8; 3]) -> Result<String, Error> {
        let options = GifOptions {
            rate_hz: LOOP_RATE_HZ,
            look: self.look(LOOP_HEIGHT, background),
            ..GifOptions::default()
        };
        let mut stages = stages(&self.actors, &options.look)?;
        for (stage, middle) in stages.iter_mut().zip(self.seconds) {
            stage.shown = TimeWindow {
                from: Some(middle - LOOP_REACH),
                to: Some(middle + LOOP_REACH),
            };
        }
        playback(&stages, &options).map(|gif| data_uri("gif", &gif))
    }
}

fn title(moment: &Moment) -> &'static str {
    match moment.kind {
        MomentKind::Direction => "Limb furthest off:",
        MomentKind::Penetration => "Foot deepest in the floor:",
        MomentKind::SkinFloor => "Skin deepest in the floor:",
        MomentKind::Slide => "Fastest slide added:",
        MomentKind::Pop => "Largest turn added in a frame:",
        MomentKind::OwnBody => "Arm deepest in the body:",
    }
}

/// Feet are seen best from the side.
fn view(kind: MomentKind) -> Camera {
    match kind {
        MomentKind::Penetration | MomentKind::SkinFloor | MomentKind::Slide => Camera::Side,
        MomentKind::Direction | MomentKind::Pop | MomentKind::OwnBody => Camera::ThreeQuarter,
    }
}

fn picture(
    html: &mut String,
    class: &str,
    words: &str,
    draw: impl Fn([u8; 3]) -> Result<String, Error>,
) -> Result<(), Error> {
    let [light, dark] = PAPERS.map(draw);
    put(
        html,
        format_args!(
            "<picture class=\"{class}\"><source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"{}\">\
             <img alt=\"{}\" src=\"{}\"></picture>\n",
            dark?,
            escaped(words),
            light?
        ),
    );
    Ok(())
}

fn data_uri(kind: &str, bytes: &[u8]) -> String {
    let mut uri = format!("data:image/{kind};base64,");
    base64(bytes, &mut uri);
    uri
}
