//! The path over the ground that was taken out of clips: no format has a place for it, so it goes into a file of its
//! own where somebody wants it.

use crate::console;
use crate::failure::Failure;
use rebone::Clip;
use rebone::model::curve::Curve;
use serde::Serialize;

#[derive(Serialize)]
struct PathsJson<'a> {
    clips: Vec<PathJson<'a>>,
}

/// A point x of the clip was at rotation · x + translation, in the target's own axes and unit.
#[derive(Serialize)]
struct PathJson<'a> {
    name: &'a str,
    times: &'a [f32],
    translation: Vec<&'a [f32]>,
    rotation: Vec<&'a [f32]>,
}

/// The paths that were taken out of clips, as JSON; an entry without times for a clip from which nothing was taken.
pub(crate) fn text(clips: &[Clip], paths: &[Vec<Curve>]) -> Result<String, Failure> {
    let entries = clips.iter().zip(paths);
    console::json_text(&PathsJson {
        clips: entries.map(|(clip, path)| entry(clip, path)).collect(),
    })
}

fn entry<'a>(clip: &'a Clip, curves: &'a [Curve]) -> PathJson<'a> {
    let of = |components: usize| curves.iter().find(|curve| curve.components() == components);
    let rows = |components: usize| {
        let values = of(components).map_or(&[][..], Curve::values);
        values.chunks(components).collect()
    };
    PathJson {
        name: &clip.name,
        times: of(3).map_or(&[][..], Curve::times),
        translation: rows(3),
        rotation: rows(4),
    }
}
