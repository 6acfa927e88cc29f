//! `rebone render`: pictures.

use crate::Outcome;
use crate::console;
use crate::doubts;
use crate::failure::Failure;
use crate::json::{self, WarningJson};
use crate::outputs::Outputs;
use crate::progress;
use crate::session::{self, Loaded};
use crate::settings::{Picture, RenderSettings};
use crate::table::size;
use rebone::core::recipe::SideRecipe;
use rebone::model::clip::find_clip;
use rebone::opening::Opening;
use rebone::view::{
    Actor, Error, FilmstripOptions, GifOptions, Heights, filmstrip_png, filmstrip_svg,
    playback_gif, turntable_gif,
};
use rebone::{Clip, Role, Warning, retarget_pose_clip, retarget_poses};
use serde::Serialize;
use std::ops::RangeInclusive;

/// Metres that a body may be high without a word about a guessed unit.
const USUAL_HEIGHT: RangeInclusive<f64> = 1.2..=2.2;

/// Runs the command.
pub(crate) fn run(settings: &RenderSettings) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::new(settings.files.iter().map(std::path::PathBuf::as_path));
    outputs.announce(&settings.output)?;
    let wanted = Opening {
        skeleton: settings.skeleton.as_deref(),
        meshes: true,
        ..Opening::new(Role::Target)
    };
    let mut loaded = progress::for_each("reading", &settings.files, |path| {
        session::load(path, &wanted)
    })?;
    check_clip_names(&loaded, settings)?;
    let (poses, doubts) = retarget_pose_clips(&mut loaded, settings)?;
    let rows = if settings.retarget_pose {
        pose_rows(&loaded, &poses)
    } else {
        rows(&loaded, &settings.clips)
    };
    let actors: Vec<Actor<'_>> = rows
        .iter()
        .map(|row| Actor {
            title: if settings.retarget_pose {
                row.file.input.stem()
            } else {
                title(row.file, row.clip)
            },
            ..actor(row.file, row.clip)
        })
        .collect();
    let picture = progress::while_running("drawing", || draw(&actors, settings))
        .map_err(|error| failure(error, settings))?;
    outputs.stage(&settings.output, &picture)?;
    let mut warnings: Vec<&Warning> = doubts.iter().collect();
    for file in &loaded {
        let told = |w: &&Warning| {
            let matters = doubts::concerns_looks(w) || w.code.starts_with("unit");
            matters && (console::wants_json() || is_surprising(file, w))
        };
        warnings.extend(file.rig.warnings.iter().filter(told));
    }
    if !console::wants_json() {
        rows.iter().for_each(remark_on_clip);
    }
    let warnings = session::distinct(warnings);
    let output = settings.output.display().to_string();
    let text = format!("wrote {output} ({})\n", size(picture.len()));
    let document = RenderJson {
        output: &output,
        bytes: picture.len(),
        rows: rows
            .iter()
            .map(|row| RowJson {
                file: row.file.input.path.display().to_string(),
                clip: row.clip.map(|clip| clip.name.as_str()),
            })
            .collect(),
        warnings: json::warnings(&warnings),
    };
    outputs.commit(|| console::answer(&document, &text, &warnings))?;
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct RenderJson<'a> {
    output: &'a str,
    bytes: usize,
    rows: Vec<RowJson<'a>>,
    warnings: Vec<WarningJson<'a>>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    file: String,
    clip: Option<&'a str>,
}

/// What one row shows.
struct Row<'a> {
    file: &'a Loaded,
    /// `None`: the rest pose.
    clip: Option<&'a Clip>,
    /// Why this clip, where nobody asked for it and there were others.
    reason: Option<&'static str>,
}

/// The rows: of each file the clips that were asked for, else one that goes with the first row's.
fn rows<'a>(loaded: &'a [Loaded], names: &[String]) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    for file in loaded {
        let asked: Vec<&Clip> = names
            .iter()
            .filter_map(|name| last_named(file, name))
            .collect();
        if asked.is_empty() {
            let row = match rows.first() {
                None => first_row(file, loaded.get(1..).unwrap_or_default()),
                Some(first) => row_beside(file, first),
            };
            rows.push(row);
            continue;
        }
        rows.extend(asked.into_iter().map(|clip| Row {
            file,
            clip: Some(clip),
            reason: None,
        }));
    }
    rows
}

/// Each file in its retarget pose: the first as a source, the others as its targets. None where nobody asked.
fn retarget_pose_clips(
    loaded: &mut [Loaded],
    settings: &RenderSettings,
) -> Result<(Vec<Clip>, Vec<Warning>), Failure> {
    let (mut poses, mut doubts) = (Vec::new(), Vec::new());
    if !settings.retarget_pose {
        return Ok((poses, doubts));
    }
    let choices = &settings.choices;
    let first = loaded[0].clone();
    let alone = loaded.len() == 1;
    for (index, file) in loaded.iter_mut().enumerate() {
        let (mut recipe, own) = if alone {
            choices.for_one(file)
        } else {
            choices.for_pair(&first, file)
        };
        doubts.extend(own);
        let is_source = index == 0 && !alone;
        if is_source {
            // What it stands beside changes nothing about a source.
            recipe.target = SideRecipe::default();
        }
        if alone {
            recipe.source = SideRecipe::default();
        }
        let [from, to] = retarget_poses(&first.rig, &file.rig, &recipe)
            .map_err(|error| choices.failure(&file.input.path, error))?;
        let (side, pose) = if is_source {
            (&recipe.source, from)
        } else {
            (&recipe.target, to)
        };
        let own = choices.with_slots(file.clone(), side)?;
        poses.push(retarget_pose_clip(&own.rig, &own.rig.map, &pose));
        *file = own;
    }
    Ok((poses, session::distinct(&doubts)))
}

fn pose_rows<'a>(loaded: &'a [Loaded], poses: &'a [Clip]) -> Vec<Row<'a>> {
    let row = |(file, pose): (&'a Loaded, &'a Clip)| Row {
        file,
        clip: Some(pose),
        reason: None,
    };
    loaded.iter().zip(poses).map(row).collect()
}

/// The last, because `retarget` appends its clips to those that the target already has.
fn last_named<'a>(file: &'a Loaded, name: &str) -> Option<&'a Clip> {
    let clips = &file.rig.character.clips;
    let exact = clips.iter().rev().find(|clip| clip.name == name);
    exact.or_else(|| find_clip(clips, name))
}

/// The first row where nobody asked for a clip: the first that all files have, so that a source stands
/// beside its own result, else the first at all.
fn first_row<'a>(file: &'a Loaded, others: &[Loaded]) -> Row<'a> {
    let clips = &file.rig.character.clips;
    let is_shared = |clip: &&Clip| {
        !others.is_empty()
            && others
                .iter()
                .all(|other| last_named(other, &clip.name).is_some())
    };
    let shared = clips.iter().find(is_shared);
    let is_later = shared.is_some_and(|clip| clip.name != clips[0].name);
    Row {
        file,
        clip: shared.or(clips.first()),
        reason: (clips.len() > 1).then_some(if is_later {
            "which the other files have too,"
        } else {
            "the first"
        }),
    }
}

/// A row below the first whose clip nobody asked for: the one that is named as the first row's, else the
/// file's last, which is the newest where the file is a result.
fn row_beside<'a>(file: &'a Loaded, first: &Row<'_>) -> Row<'a> {
    let clips = &file.rig.character.clips;
    let same = first.clip.and_then(|clip| last_named(file, &clip.name));
    let (clip, reason) = match same {
        Some(clip) => (Some(clip), "named as in the first row,"),
        None => (clips.last(), "the last"),
    };
    Row {
        file,
        clip,
        reason: (clips.len() > 1).then_some(reason),
    }
}

/// Fails where a name that was asked for is in no file.
fn check_clip_names(loaded: &[Loaded], settings: &RenderSettings) -> Result<(), Failure> {
    for name in &settings.clips {
        let found = loaded.iter().any(|file| last_named(file, name).is_some());
        if !found {
            let paths: Vec<String> = settings
                .files
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            let clips = loaded.iter().flat_map(|file| &file.rig.character.clips);
            return Err(Failure::new(
                format_args!("no clip is named \"{name}\" in {}", paths.join(", ")),
                session::instead_of(&clips.collect::<Vec<_>>(), name),
            ));
        }
    }
    Ok(())
}

/// Says which clip is shown where one was chosen.
fn remark_on_clip(row: &Row<'_>) {
    if let (Some(clip), Some(reason)) = (row.clip, row.reason) {
        console::remark(&format!(
            "{}: showing \"{}\", {reason} of {} clips (--clip NAME chooses)",
            row.file.input.path.display(),
            clip.name,
            row.file.rig.character.clips.len()
        ));
    }
}

/// A usual size needs no words.
fn is_surprising(file: &Loaded, warning: &Warning) -> bool {
    warning.code != "unit-guessed" || !USUAL_HEIGHT.contains(&file.rig.height_meters())
}

/// The file's name, and the clip's where it tells more.
fn title(file: &Loaded, clip: Option<&Clip>) -> String {
    let stem = file.input.stem();
    match clip {
        Some(clip) if clip.name != stem => format!("{stem}: {}", clip.name),
        _ => stem,
    }
}

/// A character of a file as an actor.
pub(crate) fn actor<'a>(file: &'a Loaded, clip: Option<&'a Clip>) -> Actor<'a> {
    rebone::report_page::actor(&file.rig, clip, file.input.stem())
}

/// Library options become those of the command line.
fn failure(error: Error, settings: &RenderSettings) -> Failure {
    let Error::TooLarge { pixels, limit } = error else {
        return Failure::in_file(&settings.output, error);
    };
    let million = |pixels: u64| pixels.div_ceil(1_000_000);
    Failure::at(
        &settings.output,
        format_args!(
            "the picture would have {} million pixels, more than the {} million that are drawn",
            million(pixels),
            million(limit)
        ),
        match settings.picture {
            Picture::Gif => "give a smaller --size, or fewer files",
            _ => "give a smaller --size, fewer --frames, or fewer files",
        },
    )
}

fn draw(actors: &[Actor<'_>], settings: &RenderSettings) -> Result<Vec<u8>, Error> {
    let heights = if settings.same_height {
        Heights::Same
    } else {
        Heights::Auto
    };
    let strip = FilmstripOptions::default();
    let strip = FilmstripOptions {
        frames: settings.frames,
        panel_height: settings.size.unwrap_or(strip.panel_height),
        style: settings.style,
        view: settings.view,
        heights,
        side_by_side: settings.retarget_pose,
        ..strip
    };
    match settings.picture {
        Picture::Svg => filmstrip_svg(actors, &strip).map(String::into_bytes),
        Picture::Png => filmstrip_png(actors, &strip),
        Picture::Gif => {
            let gif = GifOptions::default();
            let gif = GifOptions {
                panel_height: settings.size.unwrap_or(gif.panel_height),
                style: settings.style,
                view: settings.view,
                heights,
                ..gif
            };
            if actors.iter().any(|actor| actor.clip.is_some()) && !settings.retarget_pose {
                playback_gif(actors, &gif)
            } else {
                turntable_gif(actors, &gif)
            }
        }
    }
}
