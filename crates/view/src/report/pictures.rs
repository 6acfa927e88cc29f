//! Filmstrip and worst moments, as SVG and GIF in data URIs, on light and on dark paper.

use super::{PageClip, put};
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
pub(super) fn moments<'a>(html: &mut String, clip: &PageClip<'a>) -> Result<(), Error> {
    let Some(result) = clip
        .results
        .first()
        .filter(|result| !result.report.moments.is_empty())
    else {
        return Ok(());
    };
    html.push_str("<h3>Worst moments</h3>\n<div class=\"moments\">\n");
    for moment in &result.report.moments {
        let named = |actor: &Actor<'a>, title: &str| -> Actor<'a> {
            Actor {
                title: title.to_owned(),
                ..actor.clone()
            }
        };
        let actors = [
            named(&clip.source, "source"),
            named(&result.actor, "target"),
        ];
        let times = vec![
            vec![Some(moment.seconds)],
            vec![Some(moment.target_seconds)],
        ];
        let draw = |background: [u8; 3]| {
            let look = Look {
                panel_height: 300,
                view: view(moment.kind),
                heights: Heights::Same,
                background,
                ..Look::default()
            };
            let stages = stages(&actors, &look)?;
            let mut layout =
                side_by_side_layout(&stages, &times, &[look.view.angle_degrees()], 1, &look)?;
            for place in &mut layout.places {
                place.time = times[place.stage][0];
            }
            layout_svg(&stages, &layout, &look).map(|svg| data_uri("svg+xml", svg.as_bytes()))
        };
        let play = |background: [u8; 3]| {
            let options = GifOptions {
                rate_hz: LOOP_RATE_HZ,
                look: Look {
                    panel_height: LOOP_HEIGHT,
                    view: view(moment.kind),
                    heights: Heights::Same,
                    background,
                    ..Look::default()
                },
                ..GifOptions::default()
            };
            let mut stages = stages(&actors, &options.look)?;
            for (stage, middle) in stages
                .iter_mut()
                .zip([moment.seconds, moment.target_seconds])
            {
                stage.shown = TimeWindow {
                    from: Some(middle - LOOP_REACH),
                    to: Some(middle + LOOP_REACH),
                };
            }
            playback(&stages, &options).map(|gif| data_uri("gif", &gif))
        };
        let what = moment.point.as_ref().map(point_name);
        let what = what
            .or(moment.slot.map(|slot| result.slot_name(slot).to_owned()))
            .unwrap_or_default();
        html.push_str("<figure>\n");
        picture(html, "moment", moment.kind.name(), draw)?;
        picture(html, "moment loop", "the time around it", play)?;
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

fn title(moment: &Moment) -> &'static str {
    match moment.kind {
        MomentKind::Direction => "Limb furthest off:",
        MomentKind::Penetration => "Deepest in the floor:",
        MomentKind::Slide => "Fastest slide added:",
        MomentKind::Pop => "Largest turn added in a frame:",
        MomentKind::OwnBody => "Arm deepest in the body:",
    }
}

/// Feet are seen best from the side.
fn view(kind: MomentKind) -> Camera {
    match kind {
        MomentKind::Penetration | MomentKind::Slide => Camera::Side,
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
