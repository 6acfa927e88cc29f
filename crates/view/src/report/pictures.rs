//! Filmstrip and worst moments, as SVG in data URIs, on light and on dark paper.

use super::{PageClip, put};
use crate::error::Error;
use crate::layout::{side_by_side_layout, stages};
use crate::markup::{base64, escaped};
use crate::options::{Actor, Camera, FilmstripOptions, Heights, Look, Style};
use crate::svg::{filmstrip_svg, layout_svg};
use rebone_core::report::{Moment, MomentKind, point_name};

/// The papers of the page: that of the light one and that of the dark one.
const PAPERS: [[u8; 3]; 2] = [[255, 255, 255], [22, 25, 31]];

/// Cells a row of the filmstrip.
const CELLS: usize = 8;

/// Source above target above what it is compared with.
pub(super) fn filmstrip(html: &mut String, clip: &PageClip<'_>) -> Result<(), Error> {
    let mut actors = vec![clip.source.clone()];
    actors.extend(clip.results.iter().map(|result| result.actor.clone()));
    let draw = |background: [u8; 3]| {
        let options = FilmstripOptions {
            frames: CELLS,
            panel_height: 170,
            style: Style::Skeleton,
            heights: Heights::Same,
            background,
            ..FilmstripOptions::default()
        };
        filmstrip_svg(&actors, &options)
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
            let look = Look::from(&FilmstripOptions {
                panel_height: 300,
                style: Style::Skeleton,
                view: view(moment.kind),
                heights: Heights::Same,
                background,
                ..FilmstripOptions::default()
            });
            let stages = stages(&actors, &look)?;
            let mut layout =
                side_by_side_layout(&stages, &times, &[look.view.angle_degrees()], 1, &look)?;
            for place in &mut layout.places {
                place.time = times[place.stage][0];
            }
            layout_svg(&stages, &layout, &look)
        };
        let what = moment.point.as_ref().map(point_name);
        let what = what
            .or(moment.slot.map(|slot| result.slot_name(slot).to_owned()))
            .unwrap_or_default();
        html.push_str("<figure>\n");
        picture(html, "moment", moment.kind.name(), draw)?;
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
    }
}

/// Feet are seen best from the side.
fn view(kind: MomentKind) -> Camera {
    match kind {
        MomentKind::Penetration | MomentKind::Slide => Camera::Side,
        MomentKind::Direction | MomentKind::Pop => Camera::ThreeQuarter,
    }
}

fn picture(
    html: &mut String,
    class: &str,
    words: &str,
    draw: impl Fn([u8; 3]) -> Result<String, Error>,
) -> Result<(), Error> {
    let [light, dark] = PAPERS.map(|paper| draw(paper).map(|svg| data_uri(&svg)));
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

fn data_uri(svg: &str) -> String {
    let mut uri = "data:image/svg+xml;base64,".to_owned();
    base64(svg.as_bytes(), &mut uri);
    uri
}
