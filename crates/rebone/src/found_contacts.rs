//! Found contacts as choices of a recipe, so that a person can edit them.

use rebone_report::{ContactFigures, Report};
use rebone_setup::recipe::{PointEdit, PointEdits, Recipe, Span};

/// Times and heights are written in steps of a ten-thousandth: frames are told apart, and people can read them.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4 + 0.0
}

/// Writes down when the points of the source touch in each of these clips, in place of what the recipe says of them.
pub fn put_into<'a>(recipe: &mut Recipe, clips: impl Iterator<Item = (&'a str, &'a Report)>) {
    for (clip, report) in clips {
        if let Some(contacts) = &report.contacts {
            recipe
                .contacts
                .clips
                .insert(clip.to_owned(), edits(contacts));
        }
    }
}

fn edits(contacts: &ContactFigures) -> PointEdits {
    let edit = |own: &rebone_report::PointTouches| {
        let touches = own.touches.iter().map(|touch| {
            let is_off_floor = touch.height_meters != contacts.ground_meters;
            let ends = [touch.start_seconds, touch.end_seconds].map(|end| rounded(f64::from(end)));
            let height = is_off_floor.then(|| rounded(touch.height_meters));
            Span { ends, height }
        });
        PointEdit {
            only: Some(touches.collect()),
            ..PointEdit::default()
        }
    };
    let points = contacts.points.iter();
    points
        .map(|own| (own.point.kind().name().to_owned(), edit(own)))
        .collect()
}
